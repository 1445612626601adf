"""What ``lines.c``, ``judging.c`` and ``ranks.c`` do, in Python: without a compiler, and as second opinion in tests.

The functions take and fill the same arrays and return the same values as the compiled ones.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .faults import BAD_COLUMNS, BAD_FINITE, BAD_LENGTH, BAD_NUL, BAD_NUMBER, BAD_RETURN

if TYPE_CHECKING:
    import numpy.typing as npt

BLANK = b" \t\r\v\f"
DECIMAL = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
INTEGER = re.compile(rb"[+-]?\d{1,10}")

Array: TypeAlias = "npt.NDArray[Any]"


def logarithms(numbers: Array, out: Array) -> None:
    out.reshape(-1)[:] = np.fromiter(map(math.log, numbers.reshape(-1).tolist()), float, numbers.size)


def count_lines(text: Any, begin: int, end: int) -> int:
    return bytes(text[begin:end]).count(b"\n")


def scan(
    text: Any,
    begin: int,
    end: int,
    shape: tuple[int, int, int, int, int],
    ids: Array,
    at: int,
    starts: Array,
    lengths: Array,
    values: Array,
    first_row: int,
) -> tuple[int, list[bytes], bytes, bytes, int, bytes | None, tuple[int, int, int, int]]:
    """Every line of ``text[begin:end]`` becomes a row of the columns, from ``first_row`` on."""
    value_column, tag_column, columns, more_allowed, integer = shape
    number_form = INTEGER if integer else DECIMAL
    names: dict[bytes, int] = {}
    segment_rows: list[int] = []
    segment_codes: list[int] = []
    documents: list[bytes] = []
    numbers: list[float] = []
    skipped, previous, tag, place = 0, None, None, begin
    fault = (0, 0, 0, 0)
    for number, line in enumerate(bytes(text[begin:end]).split(b"\n")[:-1]):
        here, place = place, place + len(line) + 1
        stripped = line.strip(BLANK)
        if not stripped or stripped.startswith(b"#"):
            skipped += 1
            continue
        fields = stripped.split()
        bad = 0
        if len(fields) < columns or (len(fields) > columns and not more_allowed):
            bad = BAD_COLUMNS
        elif any(b"\0" in field for field in fields[:columns]):
            bad = BAD_NUL
        elif len(fields[2]) >= 2**31:
            bad = BAD_LENGTH
        elif len(fields) > columns and b"\r" in _after(stripped, columns):
            bad = BAD_RETURN
        elif not number_form.fullmatch(fields[value_column]) or (integer and abs(int(fields[value_column])) >= 2**31):
            bad = BAD_NUMBER
        elif not math.isfinite(float(fields[value_column])):
            bad = BAD_FINITE
        if bad:
            fault = (bad, number, here, place - 1)
            break
        if fields[0] != previous:
            previous = fields[0]
            segment_rows.append(len(documents))
            segment_codes.append(names.setdefault(previous, len(names)))
        documents.append(fields[2])
        numbers.append(float(fields[value_column]))
        if tag_column >= 0:
            tag = fields[tag_column]
    rows = slice(first_row, first_row + len(documents))
    sizes = np.fromiter(map(len, documents), np.int64, len(documents))
    ends = at + np.cumsum(sizes)
    starts[rows], lengths[rows], values[rows] = ends - sizes, sizes, numbers
    if documents:
        ids[at : int(ends[-1])] = np.frombuffer(b"".join(documents), np.uint8)
    row_bytes, code_bytes = np.array(segment_rows, np.int64).tobytes(), np.array(segment_codes, np.int32).tobytes()
    return len(documents), list(names), row_bytes, code_bytes, skipped, tag, fault


def _after(line: bytes, columns: int) -> bytes:
    """What follows the last column that counts, the white space before it included."""
    for _ in range(columns):
        line = line.lstrip(BLANK)
        line = line[len(line.split(None, 1)[0]) :]
    return line


def _strings(data: Array, starts: Array, lengths: Array, first: int, last: int) -> list[bytes]:
    """Rows [first, last) of a column of strings."""
    view = data.data
    return [
        bytes(view[s : s + n]) for s, n in zip(starts[first:last].tolist(), lengths[first:last].tolist(), strict=True)
    ]


def index(
    data: Array,
    starts: Array,
    lengths: Array,
    offsets: Array,
    slots: Array,  # noqa: ARG001
    slot_offsets: Array | None,  # noqa: ARG001
    first: int,
    last: int,
) -> tuple[int, int] | None:
    """The first row of topics [first, last) whose string an earlier row of its topic has, with that earlier row.

    The tables themselves are of use to the compiled ``judge`` only and stay empty.
    """
    for topic in range(first, last):
        seen: dict[bytes, int] = {}
        begin = int(offsets[topic])
        for row, string in enumerate(_strings(data, starts, lengths, begin, int(offsets[topic + 1])), begin):
            earlier = seen.setdefault(string, row)
            if earlier != row:
                return row, earlier
    return None


def judge(
    data: Array,
    starts: Array,
    lengths: Array,
    scores: Array,
    offsets: Array,
    which: Array,
    pool_data: Array,
    pool_starts: Array,
    pool_lengths: Array,
    pool_grades: Array,
    pool_offsets: Array,
    slots: Array,  # noqa: ARG001
    slot_offsets: Array,  # noqa: ARG001
    ranks: Array,
    grades: Array,
    out_offsets: Array,
    counts: Array,
    single: bool,
    first: int,
    last: int,
) -> None:
    """Rank and grade of every document in the pool, topic by topic."""
    compared = scores.astype(np.float32) if single else scores
    for topic in range(first, last):
        counts[topic] = 0
        q = int(which[topic])
        if q < 0:
            continue
        here, there = slice(*offsets[topic : topic + 2].tolist()), slice(*pool_offsets[q : q + 2].tolist())
        judged = _strings(pool_data, pool_starts, pool_lengths, there.start, there.stop)
        pool = dict(zip(judged, pool_grades[there].tolist(), strict=True))
        retrieved = _strings(data, starts, lengths, here.start, here.stop)
        ranking = sorted(zip(compared[here].tolist(), retrieved, strict=True), reverse=True)
        out = int(out_offsets[topic])
        for rank, (_, document) in enumerate(ranking, 1):
            if document in pool:
                ranks[out], grades[out] = rank, pool[document]
                counts[topic] += 1
                out += 1


def dominated(places: Array, until: Array, below: Array, out: Array, room: int) -> None:
    """``out[i]`` = how many of ``places[:until[i]]`` are smaller than ``below[i]``.

    Bit by bit from the highest, all questions at once: the places are parted by the bit, and a question whose bound has
    the bit counts the places without it and goes on among the others.
    """
    left, right = np.zeros(len(until), np.int32), until.copy()
    out[:] = 0
    zeros = np.zeros(len(places) + 1, np.int32)
    for bit in range(int(room).bit_length() - 1, -1, -1):
        has = (places >> bit) & 1 == 1
        np.cumsum(~has, out=zeros[1:], dtype=np.int32)
        asks = (below >> bit) & 1 == 1
        from_left, from_right = zeros[left], zeros[right]
        out += np.where(asks, from_right - from_left, 0).astype(np.int32)
        left = np.where(asks, zeros[-1] + left - from_left, from_left)
        right = np.where(asks, zeros[-1] + right - from_right, from_right)
        places = np.concatenate([places[~has], places[has]])
