"""A note: something that a user should know about the data or the work, as facts.

Rooms make notes, pass them on, count them and drop them by their kind. Only the room ``words`` turns one into a
sentence, so that a sentence can change without changing what the program does.
"""

from __future__ import annotations

from collections.abc import Mapping

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from typing import Any, NoReturn, Self

Fact = str | int | float | bool | None | tuple[str, ...]
"""What a note can hold: plain values, so that it survives JSON."""


class Note:
    """What kind of thing happened, what it is about, and the facts of it.

    >>> note = Note.of("topics_unjudged", "bm25", topics=["7", "9"])
    >>> note.kind, note.subject, note["topics"]
    ('topics_unjudged', 'bm25', ('7', '9'))
    >>> Note.from_json(note.to_json()) == note
    True

    A value that never changes, written without ``dataclass``: loading that takes longer than evaluating a small run.
    """

    __slots__ = ("facts", "kind", "origin", "subject")

    kind: str
    """A name in small letters, ``topics_unjudged``; ``words`` has a sentence for each."""
    subject: str
    """What the note is about: the name of a run, of a version, a topic, a file."""
    facts: tuple[tuple[str, Fact], ...]
    """Names and values in the order in which they were given."""
    origin: tuple[str, ...]
    """Whose note was passed on, the last to do so first: a member of a fusion, for example."""

    def __init__(
        self, kind: str, subject: str = "", facts: tuple[tuple[str, Fact], ...] = (), origin: tuple[str, ...] = ()
    ) -> None:
        for name, value in (("kind", kind), ("subject", subject), ("facts", facts), ("origin", origin)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a note cannot be changed: {name}")

    def _values(self) -> tuple[Any, ...]:
        return self.kind, self.subject, self.facts, self.origin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Note) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        return f"Note(kind={self.kind!r}, subject={self.subject!r}, facts={self.facts!r}, origin={self.origin!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._values()

    def having(self, **changes: Any) -> Self:
        """The same but for these."""
        return type(self)(**{name: getattr(self, name) for name in self.__slots__} | changes)

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
        return self.having(facts=self.facts + self.of(self.kind, **facts).facts)

    def about(self, subject: str) -> Self:
        """The same of another subject."""
        return self.having(subject=subject)

    def pass_on(self, by: str) -> Self:
        """The same, passed on from ``by``."""
        return self.having(origin=(by, *self.origin))

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
        return note.having(origin=tuple(origin))

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
