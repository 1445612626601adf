"""An index that was built: postings, statistics and ids, mapped from disk and read as they are needed."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..core.document import Document
from ..core.errors import DataError, SpecError, did_you_mean
from ..core.scanned_page import CERTAIN, UNKNOWN, ScannedPage
from ..core.spec import renew
from ..core.strings import Strings, encode
from ..weighting.scheme import Postings, Statistics, TermCounts
from . import varbyte
from .array_checks import impossible
from .field_columns import FIELDS, TITLE, FieldColumn, columns_of, fields_of
from .index_files import MANIFEST, Manifest, map_array, verify
from .inversion import sums
from .packed_postings import unpack
from .page_records import read_pages
from .saturation import LengthNorms, PackedTerm, TermOutline, outline, saturated, weigh_packed, weighing
from .term_places import TermPlaces, TermPostings, places_in, slots_of
from .texts import block_arrays, read_text

if TYPE_CHECKING:
    from ..text.analyzer import Analyzer

Integers = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
PIECE = 4_000_000
"""Postings that are looked at together where all are looked at."""
NEAR = 500
"""Ids before and after a wrong one, in byte order, among which it may have been meant."""
TYPED = 200
"""Longer ids nobody types, and comparing them takes seconds."""
TEXTS, PAGES = block_arrays("text"), block_arrays("page")
ARRAYS = (
    "postings",
    "posting_offsets",
    "offsets",
    "cf",
    "terms",
    "term_offsets",
    "lengths",
    "distinct",
    "ids",
    "id_offsets",
    "id_order",
)
LARGE = frozenset({"postings", "positions", "texts", "pages", "certainty"})
"""Arrays whose parts are checked when they are used; the others are read as a whole when the index is opened."""


@dataclass(frozen=True, eq=False, repr=False)
class Index:
    """Terms and documents are numbered from 0, terms in the order of their bytes, documents as they came."""

    folder: Path
    manifest: Manifest
    arrays: dict[str, Integers] = field(default_factory=dict)

    @staticmethod
    def open(folder: str | os.PathLike[str]) -> Index:
        """The index in a folder; the sizes of all its files are checked, and the checksums of the small ones.

        The small arrays are also checked for order and bounds, since checksums may be those of somebody who made them
        up. Postings, positions and texts are checked as far as they are used, :meth:`verify` checks every byte.
        """
        from .joined_index import JoinedIndex

        path = Path(folder)
        manifest = Manifest.read(path)
        try:
            return (JoinedIndex if manifest.parts else Index).load(path, manifest)
        except DataError:
            if Manifest.read(path).data == manifest.data:
                raise
            return Index.open(path)  # a build has replaced it in this moment

    @classmethod
    def load(cls, path: Path, manifest: Manifest) -> Index:
        """The index of which a manifest in a folder tells."""
        names = [*ARRAYS, *(("positions", "position_offsets") if manifest.positions else ())]
        names += (*(TEXTS if manifest.texts else ()), *(PAGES if manifest.pages else ()))
        names += ("certainty",) if manifest.certainty else ()
        return Index(path, manifest, checked_arrays(path, manifest, names))

    def __repr__(self) -> str:
        m = self.manifest
        return f"Index({self.folder}: {m.documents:,} documents, {m.terms:,} terms, {m.postings:,} postings)"

    def __len__(self) -> int:
        return self.manifest.documents

    def verify(self) -> None:
        """Compare every file with its checksum."""
        verify(self.folder, self.manifest, self.arrays, self.arrays)

    def _damage(self, name: str, why: str) -> DataError:
        return DataError(f"{self.folder / self.manifest.data / name}: damaged: {why}")

    @cached_property
    def analyzer(self) -> Analyzer:
        """What made the terms of the documents, for queries."""
        from ..text.analyzer import Analyzer

        try:
            return Analyzer.parse(renew(self.manifest.analyzer))  # lists had no commas once
        except SpecError as error:
            raise DataError(f"{self.folder / MANIFEST}: {error}") from None

    # -- terms --------------------------------------------------------------------------------------------------------

    def name(self, term: int) -> str:
        """The term with that number."""
        try:
            return self._raw(term).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise self._damage("terms", f"term {term:,} is not UTF-8: {error.reason}") from None

    def _raw(self, term: int) -> bytes:
        offsets = self.arrays["term_offsets"]
        return self.arrays["terms"][int(offsets[term]) : int(offsets[term + 1])].tobytes()

    def number(self, term: str) -> int:
        """The number of a term, or -1 if it is not indexed."""
        return _find(term.encode("utf-8", "surrogatepass"), self.manifest.terms, self._raw)

    def term(self, number: int) -> TermCounts:
        """Document and collection frequency; 0 for the number -1."""
        if number < 0:
            return TermCounts(0, 0)
        offsets = self.arrays["offsets"]
        return TermCounts(int(offsets[number + 1]) - int(offsets[number]), int(self.arrays["cf"][number]))

    def postings(self, term: int) -> tuple[npt.NDArray[np.int32], Floats]:
        """The documents that have a term, ascending, and how often."""
        names = ("posting_offsets", "offsets")
        bounds, places = (self.arrays[name][term : term + 2].astype(np.int64) for name in names)
        documents, tf, _ = self._unpacked(bounds[:1], bounds[1:], places[1:] - places[:1], np.array([term]))
        return documents, tf.astype(np.float64)

    def postings_of(self, terms: Integers) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], Integers]:
        """Documents and frequencies of several terms, one after the other, and where those of each begin and end."""
        arrays, at = self.arrays, np.asarray(terms, np.int64)
        begins, ends = (arrays["posting_offsets"][place].astype(np.int64) for place in (at, at + 1))
        firsts, lasts = (arrays["offsets"][place].astype(np.int64) for place in (at, at + 1))
        return self._unpacked(begins, ends, lasts - firsts, at)

    def weighed_postings(
        self, term: int, by: LengthNorms
    ) -> tuple[npt.NDArray[np.int32], Floats, float, tuple[Integers, Floats]]:
        """The documents of a term, ascending, and what :func:`saturated` makes of their frequencies."""
        if weighing is None:
            documents, tf, _ = self.postings_of(np.array([term]))
            return documents, *saturated(documents, tf, by)
        try:
            documents, weights, least, blocks, total = weigh_packed(self._packed(term), by)
        except ValueError:
            raise self._no_postings(np.array([term])) from None
        self._add_up(term, total)
        return documents, weights, least, blocks

    @property
    def packed(self) -> bool:
        """Whether the postings of a term lie together and can be unpacked in parts."""
        return weighing is not None

    def outline(self, term: int, by: LengthNorms) -> TermOutline:
        """What must be known of a term to unpack only some of its postings, if these are :attr:`packed`."""
        try:
            found, total = outline(self._packed(term), by)
        except ValueError:
            raise self._no_postings(np.array([term])) from None
        self._add_up(term, total)
        return found

    def _packed(self, term: int) -> PackedTerm:
        begin, end = self.arrays["posting_offsets"][term : term + 2].tolist()
        first, last = self.arrays["offsets"][term : term + 2].tolist()
        return PackedTerm(self.arrays["postings"], begin, end, last - first)

    def _add_up(self, term: int, total: int) -> None:
        if total != int(self.arrays["cf"][term]):
            raise self._damage("postings", "frequencies do not add up")

    def _no_postings(self, terms: Integers) -> DataError:
        which = f" of the term {self.name(int(terms[0]))!r}" if len(terms) == 1 else ""
        return self._damage("postings", f"bytes{which} are no postings of {len(self):,} documents")

    def _unpacked(
        self, begins: Integers, ends: Integers, counts: Integers, terms: Integers
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], Integers]:
        try:
            documents, tf, offsets = unpack(self.arrays["postings"], begins, ends, counts, len(self))
        except ValueError:
            raise self._no_postings(terms) from None
        if int(tf.sum(dtype=np.int64)) != int(self.arrays["cf"][terms].sum(dtype=np.int64)):
            raise self._damage("postings", "frequencies do not add up")
        return documents, tf, offsets

    def certainty(self, term: int) -> Floats | None:
        """How sure an OCR engine was of a term in each of its documents, 0 to 1, NaN where nobody knows.

        In the order of :meth:`postings`; None if nothing is known of any document.
        """
        if not self.manifest.certainty:
            return None
        sure = self._sure(term).astype(np.float64)
        if bool(((sure > CERTAIN) & (sure != UNKNOWN)).any()):
            raise self._damage("certainty", f"more than certain of the term {self.name(term)!r}")
        sure[sure == UNKNOWN] = np.nan
        return sure / CERTAIN

    def _sure(self, term: int) -> Integers:
        """The same as it is written; UNKNOWN for all if nothing is."""
        offsets = self.arrays["offsets"]
        first, last = int(offsets[term]), int(offsets[term + 1])
        return (
            self.arrays["certainty"][first:last]
            if self.manifest.certainty
            else np.full(last - first, UNKNOWN, np.uint8)
        )

    @cached_property
    def mean_certainty(self) -> Floats | None:
        """The mean of :meth:`certainty` for each term over its documents, NaN where nobody knows; None as there."""
        if not self.manifest.certainty:
            return None
        totals, counts = self._certainty_totals()
        with np.errstate(invalid="ignore"):
            means: Floats = totals / np.where(counts, counts, np.nan) / CERTAIN
        return means

    def _certainty_totals(self) -> tuple[Integers, Integers]:
        """For each term the sum of what is known of its documents, and of how many something is known."""
        sure, offsets = self.arrays["certainty"], self.arrays["offsets"].astype(np.int64)
        known = sure != UNKNOWN
        totals = sums(np.where(known, sure, 0).astype(np.int64))[offsets]
        return np.diff(totals), np.diff(sums(known)[offsets])

    def positions(self, term: int) -> tuple[Integers, Integers]:
        """The places where a term stands, those in its first document first, and where those of each document begin."""
        self._need_positions()
        offsets = self.arrays["position_offsets"]
        gaps = varbyte.decode(self.arrays["positions"][int(offsets[term]) : int(offsets[term + 1])])
        begins = sums(self.postings(term)[1].astype(np.int64))
        if len(gaps) != begins[-1]:
            raise self._damage("positions", f"{len(gaps):,} of the term {self.name(term)!r}, not {int(begins[-1]):,}")
        running = np.cumsum(gaps)
        before = running[begins[:-1]] - gaps[begins[:-1]]
        return running - np.repeat(before, np.diff(begins)), begins

    def place_ranges(self, terms: Integers) -> tuple[Integers, Integers]:
        """Where the bytes begin and end that say where some terms stand."""
        self._need_positions()
        at, offsets = np.asarray(terms, np.int64), self.arrays["position_offsets"]
        return offsets[at].astype(np.int64), offsets[at + 1].astype(np.int64)

    def places_in(
        self,
        terms: Integers,
        chosen: Integers,
        postings: TermPostings | None = None,
        ranges: tuple[Integers, Integers] | None = None,
    ) -> TermPlaces:
        """The places where some terms stand in some documents; ``postings`` are theirs, if they were read before, and
        ``ranges`` what :meth:`place_ranges` gives."""
        at = np.asarray(terms, np.int64)
        begins, ends = ranges or self.place_ranges(at)
        slots = slots_of(chosen, len(self))
        try:
            return places_in(postings or self.postings_of(at), self.arrays["positions"], begins, ends, slots)
        except ValueError:
            raise self._damage("positions", "other places than postings say") from None

    def _need_positions(self) -> None:
        if not self.manifest.positions:
            raise DataError(f"{self.folder}: built without positions")

    def most_frequent(self, count: int) -> list[str]:
        """The terms with the highest collection frequency, ties in alphabetical order."""
        cf = self.arrays["cf"].astype(np.int64)
        return [self.name(t) for t in np.argsort(-cf, kind="stable")[:count].tolist()]

    def pieces(self) -> Iterator[tuple[int, int, npt.NDArray[np.int32], Floats]]:
        """All postings, in pieces of whole terms: the first term, the last but one, documents and frequencies."""
        offsets = self.arrays["offsets"].astype(np.int64)
        first = 0
        while first < self.manifest.terms:
            last = max(first + 1, int(np.searchsorted(offsets, offsets[first] + PIECE, "right")) - 1)
            documents, tf, _ = self.postings_of(np.arange(first, last))
            yield first, last, documents, tf.astype(np.float64)
            first = last

    # -- statistics ---------------------------------------------------------------------------------------------------

    @cached_property
    def statistics(self) -> Statistics:
        return self.statistics_without(frozenset())

    def statistics_without(self, dropped: frozenset[int]) -> Statistics:
        """The statistics as they were without these terms."""
        lengths, distinct = (self.arrays[name].astype(np.int64) for name in ("lengths", "distinct"))
        for term in dropped:
            documents, tf = self.postings(term)
            lengths[documents] -= tf.astype(np.int64)
            distinct[documents] -= 1
        return Statistics(lengths, distinct, lambda: self._all_postings(dropped))

    def _all_postings(self, dropped: frozenset[int]) -> Iterator[Postings]:
        wanted_terms = np.ones(self.manifest.terms, bool)
        wanted_terms[list(dropped)] = False
        for first, last, documents, tf in self.pieces():
            df: Integers = np.diff(self.arrays["offsets"][first : last + 1].astype(np.int64))
            cf = self.arrays["cf"][first:last].astype(np.float64)
            postings = Postings(documents, tf, np.repeat(df.astype(np.float64), df), np.repeat(cf, df))
            if dropped:
                wanted = np.repeat(wanted_terms[first:last], df)
                postings = Postings(*(column[wanted] for column in postings))
            yield postings

    # -- documents ----------------------------------------------------------------------------------------------------

    @cached_property
    def ids(self) -> Strings:
        offsets = self.arrays["id_offsets"].astype(np.int64)
        return Strings(self.arrays["ids"], offsets[:-1], np.diff(offsets).astype(np.int32))

    @cached_property
    def id_ranks(self) -> npt.NDArray[np.int32]:
        """The place of each document in the byte order of ids, which decides between equal scores."""
        ranks = np.empty(len(self), np.int32)
        ranks[self.arrays["id_order"]] = np.arange(len(self), dtype=np.int32)
        return ranks

    def __contains__(self, document: str) -> bool:
        """Whether there is a document with an id."""
        return self._place_of(document)[1]

    def _place_of(self, document: str) -> tuple[int, bool]:
        """Where an id stands, or would stand, in the byte order of ids, and whether it does."""
        order, ids = self.arrays["id_order"], self.ids
        wanted = document.encode("utf-8", "surrogatepass") if _broken(document) else encode(document)
        place = bisect_left(range(len(self)), wanted, key=lambda at: encode(ids[int(order[at])]))
        return place, place < len(self) and ids[int(order[place])] == document

    def document_number(self, document: str) -> int:
        """The number of a document."""
        order, ids = self.arrays["id_order"], self.ids
        place, there = self._place_of(document)
        if there:
            return int(order[place])
        near = [ids[int(at)] for at in order[max(0, place - NEAR) : place + NEAR]] if len(document) <= TYPED else []
        raise DataError(f"{self.folder}: no document {document!r}{did_you_mean(document, near)}")

    def document(self, number: int) -> Document:
        """A stored document."""
        title, text = self.text(number)
        fields = tuple(field for field in self.fields(number) if field != (TITLE, title))
        return Document(self.ids[number], text, title, fields=fields)

    def text(self, number: int) -> tuple[str, str]:
        """Title and text of a stored document."""
        if not self.manifest.texts:
            raise DataError(f"{self.folder}: built without texts")
        return self._text(number)

    def _text(self, number: int) -> tuple[str, str]:
        place = os.path.join(self.folder, self.manifest.data, "texts")
        return read_text(place, [self.arrays[name] for name in TEXTS], number)

    def fields(self, number: int) -> tuple[tuple[str, str], ...]:
        """The fields of a document: names and values; the title is one where documents share titles."""
        names = self.manifest.fields
        return fields_of(names, self.arrays, number) if names else ()

    @cached_property
    def field_columns(self) -> dict[str, FieldColumn]:
        """The fields of all documents, by name, for counting and choosing."""
        names = self.manifest.fields
        return columns_of(names, self.arrays) if names else {}

    def pages(self, number: int) -> tuple[ScannedPage, ...]:
        """The pages of a stored document, with the place of each word; none if it was not scanned.

        Offsets count characters of the text that :meth:`document` gives. Images lie where :attr:`Manifest.source` says.
        """
        if not self.manifest.pages:
            return ()
        place = str(self.folder / self.manifest.data / "pages")
        return read_pages(place, [self.arrays[name] for name in PAGES], number)


def checked_arrays(path: Path, manifest: Manifest, names: Sequence[str]) -> dict[str, Integers]:
    """Arrays of an index with those of its fields, mapped; the small ones are compared with their checksums."""
    every = [*names, *(FIELDS if manifest.fields else ())]
    arrays = {name: map_array(path, name, manifest) for name in every}
    verify(path, manifest, arrays, [name for name in every if name not in LARGE])
    if wrong := impossible(arrays, manifest):
        raise DataError(f"{path / manifest.data / wrong[0]}: damaged: {wrong[1]}")
    return arrays


def _broken(text: str) -> bool:
    """Whether a text has half a surrogate pair, which no id has."""
    try:
        encode(text)
    except UnicodeEncodeError:
        return True
    return False


def _find(wanted: bytes, count: int, at: Callable[[int], bytes]) -> int:
    """The place of a string among so many sorted ones, or -1."""
    place = bisect_left(range(count), wanted, key=at)
    return place if place < count and at(place) == wanted else -1
