"""A simple random sample of the pool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.spec import is_count, is_number, require
from ..pooling import Draw, PoolFrame, Pooling


@dataclass(frozen=True)
class UniformPooling(Pooling):
    """A uniform sample: of the depth-k pool of each topic, the same share, every set of that size equally likely.

    Formula: n = ``share`` · N rounded, 2 at least, of the N documents of a topic; each is drawn with probability n / N.

    Parameters: ``k`` the depth of the pool that is sampled (100); ``share`` in (0, 1] (0.1).

    Paper: Yilmaz, Aslam, Estimating average precision with incomplete and imperfect judgments (CIKM 2006).

    Example: a pool of 1,000 documents, share = 0.1: 100 of them, each with probability 0.1.
    """

    name: ClassVar[str] = "uniform"

    k: int = 100
    share: float = 0.1

    def __post_init__(self) -> None:
        require(self, "k", is_count(self.k), "be a whole number, 1 or more")
        require(self, "share", is_number(self.share) and 0 < self.share <= 1, "be above 0 and at most 1")

    @property
    def reach(self) -> int:
        return self.k

    def draw(self, frame: PoolFrame) -> Draw:
        ones = np.ones(len(frame.best), np.int32)
        return frame.sample(ones, lambda _, sizes: np.maximum(2, np.rint(self.share * sizes)).astype(np.int64))
