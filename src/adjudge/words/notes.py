"""A sentence for every kind of note.

One function per kind, named as the kind is, in one of the modules ``notes_…`` of this room: they are sorted by what the
notes are about.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ..core.note import Note
from .speech import SENTENCES

SUBJECTS = ("measuring", "documents", "searching", "experiments", "collections", "pools")
"""What notes are about: the modules that hold their sentences."""


def sentence(note: Note) -> str:
    """Make the sentence for a note, with the names of those who passed it on before it."""
    text = SENTENCES[place_of(note.kind)](note)
    if not isinstance(text, str):
        raise TypeError(f"the sentence for {note.kind} is not a text")
    return "".join(f"{name}: " for name in note.origin) + text


def place_of(kind: str) -> str:
    """The name under which the sentence for a kind of note is registered; what notes are mostly about is looked at
    first, because a small run takes less time than loading all of them."""
    for subject in SUBJECTS:
        import_module(f"{__package__}.notes_{subject}")
        if (name := f"notes_{subject}.{kind}") in SENTENCES:
            return name
    raise KeyError(kind)


@cache
def kinds() -> dict[str, str]:
    """Every kind of note, with the name under which its sentence is registered."""
    places: dict[str, str] = {}
    for subject in SUBJECTS:
        module = import_module(f"{__package__}.notes_{subject}")
        for name in SENTENCES:
            room, _, kind = name.partition(".")
            if room == module.__name__.rpartition(".")[2]:
                if kind in places:
                    raise ValueError(f"two sentences for notes of the kind {kind}")
                places[kind] = name
    return places
