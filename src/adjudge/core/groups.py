"""Judgment groups: several assessors judged the same topic.

With preferences, a group says which documents it would rather have (:class:`Group`). With qrels, each group has
judgments of its own (:class:`JudgmentGroups`), and a measure is averaged over the groups of a topic before it is
averaged over topics: map_avgjg, P_avgjg and Rprec_mult_avgjg of trec_eval are ap, p@k and rprec so averaged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from .errors import ConflictError, SpecError
from .judged import Floats, Ints, JudgedRun, judge, ratio
from .judging import USUAL, Judging
from .measure import Measure, TextMeasure
from .qrels import Qrels
from .run import Run
from .strings import decode, encode

if TYPE_CHECKING:
    import numpy.typing as npt

Matrix: TypeAlias = "npt.NDArray[np.bool_]"


@dataclass(frozen=True, eq=False)
class Group:
    """What one judgment group says of the documents of a topic."""

    name: str
    documents: Ints
    """Which documents of the topic it judged, as places in the byte order of their ids."""
    levels: Floats
    """The highest level it gave each; 0 and below is nonrelevant."""
    relation: Matrix | None
    """[i, j]: document i is preferred to j. None for a single sub-group, where the levels say it."""

    @property
    def single(self) -> bool:
        return self.relation is None

    def reorder(self, order: Ints) -> Matrix:
        """The same with the documents in another order."""
        if self.relation is not None:
            return self.relation[np.ix_(order, order)]
        levels = self.levels[order]
        return np.asarray(levels[:, None] > levels[None, :])

    @classmethod
    def of_subgroups(cls, name: str, parts: Mapping[str, tuple[Ints, Floats]], ids: Sequence[bytes]) -> Group:
        """One group out of its sub-groups, each (documents, levels)."""
        documents = np.unique(np.concatenate([codes for codes, _ in parts.values()]))
        highest, zero = np.full(len(documents), -np.inf), np.zeros(len(documents), bool)
        relation = np.zeros((len(documents),) * 2, bool) if len(parts) > 1 else None
        for sub, (codes, levels) in parts.items():
            place = np.searchsorted(documents, codes)
            given = np.empty(len(documents))
            given[place] = levels
            for row in np.flatnonzero(given[place] != levels)[:1]:
                two = f"{levels[row]:g} and {given[place[row]]:g}"
                raise ConflictError(f"document {decode(ids[codes[row]])} has levels {two} in sub-group {sub}")
            place = np.unique(place)
            highest[place] = np.maximum(highest[place], given[place])
            zero[place] |= given[place] == 0
            if relation is not None:
                relation[np.ix_(place, place)] |= given[place][:, None] > given[place][None, :]
        for i in np.flatnonzero(zero & (highest > 0))[:1]:
            document = decode(ids[documents[i]])
            raise ConflictError(f"document {document} has level 0 in one sub-group, {highest[i]:g} in another")
        if relation is not None:
            relation = transitive_closure(relation)
            for i, j in np.argwhere(np.triu(relation & relation.T, 1))[:1]:
                a, b = decode(ids[documents[i]]), decode(ids[documents[j]])
                raise ConflictError(f"document {a} is preferred to {b}, and {b} to {a}")
        return cls(name, documents, highest, relation)


def transitive_closure(relation: Matrix) -> Matrix:
    """Everything that follows: squared until nothing new comes, so log₂ n products of matrices at most."""
    while True:
        steps = relation.astype(np.float32)
        wider = relation | (steps @ steps > 0)
        if np.array_equal(wider, relation):
            return relation
        relation = wider


@dataclass(frozen=True, eq=False)
class JudgmentGroups(Mapping[str, Qrels]):
    """The judgments of each group, by its name; names in byte order."""

    groups: Mapping[str, Qrels]

    def __post_init__(self) -> None:
        ordered = {name: self.groups[name] for name in sorted(self.groups, key=encode)}
        object.__setattr__(self, "groups", ordered)

    def __getitem__(self, name: str) -> Qrels:
        return self.groups[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.groups)

    def __len__(self) -> int:
        return len(self.groups)


def judge_groups(run: Run, groups: Mapping[str, Qrels], judging: Judging = USUAL) -> tuple[JudgedRun, ...]:
    """The run judged by each group."""
    return tuple(judge(run, qrels, judging) for qrels in JudgmentGroups(groups).values())


def average_judged(judged: Sequence[JudgedRun], measure: Measure) -> tuple[tuple[str, ...], Floats]:
    """A measure averaged over judgments of the same run: topics in byte order, and one value each.

    A topic is averaged over the groups that judged it.

    >>> average_judged(judge_groups(run, groups), AP())  # doctest: +SKIP
    (('301', '302'), array([0.25, 0.5]))
    """
    if measure.judged_by != "qrels" or isinstance(measure, TextMeasure):
        raise SpecError(f"{measure} cannot be averaged over judgment groups: it is not a number that qrels give")
    topics = tuple(sorted({topic for run in judged for topic in run.topics}, key=encode))
    place = {topic: i for i, topic in enumerate(topics)}
    total, groups = np.zeros(len(topics)), np.zeros(len(topics))
    for run in judged:
        rows = np.fromiter((place[topic] for topic in run.topics), np.int64, len(run.topics))
        total[rows] += measure(run)
        groups[rows] += 1
    return topics, ratio(total, groups)


def average_over_groups(
    run: Run, groups: Mapping[str, Qrels], measure: Measure, judging: Judging = USUAL
) -> tuple[tuple[str, ...], Floats]:
    """A measure of a run, averaged over the judgment groups of each topic: :func:`average_judged` in one step."""
    return average_judged(judge_groups(run, groups, judging), measure)
