"""Where terms stand in a few documents, without the places that they have in all others; ``placing.c`` says how."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.kernel import native
from . import varbyte

Integers = npt.NDArray[Any]
TermPostings = tuple[Integers, Integers, Integers]
"""Documents and frequencies of several terms, and where those of each begin and end."""

compiled: Any = native("placing")


class TermPlaces(NamedTuple):
    """Occurrences: of which of some terms, in which of some documents, at which place, the first being 0.

    Those of the first term come first, and of these those in the document with the lowest number.
    """

    terms: npt.NDArray[np.int32]
    slots: npt.NDArray[np.int32]
    places: npt.NDArray[np.int32]


def slots_of(chosen: Integers, documents: int) -> npt.NDArray[np.int32]:
    """For each of so many documents its place among the chosen ones, -1 for the others."""
    slots = np.full(documents, -1, np.int32)
    slots[chosen] = np.arange(len(chosen))
    return slots


def places_in(postings: TermPostings, raw: Integers, begins: Integers, ends: Integers, slots: Integers) -> TermPlaces:
    """The places of terms, the bytes of term k being ``raw[begins[k] : ends[k]]``, in documents that have a slot.

    A ValueError if these bytes are other places than the postings say.
    """
    if compiled is None:
        return _places_in(postings, raw, begins, ends, slots)
    documents, tf, offsets = postings
    first, last, bounds = (np.ascontiguousarray(column, np.int64) for column in (begins, ends, offsets))
    found = compiled.places(documents, tf, bounds, raw, first, last, slots)
    return TermPlaces(*(np.frombuffer(column, np.int32) for column in found))


def _places_in(postings: TermPostings, raw: Integers, begins: Integers, ends: Integers, slots: Integers) -> TermPlaces:
    """The same without the kernel."""
    documents, tf, offsets = postings
    rows: list[list[Integers]] = [[np.zeros(0, np.int32)] for _ in range(3)]
    for term, (begin, end) in enumerate(zip(begins.tolist(), ends.tolist(), strict=True)):
        here = slice(int(offsets[term]), int(offsets[term + 1]))
        gaps, times = varbyte.decode(raw[begin:end]), tf[here].astype(np.int64)
        if len(gaps) != times.sum() or (end > begin and raw[end - 1] >= 128):
            raise ValueError("places: raw: other places than postings say")
        firsts = np.cumsum(times) - times
        running = np.cumsum(gaps)
        before = np.concatenate([[0], running])[firsts]
        slot = np.repeat(slots[documents[here]], times)
        wanted = slot >= 0
        places = (running - np.repeat(before, times))[wanted]
        for row, column in zip(rows, (np.full(len(places), term), slot[wanted], places), strict=True):
            row.append(column.astype(np.int32))
    return TermPlaces(*(np.concatenate(row) for row in rows))
