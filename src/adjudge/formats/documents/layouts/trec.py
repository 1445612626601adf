"""TREC's SGML, many documents in a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from ....core.document import Document
from ....core.errors import DataError
from ....core.note import Note
from ..entities import Entities
from ..layout import Layout, ReadingTally
from ..marks import boundaries, first_tag, with_entities, without_lines, without_tags
from ..streams import Stream

LONGEST = len(b"</DOCNO>")
TITLES = (b"<DOCTITLE>", b"<HEADLINE>", b"<TITLE>", b"<HL>", b"<HEAD>")
NUMBERS = rb"<(PARENT|DOCID|FILEID|DOCOLDNO|DOCHDR)>[^<]*+</\1>"
FIELDS = {
    small: tuple(re.compile(r, re.IGNORECASE if small else 0) for r in (rb"<TEXT>", NUMBERS)) for small in (False, True)
}
"""Patterns of the fields, in small letters too where <doc> is written so: that takes half as much time again."""
SMALL_TITLE = re.compile(b"|".join(TITLES), re.IGNORECASE)


@dataclass(frozen=True)
class TrecLayout(Layout):
    """TREC's SGML: many documents in a file, each between <DOC> and </DOC>, its id in <DOCNO>.

    The text is everything in the document but its numbers (DOCNO, and before <TEXT> also PARENT, DOCID, FILEID,
    DOCOLDNO, DOCHDR): a tag becomes a blank, a comment a line break, lines of nothing but mark-up one line break, an
    entity the character it stands for. The title is the first DOCTITLE, HEADLINE, TITLE, HL or HEAD.

    No value: a <DOC> without end, inside another, without DOCNO or with two, and a comment without end are errors
    that name the byte. Unknown entities become a blank; text outside of documents is left out; notes tell of both.

    Example: <DOC><DOCNO> A1 </DOCNO><TEXT>&sect;<b>5</b> x&hyph;ray<!-- new line --></TEXT></DOC> → A1, "§ 5 x-ray".
    """

    name: ClassVar[str] = "trec"
    aliases: ClassVar[tuple[str, ...]] = ("sgml", "trecdoc")
    endings: ClassVar[tuple[str, ...]] = (".sgml", ".sgm", ".trec")
    section: ClassVar[bytes | None] = rb"<[Dd][Oo][Cc]>"

    @classmethod
    def shows(cls, head: bytes) -> bool:
        return re.search(rb"<[Dd][Oo][Cc]>\s*<[Dd][Oo][Cc][Nn][Oo]>", head) is not None

    def read(self, stream: Stream, tally: ReadingTally) -> Iterator[Document]:
        entities = Entities(tally.entities)
        buffer, base, searched, waiting = b"", stream.offset, 0, list[bytes]()
        # positions in the buffer; -1 where there is none
        begin, done, id_at, id_end = -1, 0, -1, -1

        def wrong(why: str, position: int) -> DataError:
            return DataError(f"{stream.name}: byte {base + position}: {why}")

        for piece in chain(stream, (None,)):
            if piece is not None:
                waiting.append(piece)
                if sum(map(len, waiting)) < len(buffer) - max(begin, done):
                    continue  # a document of many pieces would be copied for each of them
            begun_at = begin - len(b"<DOC>") if begin >= 0 else done
            buffer, waiting = b"".join([buffer[begun_at:], *waiting]), []
            base += begun_at
            searched = max(searched - begun_at, 0)
            begin, id_at, id_end, done = (at - begun_at if at >= 0 else at for at in (begin, id_at, id_end, done))
            done = max(done, 0)
            for start, end, closing, number in boundaries(buffer, searched):
                if begin < 0 and (number or closing):
                    what = f"{buffer[start:end].decode()} outside of a <DOC>" if number else "</DOC> without <DOC>"
                    raise wrong(what, start)
                if number:
                    if closing:
                        if id_at < 0 or id_end >= 0:
                            raise wrong("</DOCNO> without <DOCNO>", start)
                        id_end = start
                    elif id_at >= 0:
                        raise wrong("a second <DOCNO> in one <DOC>", start)
                    else:
                        id_at = end
                elif closing:
                    id_ = buffer[id_at:id_end].strip() if id_end >= 0 else b""
                    if not id_:
                        raise wrong("a <DOC> without DOCNO", begin - len(b"<DOC>"))
                    raw = buffer[id_end + LONGEST : start]
                    unclosed = raw.rfind(b"<!--")
                    if unclosed > raw.rfind(b"-->"):
                        raise wrong("a comment without end", id_end + LONGEST + unclosed)
                    raw = buffer[begin : id_at - len(b"<DOCNO>")].strip() + raw
                    small = not buffer.endswith(b"<DOC>", 0, begin)
                    yield _document(tally.decode(id_, stream.name), raw, entities, tally, small)
                    begin, done, id_at, id_end = -1, end, -1, -1
                elif begin >= 0:
                    raise wrong(f"a <DOC> inside the one at byte {base + begin - len(b'<DOC>')}", start)
                else:
                    self._outside(buffer[done:start], stream, base + done, tally)
                    begin = end
            searched = max(len(buffer) - LONGEST + 1, begin, done, id_at, id_end + LONGEST if id_end >= 0 else 0)
        if begin >= 0:
            raise wrong("a <DOC> without </DOC>", begin - len(b"<DOC>"))
        if not done and base == stream.offset:  # nothing was ever taken off the buffer
            raise wrong("no <DOC>", 0)
        self._outside(buffer[done:], stream, base + done, tally)

    @staticmethod
    def _outside(text: bytes, stream: Stream, byte: int, tally: ReadingTally) -> None:
        if not text.isspace() and without_tags(without_lines(text, b"")).strip():
            tally.outside.append(Note.of("text_outside", stream.name, byte=byte))


def _document(id_: str, raw: bytes, entities: Entities, tally: ReadingTally, small: bool) -> Document:
    text_of, numbers = FIELDS[small]
    at, tag = _title(raw, small) or (-1, b"")
    end = raw.find(b"</" + tag[1:], at + len(tag)) if tag else -1
    title = tally.decode(_clean(raw[at + len(tag) : end], entities), id_) if end >= 0 else ""
    begun = text_of.search(raw)
    start = begun.start() if begun else 0
    before = numbers.sub(b"", raw[:start]) if start else b""
    body = raw[start:] if start else numbers.sub(b"", raw)
    text = _clean(before + body if before.strip() else body, entities)
    return Document(id_, tally.decode(text, id_).strip(), " ".join(title.split()))


def _title(raw: bytes, small: bool) -> tuple[int, bytes] | None:
    """Where the tag of the title begins, and how it is written."""
    if not small:
        return first_tag(raw, TITLES)
    match = SMALL_TITLE.search(raw)
    return (match.start(), match[0]) if match else None


def _clean(raw: bytes, entities: Entities) -> bytes:
    return with_entities(without_tags(without_lines(raw, b"\n")), entities)
