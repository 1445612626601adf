from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats
from ..core.spec import is_number, require
from ._user_models import UserModel


@dataclass(frozen=True)
class NERR10(UserModel):
    """Nearly ERR, equation 10: the reader goes on with probability p unless a document satisfies him.

    Formula: C(r) = p (1 − g_r).

    Parameters: ``p`` persistence, 0 < p < 1 (0.9).

    No value: always defined. Ranks without a judged document gain nothing.

    Paper: Azzopardi, Mackenzie & Moffat, ERR is not C/W/L (ICTIR 2021), equation 10.

    Example: gains 0, 1, p = 0.5: W(1) = 2/3, eu 0.3333.
    """

    name: ClassVar[str] = "nerr10"
    positional: ClassVar[str] = "p"

    p: float = 0.9

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "p", is_number(self.p) and 0 < self.p < 1, "lie between 0 and 1")

    def continuation(self, gain: Floats, cost: Floats) -> Floats:
        del cost
        return np.asarray(self.p * (1.0 - gain))
