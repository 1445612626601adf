"""The C/W/L framework: a reader goes down a ranking, and what he gains and spends is expected over where he stops.

A user model says how likely he is to go on from each rank to the next (C). From that follow the share of his attention
that each rank has (W, the weights) and how likely each rank is the last (L):

    W(1) = 1 / Σ_i Π_{j<i} C(j), W(i + 1) = W(i) C(i), L(i) = (1 − C(i)) Π_{j<i} C(j)

As in cwl_eval rankings are looked at as far as a fixed depth, and ranks without a judged document gain nothing.

Papers: Moffat, Thomas & Scholer, Users versus models (CIKM 2013); Azzopardi, Thomas & Moffat, cwl_eval: an evaluation
tool for information retrieval (SIGIR 2019).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ..core.errors import DataError, SpecError
from ..core.judged import Floats, Ints, JudgedRun
from ..core.measure import RankedMeasure
from ..core.spec import is_count, is_number, require

FIGURES = ("eu", "etu", "ec", "etc", "ed")
CELLS = 4_000_000
"""Ranks of so many topics are looked at together that an array has about so many cells."""

Pairs = tuple[str, ...]


@dataclass(frozen=True)
class UserModel(RankedMeasure):
    """A user model of the C/W/L framework, and one of the figures that follow from it.

    ``figure``: eu (expected utility per document, the default), etu (expected total utility), ec (expected cost per
    document), etc (expected total cost), ed (expected number of documents). ``residual``: how much higher the figure
    would be if documents that nobody judged, and the ranks behind the list, had full gain at the least cost (false).

    Gains lie between 0 and 1. ``rel``: 1 for grades from rel on, 0 below. ``gains``: pairs such as [1:0.5, 2:1], one
    for every grade above 0. Without these a gain is (grade − ``min_rel``) / (``max_rel`` − ``min_rel``), from 0 to 1;
    min_rel is 0 and max_rel the highest grade in the judgments. ``costs``: pairs such as [0:2, 1:5], one for every
    grade; documents without a judgment, and all without pairs, cost ``max_cost`` (1), for the residual ``min_cost``
    (1). ``depth``: how many ranks are looked at (1000).
    """

    group: ClassVar[str] = "user models"
    bounded: ClassVar[bool] = True
    """Whether no judgment of unjudged documents leads out of the band from the figure to figure + residual."""

    figure: str = field(default="eu", kw_only=True)
    residual: bool = field(default=False, kw_only=True)
    rel: int | None = field(default=None, kw_only=True)
    gains: Pairs = field(default=(), kw_only=True)
    min_rel: int = field(default=0, kw_only=True)
    max_rel: int | None = field(default=None, kw_only=True)
    costs: Pairs = field(default=(), kw_only=True)
    min_cost: float = field(default=1.0, kw_only=True)
    max_cost: float = field(default=1.0, kw_only=True)
    depth: int = field(default=1000, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "figure", self.figure in FIGURES, f"be one of {', '.join(FIGURES)}")
        require(self, "residual", isinstance(self.residual, bool), "be true or false")
        require(self, "depth", is_count(self.depth) and self.depth <= CELLS, "be a number of ranks, 1 or more")
        require(self, "min_rel", isinstance(self.min_rel, int) and self.min_rel >= 0, "be a grade, 0 or more")
        if self.max_rel is not None:
            above = isinstance(self.max_rel, int) and self.max_rel > self.min_rel
            require(self, "max_rel", above, f"be a grade above min_rel, which is {self.min_rel}")
        for name in ("min_cost", "max_cost"):
            require(self, name, is_number(getattr(self, name)) and getattr(self, name) > 0, "be above 0")
        for name, high in (("gains", 1.0), ("costs", math.inf)):
            pairs = self._pairs(name)
            fine = all(0 <= value <= high for value in pairs.values())
            require(self, name, fine, "have values between 0 and 1" if high == 1.0 else "have values from 0 on")
        if self.residual or self.figure not in {"eu", "etu"}:
            object.__setattr__(self, "better", "")

    def _pairs(self, name: str) -> dict[int, float]:
        """{grade: value} of the pairs of a parameter."""
        given = getattr(self, name)
        words = given if isinstance(given, tuple) else (given,)
        try:
            found = {int(str(word).partition(":")[0]): float(str(word).partition(":")[2]) for word in words}
        except ValueError:
            found = {-1: math.nan}
        if not all(math.isfinite(value) and grade >= 0 for grade, value in found.items()):
            raise SpecError(f"{self.name}: {name} must be pairs such as [1:0.5, 2:1], not {given}")
        return found

    @abstractmethod
    def continuation(self, gain: Floats, cost: Floats) -> Floats:
        """C, topics × ranks, of rankings with these gains and costs."""

    def weights(self, go_on: Floats, cost: Floats) -> Floats:
        """W, which follows from C."""
        del cost
        reached = np.cumprod(np.hstack([np.ones((len(go_on), 1)), go_on[:, :-1]]), axis=1)
        return np.asarray(reached / reached.sum(axis=1, keepdims=True))

    def values(self, judged: JudgedRun) -> Floats:
        gains, costs = self._gain_of_grades(judged), self._cost_of_grades(judged)
        found = np.empty(len(judged.topics))
        step = max(1, CELLS // self.depth)
        for first in range(0, len(found), step):
            here = slice(first, min(first + step, len(found)))
            found[here] = self._expect(judged, here, gains, costs, (0.0, self.max_cost))
            if self.residual:
                found[here] = self._expect(judged, here, gains, costs, (1.0, self.min_cost)) - found[here]
        return found

    def _gain_of_grades(self, judged: JudgedRun) -> Floats:
        """The gain of every grade from 0 to the highest."""
        if self.gains:
            return self._given(judged, "gains", lowest=1)
        grades = _grades(judged)
        if self.rel is not None:
            return (grades >= self.rel).astype(float)
        top = max(1, judged.top_grade, self.min_rel + 1) if self.max_rel is None else self.max_rel
        return np.asarray((np.clip(grades, self.min_rel, top) - self.min_rel) / (top - self.min_rel))

    def _cost_of_grades(self, judged: JudgedRun) -> Floats | None:
        """The cost of every grade from 0 to the highest; None if all documents cost the same."""
        return self._given(judged, "costs", lowest=0) if self.costs else None

    def _given(self, judged: JudgedRun, name: str, lowest: int) -> Floats:
        """What pairs say of every grade; an error if judgments have a grade without a pair."""
        pairs = self._pairs(name)
        for grade in np.unique(judged.pool_grade).tolist():
            if grade not in pairs and grade >= lowest:
                written = ", ".join(f"{g}:{v:g}" for g, v in pairs.items())
                what = f"{self.name}: no {name[:-1]} for grade {grade}, which judgments have"
                raise DataError(f"{what}: write {name}=[{written}, {grade}:…]")
        return np.array([pairs.get(grade, 0.0) for grade in _grades(judged).tolist()])

    def _expect(
        self,
        judged: JudgedRun,
        here: slice,
        gains: Floats,
        costs: Floats | None,
        unjudged: tuple[float, float],
    ) -> Floats:
        """The figure of some topics, where documents without a judgment have this gain and cost."""
        first, last = np.searchsorted(judged.topic, [here.start, here.stop])
        rows: Ints = np.arange(first, last)
        rows = rows[(judged.grade[rows] >= 0) & (judged.rank[rows] <= self.depth)]
        place = judged.topic[rows] - here.start, judged.rank[rows] - 1
        gain = np.full((here.stop - here.start, self.depth), unjudged[0])
        cost = np.full(gain.shape, float(unjudged[1]))
        gain[place] = gains[judged.grade[rows]]
        if costs is not None:
            cost[place] = costs[judged.grade[rows]]
        go_on = self.continuation(gain, cost)
        if self.figure in {"eu", "ec", "ed"}:
            weights = self.weights(go_on, cost)
            if self.figure == "ed":
                return np.asarray(1.0 / weights[:, 0])
            return np.asarray(np.einsum("tr,tr->t", weights, gain if self.figure == "eu" else cost))
        reached = np.cumprod(np.hstack([np.ones((len(go_on), 1)), go_on[:, :-1]]), axis=1)
        stops = reached * (1.0 - go_on)
        return np.asarray(np.einsum("tr,tr->t", stops, np.cumsum(gain if self.figure == "etu" else cost, axis=1)))


def _grades(judged: JudgedRun) -> Ints:
    return np.arange(int(judged.pool_grade.max(initial=0)) + 1)


def continuation_of(weights: Floats) -> Floats:
    """C from W: each weight as a share of the one before it."""
    go_on = np.zeros_like(weights)
    np.divide(weights[:, 1:], weights[:, :-1], out=go_on[:, :-1], where=weights[:, :-1] > 0)
    return go_on


def by_rank(chance: Callable[[Floats], Floats], shape: tuple[int, ...]) -> Floats:
    """The same C for every topic: a function of the rank."""
    return np.broadcast_to(chance(np.arange(1.0, shape[1] + 1)), shape)


def until(go_on: Floats, k: int) -> Floats:
    """C with a certain end at rank k."""
    cut = np.array(go_on)
    cut[:, k - 1 :] = 0.0
    return cut
