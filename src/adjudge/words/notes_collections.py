"""Notes on test collections while they are made."""

from __future__ import annotations

from ..core.english import quantity
from ..core.note import Note
from .speech import sentence

WITHOUT = {
    "Comments.xml": "no evidence in comments",
    "PostLinks.xml": "duplicates are not marked",
    "Votes.xml": "dates of acceptance and bounties are not known",
}
"""What is not known without a file of a dump."""


@sentence
def module_shadowed(note: Note) -> str:
    return f"{note.subject}: skipped: {note['file']} stands in the place of the library's module"


@sentence
def module_not_importable(note: Note) -> str:
    return f"{note.subject}: skipped: cannot be imported: {note['why']}"


@sentence
def source_not_read(note: Note) -> str:
    return f"{note.subject}: cannot be read, skipped: {note['why']}"


@sentence
def source_not_parsed(note: Note) -> str:
    return f"{note.subject}: cannot be parsed, skipped: {note['why']}"


@sentence
def target_not_in_library(note: Note) -> str:
    return f"question {note.subject}: its target {note['target']} is not in this Python's library, skipped"


@sentence
def file_of_dump_absent(note: Note) -> str:
    return f"no {note.subject} beside it: {WITHOUT[note.subject]}"


@sentence
def other_versions(note: Note) -> str:
    return f"{note['count']} ids of the corpus are other versions of one document: the last counts"


@sentence
def odd_ids_of_corpus(note: Note) -> str:
    of = f"{note['count']} of {quantity(note['size'], 'id')} of the corpus"
    return f"{of} are neither ids of arXiv nor DOIs, so nothing can cite them: {note.subject}"


@sentence
def answer_not_taken(note: Note) -> str:
    what = f"{note['document']} is {note['totality']} and {note['directness']} for micro-topic {note['micro_topic']}"
    return f"thread {note.subject}: {what}, not exported"


@sentence
def thread_without_answer(note: Note) -> str:
    return f"thread {note.subject}: accepted, and no document is total and direct, skipped"


@sentence
def no_candidates(note: Note) -> str:
    return f"{note.subject}: no thread has become a candidate, so there is nothing to assess"


@sentence
def thread_of_few(note: Note) -> str:
    return f"thread {note.subject}: finished by {note['people']} of {note['wanted']} people, skipped"


@sentence
def topic_without_judgment(note: Note) -> str:
    return f"topic {note.subject}: no judgment, skipped"


@sentence
def sentence_not_begun(note: Note) -> str:
    return f"{note.subject}: an end of a sentence without its beginning"


@sentence
def sentence_not_closed(note: Note) -> str:
    return f"{note.subject}: sentence {note['sentence']} is not closed"


@sentence
def sentence_number_wrong(note: Note) -> str:
    return f"{note.subject}: sentence number {note['number']!r} occurs twice or is not a number"
