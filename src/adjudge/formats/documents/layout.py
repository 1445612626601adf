"""What a layout of documents is, and the tally of what a pass met that a user should know."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

from ...core.document import Document
from ...core.registry import Registry
from ...core.spec import Component
from .streams import Stream

SHOWN = 5
"""So many examples of a kind are named in a note; the rest is a number."""

SURROGATE = re.compile("[\ud800-\udfff]")


class Some(list[str]):
    """The first few of many, and how many more there were: a damaged collection must not fill the memory with notes."""

    more = 0

    def append(self, text: str) -> None:
        if len(self) < SHOWN:
            super().append(text)
        else:
            self.more += 1


class Tally:
    """What one pass over documents met: replaced bytes, documents without text, unknown entities, files left out."""

    def __init__(self) -> None:
        self.documents = self.replaced = self.damaged = self.empty = 0
        self.first_damaged = self.first_empty = ""
        self.entities: Counter[str] = Counter()
        self.left_out = Some()
        self.remarks = Some()

    def decode(self, raw: bytes, place: str) -> str:
        """UTF-8; bytes that are none become U+FFFD and are counted."""
        try:
            return raw.decode()
        except UnicodeDecodeError:
            text = raw.decode("utf-8", "replace")
            self.count_replaced(text.count("\ufffd") - raw.count(b"\xef\xbf\xbd"), place)
            return text

    def valid(self, text: str, place: str) -> str:
        """Text without halves of surrogate pairs, which JSON can escape and nobody can write."""
        text, number = SURROGATE.subn("\ufffd", text)
        if number:
            self.count_replaced(number, place)
        return text

    def count_replaced(self, number: int, place: str) -> None:
        self.first_damaged = self.first_damaged or place
        self.replaced += number
        self.damaged += 1

    def count(self, document: Document) -> None:
        self.documents += 1
        if not document.text:
            self.first_empty = self.first_empty or document.id
            self.empty += 1

    def notes(self) -> tuple[str, ...]:
        notes = []
        if self.replaced:
            places = "1 place" if self.damaged == 1 else f"{self.damaged} places"
            what = "1 sequence of bytes is" if self.replaced == 1 else f"{self.replaced} sequences of bytes are"
            notes.append(f"{what} not UTF-8 and became U+FFFD, in {places}, first in {self.first_damaged}")
        if self.empty == 1:
            notes.append(f"1 document has no text: {self.first_empty}")
        elif self.empty:
            notes.append(f"{self.empty} documents have no text, first {self.first_empty}")
        if self.entities:
            named = ", ".join(f"&{name}; {number}×" for name, number in self.entities.most_common(SHOWN))
            rest = "" if len(self.entities) <= SHOWN else f" and {len(self.entities) - SHOWN} others"
            notes.append(f"unknown entities became a blank: {named}{rest}")
        if self.left_out:
            rest = f" and {self.left_out.more} other files" if self.left_out.more else ""
            notes.append(f"left out as of another kind: {', '.join(self.left_out)}{rest}")
        notes += self.remarks
        if self.remarks.more:
            notes.append(f"and {self.remarks.more} more remarks of this kind")
        return tuple(notes)


class Layout(Component, ABC):
    """How documents lie in a file."""

    endings: ClassVar[tuple[str, ...]] = ()
    """Files that end so are of this layout, or ought to be."""

    @classmethod
    @abstractmethod
    def shows(cls, head: bytes) -> bool:
        """Whether the beginning of a file is unmistakably of this layout."""

    @abstractmethod
    def read(self, stream: Stream, tally: Tally) -> Iterator[Document]:
        """The documents of one file."""

    def takes(self, stream: Stream) -> bool:
        """Whether a file that was found in a folder or archive belongs to a collection of this layout."""
        return stream.plain_name.lower().endswith(self.endings) or self.shows(stream.head)

    def ignores(self, stream: Stream) -> bool:  # noqa: ARG002  for layouts that know better
        """Whether a file that does not belong to the collection is left out without a word."""
        return False


def titled(title: str, text: str) -> str:
    """A text that begins with its title, which it may do already."""
    rest = text[len(title) :]
    return text if text.startswith(title) and not rest[:1].isalnum() else f"{title}\n{text}".strip()


layouts: Registry[Layout] = Registry("layout of documents", "adjudge.formats.documents.layouts", Layout)
