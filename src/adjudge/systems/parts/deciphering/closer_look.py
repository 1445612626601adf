"""Strings near the other words of a question, however badly they were read.

What a word has become is looked for in the whole vocabulary, where a string with little probability is one of very
many. Where the other words of the question stand there are few strings, and one that has little probability may well be
the word that is missing. So in the best stretch of the best documents every string is weighed against every word that
is not surely there, and so are every two that stand side by side, for words are broken by gaps in the print. Nothing is
left out there for being improbable, but what could not count.

It is done where much is wrong: elsewhere there is nothing that only a closer look would find.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....core.errors import DataError
from ....core.kernel import native
from ....index.explanation import Explanation
from ....text.splitting import offsets_of
from . import slow_closer
from .counting import edged
from .document_strings import DocumentStrings, Windows, in_order
from .grouped_strings import GroupedStrings
from .reading import Reading
from .word_forms import GRAMS, ONCE, SOME, Forms

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

LEAST = 1e-4
"""The probability below which a string does not count."""
BROKEN = 0.02
"""The share of words that are broken into two strings."""
AROUND = 20
"""Strings on both sides of the best stretch that are looked at, too."""
SEARCHES = 60
"""For so many words in so many stretches all strings are weighed, for one question; the best documents come first."""
KINDS = (np.int32, np.int32, np.float64, np.uint8)
"""What the loop gives: words, tokens, chances, and how many strings each is."""

compiled: Any = native("closer")
loops: Any = compiled or slow_closer


class Wanted(NamedTuple):
    """A word of a question, and the strings that are known to stand for it, in all groups."""

    word: str
    strings: Integers
    weights: Floats
    expected: Sequence[float]
    """How often it is expected in each group; nothing for a word of which no other strings are looked for."""


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

    def look(
        self,
        group: int,
        words: Sequence[Wanted],
        chosen: Integers,
        begins: Integers,
        ends: Integers,
        order: Integers,
    ) -> Occurrences:
        """What may be words of a question in some documents of a group, each from one place to another.

        ``order`` has the places of the documents in the order in which they are looked at.
        """
        reading, first = self.strings.groups[group], int(self.strings.firsts[group])
        windows = self.order.windows(chosen[order], begins[order] - AROUND, ends[order] + AROUND)
        own = [np.flatnonzero(self.strings.group(each.strings) == group) for each in words]
        known = [each.strings[some] - first for each, some in zip(words, own, strict=True)]
        weights = [each.weights[some] for each, some in zip(words, own, strict=True)]
        expected = [each.expected[group] if each.expected and each.word.isalpha() else 0.0 for each in words]
        coded = [reading.tables.encode(edged(each.word)) for each in words]
        given = (
            *(reading.vocabulary.letters, reading.vocabulary.offsets, reading.otherwise, *reading.tables.buffers),
            *(np.frombuffer(b"".join(coded), np.uint8), offsets_of(list(map(len, coded))), np.array(expected)),
            *(np.concatenate(known).astype(np.int32), np.clip(np.concatenate(weights), 0.0, 1.0)),
            *(offsets_of(list(map(len, known))), reading.places_of_terms(windows.terms), windows.bounds),
            *(len(reading.vocabulary.alphabet) + 1, SEARCHES, LEAST, BROKEN, self._totals[group]),
        )
        try:
            raw = loops.look(*given)
        except ValueError:  # numbers lead outside of what was kept, which nobody looks at as a whole before
            raise DataError("what was learned of the text is damaged: index the documents again") from None
        return _occurrences(windows, order, len(words), *map(np.frombuffer, raw, KINDS))

    def readings(self, document: int, found: Occurrences, some: Integers) -> list[tuple[str, float]]:
        """The strings of some occurrences in a document, with their probabilities; two that were read together have a
        blank between them."""
        begins, sizes = found.places[some].astype(np.int64), found.sizes[some].astype(np.int64)
        read = self.order.windows(np.full(len(some), document), begins, begins + sizes)
        names = [self.order.index.name(term) for term in read.terms.tolist()]
        texts = [" ".join(names[a:b]) for a, b in pairwise(read.bounds.tolist())]
        return list(zip(texts, found.chances[some].tolist(), strict=True))

    def explained(
        self, word: str, document: int, found: Occurrences, some: Integers, value: float
    ) -> tuple[Explanation, ...]:
        """What each of some occurrences of a word adds, in proportion to its probability."""
        rows = [(name, chance) for name, chance in self.readings(document, found, some) if chance > 0]
        total, parts = sum(chance for _, chance in rows), []
        for name, chance in rows:
            facts = ("string", name), ("read_as", word), ("probability", chance)
            what = f"{name} read as {word} with probability {chance:.3f}"
            parts.append(Explanation(what, value * chance / total, facts=facts))
        return tuple(parts)


def _occurrences(
    windows: Windows,
    order: Integers,
    words: int,
    of: Integers,
    tokens: Integers,
    chances: Floats,
    sizes: Integers,
) -> Occurrences:
    slots = np.searchsorted(windows.bounds, tokens, "right") - 1
    places = tokens - windows.bounds[slots] + windows.begins[slots]
    bounds = np.searchsorted(of, np.arange(words + 1)).astype(np.int64)
    return Occurrences(order[slots].astype(np.int32), places.astype(np.int32), chances, bounds, sizes)
