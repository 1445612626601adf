"""Lines of an id, a tab and a text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ....core.document import Document
from ....core.errors import DataError, at
from ..layout import Layout, ReadingTally, fields_in, with_title
from ..streams import Stream
from .jsonl import ID, TEXT, TITLE


@dataclass(frozen=True)
class TsvLayout(Layout):
    """Lines of an id, a tab and a text; a header may name the columns.

    Without a header everything after the first tab is the text. A first line with a column that is named as the id of
    a JSON object can be, and another that is named as a text can be, is a header: then the columns of id, text and
    title count, others are fields of the document, and every line must have as many columns as it.

    No value: a line without a tab or an id is an error; an empty text is a document without text.

    Example: the lines "docno, title, text" and "7, Wings, Lift grows." → 7, "Wings\\nLift grows.".
    """

    name: ClassVar[str] = "tsv"
    endings: ClassVar[tuple[str, ...]] = (".tsv", ".tab")

    @classmethod
    def shows(cls, head: bytes) -> bool:
        """Only a header is a clear sign: texts may have tabs as well."""
        first = head.split(b"\n", 1)[0].decode("utf-8", "replace")
        return bool(_header(first))

    def read(self, stream: Stream, tally: ReadingTally) -> Iterator[Document]:
        header: list[str] | None = None
        for number, raw in stream.lines():
            if not raw or raw.isspace():
                continue
            line = tally.decode(raw, f"{stream.name}:{number}")
            if header is None:
                header = _header(line)
                if len(set(header)) < len(header):
                    raise DataError(at(stream.name, number, "a name of a column occurs twice", line))
                if header:
                    continue
            id_, tab, text = line.partition("\t")
            others: tuple[tuple[str, str], ...] = ()
            if header:
                values = line.split("\t")
                if len(values) != len(header):
                    why = f"{len(header)} columns expected, {len(values)} found"
                    raise DataError(at(stream.name, number, why, line))
                fields = dict(zip(header, (value.strip() for value in values), strict=True))
                id_, text, title = (_pick(fields, names) for names in (ID, TEXT, TITLE))
                others = fields_in(fields, {*ID, *TEXT, *TITLE})
            else:
                title = ""
            if not tab or not id_.strip():
                raise DataError(at(stream.name, number, "expected an id, a tab and the text", line))
            text = text.strip()
            yield Document(id_.strip(), with_title(title, text), title, fields=others)


def _pick(fields: dict[str, str], names: tuple[str, ...]) -> str:
    return next((fields[name] for name in names if name in fields), "")


def _header(line: str) -> list[str]:
    words = [word.strip().lower() for word in line.split("\t")]
    return words if set(words) & set(ID) and set(words) & set(TEXT) else []
