"""The true words of a degraded text, estimated from its strings alone, and what follows for each document.

How often each word was written tells how long a document is without its stop words, and how much of it is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ....index.index import Index
from ....text.stopwords import words_of
from .observed_strings import ObservedVocabulary
from .reach_walk import ReplacementTables, reach
from .self_calibration import capitalise, copy_chances, fade, matrix, share_out

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

OFTEN = 20.0
"""Words that may have been written so often are looked at first; rarer ones only if these do not explain them."""
LEAST, TOGETHER = 1e-5, 0.1
"""No corruption is looked for that is rarer, or that all occurrences of a word together made less often."""
UNEXPLAINED = 0.1
ITSELF = 0.01
"""Occurrences of every string that stand for itself. More of it, and a string that was seen once is taken for a word,
where most of those are corruptions."""


@dataclass(frozen=True, eq=False)
class TrueLexicon:
    """Words by their places in the vocabulary, ascending, with their expected numbers; and for every string how many
    of its occurrences these words are expected to have made."""

    places: Integers
    expected: Floats
    explained: Floats
    begins: Integers
    """The corruptions of word k are ``strings[begins[k]:begins[k + 1]]`` by place, with their ``chances``."""
    strings: Integers
    chances: Floats

    def numbers(self, places: Integers) -> Integers:
        """The number of the word at each of some places of the vocabulary, -1 where there is none."""
        if not len(self.places):
            return np.full(len(places), -1, np.int64)
        at = np.minimum(np.searchsorted(self.places, places), len(self.places) - 1)
        return np.where(self.places[at] == places, at, -1)

    def corruptions(self, words: Integers) -> tuple[Integers, Integers, Floats]:
        """As :func:`reach` gives them, for words by their numbers: which word, which string, P(string | word)."""
        sizes = self.begins[words + 1] - self.begins[words]
        ends = np.cumsum(sizes)
        at = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(self.begins[words] - ends + sizes, sizes)
        return np.repeat(np.arange(len(words)), sizes), self.strings[at], self.chances[at].astype(np.float64)


def estimate_words(
    vocabulary: ObservedVocabulary,
    counts: Floats,
    tables: ReplacementTables,
    plain: npt.NDArray[np.bool_],
    common: Integers,
) -> TrueLexicon:
    """The words of a text. ``plain``: strings of letters only; ``common``: places of words that are true for sure."""
    before = counts / copy_chances(tables, vocabulary)
    candidate = plain & (counts > 1) & (vocabulary.lengths > 1) & (vocabulary.lengths <= 40)
    candidate[common] = True
    own = np.full(len(vocabulary), ITSELF)
    frequent = np.flatnonzero(candidate & (before >= OFTEN))
    column, row, chance = _corruptions(vocabulary, tables, frequent, before)
    p = matrix(row, column, chance, (len(vocabulary), len(frequent)))
    expected = fade(p, counts, before[frequent], own, frequent, np.isin(frequent, common))
    explained = p @ expected
    rare = np.flatnonzero(candidate & (before < OFTEN) & (explained < UNEXPLAINED * counts))
    stays = expected > 0
    rank = np.cumsum(stays) - 1
    some = stays[column]
    others = _corruptions(vocabulary, tables, rare, before)
    places = np.concatenate([frequent[stays], rare])
    p = matrix(
        np.concatenate([row[some], others[1]]),
        np.concatenate([rank[column[some]], others[0] + int(stays.sum())]),
        np.concatenate([chance[some], others[2]]),
        (len(vocabulary), len(places)),
    )
    expected = share_out(p, counts, np.concatenate([expected[stays], before[rare]]), own, 20)
    order = np.argsort(places, kind="stable")
    order = order[expected[order] > 0]
    by_word = p.tocsc()[:, order]
    by_word.sort_indices()
    begins, strings = by_word.indptr.astype(np.int64), by_word.indices.astype(np.int32)
    return TrueLexicon(places[order], expected[order], p @ expected, begins, strings, by_word.data.astype(np.float32))


def _corruptions(
    vocabulary: ObservedVocabulary, tables: ReplacementTables, places: Integers, before: Floats
) -> tuple[Integers, Integers, Floats]:
    words = [capitalise(word) for word in vocabulary.texts(places)]
    return reach(tables, vocabulary, words, np.maximum(LEAST, TOGETHER / np.maximum(before[places], 1.0)))


# -- documents --------------------------------------------------------------------------------------------------------

WORDS = 200.0
"""A document's error rate is that of its words and of so many words of the whole text."""
CLEAN, SCANNED = 0.013, 0.018
"""Estimated character error rates up to which a text is read as it is written, and from which on by its errors: words
of a clean text resemble each other, too, which looks like up to one error in a hundred characters."""
FOREIGN, KNOWN = 0.28, 0.3
"""Expected shares of the common words up to which a text is not in their language, so that they teach nothing and it is
read as it is written, and from which on it is. English has 0.34 to 0.5 of them, clean or with a third of its characters
wrong, other languages up to 0.28 (Dutch)."""


