"""Results of a comparison of systems: differences, and how sure they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..core.coverage import Coverage
from ..core.judged import Floats
from ..core.note import Note
from ..core.result import Result

ALPHA = 0.05


@dataclass(frozen=True)
class Difference:
    """Two systems on one measure: ``a`` against ``b``, positive differences mean that a has higher values."""

    a: str
    b: str
    difference: float
    """Of the means, on the scale of the comparison."""
    low: float
    high: float
    effect: float
    """Cohen's d of paired values: the mean difference over its standard deviation; NaN if that is 0."""
    wins: int
    """Topics on which a is better, on which they tie, on which b is better."""
    ties: int
    losses: int
    raw: tuple[float, ...]
    """p of each test as it is."""
    p: tuple[float, ...]
    """p of each test, corrected for the number of comparisons."""
    favours: tuple[int, ...]
    """Whom each test sees ahead: +1 for a, −1 for b. A sign test counts topics, so it need not be who has the mean."""

    @property
    def superiority(self) -> float:
        """The share of topics on which a is better, ties counted half."""
        return (self.wins + self.ties / 2) / (self.wins + self.ties + self.losses)


@dataclass(frozen=True)
class Apart:
    """A topic on which systems differ much."""

    topic: str
    best: str
    best_value: float
    worst: str
    worst_value: float


@dataclass(frozen=True)
class Comparison(Result):
    """Systems compared two by two on the same topics."""

    measure: str
    scale: str
    """``mean``, or the transformation under which the values were compared."""
    direction: int
    """+1 if high values are good, −1 if low ones are."""
    systems: tuple[str, ...]
    topics: int
    figures: Floats
    """The average of each system: of the plain values, or under the transformation and brought back."""
    baselines: tuple[str, ...]
    tests: tuple[str, ...]
    corrections: tuple[str, ...]
    """What was done to the p of each test; a test of all systems together needs nothing."""
    confidence: float
    differences: tuple[Difference, ...]
    """Of all pairs, the better system first, those of the best system first; or of every system to the baselines."""
    apart: tuple[Apart, ...]
    """All topics, those on which the systems differ most first."""
    notes: tuple[Note, ...] = ()
    coverage: Mapping[str, Coverage] = field(default_factory=dict)
    """What the judgments cover of each system's run; empty where the scores come from no runs."""
    left_out: Mapping[str, Coverage] = field(default_factory=dict)
    """Systems on which there is no verdict, because their runs answer too few of the judged topics."""

    @property
    def significant(self) -> tuple[Difference, ...]:
        """Pairs that differ significantly at 5% by the first test."""
        return tuple(d for d in self.differences if d.p[0] < ALPHA)

    @property
    def undecided(self) -> tuple[Difference, ...]:
        """The others, those without a p included."""
        return tuple(d for d in self.differences if not d.p[0] < ALPHA)

    def order(self) -> list[int]:
        """System numbers, best first."""
        return [int(i) for i in np.argsort(-self.direction * self.figures, kind="stable")]

    def conclusion(self) -> str:
        """State the result of the first test at 5%, in a sentence or two."""
        from ..core.presentation import conclusion_of

        return conclusion_of(self)
