"""Relevance judgments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .errors import ConflictError, DataError
from .table import Table


@dataclass(frozen=True, eq=False, repr=False)
class Qrels(Table):
    """Rows (topic, document, grade), grouped by topic; a document is judged once in a topic.

    A grade is an integer; a negative one means that the document was in the pool but was not judged.
    """

    repeated: int = 0
    """Judgments that the source had twice with the same grade; each is counted once."""

    @property
    def grades(self) -> npt.NDArray[np.int32]:
        return self.numbers

    def checked(self, source: str = "qrels") -> Qrels:
        """The judgments, repeated ones dropped, or an error that names two that contradict each other."""
        if not len(self):
            raise DataError(f"{source}: empty: there is no judgment")
        return self if self.first_duplicate() is None else self._without_repeats(source)

    def _without_repeats(self, source: str) -> Qrels:
        seen: dict[tuple[str, str], int] = {}
        repeated = self.repeated
        for topic, document, grade in self.rows():
            known = seen.setdefault((topic, document), grade)
            if known != grade:
                raise ConflictError(f"{source}: document {document} has grades {known} and {grade} in topic {topic}")
        repeated += len(self) - len(seen)
        grades = np.fromiter(seen.values(), np.int32, len(seen))
        return Qrels.of_columns([t for t, _ in seen], [d for _, d in seen], grades, repeated=repeated)
