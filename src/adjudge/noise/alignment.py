"""True and observed text, character by character, for documents of any length.

Two texts are laid side by side by the least number of edits (Levenshtein), which rapidfuzz finds. That takes time and
memory in proportion to the product of the lengths, so long texts are first cut at anchors: strings of 12 characters
that occur once in each text and stand in the same order in both.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.errors import MissingExtraError

if TYPE_CHECKING:
    from types import ModuleType

LONG = 50_000
"""Characters. Texts up to this length are aligned whole; the product of the lengths decides for unequal ones."""

PIECE = 4_000
"""Characters between two cuts of a longer text, at least."""

HINTED = 20_000
"""Longer pieces are first tried with the guess that one edit in twenty characters is enough, which is much faster."""

GRAMS = (12, 8, 6)
"""Lengths of anchors: shorter ones are tried only where the longer ones leave a piece that is still too long."""

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class Region(NamedTuple):
    """A stretch where the texts differ: ``true[start:end]`` was read as ``observed[begin:stop]``, ``edits`` apart."""

    start: int
    end: int
    begin: int
    stop: int
    edits: int


@dataclass(frozen=True)
class Alignment:
    """Two texts and the stretches where they differ, in order; everything between two stretches is the same."""

    true: str
    observed: str
    regions: tuple[Region, ...]

    @property
    def edits(self) -> int:
        """Characters substituted, deleted or inserted."""
        return sum(region.edits for region in self.regions)

    def errors(self) -> Iterator[tuple[str, str]]:
        """What was there and what was read, stretch by stretch."""
        for region in self.regions:
            yield self.true[region.start : region.end], self.observed[region.begin : region.stop]


def rapidfuzz() -> ModuleType:
    """The library that counts edits, or a MissingExtraError that says how to install it."""
    try:
        from rapidfuzz.distance import Levenshtein
    except ImportError:
        raise MissingExtraError("aligning texts needs rapidfuzz: pip install 'adjudge[noise]'") from None
    return Levenshtein


def missing_library() -> str:
    """What is not installed that alignment needs, in a line; empty if nothing is."""
    try:
        rapidfuzz()
    except MissingExtraError as error:
        return str(error)
    return ""


def plain(text: str, *, case: bool = True) -> str:
    """The text as error rates see it: white space is one blank, none at the ends; small letters unless case counts.

    >>> plain("  Solar \\n\\tpower ")
    'Solar power'
    """
    blank = " ".join(text.split())
    return blank if case else blank.lower()


def align(true: str, observed: str, *, case: bool = True) -> Alignment:
    """Both texts, made ``plain``, side by side with the fewest edits (nearly the fewest for those that must be cut).

    >>> list(align("modern farm", "modem fann").errors())
    [('rn', 'm'), ('rm', 'nn')]
    """
    true, observed = plain(true, case=case), plain(observed, case=case)
    regions: list[Region] = []
    for start, end, begin, stop in pieces(true, observed):
        regions += _align(true, observed, start, end, begin, stop)
    return Alignment(true, observed, tuple(_merge(regions)))


def distance(true: str, observed: str) -> int:
    """The number of edits between two texts as they are, without the alignment itself."""
    count = rapidfuzz().distance
    return sum(count(true[a:b], observed[c:d], score_hint=_hint(b - a)) for a, b, c, d in pieces(true, observed))


def _hint(length: int) -> int | None:
    """How many edits rapidfuzz is to reckon with; more are found too, after another try."""
    return length // 20 if length > HINTED else None


def _align(true: str, observed: str, start: int, end: int, begin: int, stop: int) -> list[Region]:
    edits = rapidfuzz().editops(true[start:end], observed[begin:stop], score_hint=_hint(end - start))
    # Single edits are tuples in rapidfuzz, several times cheaper to go through than its objects for stretches.
    return [
        Region(start + x, start + x + (tag != "insert"), begin + y, begin + y + (tag != "delete"), 1)
        for tag, x, y in edits.as_list()
    ]


def _merge(regions: Sequence[Region]) -> Iterator[Region]:
    """Neighbouring edits become one stretch."""
    if not regions:
        return
    start, end, begin, stop, edits = regions[0]
    for region in regions[1:]:
        if region.start == end and region.begin == stop:
            end, stop, edits = region.end, region.stop, edits + region.edits
        else:
            yield Region(start, end, begin, stop, edits)
            start, end, begin, stop, edits = region
    yield Region(start, end, begin, stop, edits)


def pieces(true: str, observed: str, *, long: int = LONG, piece: int = PIECE) -> list[tuple[int, int, int, int]]:
    """Where two texts are cut so that each pair of pieces can be aligned alone: (start, end, begin, stop) of each.

    Short texts stay whole. Where no anchor is found, texts that have almost nothing in common say, they are cut in
    proportion to their lengths, and the edits counted are then more than the fewest.
    """
    whole = (0, len(true), 0, len(observed))
    if not _too_long(whole, long):
        return [whole]
    a, b = _codes(true), _codes(observed)
    parts = [whole]
    for gram in GRAMS:
        parts = [
            smaller
            for part in parts
            for smaller in (_cut_at_anchors(a, b, part, gram, piece) if _too_long(part, long) else [part])
        ]
    return [smaller for part in parts for smaller in (_cut_evenly(part, long) if _too_long(part, long) else [part])]


def _too_long(part: tuple[int, int, int, int], long: int) -> bool:
    start, end, begin, stop = part
    return (end - start) * (stop - begin) > long * long


def _codes(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _cut_at_anchors(
    a: npt.NDArray[np.uint32], b: npt.NDArray[np.uint32], part: tuple[int, int, int, int], gram: int, piece: int
) -> list[tuple[int, int, int, int]]:
    start, end, begin, stop = part
    cuts: list[tuple[int, int, int, int]] = []
    last_a, last_b = start, begin
    for x, y in _anchors(a[start:end], b[begin:stop], gram, piece):
        at_a, at_b = start + x + gram // 2, begin + y + gram // 2
        if at_a - last_a >= piece or at_b - last_b >= piece:
            cuts.append((last_a, at_a, last_b, at_b))
            last_a, last_b = at_a, at_b
    return [*cuts, (last_a, end, last_b, stop)]


def _anchors(a: npt.NDArray[np.uint32], b: npt.NDArray[np.uint32], gram: int, piece: int) -> list[tuple[int, int]]:
    """Places of strings that occur once in each text, as many as stand in the same order in both."""
    if min(len(a), len(b)) < gram:
        return []
    sampled = gram == GRAMS[0]
    keys_a, places_a = _once(a, gram, sampled)
    keys_b, places_b = _once(b, gram, sampled)
    _, in_a, in_b = np.intersect1d(keys_a, keys_b, assume_unique=True, return_indices=True)
    x, y = places_a[in_a], places_b[in_b]
    same = np.ones(len(x), bool)
    for k in range(gram):  # two strings may share a hash
        same &= a[x + k] == b[y + k]
    x, y = x[same], y[same]
    order = np.argsort(x)
    x, y = x[order], y[order]
    # A few anchors in the space of a piece are enough to see which belong to the common order.
    _, first = np.unique(x // max(1, piece // 40), return_index=True)
    return _trusted_anchors(_increasing(x[first].tolist(), y[first].tolist()))


def _trusted_anchors(chain: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Anchors that lie about as far from their neighbours in one text as in the other.

    In a text that repeats itself, tables say, noise can make a string unique that belongs elsewhere; a cut there
    would cost many edits.
    """
    places = np.array(chain, np.int64).reshape(-1, 2)
    steps = np.diff(places, axis=0)
    near = np.abs(steps[:, 1] - steps[:, 0]) <= np.maximum(16, 0.3 * steps[:, 0])
    return [chain[k] for k in np.flatnonzero(near[1:] & near[:-1]) + 1]


