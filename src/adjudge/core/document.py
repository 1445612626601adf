"""Documents: what is searched."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from .note import Note

if TYPE_CHECKING:
    from .scanned_page import ScannedPage


class Document(NamedTuple):
    """An id and a text; a title if the source has one, which is also part of the text; pages if it was scanned.

    Fields are what else is known of it, as names and values: ("year", "1912"). A name may stand there several times.
    """

    id: str
    text: str
    title: str = ""
    pages: tuple[ScannedPage, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        more = "".join(f", {name}={value!r}" for name, value in zip(self._fields[3:], self[3:], strict=True) if value)
        return f"Document(id={self.id!r}, text={self.text!r}, title={self.title!r}{more})"


class Documents(ABC):
    """Documents that can be gone through again and again and need not fit in memory."""

    @abstractmethod
    def __iter__(self) -> Iterator[Document]:
        """One document after the other, always in the same order."""

    @property
    def size(self) -> int:
        """Bytes that are read in one pass, for progress; 0 if that is not known beforehand."""
        return 0

    @property
    def read(self) -> int:
        """Bytes that the pass under way has read so far."""
        return 0

    @property
    def source(self) -> str:
        """The folder to which the places of page images are relative; '' if there are none."""
        return ""

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the last whole pass met that a user should know: bytes that were no UTF-8, documents without text."""
        return ()

    def look(self, first: int, share: int) -> Iterator[Document]:
        """The first documents and one of so many of the others, to see of what kind they are."""
        return (document for number, document in enumerate(self) if number < first or number % share == 0)

    def divide(self, size: int) -> Sequence[DocumentsPart]:
        """The same documents in parts of about so many bytes, to be read apart; none where that cannot be done."""
        del size
        return ()

    def conclude(self, reports: Sequence[Any]) -> None:
        """Take note of what was met in the parts, as if this had been gone through."""
        del reports


class DocumentsPart(ABC):
    """Some of the documents of a collection, which another process can read: it is sent there as it is."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Bytes that are read."""

    @property
    @abstractmethod
    def kinds(self) -> tuple[tuple[str, str], ...]:
        """Module and name of the classes that read them, which must be the same in the other process."""

    @abstractmethod
    def __iter__(self) -> Iterator[Document]:
        """Its documents in order."""

    @property
    @abstractmethod
    def report(self) -> Any:
        """What the collection must know of a pass over this part, once it is over."""


class InMemory(Documents):
    """Documents that were given one by one."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents: Sequence[Document] = tuple(documents)

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)


class Chosen(Documents):
    """The documents that a rule takes by their ids: a month of a year, or those that other versions have too."""

    def __init__(self, documents: Documents, rule: Callable[[str], bool]) -> None:
        self.documents, self.rule = documents, rule

    def __iter__(self) -> Iterator[Document]:
        return (document for document in self.documents if self.rule(document.id))

    @property
    def size(self) -> int:
        return self.documents.size

    @property
    def read(self) -> int:
        return self.documents.read


class Joined(Documents):
    """Several collections, one after the other."""

    def __init__(self, parts: Sequence[Documents]) -> None:
        self.parts = tuple(parts)
        self._before, self._now = 0, 0

    def __iter__(self) -> Iterator[Document]:
        self._before = 0
        for place, part in enumerate(self.parts):
            self._now = place
            yield from part
            self._before += part.size
        self._now = len(self.parts)

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)

    @property
    def read(self) -> int:
        return self._before + (self.parts[self._now].read if self._now < len(self.parts) else 0)


def batches(documents: Iterable[Document], characters: int) -> Iterator[list[Document]]:
    """Lists of documents with about so many characters together, at least one in each."""
    stream = iter(documents)
    while first := list(islice(stream, 1)):
        batch, room = first, characters - len(first[0].text)
        while room > 0 and (more := list(islice(stream, 1))):
            batch += more
            room -= len(more[0].text)
        yield batch
