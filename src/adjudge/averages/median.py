from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.average import Average
from ..core.judged import Floats
from .quantile import Quantile


@dataclass(frozen=True)
class Median(Average):
    """The median over topics: as many topics above as below, whatever the scale.

    Formula: the middle value, or the mean of the two middle values.

    Paper: Robertson, On GMAP and other transformations (CIKM 2006), section 2.3: the measure of central tendency that
    needs an ordinal scale only.

    Example: 0.1, 0.2, 0.9 → 0.2.
    """

    name: ClassVar[str] = "median"

    def __call__(self, values: Floats) -> Floats:
        return Quantile(q=0.5)(values)
