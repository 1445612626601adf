"""What a layout of scanned pages is: it gives the words of pages with their boxes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar, NamedTuple

from ...core.document import Document
from .layout import Layout, ReadingTally
from .page_text import PageText, assemble
from .streams import Stream


class Bytes(NamedTuple):
    """The content of one file: its name for messages, its bytes in pieces, and its path if it lies there as it is."""

    name: str
    pieces: Callable[[], Iterable[bytes]]
    path: str | None = None

    def whole(self) -> bytes:
        return b"".join(self.pieces())


class ScanLayout(Layout):
    """How the words of scanned pages lie in a file, one page or more."""

    has_text: ClassVar[bool] = True
    """Whether such a file has words of its own; an image has none."""

    @abstractmethod
    def pages(self, content: Bytes) -> Iterator[PageText]:
        """The pages of one file; a DataError that names it if it is not what it should be."""

    def read(self, stream: Stream, tally: ReadingTally) -> Iterator[Document]:  # noqa: ARG002  nothing to tell
        """The whole file as one document."""
        pieces = list(stream)
        pages = list(self.pages(Bytes(stream.name, lambda: pieces)))
        text, scanned = assemble([page.settle() for page in pages])
        yield Document(stream.id, text, "", scanned)
