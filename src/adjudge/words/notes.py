"""A sentence for every kind of note: one function a kind, named as the kind is."""

from __future__ import annotations

from ..core.note import Note
from .speech import SENTENCES
from .speech import sentence as spoken


def sentence(note: Note) -> str:
    """The sentence for a note."""
    text = SENTENCES[f"notes.{note.kind}"](note)
    if not isinstance(text, str):
        raise TypeError(f"the sentence for {note.kind} is no text")
    return text


@spoken
def printed(note: Note) -> str:
    """A line that a program printed while it worked."""
    return str(note["text"])
