"""An index in several parts, because documents were added or removed: it looks like one that was built at once.

What is known of the whole (terms, frequencies, ids, lengths) lies in arrays like those of any index. Postings, texts
and pages stay in the parts, and are put together when they are asked for; documents that were removed are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.errors import DataError
from ..core.scanned_page import UNKNOWN, ScannedPage
from .array_checks import parts_impossible
from .index import ARRAYS, Floats, Index, checked_arrays
from .index_files import Manifest
from .inversion import sums, targets
from .saturation import LengthNorms, saturated
from .term_places import TermPlaces, TermPostings

Integers = npt.NDArray[Any]
PART_ARRAYS = ("part_terms", "part_own", "part_firsts", "removed", "removed_firsts")
JOINT_ARRAYS = (*(name for name in ARRAYS if name not in ("postings", "posting_offsets")), *PART_ARRAYS)


class PartPostings(NamedTuple):
    """Postings of some terms in a part, one term after the other."""

    which: Integers
    """The places of the terms that the part has, among those that were asked for."""
    df: Integers
    """In how many documents each of them is, 0 included: all of them may have been removed."""
    documents: Integers
    """Numbered as in the whole."""
    tf: Integers
    kept: npt.NDArray[np.bool_] | None
    """Which of the postings of the part these are; None if all."""


@dataclass(frozen=True, eq=False)
class IndexPart:
    """Some of the documents, as an index of their own, and their place in the whole."""

    index: Index
    numbers: Integers
    """The number in the whole of each of its terms that is left there; ascending."""
    own: Integers
    """The numbers that these terms have in the part; ascending."""
    removed: Integers
    """Documents of the part that are gone; ascending."""
    first: int
    """The number in the whole of the first document that is left."""

    def __len__(self) -> int:
        """Documents that are left."""
        return len(self.index) - len(self.removed)

    @cached_property
    def left(self) -> npt.NDArray[np.bool_]:
        """Which of its documents are left."""
        marks = np.ones(len(self.index), bool)
        marks[self.removed] = False
        return marks

    @cached_property
    def _places(self) -> Integers:
        """The number in the whole of each document that is left, -1 for the others."""
        return np.where(self.left, np.cumsum(self.left) - 1 + self.first, -1).astype(np.int32)

    @cached_property
    def _rows(self) -> Integers:
        return np.flatnonzero(self.left)

    def row(self, number: int) -> int:
        """The own number of a document of the whole."""
        return number - self.first if not len(self.removed) else int(self._rows[number - self.first])

    def own_terms(self, terms: Integers) -> tuple[Integers, Integers]:
        """Which of some terms of the whole the part has, by their places, and its own numbers for these."""
        at = np.searchsorted(self.numbers, terms)
        there = np.flatnonzero(at < len(self.numbers))
        there = there[self.numbers[at[there]] == terms[there]]
        return there, self.own[at[there]]

    def postings_of(self, terms: Integers) -> PartPostings:
        """The postings of some terms of the whole in the documents of this part that are left."""
        which, own = self.own_terms(terms)
        documents, tf, offsets = self.index.postings_of(own)
        if not len(self.removed):
            return PartPostings(which, np.diff(offsets), documents + np.int32(self.first), tf, None)
        places = self._places[documents]
        kept = places >= 0
        return PartPostings(which, np.diff(sums(kept)[offsets]), places[kept], tf[kept], kept)

    def positions(self, own: int) -> tuple[Integers, Integers]:
        """The places where one of its terms stands in documents that are left, and how many there are in each."""
        places, begins = self.index.positions(own)
        counts: Integers = np.diff(begins)
        kept = self.left[self.index.postings(own)[0]]
        return places[np.repeat(kept, counts)], counts[kept]

    def places_in(self, terms: Integers, chosen: Integers) -> tuple[TermPlaces, Integers]:
        """Where terms of the whole stand in those of some documents, ascending, that this part has, and which those
        are, by their own numbers."""
        here = chosen[np.searchsorted(chosen, self.first) : np.searchsorted(chosen, self.first + len(self))]
        own = (self._rows[here - self.first] if len(self.removed) else here - self.first).astype(np.int64)
        which, numbers = self.own_terms(terms)
        found = self.index.places_in(numbers, own)
        return found._replace(terms=which[found.terms].astype(np.int32)), own


@dataclass(frozen=True, eq=False, repr=False)
class JoinedIndex(Index):
    """The parts in the order of their documents, and what is known of the whole."""

    parts: tuple[IndexPart, ...] = ()

    @classmethod
    def load(cls, path: Path, manifest: Manifest) -> JoinedIndex:
        """The index of which a manifest in a folder tells."""
        arrays = checked_arrays(path, manifest, JOINT_ARRAYS)
        if wrong := parts_impossible(arrays, manifest):
            raise DataError(f"{path / manifest.data / wrong[0]}: damaged: {wrong[1]}")
        parts = _parts_of([Index.load(path, part) for part in manifest.parts], arrays)
        return cls(path, manifest, arrays, tuple(parts))

    def verify(self) -> None:
        """Compare every file of every part with its checksum."""
        super().verify()
        for part in self.parts:
            part.index.verify()

    # -- terms --------------------------------------------------------------------------------------------------------

    def postings(self, term: int) -> tuple[npt.NDArray[np.int32], Floats]:
        """The documents that have a term, ascending, and how often."""
        documents, tf, _ = self.postings_of(np.array([term]))
        return documents, tf.astype(np.float64)

    def weighed_postings(
        self, term: int, by: LengthNorms
    ) -> tuple[npt.NDArray[np.int32], Floats, float, tuple[Integers, Floats]]:
        """The documents of a term, ascending, and what :func:`saturated` makes of their frequencies."""
        documents, tf, _ = self.postings_of(np.array([term]))
        return documents, *saturated(documents, tf, by)

    @property
    def packed(self) -> bool:
        """No: the postings of a term lie in several parts."""
        return False

    def postings_of(self, terms: Integers) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], Integers]:
        """Documents and frequencies of several terms; see :meth:`Index.postings_of`."""
        at = np.asarray(terms, np.int64)
        offsets = sums(self.arrays["offsets"][at + 1].astype(np.int64) - self.arrays["offsets"][at])
        found = [part.postings_of(at) for part in self.parts]
        counted = np.zeros(len(at), np.int64)
        for some in found:
            counted[some.which] += some.df
        if not np.array_equal(counted, np.diff(offsets)):
            raise self._damage("offsets", "the parts have other postings")
        documents, tf = (np.empty(int(offsets[-1]), np.int32) for _ in range(2))
        following = offsets[:-1].copy()
        for some in found:
            target = targets(following, some.which, some.df)
            documents[target], tf[target] = some.documents, some.tf
        if int(tf.sum(dtype=np.int64)) != int(self.arrays["cf"][at].sum(dtype=np.int64)):
            raise self._damage("cf", "frequencies do not add up")
        return documents, tf, offsets

    def _own(self, term: int) -> Iterator[tuple[IndexPart, int]]:
        """The parts that have a term, and its number in each."""
        for part in self.parts:
            _, own = part.own_terms(np.array([term]))
            if len(own):
                yield part, int(own[0])

    def _sure(self, term: int) -> Integers:
        nothing = np.zeros(0, np.uint8)
        parts = [part.index._sure(own)[part.left[part.index.postings(own)[0]]] for part, own in self._own(term)]
        return np.concatenate([nothing, *parts])

    def _certainty_totals(self) -> tuple[Integers, Integers]:
        totals, counts = (np.zeros(self.manifest.terms, np.int64) for _ in range(2))
        for part in self.parts:
            if not part.index.manifest.certainty:
                continue
            if not len(part.removed):
                for whole, own in zip((totals, counts), part.index._certainty_totals(), strict=True):
                    whole[part.numbers] += own[part.own]
                continue
            offsets, raw = part.index.arrays["offsets"].astype(np.int64), part.index.arrays["certainty"]
            places = np.full(part.index.manifest.terms, -1, np.int64)
            places[part.own] = part.numbers
            for first, last, documents, _ in part.index.pieces():
                sure = raw[offsets[first] : offsets[last]]
                known = part.left[documents] & (sure != UNKNOWN)
                of_term = np.repeat(places[first:last], np.diff(offsets[first : last + 1]))[known]
                np.add.at(totals, of_term, sure[known].astype(np.int64))
                np.add.at(counts, of_term, 1)
        return totals, counts

    def positions(self, term: int) -> tuple[Integers, Integers]:
        """The places where a term stands, those in its first document first, and where those of each document begin."""
        self._need_positions()
        places, counts = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for part, own in self._own(term):
            some, each = part.positions(own)
            places.append(some)
            counts.append(each)
        return np.concatenate(places), sums(np.concatenate(counts))

    def place_ranges(self, terms: Integers) -> tuple[Integers, Integers]:
        """Nothing that is of use here: every part has its own."""
        self._need_positions()
        nothing = np.zeros(len(terms), np.int64)
        return nothing, nothing

    def places_in(
        self,
        terms: Integers,
        chosen: Integers,
        postings: TermPostings | None = None,  # noqa: ARG002  # those of the parts are read
        ranges: tuple[Integers, Integers] | None = None,  # noqa: ARG002
    ) -> TermPlaces:
        """The places where some terms stand in some documents, which are read from part to part."""
        self._need_positions()
        at, some = np.asarray(terms, np.int64), np.asarray(chosen, np.int64)
        order = np.argsort(some, kind="stable")
        found = [part.places_in(at, some[order]) for part in self.parts]
        firsts = np.cumsum([0, *(len(own) for _, own in found)])
        rows = [
            (places.terms, order[first + places.slots], places.places)
            for first, (places, _) in zip(firsts.tolist(), found, strict=False)
        ]
        of_term, slots, places = (np.concatenate([np.zeros(0, np.int32), *row]) for row in zip(*rows, strict=True))
        by_term = np.argsort(of_term, kind="stable")
        return TermPlaces(*(column[by_term].astype(np.int32) for column in (of_term, slots, places)))

    # -- documents ----------------------------------------------------------------------------------------------------

    @cached_property
    def _firsts(self) -> list[int]:
        return [part.first for part in self.parts]

    def _at(self, number: int) -> tuple[Index, int]:
        """The part that has a document, and its number there."""
        part = self.parts[int(np.searchsorted(self._firsts, number, "right")) - 1]
        return part.index, part.row(number)

    def _text(self, number: int) -> tuple[str, str]:
        index, row = self._at(number)
        return index._text(row)

    def pages(self, number: int) -> tuple[ScannedPage, ...]:
        """The pages of a stored document; see :meth:`Index.pages`."""
        index, row = self._at(number)
        return index.pages(row)


def parts_of(index: Index) -> list[IndexPart]:
    """The parts of an index; one that was built at once is its own only part."""
    if isinstance(index, JoinedIndex):
        return list(index.parts)
    every = np.arange(index.manifest.terms)
    return [IndexPart(index, every, every, np.zeros(0, np.int64), 0)]


def _parts_of(indexes: Sequence[Index], arrays: dict[str, Integers]) -> Iterator[IndexPart]:
    firsts, removed_firsts = (arrays[name].astype(np.int64).tolist() for name in ("part_firsts", "removed_firsts"))
    first = 0
    for number, index in enumerate(indexes):
        terms = slice(firsts[number], firsts[number + 1])
        gone = slice(removed_firsts[number], removed_firsts[number + 1])
        columns = (arrays[name][some] for name, some in (("part_terms", terms), ("part_own", terms), ("removed", gone)))
        numbers, own, removed = (column.astype(np.int64) for column in columns)
        yield IndexPart(index, numbers, own, removed, first)
        first += len(index) - len(removed)
