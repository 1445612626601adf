from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun
from ..core.measure import RECALLS, SHARE, RelevanceMeasure, TrecName, TruncatedMeasure
from ..core.spec import is_number, require
from .iprec import ROUNDINGS, interpolate_precision


@dataclass(frozen=True)
class ElevenPoint(RelevanceMeasure, TruncatedMeasure):
    """Eleven-point average: interpolated precision averaged over recall 0, 0.1, … 1.

    Formula: 1/11 Σ_ρ iprec@ρ.

    Parameters: ``recalls`` the points, from 0 to 1, in ascending order: eleven_point([0.2, 0.5, 0.8]) is the old
    3-point average. ``rounding`` as for iprec.

    No value: points that are not reached count 0.

    Paper: Salton & McGill, Introduction to Modern Information Retrieval (1983), ch. 5.

    Example: the only relevant document at rank 2: every point has precision 0.5, the average is 0.5.
    """

    name: ClassVar[str] = "eleven_point"
    limits: ClassVar[tuple[float, float]] = SHARE
    aliases: ClassVar[tuple[str, ...]] = ("11pt", "11_pt_avg")
    positional: ClassVar[str] = "recalls"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("11pt_avg"),)

    recalls: tuple[float, ...] = RECALLS
    rounding: str = "judged"

    def __post_init__(self) -> None:
        super().__post_init__()
        fine = isinstance(self.recalls, tuple) and bool(self.recalls)
        fine = fine and all(is_number(recall) and 0 <= recall <= 1 for recall in self.recalls)
        require(self, "recalls", fine, "be a list of recalls between 0 and 1")
        require(self, "rounding", self.rounding in ROUNDINGS, "be judged, half or up")

    def values(self, judged: JudgedRun) -> Floats:
        total = np.zeros(len(judged.topics))
        for recall in reversed(self.recalls):
            total += interpolate_precision(float(recall), judged, self.rounding)
        return total / len(self.recalls)
