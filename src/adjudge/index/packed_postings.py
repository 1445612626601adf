"""Postings in few bytes: gaps between documents and frequencies, bit-packed in blocks; ``packing.c`` says how."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.kernel import native

Integers = npt.NDArray[Any]
BLOCK = 128
WIDEST = 31
"""Bits of a number."""

compiled: Any = native("packing")


def pack(documents: Integers, tf: Integers, offsets: Integers) -> tuple[Integers, Integers]:
    """The postings of terms as bytes, and where those of each term begin and the last ones end.

    Term ``t`` has ``documents[offsets[t] : offsets[t + 1]]``, ascending, and as many frequencies.
    """
    if compiled is None:
        return _pack(documents, tf, offsets)
    blocks = int(((np.diff(offsets) + BLOCK - 1) // BLOCK).sum())
    out, ends = np.empty(8 * len(documents) + 2 * blocks, np.uint8), np.empty(len(offsets), np.int64)
    columns = (np.ascontiguousarray(column, np.int32) for column in (documents, tf))
    compiled.pack(*columns, np.ascontiguousarray(offsets, np.int64), out, ends)
    return out[: int(ends[-1])], ends


def unpack(
    data: Integers, begins: Integers, ends: Integers, counts: Integers, size: int
) -> tuple[Integers, Integers, Integers]:
    """Documents and frequencies of terms, and where those of each term begin and the last ones end.

    The bytes of term ``t`` are ``data[begins[t] : ends[t]]``, and it has ``counts[t]`` postings, all of documents below
    ``size``. A ValueError if these bytes are something else.
    """
    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    documents, tf = (np.empty(int(offsets[-1]), np.int32) for _ in range(2))
    first, last = (np.ascontiguousarray(column, np.int64) for column in (begins, ends))
    work = _unpack if compiled is None else compiled.unpack
    work(data, first, last, offsets, size, documents, tf)
    return documents, tf, offsets


def _pack(documents: Integers, tf: Integers, offsets: Integers) -> tuple[Integers, Integers]:
    """The same without the kernel."""
    parts: list[bytes] = []
    ends = np.zeros(len(offsets), np.int64)
    for term, (first, last) in enumerate(zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)):
        gaps = np.diff(documents[first:last].astype(np.int64), prepend=-1) - 1
        times = tf[first:last].astype(np.int64) - 1
        size = 0
        for at in range(0, last - first, BLOCK):
            columns: list[Integers] = [gaps[at : at + BLOCK], times[at : at + BLOCK]]
            widths = [int(column.max()).bit_length() for column in columns]
            block = [bytes(widths), *(_bits(column, width) for column, width in zip(columns, widths, strict=True))]
            parts += block
            size += sum(map(len, block))
        ends[term + 1] = ends[term] + size
    return np.frombuffer(b"".join(parts), np.uint8), ends


def _bits(values: Integers, width: int) -> bytes:
    each = (values[:, None] >> np.arange(width)) & 1
    return np.packbits(each.astype(np.uint8).ravel(), bitorder="little").tobytes()


def _unpack(
    data: Integers, begins: Integers, ends: Integers, offsets: Integers, size: int, documents: Integers, tf: Integers
) -> None:
    """The same without the kernel."""
    for begin, end, first, last in zip(*(c.tolist() for c in (begins, ends, offsets[:-1], offsets[1:])), strict=True):
        at, before = begin, -1
        for start in range(first, last, BLOCK):
            many = min(BLOCK, last - start)
            widths = data[at : min(at + 2, end)].tolist()
            at += 2
            if len(widths) < 2 or max(widths) > WIDEST:
                raise ValueError("unpack: data: no postings of so many documents")
            columns = []
            for width in widths:
                length = (many * width + 7) // 8
                if at + length > end:
                    raise ValueError("unpack: data: no postings of so many documents")
                bits = np.unpackbits(data[at : at + length], count=many * width, bitorder="little")
                columns.append(bits.reshape(many, width).astype(np.int64) @ (1 << np.arange(width, dtype=np.int64)))
                at += length
            found = before + np.cumsum(columns[0] + 1)
            before = int(found[-1])
            if before >= size:
                raise ValueError("unpack: data: no postings of so many documents")
            documents[start : start + many], tf[start : start + many] = found, columns[1] + 1
        if at != end:
            raise ValueError("unpack: data: no postings of so many documents")
