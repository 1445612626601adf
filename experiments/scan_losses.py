"""Which questions a scan loses, and what became of their words: an account of decipher's losses.

    python experiments/scan_losses.py work/ --scans real-scans/ --only de --only fr

``--scans`` is the folder of experiments/real_scans.py. A question is lost if decipher has its passage at a worse rank
on the scan than bm25 has on the true text. Every word of a lost question is looked up in its passage by the alignment
of scan and truth, at the place where it was read best: intact, one or two edits, three or more, joined, broken, cut by
a hyphen, gone. "found" has a probability of at least .5 there, "doubtful" less, "missed" none. A lost question whose
words are all found is outranked: other passages have the same words, or strings that are taken for them.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from rapidfuzz.distance import Levenshtein
from real_scans import chosen_scans, reciprocal_ranks, scan_parser
from scan_oracles import texts
from scan_words import Group, Truth

import adjudge
from adjudge.systems.parts.deciphering.answering import DecipherAnswerer
from adjudge.systems.parts.version import Aids, Version
from adjudge.systems.system import systems
from scanned import source

ORDER = ("intact", "one or two edits", "joined", "broken", "cut by a hyphen", "three edits or more", "gone")
FOUND = 0.5


def kind_of(word: str, group: Group) -> str:
    """What became of a word."""
    if group.kind == "one":
        edits = Levenshtein.distance(word, group.strings[0])
        return ORDER[0] if not edits else ORDER[1] if edits <= 2 else ORDER[5]
    if group.kind == "broken":
        return ORDER[4] if group.cut else ORDER[3]
    return {"joined": ORDER[2], "gone": ORDER[6]}.get(group.kind, ORDER[5])


def chance_of(answerer: DecipherAnswerer, word: str, group: Group, passage: int) -> float:
    """The probability with which the strings of a group count for a word."""
    places = [answerer.reading.place(string) for string in group.strings]
    forms = answerer.forms(word)
    chances = [float(forms.weights[k]) for k, place in enumerate(forms.strings.tolist()) if place in places]
    for pair in answerer.broken(word):
        if set(pair.halves) <= set(group.strings):
            chances += pair.chances[pair.documents == passage].tolist()
    return max(chances, default=0.0)


def account(answerer: DecipherAnswerer, question: str, passage: str, groups: list[Group]) -> list[tuple[str, str]]:
    """What became of each word of a question, and whether it is found."""
    rows, number = [], answerer.index.document_number(passage)
    for word in answerer.words(question):
        there = [(ORDER.index(kind_of(word, group)), group) for group in groups if word in group.words]
        if not there:
            continue
        kind = min(place for place, _ in there)
        chance = max(chance_of(answerer, word, group, number) for _, group in there)
        rows.append((ORDER[kind], "found" if chance >= FOUND else "doubtful" if chance > 0 else "missed"))
    return rows


def main() -> None:
    options = scan_parser(__doc__).parse_args()
    for folder in chosen_scans(options):
        truth, kept = (
            Truth.of(*(texts(folder / f"{name}.jsonl") for name in ("true", "ocr"))),
            options.work / folder.name,
        )
        scan = Version("ocr", adjudge.read_documents(folder / "ocr.jsonl"), kept / "ocr" / source())
        plain = Version("true", adjudge.read_documents(folder / "true.jsonl"), kept / "true" / "others")
        answerer = systems.parse("decipher").answerer(scan)
        for questions in ("auto23", "auto58"):
            judgments = folder / f"{questions}.qrels"
            target = {topic: document for topic, document, _ in adjudge.read_qrels(judgments).rows()}
            asked = {topic.id: topic.title for topic in adjudge.read_topics(folder / f"{questions}.tsv")}
            ours, best = (
                np.array(reciprocal_ranks(systems.parse(spec).answer(version, asked, Aids()), judgments, list(asked)))
                for spec, version in (("decipher", scan), ("bm25", plain))
            )
            words: Counter[tuple[str, str]] = Counter()
            outranked = 0
            lost = [topic for topic, a, b in zip(asked, ours, best, strict=True) if a < b]
            for topic in lost:
                rows = account(answerer, asked[topic], target[topic], truth.passages[target[topic]])
                words.update(rows)
                outranked += all(state == "found" for _, state in rows)
            total = sum(words.values())
            print(
                f"\n{folder.name} {questions}: {len(lost)} of {len(asked)} lost, {outranked} outranked; {total} words"
            )
            for kind in ORDER:
                shares = (
                    f"{state} {100 * words[kind, state] / max(total, 1):4.1f} %"
                    for state in ("found", "doubtful", "missed")
                )
                print(f"  {kind:20} {'  '.join(shares)}", flush=True)


if __name__ == "__main__":
    main()
