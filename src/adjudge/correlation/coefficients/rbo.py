"""Rank-biased overlap."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ...core.judged import Floats
from ...core.spec import is_number, require
from ..coefficient import Coefficient
from ..rankings import RankingPair, Side, dominated

TIES = ("w", "a", "b")


@dataclass(frozen=True)
class Rbo(Coefficient):
    """Rank-biased overlap: the overlap of two rankings at each depth, weighted geometrically, extrapolated.

    Formula: (1−p)/p Σ_{d≥1} A_d p^d, A_d the agreement at depth d; below the ends of the lists the agreement seen so
    far is carried on (RBO_EXT). An item counts at depth d with c = 1 if its whole group is there, with the share of its
    group that fits if the depth cuts the group. A_d = Σ c_X c_Y / d (a), or over √(Σ c_X² Σ c_Y²) (b); w lets a whole
    group in as soon as it begins: 2 Σ c_X c_Y / (Σ c_X + Σ c_Y).

    Parameters: ``p`` persistence, between 0 and 1. ``ties`` a: the mean over all ways to break them; b: agreement, a
    ranking with itself gives 1; w: tied items really are at the same rank.

    No value: an empty ranking gives NaN. Rankings by id may hold different items and be of different lengths.

    Paper: Webber, Moffat & Zobel (2010); ties after Corsi & Urbano, The treatment of ties in rank-biased overlap
    (2024).

    Example: a b c and a c b with p = 0.5: A = 1, 1/2, 1, then 1 carried on: 0.5 + 0.25/2 + 0.125 + 0.125 = 0.875.
    """

    name: ClassVar[str] = "rbo"
    aliases: ClassVar[tuple[str, ...]] = ("rank_biased_overlap",)
    positional: ClassVar[str] = "p"
    different_items: ClassVar[bool] = True
    least: ClassVar[float] = 0.0

    p: float = 0.9
    ties: str = "a"

    def __post_init__(self) -> None:
        require(self, "p", is_number(self.p) and 0 < self.p < 1, "lie between 0 and 1")
        require(self, "ties", self.ties in TIES, "be a, b or w")

    def __call__(self, pair: RankingPair) -> float:
        return float(self.of(pair)) if len(pair.x) and len(pair.y) else math.nan

    def of(self, pair: RankingPair) -> float:
        self.need_groups(pair.x)
        self.need_groups(pair.y)
        every = np.arange(len(pair.x), dtype=np.int32)
        short, long = pair.shared or (every, every)
        shorter, longer = pair.x, pair.y
        if len(shorter) > len(longer):
            shorter, longer, short, long = longer, shorter, long, short
        s, length = len(shorter), len(longer)
        depth = np.arange(1, length + 1)
        first, second = _Depths.of(shorter, depth, self.ties), _Depths.of(longer, depth, self.ties)
        shared = _overlap(shorter, longer, short, long, first, second)
        seen = shared / self._norm(first, second, depth, s)
        carried = float(seen[s - 1])
        unseen = np.ones(length, bool)
        unseen[long] = False
        hidden = np.bincount(longer.above[unseen], minlength=length + 1)
        whole = np.concatenate([[0], np.cumsum(hidden)])[second.top]
        cut = hidden[second.top]
        with np.errstate(invalid="ignore"):
            share = (whole + cut * second.share) / (whole + cut)
        extra = np.where(depth > s, (depth - s) * carried * share, 0.0)
        agreement = np.where(depth > s, (shared + extra) / self._norm(first, second, depth, s), seen)
        weights = self.p**depth
        tail = (shared[-1] + (length - s) * carried) / length * self.p ** (length + 1) / (1 - self.p)
        return float((1 - self.p) / self.p * ((agreement * weights).sum() + tail))

    def _norm(self, first: _Depths, second: _Depths, depth: npt.NDArray[Any], s: int) -> Floats:
        """Denominator of the overlap at each depth; the shorter list is taken to go on without ties."""
        if self.ties == "a":
            return depth.astype(float)
        first_size = np.where(depth > s, depth, first.top + first.size * (1.0 if self.ties == "w" else first.share**2))
        second_size = second.top + second.size * (1.0 if self.ties == "w" else second.share**2)
        return np.asarray((first_size + second_size) / 2 if self.ties == "w" else np.sqrt(first_size * second_size))


@dataclass(frozen=True, eq=False)
class _Depths:
    """For each depth: how many items are above the group that it cuts, the size of that group, and its share."""

    top: npt.NDArray[np.int64]
    size: npt.NDArray[np.int64]
    share: Floats

    @classmethod
    def of(cls, side: Side, depth: npt.NDArray[np.int64], ties: str) -> _Depths:
        inside = depth[: len(side)]
        at = side.order[inside - 1]
        top = np.full(len(depth), len(side), np.int64)
        size = np.zeros(len(depth), np.int64)
        top[: len(side)], size[: len(side)] = side.above[at], side.size[at]
        share = np.ones(len(depth))
        if ties != "w":
            share[: len(side)] = (inside - top[: len(side)]) / size[: len(side)]
        return cls(top, size, share)


def _overlap(
    shorter: Side, longer: Side, short: npt.NDArray[Any], long: npt.NDArray[Any], first: _Depths, second: _Depths
) -> Floats:
    """Σ c_X c_Y at each depth, from counts of shared items above, in and across the two groups that it cuts."""
    order = np.argsort(shorter.place[short], kind="stable")
    places = longer.place[long[order]]
    ends = np.sort(shorter.place[short])
    room = len(longer)

    def count(top: npt.NDArray[np.int64], bound: npt.NDArray[np.int64]) -> Floats:
        return dominated(places, np.searchsorted(ends, top), bound, room).astype(float)

    bottoms = first.top + first.size, second.top + second.size
    above, left = count(first.top, second.top), count(bottoms[0], second.top)
    right, both = count(first.top, bottoms[1]), count(bottoms[0], bottoms[1])
    a, b = first.share, second.share
    return np.asarray(above + a * (left - above) + b * (right - above) + a * b * (both - left - right + above))
