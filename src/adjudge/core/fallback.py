"""What ``_kernel.c`` does, in Python: slow, without a compiler, and the second opinion in the tests.

The functions take and fill the same arrays and return the same values as the compiled ones.
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import numpy.typing as npt

BAD_COLUMNS, BAD_NUMBER, BAD_FINITE = 2, 3, 4
BLANK = b" \t\r\v\f"
DECIMAL = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
INTEGER = re.compile(rb"[+-]?\d{1,10}")
SPACES = re.compile(rb"[ \t\r\v\f]+")

Array = npt.NDArray[Any]


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
    names: dict[bytes, int] = {}
    segment_rows: list[int] = []
    segment_codes: list[int] = []
    row, skipped, previous, tag, place = 0, 0, None, None, begin
    fault = (0, 0, 0, 0)
    for number, line in enumerate(bytes(text[begin:end]).split(b"\n")[:-1]):
        here, place = place, place + len(line) + 1
        stripped = line.strip(BLANK)
        if not stripped or stripped.startswith(b"#"):
            skipped += 1
            continue
        fields = SPACES.split(stripped)
        if len(fields) < columns or (len(fields) > columns and not more_allowed):
            fault = (BAD_COLUMNS, number, here, place - 1)
            break
        token = fields[value_column]
        if not (INTEGER if integer else DECIMAL).fullmatch(token) or (integer and abs(int(token)) >= 2**31):
            fault = (BAD_NUMBER, number, here, place - 1)
            break
        value = float(token)
        if not math.isfinite(value):
            fault = (BAD_FINITE, number, here, place - 1)
            break
        topic, document = fields[0], fields[2]
        if topic != previous:
            previous = topic
            segment_rows.append(row)
            segment_codes.append(names.setdefault(topic, len(names)))
        where = first_row + row
        ids[at : at + len(document)] = np.frombuffer(document, np.uint8)
        starts[where], lengths[where], values[where] = at, len(document), value
        at += len(document)
        if tag_column >= 0:
            tag = fields[tag_column]
        row += 1
    rows, codes = np.array(segment_rows, np.int64).tobytes(), np.array(segment_codes, np.int32).tobytes()
    return row, list(names), rows, codes, skipped, tag, fault


def _string(data: Array, starts: Array, lengths: Array, row: int) -> bytes:
    start = int(starts[row])
    return bytes(data[start : start + int(lengths[row])])


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
        for row in range(int(offsets[topic]), int(offsets[topic + 1])):
            earlier = seen.setdefault(_string(data, starts, lengths, row), row)
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
        pool = {
            _string(pool_data, pool_starts, pool_lengths, row): int(pool_grades[row])
            for row in range(int(pool_offsets[q]), int(pool_offsets[q + 1]))
        }
        ranking = [
            (float(compared[row]), _string(data, starts, lengths, row))
            for row in range(int(offsets[topic]), int(offsets[topic + 1]))
        ]
        ranking.sort(reverse=True)
        out = int(out_offsets[topic])
        for rank, (_, document) in enumerate(ranking, 1):
            if document in pool:
                ranks[out], grades[out] = rank, pool[document]
                counts[topic] += 1
                out += 1
