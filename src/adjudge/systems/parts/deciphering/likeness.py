"""Strings that are like a word, by grams and edits, and how often a string is expected that is no known word.

Neither knows a language: grams and edits are those of the strings, and what an unknown word looks like is told by the
characters that follow each other in the text itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....core.kernel import native
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

compiled: Any = native("nearness")
loops: Any = compiled or slow_deciphering


class StringGrams(NamedTuple):
    """The grams of a vocabulary: those of ``keys[k]`` are in ``strings[starts[k]:starts[k + 1]]``."""

    keys: npt.NDArray[np.uint32]
    starts: npt.NDArray[np.int64]
    strings: npt.NDArray[np.int32]

    @classmethod
    def of(cls, vocabulary: ObservedVocabulary) -> StringGrams:
        """The grams of all strings."""
        raw = loops.grams(np.ascontiguousarray(vocabulary.letters), np.ascontiguousarray(vocabulary.offsets))
        kinds = np.uint32, np.int64, np.int32
        return cls(*(np.frombuffer(part, kind) for part, kind in zip(raw, kinds, strict=True)))


class Near(NamedTuple):
    """Strings that are like words: which word, which string, how many edits or which kind, how many grams both have."""

    word: Integers
    string: Integers
    kind: Integers
    shared: Integers


def edits_of(lengths: Integers) -> Integers:
    """The edits that words of these lengths may have."""
    return np.array(EDITS)[np.minimum(lengths, len(EDITS) - 1)]


def near(
    vocabulary: ObservedVocabulary,
    grams: StringGrams,
    words: Sequence[str],
    most: int | None = None,
    *,
    alike: float = 0.0,
) -> Near:
    """The strings within the edits of words, or that begin or end with them; words must not be empty.

    ``alike`` is the share of a word's grams that a string must have to be found for them alone; 0: none is found so.
    """
    coded = [vocabulary.encode(word[:LONGEST]) for word in words]
    lengths = np.array([len(word) for word in coded], np.int64)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    edits = edits_of(lengths) if most is None else np.full(len(coded), most)
    least = np.maximum(np.minimum(2, lengths), lengths - 3 * edits)
    room = np.zeros(len(vocabulary), np.uint8)
    raw = loops.near(
        *(vocabulary.letters, vocabulary.offsets, *grams, np.frombuffer(b"".join(coded), np.uint8), offsets),
        *(column.astype(np.uint8) for column in (least, edits, np.ceil(alike * lengths))),
        room,
    )
    counts = np.frombuffer(raw[3], np.int64)
    types = (np.int32, np.uint8, np.uint8)
    columns = (np.frombuffer(column, kind).astype(np.int64) for column, kind in zip(raw, types, strict=False))
    return Near(np.repeat(np.arange(len(words)), counts), *columns)


def unknown(vocabulary: ObservedVocabulary, counts: Floats) -> Floats:
    """How often each string would occur if all the text were words that nobody knows.

    A string has the probability of its characters, each after the two before it, as the different strings of the text
    have them (frequent strings count a little more), smoothed as Witten and Bell do.
    """
    lengths = vocabulary.lengths
    if not len(vocabulary):
        return np.zeros(0)
    often = np.bincount(vocabulary.letters, np.repeat(1 + np.log(counts), lengths), minlength=256)
    symbol = np.full(256, SYMBOLS - 1)
    symbol[np.argsort(-often, kind="stable")[: SYMBOLS - 2]] = np.arange(1, SYMBOLS - 1)
    ends = vocabulary.offsets[1:] + np.arange(len(lengths))
    begins = ends - lengths
    text = np.zeros(len(vocabulary.letters) + len(lengths), np.int64)
    inside = np.ones(len(text), np.bool_)
    inside[ends] = False
    text[inside] = symbol[vocabulary.letters]
    before, earlier = np.append(0, text[:-1]), np.append([0, 0], text[:-2])[: len(text)]
    before[begins] = earlier[begins] = 0
    earlier[begins[lengths > 0] + 1] = 0
    weights, chance = np.repeat(1 + np.log(counts), lengths + 1), np.full(len(text), 1 / SYMBOLS)
    for context, size in ((0 * text, 1), (before, SYMBOLS), (earlier * SYMBOLS + before, SYMBOLS**2)):
        key = context * SYMBOLS + text
        times = np.bincount(key, weights, minlength=size * SYMBOLS)
        table = times.reshape(size, SYMBOLS)
        different, total = (table > 0).sum(axis=1), table.sum(axis=1)
        chance = (times[key] + different[context] * chance) / (total + different)[context]
    sums = np.concatenate([[0.0], np.cumsum(np.log(chance))])
    return np.asarray(np.exp(sums[ends + 1] - sums[begins]) * counts.sum(), np.float64)
