"""The classic collections as SMART and Glasgow hand them on: Cranfield, CISI, MED, CACM (``.I .T .W``), NPL (``/``).

    documents = read_documents("cran.all.1400")
    topics = read_smart_topics("cran.qry")
    qrels = read_smart_qrels("cranqrel")

Every file numbers in its own way. Here documents and topics are numbered 1, 2, 3 … as the judgments number them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..core.errors import DataError, at
from ..core.qrels import Qrels
from ..core.topic import Topic
from .source import Source, open_source

NUMBERED = re.compile(rb"\.I\s*([0-9]{1,18})\s*")
NUMBER = re.compile(rb"[0-9]{1,18}")
WHOLE = re.compile(rb"-?[0-9]{1,9}(?:\.0*)?")
FIELD = re.compile(rb"\.([A-Z])\s*")
CODES = {1: 4, 2: 3, 3: 2, 4: 1}
"""Cranfield's codes run from 1, a complete answer, to 4, of minimum interest; grades grow with relevance."""

SOURCE_PAPER = -1


class SmartRecord(NamedTuple):
    """A document or query: the number that it carries, its line, and its fields in the order of the file."""

    number: int
    line: int
    fields: list[tuple[str, bytes]]

    def text(self, letters: str) -> bytes:
        """The fields with these letters, in this order, one after the other; W need not say again what T says."""
        texts: list[bytes] = []
        for letter in letters:
            texts += [text for name, text in self.fields if name == letter and text]
        if len(texts) > 1 and letters[0] == "T":
            title, last = _words(texts[0]), _words(texts[-1])
            if last.startswith(title) and not last[len(title) :][:1].isalnum():
                texts = texts[1:]  # Cranfield's abstracts begin with the title
        return b"\n".join(texts)


def _words(text: bytes) -> bytes:
    return b" ".join(text.split())


def records(lines: Iterable[tuple[int, bytes]], name: str) -> Iterator[SmartRecord]:
    """Records of either kind of file, detected from its first line: ``.I 1`` or NPL's ``1``."""
    numbered = ((number, line) for number, line in lines if number > 1 or line.strip())
    first = next(((number, line) for number, line in numbered if line.strip()), None)
    if first is None:
        raise DataError(f"{name}: empty")

    def again() -> Iterator[tuple[int, bytes]]:
        yield first
        yield from numbered

    return _read_dotted(again(), name) if first[1].startswith(b".") else _read_slashed(again(), name)


def _read_dotted(lines: Iterator[tuple[int, bytes]], name: str) -> Iterator[SmartRecord]:
    record: SmartRecord | None = None
    letter, parts = "", []  # type: tuple[str, list[bytes]]
    for line, text in lines:
        match = FIELD.fullmatch(text) if text[:1] == b"." else None
        numbered = NUMBERED.fullmatch(text) if text[:2] == b".I" else None
        if numbered is None and match is None:
            broken = record is not None and not letter and line == record.line + 1
            if record is not None and broken and NUMBER.fullmatch(text.strip()):
                # a number broken in two, as CACM's 2856
                record = SmartRecord(int(f"{record.number}{text.strip().decode()}"), record.line, [])
            elif record is None or (not letter and text.strip()):
                raise DataError(at(name, line, "text before a field", text))
            parts.append(text)
            continue
        if record is None and numbered is None:
            raise DataError(at(name, line, "a field before the first .I", text))
        if record is not None and letter:
            record.fields.append((letter, b"\n".join(parts).strip()))
        parts = []
        if numbered is not None:
            if record is not None:
                yield record
            record, letter = SmartRecord(int(numbered[1]), line, []), ""
        elif match is not None:
            letter = match[1].decode()
    if record is not None:
        if letter:
            record.fields.append((letter, b"\n".join(parts).strip()))
        yield record


def _read_slashed(lines: Iterable[tuple[int, bytes]], name: str, ended: bool = True) -> Iterator[SmartRecord]:
    """NPL: a number on a line, text, a line with a slash, which the last may lack unless it has to be ``ended``."""
    record: SmartRecord | None = None
    parts: list[bytes] = []
    for line, text in lines:
        bare = text.strip()
        if record is None:
            if not bare or bare == b"/":
                continue
            if NUMBER.fullmatch(bare) is None:
                raise DataError(at(name, line, "expected a number, or .I and a number", text))
            record, parts = SmartRecord(int(bare), line, []), []
        elif bare == b"/":
            record.fields.append(("W", b"\n".join(parts).strip()))
            yield record
            record = None
        else:
            parts.append(text)
    if record is not None:
        if ended:
            raise DataError(at(name, record.line, f"number {record.number} is not ended by a line with /"))
        record.fields.append(("W", b"\n".join(parts).strip()))
        yield record


