"""What a degrader is: something that turns a document into what a noisy channel leaves of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from ..core.document import Document
from ..core.note import Note

NOTHING: Mapping[Note, int] = MappingProxyType({})


class Degraded(NamedTuple):
    """What became of one document. It has no title: a true title would betray what the noise hides."""

    id: str
    text: str
    pages: int = 1
    failures: tuple[str, ...] = ()
    """Pages that could not be read, as ``page 3: why``; their places in the text are empty."""
    notes: Mapping[Note, int] = NOTHING
    """How often something happened that a user should know: characters without a glyph, say."""


class Degrader(ABC):
    """Turns documents into degraded ones; can be pickled, because worker processes have one each.

    What a document becomes depends on the seed, its id and the parameters, never on the documents before it.
    """

    task: ClassVar[str] = "degrade"
    """The kind of task that its work is (core/progress.py)."""

    @abstractmethod
    def degrade(self, document: Document) -> Degraded:
        """One document; pages that fail are reported in what is returned, not raised."""

    @property
    @abstractmethod
    def settings(self) -> dict[str, object]:
        """All that determines what comes out, with the versions of programs, fit for JSON."""

    def patience(self, document: Document) -> float:
        """Seconds after which a worker that is still at this document is taken to hang, and is ended.

        The default is ten minutes and two for each page of 2,000 characters.
        """
        return 600 + 0.06 * len(document.text)

    @property
    def description(self) -> str:
        """One line for people: the settings."""
        return ", ".join(f"{name} {value}" for name, value in self.settings.items())
