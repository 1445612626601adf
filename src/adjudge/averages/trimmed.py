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
class Trimmed(Average):
    """The trimmed mean: the lowest and the highest values are left out.

    Formula: the mean without the ⌊share·n⌋ lowest and as many highest values.

    Parameters: ``share`` of the topics cut at each end, from 0 to less than 0.5 (0.1).

    Paper: Tukey & McLaughlin, Less vulnerable confidence and significance procedures (1963).

    Example: 0, 0.2, 0.4, 1 with share 0.25 → 0.3.
    """

    name: ClassVar[str] = "trimmed"
    positional: ClassVar[str] = "share"
    always: ClassVar[tuple[str, ...]] = ("share",)

    share: float = 0.1

    def __post_init__(self) -> None:
        require(self, "share", is_number(self.share) and 0 <= self.share < 0.5, "lie between 0 and 0.5")

    def __call__(self, values: Floats) -> Floats:
        ordered = np.sort(values, axis=-1)
        n = np.nan_to_num(topics_with_value(values))[..., None]
        cut = np.floor(self.share * n + ROUNDING)
        place = np.arange(values.shape[-1])
        return Mean()(np.where((place >= cut) & (place < n - cut), ordered, np.nan))
