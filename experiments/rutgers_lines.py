"""What is a line, and what is averaged? The readings of Rutgers' system (rutcf) that the paper allows, on a sample.

    python experiments/rutgers_lines.py fr94/ work/ --chosen-on known.tsv --reported-on fr94-questions.tsv

The folder is one that `experiments/readings.py` made: the true text of a sample, two versions in which the targets
went through OCR, and the same two by the channel alone. The lines of a document are those that it has (own), or its
words set anew in lines of at most so many characters (set 72), or its characters cut after so many (cut 72). Every
pattern counts at every place where a match begins (starts) or once in a line (binary); case is ignored or kept; the
mean is over all lines that are not blank, or over those with a match.

A rank in the sample says little about the corpus. The sample has all rivals, the ten best documents of BM25 for any
question, and others drawn at random, each of which stands for many: the rank in the corpus is estimated as 1 + better
rivals + better others times what each stands for. Both mean reciprocal ranks are shown. The estimate is too high where
few documents of the corpus are better, since the sample may then have none of them.

A second table has the differences of the estimates from those of the default (own, lines, binary, case ignored) in
the same version, with 95 % intervals (bootstrap over questions).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt
from readings import LEVELS, Questions, read, rivals, with_intervals

import adjudge
from adjudge.core.document import Document
from adjudge.core.kernel import THREADS
from adjudge.report.text_table import FORMS, TextTable
from adjudge.systems.parts.content import content_words
from adjudge.systems.parts.double_dot import DoubleDots, patterns
from adjudge.systems.rutgers import set_anew

Floats = npt.NDArray[np.float64]

CAPITALS = {code: 0xE000 + code for code in range(ord("A"), ord("Z") + 1)}
"""Capitals as characters of their own, for patterns that ignore case otherwise."""
BATCH = 200
DEPTH = 1000
DEFAULT = ("own", "lines", "binary", "ignored")


def own(text: str) -> list[str]:
    return text.split("\n")


def set_in(width: int) -> Callable[[str], list[str]]:
    return lambda text: set_anew(text, width).split("\n")


def cut_at(width: int) -> Callable[[str], list[str]]:
    def cut(text: str) -> list[str]:
        flat = " ".join(text.split())
        return [flat[i : i + width] for i in range(0, len(flat), width)]

    return cut


LINES = {"own": own, "set 45": set_in(45), "set 72": set_in(72), "cut 72": cut_at(72)}


def words(question: str, *, case: bool) -> list[str]:
    lower = content_words(question)
    if not case:
        return lower
    written = {word.lower(): word for word in reversed(re.findall("[A-Za-z0-9]+", question))}
    return [written.get(word, word).translate(CAPITALS) for word in lower]


def means(
    documents: Sequence[Document], dots: DoubleDots, lines_of: Callable[[str], list[str]], *, binary: bool, case: bool
) -> dict[str, Floats]:
    """documents × questions, by what the mean is over."""

    def part(batch: Sequence[Document]) -> tuple[Floats, Floats]:
        every: list[str] = []
        sizes = []
        for document in batch:
            lines = [line for line in lines_of(document.text) if line.strip()] or [""]
            every += [line.translate(CAPITALS) for line in lines] if case else lines
            sizes.append(len(lines))
        counts, _ = dots.count(every, binary=binary)
        starts = np.cumsum([0, *sizes[:-1]])
        sums = np.add.reduceat(counts, starts, axis=0).astype(float)
        hits = np.add.reduceat((counts > 0).astype(np.int64), starts, axis=0)
        return sums / np.array(sizes)[:, None], sums / np.maximum(hits, 1)

    batches = [documents[i : i + BATCH] for i in range(0, len(documents), BATCH)]
    with ThreadPoolExecutor(THREADS) as pool:
        parts = list(pool.map(part, batches))
    return {
        "lines": np.concatenate([every for every, _ in parts]),
        "matching": np.concatenate([matching for _, matching in parts]),
    }


def reciprocal_ranks(scores: Floats, ids: Sequence[str], questions: Questions, worth: Floats) -> Floats:
    """Of each question, equal scores in the order of ids as in a run: in the sample, and estimated for the corpus."""
    order = np.argsort(np.argsort(ids))
    rows = []
    for column, (_, target) in zip(scores.T, questions.values(), strict=True):
        own = ids.index(target)
        better = (column > column[own]) | ((column == column[own]) & (order > order[own]))
        ranks = np.array([better.sum(), worth[better].sum()]) + 1
        rows.append(np.where((ranks <= DEPTH) & (column[own] > 0), 1 / ranks, 0.0))
    return np.array(rows)


def readings(
    documents: Sequence[Document], questions: Questions, lines: Sequence[str], cases: Sequence[bool]
) -> Iterator[tuple[tuple[str, ...], Floats]]:
    for case in cases:
        dots = DoubleDots.of([patterns(words(question, case=case)) for question, _ in questions.values()])
        for name in lines:
            for binary in (False, True):
                found = means(documents, dots, LINES[name], binary=binary, case=case)
                for mean, scores in found.items():
                    yield (name, mean, "binary" if binary else "starts", "kept" if case else "ignored"), scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents")
    parser.add_argument("work", type=Path)
    parser.add_argument("--chosen-on", type=Path, required=True)
    parser.add_argument("--reported-on", type=Path, required=True)
    parser.add_argument("--version", dest="versions", action="append", help="a file of the folder (default: all)")
    parser.add_argument("--lines", action="append", choices=LINES, help="default: all")
    parser.add_argument("--case", choices=("ignored", "kept"), action="append", help="default: ignored")
    parser.add_argument(
        "--others", type=int, help="documents drawn at random that are read (default: all of the sample)"
    )
    parser.add_argument("--format", choices=FORMS, default="table")
    options = parser.parse_args()
    sets = [read(options.chosen_on), read(options.reported_on)]
    every = {**sets[0], **sets[1]}
    near, size = rivals(adjudge.read_documents(options.documents), every, options.work)
    cases = [name == "kept" for name in options.case or ["ignored"]]
    files = ["true.jsonl.zst"]
    files += [
        name for level in LEVELS.values() for name in (f"{level}.jsonl.zst", f"{level}-simulated/documents.jsonl.zst")
    ]
    files = [name for name in files if (options.work / name).exists()]
    rows, found = [], dict[tuple[str, ...], Floats]()
    for name in options.versions or files:
        documents = list(adjudge.read_documents(options.work / name))
        drawn = [i for i, document in enumerate(documents) if document.id not in near]
        kept = set(drawn[:: max(1, len(drawn) // options.others)] if options.others else drawn)
        documents = [document for i, document in enumerate(documents) if i in kept or document.id in near]
        worth = np.array([1.0 if document.id in near else (size - len(near)) / len(kept) for document in documents])
        ids = [document.id for document in documents]
        for reading, scores in readings(documents, every, options.lines or list(LINES), cases):
            ranks = reciprocal_ranks(scores, ids, every, worth)
            found[name, *reading] = ranks[:, 1]
            parts = [ranks[[i for i, topic in enumerate(every) if topic in some]].mean(axis=0) for some in sets]
            rows.append([name, *reading, *(f"{value:.4f}" for part in parts for value in part)])
            print(*rows[-1], sep="\t", flush=True)
    header = ["version", "lines", "mean", "count", "case"]
    header += [f"{len(some)} questions: {place}" for some in sets for place in ("sample", "corpus")]
    print(TextTable(header, rows, 5).form(options.format))
    known = [key for key in found if (key[0], *DEFAULT) in found]
    if known:
        differences = np.array([found[key] - found[key[0], *DEFAULT] for key in known])
        cells = [
            with_intervals(differences[:, [i for i, topic in enumerate(every) if topic in some]], "+.3f")
            for some in sets
        ]
        header = [*header[:5], *(f"{len(some)} questions: corpus, less the default" for some in sets)]
        rows = [[*key, *intervals] for key, *intervals in zip(known, *cells, strict=True)]
        print(TextTable(header, rows, 5).form(options.format), end="")


if __name__ == "__main__":
    main()
