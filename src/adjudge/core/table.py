"""Rows of (topic, document, number), grouped by topic: what runs and judgments have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from . import fallback
from .columns import column, read_only
from .errors import ConflictError, DataError
from .kernel import native, parts_for, slots_for, together
from .result import Result
from .strings import CodedStrings, Strings

if TYPE_CHECKING:
    import numpy.typing as npt

loops: Any = native("judging") or fallback

INDEX_PIECE = 500_000
"""Rows below which a second thread costs more than it brings."""


@dataclass(frozen=True, eq=False, repr=False)
class Table(Result):
    """Topics in the order of the file; the rows of topic ``t`` are ``offsets[t]`` to ``offsets[t + 1]``.

    Two tables are equal if they hold the same rows, in whatever order and under whatever name.
    """

    topics: tuple[str, ...]
    offsets: npt.NDArray[np.int64]
    documents: Strings
    numbers: npt.NDArray[Any]

    column_name: ClassVar[str] = "numbers"
    column_type: ClassVar[str | None] = None
    """What the numbers are called and the type they are held in; None where whoever makes the table knows it."""

    def __post_init__(self) -> None:
        offsets, numbers = column(self.offsets, np.int64, "offsets"), self._column(self.numbers)
        object.__setattr__(self, "offsets", read_only(offsets))
        object.__setattr__(self, "numbers", read_only(numbers))
        if len(numbers) != len(self.documents):
            raise DataError(f"{len(self.documents):,} documents and {len(numbers):,} numbers: not of one length")
        whole = len(offsets) == len(self.topics) + 1 and offsets[0] == 0 and offsets[-1] == len(numbers)
        if not whole or bool((offsets[1:] < offsets[:-1]).any()):
            raise DataError(f"offsets of {len(self.topics):,} topics must ascend from 0 to {len(numbers):,}")

    @classmethod
    def _column(cls, numbers: npt.ArrayLike, source: str = "") -> npt.NDArray[Any]:
        kind = cls.column_type or np.asarray(numbers).dtype
        return column(numbers, kind, f"{source}: {cls.column_name}" if source else cls.column_name)

    def __repr__(self) -> str:
        name = getattr(self, "name", "")
        return f"{type(self).__name__}({name + ': ' if name else ''}{len(self.topics):,} topics, {len(self):,} rows)"

    @classmethod
    def of_codes(
        cls,
        codes: npt.NDArray[np.int64],
        topics: Sequence[str],
        documents: Strings,
        numbers: npt.NDArray[Any],
        **more: Any,
    ) -> Self:
        """From one topic code per row, in any order; rows of a topic keep their order."""
        counts = np.bincount(codes, minlength=len(topics))
        offsets = np.zeros(len(topics) + 1, np.int64)
        np.cumsum(counts, out=offsets[1:])
        if np.any(codes[1:] < codes[:-1]):
            order = np.argsort(codes, kind="stable")
            documents, numbers = documents.take(order), numbers[order]
        return cls(tuple(topics), offsets, documents, numbers, **more)

    @classmethod
    def of_columns(
        cls, topics: Sequence[str], documents: Sequence[str], numbers: npt.NDArray[Any], source: str = "", **more: Any
    ) -> Self:
        """From three columns of equal length, one row each; checked."""
        numbers = cls._column(numbers, source)
        if not len(topics) == len(documents) == len(numbers):
            raise DataError(
                f"{len(topics)} topics, {len(documents)} documents, {len(numbers)} numbers: not of one length"
            )
        strings = documents if isinstance(documents, Strings) else Strings.of(documents)
        if isinstance(topics, CodedStrings):
            codes, names = topics.codes, list(topics.names)
        else:
            seen: dict[str, int] = {}
            codes = np.fromiter((seen.setdefault(t, len(seen)) for t in topics), np.int64, len(topics))
            names = list(seen)
        table = cls.of_codes(codes, names, strings, numbers, **more)
        return table.validate(source or cls.__name__.lower())

    def validate(self, source: str) -> Self:
        """The table itself, or an error that names what is wrong with it; runs and judgments have more to check."""
        if not len(self):
            raise DataError(f"{source}: empty")
        return self

    def __len__(self) -> int:
        return len(self.documents)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Table) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def position(self) -> Mapping[str, int]:
        return {topic: i for i, topic in enumerate(self.topics)}

    def rows(self) -> Iterator[tuple[str, str, Any]]:
        """(topic, document, number), topic by topic."""
        documents = iter(self.documents)
        numbers = self.numbers.tolist()
        for t, topic in enumerate(self.topics):
            for row in range(int(self.offsets[t]), int(self.offsets[t + 1])):
                yield topic, next(documents), numbers[row]

    def topic_column(self) -> list[str]:
        """The topic of every row."""
        column: list[str] = []
        for topic, count in zip(self.topics, np.diff(self.offsets).tolist(), strict=True):
            column.extend([topic] * count)
        return column

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """{topic: {document: number}}, as pytrec_eval and ranx take it."""
        nested: dict[str, dict[str, Any]] = {topic: {} for topic in self.topics}
        for topic, document, number in self.rows():
            nested[topic][document] = number
        return nested

    def first_duplicate(self) -> tuple[int, int] | None:
        """The rows of the first document that occurs twice in one topic: (row, earlier row), or None."""
        if not len(self):
            return None
        largest = int(np.diff(self.offsets).max())
        parts = parts_for(len(self), INDEX_PIECE)
        cuts = self.cuts(parts)
        strings = self.documents

        def look(part: int) -> tuple[int, int] | None:
            scratch = np.zeros(slots_for(largest), np.int32)
            rows: tuple[int, int] | None = loops.index(
                strings.data, strings.starts, strings.lengths, self.offsets, scratch, None, cuts[part], cuts[part + 1]
            )
            return rows

        return next((rows for rows in together(look, parts) if rows), None)

    def topics_with_duplicates(self) -> list[int]:
        """The numbers of the topics in which some document occurs twice."""
        if self.first_duplicate() is None:
            return []
        scratch = np.zeros(slots_for(int(np.diff(self.offsets).max())), np.int32)
        data, starts, lengths = self.documents.data, self.documents.starts, self.documents.lengths
        return [
            topic
            for topic in range(len(self.topics))
            if loops.index(data, starts, lengths, self.offsets, scratch, None, topic, topic + 1) is not None
        ]

    def cuts(self, parts: int) -> list[int]:
        """Topic numbers that cut the rows into so many parts of about the same size."""
        inner = [int(np.searchsorted(self.offsets, len(self) * part // parts)) for part in range(1, parts)]
        return [0, *inner, len(self.topics)]

    @cached_property
    def index(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Hash tables of the documents of each topic: slots, and where the table of each topic begins."""
        sizes = [slots_for(rows) for rows in np.diff(self.offsets).tolist()]
        slot_offsets = np.zeros(len(sizes) + 1, np.int64)
        np.cumsum(sizes, out=slot_offsets[1:])
        slots = np.zeros(int(slot_offsets[-1]), np.int32)
        strings = self.documents
        twice = loops.index(
            strings.data, strings.starts, strings.lengths, self.offsets, slots, slot_offsets, 0, len(self.topics)
        )
        if twice is not None:
            raise ConflictError(f"document {strings[twice[0]]} occurs twice in a topic")
        return slots, slot_offsets
