"""JSON objects, one a line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from ....core.document import Document
from ....core.errors import AdjudgeError, DataError, at
from ....core.spec import require
from ...nested import identifier, unique_keys
from ..layout import SURROGATE, Layout, ReadingTally, fields_in, with_title
from ..streams import Stream

ID = ("id", "_id", "docno", "doc_id", "docid", "document_id")
TEXT = ("text", "contents", "content", "body", "abstract")
TITLE = ("title", "headline")


def require_names(layout: Layout, what: str) -> None:
    """An error unless the parameters id, text and title are names, of texts perhaps several."""
    for field in ("id", "text", "title"):
        value = getattr(layout, field)
        names = value if field == "text" and isinstance(value, tuple) and value else (value,)
        require(layout, field, all(isinstance(name, str) for name in names), f"be the name of {what}")


@dataclass(frozen=True)
class JsonlLayout(Layout):
    """JSON objects, one a line, with an id, a text and perhaps a title under the names in use.

    The id is under id, _id, docno, doc_id, docid or document_id; the text under text, contents, content, body or
    abstract; the title under title or headline. The first of these that the object has counts. The title is put
    before the text, on a line of its own, unless the text begins with it. Other keys with numbers, yes or no, texts
    of up to 200 characters, or lists of these are fields of the document, by which a search page filters.

    Parameters: ``id``, ``text`` and ``title`` name other keys; several texts are joined: text=[summary, body].

    No value: an object without id or text is an error; an empty text is a document without text.

    Example: {"_id": 7, "title": "Wings", "text": "Lift grows."} → 7, "Wings\\nLift grows.".
    """

    name: ClassVar[str] = "jsonl"
    aliases: ClassVar[tuple[str, ...]] = ("ndjson",)
    endings: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")
    section: ClassVar[bytes | None] = b""

    id: str = ""
    text: str | tuple[str, ...] = ""
    title: str = ""

    def __post_init__(self) -> None:
        require_names(self, "a key")

    @classmethod
    def shows(cls, head: bytes) -> bool:
        """An object, or an array of objects, which is refused then: it would be no better as text."""
        start = head.lstrip().removeprefix(b"[").lstrip()
        return start[:1] == b"{" and start[1:].lstrip()[:1] == b'"'

    def read(self, stream: Stream, tally: ReadingTally) -> Iterator[Document]:
        import json

        place = ""
        decoder = json.JSONDecoder(object_pairs_hook=lambda pairs: unique_keys(place, pairs))  # one for all lines
        for number, line in stream.lines():
            if not line or line.isspace():
                continue
            place = f"{stream.name}:{number}"
            try:
                record = decoder.decode(tally.decode(line, place))
            except AdjudgeError:  # a key that occurs twice
                raise
            except (ValueError, RecursionError) as error:
                why = getattr(error, "msg", None) or str(error)
                raise DataError(at(stream.name, number, f"not JSON on one line: {why}", line)) from None
            if not isinstance(record, dict):
                raise DataError(at(stream.name, number, "not a JSON object", line))
            yield self._document(record, place, tally, checked=b"\\u" not in line)

    def _document(self, record: dict[str, Any], place: str, tally: ReadingTally, checked: bool) -> Document:
        key = self._key(record, (self.id,) if self.id else ID, "id", place)
        if isinstance(self.text, tuple):
            parts = [_text(record, self._key(record, (name,), "text", place), place) for name in self.text]
            text, texts = "\n".join(parts).strip(), self.text
        else:
            texts = (self._key(record, (self.text,) if self.text else TEXT, "text", place),)
            text = _text(record, texts[0], place)
        titles = (self.title,) if self.title else TITLE
        named = next((name for name in titles if record.get(name) is not None), None)
        title = _text(record, named, place) if named else ""
        id_ = identifier(record[key], "id", place)
        if not checked:
            if SURROGATE.search(id_):
                raise DataError(f"{place}: the id {id_!r} is not valid Unicode: half of a surrogate pair")
            text, title = tally.valid(text, place), tally.valid(title, place)
        used = 2 + len(texts) - (named is None)
        fields = fields_in(record, (key, named or "", *texts)) if len(record) > used else ()
        return Document(id_, with_title(title, text), title, fields=fields)

    @staticmethod
    def _key(record: dict[str, Any], names: tuple[str, ...], what: str, place: str) -> str:
        for name in names:
            if name in record:
                return name
        raise DataError(
            f"{place}: no {what}: none of {', '.join(names)} among {', '.join(list(record)[:8]) or 'no keys'}"
        )


def _text(record: dict[str, Any], key: str, place: str) -> str:
    value = record[key]
    if not isinstance(value, str):
        raise DataError(f"{place}: {key} is {repr(value)[:50]}, not text")
    return value.strip()
