"""The first k documents by rank fusion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...core.spec import is_count, is_number, require
from ..pooling import Draw, PoolFrame, Pooling


@dataclass(frozen=True)
class FusedPooling(Pooling):
    """Fixed-size pooling: the k documents of a topic that reciprocal rank fusion of all runs puts first.

    Formula: documents in the order of Σ 1 / (``constant`` + rank) over the runs that have them down to ``depth``.

    Parameters: ``k`` documents a topic (100); ``depth`` (1000), how far down each run is looked at; ``constant`` 0 or
    more (60), of the fusion.

    Paper: Cormack, Clarke, Büttcher, Reciprocal rank fusion outperforms Condorcet and individual rank learning methods
    (SIGIR 2009); Lipani, Palotti, Lupu, Piroi, Zuccon, Hanbury, Fixed-cost pooling strategies based on IR evaluation
    measures (ECIR 2017).

    Example: runs a b c and b d e, k = 1: b, for 1/62 + 1/61 is more than 1/61.
    """

    name: ClassVar[str] = "fused"

    k: int = 100
    depth: int = 1000
    constant: float = 60.0

    def __post_init__(self) -> None:
        require(self, "k", is_count(self.k), "be a whole number, 1 or more")
        require(self, "depth", is_count(self.depth), "be a whole number, 1 or more")
        require(self, "constant", is_number(self.constant) and self.constant >= 0, "be 0 or more")

    @property
    def reach(self) -> int:
        return self.depth

    def draw(self, frame: PoolFrame) -> Draw:
        rows = len(frame.best)
        votes: Any = np.bincount(frame.list_pairs, weights=1 / (self.constant + frame.list_ranks), minlength=rows)
        drawn = frame.best_first(votes) <= self.k
        return Draw(drawn, np.ones(rows, np.int32), drawn.astype(float))
