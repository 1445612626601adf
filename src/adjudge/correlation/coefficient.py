"""Base class of coefficients of rank correlation."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from ..core.errors import DataError
from ..core.registry import Registry
from ..core.spec import Component
from .rankings import RankingPair, Side, paired


class Coefficient(Component, ABC):
    """Called with two rankings of the same items it gives one figure; NaN where its definition gives none."""

    different_items: ClassVar[bool] = False
    """Return whether the rankings may hold different items."""
    least: ClassVar[float] = -1.0
    """Its smallest value; the largest is 1 for all."""

    def paired(self, x: Any, y: Any, **how: Any) -> RankingPair:
        """Two rankings as :func:`adjudge.correlation.paired` takes them."""
        return paired(x, y, different=self.different_items, **how)

    def __call__(self, pair: RankingPair) -> float:
        """The coefficient of y with respect to x; fewer than two items have none."""
        return math.nan if len(pair) < 2 else float(self.of(pair))

    @abstractmethod
    def of(self, pair: RankingPair) -> float:
        """The coefficient of two or more items."""

    def refuse_ties(self, side: Side, which: str, instead: str) -> None:
        if side.has_ties:
            raise DataError(f"{self.name} is not defined with ties in {which}: {instead} is")

    def need_groups(self, side: Side) -> None:
        if not side.transitive:
            raise DataError(
                f"{self.name} needs ties that make groups: with a threshold, resolve them by leader or chain"
            )


coefficients: Registry[Coefficient] = Registry("coefficient", "adjudge.correlation.coefficients", Coefficient)
