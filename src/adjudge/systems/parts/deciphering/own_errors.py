"""The errors of a text from its strings alone, in any language: what its frequent words were read as.

A string that differs a little from a frequent word and is rare itself is a misreading of it, more or less surely: as
surely as the channel makes it of the word more often than it would occur as a word that nobody knows, or as a word of
its own. From such pairs the errors are counted, and with them the pairs are weighed anew. What goes one way only shows
which way it goes: where t is read as l half of the time, words with t have forms with l, and words with l have none
with t.

Where a letter is lost nearly everywhere, no string has it and no pair tells of it. A list of common words does
(``self_calibration.py``), in a language whose list is at hand; whether that is the language is told by how much of the
text these words would be.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ....noise.channel.model import Channel
from .likeness import Floats, Integers, StringGrams, near
from .observed_strings import ObservedVocabulary
from .reach_walk import ReplacementTables, reach
from .self_calibration import Calibration, Counted, capitalise, first_channel

WORDS, SHORTEST, LONGEST, OFTEN = 3000, 5, 20, 3
"""The frequent words that teach, their characters, and how often the rarest occurs. Short words are too like others."""
ROUNDS, SHARES = 4, 6
EDIT, EDITS = 0.1 / 20 / 0.9, 0.1
"""P(string | word) for each edit before anything is known; the share of that in what is learned."""
UNKNOWN, ITSELF = 1.0, 0.1
"""The weight of unknown words while errors are learned, and the share of a string's occurrences, but the first, that
are taken for a word of its own."""
REACHED = 1e-4
LOUDEST = 100.0
"""No word counts more in the estimates."""
PAIRS, RAREST, SUPPORT = 60_000, 1e-3, 5
WRITTEN, KNOWN = 0.33, 0.3
"""The common words of a list are sought as corruptions if they are less than the first share of the text as it is
written, and believed if they are expected to be the second at least: English has 0.34 to 0.5, other languages less."""
TOP, COUNTED = 300, 100.0
"""The words by which it is told whether anything is wrong, and how often the most frequent of them occurs."""


class LearnedErrors(NamedTuple):
    """The channel of a text, and the share of words, of those that teach, that are read wrongly."""

    channel: Channel
    wrong: float


class TeachingStrings(NamedTuple):
    """All that the errors of a text are learned from."""

    vocabulary: ObservedVocabulary
    counts: Floats
    grams: StringGrams
    unknown: Floats
    plain: npt.NDArray[np.bool_]
    """TeachingStrings of letters only."""


def wrong_neighbours(of: TeachingStrings) -> float:
    """How often strings that occur once differ by a character from a frequent word, for each of its characters.

    Clean text has 0 to 0.004, most of it words that are alike; only a figure near 0 says that nothing is wrong.
    """
    lengths = of.vocabulary.lengths
    places = np.flatnonzero(of.plain & (lengths >= 7) & (lengths <= 9) & (of.counts <= COUNTED) & (of.counts > 1))
    places = places[np.argsort(-of.counts[places], kind="stable")[:TOP]]
    if not len(places):
        return float("nan")
    words = of.vocabulary.texts(places)
    like = near(of.vocabulary, of.grams, words, 1)
    once = (like.kind == 1) & (of.counts[like.string] == 1)
    pairs = zip(like.word[once].tolist(), of.vocabulary.texts(like.string[once]), strict=True)
    # A difference at the end is an ending more often than an error.
    wrong = sum(words[k][0] == string[0] and words[k][-2:] == string[-2:] for k, string in pairs)
    return float(wrong / (of.counts[places] * (lengths[places] - 3)).sum())


def learn_errors(of: TeachingStrings, common: Calibration | None) -> LearnedErrors:
    """The errors of a text; ``common`` has a list of words that may be those of its language."""
    if common is not None and len(common.common):
        total = float(common.counts.sum())
        if float(common.counts[common.common].sum()) < WRITTEN * total:
            channel, expected = common.learned()
            if expected >= KNOWN * total:
                return LearnedErrors(channel, 1 - float(common.counts[common.common].sum()) / expected)
    return _by_themselves(of)


def _by_themselves(of: TeachingStrings) -> LearnedErrors:
    vocabulary, counts = of.vocabulary, of.counts
    channel, size = first_channel(vocabulary.alphabet), len(vocabulary)
    lengths = vocabulary.lengths
    places = np.flatnonzero(of.plain & (lengths >= SHORTEST) & (lengths <= LONGEST) & (counts >= OFTEN))
    places = np.sort(places[np.argsort(-counts[places], kind="stable")[:WORDS]])
    if not len(places):
        return LearnedErrors(channel, 0.0)
    words = vocabulary.texts(places)
    capitals = [capitalise(word) for word in words]
    like = near(vocabulary, of.grams, words)
    some = like.kind < 9
    pairs = like.word[some] * size + like.string[some]
    order = np.argsort(pairs, kind="stable")
    pairs, uniform = pairs[order], EDIT ** like.kind[some][order]
    own = UNKNOWN * of.unknown + ITSELF * np.maximum(counts - 1, 0)
    wrong = 0.0
    for done in range(ROUNDS):
        every, chance = (pairs, uniform) if not done else _with(channel, vocabulary, capitals, pairs, uniform)
        word, string = every // size, every % size
        same = string == places[word]
        weights = _shares(word, string, np.where(same, 0.0, chance), counts, own, places)
        weights[same] = counts[places][word[same]]
        loud = np.bincount(word, weights, minlength=len(words))
        weights *= np.minimum(1.0, LOUDEST / np.maximum(loud, 1e-9))[word]
        wrong = float(weights[~same].sum() / weights.sum())
        best = np.argsort(-weights, kind="stable")[:PAIRS]
        best = best[weights[best] > RAREST]
        trues = [capitals[k] for k in word[best].tolist()]
        counted = Counted(channel, trues, vocabulary.texts(string[best]), np.ascontiguousarray(weights[best]))
        if done:
            counted.propose(SUPPORT)
        channel = counted.channel()
    return LearnedErrors(channel, wrong)


def _with(
    channel: Channel, vocabulary: ObservedVocabulary, words: list[str], pairs: Integers, uniform: Floats
) -> tuple[Integers, Floats]:
    """Pairs by edits, and by a channel, with P(string | word)."""
    least = np.full(len(words), REACHED)
    word, string, chance = reach(ReplacementTables.of(channel), vocabulary, words, least)
    reached = word.astype(np.int64) * len(vocabulary) + string
    every = np.union1d(pairs, reached)
    chances = np.zeros(len(every))
    chances[np.searchsorted(every, reached)] += chance
    chances[np.searchsorted(every, pairs)] += EDITS * uniform
    return every, chances


def _shares(word: Integers, string: Integers, chance: Floats, counts: Floats, own: Floats, places: Integers) -> Floats:
    """How many occurrences of each string are each word's; what is no misreading is the word's own."""
    expected = counts[places]
    for _ in range(SHARES):
        shares = chance * expected[word]
        shares *= (counts / (own + np.bincount(string, shares, minlength=len(counts))))[string]
        expected = counts[places] + np.bincount(word, shares, minlength=len(places))
    return np.asarray(shares, np.float64)
