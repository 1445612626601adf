from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun, ratio
from ..core.measure import SHARE, RelevanceMeasure, TrecName
from ..core.spec import is_number, require


@dataclass(frozen=True)
class SetF(RelevanceMeasure):
    """Set F: the weighted harmonic mean of set precision and set recall.

    Formula: (x + 1)·P·R / (R + x·P), P and R the set precision and recall.

    Parameters: ``k`` the set is the first k documents, and P is divided by k even if there are fewer, as in p@k;
    without it the set is all that was retrieved. ``x`` ≥ 0 (1), the weight of recall. ``beta`` the same weight as van
    Rijsbergen writes it, x = β²: give one of them. What ir_measures calls beta is x.

    No value: no relevant document retrieved gives 0.

    Paper: van Rijsbergen, Information Retrieval (1979), ch. 7 (1 − E).

    Example: P = 0.5, R = 1/3: 2 · 0.5 · 0.3333 / 0.8333 = 0.4; with beta 2: 5 · 0.5 · 0.3333 / 2.3333 = 0.3571.
    """

    name: ClassVar[str] = "set_f"
    limits: ClassVar[tuple[float, float]] = SHARE
    group: ClassVar[str] = "set-based"
    aliases: ClassVar[tuple[str, ...]] = ("SetF",)
    positional: ClassVar[str] = "x"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("set_F"),)

    x: float = 1.0
    beta: float | None = None
    k: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "x", is_number(self.x) and self.x >= 0, "be 0 or more")
        if self.beta is not None:
            require(self, "beta", is_number(self.beta) and self.beta >= 0, "be 0 or more")
            require(self, "x", self.x in (1.0, self.beta**2), "not be given beside beta, which is its root")

    def values(self, judged: JudgedRun) -> Floats:
        x = self.x if self.beta is None else float(self.beta) ** 2
        hits = judged.found(self.k)
        P = ratio(hits, judged.num_ret) if self.k is None else hits / self.k
        R = ratio(hits, judged.num_rel)
        return ratio((x + 1.0) * P * R, x * P + R)
