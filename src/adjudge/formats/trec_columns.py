"""White-space separated lines of TREC: ``topic Q0 document rank score tag`` and ``topic iteration document grade``.

Any white space separates columns; a byte order mark, CRLF, blank lines and lines that begin with # are allowed, as in
trec_eval 10. Text after the tag of a run is ignored, as trec_eval does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core import fallback
from ..core.errors import DataError, at
from ..core.faults import BAD_COLUMNS, BAD_FINITE, BAD_LENGTH, BAD_NUL, BAD_RETURN
from ..core.kernel import native, parts_for, together
from ..core.strings import Strings, decode
from ..core.table import Table
from .raw_file import drop_pages
from .source import Source

if TYPE_CHECKING:
    import numpy.typing as npt

loops: Any = native("lines") or fallback

PIECE = 32 << 20
"""Bytes scanned in one go; what lies behind is given back to the system."""

WORTHWHILE = 4 << 20
"""Bytes for which a second thread pays off."""


UNREADABLE = {
    BAD_NUL: "a NUL character",
    BAD_RETURN: "lines that end with a carriage return alone: convert them",
    BAD_LENGTH: "a document id of 2 GiB or more",
}


class Shape(NamedTuple):
    """Which column is what. Topic and document are the first and the third everywhere."""

    what: str
    columns: tuple[str, ...]
    value: int
    tag: int = -1
    more_allowed: bool = False
    integer: bool = False

    @property
    def numbers(self) -> tuple[int, int, int, int, int]:
        return self.value, self.tag, len(self.columns), int(self.more_allowed), int(self.integer)


RUN = Shape("run", ("topic", "Q0", "document", "rank", "score", "tag"), value=4, tag=5, more_allowed=True)
QRELS = Shape("qrels", ("topic", "iteration", "document", "grade"), value=3, integer=True)
SAMPLED = 5
"""Columns of the judgments of a sample."""
NUMBER = re.compile(rb"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?")


class Piece(NamedTuple):
    text: Any
    begin: int
    end: int
    at: int
    """Where its document ids go: a place that no other piece writes to."""


def read_table(source: Source, shape: Shape) -> tuple[Table, str | None]:
    """The rows of a file, grouped by topic, and the tag of its last line."""
    _refuse_binary(source)
    pieces = _pieces(source)
    parts = parts_for(len(source.text), WORTHWHILE)

    def each(work: Any) -> list[Any]:
        """work(i) for every piece, the pieces dealt out to the threads in turn."""
        results: list[Any] = [None] * len(pieces)

        def some(part: int) -> None:
            for i in range(part, len(pieces), parts):
                results[i] = work(i)
                drop_pages(pieces[i].text, pieces[i].begin, pieces[i].end)

        together(some, parts)
        return results

    lines = each(lambda i: loops.count_lines(pieces[i].text, pieces[i].begin, pieces[i].end))
    base = [0, *accumulate(lines)]
    ids = np.empty(len(source.text) + 1, np.uint8)
    starts, lengths, values = np.empty(base[-1], np.int64), np.empty(base[-1], np.int32), np.empty(base[-1])

    def scan(i: int) -> Any:
        piece = pieces[i]
        return loops.scan(
            piece.text, piece.begin, piece.end, shape.numbers, ids, piece.at, starts, lengths, values, base[i]
        )

    scanned = each(scan)
    for i, result in enumerate(scanned):
        if result[6][0]:
            raise DataError(_fault(source, shape, pieces[i], base[i], result[6]))
    if sum(result[4] for result in scanned):  # comments or blank lines left holes
        rows = np.concatenate([np.arange(base[i], base[i] + result[0]) for i, result in enumerate(scanned)])
        starts, lengths, values = starts[rows], lengths[rows], values[rows]
        base = [0, *accumulate(result[0] for result in scanned)]
    numbers = values.astype(np.int32) if shape.integer else values
    tags = [result[5] for result in scanned if result[5] is not None]
    table = group_rows(scanned, base, Strings(ids, starts, lengths), numbers)
    return table, decode(tags[-1]) if tags else None


def _pieces(source: Source) -> list[Piece]:
    text, begin = source.text, source.begin
    last = text.rfind(b"\n") + 1
    pieces = []
    step = min(PIECE, max(WORTHWHILE // 2, -(-len(text) // max(1, parts_for(len(text), WORTHWHILE)))))
    while begin < last:
        end = last if begin + step >= last else text.find(b"\n", begin + step) + 1
        pieces.append(Piece(text, begin, end, begin))
        begin = end
    if begin < len(text):
        tail = bytes(text[begin:]) + b"\n"
        pieces.append(Piece(tail, 0, len(tail), begin))
    return pieces


def group_rows(scanned: list[Any], base: list[int], documents: Strings, numbers: npt.NDArray[Any]) -> Table:
    """The table of what loops scanned, piece by piece; ``base`` has the first row of each piece and the last one."""
    seen: dict[bytes, int] = {}
    all_rows, all_codes = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for i, result in enumerate(scanned):
        codes = np.fromiter((seen.setdefault(name, len(seen)) for name in result[1]), np.int64, len(result[1]))
        all_rows.append(np.frombuffer(result[2], np.int64) + base[i])
        all_codes.append(codes[np.frombuffer(result[3], np.int32)])
    rows, codes = np.concatenate(all_rows), np.concatenate(all_codes)
    topics = [decode(name) for name in seen]
    new = np.ones(len(codes), bool)
    new[1:] = codes[1:] != codes[:-1]
    rows, codes = rows[new], codes[new]
    if len(codes) == len(topics):  # every topic in one block, as nearly always
        return Table(tuple(topics), np.append(rows, base[-1]), documents, numbers)
    sizes = np.diff(np.append(rows, base[-1]))
    return Table.of_codes(np.repeat(codes, sizes), topics, documents, numbers)


def _fault(source: Source, shape: Shape, piece: Piece, base: int, fault: tuple[int, int, int, int]) -> str:
    code, number, begin, end = fault
    line = bytes(piece.text[begin:end])
    fields = line.split()
    if code == BAD_COLUMNS:
        least = "at least " if shape.more_allowed else ""
        layout = f"{least}{len(shape.columns)} columns ({' '.join(shape.columns)})"
        why = f"a {shape.what} has {layout}, this line has {len(fields)}"
        if shape is QRELS and len(fields) == SAMPLED and all(map(NUMBER.fullmatch, fields[3:])):
            why += " (a sample of judgments has five: adjudge estimate takes it)"
        return at(source.name, base + number + 1, why, line)
    if code in UNREADABLE:
        return at(source.name, base + number + 1, UNREADABLE[code], line)
    token, name = decode(fields[shape.value]), shape.columns[shape.value]
    endless = code == BAD_FINITE or re.fullmatch(r"[+-]?(nan|inf|infinity)", token, re.IGNORECASE)
    wanted = "a whole number" if shape.integer else "a finite number" if endless else "a number"
    return at(source.name, base + number + 1, f"the {name} is not {wanted}", line)


def find_lines(source: Source, shape: Shape, topic: str, document: str) -> Iterator[tuple[int, bytes]]:
    """The lines (from 1) that have a document of a topic. Slow: for error messages."""
    for number, line in enumerate(source.whole().split(b"\n"), 1):
        fields = line.split()
        if len(fields) < len(shape.columns) or fields[0].startswith(b"#"):
            continue
        if decode(fields[0]) == topic and decode(fields[2]) == document:
            yield number, line


def _refuse_binary(source: Source) -> None:
    head = bytes(source.text[:4096])
    if head[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        raise DataError(f"{source.name}: UTF-16 text: convert it to UTF-8")
    if b"\0" in head:
        line = head[: head.index(b"\0")].count(b"\n")
        raise DataError(at(source.name, line + 1, "binary data, not lines of text", head.split(b"\n")[line]))
