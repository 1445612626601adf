"""Whether a Parquet file is laid out as one can be, seen from its footer and the headers of its pages.

The library that reads these files ends the process where a damaged one asks for more memory than there is. What it asks
for stands in the footer and in the headers, which are small: they are read here, and a file in which every size, place
and count fits can be read in this process. All others are tried in another one first (parquet_probe.py).

Footer and headers are in Thrift's compact protocol: a structure is a run of fields (number, type, value), and what is
not asked for is skipped.
"""

from __future__ import annotations

from typing import Any

MAGIC = b"PAR1"
LARGEST_FOOTER = 1 << 18
"""A longer footer takes longer to read in Python than another process takes to start."""
MOST_PAGES = 2000
DEEPEST = 12
MOST_CELLS = 50_000_000
LARGEST_PAGE = 1 << 28
PLAIN_ENCODINGS = frozenset({0, 2, 3, 8})
"""PLAIN, PLAIN_DICTIONARY, RLE, RLE_DICTIONARY: others have counts of their own within the data."""
CODECS = frozenset({0, 1, 2, 4, 6, 7})
DATA, DICTIONARY, DATA_2 = 0, 2, 3

Fields = dict[int, Any]


class _Reader:
    """Values of the compact protocol, one after the other; an IndexError or a ValueError where they make no sense."""

    def __init__(self, data: bytes, at: int, end: int) -> None:
        self.data, self.at, self.end = data, at, end

    def byte(self) -> int:
        if self.at >= self.end:
            raise IndexError
        value = self.data[self.at]
        self.at += 1
        return value

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
            if shift > 63:
                raise ValueError

    def number(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def structure(self, depth: int = 0) -> Fields:
        if depth > DEEPEST:
            raise ValueError
        fields: Fields = {}
        number = 0
        while head := self.byte():
            step, kind = head >> 4, head & 15
            number = number + step if step else self.number()
            fields[number] = self.value(kind, depth)
        return fields

    def value(self, kind: int, depth: int) -> Any:
        if kind in {1, 2}:
            return kind == 1
        if kind == 3:
            return self.byte()
        if kind in {4, 5, 6}:
            return self.number()
        if kind == 7:
            self.skip(8)
            return None
        if kind == 8:
            return self.skip(self.varint())
        if kind in {9, 10}:
            head = self.byte()
            size, inner = head >> 4, head & 15
            size = self.varint() if size == 15 else size
            if size > self.end - self.at:
                raise ValueError
            return [self.byte() == 1 if inner in {1, 2} else self.value(inner, depth + 1) for _ in range(size)]
        if kind == 12:
            return self.structure(depth + 1)
        raise ValueError

    def skip(self, size: int) -> int:
        if size > self.end - self.at:
            raise IndexError
        self.at += size
        return size


def is_plausible(data: bytes) -> bool:
    """Whether all that a file says of its sizes, places and counts fits together and into it."""
    try:
        return _fits(data)
    except (IndexError, ValueError, KeyError, TypeError, AttributeError):
        return False


def _fits(data: bytes) -> bool:
    if len(data) < 12 or data[:4] != MAGIC or data[-4:] != MAGIC:
        return False
    length = int.from_bytes(data[-8:-4], "little")
    start = len(data) - 8 - length
    if start < 4 or length > LARGEST_FOOTER:
        return False
    footer = _Reader(data, start, len(data) - 8).structure()
    rows, groups = footer[3], footer.get(4) or []
    leaves = [element for element in footer[2] if not element.get(5)]
    flat = len(leaves) == len(footer[2]) - 1 and all(element.get(3) in {0, 1} for element in leaves)
    if not flat or not leaves or not 0 <= rows * len(leaves) <= MOST_CELLS or sum(group[3] for group in groups) != rows:
        return False
    pages = 0
    for group in groups:
        if group[3] < 0 or len(group[1]) != len(leaves):
            return False
        for chunk, leaf in zip(group[1], leaves, strict=True):
            about = chunk[3]
            if 1 in chunk or about[1] != leaf.get(1) or about[4] not in CODECS or about[5] != group[3]:
                return False
            seen = _pages(data, about, start)
            if not seen:
                return False
            pages += seen
            if pages > MOST_PAGES:
                return False
    return True


def _pages(data: bytes, about: Fields, end_of_data: int) -> int:
    """How many pages a column has in a group of rows; 0 if one of them cannot be."""
    first = about[9] if about.get(11) is None else min(about[9], about[11])
    size, unpacked = about[7], about[6]
    if first < 4 or size < 0 or first + size > end_of_data or not 0 <= unpacked <= LARGEST_PAGE:
        return 0
    if any(encoding not in PLAIN_ENCODINGS for encoding in about[2]):
        return 0
    at, end, left, pages = first, first + size, about[5], 0
    while at < end:
        reader = _Reader(data, at, end)
        header = reader.structure()
        kind, large, small = header[1], header[2], header[3]
        at = reader.at + small
        own = header.get({DATA: 5, DICTIONARY: 7, DATA_2: 8}.get(kind, -1))
        if own is None or small < 0 or at > end or not 0 <= large <= min(LARGEST_PAGE, max(unpacked, small)):
            return 0
        if about[4] == 0 and large != small:
            return 0
        encoding = own[4] if kind == DATA_2 else own[2]
        if encoding not in PLAIN_ENCODINGS or not 0 <= own[1] <= (about[5] if kind != DICTIONARY else max(large, 1)):
            return 0
        if kind == DATA_2 and (own[3] != own[1] or own[5] < 0 or own[6] != 0 or own[5] > small):
            return 0
        if kind == DICTIONARY and pages:
            return 0
        left -= own[1] if kind != DICTIONARY else 0
        pages += 1
    return pages if left == 0 else 0
