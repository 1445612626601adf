"""Do systems find different items? What each finds that others do not, and what the best choice among them would give.

Kantor & Voorhees, The TREC-5 Confusion Track (2000), sections 4 and 5, leave the question open: if systems do well on
different targets, then choosing among them, or fusing them, may do better than any of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...core.errors import DataError, SpecError
from ...core.judged import Floats, Ints
from ...core.result import Result
from ...correlation.coefficient import coefficients
from .ranks import LONGEST, KnownItem

SAME = 1e-12


@dataclass(frozen=True, eq=False)
class Complementarity(Result):
    """Two systems or more on the same questions; an item counts as found if it is at rank ``within`` or above.

    >>> item = KnownItem.of_ranks({"A": [1, 2, None], "B": [2, 30, 5]}, length=100)
    >>> both = Complementarity(item, within=10)
    >>> both.only.tolist(), both.by_systems.tolist(), round(both.oracle, 4)
    ([[0, 1], [1, 0]], [0, 2, 1], 0.5667)
    """

    item: KnownItem
    within: int = 10

    def __post_init__(self) -> None:
        if len(self.item.systems) < 2:
            raise DataError("complementarity is of two systems or more, not of one")
        if not 1 <= self.within <= LONGEST:
            raise SpecError(f"within must lie between 1 and {LONGEST:,}, not {self.within}")

    @cached_property
    def hits(self) -> npt.NDArray[np.bool_]:
        """systems × questions: whether the item is found so early."""
        return self.item.hits & (self.item.ranks <= self.within)

    @cached_property
    def found(self) -> Ints:
        return np.asarray(np.count_nonzero(self.hits, axis=1))

    @cached_property
    def only(self) -> Ints:
        """systems × systems: items that the first finds and the second does not."""
        yes = self.hits.astype(np.int64)
        return np.asarray(yes @ (1 - yes).T)

    @cached_property
    def finders(self) -> Ints:
        """Number of systems that find the item of each question."""
        return np.asarray(np.count_nonzero(self.hits, axis=0))

    @cached_property
    def by_systems(self) -> Ints:
        """Items found by no system, by exactly one, by exactly two, …, by all."""
        return np.bincount(self.finders, minlength=len(self.item.systems) + 1)

    @cached_property
    def alone(self) -> Ints:
        """Items that each system finds and no other one."""
        return np.asarray(np.count_nonzero(self.hits & (self.finders == 1), axis=1))

    @cached_property
    def ahead(self) -> Ints:
        """Questions on which each system ranks the item higher than every other one."""
        best = self.item.reciprocal_ranks == self.item.reciprocal_ranks.max(axis=0)
        return np.asarray(np.count_nonzero(best & (best.sum(axis=0) == 1), axis=1))

    @cached_property
    def best(self) -> int:
        """The number of the system with the highest mean reciprocal rank, the first of several."""
        return int(np.argmax(self.item.mrr))

    @cached_property
    def oracle(self) -> float:
        """The mean reciprocal rank of whoever picks the best system for each question: no choice does better."""
        return float(self.item.reciprocal_ranks.max(axis=0).mean())

    @cached_property
    def independent(self) -> float:
        """Expected value of the oracle if each system's ranks fell on the questions at random.

        A best of several is high by luck alone. Systems that fail on the same questions stay below this figure,
        systems that make up for each other's failures are above it. It is E max over systems of independent draws
        from each one's reciprocal ranks: Σ x (F(x) − F(before x)), F the product of the systems' distributions.
        """
        values = np.unique(self.item.reciprocal_ranks)
        own = np.sort(self.item.reciprocal_ranks, axis=1)
        shares = np.array([np.searchsorted(row, values, "right") for row in own]) / own.shape[1]
        joint = np.prod(shares, axis=0)
        return float(np.sum(values * np.diff(joint, prepend=0.0)))

    @cached_property
    def correlation(self) -> Floats:
        """systems × systems: tau_b of their reciprocal ranks over the questions; NaN where one has all ranks equal."""
        tau, values = coefficients.parse("tau_b"), self.item.reciprocal_ranks
        matrix = np.full((len(values), len(values)), math.nan)
        for a in range(len(values)):
            for b in range(a, len(values)):
                matrix[a, b] = matrix[b, a] = tau(tau.paired(values[a], values[b]))
        return matrix

    def conclusion(self) -> str:
        """A sentence or two that a person understands."""
        from ...core.presentation import conclusion_of

        return conclusion_of(self)
