"""Known-item search: the rank at which each system shows the one document that every question is after.

After Kantor & Voorhees, The TREC-5 Confusion Track (2000), section 4. A question is a judged topic with one target. The
reader of a list stops at the target, or at the end of the list, so a question costs him its rank or, if the target is
not there, the length of the list. From the ranks and lengths follow the reciprocal rank, the value for a price of
reading (value.py) and the operating characteristics (characteristic.py).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ...averages.mean import Mean
from ...core.collapse import Collapse
from ...core.columns import read_only
from ...core.english import quantity
from ...core.errors import ConflictError, DataError, SpecError
from ...core.judged import Floats, Ints, JudgedRun
from ...core.judging import USUAL, Judging
from ...core.likes import QrelsLike, RunsLike
from ...core.note import Note
from ...core.progress import SILENT, Listener
from ...core.qrels import Qrels
from ...core.result import Result
from ...core.strings import encode
from ...evaluation.measuring import judge_each
from ...formats.qrels import read_qrels

LONGEST = 10**9
"""A list: sums over a million of them stay exact."""


@dataclass(frozen=True, eq=False, repr=False)
class KnownItem(Result):
    """Ranks of the known items, systems × questions, and how many documents are read where an item is not found.

    >>> item = KnownItem.of_ranks({"A": [1, 2, None], "B": [2, 3, 5]}, length=10)
    >>> item.found.tolist(), item.work.tolist(), item.mrr.round(4).tolist()
    ([2, 3], [13, 10], [0.5, 0.3444])
    >>> item.value(5000, 2).tolist()
    [9974.0, 14980.0]
    """

    systems: tuple[str, ...]
    questions: tuple[str, ...]
    ranks: Ints
    """0 where the item was not found."""
    lengths: Ints
    """How many documents the reader goes through if the item is not there."""
    notes: tuple[Note, ...] = ()
    """What a reader of the figures should know: topics left out, questions without a list, unequal lengths."""

    def __post_init__(self) -> None:
        shape = (len(self.systems), len(self.questions))
        if not self.questions:
            raise DataError("known-item search needs at least one question")
        if not self.systems:
            raise DataError("known-item search needs at least one system")
        for what, names in (("systems", self.systems), ("questions", self.questions)):
            if len(set(names)) < len(names):
                raise ConflictError(f"two {what} are named {next(n for n in names if names.count(n) > 1)!r}")
        for what in ("ranks", "lengths"):
            numbers = np.asarray(getattr(self, what))
            if numbers.shape != shape or numbers.dtype.kind not in "iu":
                raise DataError(f"{what} must be whole numbers, {shape[0]} systems × {shape[1]} questions")
            if numbers.min() < 0 or numbers.max() > LONGEST:
                raise DataError(f"{what} must lie between 0 and {LONGEST:,}")
            object.__setattr__(self, what, read_only(numbers.astype(np.int64)))
        beyond = np.argwhere(self.ranks > self.lengths)
        if len(beyond):
            s, q = beyond[0].tolist()
            where = f"{self.systems[s]}: the item of question {self.questions[q]} is at rank {self.ranks[s, q]}"
            raise DataError(f"{where}, beyond the {self.lengths[s, q]} documents that are read: cut the lists there")

    def __repr__(self) -> str:
        return f"KnownItem({quantity(len(self.systems), 'system')} × {quantity(len(self.questions), 'question')})"

    @classmethod
    def of_ranks(
        cls,
        ranks: Mapping[str, Sequence[int | None]],
        *,
        length: int | Mapping[str, int | Sequence[int]],
        questions: Sequence[str] | None = None,
    ) -> KnownItem:
        """Make it from ranks alone: {system: rank of each question's item, None where it was not found}.

        ``length`` is what is read where nothing is found: one number, one for each system, or one for each of its
        questions.
        """
        systems = tuple(map(str, ranks))
        counts = {str(system): len(row) for system, row in ranks.items()}
        size = next(iter(counts.values()), 0) if questions is None else len(questions)
        for system, count in counts.items():
            if count != size:
                raise DataError(f"{system} has ranks for {count} questions, not for {size}")
        if not systems or not size:
            raise DataError("known-item search needs at least one system and one question")
        names = tuple(map(str, range(1, size + 1) if questions is None else questions))
        rows = [
            [
                0 if rank is None else _whole(rank, f"{system}, question {q}: a rank")
                for q, rank in zip(names, row, strict=True)
            ]
            for system, row in ranks.items()
        ]
        matrix = np.array([_lengths(length, system, size) for system in ranks], np.int64)
        return cls(systems, names, np.array(rows, np.int64), matrix, tuple(_unequal(np.array(rows), matrix)))

    # -- figures, one for each system ---------------------------------------------------------------------------------

    @cached_property
    def hits(self) -> npt.NDArray[np.bool_]:
        return self.ranks > 0

    @cached_property
    def efforts(self) -> Ints:
        """Documents read for each question: its rank, or the whole list."""
        return np.where(self.hits, self.ranks, self.lengths)

    @cached_property
    def found(self) -> Ints:
        """G: the number of items found."""
        total: Ints = np.add.reduce(self.hits, axis=1, dtype=np.int64)
        return total

    @cached_property
    def sum_ranks(self) -> Ints:
        """Σr over the items found."""
        total: Ints = np.add.reduce(self.ranks, axis=1)
        return total

    @cached_property
    def mean_rank(self) -> Floats:
        """Mean rank of the items found; NaN if there are none."""
        return np.where(self.found > 0, self.sum_ranks / np.maximum(self.found, 1), math.nan)

    @cached_property
    def work(self) -> Ints:
        """W: all documents read, Σ r over what is found and Σ L over what is not."""
        total: Ints = np.add.reduce(self.efforts, axis=1)
        return total

    @cached_property
    def reciprocal_ranks(self) -> Floats:
        return np.where(self.hits, 1 / np.maximum(self.ranks, 1), 0.0)

    @cached_property
    def mrr(self) -> Floats:
        """The mean reciprocal rank over all questions, 0 for what was not found."""
        return Mean()(self.reciprocal_ranks)

    def value(self, v: float, c: float = 1.0) -> Floats:
        """V = v·G − c·W: an item found is worth v, a document read costs c.

        The paper's second line ends in − 1000·S; it must read − 1000·S·c.
        """
        for name, price in (("v", v), ("c", c)):
            if not (math.isfinite(price) and price >= 0):
                raise SpecError(f"{name} must be a number of at least 0, not {price}")
        return np.asarray(v * self.found - c * self.work, float)

    @cached_property
    def length(self) -> int | None:
        """L, if every miss costs the same and nothing is found beyond it; None if lengths are unequal.

        Only then does dominance imply value (docs/known-item.md proves it).
        """
        missed = self.lengths[~self.hits]
        longest = int(self.efforts.max())
        return longest if missed.min(initial=longest) == longest else None


def known_item(
    qrels: QrelsLike,
    runs: RunsLike,
    *,
    length: int | None = None,
    any_target: bool = False,
    level: int = USUAL.level,
    depth: int | None = USUAL.depth,
    judged_only: bool = USUAL.judged_only,
    complete: bool = USUAL.complete,
    trec_version: int = USUAL.trec_version,
    collection_size: int = USUAL.collection_size,
    collapse: Collapse | None = USUAL.collapse,
    judging: Judging | None = None,
    progress: Listener = SILENT,
) -> KnownItem:
    """Find the known item of every judged topic in every run.

    ``qrels``, ``runs`` and what says how they are judged are what ``adjudge.measure`` takes; every judged topic counts.
    Lists are cut at ``depth`` (1000). A miss costs the length of
    the list, or ``length`` for all (the paper's 1000). Each topic must have one document of grade ``level`` or above;
    with ``any_target`` it may have more, and the one that is ranked best counts.

    >>> item = known_item({"q": {"a": 1}, "p": {"z": 1}}, {"mine": {"q": {"b": 2.0, "a": 1.0}, "p": {"b": 1.0}}})
    >>> item.questions, item.ranks.tolist(), item.lengths.tolist()
    (('p', 'q'), [[0, 2]], [[1, 2]])
    """
    asked = Judging(level, depth, judged_only, complete, trec_version, collection_size, collapse).unless(judging)
    level, depth = asked.level, 1000 if asked.depth is None else asked.depth
    for name, number in (("depth", depth), ("length", length)):
        if number is not None and not 1 <= number <= LONGEST:
            raise SpecError(f"{name} must lie between 1 and {LONGEST:,}, not {number}")
    if level < 0:
        raise SpecError(f"level must be at least 0, not {level}")
    judgments = read_qrels(qrels)
    several = _targets(judgments, level, any_target)

    def rank_items(judged: JudgedRun) -> tuple[JudgedRun, Ints]:
        best = judged.rel_order == 1
        ranks = np.zeros(len(judged.topics), np.int64)
        ranks[judged.rel_topic[best]] = judged.rel_rank[best]
        return judged, ranks

    systems, results = judge_each(
        judgments,
        runs,
        rank_items,
        replace(asked, depth=None, complete=True),  # what is found below the depth is noted
        unrelated=False,
        progress=progress,
    )
    questions = tuple(sorted(judgments.topics, key=encode))
    uncut = np.array([ranks for _, ranks in results])
    ranks = np.where(uncut <= depth, uncut, 0)
    lists = np.minimum(np.array([judged.num_ret for judged, _ in results]), depth)
    lengths = lists if length is None else np.full_like(lists, length)
    notes = [Note.of("several_targets", topics=several)] if several else []
    for system, (judged, _), own in zip(systems, results, uncut, strict=True):
        notes += _notes(system, judged, length, [questions[q] for q in np.flatnonzero(own > depth)], depth)
    return KnownItem(
        systems=tuple(systems),
        questions=questions,
        ranks=ranks,
        lengths=lengths,
        notes=tuple(notes) + tuple(_unequal(ranks, lengths)),
    )


def _targets(judgments: Qrels, level: int, any_target: bool) -> list[str]:
    """The topics with more than one target; an error if there may be none of these, or a topic has no target."""
    topic = np.repeat(np.arange(len(judgments.topics)), np.diff(judgments.offsets))
    counts = np.bincount(topic[judgments.grades >= level], minlength=len(judgments.topics))
    for t in np.flatnonzero(counts == 0)[:1]:
        raise DataError(
            f"topic {judgments.topics[t]} has no document of grade {level} or above: there is no known item"
        )
    several = [judgments.topics[t] for t in np.flatnonzero(counts > 1)]
    if several and not any_target:
        count = counts[judgments.topics.index(several[0])]
        raise DataError(
            f"topic {several[0]} has {count} documents of grade {level} or above, and a known item is one document: "
            "--any-target (any_target=True) counts the one that is ranked best"
        )
    return several


def _notes(system: str, judged: JudgedRun, length: int | None, deep: list[str], depth: int) -> Iterable[Note]:
    yield from judged.notes
    if judged.without_judgments:
        yield Note.of("topics_unjudged", system, topics=judged.without_judgments)
    if judged.missing:
        yield Note.of("questions_missed", system, topics=judged.missing, cost=length)
    if deep:
        yield Note.of("items_below_depth", system, topics=deep, depth=depth)


def _unequal(ranks: Ints, lengths: Ints) -> Iterable[Note]:
    missed = lengths[ranks == 0]
    if len(missed):
        shortest, longest, deepest = int(missed.min()), int(missed.max()), int(ranks.max())
        if shortest < max(longest, deepest):
            yield Note.of("lengths_unequal", shortest=shortest, longest=longest, deepest=deepest)


def _lengths(length: int | Mapping[str, int | Sequence[int]], system: str, size: int) -> list[int]:
    if isinstance(length, Mapping):
        if system not in length:
            raise DataError(f"{system}: no length is given for it")
        own = length[system]
    else:
        own = length
    if isinstance(own, Sequence):
        if len(own) != size:
            raise DataError(f"{system} has lengths for {len(own)} questions, not for {size}")
        return [_whole(value, f"{system}: a length", least=0) for value in own]
    return [_whole(own, f"{system}: a length", least=0)] * size


def _whole(number: Any, what: str, least: int = 1) -> int:
    try:
        exact = -1 if isinstance(number, bool | np.bool_) else operator.index(number)
    except TypeError:
        exact = -1
    if not least <= exact <= LONGEST:
        hint = "; None is for an item that was not found" if least else ""
        raise DataError(f"{what} must be a whole number from {least} to {LONGEST:,}, not {number!r}{hint}")
    return exact


def has_known_items(judgments: Qrels, level: int = 1) -> bool:
    """Return whether every topic has exactly one relevant document."""
    topic = np.repeat(np.arange(len(judgments.topics)), np.diff(judgments.offsets))
    relevant = np.bincount(topic[judgments.grades >= level], minlength=len(judgments.topics))
    return bool((relevant == 1).all())
