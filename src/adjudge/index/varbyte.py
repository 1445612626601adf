"""Numbers in as many bytes as they need: seven bits a byte, the lowest first, the high bit where more follow."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Integers = npt.NDArray[Any]
WIDEST = 5


def widths(values: Integers) -> npt.NDArray[np.int64]:
    """How many bytes each number takes."""
    width = np.ones(len(values), np.int64)
    for bits in range(7, 7 * WIDEST, 7):
        width += values >= (1 << bits)
    return width


def encode(values: Integers) -> Bytes:
    """Numbers from 0 below 2³⁵ as bytes."""
    width = widths(values)
    ends = np.cumsum(width)
    starts = ends - width
    out = np.zeros(int(ends[-1]) if len(ends) else 0, np.uint8)
    rest = values.astype(np.int64)
    for byte in range(int(width.max(initial=0))):
        has = width > byte
        more = width[has] > byte + 1
        out[starts[has] + byte] = ((rest[has] >> (7 * byte)) & 127) | (more << 7)
    return out


def decode(raw: Bytes) -> npt.NDArray[np.int64]:
    """The numbers again."""
    last = raw < 128
    number: Integers = np.cumsum(last) - last
    starts = np.flatnonzero(np.concatenate([[True], last[:-1]])) if len(raw) else np.zeros(0, np.int64)
    shift = 7 * (np.arange(len(raw)) - starts[number])
    parts = (raw & 127).astype(np.int64) << shift
    return np.add.reduceat(parts, starts) if len(raw) else np.zeros(0, np.int64)
