"""The one door through which a value asks the rooms above how it is shown.

A value holds facts. When somebody prints a note, asks a result for its conclusion or looks at it in a notebook, the
sentence or the table comes from the rooms ``words`` and ``report``, which import this one and not the other way round.
So they are looked up by name, when they are needed, and nowhere else in the lower rooms.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def sentence_of(note: Any) -> str:
    """The sentence for a note."""
    text: str = import_module("adjudge.words.notes").sentence(note)
    return text


def conclusion_of(result: Any, **asked: Any) -> str:
    """What a result comes to, in a sentence or two."""
    text: str = import_module("adjudge.words.conclusions").conclusion_of(result, **asked)
    return text


def html_of(value: Any) -> str:
    """A value as HTML for a notebook."""
    text: str = import_module("adjudge.report.notebook").html_of(value)
    return text
