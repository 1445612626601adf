"""Judgments of a random sample: each document of the pool with its stratum and how likely it was to be drawn."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from .columns import read_only
from .errors import DataError
from .qrels import Qrels
from .strings import Strings


@dataclass(frozen=True, eq=False, repr=False)
class SampledQrels(Qrels):
    """Rows (topic, document, grade) of the whole pool; −1 where a document was not drawn, or not judged."""

    strata: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    probabilities: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    """How likely each document was to be judged."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("strata", "probabilities"):
            if len(getattr(self, name)) != len(self):
                raise DataError(f"{len(self):,} judgments and {len(getattr(self, name)):,} {name}: not of one length")
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @classmethod
    def of_rows(
        cls,
        topics: tuple[str, ...],
        offsets: npt.NDArray[np.int64],
        documents: Strings,
        grades: npt.NDArray[np.int32],
        strata: npt.NDArray[np.int32],
    ) -> SampledQrels:
        """With probabilities from the counts: in a stratum of a topic, the judged documents over all of them."""
        topic = np.repeat(np.arange(len(topics)), np.diff(offsets))
        _, group = np.unique(np.stack([topic, strata]), axis=1, return_inverse=True)
        group = group.ravel()
        sizes = np.bincount(group)
        judged = np.bincount(group, weights=grades >= 0, minlength=len(sizes))
        return cls(topics, offsets, documents, grades, strata=strata, probabilities=(judged / sizes)[group])
