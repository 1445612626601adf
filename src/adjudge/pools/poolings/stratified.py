"""A sample that is denser near the top of the runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.spec import is_count, is_number, require
from ..pooling import Draw, PoolFrame, Pooling


@dataclass(frozen=True)
class StratifiedPooling(Pooling):
    """A stratified sample: documents by their best rank in strata, and of each stratum a share of its own.

    Formula: stratum h has the documents of a topic whose best rank lies above the depth before and up to the h-th of
    ``depths``; n = share · N rounded, 2 at least, of its N documents are drawn, each with probability n / N.

    Parameters: ``depths``, the last rank of each stratum, rising ([10, 100]); ``shares``, one for each, in (0, 1]
    ([1, 0.1]).

    Paper: Yilmaz, Kanoulas, Aslam, A simple and efficient sampling method for estimating AP and NDCG (SIGIR 2008);
    Pavlu, Aslam, A practical sampling strategy for efficient retrieval evaluation (2007).

    Example: stratified(depths=[10, 100], shares=[1, 0.1]): all documents of the depth-10 pool, and of those that are
    only in the depth-100 pool every tenth.
    """

    name: ClassVar[str] = "stratified"

    depths: tuple[int, ...] = (10, 100)
    shares: tuple[float, ...] = (1, 0.1)

    def __post_init__(self) -> None:
        for name in ("depths", "shares"):
            value = getattr(self, name)
            object.__setattr__(self, name, tuple(value) if isinstance(value, tuple | list) else (value,))
        rising = all(map(is_count, self.depths)) and list(self.depths) == sorted(set(self.depths))
        require(self, "depths", bool(self.depths) and rising, "be whole numbers that rise")
        require(self, "shares", all(is_number(s) and 0 < s <= 1 for s in self.shares), "be above 0 and at most 1")
        require(self, "shares", len(self.shares) == len(self.depths), "be as many as there are depths")

    @property
    def reach(self) -> int:
        return self.depths[-1]

    def draw(self, frame: PoolFrame) -> Draw:
        strata = np.searchsorted(self.depths, frame.best).astype(np.int32) + 1
        shares = np.array([0.0, *self.shares])
        return frame.sample(
            strata, lambda stratum, sizes: np.maximum(2, np.rint(shares[stratum] * sizes)).astype(np.int64)
        )
