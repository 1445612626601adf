"""Character n-grams: inside padded words, and sliding over whole texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.spec import Component, is_count, number, require
from .splitting import offsets_of
from .tokens import Numbers

LARGEST_TABLE = 1 << 25
"""Codes below this are counted in a table; above it they are sorted, which is slower."""

NAMED_PADS = {"blank": " "}
"""Pads that cannot be written as themselves in a spec."""


LONGEST = 100
"""The longest grams: each of them is kept as a text, so memory grows with their length."""


def require_length(component: Component, n: object) -> None:
    """Raise unless n is a length that grams can have."""
    require(component, "n", is_count(n) and int(str(n)) <= LONGEST, f"be a whole number from 1 to {LONGEST}")


def require_pad(component: Component, pad: object, optional: bool) -> None:
    """Raise unless a pad is one character that can be written in a spec, or ``blank``, or none where allowed."""
    single = isinstance(pad, str) and len(pad) == 1 and pad.isprintable() and pad not in " ,()[]|="
    fine = (single and number(str(pad)) == pad) or (isinstance(pad, str) and pad in NAMED_PADS)
    fine = fine or (optional and pad is None)
    require(component, "pad", fine, "be one character, blank" + (" or none" if optional else ""))


def character(pad: str | None) -> str:
    return NAMED_PADS.get(pad, pad) if pad else ""


def grams_of(words: Iterable[str], n: int) -> list[tuple[str, ...]]:
    """The n-grams of each word, or the word if it is no longer than one; equal grams are one string in memory."""
    known: dict[str, str] = {}
    intern = known.setdefault
    return [
        tuple([intern(gram := word[i : i + n], gram) for i in range(len(word) - n + 1)]) if len(word) > n else (word,)
        for word in words
    ]


@dataclass(frozen=True, eq=False)
class Grams:
    """The n-grams of some texts, as columns."""

    types: list[str]
    ids: Numbers
    offsets: npt.NDArray[np.int64]
    begins: npt.NDArray[np.bool_]
    """For each character of the texts, one after the other, whether a gram begins there."""


def sliding(texts: Sequence[str], n: int) -> Grams:
    """The n-grams of whole texts; a text shorter than n is one gram.

    Characters become digits of a number, grams numbers of n digits. Columns as long as the texts are what costs time
    here, so there are few of them.
    """
    joined = "".join(texts)
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    ends = np.cumsum(lengths)
    longest = int(lengths.max(initial=0))
    begins = np.ones(len(joined), bool)
    for back in range(1, min(n, longest + 1)):
        last = ends - back  # where this reaches into the text before, no gram of that text begins, either
        begins[last[last >= 0]] = False
    types: list[str] = []
    ids = np.zeros(len(joined), np.int32)
    if longest >= n:
        codes, bound = _codes(joined, n)
        np.putmask(codes, ~begins, bound)
        ids, where, used = _compact(codes, bound + 1)
        types = [joined[i : i + n] for i in where[: used - (not begins.all())].tolist()]
    shorter: dict[str, int] = {}
    for text in np.flatnonzero((lengths > 0) & (lengths < n)).tolist():
        at = ends[text] - lengths[text]
        begins[at] = True
        ids[at] = shorter.setdefault(texts[text], len(types) + len(shorter))
    counts = np.where(lengths < n, lengths > 0, lengths - n + 1)
    return Grams(types + list(shorter), ids[begins], offsets_of(counts), begins)


def _codes(joined: str, n: int) -> tuple[npt.NDArray[np.int64], int]:
    """A number for the n characters from each one on (the last n - 1 mean nothing), and a bound for the numbers.

    Whenever the numbers would grow too large for a table, those in use are numbered anew.
    """
    digits, base = _digits(joined)
    codes, bound = digits.astype(np.int64), base
    for i in range(1, n):
        if bound * base > LARGEST_TABLE:
            smaller, _, bound = _compact(codes, bound)
            codes[:] = smaller
        codes *= base
        codes[:-i] += digits[i:]
        bound *= base
    return codes, bound


def _digits(joined: str) -> tuple[npt.NDArray[Any], int]:
    """A number for each character, without gaps, and how many there are."""
    if joined.isascii():
        text = joined.encode("ascii")
        used = [code for code in range(128) if code in text]
        table = bytearray(256)
        for digit, code in enumerate(used):
            table[code] = digit
        return np.frombuffer(text.translate(table), np.uint8), len(used)
    points = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
    digits, _, base = _compact(points.astype(np.int64), int(points.max()) + 1)
    return digits, base


def _compact(codes: npt.NDArray[np.int64], bound: int) -> tuple[Numbers, npt.NDArray[Any], int]:
    """Codes numbered by size without gaps, a place of each in use, and how many there are."""
    if bound > LARGEST_TABLE:
        _, first, ids = np.unique(codes, return_index=True, return_inverse=True)
        return ids.astype(np.int32), first, len(first)
    place = np.full(bound, -1, np.int32)
    place[codes] = np.arange(len(codes), dtype=np.int32)
    used = np.flatnonzero(place >= 0)
    where = place[used]
    place[used] = np.arange(len(used), dtype=np.int32)
    return place[codes], where, len(used)
