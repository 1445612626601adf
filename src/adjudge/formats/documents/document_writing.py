"""Writing documents: TREC SGML and JSONL that read_documents reads back, packed, in one step.

White space around a text is not kept, and white space within a title becomes single blanks: readers drop it anyway.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any

from ...core.document import Document
from ...core.errors import DataError, SpecError
from ...core.likes import DocumentsLike
from ...storage.access import writing
from ...storage.replace import NewFile
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

    >>> jsonl_document(Document("A1", "Wings\\nLift.", "Wings"))
    '{"id": "A1", "title": "Wings", "text": "Wings\\\\nLift."}\\n'
    """
    import json

    text, title = document.text.strip(), document.title.strip()
    record = {"id": document.id}
    if title and with_title(title, text) == text:
        record["title"] = title
    return json.dumps(record | {"text": text}, ensure_ascii=False) + "\n"


KINDS: dict[str, tuple[Callable[[Document], str], tuple[str, str]]] = {
    ".jsonl": (jsonl_document, ("ustar", "u\\u0073tar")),
    ".ndjson": (jsonl_document, ("ustar", "u\\u0073tar")),
    ".trec": (trec_document, ("ustar", "u&#115;tar")),
    ".sgml": (trec_document, ("ustar", "u&#115;tar")),
}
"""How a document is written, and how the name of a tar is hidden."""

PACKED = ("", ".gz", ".zst")


def endings(name: str) -> tuple[str, str]:
    """What is written into a file of that name, and how it is packed: ``.jsonl`` and ``.zst``, say."""
    stem, packing = os.path.splitext(os.path.basename(name).lower())
    if packing not in PACKED:
        stem, packing = f"{stem}{packing}", ""
    kind = os.path.splitext(stem)[1]
    if kind not in KINDS:
        raise SpecError(f"{name}: documents are written as {', '.join(KINDS)}, packed as .gz, .zst or not")
    return kind, packing


class DocumentWriter:
    """``with DocumentWriter("new.jsonl.zst") as writer: writer.add(document)``: the file is there at the end, or not.

    The ending says what is written: .jsonl, .ndjson, .trec or .sgml, then .gz, .zst or nothing. The same documents
    give the same bytes.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._name = os.fspath(path)
        kind, packing = endings(self._name)
        self._write, self._hidden = KINDS[kind]
        self.documents = self._at = 0
        with writing(self._name):
            self._new = NewFile(path)
            self._file = self._packer(packing)

    def _packer(self, packing: str) -> Any:
        if packing == ".gz":
            import gzip

            return gzip.GzipFile("", "wb", 6, self._new.file, mtime=0)
        if packing == ".zst":
            from ...storage.zstd import open_writer

            return open_writer(self._new.file, level=9)
        return self._new.file

    def add(self, document: Document) -> None:
        text = self._write(document)
        try:
            raw = text.encode()
            if self._at < TAR.stop and raw[max(TAR.start - self._at, 0) : max(TAR.stop - self._at, 0)] == b"ustar":
                raw = text.replace(*self._hidden).encode()
        except UnicodeEncodeError:
            raise DataError(f"document {document.id!r} has half a surrogate pair, which UTF-8 cannot hold") from None
        with writing(self._name):
            self._file.write(raw)
        self._at += len(raw)
        self.documents += 1

    def __enter__(self) -> DocumentWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            with writing(self._name):
                if kind is None:
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
        path: the file; its ending says the format: .jsonl, .ndjson, .trec or .sgml; .gz or .zst packs.

    >>> write_documents({"d1": "solar power"}, "docs.jsonl.gz")  # doctest: +SKIP
    1
    """
    from .document_reading import read_documents

    number = 0
    with DocumentWriter(os.fspath(path)) as writer:
        for document in read_documents(documents):
            writer.add(document)
            number += 1
    return number
