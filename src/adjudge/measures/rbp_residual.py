from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun
from ..core.measure import Measure, TrecName
from ..core.spec import is_number, require


@dataclass(frozen=True)
class RBPResidual(Measure):
    """Residual of RBP: how much higher it could be if every document that nobody judged had full gain.

    Formula: (1 − p) Σ p^(r−1) over the ranks r of unjudged documents, plus p^n for what lies beyond the n retrieved.

    Parameters: ``p`` persistence, 0 < p < 1 (0.9). ``tail``: always (default), or unjudged: where every retrieved
    document was judged the residual is 0, as in trec_eval 10's rbp_resid.

    No value: always defined; nothing retrieved gives 1 (0 with tail=unjudged).

    Paper: Moffat & Zobel, Rank-biased precision for measurement of retrieval effectiveness (TOIS 2008).

    Example: ranking + ?, p = 0.5: 0.5 · 0.5 + 0.25 = 0.5.
    """

    name: ClassVar[str] = "rbp_residual"
    group: ClassVar[str] = "user models"
    better: ClassVar[str] = "low"
    positional: ClassVar[str] = "p"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("rbp_resid", fixed=(("tail", "unjudged"),)),)

    p: float = 0.9
    tail: str = "always"

    def __post_init__(self) -> None:
        require(self, "p", is_number(self.p) and 0 < self.p < 1, "lie between 0 and 1")
        require(self, "tail", self.tail in {"always", "unjudged"}, "be always or unjudged")

    def __call__(self, judged: JudgedRun) -> Floats:
        seen = judged.grade >= 0
        known = (1.0 - self.p) * judged.sum(judged.topic[seen], self.p ** (judged.rank[seen] - 1.0))
        residual = np.maximum(1.0 - known, 0.0)
        complete = judged.count(judged.topic[seen]) == judged.num_ret
        return np.where(complete, 0.0 if self.tail == "unjudged" else self.p ** judged.num_ret.astype(float), residual)
