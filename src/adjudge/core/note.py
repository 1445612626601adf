"""A note: something that a user should know about the data or the work, as facts.

Rooms make notes, pass them on, count them and drop them by their kind. Only the room ``words`` turns one into a
sentence, so that a sentence can change without changing what the program does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

Fact = str | int | float | bool | None | tuple[str, ...]
"""What a note can hold: plain values, so that it survives JSON."""


@dataclass(frozen=True)
class Note:
    """What kind of thing happened, what it is about, and the facts of it.

    >>> note = Note.of("topics_unjudged", "bm25", topics=["7", "9"])
    >>> note.kind, note.subject, note["topics"]
    ('topics_unjudged', 'bm25', ('7', '9'))
    >>> Note.from_json(note.to_json()) == note
    True
    """

    kind: str
    """A name in small letters, ``topics_unjudged``; ``words`` has a sentence for each."""
    subject: str = ""
    """What the note is about: the name of a run, of a version, a topic, a file."""
    facts: tuple[tuple[str, Fact], ...] = ()
    """Names and values in the order in which they were given."""

    @classmethod
    def of(cls, kind: str, subject: str = "", **facts: Any) -> Self:
        """A note with facts by name; lists become tuples."""
        return cls(kind, subject, tuple((name, _plain(value)) for name, value in facts.items()))

    def __getitem__(self, name: str) -> Any:
        for key, value in self.facts:
            if key == name:
                return value
        raise KeyError(name)

    def to_json(self) -> list[Any]:
        """Kind, subject and facts, as JSON can hold them."""
        return [self.kind, self.subject, dict(self.facts)]

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """The note that :meth:`to_json` wrote; a ValueError if it is something else."""
        if not (isinstance(data, list) and len(data) == 3 and isinstance(data[2], Mapping)):
            raise ValueError("not a note")
        kind, subject, facts = data
        if not (isinstance(kind, str) and isinstance(subject, str)):
            raise ValueError("not a note")
        return cls.of(kind, subject, **facts)

    def __str__(self) -> str:
        """The sentence for it."""
        from .presentation import sentence_of

        return sentence_of(self)


def _plain(value: Any) -> Fact:
    if isinstance(value, list | tuple):
        return tuple(str(item) for item in value)
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise TypeError(f"a note holds plain values, not {type(value).__name__}")
