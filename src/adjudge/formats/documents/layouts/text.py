"""Plain text, one document a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ....core.document import Document
from ..layout import Layout, ReadingTally
from ..streams import Stream


@dataclass(frozen=True)
class TextLayout(Layout):
    """Plain text, one document a file; its id is its path in the folder without .txt.

    Example: the file notes/01/a.txt of the folder notes → 01/a.
    """

    name: ClassVar[str] = "text"
    aliases: ClassVar[tuple[str, ...]] = ("txt",)
    endings: ClassVar[tuple[str, ...]] = (".txt", ".text", ".md")

    @classmethod
    def shows(cls, head: bytes) -> bool:
        return b"\0" not in head

    def read(self, stream: Stream, tally: ReadingTally) -> Iterator[Document]:
        yield Document(stream.id, tally.decode(stream.whole(), stream.name).strip())
