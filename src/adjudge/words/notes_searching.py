"""Notes on queries, and on what systems did to answer them. A subject is a topic, unless a function says otherwise."""

from __future__ import annotations

from ..core.english import plural, quantity
from ..core.note import Note
from .speech import sentence


def _of_topic(note: Note, why: str) -> str:
    return f"topic {note.subject}: {why}" if note.subject else why


@sentence
def query_empty(note: Note) -> str:
    return _of_topic(note, "no term is left in the query")


@sentence
def query_not_indexed(note: Note) -> str:
    more = ", …" if note["others"] else ""
    return _of_topic(note, f"no term of the query is indexed: {', '.join(note['terms'])}{more}")


@sentence
def query_weightless(note: Note) -> str:
    return _of_topic(note, f"every term of the query has weight 0 under {note['weighting']}")


@sentence
def nothing_read_as(note: Note) -> str:
    return _of_topic(note, f"nothing may be read as {', '.join(note['words'])}")


@sentence
def no_content_word(note: Note) -> str:
    return _of_topic(note, "all words are stop words")


@sentence
def no_concept(note: Note) -> str:
    return _of_topic(note, "no concept occurs")


@sentence
def concepts_automatic(note: Note) -> str:
    return _of_topic(note, f"not in {note['file']}, so its concepts are chosen automatically")


@sentence
def concepts_without_topic(note: Note) -> str:
    """The subject is a file of concepts."""
    return f"{note.subject}: there is no topic {note['topic']}"


@sentence
def no_gram(note: Note) -> str:
    return _of_topic(note, "no gram is left in the question")


@sentence
def no_gram_matches(note: Note) -> str:
    return _of_topic(note, "no document matches a gram of the question")


@sentence
def no_slot(note: Note) -> str:
    return _of_topic(note, "no document has a slot for a term of the question")


@sentence
def no_member_finds(note: Note) -> str:
    return _of_topic(note, "no member of the fusion finds a document")


@sentence
def documents_uncorrected(note: Note) -> str:
    """The subject is the file that lists them."""
    count = note["count"]
    what = f"{quantity(count, 'document')} could not be corrected and {plural(count, 'is', 'are')} empty"
    return f"{what}: {note.subject}"


@sentence
def terms_damaged(note: Note) -> str:
    """The subject is the file of the terms."""
    return f"{note.subject}: damaged, extracted again"


@sentence
def terms_found(note: Note) -> str:
    return f"{quantity(note['terms'], 'term')} in {quantity(note['documents'], 'document')}"


@sentence
def no_term(note: Note) -> str:
    return f"{note['why']}; answered as without terms"


@sentence
def terms_absent(note: Note) -> str:
    number = note["terms"]
    which = "the only term does not occur" if number == 1 else f"none of the {number:,} terms occurs"
    return f"{which} in the documents: were the terms extracted from other documents?"


@sentence
def texts_of_none(note: Note) -> str:
    return f"topic {note.subject}: the documents given hold none of those that were retrieved"
