"""A note: something that a user should know about the data or the work, as facts.

Rooms make notes, pass them on, count them and drop them by their kind. Only the room ``words`` turns one into a
sentence, so that a sentence can change without changing what the program does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
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
    origin: tuple[str, ...] = ()
    """Whose note was passed on, the last to do so first: a member of a fusion, for example."""

    @classmethod
    def of(cls, kind: str, subject: str = "", **facts: Any) -> Self:
        """A note with facts by name; lists become tuples."""
        return cls(kind, subject, tuple((name, _plain(value)) for name, value in facts.items()))

    def __getitem__(self, name: str) -> Any:
        for key, value in self.facts:
            if key == name:
                return value
        raise KeyError(name)

    def adding(self, **facts: Any) -> Self:
        """The same with more facts."""
        return replace(self, facts=self.facts + self.of(self.kind, **facts).facts)

    def about(self, subject: str) -> Self:
        """The same of another subject."""
        return replace(self, subject=subject)

    def pass_on(self, by: str) -> Self:
        """The same, passed on from ``by``."""
        return replace(self, origin=(by, *self.origin))

    def to_json(self) -> list[Any]:
        """Kind, subject and facts, as JSON can hold them; the origin too, if there is one."""
        return [self.kind, self.subject, dict(self.facts), *([list(self.origin)] if self.origin else [])]

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """The note that :meth:`to_json` wrote; a ValueError if it is something else."""
        if not (isinstance(data, list) and len(data) in {3, 4} and isinstance(data[2], Mapping)):
            raise ValueError("not a note")
        kind, subject, facts, origin = data if len(data) == 4 else (*data, [])
        texts = [kind, subject, *origin] if isinstance(origin, list) else [None]
        if not all(isinstance(text, str) for text in texts):
            raise ValueError("not a note")
        try:
            note = cls.of(kind, subject, **facts)
        except TypeError:
            raise ValueError("not a note") from None
        return replace(note, origin=tuple(origin))

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
