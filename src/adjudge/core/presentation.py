"""The one door through which a value asks the rooms above how it is shown.

A value holds facts. When somebody prints a note or looks at a result in a notebook, the sentence or the table comes
from the rooms ``words`` and ``report``, which import this one and not the other way round. So they are looked up by
name, when they are needed, and nowhere else in the lower rooms.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def sentence_of(note: Any) -> str:
    """The sentence for a note."""
    text: str = import_module("adjudge.words.notes").sentence(note)
    return text
