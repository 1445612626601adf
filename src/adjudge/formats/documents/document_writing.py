"""Writing documents: JSONL, TREC SGML, TSV and Parquet that read_documents reads back, packed, in one step.

White space around a text is not kept, and white space within a title becomes single blanks: readers drop it anyway.
In TSV all white space becomes single blanks. Only JSONL has a place for fields, and no format for places on pages.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, NamedTuple

from ...core.document import Document
from ...core.errors import DataError, SpecError
from ...core.likes import DocumentsLike
from ...core.note import Note
from ...storage.access import writing
from ...storage.replace import NewFile
from ..writing import to_parquet
from .layout import with_title

TAR = slice(257, 262)
"""Where a tar has its name; a file with the same letters in the same place would be taken for one."""
BLANK = re.compile(r"\s|[<>]")


def trec_document(document: Document) -> str:
    """A document in TREC's SGML, its text escaped.

    A title that is the first line of the text stands before <TEXT>. Any other would change the text, so it stands in
    a comment, where the reader of this package finds it.

    >>> print(trec_document(Document("A1", "Wings\\nLift < drag.", "Wings")), end="")
    <DOC>
    <DOCNO>A1</DOCNO>
    <TITLE>Wings</TITLE>
    <TEXT>
    Lift &lt; drag.
    </TEXT>
    </DOC>
    """
    refuse_trec_id(document.id)
    text, title = document.text.strip(), " ".join(document.title.split())
    head = ""
    if title and (text == title or text.startswith(f"{title}\n")):
        head, text = f"<TITLE>{_escape(title)}</TITLE>\n", text[len(title) + 1 :]
    elif title:
        head = f"<!--<TITLE>{_escape(title)}</TITLE>-->\n"
    body = _escape(text)
    if body[:1] in {" ", "\t", "\r", "\n"}:  # after a line of tags the reader skips white space
        body = f"&#{ord(body[0])};{body[1:]}"
    return f"<DOC>\n<DOCNO>{document.id}</DOCNO>\n{head}<TEXT>\n{body}\n</TEXT>\n</DOC>\n"


def refuse_trec_id(id_: str, kind: str = "document") -> None:
    """An error if TREC's SGML cannot hold this id, or TREC's runs could not name it."""
    if not id_ or BLANK.search(id_):
        raise DataError(f"{kind} {id_!r} cannot be written as TREC SGML: blanks, < or > in its id; write JSONL")


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def jsonl_document(document: Document) -> str:
    """A document as one line of JSON. A title is written unless a reader would put it before the text once more.

    >>> jsonl_document(Document("A1", "Wings\\nLift.", "Wings", fields=(("year", "1912"), ("by", "A"), ("by", "B"))))
    '{"id": "A1", "title": "Wings", "text": "Wings\\\\nLift.", "year": "1912", "by": ["A", "B"]}\\n'
    """
    import json

    title = kept_title(document)
    record: dict[str, Any] = {"id": document.id} | ({"title": title} if title else {}) | {"text": document.text.strip()}
    if document.fields:
        _add_fields(record, document)
    return json.dumps(record, ensure_ascii=False) + "\n"


def kept_title(document: Document) -> str:
    """The title, if the text of the document begins with it: a reader would put any other before the text."""
    text, title = document.text.strip(), document.title.strip()
    return title if title and with_title(title, text) == text else ""


def _add_fields(record: dict[str, Any], document: Document) -> None:
    values: dict[str, list[str]] = {}
    for name, value in document.fields:
        if name in {"id", "title", "text"}:
            raise DataError(f"document {document.id!r} has a field {name!r}, which is a name of JSONL's own")
        values.setdefault(name, []).append(value)
    if "title" not in record and not TITLE.isdisjoint(values):
        record["title"] = ""  # else a reader takes the field for it
    record |= {name: those[0] if len(those) == 1 else those for name, those in values.items()}


def tsv_document(document: Document) -> str:
    """A document as a line of id, title and text, all white space as single blanks.

    >>> tsv_document(Document("A1", "Wings\\nLift\\tgrows.", "Wings"))
    'A1\\tWings\\tWings Lift grows.\\n'
    """
    if not document.id.strip() or " ".join(document.id.split()) != document.id:
        raise DataError(f"document {document.id!r} cannot be written as TSV: white space in its id; write JSONL")
    title, text = (" ".join(part.split()) for part in (kept_title(document), document.text))
    return f"{document.id}\t{title}\t{text}\n"


class WrittenForm(NamedTuple):
    """How documents are written into a file of a kind."""

    line: Callable[[Document], str]
    hide: Callable[[str], str]
    """The same document without the name of a tar where a tar has it."""
    header: str = ""
    has_fields: bool = False
    has_lines: bool = True
    """Whether lines of a text stay lines."""


JSONL = WrittenForm(jsonl_document, lambda line: line.replace("ustar", "u\\u0073tar"), has_fields=True)
SGML = WrittenForm(trec_document, lambda text: text.replace("ustar", "u&#115;tar"))
TSV = WrittenForm(tsv_document, lambda line: f"\n{line}", header="id\ttitle\ttext\n", has_lines=False)
KINDS: dict[str, WrittenForm | None] = {
    ".jsonl": JSONL,
    ".ndjson": JSONL,
    ".trec": SGML,
    ".sgml": SGML,
    ".tsv": TSV,
    ".parquet": None,
}
"""What an ending stands for; Parquet is written in one go."""
TITLE = frozenset({"title", "headline"})
"""Names under which a reader of JSON looks for a title."""

PACKED = ("", ".gz", ".zst")


def endings(name: str) -> tuple[str, str]:
    """What is written into a file of that name, and how it is packed: ``.jsonl`` and ``.zst``, say."""
    stem, packing = os.path.splitext(os.path.basename(name).lower())
    if packing not in PACKED:
        stem, packing = f"{stem}{packing}", ""
    kind = os.path.splitext(stem)[1]
    if kind not in KINDS or (kind == ".parquet" and packing):
        raise SpecError(
            f"{name}: documents are written as {', '.join(KINDS)}, all but Parquet packed as .gz, .zst or not"
        )
    return kind, packing


class DocumentWriter:
    """``with DocumentWriter("new.jsonl.zst") as writer: writer.add(document)``: the file is there at the end, or not.

    The ending says what is written: .jsonl, .ndjson, .trec, .sgml, .tsv or .parquet, then .gz, .zst or nothing. The
    same documents give the same bytes. Documents for Parquet are held in memory until the end.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._name = os.fspath(path)
        kind, packing = endings(self._name)
        self._form = KINDS[kind]
        self._columns: dict[str, list[str]] = {"id": [], "title": [], "text": []}
        self.documents = self._at = 0
        self._without_fields = self._without_places = self._without_lines = 0
        with writing(self._name):
            self._new = NewFile(path)
            self._file = self._packer(packing)
            if self._form is not None and self._form.header:
                self._write(self._form.header.encode())

    def _packer(self, packing: str) -> Any:
        if packing == ".gz":
            import gzip

            return gzip.GzipFile("", "wb", 6, self._new.file, mtime=0)
        if packing == ".zst":
            from ...storage.zstd import open_writer

            return open_writer(self._new.file, level=9)
        return self._new.file

    def _write(self, raw: bytes) -> None:
        self._file.write(raw)
        self._at += len(raw)

    def add(self, document: Document) -> None:
        form = self._form
        try:
            if form is None:
                self._add_row(document)
            else:
                text = form.line(document)
                raw = text.encode()
                if self._at < TAR.stop and raw[max(TAR.start - self._at, 0) : max(TAR.stop - self._at, 0)] == b"ustar":
                    raw = form.hide(text).encode()
                with writing(self._name):
                    self._write(raw)
        except UnicodeEncodeError:
            raise DataError(f"document {document.id!r} has half a surrogate pair, which UTF-8 cannot hold") from None
        self.documents += 1
        self._without_fields += bool(document.fields) and not (form is not None and form.has_fields)
        self._without_places += bool(document.pages)
        self._without_lines += form is not None and not form.has_lines and "\n" in document.text.strip()

    def _add_row(self, document: Document) -> None:
        row = (document.id, kept_title(document), document.text.strip())
        for values, value in zip(self._columns.values(), row, strict=True):
            value.encode()
            values.append(value)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What documents had for which the file has no place."""
        notes = []
        if self._without_fields:
            notes.append(Note.of("fields_not_written", count=self._without_fields))
        if self._without_places:
            notes.append(Note.of("places_not_written", count=self._without_places))
        if self._without_lines:
            notes.append(Note.of("lines_not_written", count=self._without_lines))
        return tuple(notes)

    def __enter__(self) -> DocumentWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            with writing(self._name):
                if kind is None:
                    if self._form is None:
                        self._write(to_parquet(self._columns, texts=tuple(self._columns)))
                    if self._file is not self._new.file:
                        self._file.close()
                    self._new.commit()
        finally:
            with suppress(OSError, ValueError):  # what could not be written before cannot be written now
                self._file.close()
            self._new.abandon()


def write_documents(documents: DocumentsLike, path: str | os.PathLike[str]) -> int:
    """Write documents to a file, whole or not at all; how many they are.

    Args:
        documents: a file, folder or pattern, a list of Document, {id: text}, or a frame with an id and a text.
        path: the file; its ending says the format: .jsonl, .ndjson, .trec, .sgml, .tsv or .parquet; .gz or .zst packs
            all but Parquet.

    >>> write_documents({"d1": "solar power"}, "docs.jsonl.gz")  # doctest: +SKIP
    1
    """
    from .document_reading import read_documents

    with DocumentWriter(os.fspath(path)) as writer:
        for document in read_documents(documents):
            writer.add(document)
    return writer.documents
