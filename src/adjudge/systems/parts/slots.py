"""Slots: the places of a text where a term may stand, though some of its characters were read wrongly.

A slot of the term φ is a substring with an edit distance below ``share`` · |φ| from it. What counts as one slot is the
unit: substrings that end at neighbouring positions (``runs``), every window of the term's length (``windows``), or
every blank at which such a substring begins (``words``: a word of the text counts once). ``slots.c`` does the counting
with Myers' bit vectors; what is here is the same by the definition, for machines without a compiler and as oracle of
the tests.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.kernel import native
from .flat import Bytes

Integers = npt.NDArray[Any]
UNITS = ("runs", "windows", "words")
"""What counts as one slot, by the numbers that ``slots.c`` knows them by."""
LONGEST = 64
"""Characters of a term that are looked at."""

compiled: Any = native("slots")


def most_edits(length: int, share: float = 0.2) -> int:
    """The most edits that are below share · length: 0 up to 5 characters, 1 up to 10, 2 up to 15 …"""
    return max(0, math.ceil(round(share * length, 9)) - 1)


def count(
    texts: Bytes,
    begins: Integers,
    ends: Integers,
    term: bytes,
    *,
    share: float = 0.2,
    unit: str = "runs",
    length: int | None = None,
) -> Integers:
    """The slots of a term in each text; ``length``: that of the term as it counts for the edits, if not its own."""
    letters = term[:LONGEST]
    out = np.zeros(len(begins), np.int64)
    if not letters:
        return out
    edits = most_edits(len(letters) if length is None else min(length, LONGEST), share)
    begins, ends = (np.ascontiguousarray(column, np.int64) for column in (begins, ends))
    if compiled is not None:
        compiled.count(texts, begins, ends, letters, edits, UNITS.index(unit), out)
        return out
    for i, (begin, end) in enumerate(zip(begins.tolist(), ends.tolist(), strict=True)):
        text = texts[begin:end].tobytes()
        out[i] = COUNTERS[unit](text, letters, edits)
    return out


def end_positions(text: bytes, term: bytes, edits: int) -> list[int]:
    """Where substrings end that are at most so many edits from the term, by Sellers' recurrence."""
    column, ends = list(range(len(term) + 1)), []
    for i, letter in enumerate(text):
        below = [0]
        for j, wanted in enumerate(term, 1):
            below.append(min(column[j - 1] + (letter != wanted), column[j] + 1, below[j - 1] + 1))
        column = below
        if column[-1] <= edits:
            ends.append(i)
    return ends


def runs(text: bytes, term: bytes, edits: int) -> int:
    ends = end_positions(text, term, edits)
    return sum(1 for i, end in enumerate(ends) if not i or end != ends[i - 1] + 1)


def windows(text: bytes, term: bytes, edits: int) -> int:
    return sum(
        distance(text[i : i + len(term)], term) <= edits for i in range(len(text) - len(term) + 1)
    )  # fmt: skip


def words(text: bytes, term: bytes, edits: int) -> int:
    """Blanks at which a substring begins that is near enough: of any length, so that the best one tells."""
    blanks = [i for i, letter in enumerate(text) if letter == ord(" ")]
    longest = len(term) + edits
    return sum(
        any(distance(text[i : i + length], term) <= edits for length in range(min(longest, len(text) - i) + 1))
        for i in blanks
    )


COUNTERS = {"runs": runs, "windows": windows, "words": words}


def distance(first: bytes, second: bytes) -> int:
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        following = [i]
        for j, wanted in enumerate(second, 1):
            following.append(min(row[j - 1] + (letter != wanted), row[j] + 1, following[j - 1] + 1))
        row = following
    return row[-1]


def regression(slots: Sequence[float] | Integers, frequencies: Sequence[float] | Integers) -> float:
    """The constant a of f ≈ a · s, by least squares through the origin; 1 if no slot was seen."""
    s, f = np.asarray(slots, np.float64), np.asarray(frequencies, np.float64)
    square = float(s @ s)
    return float(s @ f) / square if square else 1.0
