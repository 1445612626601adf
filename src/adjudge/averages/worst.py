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
class Worst(Average):
    """The mean of the worst topics of each system: by default a quarter of them.

    Formula: the mean of the ⌈share·n⌉ lowest values. Which topics these are differs from system to system.

    Parameters: ``share`` of the topics, above 0 up to 1 (0.25).

    Paper: Voorhees, Overview of the TREC 2003 Robust Retrieval Track: the area under MAP(X), which looks at the worst
    topics of each system.

    Example: 0, 0.2, 0.4, 1 → the lowest of four: 0.
    """

    name: ClassVar[str] = "worst"
    positional: ClassVar[str] = "share"
    always: ClassVar[tuple[str, ...]] = ("share",)

    share: float = 0.25

    def __post_init__(self) -> None:
        require(self, "share", is_number(self.share) and 0 < self.share <= 1, "lie above 0 and not above 1")

    def __call__(self, values: Floats) -> Floats:
        count = np.ceil(self.share * np.nan_to_num(topics_with_value(values)) - ROUNDING)[..., None]
        return Mean()(np.where(np.arange(values.shape[-1]) < count, np.sort(values, axis=-1), np.nan))
