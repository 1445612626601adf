"""By rank fusion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.spec import is_number, require
from ..pooled_pairs import TopicPool
from ..priority import FixedOrder, Priority


@dataclass(frozen=True)
class FusedOrder(Priority):
    """Documents as reciprocal rank fusion of all runs ranks them; judgments change nothing.

    Formula: by Σ 1 / (``constant`` + rank) over the runs that have the document.

    Parameters: ``constant`` 0 or more (60).

    Paper: Cormack, Clarke, Büttcher, Reciprocal rank fusion outperforms Condorcet and individual rank learning methods
    (SIGIR 2009).

    Example: runs a b and c b: b comes first, for 2/62 is more than 1/61.
    """

    name: ClassVar[str] = "fused_order"

    constant: float = 60.0

    def __post_init__(self) -> None:
        require(self, "constant", is_number(self.constant) and self.constant >= 0, "be 0 or more")

    def begin(self, topic: TopicPool) -> FixedOrder:
        votes = np.bincount(topic.pairs, weights=1 / (self.constant + topic.entry_ranks), minlength=len(topic))
        return FixedOrder(np.argsort(-votes, kind="stable"))
