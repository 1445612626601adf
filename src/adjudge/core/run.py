"""A run: what a system retrieved for each topic, with the scores it gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from .errors import ConflictError, DataError
from .note import Note
from .table import Table

LONG = 3
"""Documents of a list in which equal scores are odd."""

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, eq=False, repr=False)
class Run(Table):
    """Rows (topic, document, score), grouped by topic; scores are finite and a document occurs once in a topic.

    The rank that a file may state is ignored, as trec_eval does: the score decides. A run may be empty, when a system
    found nothing at all; a file without a line is refused where files are read.
    """

    column_name: ClassVar[str] = "scores"
    column_type: ClassVar[str | None] = "float64"
    name: str = "run"
    notes: tuple[Note, ...] = ()
    """What was noted when it was read: that chunks became documents, or what is odd about the file."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """What the file says of how the run was made, in its ir_metadata header."""

    @property
    def scores(self) -> npt.NDArray[np.float64]:
        return self.numbers

    @property
    def tied_topics(self) -> tuple[str, ...]:
        """Topics of three and more documents that all have the same score, so that nothing but ids orders them."""
        first, end = self.offsets[:-1], self.offsets[1:]
        long = np.flatnonzero(end - first >= LONG)
        suspects = long[self.numbers[first[long]] == self.numbers[end[long] - 1]]
        same = [t for t in suspects.tolist() if np.ptp(self.numbers[self.offsets[t] : self.offsets[t + 1]]) == 0]
        return tuple(self.topics[t] for t in same)

    @classmethod
    def empty(cls, name: str = "run") -> Self:
        """The run of a system that found nothing."""
        return cls.of_columns([], [], np.zeros(0), name=name)

    def validate(self, source: str = "run") -> Self:
        """The run itself, or an error that names what is wrong with it."""
        finite = np.isfinite(self.numbers)
        if not finite.all():
            row = int(np.flatnonzero(~finite)[0])
            topic = self.topics[int(np.searchsorted(self.offsets, row, "right")) - 1]
            what = f"{self.documents[row]} in topic {topic}"
            raise DataError(f"{source}: the score of document {what} is {self.numbers[row]}, not a finite number")
        self.refuse_repeated(source)
        return self

    def refuse_repeated(self, source: str) -> None:
        """An error that names the first document that occurs twice in a topic, if there is one."""
        twice = self.first_duplicate()
        if twice is not None:
            topic = self.topics[int(np.searchsorted(self.offsets, twice[0], "right")) - 1]
            raise RepetitionError(source, topic, self.documents[twice[0]])


class RepetitionError(ConflictError):
    """One document retrieved twice for a topic; who reads files adds the line."""

    def __init__(self, source: str, topic: str, document: str) -> None:
        self.topic, self.document = topic, document
        self.why = f"document {document} occurs twice in topic {topic}"
        super().__init__(f"{source}: {self.why}")
