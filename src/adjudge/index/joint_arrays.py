"""What is known of an index in several parts: terms, frequencies, ids and lengths of the whole, and of each part
which of them are its own.

The arrays of the whole are those that an index has which was built at once, but for postings, positions, texts and
pages. Beside them are, for all parts one after the other: ``part_terms``, the numbers in the whole of the terms of a
part that are left, and ``part_own``, their numbers in the part; ``removed``, the documents of a part that are gone.
``part_firsts`` and ``removed_firsts`` say where those of each part begin.

Adding a part looks up each of its terms and ids among those that are there, so it takes as long as the part is large
and a copy of these arrays; removing documents goes through the postings of the parts that have them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import ConflictError, DataError
from ..core.strings import decode
from .index import Index
from .index_files import Manifest, Writer, narrow
from .inversion import sums
from .joined_index import IndexPart, parts_of
from .joint_fields import join_fields

Integers = npt.NDArray[Any]
MOST = 2**31 - 1
"""Documents of an index."""


@dataclass(frozen=True, eq=False)
class SortedStrings:
    """Strings of bytes in one array; ``order`` says which comes first, second and so on in the order of bytes."""

    data: Integers
    offsets: Integers
    order: Integers | None = None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def at(self, place: int) -> bytes:
        """The string at a place of the order."""
        row = place if self.order is None else int(self.order[place])
        return self.data[int(self.offsets[row]) : int(self.offsets[row + 1])].tobytes()

    def find(self, other: SortedStrings) -> tuple[Integers, Integers]:
        """For each of other strings, in their order, the first place here with one no smaller, and whether it is it."""
        places, there = np.zeros(len(other), np.int64), np.zeros(len(other), bool)
        low, every = 0, range(len(self))
        for number in range(len(other)):
            wanted = other.at(number)
            low = bisect_left(every, wanted, low, key=self.at)
            places[number], there[number] = low, low < len(self) and self.at(low) == wanted
        return places, there

    def kept(self, rows: npt.NDArray[np.bool_]) -> tuple[Integers, Integers]:
        """Bytes and offsets of some of the strings."""
        lengths: Integers = np.diff(self.offsets)
        return self.data[np.repeat(rows, lengths)], sums(lengths[rows])


@dataclass(frozen=True, eq=False)
class Joint:
    """The parts, and what is known of the whole."""

    parts: tuple[IndexPart, ...]
    terms: SortedStrings
    df: Integers
    cf: Integers
    ids: SortedStrings
    lengths: Integers
    distinct: Integers

    @classmethod
    def of(cls, index: Index) -> Joint:
        """That of an index."""
        arrays = index.arrays
        wide = {name: arrays[name].astype(np.int64) for name in ("term_offsets", "id_offsets", "offsets", "cf")}
        return cls(
            tuple(parts_of(index)),
            SortedStrings(arrays["terms"], wide["term_offsets"]),
            np.diff(wide["offsets"]),
            wide["cf"],
            SortedStrings(arrays["ids"], wide["id_offsets"], arrays["id_order"]),
            *(arrays[name].astype(np.int64) for name in ("lengths", "distinct")),
        )

    def __len__(self) -> int:
        return len(self.ids)

    # -- changes ------------------------------------------------------------------------------------------------------

    def with_part(self, index: Index) -> Joint:
        """With the documents of another index behind the others."""
        more = Joint.of(index)
        if len(self) + len(more) > MOST:
            raise DataError(f"an index holds at most {MOST:,} documents")
        at, there = self.ids.find(more.ids)
        if bool(there.any()):
            raise ConflictError(f"document {decode(more.ids.at(int(np.argmax(there))))} is in the index already")
        ids = SortedStrings(
            np.concatenate([self.ids.data, more.ids.data]),
            np.concatenate([self.ids.offsets, self.ids.offsets[-1] + more.ids.offsets[1:]]),
            np.insert(_order(self.ids), at, _order(more.ids) + np.int32(len(self))),
        )
        terms, old, new = _united(self.terms, more.terms)
        df, cf = (_added(len(terms), (old, new), (getattr(self, n), getattr(more, n))) for n in ("df", "cf"))
        parts = [replace(part, numbers=old[part.numbers]) for part in self.parts]
        own = np.arange(len(more.terms))
        parts.append(IndexPart(index, new, own, np.zeros(0, np.int64), len(self)))
        lengths = np.concatenate([self.lengths, more.lengths])
        return Joint(tuple(parts), terms, df, cf, ids, lengths, np.concatenate([self.distinct, more.distinct]))

    def without(self, documents: Integers) -> Joint:
        """Without some documents; parts of which nothing is left are gone."""
        left = np.ones(len(self), bool)
        left[documents] = False
        df, cf, parts = self.df.copy(), self.cf.copy(), list[IndexPart]()
        first = 0
        for part in self.parts:
            own = left[part.first : part.first + len(part)]
            rows = np.flatnonzero(part.left)
            changed = replace(part, removed=np.union1d(part.removed, rows[~own]), first=first)
            if not own.all():
                _subtract(part, changed, df, cf)
            if len(changed):
                parts.append(changed)
                first += len(changed)
        used = df > 0
        number = np.cumsum(used) - 1
        for place, part in enumerate(parts):
            kept = used[part.numbers]
            parts[place] = replace(part, numbers=number[part.numbers[kept]], own=part.own[kept])
        order, place_of = _order(self.ids), np.cumsum(left) - 1
        ids = SortedStrings(*self.ids.kept(left), place_of[order[left[order]]].astype(np.int32))
        terms = SortedStrings(*self.terms.kept(used))
        return Joint(tuple(parts), terms, df[used], cf[used], ids, self.lengths[left], self.distinct[left])

    def merged(self, first: int, last: int, index: Index, numbers: Integers) -> Joint:
        """The same documents, with an index of those of the parts from one to another in their place.

        Its terms have these numbers in the whole.
        """
        nothing = np.zeros(0, np.int64)
        one = IndexPart(index, numbers, np.arange(len(numbers)), nothing, self.parts[first].first)
        return replace(self, parts=(*self.parts[:first], one, *self.parts[last:]))

    # -- files --------------------------------------------------------------------------------------------------------

    def write(self, writer: Writer, source: str) -> Manifest:
        """Write the arrays into a data folder; what the manifest must say."""
        some = self.parts
        for name, strings in (("term", self.terms), ("id", self.ids)):
            writer.array(f"{name}s", strings.data)
            writer.array(f"{name}_offsets", narrow(strings.offsets))
        writer.array("id_order", _order(self.ids))
        writer.array("offsets", narrow(sums(self.df)))
        for name in ("cf", "lengths", "distinct"):
            writer.array(name, narrow(getattr(self, name)))
        for name, columns in (("part", [part.numbers for part in some]), ("removed", [part.removed for part in some])):
            writer.array("part_terms" if name == "part" else name, narrow(np.concatenate(columns)))
            writer.array(f"{name}_firsts", narrow(sums(np.array([len(column) for column in columns]))))
        writer.array("part_own", narrow(np.concatenate([part.own for part in some])))
        manifests = [part.index.manifest for part in some]
        fields = join_fields(some, writer)
        return Manifest(
            analyzer=manifests[0].analyzer,
            data=writer.folder.name,
            documents=len(self),
            terms=len(self.terms),
            postings=int(self.df.sum()),
            tokens=int(self.lengths.sum()),
            positions=manifests[0].positions,
            texts=manifests[0].texts,
            pages=any(manifest.pages for manifest in manifests),
            certainty=any(manifest.certainty for manifest in manifests),
            source=source,
            fields=fields,
            files=writer.finish(),
            parts=tuple(manifests),
        )


def _order(strings: SortedStrings) -> Integers:
    return np.arange(len(strings), dtype=np.int32) if strings.order is None else strings.order


def _united(some: SortedStrings, more: SortedStrings) -> tuple[SortedStrings, Integers, Integers]:
    """Sorted strings that stand in their order, together; the new numbers of these and of those."""
    places, there = some.find(more)
    fresh = ~there
    before = places[fresh]
    old = np.arange(len(some)) + np.searchsorted(before, np.arange(len(some)), "right")
    new = np.empty(len(more), np.int64)
    new[there] = old[places[there]]
    new[fresh] = before + np.arange(len(before))
    data, offsets = more.kept(fresh)
    lengths: Integers = np.diff(offsets)
    united = np.insert(some.data, np.repeat(some.offsets[before], lengths), data)
    both = np.insert(np.diff(some.offsets), before, lengths)
    return SortedStrings(united, sums(both)), old, new


def _added(size: int, places: Sequence[Integers], columns: Sequence[Integers]) -> Integers:
    total = np.zeros(size, np.int64)
    for at, column in zip(places, columns, strict=True):
        total[at] += column
    return total


def _subtract(before: IndexPart, after: IndexPart, df: Integers, cf: Integers) -> None:
    """Take from the frequencies of terms what they have in documents that a part has lost."""
    gone = before.left & ~after.left
    places = np.full(before.index.manifest.terms, -1, np.int64)
    places[before.own] = before.numbers
    offsets = before.index.arrays["offsets"].astype(np.int64)
    for first, last, documents, tf in before.index.pieces():
        lost = gone[documents]
        of_term = np.repeat(places[first:last], np.diff(offsets[first : last + 1]))[lost]
        np.subtract.at(df, of_term, 1)
        np.subtract.at(cf, of_term, tf[lost].astype(np.int64))
