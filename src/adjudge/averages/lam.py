from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..core.average import Average
from ..core.judged import Floats
from .mean import Mean

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True)
class Lam(Average):
    """Logistic average misclassification: the mean of error rates on the scale of log-odds.

    Formula: logit⁻¹(mean of ln(p / (1 − p))); in the Spam Track the two rates are ham misclassified and spam missed.

    Without an epsilon: a rate of 0 makes the figure 0, a rate of 1 makes it 1, both at once leave it undefined (NaN).

    Paper: Cormack & Lynam, TREC 2005 Spam Track overview; named by Robertson (CIKM 2006), section 4.2.

    Example: 0.1 and 0.5: the mean of −2.1972 and 0 is −1.0986, which is 0.25.
    """

    name: ClassVar[str] = "lam"

    def outside(self, values: Floats) -> npt.NDArray[np.bool_]:
        return (values < 0) | (values > 1)

    def domain(self) -> str:
        return "lie between 0 and 1"

    def __call__(self, values: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            odds = np.log(values) - np.log1p(-values)
            both = np.any(odds == np.inf, axis=-1) & np.any(odds == -np.inf, axis=-1)
            return np.where(both, np.nan, 1.0 / (1.0 + np.exp(-Mean()(odds))))
