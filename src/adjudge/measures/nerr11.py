from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats
from ..core.spec import is_number, require
from ._user_models import UserModel


@dataclass(frozen=True)
class NERR11(UserModel):
    """Nearly ERR, equation 11: the reader of INSQ, who also stops at a document that satisfies him.

    Formula: C(r) = ((r + 2T − 1) / (r + 2T))² (1 − g_r).

    Parameters: ``T`` how much gain the reader hopes for, above 0 (1).

    No value: always defined. Ranks without a judged document gain nothing.

    Paper: Azzopardi, Mackenzie & Moffat, ERR is not C/W/L (ICTIR 2021), equation 11.

    Example: gains 0, 1, T = 1: C(1) = 4/9, eu (4/9) / (13/9) = 0.3077.
    """

    name: ClassVar[str] = "nerr11"
    positional: ClassVar[str] = "T"

    T: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "T", is_number(self.T) and self.T > 0, "be above 0")

    def continuation(self, gain: Floats, cost: Floats) -> Floats:
        del cost
        rank = np.arange(1, gain.shape[1] + 1)
        return np.asarray(((rank + 2 * self.T - 1) / (rank + 2 * self.T)) ** 2 * (1.0 - gain))
