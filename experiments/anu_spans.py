"""Is it the concepts or the spans? Readings of ANU's system (anu5con) on the true text of a sample.

    python experiments/anu_spans.py fr94/ work/ --chosen-on known.tsv --reported-on fr94-questions.tsv \\
        --concepts fr94-concepts.txt

The folder is one that `experiments/readings.py` made. Concepts: every word of the question in all forms of its stem
(automatic), as it is (words), only the two, three or four that come first or are in the fewest documents, or those that
were written by hand, for the questions that the file has. Spans: what a degree is worth, how fast a span loses with its
length, how long it may be, whether only spans of all concepts count. Ranks are estimated for the corpus as in
`experiments/rutgers_lines.py`. Then the same by the length of the target, and the lengths of what stands before it. A
second table has intervals (95 %, bootstrap over questions): of the ranks in the sample, and of their differences from
those of the first reading.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from readings import Questions, read, rivals, with_intervals
from rutgers_lines import reciprocal_ranks

import adjudge
from adjudge.index.index import Index
from adjudge.report.text_table import FORMS, TextTable
from adjudge.systems.anu import ANALYZER
from adjudge.systems.parts.concepts import WORD, Concept, Form, automatic, read_concepts
from adjudge.systems.parts.content import content_words
from adjudge.systems.parts.spans import find
from adjudge.systems.parts.version import Version

Floats = npt.NDArray[np.float64]
Reading = tuple[str, Callable[[str, str], list[Concept]], Callable[[int], Floats], float, int | None]


def graded(power: float) -> Callable[[int], Floats]:
    return lambda many: (np.arange(1, many + 1) / max(many, 1)) ** power


def whole(many: int) -> Floats:
    return np.append(np.zeros(max(many - 1, 0)), 1.0)


def plain(_: str, question: str) -> list[Concept]:
    return [(Form((word,), WORD),) for word in content_words(question)]


def every(_: str, question: str) -> list[Concept]:
    return automatic(question)


def first(many: int) -> Callable[[str, str], list[Concept]]:
    return lambda _, question: automatic(question)[:many]


def rarest(many: int, index: Index) -> Callable[[str, str], list[Concept]]:
    def chosen(_: str, question: str) -> list[Concept]:
        concepts = automatic(question)
        found = [len(find(index, [concept]).documents) for concept in concepts]
        # One that is nowhere is no concept that a searcher would keep.
        order = sorted((n, i) for i, n in enumerate(found) if n)
        return [concepts[i] for i in sorted(i for _, i in order[:many])]

    return chosen


def readings(index: Index, written: dict[str, list[Concept]]) -> list[Reading]:
    hand = lambda topic, question: written.get(topic) or automatic(question)  # noqa: E731
    rows: list[Reading] = [("automatic: the default", every, graded(4), 0.5, None)]
    rows += [("words as they are", plain, graded(4), 0.5, None)]
    for many in (2, 3, 4):
        rows += [(f"the first {many}", first(many), graded(4), 0.5, None)]
        rows += [(f"the rarest {many}", rarest(many, index), graded(4), 0.5, None)]
    rows += [(f"degrees by power {power}", every, graded(power), 0.5, None) for power in (0, 1, 2, 8)]
    rows += [(f"length by power {decay}", every, graded(4), decay, None) for decay in (0.0, 1.0, 2.0)]
    rows += [(f"spans of {longest} words at most", every, graded(4), 0.5, longest) for longest in (20, 200)]
    rows += [("spans of all concepts only", every, whole, 0.5, None)]
    rows += [("– of the rarest 3", rarest(3, index), whole, 0.5, None)]
    rows += [("degrees alike, rarest 3", rarest(3, index), graded(0), 0.5, None)]
    rows += [("by hand", hand, graded(4), 0.5, None)]
    rows += [("by hand, degrees by power 1", hand, graded(1), 0.5, None)]
    rows += [("by hand, degrees alike", hand, graded(0), 0.5, None)]
    rows += [("by hand, spans of all concepts only", hand, whole, 0.5, None)]
    return rows


def scores(index: Index, questions: Questions, reading: Reading) -> Floats:
    _, concepts_of, shares, decay, longest = reading
    table = np.zeros((len(index.ids), len(questions)))
    for i, (topic, (question, _)) in enumerate(questions.items()):
        concepts = concepts_of(topic, question)
        if concepts:
            matches = find(index, concepts)
            table[matches.documents, i] = matches.scores(shares(len(concepts)), decay=decay, longest=longest)
    return table


def lengths(table: Floats, ids: Sequence[str], questions: Questions, words: Floats, ranks: Floats) -> list[str]:
    """By the length of the target, and how long documents are that stand before a target."""
    targets = np.array([ids.index(target) for _, target in questions.values()])
    middle = np.median(words[targets])
    short = words[targets] <= middle
    before = [words[column > column[target]] for column, target in zip(table.T, targets, strict=True)]
    missed = [i for i, some in enumerate(before) if len(some)]
    halves = [f"{ranks[short].mean():.3f}", f"{ranks[~short].mean():.3f}"]
    if not missed:
        return [*halves, "–", "–", "–"]
    longer = np.mean([np.mean(before[i] > words[targets[i]]) for i in missed])
    return [
        *halves,
        f"{np.median(words[targets[missed]]):.0f}",
        f"{np.median(np.concatenate([before[i] for i in missed])):.0f}",
        f"{longer:.2f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents")
    parser.add_argument("work", type=Path)
    parser.add_argument("--chosen-on", type=Path, required=True)
    parser.add_argument("--reported-on", type=Path, required=True)
    parser.add_argument("--concepts", type=Path, required=True, help="written by hand, for some of the questions")
    parser.add_argument("--only", action="append", help="the name of a reading, may be repeated (default: all)")
    parser.add_argument("--format", choices=FORMS, default="table")
    options = parser.parse_args()
    sets = [read(options.chosen_on), read(options.reported_on)]
    written = read_concepts(options.concepts)
    sets.append({topic: row for some in sets for topic, row in some.items() if topic in written})
    questions = {**sets[0], **sets[1]}
    near, size = rivals(adjudge.read_documents(options.documents), questions, options.work)
    true = adjudge.read_documents(options.work / "true.jsonl.zst")
    index = Version("true", true, options.work / "true-made").index(ANALYZER, positions=True)
    ids = list(index.ids)
    drawn = len(set(ids) - near)
    worth = np.array([1.0 if name in near else (size - len(near)) / drawn for name in ids])
    words = index.arrays["lengths"].astype(float)
    rows, found = [], []
    for reading in readings(index, written):
        if options.only and reading[0] not in options.only:
            continue
        table = scores(index, questions, reading)
        ranks = reciprocal_ranks(table, ids, questions, worth)
        found.append(ranks[:, 0])
        parts = [ranks[[i for i, topic in enumerate(questions) if topic in some]].mean(axis=0) for some in sets]
        means = [f"{value:.3f}" for part in parts for value in part]
        rows.append([reading[0], *means, *lengths(table, ids, questions, words, ranks[:, 1])])
        print(*rows[-1], sep="\t", flush=True)
    header = ["reading", *(f"{len(some)}: {place}" for some in sets for place in ("sample", "corpus"))]
    header += ["short targets", "long targets", "words of targets", "words of those before", "longer"]
    print(TextTable(header, rows, 1).form(options.format), end="")
    values, cells = np.array(found), []
    for some in sets:
        column = values[:, [i for i, topic in enumerate(questions) if topic in some]]
        cells += [with_intervals(column, ".3f"), with_intervals(column - column[0], "+.3f")]
    header = ["reading", *(f"{len(some)}: {what}" for some in sets for what in ("sample", f"less {rows[0][0]}"))]
    rows = [[row[0], *intervals] for row, *intervals in zip(rows, *cells, strict=True)]
    print(TextTable(header, rows, 1).form(options.format), end="")


if __name__ == "__main__":
    main()
