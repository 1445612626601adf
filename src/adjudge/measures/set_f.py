from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import Measure, TrecName
from ..core.spec import is_number, require


@dataclass(frozen=True)
class SetF(Measure):
    """Set F: the weighted harmonic mean of set precision and set recall.

    Formula: (x + 1)·P·R / (R + x·P), P and R the set precision and recall.

    Parameters: ``x`` ≥ 0 (1), the weight of recall; van Rijsbergen's β is √x.

    No value: no relevant document retrieved gives 0.

    Paper: van Rijsbergen, Information Retrieval (1979), ch. 7 (1 − E).

    Example: P = 0.5, R = 1/3: 2 · 0.5 · 0.3333 / 0.8333 = 0.4.
    """

    name: ClassVar[str] = "set_f"
    aliases: ClassVar[tuple[str, ...]] = ("SetF",)
    positional: ClassVar[str] = "x"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("set_F"),)

    x: float = 1.0

    def __post_init__(self) -> None:
        require(self, "x", is_number(self.x) and self.x >= 0, "be 0 or more")

    def __call__(self, judged: JudgedRun) -> Floats:
        P, R = ratio(judged.num_rel_ret, judged.num_ret), ratio(judged.num_rel_ret, judged.num_rel)
        return ratio((self.x + 1.0) * P * R, self.x * P + R)
