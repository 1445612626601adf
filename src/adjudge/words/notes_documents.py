"""Notes on documents as they were read, on one machine or on many."""

from __future__ import annotations

from ..core.note import Note
from .speech import sentence


@sentence
def bytes_replaced(note: Note) -> str:
    places = "1 place" if note["places"] == 1 else f"{note['places']} places"
    what = "1 sequence of bytes is" if note["sequences"] == 1 else f"{note['sequences']} sequences of bytes are"
    return f"{what} not UTF-8 and became U+FFFD, in {places}, first in {note['first']}"


@sentence
def documents_without_text(note: Note) -> str:
    if note["count"] == 1:
        return f"1 document has no text: {note['first']}"
    return f"{note['count']} documents have no text, first {note['first']}"


@sentence
def fields_not_written(note: Note) -> str:
    whose = "1 document has" if note["count"] == 1 else f"{note['count']:,} documents have"
    return f"{whose} fields, for which this format has no place: they were not written (JSONL has a place for them)"


@sentence
def places_not_written(note: Note) -> str:
    whose = "1 document has" if note["count"] == 1 else f"{note['count']:,} documents have"
    return f"{whose} places of words on pages, which were not written: only the text was"


@sentence
def lines_not_written(note: Note) -> str:
    whose = "1 document has" if note["count"] == 1 else f"{note['count']:,} documents have"
    return f"{whose} several lines, which are one line now: TSV has no place for line breaks"


@sentence
def entities_unknown(note: Note) -> str:
    pairs = zip(note["names"], note["times"], strict=True)
    rest = f" and {note['others']} others" if note["others"] else ""
    return (
        f"unknown entities were replaced by a blank: {', '.join(f'&{name}; {times}×' for name, times in pairs)}{rest}"
    )


@sentence
def files_of_another_kind(note: Note) -> str:
    rest = f" and {note['others']} other files" if note["others"] else ""
    return f"skipped files of another kind: {', '.join(note['files'])}{rest}"


@sentence
def pages_unreadable(note: Note) -> str:
    return f"not read: {note['why']}"


@sentence
def more_pages_unreadable(note: Note) -> str:
    return f"and {note['count']:,} more files could not be read"


@sentence
def images_without_text(note: Note) -> str:
    what = "1 image has" if note["count"] == 1 else f"{note['count']:,} images have"
    return f"{what} no text beside, first {note['first']}: --ocr tesseract reads them"


@sentence
def boxes_broken(note: Note) -> str:
    what = "1 word has" if note["count"] == 1 else f"{note['count']:,} words have"
    return f"{what} a box that lies outside of its page or is none, and cannot be marked there"


@sentence
def files_hidden(note: Note) -> str:
    rest = f" and {note['others']} others" if note["others"] else ""
    return f"Spark skips files whose names begin with _: {', '.join(note['files'])}{rest}"


@sentence
def text_outside(note: Note) -> str:
    return f"{note.subject}: byte {note['byte']}: text outside of documents was skipped"


@sentence
def more_text_outside(note: Note) -> str:
    return f"and {note['count']} more remarks of this kind"


@sentence
def kernel_not_compiled(note: Note) -> str:  # noqa: ARG001  there is nothing else to say
    return "some workers have adjudge without its compiled kernel: results are the same, but it is slower"


@sentence
def glyph_missing(note: Note) -> str:
    return f"no glyph for {note.subject}, a box was printed"


@sentence
def shape_missing(note: Note) -> str:
    return f"{note.subject} has no shape, nothing was printed"


@sentence
def right_to_left_turned(note: Note) -> str:  # noqa: ARG001  there is nothing else to say
    return "right-to-left characters printed from left to right"


@sentence
def tokens(note: Note) -> str:  # noqa: ARG001  the count is shown beside it
    return "tokens"


@sentence
def cwords(note: Note) -> str:  # noqa: ARG001  the count is shown beside it
    return "c-words"


@sentence
def cwords_unchanged(note: Note) -> str:  # noqa: ARG001  the count is shown beside it
    return "c-words kept"
