"""Generalised operating characteristics of known-item search, and which system dominates which.

All lists are read in parallel, a document of each in a round. A reader stops when the item is found or the list ends.
The curve shows F, the items found, against the round r or against the work w(r) = Σ_i min(r, e_i), where e_i is the
rank of the item or, if it is not there, the length of the list. With ``prior`` a find in round r is shown at w(r − 1),
the work of the rounds before it, as the paper's wording may be read.

F(x) = #{k : x_k ≤ x}, where x_k is the effort at which the k-th item is found. So A dominates B, F_A ≥ F_B everywhere
and > somewhere, if and only if A finds its k-th item no later for every k, and earlier for some.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from ...core.errors import SpecError
from ...core.judged import Ints
from .ranks import KnownItem

Axis = Literal["work", "rank"]
Effort = Literal["inclusive", "prior"]
Relation = Literal[">", "<", "×", "="]
AXES: tuple[Axis, ...] = get_args(Axis)

TURNED: dict[Relation, Relation] = {">": "<", "<": ">", "×": "×", "=": "="}


@dataclass(frozen=True, eq=False, repr=False)
class Course:
    """The parallel reading of one system's lists, for any number of copies of each question.

    Questions are put in the order in which their readers stop, once; to see another sample of them only the copies
    change, so thousands of samples are a few sums over columns.
    """

    order: Ints
    stop: Ints
    """The round in which each reader stops, in that order."""
    hit: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, item: KnownItem, system: int) -> Course:
        order = np.argsort(item.efforts[system], kind="stable")
        return cls(order, item.efforts[system][order], item.hits[system][order])

    @cached_property
    def before(self) -> Ints:
        """Number of places of the order in earlier rounds."""
        return np.searchsorted(self.stop, self.stop, "left")

    @cached_property
    def places(self) -> Ints:
        """Places of the finds, by rank, then those of the misses."""
        return np.concatenate([np.flatnonzero(self.hit), np.flatnonzero(~self.hit)])

    def work(self, copies: npt.NDArray[np.integer[Any]], effort: Effort) -> Ints:
        """samples × places: the documents read up to the round in which each reader stops, or before it."""
        own = copies[:, self.order].astype(np.int64)
        total = own.sum(axis=1, keepdims=True)
        stopped = np.cumsum(own, axis=1)
        work: Ints = np.cumsum(own * self.stop, axis=1) + self.stop * (total - stopped)
        if effort == "inclusive":
            return work
        earlier: Ints = np.concatenate([np.zeros_like(total), stopped], axis=1)[:, self.before]
        work -= total - earlier
        return work

    def finds(self, copies: npt.NDArray[np.integer[Any]], axis: Axis, effort: Effort) -> Ints:
        """samples × k: the effort at which the k-th item is found, NEVER for those that are not."""
        hits = np.flatnonzero(self.hit)
        values = np.full(copies.shape, NEVER)
        values[:, : len(hits)] = self.stop[hits] if axis == "rank" else self.work(copies, effort)[:, hits]
        times = copies[:, self.order[self.places]]
        return np.repeat(values.ravel(), times.ravel()).reshape(len(copies), -1)


NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class Curve:
    """The points of one system's operating characteristic: rounds with at least one find, work and items found then.

    A step function: 0 before the first point, constant after the last one. Reading goes on to the end.
    """

    system: str
    rounds: Ints
    work: Ints
    found: Ints
    end: tuple[int, int]
    """Round and work when the last reader has stopped."""

    def at(self, x: npt.ArrayLike, axis: Axis = "work") -> Ints:
        """Items found by x."""
        places = np.searchsorted(self.work if axis == "work" else self.rounds, np.asarray(x), "right")
        return np.concatenate([[0], self.found])[places]


@dataclass(frozen=True)
class Change:
    """The lead passes from one system to another at an effort."""

    at: int
    before: str
    after: str


@dataclass(frozen=True)
class Dominance:
    """Position of the curves of two systems: the first above (>), below (<), across (×) or upon (=) the second."""

    first: str
    second: str
    relation: Relation
    finds: tuple[Ints, Ints] = field(repr=False, compare=False)
    """When each finds its k-th item."""

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """Places where curves cross."""
        return _changes(self.first, self.second, *self.finds) if self.relation == "×" else ()


def curves(item: KnownItem, effort: Effort = "inclusive") -> tuple[Curve, ...]:
    """The operating characteristic of every system."""
    require_axis(effort=effort)
    once = np.ones((1, len(item.questions)), np.int64)
    steps = []
    for s, system in enumerate(item.systems):
        course = Course.of(item, s)
        hits = np.flatnonzero(course.hit)
        rounds, first, jumps = np.unique(course.stop[hits], return_index=True, return_counts=True)
        work = course.work(once, effort)[0, hits][first]
        steps.append(Curve(system, rounds, work, np.cumsum(jumps), (int(course.stop[-1]), int(item.work[s]))))
    return tuple(steps)


def finds(item: KnownItem, axis: Axis = "work", effort: Effort = "inclusive") -> Ints:
    """systems × k: the effort at which each finds its k-th item, NEVER for those it does not find."""
    require_axis(axis, effort)
    once = np.ones((1, len(item.questions)), np.int64)
    return np.concatenate([Course.of(item, s).finds(once, axis, effort) for s in range(len(item.systems))])


def dominance(item: KnownItem, axis: Axis = "work", effort: Effort = "inclusive") -> tuple[Dominance, ...]:
    """Every pair of systems, on one axis."""
    efforts = finds(item, axis, effort)
    relations = []
    for a, first in enumerate(item.systems):
        later = efforts[a + 1 :]
        ahead, behind = (efforts[a] < later).any(axis=1), (efforts[a] > later).any(axis=1)
        for b, second in enumerate(item.systems[a + 1 :], a + 1):
            wins, loses = bool(ahead[b - a - 1]), bool(behind[b - a - 1])
            relation: Relation = "×" if wins and loses else ">" if wins else "<" if loses else "="
            relations.append(Dominance(first, second, relation, (efforts[a], efforts[b])))
    return tuple(relations)


def _changes(first: str, second: str, a: Ints, b: Ints) -> tuple[Change, ...]:
    places = np.unique(np.concatenate([a, b]))
    places = places[places < NEVER]
    leads = np.sign(np.searchsorted(a, places, "right") - np.searchsorted(b, places, "right"))
    places, leads = places[leads != 0], leads[leads != 0]
    turns = np.flatnonzero(leads[1:] != leads[:-1]) + 1
    return tuple(
        Change(int(places[t]), *((second, first) if leads[t] > 0 else (first, second))) for t in turns.tolist()
    )


def require_axis(axis: str = "work", effort: str = "inclusive") -> None:
    """An error for an axis or a reading of effort that there is not."""
    for what, word, known in (("axis", axis, AXES), ("effort", effort, get_args(Effort))):
        if word not in known:
            raise SpecError(f"{what} must be {' or '.join(known)}, not {word!r}")
