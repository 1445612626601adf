"""C-value: how much a sequence of words is a term, by how often it stands there and how often only within longer ones.

With |a| words in a and f(a) occurrences, those within longer candidates among them, from the longest to the shortest:

    C(a) = log2 |a| · f(a)                   if a is in no accepted longer term
    C(a) = log2 |a| · (f(a) − t(a) / c(a))   otherwise

If a is accepted, each different candidate b in it has t(b) raised by f(a) − t(a) and c(b) by 1: so t(b) is how often b
stands within longer terms, each occurrence counted once, and c(b) in how many of them.

Paper: Frantzi, Ananiadou, Mima, Automatic recognition of multi-word terms: the C-value/NC-value method (2000).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import SpecError
from .tally import Tally, lengths_of, stretches

Integers = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Lookup = Callable[..., Integers]
"""The numbers of sequences: :meth:`Tally.find`, or :meth:`Tally.add` where every part is to get one."""


def c_values(
    rows: Integers,
    frequencies: Integers,
    *,
    least: float = 0.0,
    singular: Integers | None = None,
    single_words: bool = False,
) -> Floats:
    """C-values of candidates: rows of the numbers of their words, -1 where one is shorter, each row different.

    A candidate is accepted if its value is at least ``least``. A part of a row is compared as a term on its own, its
    last word n as ``singular[n]`` if that is given. With ``single_words`` the factor is log2 (|a| + 1), which does not
    make all single words 0.
    """
    if np.isnan(least):
        raise SpecError("the least C-value must be a number, not nan")
    sizes = lengths_of(rows).astype(np.int64)
    known = Tally(max(1, rows.shape[1]))
    if len(rows):
        known.add(*stretches(rows))
    frequency = frequencies.astype(np.float64)
    nested, longer, values = (np.zeros(len(rows)) for _ in range(3))  # t, c and C
    for size in range(int(sizes.max(initial=0)), 0, -1):
        own = np.flatnonzero(sizes == size)
        values[own] = values_of(size, frequency[own], nested[own], longer[own], single_words=single_words)
        accepted = own[values[own] >= least]
        parts = _parts(rows, accepted, size, known.find, singular)
        for total, more in zip(
            (nested, longer), _increases(parts, (frequency - nested)[accepted], len(rows)), strict=True
        ):
            np.add(total, more, out=total)
    return values


def values_of(size: int, frequency: Floats, nested: Floats, longer: Floats, *, single_words: bool) -> Floats:
    """C-values of candidates with so many words: f, t and c of each are known."""
    share = np.divide(nested, longer, out=np.zeros(len(longer)), where=longer > 0)
    values: Floats = np.log2(size + single_words) * (frequency - share)
    return values


def inner(
    rows: Integers, size: int, independent: Floats, singular: Integers | None, shortest: int = 1
) -> tuple[Integers, Floats, Floats]:
    """What is within accepted candidates of one size, each once, and by how much that raises its t and c.

    ``independent`` is f − t of each. Whether a part is a candidate itself is for the caller to know.
    """
    known = Tally(max(1, rows.shape[1]))
    parts = _parts(rows, np.arange(len(rows)), size, known.add, singular, shortest)
    return known.content()[0], *_increases(parts, independent, len(known))


def _increases(parts: list[Integers], independent: Floats, number: int) -> tuple[Floats, Floats]:
    nested, longer = np.zeros(number), np.zeros(number)
    for part in parts:
        real = part >= 0
        nested += np.bincount(part[real], independent[real], number)
        longer += np.bincount(part[real], minlength=number)
    return nested, longer


def _parts(
    rows: Integers, of: Integers, size: int, lookup: Lookup, singular: Integers | None, shortest: int = 1
) -> list[Integers]:
    """The candidates within rows of one size, column by column: -1 where a part is none, or was met before."""
    flat, width, parts = rows.ravel(), rows.shape[1], list[Integers]()
    for length in range(size - 1, shortest - 1, -1):
        same: list[Integers] = []
        for begin in range(size - length + 1):
            starts = of.astype(np.int64) * width + begin
            numbers = lookup(flat, starts, np.full(len(of), length, np.uint8), last=singular)
            for former in same:
                numbers[numbers == former] = -1
            same.append(numbers)
        parts += same
    return parts
