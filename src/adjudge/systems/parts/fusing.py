"""Fusion: one run made of several, from the scores or from the ranks that each gives to a document.

CombSUM and CombMNZ (Fox & Shaw, Combination of multiple searches, TREC-2, 1994; with the min-max scores of Lee,
Analyses of multiple evidence combination, SIGIR 1997) and reciprocal rank fusion (Cormack, Clarke & Büttcher, SIGIR
2009). Runs, and not systems, are what is fused, so that runs of any origin will do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from ...core.errors import SpecError
from ...core.judged import ordinal
from ...core.note import Note
from ...core.run import Run
from ...core.spec import is_count, is_number
from ...core.strings import Strings, encode

Method = Literal["rrf", "combsum", "combmnz"]
METHODS: tuple[str, ...] = get_args(Method)
CONSTANT = 60.0
LONGEST = 100
"""Bytes of an id up to which ids are laid out in a matrix; longer ones are rare, and a single one would blow it up."""

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def fuse(
    runs: Sequence[Run],
    method: str = "rrf",
    *,
    constant: float = CONSTANT,
    k: int = 1000,
    name: str = "",
) -> Run:
    """The best k documents for every topic that some run has, by what the runs together say of them.

    ``rrf``: Σ 1 / (``constant`` + rank) over the runs that have the document. ``combsum``: Σ (score − lowest) /
    (highest − lowest), lowest and highest being those of the run for the topic. ``combmnz``: combsum times the number
    of runs that have the document. Where a run scores all its documents of a topic alike, or has only one, each of
    them gets 1: it was retrieved, and nothing is above it. The last document of a run gets 0 from it and is retrieved
    all the same. A run without a topic adds nothing to it.

    Ranks are those that judging gives: by score, equal scores by id, the later id first; so is the fused run. What a
    document gets from the runs is added from the smallest to the largest, so that the order of runs does not matter.

    >>> a = Run.of_columns(["q", "q"], ["x", "y"], np.array([2.0, 1.0]))
    >>> b = Run.of_columns(["q", "q"], ["y", "z"], np.array([9.0, 8.0]))
    >>> list(fuse([a, b]).documents)
    ['y', 'x', 'z']
    """
    _check(runs, method, constant, k)
    return fuse_any(runs, method, constant=constant, k=k, name=name)


def fuse_any(runs: Sequence[Run], method: str, *, constant: float, k: int, name: str) -> Run:
    """The same for any number of runs, empty ones among them; if all are empty so is what comes of them."""
    runs = [run for run in runs if len(run)]
    if not runs:
        return Run.empty(name or method)
    place: dict[str, int] = {}
    own = [np.array([place.setdefault(t, len(place)) for t in run.topics], np.int64) for run in runs]
    topics = [np.repeat(codes, np.diff(run.offsets)) for codes, run in zip(own, runs, strict=True)]
    documents, ids = number_ids([run.documents for run in runs])
    gives = [
        reciprocal(topic, document, run.scores, constant) if method == "rrf" else normalise(topic, run.scores)
        for topic, document, run in zip(topics, documents, runs, strict=True)
    ]
    keys, row = np.unique(np.concatenate(topics) * len(ids) + np.concatenate(documents), return_inverse=True)
    given = np.concatenate(gives)
    rising = np.argsort(given, kind="stable")
    scores = np.bincount(row[rising], weights=given[rising], minlength=len(keys))
    if method == "combmnz":
        scores = scores * np.bincount(row, minlength=len(keys))
    topic, document = np.divmod(keys, len(ids))
    order = np.lexsort((-document, -scores, topic))
    order = order[ordinal(topic[order], len(place)) <= k]
    fusion = Run.of_codes(topic[order], list(place), ids.take(document[order]), scores[order], name=name or method)
    return fusion.validate(name or method)


def topics_lacking(runs: Sequence[Run], topics: Sequence[str], names: Sequence[str] = ()) -> Iterator[Note]:
    """Which runs are silent on a topic that another one has; they go by ``names``, or by their own."""
    for place, run in enumerate(runs):
        absent = [topic for topic in topics if topic not in run.position]
        if absent:
            yield Note.of("topics_from_other_runs", names[place] if names else run.name, topics=absent)


def _check(runs: Sequence[Run], method: str, constant: float, k: int) -> None:
    if method not in METHODS:
        raise SpecError(f"the method of fusion must be {', '.join(METHODS[:-1])} or {METHODS[-1]}, not {method!r}")
    if not (is_number(constant) and constant >= 0):
        raise SpecError(f"the constant of fusion must be 0 or more, not {constant}")
    if not is_count(k):
        raise SpecError(f"k must be a whole number of at least 1, not {k}")
    if len(runs) < 2:
        raise SpecError(f"fusion takes at least two runs, not {len(runs)}")


def number_ids(columns: Sequence[Strings]) -> tuple[list[Ints], Strings]:
    """Columns of ids as numbers in the byte order of all ids, and the ids by these numbers."""
    widest = max(int(column.lengths.max(initial=0)) for column in columns)
    if widest > LONGEST:
        texts = [list(column) for column in columns]
        known = sorted({text for own in texts for text in own}, key=encode)
        number = {text: i for i, text in enumerate(known)}
        return [np.fromiter((number[text] for text in own), np.int64, len(own)) for own in texts], Strings.of(known)
    # An id, zeros, and its length: in this order bytes compare as the ids do, also if an id ends in a zero byte.
    matrix = np.concatenate([_byte_rows(column, widest) for column in columns])
    strings, numbers = np.unique(matrix.view(f"S{widest + 1}").ravel(), return_inverse=True)
    distinct = np.ascontiguousarray(strings).view(np.uint8).reshape(len(strings), widest + 1)
    ids = Strings(
        distinct.ravel(), np.arange(len(strings), dtype=np.int64) * (widest + 1), distinct[:, -1].astype(np.int32)
    )
    ends = np.cumsum([len(column) for column in columns])[:-1]
    return [part.astype(np.int64) for part in np.split(numbers, ends)], ids


def _byte_rows(column: Strings, width: int) -> npt.NDArray[np.uint8]:
    matrix: npt.NDArray[np.uint8] = np.zeros((len(column), width + 1), np.uint8)
    matrix[:, -1] = column.lengths
    for place in range(width):
        has = np.flatnonzero(column.lengths > place)
        matrix[has, place] = column.data[column.starts[has] + place]
    return matrix


def reciprocal(topic: Ints, document: Ints, scores: Floats, constant: float) -> Floats:
    """1 / (constant + rank) of every row of a run."""
    order = np.lexsort((-document, -scores, topic))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = ordinal(topic[order], int(topic.max(initial=-1)) + 1)
    return 1 / (constant + ranks)


def normalise(topic: Ints, scores: Floats) -> Floats:
    """(score − lowest) / (highest − lowest) of every row of a run within its topic; 1 where all are alike."""
    count = int(topic.max(initial=-1)) + 1
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, topic, scores)
    np.maximum.at(high, topic, scores)
    with np.errstate(over="ignore", invalid="ignore"):
        wide = np.isinf(high - low)  # then halves still have a difference
        scale = np.where(wide, 0.5, 1.0)
        width = high * scale - low * scale
    values: Any = np.ones(len(scores))
    np.divide(scores * scale[topic] - (low * scale)[topic], width[topic], out=values, where=width[topic] > 0)
    return np.asarray(values, np.float64)