@dataclass(frozen=True, eq=False)
class DocumentFigures:
    """A row for each document."""

    written: Floats
    """Words that are no stop words as they are written."""
    lengths: Floats
    """The expected number of words that are no stop words."""
    wrong: Floats
    """The expected number of strings that are not what was written."""
    words: Floats
    """Strings without figures, and without characters that the vocabulary does not tell apart."""
    size: float
    """Characters of a string of the text, on average."""
    known: float = 1.0
    """The expected share of the common words among the strings without figures."""

    @property
    def rate(self) -> float:
        """The character error rate of the whole text, estimated; not a number if there is no word."""
        total = float(self.words.sum())
        return self._characters(float(self.wrong.sum()) / total) if total else float("nan")

    @property
    def rates(self) -> Floats:
        """The character error rate of each document, estimated; that of the whole text where it has no words."""
        total = float(self.words.sum())
        if not total:
            return np.full(len(self.words), np.nan)
        share = float(self.wrong.sum()) / total
        return np.asarray(self._characters((self.wrong + WORDS * share) / (self.words + WORDS)), np.float64)

    def _characters(self, share: Any) -> Any:
        """A character error rate from a share of wrong strings, if characters go wrong independently."""
        return 1 - (1 - np.minimum(share, 1.0)) ** (1 / max(self.size, 1.0))

    @property
    def beliefs(self) -> Floats:
        """How far each document is read by the errors of the text, and not as it is written: 0 where all is clean."""
        if not self.words.sum():
            return np.zeros(len(self.words))
        language = _ramp(np.full(1, self.known), FOREIGN, KNOWN)
        return language * _ramp(np.full(1, self.rate), CLEAN, SCANNED) * _ramp(self.rates, CLEAN, SCANNED)

    def lengths_at(self, beliefs: Floats) -> Floats:
        """The lengths that are believed."""
        return (1 - beliefs) * self.written + beliefs * self.lengths


def _ramp(values: Floats, low: float, high: float) -> Floats:
    return np.clip((values - low) / (high - low), 0.0, 1.0)


def figures(
    index: Index, vocabulary: ObservedVocabulary, lexicon: TrueLexicon, plain: npt.NDArray[np.bool_], common: Integers
) -> DocumentFigures:
    """The figures of all documents. ``plain``: strings of letters only; ``common``: places of the common words."""
    counts = index.arrays["cf"].astype(np.float64)[vocabulary.numbers]
    numbers = np.flatnonzero(np.isin(lexicon.places, common))
    word, string, chance = lexicon.corruptions(numbers)
    stopped = np.bincount(string, chance * lexicon.expected[numbers][word], minlength=len(vocabulary))
    shares = np.clip(1 - stopped / (lexicon.explained + ITSELF), 0.0, 1.0)
    stops = np.zeros(len(vocabulary))
    stops[stop_places(index, vocabulary)] = 1.0
    shares[(vocabulary.lengths == 1) & (stops > 0)] = 0.0
    word, string, chance = lexicon.corruptions(np.arange(len(lexicon.places)))
    same = string == lexicon.places[word]
    itself = np.zeros(len(vocabulary))
    itself[string[same]] = (chance * lexicon.expected[word])[same]
    wrong = np.where(plain, np.clip(1 - (ITSELF + itself) / (ITSELF + lexicon.explained), 0.0, 1.0), 1.0)
    wordlike = vocabulary.all_of(vocabulary.marks("".join(c for c in vocabulary.alphabet if not c.isnumeric())))
    columns = [1 - stops, shares, np.where(wordlike, wrong, 0.0), wordlike.astype(np.float64)]
    letters, total = float((vocabulary.lengths * counts)[wordlike].sum()), max(float(counts[wordlike].sum()), 1.0)
    written, lengths, wrong_ones, words = _document_sums(index, vocabulary, columns)
    known = float(lexicon.expected[numbers].sum()) / total
    return DocumentFigures(written, lengths, wrong_ones, words, letters / total, known)


def stop_places(index: Index, vocabulary: ObservedVocabulary) -> Integers:
    """The places of the strings that are stop words as they are written."""
    numbers = [n for n in map(index.number, sorted(words_of("smart"))) if n >= 0]
    return np.flatnonzero(np.isin(vocabulary.numbers, numbers))


def _document_sums(index: Index, vocabulary: ObservedVocabulary, columns: list[Floats]) -> list[Floats]:
    """For every column, which has a value for each string, the sum over the strings of each document."""
    values = []
    for column in columns:
        by_term = np.empty(len(vocabulary))
        by_term[vocabulary.numbers] = column
        values.append(by_term)
    sums = [np.zeros(len(index)) for _ in columns]
    for first, last, documents, tf in index.pieces():
        df: Integers = np.diff(index.arrays["offsets"][first : last + 1].astype(np.int64))
        for k, value in enumerate(values):
            sums[k] += np.bincount(documents, tf * np.repeat(value[first:last], df), minlength=len(index))
    return sums
