"""The different strings of a text, sorted and by their stems, so that those like a word are looked up in a few steps.

As numbers of characters in their order, strings are a tree of prefixes without any pointers, through which
``reach_walk.py`` walks. The stems that they have as they are written are all that counts in clean text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....index.inversion import sums
from ....storage.digest import crc32
from ....text.stemming import stems_of

Integers = npt.NDArray[Any]
Names = Callable[[Integers], list[str]]

LETTERS = 203
"""Observed characters that are distinguished: a channel knows 255, and 52 of them are first and last letters."""
KNOWN = 4
"""Depths of the tree at which it is known where the strings with each character begin."""
DEEPEST = 96
"""Characters of a string that the walk reaches."""
CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The first letters of words: they are printed larger, and read in another way."""
FINALS = "".join(chr(0xFF41 + k) for k in range(26))
"""The last letters of words, as fullwidth letters, which no analyzer here leaves in a text: a long s stands nowhere at
the end, and what is printed at an edge is read in another way."""
PLAIN = {**{ord(c): c.lower() for c in CAPITALS}, **{ord(c): chr(ord("a") + k) for k, c in enumerate(FINALS)}}
"""First and last letters as others are written."""


class Heads(NamedTuple):
    """The tree near its root: for each of the first depths, the strings that begin a new prefix of one character more.

    Those of depth d are at ``bounds[d]:bounds[d + 1]``.
    """

    begins: npt.NDArray[np.int32]
    characters: npt.NDArray[np.uint8]
    """The last character of the prefix."""
    below: npt.NDArray[np.int32]
    """The first head one deeper that begins there or later; of the deepest, where their strings begin in packed."""
    tails: npt.NDArray[np.uint64]
    """The characters behind the prefix as bits, by their numbers modulo 32, in the lowest 32 bits; in the next eight
    how many there are at least, and in eight more at most; 255 are as many or more."""
    bounds: npt.NDArray[np.int64]
    packed: npt.NDArray[np.uint8]
    """The strings below the deepest heads: how many characters each has in common with the one before, without those of
    the head, how many others, and these; of 97 characters or more there are 97."""


class CharacterCodes(dict[int, int]):
    """Characters and their numbers, for :meth:`str.translate`; 0 for all others."""

    def __missing__(self, point: int) -> int:
        return 0


