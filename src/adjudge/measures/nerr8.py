from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats
from ._user_models import UserModel, until


@dataclass(frozen=True)
class NERR8(UserModel):
    """Nearly ERR, equation 8: the reader goes on as far as rank k unless a document satisfies him.

    Formula: C(r) = 1 − g_r for r < k, else 0.

    Parameters: ``k`` the cutoff, required.

    No value: always defined. Ranks without a judged document gain nothing.

    Paper: Azzopardi, Mackenzie & Moffat, ERR is not C/W/L (ICTIR 2021), equation 8.

    Example: gains 0, 1, k = 10: eu 0.5, etu 1.
    """

    name: ClassVar[str] = "nerr8"

    k: int

    def continuation(self, gain: Floats, cost: Floats) -> Floats:
        del cost
        return until(1.0 - gain, self.k)
