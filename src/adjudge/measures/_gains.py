"""Gains, discounts and ideal rankings, shared by ndcg, dcg, rndcg, ndcg_rel, g, rbp and err."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from ..core.errors import DataError, SpecError
from ..core.judged import Floats, Ints, JudgedRun, ordinal
from ..core.measure import RankedMeasure

if TYPE_CHECKING:
    import numpy.typing as npt

TABLE = 1 << 16
HIGHEST = 1000
"""Grade whose exponential gain is still a number."""
WIDEST = 50_000_000
"""Cells of the largest square array that running() makes."""


@cache
def _logarithms(size: int) -> Floats:
    """log2(0), log2(1), … by the C library: numpy's own is faster but differs in the last bit on some processors."""
    return np.array([-math.inf, *map(math.log2, range(1, size))])


def log2_of(numbers: npt.NDArray[np.number]) -> Floats:
    """log2 of numbers above 0, as the C library has it."""
    whole = numbers.astype(np.int64)
    largest = int(whole.max(initial=1))
    if largest >= TABLE or int(whole.min(initial=1)) < 0 or not np.array_equal(whole, numbers):
        return np.fromiter(map(math.log2, numbers.tolist()), float, len(numbers))
    return _logarithms(1 << (largest + 1).bit_length())[whole]


def running(topic: Ints, values: Floats, topics: int, accumulate: Callable[..., Floats] | None = None) -> Floats:
    """Running sums (or products) within each topic, each added up from its own beginning; topics come in blocks."""
    accumulate = accumulate or np.add.accumulate
    counts = np.bincount(topic, minlength=topics)
    width = int(counts.max(initial=0))
    if topics * width > WIDEST:
        ends = np.cumsum(counts)
        parts = [accumulate(values[end - count : end]) for end, count in zip(ends, counts, strict=True) if count]
        return np.concatenate(parts) if parts else values
    square = np.zeros((topics, width))
    column = ordinal(topic, topics) - 1
    square[topic, column] = values
    return accumulate(square, axis=1)[topic, column]


def grade_itself(grades: npt.NDArray[np.int64]) -> Floats:
    return grades.astype(float)


def exponential(grades: npt.NDArray[np.int64]) -> Floats:
    if grades.max(initial=0) > HIGHEST:
        raise DataError(f"exponential gains are for grades up to {HIGHEST}, not {int(grades.max())}")
    return np.exp2(grades) - 1.0


KINDS: dict[str, Callable[[npt.NDArray[np.int64]], Floats]] = {"grade": grade_itself, "exp": exponential}


@dataclass(frozen=True)
class Gained(RankedMeasure):
    """A measure that turns grades into gains.

    ``gains``: ``grade`` (the grade itself), ``exp`` (2^grade − 1), or pairs such as [1:3, 2:9], the gain of each grade;
    grades without a pair keep themselves. ``rel``: grades below it gain nothing.
    """

    positional: ClassVar[str] = "gains"

    rel: int | None = field(default=None, kw_only=True)

    def _pairs(self) -> dict[int, float]:
        given = getattr(self, "gains", "grade")
        words = given if isinstance(given, tuple) else (given,)
        pairs: dict[int, float] = {}
        for word in words:
            grade, colon, gain = str(word).partition(":")
            try:
                pairs[int(grade)] = float(gain)
            except ValueError:
                colon = ""
            if not colon or not math.isfinite(pairs[int(grade)]):
                raise SpecError(f"{self.name}: gains must be grade, exp or pairs such as [1:3, 2:9], not {given}")
        return pairs

    def __post_init__(self) -> None:
        super().__post_init__()
        if getattr(self, "gains", "grade") not in KINDS:
            self._pairs()

    def gain(self, grades: Ints) -> Floats:
        """The gain of each grade; documents without a grade gain nothing."""
        kind = getattr(self, "gains", "grade")
        if kind in KINDS:
            gained = KINDS[kind](np.maximum(grades, 0))
        else:
            gained = grade_itself(grades)
            for grade, gain in self._pairs().items():
                gained[grades == grade] = gain
        return np.where(grades < max(0, self.rel or 0), 0.0, gained)


class Ideal(NamedTuple):
    """The ideal ranking of each topic: all positive gains, largest first, flat with topics in blocks."""

    topic: Ints
    rank: Ints
    gain: Floats


def ideal(measure: Gained, judged: JudgedRun) -> Ideal:
    return ideal_of(judged, measure.gain(judged.pool_grade))


def ideal_of(judged: JudgedRun, gains: Floats) -> Ideal:
    """The ideal ranking when the grades of the pool have these gains."""
    order = np.lexsort((-gains, judged.pool_topic))
    order = order[gains[order] > 0]
    counts, topics = judged.pool_count[order], len(judged.topics)
    topic, gain = np.repeat(judged.pool_topic[order], counts), np.repeat(gains[order], counts)
    return Ideal(topic, ordinal(topic, topics), gain)