def read_smart_topics(source: Any, fields: str = "W") -> list[Topic]:
    """Queries, numbered by their position as the judgments have it; the text of field .W is the title.

    Cranfield's .I numbers have gaps (1, 2, 4, 8 …) while its judgments count 1 to 225; in the other collections the
    number is the position. ``fields`` names other fields, joined in this order: CISI's later queries are abstracts
    and have the paper's title in .T.
    """
    opened = open_source(source)
    topics = []
    for place, record in enumerate(records(_lines(opened), opened.name), 1):
        try:
            text = record.text(fields).decode()
        except UnicodeDecodeError:
            raise DataError(at(opened.name, record.line, f"query {record.number} is not UTF-8")) from None
        if not text:
            raise DataError(at(opened.name, record.line, f"query {record.number} has no text in {fields}"))
        topics.append(Topic(str(place), " ".join(text.split())))
    return topics


def read_smart_qrels(source: Any, source_paper: int = 1) -> Qrels:
    """Judgments: a grade for every document listed, 1 unless the file tells degrees.

    Understood are the rows of Cranfield (topic, document, code from 1, best, to 4; the grade is 5 − code), of CACM and
    CISI (topic, document, two columns without meaning), of MED (topic, 0, document, 1) and NPL's lists. Cranfield's
    code −1 marks the paper whose author asked the question; its grade is ``source_paper``.
    """
    opened = open_source(source)
    lines = [(number, line) for number, line in _lines(opened) if line.strip()]
    if any(line.strip() == b"/" for _, line in lines):
        rows = _lists(lines, opened.name)
    else:
        rows = _rows(lines, opened.name, source_paper)
    topics, documents, grades = ([row[column] for row in rows] for column in range(3))
    return Qrels.of_columns(
        [str(topic) for topic in topics], [str(d) for d in documents], np.array(grades, np.int32), opened.name
    )


HEAD = 4096
"""Bytes that say whether a file may be judgments of a classic collection."""


def looks_like_smart_qrels(source: Source) -> bool:
    """Whether a file has judgments as the classic collections have them, and could not be anything else.

    NPL's lists end with a slash. Four columns of which the last two are 0 throughout judge nothing as TREC lines. Three
    columns are Cranfield's if the code −1 is among them, and otherwise nobody can say whether 1 is the best grade.
    """
    head = [line.split() for line in bytes(source.text[source.begin : source.begin + HEAD]).split(b"\n")[:-1]]
    head = [words for words in head if words] or [source.whole().split()]
    if not all(WHOLE.fullmatch(word) or word == b"/" for words in head for word in words):
        return False
    lines = [line.split() for line in source.whole().split(b"\n")] if _may_be_smart(head) else []
    lines = [words for words in lines if words]
    if [b"/"] in lines:
        return True
    width = len(lines[0]) if lines else 0
    if any(len(words) != width for words in lines):
        return False
    if not all(WHOLE.fullmatch(word) for words in lines for word in words):  # a topic may be called /
        return False
    if width == 4:
        return all(float(word) == 0 for words in lines for word in words[2:])
    return width == 3 and any(words[2] == b"-1" for words in lines)


def _may_be_smart(head: list[list[bytes]]) -> bool:
    if len(head[0]) == 1 or [b"/"] in head:
        return True
    widths = {len(words) for words in head}
    return widths == {3} or (widths == {4} and all(words[2] == b"0" for words in head))


def _rows(lines: list[tuple[int, bytes]], name: str, source_paper: int) -> list[tuple[int, int, int]]:
    width = len(lines[0][1].split()) if lines else 0
    table = []
    for number, line in lines:
        words = line.split()
        row = [int(word.partition(b".")[0]) for word in words] if all(map(WHOLE.fullmatch, words)) else []
        if len(row) != width or width not in {3, 4}:
            raise DataError(at(name, number, "expected 3 or 4 whole numbers, as many as in the first line", line))
        table.append(row)
    if width == 4:
        if all(row[1] == 0 for row in table):  # as TREC has them
            return [(row[0], row[2], row[3]) for row in table]
        if all(row[2] == 0 for row in table):
            return [(row[0], row[1], 1) for row in table]
        raise DataError(f"{name}: four columns, but neither the second nor the third is 0 throughout")
    rows = []
    for (number, line), (topic, document, code) in zip(lines, table, strict=True):
        if code != SOURCE_PAPER and code not in CODES:
            raise DataError(at(name, number, f"the code must be 1, 2, 3, 4 or -1, not {code}", line))
        rows.append((topic, document, source_paper if code == SOURCE_PAPER else CODES[code]))
    return rows


def _lists(lines: list[tuple[int, bytes]], name: str) -> list[tuple[int, int, int]]:
    rows = []
    for record in _read_slashed(lines, name, ended=False):  # the last of NPL's lists has no slash
        words = record.fields[0][1].split()
        if not words or not all(map(NUMBER.fullmatch, words)):
            raise DataError(at(name, record.line, f"the documents of topic {record.number} are not all numbers"))
        rows += [(record.number, int(word), 1) for word in words]
    return rows


def _lines(source: Source) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(source.whole().split(b"\n"), 1):
        yield number, line.removesuffix(b"\r")
