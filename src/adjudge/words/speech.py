"""How the sentences of this room are kept: every one is a function of facts, registered by its name.

A call goes through the table :data:`SENTENCES`. So a test can replace every sentence by its name and see that no figure
changes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
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
