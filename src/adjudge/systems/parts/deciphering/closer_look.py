"""Strings near the other words of a question, however badly they were read.

What a word has become is looked for in the whole vocabulary, where a string with little probability is one of very
many. Where the other words of the question stand there are few strings, and one that has little probability may well be
the word that is missing. So in the best stretch of the best documents every string is weighed against every word that
is not surely there, and so are every two that stand side by side, for words are broken by gaps in the print. Nothing is
left out there for being improbable, but what could not count.

It is done where much is wrong; elsewhere it was tried, and finds too little for the time that it takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....core.errors import DataError
from ....core.kernel import native
from ....index.explanation import Explanation
from ....text.splitting import offsets_of
from . import slow_closer
from .counting import edged
from .document_strings import DocumentStrings, in_order
from .grouped_strings import GroupedStrings
from .reading import Reading
from .word_forms import GRAMS, ONCE, SOME, Forms

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

LEAST = 1e-4
"""The probability below which a string does not count."""
BROKEN = 0.02
"""The share of words that are broken into two strings."""
AROUND = 10
"""Strings on both sides of the best stretch that are looked at, too."""
SEARCHES = 30
"""So many documents of a group, the best ones, are looked at for the words of a question but one, which each of them
has."""
KINDS = (np.int32, np.int32, np.float64, np.uint8, np.int64)
"""What the loop gives: documents, places, chances, how many strings each is, and how many occurrences each word has."""

compiled: Any = native("closer")
loops: Any = compiled or slow_closer


class Wanted(NamedTuple):
    """A word of a question, and the strings that are known to stand for it, in all groups."""

    word: str
    strings: Integers
    weights: Floats
    expected: Sequence[float]
    """How often it is expected in each group; nothing for a word of which no other strings are looked for."""


class Readings(NamedTuple):
    """Some occurrences of a word in a document: their places, probabilities, and how many strings each is."""

    places: Integers
    chances: Floats
    sizes: Integers


class Occurrences(NamedTuple):
    """Strings of some documents that may be words of a question: those of the first word first."""

    slots: npt.NDArray[np.int32]
    """The document, as its place among those that are looked at."""
    places: npt.NDArray[np.int32]
    chances: Floats
    bounds: npt.NDArray[np.int64]
    """Where those of each word begin, and their end."""
    sizes: npt.NDArray[np.uint8]
    """How many strings each is."""

    def of(self, word: int) -> slice:
        """Those of a word."""
        return slice(int(self.bounds[word]), int(self.bounds[word + 1]))

    @property
    def words(self) -> Integers:
        """The word of each, as its number in the question."""
        return np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))

    def at(self, some: Integers) -> Readings:
        """Some of them."""
        return Readings(self.places[some].astype(np.int64), self.chances[some], self.sizes[some].astype(np.int64))


def pays_off(reading: Reading) -> bool:
    """Whether so much is wrong in a text that strings count of which little is left."""
    return not reading.figures.clean and GRAMS * reading.wrong**2 >= SOME


def with_order(reading: Reading) -> Reading:
    """The same with the order of the strings of all documents, if a closer look pays off anywhere."""
    if not any(map(pays_off, reading.groups or (reading,))) or not reading.index.manifest.positions:
        return reading
    return replace(reading, order=in_order(reading.index))


def expected_of(reading: Reading, forms: Forms) -> float:
    """How often a word is expected, by the strings that stand for it."""
    return float(ONCE / max(1 - reading.wrong, 0.1) ** 2 + (forms.weights * reading.counts_of(forms.strings)).sum())


class CloserLook:
    """What looks closer at documents, in groups in which that pays off."""

    def __init__(self, strings: GroupedStrings, order: DocumentStrings) -> None:
        self.strings, self.order = strings, order
        self._totals = [max(float(group.often.sum()), 1.0) for group in strings.groups]

    def pays_off(self, group: int) -> bool:
        return pays_off(self.strings.groups[group])

    def documents(self, words: int) -> int:
        """How many documents are looked at for so many words."""
        return max(1, SEARCHES // max(1, words - 1))

    def look(
        self, group: int, words: Sequence[Wanted], chosen: Integers, begins: Integers, ends: Integers
    ) -> Occurrences:
        """What may be words of a question, as they are asked for, in some documents of a group, each from one place to
        another."""
        reading = self.strings.groups[group]
        known, weights = zip(*(self._own(each, group) for each in words), strict=True)
        expected = [each.expected[group] if each.expected and each.word.isalpha() else 0.0 for each in words]
        coded = [reading.tables.encode(edged(each.word)) for each in words]
        given = (
            *(reading.vocabulary.letters, reading.vocabulary.offsets, reading.otherwise, *reading.tables.buffers),
            *(np.frombuffer(b"".join(coded), np.uint8), offsets_of(list(map(len, coded))), np.array(expected)),
            *(np.concatenate(known), np.concatenate(weights), offsets_of(list(map(len, known)))),
            *(self.order.rows, reading.term_places, *self.order.stretches(chosen, begins - AROUND, ends + AROUND)),
            *(self.order.rows.shape[1], len(reading.vocabulary.alphabet) + 1, LEAST, BROKEN, self._totals[group]),
        )
        try:
            raw = loops.look(*given)
        except ValueError:  # numbers lead outside of what was kept, which nobody looks at as a whole before
            raise DataError("what was learned of the text is damaged: index the documents again") from None
        slots, places, chances, sizes, counts = map(np.frombuffer, raw, KINDS)
        return Occurrences(slots, places, chances, offsets_of(counts), sizes)

    def _own(self, word: Wanted, group: int) -> tuple[Integers, Floats]:
        """The strings of a word that are those of a group, by their places there, and their weights."""
        if len(self.strings.groups) == 1:
            return word.strings, word.weights
        own = np.flatnonzero(self.strings.group(word.strings) == group)
        return (word.strings[own] - self.strings.firsts[group]).astype(np.int32), word.weights[own]

    def readings(self, document: int, read: Readings) -> list[tuple[str, float]]:
        """The strings of some occurrences in a document, with their probabilities; two that were read together have a
        blank between them."""
        name, spans = self.order.index.name, zip(read.places.tolist(), read.sizes.tolist(), strict=True)
        texts = [" ".join(map(name, self.order.terms(document, place, place + size))) for place, size in spans]
        return list(zip(texts, read.chances.tolist(), strict=True))

    def explained(self, word: str, document: int, read: Readings, value: float) -> tuple[Explanation, ...]:
        """What each of some occurrences of a word adds, in proportion to its probability."""
        rows = [(name, chance) for name, chance in self.readings(document, read) if chance > 0]
        total, parts = sum(chance for _, chance in rows), []
        for name, chance in rows:
            facts = ("string", name), ("read_as", word), ("probability", chance)
            what = f"{name} read as {word} with probability {chance:.3f}"
            parts.append(Explanation(what, value * chance / total, facts=facts))
        return tuple(parts)
