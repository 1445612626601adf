from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun
from ..core.measure import Measure, TrecName


@dataclass(frozen=True)
class NumQ(Measure):
    """Number of topics evaluated: 1 for each of them.

    Formula: a count; the figure over topics is the sum.

    No value: always defined.

    Paper: trec_eval's num_q.

    Example: a run with results for 49 judged topics: 49.
    """

    name: ClassVar[str] = "num_q"
    compiled: ClassVar[str | None] = ""
    group: ClassVar[str] = "counts"
    average: ClassVar[str] = "sum"
    better: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ("NumQ",)
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("num_q"),)

    def __call__(self, judged: JudgedRun) -> Floats:
        return np.ones(len(judged.topics))
