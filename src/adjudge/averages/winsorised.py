from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.average import Average
from ..core.judged import Floats
from ..core.spec import is_number, require
from .mean import Mean
from .sum import ROUNDING, topics_with_value


@dataclass(frozen=True)
class Winsorised(Average):
    """The winsorised mean: the lowest and the highest values are drawn in to the nearest that is kept.

    Formula: with c = ⌊share·n⌋, the c lowest values become the next one, the c highest likewise, then the mean.

    Parameters: ``share`` of the topics drawn in at each end, from 0 to less than 0.5 (0.1).

    Paper: Tukey & McLaughlin, Less vulnerable confidence and significance procedures (1963).

    Example: 0, 0.2, 0.4, 1 with share 0.25 → (0.2 + 0.2 + 0.4 + 0.4) / 4 = 0.3.
    """

    name: ClassVar[str] = "winsorised"
    aliases: ClassVar[tuple[str, ...]] = ("winsorized",)
    positional: ClassVar[str] = "share"
    always: ClassVar[tuple[str, ...]] = ("share",)

    share: float = 0.1

    def __post_init__(self) -> None:
        require(self, "share", is_number(self.share) and 0 <= self.share < 0.5, "lie between 0 and 0.5")

    def __call__(self, values: Floats) -> Floats:
        if values.shape[-1] == 0:
            return np.full(values.shape[:-1], np.nan)
        ordered = np.sort(values, axis=-1)
        n = np.nan_to_num(topics_with_value(values)).astype(np.int64)[..., None]
        cut = np.floor(self.share * n + ROUNDING).astype(np.int64)
        low = np.take_along_axis(ordered, cut, -1)
        high = np.take_along_axis(ordered, np.maximum(n - cut - 1, 0), -1)
        return Mean()(np.minimum(np.maximum(values, low), high))
