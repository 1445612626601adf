from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, JudgedRun
from ..core.measure import Measure, TrecName


@dataclass(frozen=True)
class NumRelRet(Measure):
    """Number of relevant documents retrieved.

    Formula: a count; the figure over topics is the sum.

    No value: always defined.

    Paper: trec_eval's num_rel_ret.

    Example: 2 of 3 relevant documents in the list: 2.
    """

    name: ClassVar[str] = "num_rel_ret"
    average: ClassVar[str] = "sum"
    better: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ("NumRelRet",)
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("num_rel_ret"),)

    def __call__(self, judged: JudgedRun) -> Floats:
        return judged.num_rel_ret.astype(float)
