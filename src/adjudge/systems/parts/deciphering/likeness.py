"""Strings that are like a word, by grams and edits, and how often a string is expected that is no known word.

Neither knows a language: grams and edits are those of the strings, and what an unknown word looks like is told by the
characters that follow each other in the text itself.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....core.kernel import native, parts_for, together
from ....text.splitting import offsets_of
from . import slow_deciphering
from .observed_strings import ObservedVocabulary

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

LONGEST = 48
"""Characters of a word; what a longer one has beyond is not looked at."""
ALIKE, BEGINS, ENDS = 253, 254, 255
"""Kinds of strings that are not within the edits of a word: they share grams, begin with it, end with it."""
EDITS = (0, 0, 0, 1, 1, 2, 2, 2, 3)
"""Edits that a word of so many characters may have, a longer one as many as the last."""
SYMBOLS = 64
"""Characters that an unknown word distinguishes, with the end of a word and all others as one each."""

EACH = 16
"""Words for which a thread of their own pays off."""

compiled: Any = native("nearness")
loops: Any = compiled or slow_deciphering
following: Any = native("successors") or slow_deciphering
"""The loops over characters that follow each other."""


class StringGrams(NamedTuple):
    """The grams of a vocabulary: strings with ``keys[k]`` have the ranks ``ranks[starts[k]:starts[k + 1]]``.

    Ranks are places among all strings in the order of their lengths.
    """

    keys: npt.NDArray[np.uint32]
    starts: npt.NDArray[np.int64]
    ranks: npt.NDArray[np.int32]
    ordered: npt.NDArray[np.uint8]
    """The characters of all strings by rank, so that where one stands follows from its rank and its length."""
    by_rank: npt.NDArray[np.int32]
    """The place of each string in the vocabulary, by rank."""
    firsts: npt.NDArray[np.int64]
    """The first rank of each length from 0 on; all strings from 256 characters on are one; their end is last."""

    @classmethod
    def of(cls, vocabulary: ObservedVocabulary) -> StringGrams:
        """The grams of all strings."""
        raw = loops.grams(np.ascontiguousarray(vocabulary.letters), np.ascontiguousarray(vocabulary.offsets))
        kinds = np.uint32, np.int64, np.int32, np.uint8, np.int32, np.int64
        return cls(*(np.frombuffer(part, kind) for part, kind in zip(raw, kinds, strict=True)))


NEAR = (np.int32, np.uint8, np.uint8, np.int64)
"""What the loop gives: strings, kinds, shared grams, and how many strings each word has."""


class Near(NamedTuple):
    """Strings that are like words: which word, which string, how many edits or which kind, how many grams both have."""

    word: Integers
    string: Integers
    kind: Integers
    shared: Integers


_own = threading.local()


def _take_room(strings: int) -> npt.NDArray[np.uint8]:
    """Zeros for so many strings or more, of this thread: to make them takes longer than to look for many a word."""
    room: npt.NDArray[np.uint8] | None = getattr(_own, "room", None)
    _own.room = None
    return room if room is not None and len(room) >= strings else np.zeros(strings, np.uint8)


def places_of(vocabulary: ObservedVocabulary, coded: Sequence[bytes]) -> list[int]:
    """The place of each word, given as numbers of characters, among the strings; -1: none, or not told from others."""
    found, offsets = np.empty(len(coded), np.int64), offsets_of([len(word) for word in coded])
    loops.places(vocabulary.letters, vocabulary.offsets, np.frombuffer(b"".join(coded), np.uint8), offsets, found)
    return [-1 if 0 in word else place for word, place in zip(coded, found.tolist(), strict=True)]


def near(
    vocabulary: ObservedVocabulary,
    grams: StringGrams,
    words: Sequence[str],
    most: int | None = None,
    *,
    alike: float | Floats = 0.0,
    joined: bool | npt.NDArray[np.bool_] = False,
) -> Near:
    """The same as :func:`near_lists`, with the word of each string, and all of them as numbers to reckon with."""
    string, kind, shared, counts = near_lists(vocabulary, grams, words, most, alike=alike, joined=joined)
    columns = (column.astype(np.int64) for column in (string, kind, shared))
    return Near(np.repeat(np.arange(len(words)), counts), *columns)


def _each(value: Any, words: int) -> list[Any]:
    """A value for each word: an array of them, or one for all."""
    each: list[Any] = value.tolist() if isinstance(value, np.ndarray) else [value] * words
    return each


@lru_cache(maxsize=4096)
def _sought(length: int, most: int | None, alike: float, joined: bool) -> tuple[int, ...]:
    """What the loop is told of a word of so many characters: grams that strings must share, edits, grams that are
    enough alone, the shortest and the longest strings, and whether those are found that begin or end with it."""
    edits = EDITS[min(length, len(EDITS) - 1)] if most is None else most
    loose, low, high = math.ceil(alike * length), length - edits, length + edits
    if loose > 0:  # no string shares more grams than it has, or than the word has
        low, high = min(low, loose), max(high, math.floor(length / alike))
    return max(min(2, length), length - 3 * edits), edits, loose, max(low, 0), min(high, 255), int(joined)


def near_lists(
    vocabulary: ObservedVocabulary,
    grams: StringGrams,
    words: Sequence[str],
    most: int | None = None,
    *,
    alike: float | Floats = 0.0,
    joined: bool | npt.NDArray[np.bool_] = False,
) -> tuple[Integers, Integers, Integers, Integers]:
    """The strings within the edits of words, their kinds, the grams that they share with the word, and how many strings
    each word has; words must not be empty.

    ``alike`` is the share of a word's grams, and of its own, that a string must have to be found for them alone, and a
    few with a little less are found, too; 0: none is found so. ``joined`` says whether strings are found that begin or
    end with a word. Both may differ from word to word.
    """
    coded = [vocabulary.encode(word[:LONGEST]) for word in words]
    shares, whole = _each(alike, len(words)), _each(joined, len(words))
    rows = [_sought(len(word), most, share, both) for word, share, both in zip(coded, shares, whole, strict=True)]
    columns = [bytes(column) for column in zip(*rows, strict=True)] or [b""] * 6
    searched = vocabulary.letters, vocabulary.offsets, *grams
    parts = parts_for(len(words), EACH)
    cuts = [len(words) * k // parts for k in range(parts + 1)]

    def some(part: int) -> tuple[Integers, Integers, Integers, Integers]:
        here = slice(cuts[part], cuts[part + 1])
        text, offsets = b"".join(coded[here]), offsets_of([len(word) for word in coded[here]])
        room = _take_room(len(vocabulary))
        raw = loops.near(*searched, text, offsets, *(column[here] for column in columns), room[: len(vocabulary)])
        _own.room = room  # not after an error, which may leave counts behind
        string, kind, shared, counts = (np.frombuffer(*row) for row in zip(raw, NEAR, strict=True))
        return string, kind, shared, counts

    pieces = together(some, parts)
    if parts == 1:
        return pieces[0]
    string, kind, shared, counts = (np.concatenate(column) for column in zip(*pieces, strict=True))
    return string, kind, shared, counts


def unknown(vocabulary: ObservedVocabulary, counts: Floats) -> Floats:
    """How often each string would occur if all the text were words that nobody knows.

    A string has the probability of its characters, each after the two before it, as the different strings of the text
    have them (frequent strings count a little more), smoothed as Witten and Bell do.
    """
    if not len(vocabulary):
        return np.zeros(0)
    weights = 1 + np.log(counts)
    often = np.bincount(vocabulary.letters, np.repeat(weights, vocabulary.lengths), minlength=256)
    symbols = np.full(256, SYMBOLS - 1, np.uint8)
    symbols[np.argsort(-often, kind="stable")[: SYMBOLS - 2]] = np.arange(1, SYMBOLS - 1)
    searched = np.ascontiguousarray(vocabulary.letters), np.ascontiguousarray(vocabulary.offsets), symbols
    times, chance = [np.zeros((SYMBOLS,) * size) for size in (1, 2, 3)], np.full(SYMBOLS, 1 / SYMBOLS)
    following.count(*searched, weights, *times)
    for table in times:
        different, total = (table > 0).sum(axis=-1, keepdims=True), table.sum(axis=-1, keepdims=True)
        chance = (table + different * chance) / np.maximum(total + different, 1)
    with np.errstate(divide="ignore"):  # of what does not occur
        chance = np.log(chance)
    begins, ends = np.zeros(len(vocabulary)), np.zeros(len(vocabulary))
    following.add_up(*searched, chance, begins, ends)
    return np.asarray(np.exp(ends - begins) * counts.sum(), np.float64)