@dataclass(frozen=True, eq=False)
class ObservedVocabulary:
    """String i is ``letters[offsets[i]:offsets[i + 1]]``, and the term ``numbers[i]`` of the index."""

    letters: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]
    numbers: Integers
    alphabet: str
    kept: Heads | None = None
    """The heads, if they were made before."""

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @classmethod
    def of(cls, terms: bytes, offsets: Integers, weights: Integers) -> ObservedVocabulary:
        """Terms in the order of their bytes, in UTF-8, one after the other; weights say which characters matter."""
        text = terms.decode("utf-8", "surrogatepass")
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        begins = np.frombuffer(terms, np.uint8) & 0xC0 != 0x80
        ends = np.concatenate([[0], np.cumsum(begins)])[np.asarray(offsets, np.int64)].astype(np.int64)
        lengths = np.diff(ends)
        often = np.bincount(points, np.repeat(np.asarray(weights, np.float64), lengths))
        distinct = np.flatnonzero(np.bincount(points))
        alphabet = _alphabet(distinct, often[distinct])
        ids = np.zeros(0x110000, np.uint8)
        for number, character in enumerate(alphabet, 1):
            ids[ord(character)] = number
        letters, numbers = ids[points], np.arange(len(lengths), dtype=np.int32)
        if len(letters) and not letters.all():
            # Characters that are not distinguished are all the same, and no longer in their order.
            raw = letters.tobytes()
            keys = [raw[a:b] for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)]
            numbers = np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int32)
            letters = np.frombuffer(b"".join(keys[i] for i in numbers.tolist()), np.uint8)
            ends = np.concatenate([[0], np.cumsum(lengths[numbers])]).astype(np.int64)
        return cls(letters, ends, numbers, alphabet)

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Characters of each string."""
        return np.diff(self.offsets)

    def lengths_of(self, places: Integers) -> npt.NDArray[np.int64]:
        """Characters of some strings."""
        return np.asarray(self.offsets[places + 1] - self.offsets[places], np.int64)

    @cached_property
    def heads(self) -> Heads:
        """Where prefixes of up to four characters begin."""
        if self.kept is not None:
            return self.kept
        lengths, new = self.lengths, np.zeros(len(self), np.bool_)
        columns, characters, tails = [], [], []
        bits = np.left_shift(np.uint32(1), self.letters & 31, dtype=np.uint32)
        for depth in range(KNOWN):
            there = np.flatnonzero(lengths > depth)
            here = np.full(len(self), -1, np.int16)
            here[there] = self.letters[self.offsets[there] + depth]
            new[:1] = True
            new[1:] |= here[1:] != here[:-1]
            begins = there[new[there]]
            columns.append(begins.astype(np.int32))
            characters.append(here[begins].astype(np.uint8))
            bits[self.offsets[there] + depth] = 0
            left = np.clip(lengths - depth - 1, -1, 255).astype(np.int16)
            marks = reduced(np.bitwise_or, bits, self.offsets[begins])
            longest = reduced(np.maximum, left, begins)
            left[left < 0] = 255  # strings behind that are no longer than the prefix, and have another one
            shortest = reduced(np.minimum, left, begins)
            tails.append(
                marks | shortest.astype(np.uint64) << np.uint64(32) | longest.astype(np.uint64) << np.uint64(40)
            )
        bounds = np.concatenate([[0], np.cumsum([len(column) for column in columns])]).astype(np.int64)
        pairs = zip(columns, columns[1:], bounds[1:-1], strict=False)
        below = [np.searchsorted(under, column) + bound for column, under, bound in pairs]
        packed, begins = self._packed()
        below.append(begins[columns[-1]])
        first, last, under = np.concatenate(columns), np.concatenate(characters), np.concatenate(below).astype(np.int32)
        return Heads(first, last, under, np.concatenate(tails), bounds, packed)

    def _common(self) -> npt.NDArray[np.int64]:
        """How many characters each string has in common with the one before."""
        common, begins, lengths = np.zeros(len(self), np.int64), self.offsets[:-1], self.lengths
        same, depth = np.arange(1, len(self)), 0
        while len(same) and depth <= DEEPEST:
            same = same[(lengths[same] > depth) & (lengths[same - 1] > depth)]
            same = same[self.letters[begins[same] + depth] == self.letters[begins[same - 1] + depth]]
            depth += 1
            common[same] = depth
        return common

    def _packed(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """The strings below the deepest heads as ``packed`` has them, and where each of all strings begins in it."""
        ends = np.minimum(self.lengths, DEEPEST + 1)
        deep = self.lengths >= KNOWN
        common = np.maximum(self._common(), KNOWN)
        others = np.where(deep, ends - common, 0)
        begins = sums(np.where(deep, others + 2, 0))
        packed = np.zeros(int(begins[-1]), np.uint8)
        there = begins[:-1][deep]
        packed[there], packed[there + 1] = common[deep] - KNOWN, others[deep]
        inside = np.arange(int(others.sum())) - np.repeat(sums(others)[:-1], others)
        letters = self.letters[np.repeat(self.offsets[:-1] + common, others) + inside]
        packed[np.repeat(begins[:-1] + 2, others) + inside] = letters
        return packed, begins[:-1]

    def text(self, place: int) -> str:
        """A string as it is written; ? for characters that are not distinguished."""
        return self.texts([place])[0]

    def texts(self, places: Sequence[int] | Integers) -> list[str]:
        """Some strings as they are written."""
        at = np.asarray(places, np.int64)
        some = self.part(at)
        text = self._points[some.letters].tobytes().decode("utf-32-le")
        bounds = some.offsets.tolist()
        return [text[a:b] for a, b in pairwise(bounds)]

    @cached_property
    def _points(self) -> npt.NDArray[np.uint32]:
        """The code point of each number of a character."""
        return np.array([ord(c) for c in "?" + self.alphabet], np.uint32)

    def encode(self, word: str) -> bytes:
        """A word as numbers of characters, 0 for one that is not distinguished."""
        return word.translate(self._codes).encode("latin-1")

    @cached_property
    def _codes(self) -> CharacterCodes:
        return CharacterCodes({ord(c): number for number, c in enumerate(self.alphabet, 1)})

    def all_of(self, wanted: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Whether all characters of a string are among some: a mark for each number of a character."""
        chosen, some = np.ones(len(self), np.bool_), np.flatnonzero(self.lengths)
        if len(some):
            chosen[some] = np.logical_and.reduceat(wanted[self.letters], self.offsets[some])
        return chosen

    def marks(self, characters: str) -> npt.NDArray[np.bool_]:
        """The mark for :meth:`all_of` of these characters."""
        chosen = set(characters)
        return np.array([False, *(c in chosen for c in self.alphabet), *[False] * (255 - len(self.alphabet))])

    def part(self, places: Integers) -> ObservedVocabulary:
        """Some of the strings, given by their places, which are their numbers; a vocabulary only if they ascend."""
        at = np.asarray(places, np.int64)
        lengths = self.offsets[at + 1] - self.offsets[at]
        offsets = np.zeros(len(places) + 1, np.int64)
        np.cumsum(lengths, out=offsets[1:])
        inside = np.arange(offsets[-1]) + np.repeat(self.offsets[at] - offsets[:-1], lengths)
        return ObservedVocabulary(self.letters[inside], offsets, at, self.alphabet)


