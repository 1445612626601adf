"""The best documents of each question while the documents of a corpus pass by."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...core.strings import decode, encode

Floats = npt.NDArray[np.float64]


class Leaders:
    """Keeps the ``k`` documents with the highest scores above 0, those with the highest ids where scores are equal.

    Memory does not grow with the corpus: a question has at most ``ROOM`` · k documents and those of one batch.
    """

    ROOM = 3

    def __init__(self, questions: int, k: int) -> None:
        self.k = k
        self._kept: list[list[tuple[float, bytes]]] = [[] for _ in range(questions)]
        self._least = np.zeros(questions)

    def add(self, ids: Sequence[str], scores: Floats) -> None:
        """Documents with their scores, a row for each document and a column for each question."""
        for question, best in enumerate(self._kept):
            column, least = scores[:, question], self._least[question]
            rows = np.flatnonzero((column > 0) & (column >= least))
            best += [(score, encode(ids[row])) for row, score in zip(rows.tolist(), column[rows].tolist(), strict=True)]
            if len(best) > self.ROOM * self.k:
                self._kept[question] = heapq.nlargest(self.k, best)
                self._least[question] = self._kept[question][-1][0]

    def best(self, question: int) -> list[tuple[str, float]]:
        """The best documents of a question so far, the best first."""
        return [(decode(document), score) for score, document in heapq.nlargest(self.k, self._kept[question])]
