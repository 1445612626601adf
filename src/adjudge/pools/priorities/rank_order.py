"""By the best rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..pooled_pairs import TopicPool
from ..priority import FixedOrder, Priority


@dataclass(frozen=True)
class RankOrder(Priority):
    """Documents by the best rank that a run gives them, those of more runs first; judgments change nothing.

    Formula: by the best rank over the runs, then by how many runs have the document.

    Paper: the order in which pools of a rising depth are judged; DocID and rank orders are the baselines of Losada,
    Parapar, Barreiro (IP&M 2017).

    Example: runs a b and c b: a and c, which are first somewhere, then b.
    """

    name: ClassVar[str] = "rank_order"

    def begin(self, topic: TopicPool) -> FixedOrder:
        counts = np.bincount(topic.pairs, minlength=len(topic))
        return FixedOrder(np.lexsort((-counts, topic.best)))
