from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.average import Average
from ..core.judged import Floats

ROUNDING = 1e-9
"""So that 0.07 of 100 topics are 7, though their product as floats is a little more."""


def topics_with_value(values: Floats) -> Floats:
    """How many topics have one; NaN instead of 0, so that dividing by it gives NaN without a warning."""
    n = np.asarray((~np.isnan(values)).sum(axis=-1), float)
    return np.where(n == 0, np.nan, n)


@dataclass(frozen=True)
class Sum(Average):
    """The sum over topics: what trec_eval prints for counts such as num_ret.

    Formula: Σ x, added up topic by topic in byte order of the topic ids, so that the last bit is trec_eval's too.

    Example: 500, 84 → 584.
    """

    name: ClassVar[str] = "sum"

    def __call__(self, values: Floats) -> Floats:
        if values.shape[-1] == 0:
            return np.zeros(values.shape[:-1])
        running: Floats = np.cumsum(np.nan_to_num(values, nan=0.0, posinf=np.inf, neginf=-np.inf), axis=-1)
        return running[..., -1]