def _once(
    codes: npt.NDArray[np.uint32], gram: int, sampled: bool
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """Hashes of the strings of ``gram`` characters that occur once, and their places.

    A sample is chosen by the hash, so that it is the same strings in both texts.
    """
    places = len(codes) - gram + 1
    hashes = np.zeros(places, np.uint64)
    for k in range(gram):
        hashes = (hashes ^ codes[k : k + places]) * MULTIPLIER
        hashes ^= hashes >> np.uint64(29)
    chosen = np.flatnonzero((hashes & np.uint64(15)) == 0) if sampled else np.arange(places)
    hashes = hashes[chosen]
    order = np.argsort(hashes)
    ordered = hashes[order]
    alone = np.ones(len(ordered), bool)
    again = ordered[1:] == ordered[:-1]
    alone[1:] &= ~again
    alone[:-1] &= ~again
    return ordered[alone], chosen[order[alone]]


def _increasing(x: list[int], y: list[int]) -> list[tuple[int, int]]:
    """The longest part of the pairs, which are in the order of x, that is also in the order of y."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, value in enumerate(y):
        place = bisect_left(tails, value)
        before.append(ends[place - 1] if place else -1)
        if place == len(tails):
            tails.append(value)
            ends.append(number)
        else:
            tails[place], ends[place] = value, number
    chain: list[tuple[int, int]] = []
    number = ends[-1] if ends else -1
    while number >= 0:
        chain.append((x[number], y[number]))
        number = before[number]
    return chain[::-1]


def _cut_evenly(part: tuple[int, int, int, int], long: int) -> list[tuple[int, int, int, int]]:
    start, end, begin, stop = part
    parts = int(np.ceil(np.sqrt((end - start) * (stop - begin)) / long))
    a = np.linspace(start, end, parts + 1).astype(int).tolist()
    b = np.linspace(begin, stop, parts + 1).astype(int).tolist()
    return list(zip(a[:-1], a[1:], b[:-1], b[1:], strict=True))


def with_context(true: str, observed: str, region: Region) -> tuple[str, str]:
    """An error as a rule: what was there and what was read; a pure insertion or deletion takes one character along.

    The character before it, or the one after it where a blank or nothing stands before.

    >>> one = align("the lab", "he lab")
    >>> with_context(one.true, one.observed, one.regions[0])
    ('th', 'h')
    """
    source, target = true[region.start : region.end], observed[region.begin : region.stop]
    if source and target:
        return source, target
    before = true[region.start - 1 : region.start] if region.start else ""
    after = true[region.end : region.end + 1]
    if before and (before != " " or not after or after == " "):
        return before + source, before + target
    return source + after, target + after


def rules_of(alignment: Alignment, *, longest: int = 3) -> Iterator[tuple[str, str]]:
    """The errors of an alignment as rules with at most ``longest`` characters on either side; longer ones are none."""
    for region in alignment.regions:
        source, target = with_context(alignment.true, alignment.observed, region)
        if len(source) <= longest and len(target) <= longest:
            yield source, target
