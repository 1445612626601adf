"""Expected frequencies from the postings of many strings, and scores from them: compiled, or in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.errors import DataError
from ....core.kernel import native
from ....index.index import Index
from . import slow

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

compiled: Any = native("adding")
chosen: Any = compiled or slow


class Adding:
    """Room for the sums of one question at a time, zero between questions. Not for two threads at once."""

    def __init__(self, index: Index, norms: Floats, beliefs: Floats) -> None:
        self.index, self.norms, self.beliefs = index, norms, beliefs
        self.sums, self.scores = np.zeros(len(index)), np.zeros(len(index))
        self.found, self.all = np.empty(len(index), np.int32), np.empty(len(index), np.int32)
        self.many = 0
        self.large = tuple(index.arrays[name].astype(np.int64) for name in ("large_at", "large_tf"))

    def gathered(self, terms: Integers, exact: Floats, weights: Floats) -> tuple[int, float]:
        """In how many documents some terms are, and Σ min(1, expected frequency) over them; see ``adding.c``."""
        arrays, at = self.index.arrays, np.asarray(terms, np.int64)
        begins, ends = (arrays["offsets"][place].astype(np.int64) for place in (at, at + 1))
        postings = arrays["documents"], arrays["tf"], *self.large
        try:
            count = chosen.gather(*postings, begins, ends, exact, weights, self.beliefs, self.sums, self.found)
        except (IndexError, TypeError, ValueError) as error:
            raise DataError(f"{self.index.folder}: damaged: {error}") from None
        return int(count[0]), float(count[1])

    def clear(self, many: int) -> None:
        """Forget what was gathered."""
        self.sums[self.found[:many]] = 0.0

    def add(self, many: int, factor: float) -> None:
        """Add what was gathered to the scores."""
        self.many = chosen.add(self.sums, self.found, many, self.norms, factor, self.scores, self.all, self.many)

    def taken(self) -> tuple[Integers, Floats]:
        """The documents with a score, ascending, and their scores; all is zero again."""
        documents = np.sort(self.all[: self.many]).astype(np.int64)
        scores = self.scores[documents]
        self.scores[documents] = 0.0
        self.many = 0
        return documents, scores
