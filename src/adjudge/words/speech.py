"""Register sentences: every one is a function of facts with a name.

A call goes through the table :data:`SENTENCES`. So a test can replace every sentence by its name and see that no figure
changes.
"""

from __future__ import annotations

from functools import wraps

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import ParamSpec, TypeVar

    P = ParamSpec("P")
    Words = TypeVar("Words", str, list[str], tuple[str, ...])

SENTENCES: dict[str, Callable[..., object]] = {}
"""Every function of this room that makes words, by module and name: ``notes.topics_unjudged``."""


def sentence(function: Callable[P, Words]) -> Callable[P, Words]:
    """Register a function that makes a sentence, or several, of facts."""
    name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
    SENTENCES[name] = function

    @wraps(function)
    def speak(*args: P.args, **kwargs: P.kwargs) -> Words:
        words: Words = SENTENCES[name](*args, **kwargs)  # type: ignore[assignment]
        return words

    return speak


class Name(str):
    """A name from the data inside a sentence that is made of pieces: a page sets it apart from its own text."""

    __slots__ = ()


class MeasureName(Name):
    """The name of a measure, which a page can explain."""

    __slots__ = ()


class Strong(str):
    """A piece that stands out."""

    __slots__ = ()


def named_list(names: Sequence[str], most: int = 5) -> list[str]:
    """List names as pieces: ``A`` · ``A and B`` · ``A, B, C and 7 more``, no more than ``most`` parts."""
    parts = [Name(name) for name in (names if len(names) <= most else names[: most - 1])]
    pieces = [*parts, f"{len(names) - most + 1} more"] if len(names) > most else list[str](parts)
    text = pieces[:1]
    for place, piece in enumerate(pieces[1:], 2):
        text += [" and " if place == len(pieces) else ", ", piece]
    return text
