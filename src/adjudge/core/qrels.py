"""Relevance judgments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from .errors import ConflictError, DataError
from .table import Table

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, eq=False, repr=False)
class Qrels(Table):
    """Rows (topic, document, grade), grouped by topic; a document is judged once in a topic.

    A grade is an integer of 32 bits; a negative one means that the document was in the pool but was not judged.
    """

    column_name: ClassVar[str] = "grades"
    column_type: ClassVar[str | None] = "int32"
    repeated: int = 0
    """Judgments that the source had twice with the same grade; each is counted once."""

    @property
    def grades(self) -> npt.NDArray[np.int32]:
        return self.numbers

    def validate(self, source: str = "qrels") -> Self:
        """The judgments, repeated ones dropped, or an error that names two that contradict each other."""
        if not len(self):
            raise DataError(f"{source}: empty: there is no judgment")
        unique = np.ones(len(self), bool)
        for topic in self.topics_with_duplicates():
            known: dict[str, int] = {}
            first, last = int(self.offsets[topic]), int(self.offsets[topic + 1])
            for row, document in enumerate(self.documents[first:last], first):
                grade = int(self.grades[row])
                unique[row] = document not in known
                if known.setdefault(document, grade) != grade:
                    raise ContradictionError(source, self.topics[topic], document, known[document], grade)
        if unique.all():
            return self
        codes = np.repeat(np.arange(len(self.topics)), np.diff(self.offsets))[unique]
        repeated = self.repeated + int((~unique).sum())
        documents = self.documents.take(np.flatnonzero(unique))
        return self.of_codes(codes, self.topics, documents, self.grades[unique], repeated=repeated)


class ContradictionError(ConflictError):
    """One document judged twice with different grades."""

    def __init__(self, source: str, topic: str, document: str, before: int, now: int) -> None:
        self.topic, self.document, self.before, self.now = topic, document, before, now
        self.why = f"document {document} was judged {before} before in topic {topic}, now {now}"
        super().__init__(f"{source}: document {document} has grades {before} and {now} in topic {topic}")
