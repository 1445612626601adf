from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats
from ..core.spec import is_number, require
from ._user_models import UserModel, by_rank


@dataclass(frozen=True)
class INSQ(UserModel):
    """INSQ: the deeper the reader is, the likelier he goes on, and the more so the more he hopes for.

    Formula: C(r) = ((r + 2T − 1) / (r + 2T))².

    Parameters: ``T`` how much gain the reader hopes for, above 0 (1).

    No value: always defined. Ranks without a judged document gain nothing.

    Paper: Moffat, Scholer & Thomas, Models and metrics: IR evaluation as a user process (ADCS 2012).

    Example: gain 1 at rank 1, T = 1: W(r) ~ 1 / (r + 1)², so 0.25 over the sum to rank 1000, 0.3882.
    """

    name: ClassVar[str] = "insq"
    positional: ClassVar[str] = "T"

    T: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "T", is_number(self.T) and self.T > 0, "be above 0")

    def continuation(self, gain: Floats, cost: Floats) -> Floats:
        del cost
        return by_rank(lambda rank: ((rank + 2 * self.T - 1) / (rank + 2 * self.T)) ** 2, gain.shape)
