"""The first k documents of every run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.spec import is_count, require
from ..pooling import Draw, PoolFrame, Pooling


@dataclass(frozen=True)
class DepthPooling(Pooling):
    """Depth-k pooling: every document that some run has among its first k.

    Formula: a document of a topic is judged if its best rank over all runs is at most k.

    Parameters: ``k`` the depth (100).

    Paper: Sparck Jones, van Rijsbergen, Report on the need for and provision of an "ideal" information retrieval test
    collection (1975); Voorhees, Harman, TREC: Experiment and evaluation in information retrieval (2005).

    Example: runs a b c and b d e, k = 2: a, b and d.
    """

    name: ClassVar[str] = "depth"

    k: int = 100

    def __post_init__(self) -> None:
        require(self, "k", is_count(self.k), "be a whole number, 1 or more")

    @property
    def reach(self) -> int:
        return self.k

    def draw(self, frame: PoolFrame) -> Draw:
        rows = len(frame.best)
        return Draw(np.ones(rows, bool), np.ones(rows, np.int32), np.ones(rows))
