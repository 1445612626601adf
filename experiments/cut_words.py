"""Words that print cuts at the ends of lines: questions with the whole words on texts that have the halves.

    python experiments/cut_words.py work/ --scans real-scans/ --only en-periodical

``--scans`` is the folder of experiments/real_scans.py. Questions are drawn from the true text after its words that are
cut by a hyphen were put together (the halves must not both be words of their own elsewhere): of each of 300 passages
one cut word and two more words that occur in 2 to 50 passages. The passages are searched as they are, with the halves.
Prints mean reciprocal ranks with the difference of decipher to others and its 95 % interval, bootstrap over questions;
"whole" is bm25 on the true text with the words put together.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
from real_scans import answered, chosen_scans, scan_parser
from scan_oracles import texts
from scanned_tables import interval

from adjudge.core.document import Document
from adjudge.formats.documents.document_writing import DocumentWriter

CUT = re.compile(r"([^\W\d_]{2,})[-\u2010\u00ac] ([^\W\d_]{2,})")
WORD = re.compile(r"[^\W\d_]{4,}")
QUESTIONS, SEED, FEWEST, MOST = 300, 0, 2, 50
SYSTEMS = ["bm25", "bm25(analyzer=words|lower|ngrams(4))", "decipher", "decipher(broken=false)"]


def whole(true: dict[str, str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """The true texts with words put together, and those words."""
    known = Counter(word for text in true.values() for word in set(re.findall(r"[^\W\d_]+", text.lower())))
    put: dict[str, list[str]] = {name: [] for name in true}
    made = {}
    for name, text in true.items():

        def join(match: re.Match[str], name: str = name) -> str:
            first, last = match[1].lower(), match[2].lower()
            if known[first] > 5 and known[last] > 5 and not known[first + last]:
                return match[0]  # a compound, as far as anybody can tell
            put[name].append(first + last)
            return match[1] + match[2]

        made[name] = CUT.sub(join, text)
    return made, put


def write_questions(made: dict[str, str], put: dict[str, list[str]], folder: Path) -> None:
    """Questions and judgments."""
    rng = np.random.default_rng(SEED)
    words = {name: sorted(set(WORD.findall(text.lower()))) for name, text in made.items()}
    often = Counter(word for row in words.values() for word in row)
    names = [name for name in made if any(FEWEST <= often[word] <= MOST for word in put[name])]
    rows, judged = [], []
    for k, name in enumerate(sorted(rng.permutation(names)[:QUESTIONS].tolist())):
        cut = [word for word in put[name] if FEWEST <= often[word] <= MOST]
        others = [word for word in words[name] if FEWEST <= often[word] <= MOST and word not in cut]
        asked = [str(rng.choice(cut)), *map(str, rng.permutation(others)[:2])]
        rows.append(f"C{k:03}\t{' '.join(asked)}\n")
        judged.append(f"C{k:03} 0 {name} 1\n")
    (folder / "cut.tsv").write_text("".join(rows), encoding="utf-8")
    (folder / "cut.qrels").write_text("".join(judged), encoding="utf-8")


def main() -> None:
    options = scan_parser(__doc__).parse_args()
    for folder in chosen_scans(options):
        kept = options.work / folder.name
        kept.mkdir(parents=True, exist_ok=True)
        made, put = whole(texts(folder / "true.jsonl"))
        with DocumentWriter(kept / "whole.jsonl") as writer:
            for name, text in made.items():
                writer.add(Document(name, text))
        write_questions(made, put, kept)
        places = kept / "cut.tsv", kept / "cut.qrels"
        best = answered(kept / "whole.jsonl", *places, kept / "whole", ["bm25"])["bm25"]
        print(f"\n{folder.name}: {len(best)} questions; whole, bm25 {np.mean(best):.3f}")
        for version in ("true", "ocr"):
            values = answered(folder / f"{version}.jsonl", *places, kept / version, SYSTEMS)
            ours = np.array(values["decipher"])
            for name, row in values.items():
                low, high = interval(ours - np.array(row))
                gap = f"decipher − this {float(ours.mean() - np.mean(row)):+.3f} ({low:+.3f} to {high:+.3f})"
                print(f"  {version:5} {name:40} {np.mean(row):.3f}  {gap if name != 'decipher' else ''}", flush=True)


if __name__ == "__main__":
    main()
