"""Notes on pools, samples and judges."""

from __future__ import annotations

from ..core.english import some
from ..core.note import Note
from .speech import sentence


@sentence
def topics_not_pooled(note: Note) -> str:
    return f"{note.subject}: {some(note['topics'])} is not among the topics, and not pooled"


@sentence
def topics_without_pool(note: Note) -> str:
    return f"no run has a document for {some(note['topics'])}: nothing is judged there"


@sentence
def documents_not_pooled(note: Note) -> str:
    return f"{note['count']:,} pooled documents are not in the collection and are left out, {note['first']} the first"


@sentence
def judgments_outside_pool(note: Note) -> str:
    return f"{note.subject}: {note['count']:,} judgments are of documents outside the pool"


@sentence
def pairs_answered_before(note: Note) -> str:
    return f"{note.subject}: {note['count']:,} pairs were answered before and are not asked again"


@sentence
def torn_answer(note: Note) -> str:
    return f"{note.subject}: the last line is not whole, and that pair is asked again"
