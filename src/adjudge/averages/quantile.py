from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.average import Average
from ..core.judged import Floats
from ..core.spec import is_number, require
from .sum import topics_with_value


@dataclass(frozen=True)
class Quantile(Average):
    """A quantile of the distribution over topics, interpolated between neighbours.

    Formula: x at place q·(n − 1) of the sorted values, from 0 on.

    Parameters: ``q`` from 0 (the smallest value) to 1 (the largest), 0.25 by default: the lower quartile.

    Paper: Hyndman & Fan, Sample quantiles in statistical packages (1996), definition 7.

    Example: 0, 0.2, 0.4, 0.8 with q = 0.25 → place 0.75: 0.15.
    """

    name: ClassVar[str] = "quantile"
    positional: ClassVar[str] = "q"
    always: ClassVar[tuple[str, ...]] = ("q",)

    q: float = 0.25

    def __post_init__(self) -> None:
        require(self, "q", is_number(self.q) and 0 <= self.q <= 1, "lie between 0 and 1")

    def __call__(self, values: Floats) -> Floats:
        if values.shape[-1] == 0:
            return np.full(values.shape[:-1], np.nan)
        ordered = np.sort(values, axis=-1)  # NaN goes to the end
        n = np.nan_to_num(topics_with_value(values), nan=1.0)
        place = self.q * (n - 1)
        low = np.floor(place).astype(np.int64)
        high = np.minimum(low + 1, n.astype(np.int64) - 1)
        at_low = np.take_along_axis(ordered, low[..., None], -1)[..., 0]
        at_high = np.take_along_axis(ordered, high[..., None], -1)[..., 0]
        return at_low + (place - low) * (at_high - at_low)