def reduced(by: np.ufunc, items: Integers, begins: Integers) -> Integers:
    """What an operation makes of the items from each of some places to the next one."""
    return np.asarray(by.reduceat(items, begins)) if len(begins) else items[:0]


def _alphabet(distinct: Integers, often: Integers) -> str:
    """Characters in their order: the frequent ones, all that English words are written with, and first letters."""
    usable = [
        (-float(weight), chr(int(point)))
        for point, weight in zip(distinct, often, strict=True)
        if point < 0xD800 or 0xE000 <= point <= 0xFFFF
    ]
    must = set(CAPITALS + CAPITALS.lower() + FINALS)
    letters = [c for _, c in sorted(usable) if c not in must][: LETTERS - 26]
    return "".join(sorted(must.union(letters)))


PIECE = 200_000
"""Strings that are stemmed together."""


@dataclass(frozen=True, eq=False)
class Stems:
    """Places of strings in the order of the checksums of their stems: a stem is looked up in a few steps."""

    keys: npt.NDArray[np.uint32]
    places: npt.NDArray[np.int32]

    @classmethod
    def of(cls, names: Names, chosen: npt.NDArray[np.bool_]) -> Stems:
        """The stems of the strings that are chosen; ``names`` gives strings by their places."""
        places = np.flatnonzero(chosen)
        keys = np.empty(len(places), np.uint32)
        for start in range(0, len(places), PIECE):
            texts = names(places[start : start + PIECE])
            keys[start : start + PIECE] = [*map(crc32, encoded(stems_of(texts, "porter")))]
        order = np.argsort(keys, kind="stable")
        return cls(keys[order], places[order].astype(np.int32))

    def having(self, stems: Sequence[str], names: Names) -> list[dict[int, str]]:
        """The strings with each stem by their places, ascending."""
        keys = np.array([_key(stem) for stem in stems], np.uint32)
        lows, highs = (np.searchsorted(self.keys, keys, side).tolist() for side in ("left", "right"))
        pieces = [self.places[low:high] for low, high in zip(lows, highs, strict=True)]
        places = np.concatenate([np.zeros(0, np.int64), *pieces])
        texts = names(places)
        rows = iter(zip(places.tolist(), texts, stems_of(texts, "porter"), strict=True))
        # Another stem may have the same checksum.
        return [
            {place: text for place, text, other in islice(rows, len(piece)) if other == stem}
            for stem, piece in zip(stems, pieces, strict=True)
        ]


def encoded(stems: Sequence[str]) -> list[bytes]:
    """Stems in UTF-8; all at once, as none has a line break."""
    return "\n".join(stems).encode("utf-8", "surrogatepass").split(b"\n") if stems else []


def _key(stem: str) -> int:
    return crc32(stem.encode("utf-8", "surrogatepass"))
