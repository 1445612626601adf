"""Bootstrap over questions: how much of a known-item comparison rests on the questions that happened to be asked.

Questions are drawn with replacement, the same ones for all systems, and everything is computed again. A share of the
samples, such as those in which A dominates B, is a bootstrap probability: how often the finding came back when the
questions were shaken. It is not a p-value, and it says nothing of questions of another kind.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ...core.errors import SpecError
from ...core.judged import Floats, Ints
from ...core.progress import SILENT, Listener
from .characteristic import AXES, Axis, Course, Effort, require_axis
from .ranks import KnownItem

BLOCK = 1 << 22
"""Numbers that are compared at a time: some tens of megabytes."""

DRAWN = 1000
"""Samples drawn and summed at a time. Another number would change no draw, but the last digit of a sum perhaps."""

MOST = 250_000_000
"""Samples × questions: they are all kept until the end."""

MOST_COMPARED = 50_000_000_000
"""Pairs of systems × samples × questions: about ten minutes."""

Copies = npt.NDArray[np.unsignedinteger[Any]]
Numbers = TypeVar("Numbers", Ints, Floats)


@dataclass(frozen=True, eq=False, repr=False)
class Bootstrap:
    """Intervals, bands of the curves, and how often one system beats another, over samples of the questions."""

    samples: int
    confidence: float
    effort: Effort
    mrr: Floats
    """systems × 2: the interval of the mean reciprocal rank."""
    found: Ints
    work: Ints
    dominates: Mapping[Axis, Floats]
    """systems × systems: the share of samples in which the row dominates the column."""
    same: Mapping[Axis, Floats]
    """The share in which both curves are the same."""
    worth: Mapping[float, Floats]
    """For each v/c asked for: the share in which the row is worth more than the column."""
    bands: Mapping[Axis, Ints]
    """systems × 2 × k: when the k-th item is found, early and late; NEVER if it may not be found."""

    def crosses(self, axis: Axis) -> Floats:
        """The share of samples in which the curves of row and column cross."""
        above = self.dominates[axis]
        return np.clip(1 - above - above.T - self.same[axis], 0, 1)

    def band(self, system: int, x: npt.ArrayLike, axis: Axis = "work") -> tuple[Ints, Ints]:
        """The pointwise interval of the number of items found by x, for any x.

        At least k are found by x in a sample if and only if its k-th item is found by x, so the quantiles of F(x) are
        read off the quantiles of when the k-th item is found, and no grid of x is needed.
        """
        early, late = self.bands[axis][system]
        places = np.asarray(x)
        return np.searchsorted(late, places, "right"), np.searchsorted(early, places, "right")


def bootstrap(
    item: KnownItem,
    rng: np.random.Generator,
    *,
    samples: int = 1000,
    confidence: float = 0.95,
    ratios: Sequence[float] = (),
    effort: Effort = "inclusive",
    progress: Listener = SILENT,
) -> Bootstrap:
    """Draw questions with replacement and compare all systems on each sample.

    ``ratios`` are the v/c for which values are compared. Intervals are percentile intervals: of n samples the
    (n + 1)·α/2-th from either end, where 1 − α is the ``confidence``.
    """
    require_axis(effort=effort)
    questions, count = len(item.questions), len(item.systems)
    tail = _tail(samples, confidence)
    if samples * questions > MOST:
        raise SpecError(f"{samples:,} samples of {questions:,} questions are too many: at most {MOST:,} together")
    if count * (count - 1) // 2 * samples * questions > MOST_COMPARED:
        raise SpecError(
            f"{samples:,} samples of {questions:,} questions for all pairs of {count:,} systems are too many: "
            "draw fewer, or none (samples 0), or compare fewer systems"
        )
    for ratio in ratios:
        if not (math.isfinite(ratio) and ratio >= 0):
            raise SpecError(f"v/c must be a number of at least 0, not {ratio}")
    copies = _draw(rng, samples, questions)
    items, work, mrr = _figures(item, copies)
    worth = {
        float(x): np.array(
            [(x * (items[:, a, None] - items) > work[:, a, None] - work).mean(axis=0) for a in range(count)]
        )
        for x in ratios
    }
    courses = [Course.of(item, system) for system in range(count)]
    bands = {axis: np.empty((count, 2, questions), np.int64) for axis in AXES}
    with progress.work("bands", total=count, unit="systems") as step:
        for s, course in enumerate(courses):
            for axis in AXES:
                bands[axis][s] = _ends(_finds(course, copies, axis, effort), tail)
            step.advance()
    above = {axis: np.zeros((count, count), np.int64) for axis in AXES}
    same = {axis: np.zeros((count, count), np.int64) for axis in AXES}
    size = _block(item)
    with progress.work("resample", total=samples, unit="samples") as step:
        for start in range(0, samples, size):
            for axis in AXES:
                now = np.array([course.finds(copies[start : start + size], axis, effort) for course in courses])
                _compare(now, above[axis], same[axis])
            step.reach(min(start + size, samples))
    return Bootstrap(
        samples=samples,
        confidence=confidence,
        effort=effort,
        mrr=_ends(mrr, tail).T,
        found=_ends(items, tail).T,
        work=_ends(work, tail).T,
        dominates={axis: above[axis] / samples for axis in AXES},
        same={axis: same[axis] / samples for axis in AXES},
        worth=worth,
        bands=bands,
    )


def _block(item: KnownItem) -> int:
    return max(1, BLOCK // item.ranks.size)


def _tail(samples: int, confidence: float) -> int:
    """Number of samples outside the interval at either end, the end itself included."""
    if not 0 < confidence < 1:
        raise SpecError(f"confidence must lie between 0 and 1, not {confidence}")
    half = (1 - confidence) / 2
    tail = math.floor((samples + 1) * half + 1e-9)  # 40 × 0.025 is 1, whatever rounding makes of 1 − 0.95
    if tail < 1:
        raise SpecError(
            f"intervals of {confidence:.4g} need at least {math.ceil(1 / half - 1e-9) - 1} samples, not {samples}"
        )
    return tail


def _draw(rng: np.random.Generator, samples: int, questions: int) -> Copies:
    """samples × questions: how often each question is in each sample."""
    copies = np.empty((samples, questions), np.uint16 if questions < 2**16 else np.uint32)
    for start in range(0, samples, DRAWN):
        rows = min(DRAWN, samples - start)
        drawn = rng.integers(0, questions, size=(rows, questions)) + np.arange(rows)[:, None] * questions
        copies[start : start + rows] = np.bincount(drawn.ravel(), minlength=rows * questions).reshape(rows, questions)
    return copies


def _figures(item: KnownItem, copies: Copies) -> tuple[Ints, Ints, Floats]:
    """samples × systems: found, work and mean reciprocal rank. Whole numbers below 2**53 are exact in the products."""
    columns = np.concatenate([item.hits, item.efforts, item.reciprocal_ranks]).T.astype(float)
    sums = np.concatenate([copies[start : start + DRAWN] @ columns for start in range(0, len(copies), DRAWN)])
    items, work, reciprocal = np.split(sums, 3, axis=1)
    return items.astype(np.int64), work.astype(np.int64), reciprocal / len(item.questions)


def _finds(course: Course, copies: Copies, axis: Axis, effort: Effort) -> Ints:
    """samples × k for all samples, made a few at a time."""
    size = max(1, BLOCK // copies.shape[1])
    efforts = np.empty(copies.shape, np.int64)
    for start in range(0, len(copies), size):
        efforts[start : start + size] = course.finds(copies[start : start + size], axis, effort)
    return efforts


def _ends(values: Numbers, tail: int) -> Numbers:
    """2 × columns: the tail-th number from below and from above in each column."""
    places = [tail - 1, len(values) - tail]
    return np.partition(values, places, axis=0)[places]


def _compare(now: Ints, above: Ints, same: Ints) -> None:
    """Count, for systems × samples × k, in how many samples each system dominates each other one."""
    for a in range(len(now)):
        for b in range(a + 1, len(now)):
            ahead, behind = (now[a] < now[b]).any(axis=1), (now[a] > now[b]).any(axis=1)
            above[a, b] += np.count_nonzero(ahead & ~behind)
            above[b, a] += np.count_nonzero(behind & ~ahead)
            same[a, b] += np.count_nonzero(~ahead & ~behind)
            same[b, a] = same[a, b]
        same[a, a] += now.shape[1]
