from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, Ints, JudgedRun
from ..core.measure import RECALLS, SHARE, RelevanceMeasure, TrecName, TruncatedMeasure
from ..core.spec import is_number, require

ROUNDINGS = ("judged", "half", "up")


def relevant_needed(recall: float, judged: JudgedRun, rounding: str = "judged") -> Ints:
    """How many relevant documents make that recall: rounded half up, or as trec_eval 9 has it, ⌊recall·R + 0.9⌋."""
    exact = recall * judged.num_rel
    up = judged.judging.trec_version == 9 if rounding == "judged" else rounding == "up"
    whole = np.floor(exact + 0.9) if up else np.floor(exact) + (exact % 1 >= 0.5)
    return np.asarray(whole, np.int64)


def interpolate_precision(recall: float, judged: JudgedRun, rounding: str = "judged") -> Floats:
    """The best precision at this recall or beyond, for each topic."""
    want = relevant_needed(recall, judged, rounding)
    beyond = judged.rel_order >= want[judged.rel_topic]
    best = np.zeros(len(judged.topics))
    np.maximum.at(best, judged.rel_topic[beyond], (judged.rel_order / judged.rel_rank)[beyond])
    return np.where(want > judged.num_rel_ret, 0.0, best)


@dataclass(frozen=True)
class IPrec(RelevanceMeasure, TruncatedMeasure):
    """Interpolated precision at a recall: the best precision that this recall or a higher one still has.

    Formula: max P(r) over the ranks r where at least ρ·R relevant documents were found.

    Parameters: ``k`` the recall ρ, from 0 to 1, required: iprec@0.1. ``rounding`` how many documents ρ·R are: half
    (rounded half up, trec_eval 10), up (⌊ρ·R + 0.9⌋, trec_eval 9 and ir_measures), or judged, the default: as the
    trec_eval does by which the run is judged.

    No value: a recall that the list does not reach gives 0.

    Paper: Manning, Raghavan & Schütze, Introduction to Information Retrieval (2008), section 8.4.

    Example: relevant at ranks 1 and 3, R = 2: at recall 0.5 max(1/1, 2/3) = 1, at recall 1 2/3.
    """

    name: ClassVar[str] = "iprec"
    limits: ClassVar[tuple[float, float]] = SHARE
    compiled: ClassVar[str | None] = "k"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("iprec_at_recall", "k", RECALLS),)

    k: float
    rounding: str = "judged"

    def __post_init__(self) -> None:
        self.check_view()
        require(self, "rounding", self.rounding in ROUNDINGS, "be judged, half or up")
        require(self, "k", is_number(self.k) and 0 <= self.k <= 1, "be a recall between 0 and 1")

    def values(self, judged: JudgedRun) -> Floats:
        return interpolate_precision(float(self.k), judged, self.rounding)
