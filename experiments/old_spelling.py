"""Questions in modern spelling on old print: are the rules of old spelling to be learned from the collection itself?

    python experiments/old_spelling.py work/ --scans real-scans/ --only de
    python experiments/old_spelling.py work/ --scans real-scans/ --only en-periodical --learn-only

``--scans`` is the folder of experiments/real_scans.py. A rule is a pair of short strings, such as *ey* and *ei*, by
which many pairs of frequent words differ (*bey* and *bei*, *seyn* and *sein*). Grammar and misreadings make such pairs
too. What tells spelling from them is that it belongs to a document: one that has *bey* has *seyn* and not *sein*. So
for each rule the words of all its pairs are looked up in the documents, and it is counted how far two pairs in the same
document are on the same side, beyond what each of them is as a whole; as a correlation, and in standard deviations of
that under independence.

Questions of two or three and of five to eight words are put into modern spelling by published rules, written down here
apart from what is learned (German: the conferences of 1876 and 1901, and patterns that genealogists are taught; French:
the spellings of the Académie of 1740 and 1835). Only those that change by that are asked, of the true text and of the
scan: as they are, with what was learned, and with the published rules themselves given as a file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from real_scans import answered, chosen_scans, scan_parser
from scanned_tables import interval

import adjudge
from adjudge.index.index import Index
from adjudge.systems.parts.deciphering.reading import Reading
from adjudge.systems.parts.version import Version
from scanned import source

Floats = npt.NDArray[np.float64]

SEEN, WORDS, SHORTEST = 3, 20_000, 3
"""Words that teach: how often they occur at least, how many there are at most, and characters of them."""
PAIRS, ALIKE, SURE = 3, 0.3, 10.0
"""Pairs of words of a rule, how far they agree, and by how many standard deviations that is not chance."""
MODERN = {
    "de": (
        *((r"th(?!eater|ema|eor|ese|erm|ron|ol|ik|et)", "t"), (r"(?<=[ae])y", "i"), (r"^v(?=[nm])", "u")),
        *((r"niß", "nis"), (r"c(?=[aou])", "k"), (r"^j(?=[^aeiouäöü])", "i"), (r"^i(?=a)", "j"), (r"^gieb", "gib")),
    ),
    "fr": (
        *((r"oi(?=t$|ent$)", "ai"), (r"^est(?=[aeéoru])", "ét"), (r"(?<=o)s(?=tre)", ""), (r"esm", "êm")),
        *((r"(?<=[oau])y$", "i"), (r"^v(?=[^aeiouéèêhy])", "u"), (r"(?<=[fcgmr])ans$", "ants"), (r"aul(?=t)", "au")),
    ),
}
"""What is modern, by expressions for the old, one after the other."""
WRITTEN = {
    "de": "t\tth\nei\tey\nun\tvn\nnis\tniß\nka\tca\nko\tco\nku\tcu\ni\tj\nja\tia\ngib\tgieb\n",
    "fr": "ait\toit\naient\toient\nét\test\notre\tostre\nêm\tesm\noi\toy\nun\tvn\nants\tans\naut\tault\n",
}
"""The same as a file of rules: what is asked, and what is written."""
KEPT = re.compile(r"^(droit|doit|soit|voit|soient|doient|voient|croit|toit|exploit|endroit|dans|ans|sans)$")
"""French words that are as they were."""


class Rule(NamedTuple):
    one: str
    other: str
    agreement: float
    sureness: float
    pairs: list[tuple[int, int]]


def word_pairs(index: Index) -> dict[tuple[str, str], dict[tuple[int, int], None]]:
    """Pairs of words by the strings in which they differ, with a character on either side or none; ^ and $ are ends."""
    cf = index.arrays["cf"]
    often = np.flatnonzero(cf >= SEEN)
    names = ((int(i), index.name(int(i))) for i in often[np.argsort(-cf[often].astype(np.int64), kind="stable")])
    known = [(i, name) for i, name in names if name.isalpha() and len(name) >= SHORTEST][:WORDS]
    holes: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    for number, name in known:
        word = f"^{name}$"
        for begin in range(1, len(word)):
            for end in range(begin, min(begin + 3, len(word))):
                holes[word[:begin], word[end:]].append((word[begin:end], number))
    rules: dict[tuple[str, str], dict[tuple[int, int], None]] = defaultdict(dict)
    for (before, after), row in holes.items():
        for one, i in row:
            for other, j in row:
                same = bool(one and other) and (one[0] == other[0] or one[-1] == other[-1])
                if one <= other or len(one) + len(other) > 3 or same or (not other and before.endswith(one)):
                    continue
                for left in ("", before[-1]):
                    for right in ("", after[0]):
                        rules[left + one + right, left + other + right][i, j] = None
    return rules


def agreement(index: Index, pairs: list[tuple[int, int]]) -> tuple[float, float]:
    """How far pairs are on the same side in a document, as a correlation and in standard deviations."""
    size, columns = len(index), []
    for one, other in pairs:
        first, second = index.postings(one)[0], index.postings(other)[0]
        side: Floats = np.full(size, np.nan)
        side[second], side[first] = 0.0, 1.0
        side[np.intersect1d(first, second)] = 0.5
        share = (len(first) + 0.5) / (len(first) + len(second) + 1)
        columns.append((side, share))
    sums, squares, spread, spread_squares, variance, variance_squares = np.zeros((6, size))
    for side, share in columns:
        there = ~np.isnan(side)
        rest, v = side[there] - share, share * (1 - share)
        sums[there] += rest
        squares[there] += rest**2
        spread[there] += v**0.5
        spread_squares[there] += v
        variance[there] += v
        variance_squares[there] += v * v
    both = float((sums**2 - squares).sum() / 2)
    most = float((spread**2 - spread_squares).sum() / 2)
    chance = float((variance**2 - variance_squares).sum() / 2)
    return (both / most, both / chance**0.5) if most > 1e-9 and chance > 1e-9 else (0.0, 0.0)


def learned(index: Index) -> list[Rule]:
    """The rules that belong to documents, the surest first; those that are part of a surer one are left out."""
    found = []
    for (one, other), pairs in word_pairs(index).items():
        if len(pairs) >= PAIRS:
            alike, sure = agreement(index, list(pairs))
            if alike >= ALIKE and sure >= SURE:
                found.append(Rule(one, other, alike, sure, list(pairs)))
    found.sort(key=lambda rule: (-rule.sureness, len(rule.one)))
    kept: list[Rule] = []
    for rule in found:
        if not any(former.one in rule.one and former.other in rule.other for former in kept):
            kept.append(rule)
    return kept


def modern(word: str, language: str) -> str:
    """A word in modern spelling."""
    word = word.replace("ſ", "s")
    if KEPT.match(word):
        return word
    for old, new in MODERN[language]:
        word = re.sub(old, new, word)
    return word


def write_questions(folder: Path, language: str, kind: str, made: Path) -> tuple[Path, Path, int]:
    """The questions that are written otherwise today, with their judgments, and how many words of them are."""
    rows, changed = [], 0
    for topic in adjudge.read_topics(folder / f"{kind}.tsv"):
        words = topic.title.lower().replace("ſ", "s").split()
        today = [modern(word, language) for word in words]
        if today != words:
            rows.append((topic.id, " ".join(today)))
            changed += sum(a != b for a, b in zip(words, today, strict=True))
    chosen = {name for name, _ in rows}
    lines = (folder / f"{kind}.qrels").read_text(encoding="utf-8").splitlines(keepends=True)
    topics, judgments = made / f"{kind}-modern.tsv", made / f"{kind}-modern.qrels"
    topics.write_text("".join(f"{name}\t{text}\n" for name, text in rows), encoding="utf-8")
    judgments.write_text("".join(line for line in lines if line.split()[0] in chosen), encoding="utf-8")
    return topics, judgments, changed


def write_rules(rules: list[Rule], path: Path) -> bool:
    """Rules in both directions, for nothing tells which of two spellings people ask for; whether there are any."""
    plain = [(rule.one.strip("^$"), rule.other.strip("^$")) for rule in rules]
    both = [pair for one, other in plain for pair in ((one, other), (other, one)) if pair[0]]
    path.write_text("".join(f"{asked}\t{written}\n" for asked, written in dict.fromkeys(both)), encoding="utf-8")
    return bool(both)


def main() -> None:
    parser = scan_parser(__doc__)
    parser.add_argument("--learn-only", action="store_true")
    options = parser.parse_args()
    for folder in chosen_scans(options):
        for name in ("true", "ocr"):
            kept = options.work / folder.name / name
            version = Version(name, adjudge.read_documents(folder / f"{name}.jsonl"), kept / source())
            index = Reading.of(version).index
            rules = learned(index)
            print(f"\n{folder.name}, {name}: {len(rules)} rules")
            for rule in rules:
                some = ", ".join(f"{index.name(i)}/{index.name(j)}" for i, j in rule.pairs[:5])
                figures = f"agreement {rule.agreement:.2f}, {rule.sureness:.1f} standard deviations"
                print(
                    f"  {rule.one or '-'} {rule.other or '-'}: {len(rule.pairs)} pairs, {figures}: {some}", flush=True
                )
            if not options.learn_only and folder.name in MODERN:
                asked_today(folder, kept, name, rules)


def asked_today(folder: Path, kept: Path, name: str, rules: list[Rule]) -> None:
    """What questions in modern spelling find."""
    own, given = (kept / f"{which}-rules.tsv" for which in ("learned", "published"))
    given.write_text(WRITTEN[folder.name], encoding="utf-8")
    systems = {"as it is": "decipher", "published": f"decipher(spelling={given.resolve()})"}
    if write_rules(rules, own):
        systems["learned"] = f"decipher(spelling={own.resolve()})"
    for kind in ("auto23", "auto58"):
        topics, judgments, changed = write_questions(folder, folder.name, kind, kept)
        found = answered(folder / f"{name}.jsonl", topics, judgments, kept, list(systems.values()))
        values: dict[str, Any] = {label: np.array(found[spec]) for label, spec in systems.items()}
        print(f"  {kind}: {len(values['as it is'])} questions, {changed} words written otherwise today")
        for label, row in values.items():
            low, high = interval(row - values["as it is"])
            gain = float((row - values["as it is"]).mean())
            print(f"    {label:12} {row.mean():.3f}  {gain:+.3f} ({low:+.3f} to {high:+.3f})", flush=True)


if __name__ == "__main__":
    main()
