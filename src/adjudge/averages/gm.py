from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..core import fallback
from ..core.average import Average
from ..core.judged import Floats
from ..core.kernel import native
from ..core.spec import is_number, require
from .mean import Mean

loops: Any = native("measuring") or fallback


@dataclass(frozen=True)
class GM(Average):
    """The geometric mean over topics, values below a floor raised to it, as trec_eval's gm_map does.

    Formula: exp(1/n Σ ln max(x, floor)): the mean under log(eps=floor, zeros=floor).

    Parameters: ``floor`` > 0 (1e-5), without which one topic with value 0 would make the figure 0. Figures made with
    different floors cannot be compared.

    Paper: Robertson, On GMAP and other transformations (CIKM 2006); the floor is trec_eval's and raises every small
    value, not only zeros.

    Example: 0.5, 0.5 and a topic with 0 → exp((2 ln 0.5 + ln 1e-5) / 3) = 0.013572.
    """

    name: ClassVar[str] = "gm"
    aliases: ClassVar[tuple[str, ...]] = ("geometric", "geometric_mean", "gmean")
    positional: ClassVar[str] = "floor"
    always: ClassVar[tuple[str, ...]] = ("floor",)

    floor: float = 1e-5

    def __post_init__(self) -> None:
        require(self, "floor", is_number(self.floor) and self.floor > 0, "be above 0")

    def __call__(self, values: Floats) -> Floats:
        raised = np.ascontiguousarray(np.maximum(values, self.floor), float)
        logs = np.empty_like(raised)
        loops.logarithms(raised, logs)
        figures = Mean()(logs)
        return np.fromiter(map(math.exp, np.ravel(figures)), float).reshape(np.shape(figures))
