"""What a layout of documents is, and the tally of what a pass met that a user should know."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar, TypeVar

from ...core.document import Document
from ...core.note import Note
from ...core.registry import Registry
from ...core.spec import Component
from .streams import Stream

SHOWN = 5
"""So many examples of a kind are named in a note; the rest is a number."""

LONGEST_FIELD = 200
"""Characters of a value of a field; longer ones are texts that nobody chooses documents by."""

Item = TypeVar("Item")
SURROGATE = re.compile("[\ud800-\udfff]")


class Some(list[Item]):
    """The first few of many, and how many more there were: a damaged collection must not fill the memory with notes."""

    more = 0

    def append(self, item: Item) -> None:
        if len(self) < SHOWN:
            super().append(item)
        else:
            self.more += 1


class ReadingTally:
    """What one pass over documents met: replaced bytes, documents without text, unknown entities, files left out."""

    def __init__(self) -> None:
        self.documents = self.replaced = self.damaged = self.empty = 0
        self.first_damaged = self.first_empty = ""
        self.entities: Counter[str] = Counter()
        self.left_out = Some[str]()
        self.outside = Some[Note]()

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

    def add(self, note: Note) -> None:
        """Count what the tally of a part of the documents noted, so that a note of each kind is about all parts."""
        if note.kind == "bytes_replaced":
            self.replaced += note["sequences"]
            self.damaged += note["places"]
            self.first_damaged = self.first_damaged or note["first"]
        elif note.kind == "documents_without_text":
            self.empty += note["count"]
            self.first_empty = self.first_empty or note["first"]
        elif note.kind == "entities_unknown":
            self.entities.update(dict(zip(note["names"], map(int, note["times"]), strict=True)))
        elif note.kind == "files_of_another_kind":
            for file in note["files"]:
                self.left_out.append(file)
            self.left_out.more += note["others"]
        elif note.kind == "text_outside":
            self.outside.append(note)
        elif note.kind == "more_text_outside":
            self.outside.more += note["count"]
        else:
            raise ValueError(f"a tally has no notes of the kind {note.kind}")

    def notes(self, entities: int | None = SHOWN) -> tuple[Note, ...]:
        """What there is to know, a note for each kind of thing that was met; so many unknown entities are named."""
        notes: list[Note] = []
        if self.replaced:
            first = self.first_damaged
            notes.append(Note.of("bytes_replaced", sequences=self.replaced, places=self.damaged, first=first))
        if self.empty:
            notes.append(Note.of("documents_without_text", count=self.empty, first=self.first_empty))
        if self.entities:
            names, times = zip(*self.entities.most_common(entities), strict=True)
            others = len(self.entities) - len(names)
            notes.append(Note.of("entities_unknown", names=names, times=times, others=others))
        if self.left_out:
            notes.append(Note.of("files_of_another_kind", files=self.left_out, others=self.left_out.more))
        notes += self.outside
        if self.outside.more:
            notes.append(Note.of("more_text_outside", count=self.outside.more))
        return tuple(notes)


class Layout(Component, ABC):
    """How documents lie in a file."""

    endings: ClassVar[tuple[str, ...]] = ()
    """Files that end so are of this layout, or ought to be."""

    section: ClassVar[bytes | None] = None
    """What a line begins with where a large file may be cut into sections that are read apart, as a pattern: empty
    where each line is a document, none where files are read whole."""

    @classmethod
    @abstractmethod
    def shows(cls, head: bytes) -> bool:
        """Whether the beginning of a file is unmistakably of this layout."""

    @abstractmethod
    def read(self, stream: Stream, tally: ReadingTally) -> Iterator[Document]:
        """The documents of one file."""

    def takes(self, stream: Stream) -> bool:
        """Whether a file that was found in a folder or archive belongs to a collection of this layout."""
        return stream.plain_name.lower().endswith(self.endings) or self.shows(stream.head)

    def ignores(self, stream: Stream) -> bool:  # noqa: ARG002  for layouts that know better
        """Whether a file that does not belong to the collection is left out without a word."""
        return False


def fields_in(record: Mapping[str, Any], known: Collection[str]) -> tuple[tuple[str, str], ...]:
    """What a record says of a document beside id, text and title: short texts, numbers, yes and no, and lists of them.

    >>> fields_in({"id": "7", "year": 1912, "place": ["Paris", "Rome"], "notes": {}}, ["id"])
    (('year', '1912'), ('place', 'Paris'), ('place', 'Rome'))
    """
    fields = []
    for name, value in record.items():
        if name not in known:
            for one in value if isinstance(value, list | tuple) else (value,):
                text = one.strip() if isinstance(one, str) else str(one) if isinstance(one, bool | int | float) else ""
                if 0 < len(text) <= LONGEST_FIELD:
                    fields.append((name, SURROGATE.sub("\ufffd", text)))
    return tuple(fields)


def with_title(title: str, text: str) -> str:
    """A text that begins with its title, which it may do already, with line breaks at other places perhaps.

    >>> with_title("Solar power", "Solar\\npower in Florida"), with_title("Solar", "Solarium")
    ('Solar\\npower in Florida', 'Solar\\nSolarium')
    """
    return text if begins_with(text, title) else f"{title}\n{text}".strip()


def begins_with(text: str, title: str) -> bool:
    """Whether a text begins with the words of a title, whatever white space is between them."""
    at = 0
    for word in title.split():
        while text[at : at + 1].isspace():
            at += 1
        if not text.startswith(word, at) or text[at + len(word) : at + len(word) + 1].isalnum():
            return False
        at += len(word)
    return True


layouts: Registry[Layout] = Registry("layout of documents", "adjudge.formats.documents.layouts", Layout, "layouts")
