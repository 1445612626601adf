from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, JudgedRun
from ..core.measure import RelevanceMeasure, TruncatedMeasure
from ..core.spec import is_count, require
from .rr import first_rank


@dataclass(frozen=True)
class Rank(RelevanceMeasure, TruncatedMeasure):
    """Rank of the known item: how many documents are looked at until the first relevant one is found.

    Formula: e = r_1, or e = L where the list does not hold the item.

    Parameters: ``miss`` L, the effort of a search in vain (1000, the length of the lists in the Confusion Track); a
    list that is longer than this counts with its own length.

    No value: always defined. Low is good.

    Paper: Kantor & Voorhees, The TREC-5 Confusion Track (2000), section 4.

    Example: item at rank 4: 4; item not in a list of 1000: 1000.
    """

    name: ClassVar[str] = "rank"
    better: ClassVar[str] = "low"
    positional: ClassVar[str] = "miss"

    miss: int = 1000

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "miss", is_count(self.miss), "be a whole number of documents, 1 or more")

    def values(self, judged: JudgedRun) -> Floats:
        rank = first_rank(judged)
        return np.where(np.isinf(rank), np.maximum(judged.num_ret, self.miss), rank)
