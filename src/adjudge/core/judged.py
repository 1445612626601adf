"""A judged run: the one thing that measures see.

Order, ties, depth, unjudged documents are decided here and nowhere else:

- documents are ranked by score, highest first; among equal scores the id that is later in byte order comes first, as
  in trec_eval. ``trec_version=10`` compares doubles; 9 holds scores as 32-bit floats, so 1.00000002 ties with 1.
- ``depth`` drops what is ranked below it, ``judged_only`` drops unjudged documents and closes the gaps, ``complete``
  adds judged topics that the run left out, with nothing retrieved (judging.py).

Unjudged documents matter only through the ranks they occupy, so only documents in the pool are kept: a run of ten
million lines with a hundred judgments a topic becomes arrays of a few hundred thousand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from . import fallback
from .judging import USUAL, Judging
from .kernel import native, parts_for, together
from .note import Note
from .qrels import Qrels
from .run import Run
from .strings import encode

if TYPE_CHECKING:
    import numpy.typing as npt

    from .collapse import Collapse

loops: Any = native("judging") or fallback

UNJUDGED = -1
"""The grade of a document that is in the pool but was not judged."""

JUDGE_PIECE = 200_000
DENSE = 1_000_000
"""Counting grades by topic in one array is faster than sorting them, up to about this size."""

Floats: TypeAlias = "npt.NDArray[np.float64]"
Ints: TypeAlias = "npt.NDArray[np.int64]"


@dataclass(frozen=True, eq=False, repr=False)
class JudgedRun:
    """Ranks and grades of the documents in the pool, for all topics in one flat array each, in rank order.

    Topics are in byte order of their ids. ``topic[i]`` is the number of the topic of entry ``i``.
    """

    name: str
    topics: tuple[str, ...]
    num_ret: Ints
    topic: Ints
    rank: Ints
    grade: Ints
    pool_topic: Ints
    pool_grade: Ints
    pool_count: Ints
    """How many documents of a topic were judged with a grade (0 and above), for each that occurs; topics in blocks."""
    top_grade: int
    """The largest grade in all the judgments, topics that were left out included."""
    judging: Judging = USUAL
    """How it was judged."""
    without_judgments: tuple[str, ...] = ()
    """Topics of the run that nobody judged; they are left out."""
    missing: tuple[str, ...] = ()
    """Judged topics that the run has no document for; they are here only if the run was judged ``complete``."""
    notes: tuple[Note, ...] = ()
    """What was noted when the run was read."""

    def __repr__(self) -> str:
        judged = f"{len(self.rank):,} of {int(self.num_ret.sum()):,} documents in the pool"
        return f"JudgedRun({self.name}: {len(self.topics):,} topics, {judged}, level {self.level})"

    @property
    def level(self) -> int:
        """The lowest grade that is relevant."""
        return self.judging.level

    # -- views: the same run as another level, judged documents alone, or another depth shows it --------------------

    def view(self, level: int | None = None, judged_only: bool = False, depth: int | None = None) -> JudgedRun:
        """This run at another level, without unjudged documents, cut at a depth; None and False leave it as it is.

        Unjudged documents are dropped before the run is cut. Nothing is read or ranked again, and a view that was
        asked for before is the same one.
        """
        level = self.level if level is None else level
        judged_only = judged_only and not self.judging.judged_only
        if level == self.level and not judged_only and depth is None:
            return self
        key = level, judged_only, depth
        if key not in self._views:
            if depth is not None:
                view = self.view(level, judged_only).cut(depth)
            elif level != self.level:
                view = replace(self.view(None, judged_only), judging=replace(self.judging, level=level))
            else:
                view = self.condense()
            self._views[key] = view
        return self._views[key]

    @cached_property
    def _views(self) -> dict[tuple[int, bool, int | None], JudgedRun]:
        return {}

    def cut(self, depth: int) -> JudgedRun:
        """The first documents of each topic."""
        within = self.rank <= depth
        return replace(
            self,
            num_ret=np.minimum(self.num_ret, depth),
            topic=self.topic[within],
            rank=self.rank[within],
            grade=self.grade[within],
        )

    def condense(self) -> JudgedRun:
        """The judged documents alone; those below a document that was dropped move up."""
        within = self.grade >= 0
        topic = self.topic[within]
        return replace(
            self,
            num_ret=np.bincount(topic, minlength=len(self.topics)),
            topic=topic,
            rank=ordinal(topic, len(self.topics)),
            grade=self.grade[within],
        )

    # -- what most measures start from ------------------------------------------------------------------------------

    @cached_property
    def relevant(self) -> npt.NDArray[np.bool_]:
        """Which entries are relevant: grade at or above the level, and judged: a level below 0 makes no difference."""
        return self.grade >= max(self.level, 0)

    @cached_property
    def rel_topic(self) -> Ints:
        return self.topic[self.relevant]

    @cached_property
    def rel_rank(self) -> Ints:
        return self.rank[self.relevant]

    @cached_property
    def rel_order(self) -> Ints:
        """1 for the first relevant document of its topic, 2 for the second, and so on."""
        return ordinal(self.rel_topic, len(self.topics))

    @cached_property
    def num_rel(self) -> Ints:
        """R: the number of relevant documents of each topic, retrieved or not."""
        return self._judged(self.pool_grade >= self.level)

    @cached_property
    def num_nonrel(self) -> Ints:
        """Documents judged and found not relevant."""
        return self._judged(self.pool_grade < self.level)

    def _judged(self, wanted: npt.NDArray[np.bool_]) -> Ints:
        counts = np.bincount(self.pool_topic[wanted], weights=self.pool_count[wanted], minlength=len(self.topics))
        return counts.astype(np.int64)

    @cached_property
    def num_rel_ret(self) -> Ints:
        return self.count(self.rel_topic)

    def count(self, topics: Ints) -> Ints:
        """How often each topic occurs."""
        return np.bincount(topics, minlength=len(self.topics))

    def sum(self, topics: Ints, values: npt.NDArray[np.floating[Any]]) -> Floats:
        """Sums by topic, added up in rank order: the same rounding as a loop over the ranking."""
        return np.bincount(topics, weights=values, minlength=len(self.topics)).astype(float, copy=False)

    def found(self, k: int | None) -> Ints:
        """Relevant documents among the first k."""
        return self.num_rel_ret if k is None else self.count(self.rel_topic[self.rel_rank <= k])


def ordinal(topic: Ints, topics: int) -> Ints:
    """The place of each entry among the entries of its topic, from 1; topics come in blocks."""
    firsts = np.concatenate([[0], np.cumsum(np.bincount(topic, minlength=topics))[:-1]]) if topics else np.zeros(0)
    return np.arange(1, len(topic) + 1) - firsts[topic].astype(np.int64)


def ratio(above: npt.NDArray[np.number], below: npt.NDArray[np.number]) -> Floats:
    """above / below, 0 where nothing is to be divided by."""
    out = np.zeros(len(above))
    np.divide(above, below, out=out, where=below != 0)
    return out


def judge(
    run: Run,
    qrels: Qrels,
    judging: Judging | None = None,
    *,
    level: int = USUAL.level,
    depth: int | None = USUAL.depth,
    judged_only: bool = USUAL.judged_only,
    complete: bool = USUAL.complete,
    trec_version: int = USUAL.trec_version,
    collection_size: int = USUAL.collection_size,
    collapse: Collapse | None = USUAL.collapse,
) -> JudgedRun:
    """Join a run with the judgments: what measures see.

    Args:
        run: a run, as :func:`adjudge.read_run` gives it.
        qrels: the judgments, as :func:`adjudge.read_qrels` gives them.
        judging: how runs are judged, instead of its fields one by one.
        level: the lowest grade that counts as relevant.
        depth: only the first so many documents of a topic count.
        judged_only: drop unjudged documents first.
        complete: count judged topics that the run left out.
        trec_version: 9 compares the scores of documents as 32-bit floats, as trec_eval 9 did.
        collection_size: how many documents there are, for the measures that ask for it.
        collapse: how lines for chunks become documents.

    >>> run = Run.of_columns(["1", "1"], ["a", "b"], np.array([2.0, 1.0]))
    >>> judge(run, Qrels.of_columns(["1"], ["b"], np.array([1]))).num_rel_ret.tolist()
    [1]
    """
    asked = Judging(level, depth, judged_only, complete, trec_version, collection_size, collapse).unless(judging)
    run = run if asked.collapse is None else asked.collapse(run)
    entries = _look_up(run, qrels, single=asked.trec_version == 9)
    return judged_entries(RankedRun(run.name, run.topics, np.diff(run.offsets), *entries, run.notes), qrels, asked)


class RankedRun(NamedTuple):
    """A run of which the documents in the pool are known by their ranks and grades, topics in any order."""

    name: str
    topics: Sequence[str]
    num_ret: Ints
    topic: Ints
    rank: npt.NDArray[np.int32]
    grade: npt.NDArray[np.int32]
    notes: tuple[Note, ...]


def judged_entries(run: RankedRun, qrels: Qrels, asked: Judging) -> JudgedRun:
    """The judged run of what was ranked and looked up."""
    depth, complete = asked.depth, asked.complete
    there = set(run.topics)
    missing = tuple(sorted((t for t in qrels.topics if t not in there), key=encode))
    wanted = [t for t in run.topics if t in qrels.position] + (list(missing) if complete else [])
    judged = _in_byte_order(run, qrels, sorted(wanted, key=encode))
    if complete and asked.trec_version == 9:
        # There a missing topic adds 0 to every sum, its relevant documents included.
        counted = ~np.isin(np.array(judged.topics)[judged.pool_topic], missing)
        pool = {name: getattr(judged, name)[counted] for name in ("pool_topic", "pool_grade", "pool_count")}
        judged = replace(judged, **pool)
    judged = replace(
        judged,
        judging=asked,
        notes=run.notes,
        without_judgments=tuple(t for t in run.topics if t not in qrels.position),
        missing=missing,
    )
    judged = judged if depth is None else judged.cut(depth)
    return judged.condense() if asked.judged_only else judged


def _look_up(run: Run, qrels: Qrels, *, single: bool) -> tuple[Ints, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """(topic of the run, rank, grade) of every retrieved document that is in the pool of its topic."""
    which = np.fromiter((qrels.position.get(topic, -1) for topic in run.topics), np.int32, len(run.topics))
    pool = np.where(which >= 0, np.diff(qrels.offsets)[which], 0)
    room = np.minimum(np.diff(run.offsets), pool)
    out_offsets = np.zeros(len(run.topics) + 1, np.int64)
    np.cumsum(room, out=out_offsets[1:])
    ranks = np.empty(int(out_offsets[-1]), np.int32)
    grades = np.empty(int(out_offsets[-1]), np.int32)
    counts = np.zeros(len(run.topics), np.int32)
    mine, theirs = run.documents, qrels.documents
    slots, slot_offsets = qrels.index
    parts = parts_for(len(run), JUDGE_PIECE)
    cuts = run.cuts(parts)

    def part_of(part: int) -> None:
        loops.judge(
            mine.data,
            mine.starts,
            mine.lengths,
            run.scores,
            run.offsets,
            which,
            theirs.data,
            theirs.starts,
            theirs.lengths,
            qrels.grades,
            qrels.offsets,
            slots,
            slot_offsets,
            ranks,
            grades,
            out_offsets,
            counts,
            single,
            cuts[part],
            cuts[part + 1],
        )

    try:
        together(part_of, parts)
    except IndexError:  # a topic has more documents of its pool than the pool has
        run.refuse_repeated(run.name)
        raise
    topic = np.repeat(np.arange(len(run.topics)), counts)
    places = out_offsets[topic] + ordinal(topic, len(run.topics)) - 1
    return topic, ranks[places], grades[places]


def _in_byte_order(run: RankedRun, qrels: Qrels, topics: list[str]) -> JudgedRun:
    topic, rank, grade = run.topic, run.rank, run.grade
    place = {t: i for i, t in enumerate(topics)}
    new = np.fromiter((place.get(t, -1) for t in run.topics), np.int64, len(run.topics))
    num_ret = np.zeros(len(topics), np.int64)
    num_ret[new[new >= 0]] = run.num_ret[new >= 0]
    topic = new[topic]
    if np.any(topic[1:] < topic[:-1]):
        order = np.argsort(topic, kind="stable")
        topic, rank, grade = topic[order], rank[order], grade[order]
    pool_topic, pool_grade, pool_count = pool_of(qrels, topics)
    return JudgedRun(
        name=run.name,
        topics=tuple(topics),
        num_ret=num_ret,
        topic=topic,
        rank=rank.astype(np.int64),
        grade=np.maximum(grade, UNJUDGED).astype(np.int64),
        pool_topic=pool_topic,
        pool_grade=pool_grade,
        pool_count=pool_count,
        top_grade=max(0, int(qrels.grades.max(initial=0))),
    )


def pool_of(qrels: Qrels, topics: list[str]) -> tuple[Ints, Ints, Ints]:
    """(topic, grade, documents) for the grades of 0 and above that occur in the judgments of these topics."""
    place = {topic: i for i, topic in enumerate(topics)}
    new = np.fromiter((place.get(t, -1) for t in qrels.topics), np.int64, len(qrels.topics))
    topic = np.repeat(new, np.diff(qrels.offsets))
    pooled = (qrels.grades >= 0) & (topic >= 0)
    topic, grade = topic[pooled], qrels.grades[pooled].astype(np.int64)
    span = int(grade.max(initial=0)) + 1
    key = topic * span + grade
    if len(topics) * span <= DENSE + 4 * len(key):
        counts = np.bincount(key, minlength=len(topics) * span)
        key = np.flatnonzero(counts)
        count = counts[key]
    else:
        key, count = np.unique(key, return_counts=True)
    return key // span, key % span, count
