"""The true words of a degraded text, and how often each was written, estimated from its strings alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .calibration import capitalised, copied
from .mixing import Floats, Integers, faded, matrix, shared_out
from .tables import ReplacementTables, reach
from .vocabulary import ObservedVocabulary

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


def estimated(
    vocabulary: ObservedVocabulary,
    counts: Floats,
    tables: ReplacementTables,
    plain: npt.NDArray[np.bool_],
    common: Integers,
) -> TrueLexicon:
    """The words of a text. ``plain``: strings of letters only; ``common``: places of words that are true for sure."""
    before = counts / copied(tables, vocabulary)
    candidate = plain & (counts > 1) & (vocabulary.lengths > 1) & (vocabulary.lengths <= 40)
    candidate[common] = True
    own = np.full(len(vocabulary), ITSELF)
    frequent = np.flatnonzero(candidate & (before >= OFTEN))
    column, row, chance = _reached(vocabulary, tables, frequent, before)
    p = matrix(row, column, chance, (len(vocabulary), len(frequent)))
    expected = faded(p, counts, before[frequent], own, frequent, np.isin(frequent, common))
    explained = p @ expected
    rare = np.flatnonzero(candidate & (before < OFTEN) & (explained < UNEXPLAINED * counts))
    stays = expected > 0
    rank = np.cumsum(stays) - 1
    some = stays[column]
    others = _reached(vocabulary, tables, rare, before)
    places = np.concatenate([frequent[stays], rare])
    p = matrix(
        np.concatenate([row[some], others[1]]),
        np.concatenate([rank[column[some]], others[0] + int(stays.sum())]),
        np.concatenate([chance[some], others[2]]),
        (len(vocabulary), len(places)),
    )
    expected = shared_out(p, counts, np.concatenate([expected[stays], before[rare]]), own, 20)
    order = np.argsort(places, kind="stable")
    order = order[expected[order] > 0]
    by_word = p.tocsc()[:, order]
    by_word.sort_indices()
    begins, strings = by_word.indptr.astype(np.int64), by_word.indices.astype(np.int32)
    return TrueLexicon(places[order], expected[order], p @ expected, begins, strings, by_word.data.astype(np.float32))


def _reached(
    vocabulary: ObservedVocabulary, tables: ReplacementTables, places: Integers, before: Floats
) -> tuple[Integers, Integers, Floats]:
    words = [capitalised(word) for word in vocabulary.texts(places)]
    return reach(tables, vocabulary, words, np.maximum(LEAST, TOGETHER / np.maximum(before[places], 1.0)))
