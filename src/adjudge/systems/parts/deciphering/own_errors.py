"""The errors of a text from its strings alone, in any language: what its frequent words were read as.

A string that differs a little from a frequent word is a misreading of it, more or less surely: as surely as the channel
makes it of the word more often than it would occur as a word that nobody knows, or as a word of its own. From such
pairs the errors are counted, and with them the pairs are weighed anew. A string that others explain counts for them and
no longer for itself, so that a misreading that is more frequent than the word does not teach that nothing is wrong. In
the last round a string is the less of a word of its own, or of one that nobody knows, the more words are wrong by then.

Which way an error goes is told by what goes one way only: where t is read as l half of the time, words with t have
forms with l, and words with l have none with t. Where that is not enough, aids tell: corrected pages (pairs of a word
and a string are then known), or clean text of the language (its frequent words are then the words).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ....noise.channel.model import Channel
from .counting import Counted, edged, first_channel
from .likeness import Floats, Integers, StringGrams, near
from .observed_strings import FINALS, PLAIN, ObservedVocabulary
from .reach_walk import ReplacementTables, reach

WORDS, SHORTEST, LONGEST, OFTEN = 2000, 5, 20, 3
"""The frequent words that teach, their characters, and how often the rarest occurs. Short words are too like others."""
ROUNDS, SHARES = 6, 8
EDIT, EDITS = 0.1 / 20 / 0.9, 0.1
"""P(string | word) for each edit before anything is known; the share of that in what is learned."""
UNKNOWN, ITSELF, FOREIGN = 1.0, 0.1, 0.02
"""The weight of unknown words; the share of a string's occurrences, but the first, that are taken for a word of its
own, and that share where clean text of the language is known and does not have it."""
REACHED = 1e-4
LOUDEST = 100.0
"""No word counts more in the estimates."""
PAIRS, RAREST, SUPPORT = 40_000, 1e-3, 5
TOP, COUNTED = 300, 100.0
"""The words by which it is told whether anything is wrong, and how often the most frequent of them occurs."""

WordPairs = Mapping[tuple[str, str], float]
"""How often a word, as it truly reads, became a string."""


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


def own_shares(of: TeachingStrings, lexicon: Mapping[str, float]) -> Floats:
    """The share of each string's occurrences, but the first, that may be those of a word of its own."""
    shares = np.full(len(of.vocabulary), ITSELF)
    if lexicon:
        often = np.flatnonzero(of.counts > 1)
        known = [text in lexicon for text in of.vocabulary.texts(often)]
        shares[often[~np.array(known, np.bool_)]] = FOREIGN
    return shares


def errors_of_pairs(pairs: WordPairs, alphabet: str) -> LearnedErrors:
    """The errors that corrected pages show; pairs with characters beyond the alphabet teach nothing."""
    known = set(alphabet)
    some = {pair: times for pair, times in pairs.items() if known.issuperset(pair[0] + pair[1])}
    channel = first_channel(alphabet)
    if not some:
        return LearnedErrors(channel, 0.0)
    loud: dict[str, float] = {}
    for (word, _), times in some.items():
        loud[word] = loud.get(word, 0.0) + times
    weights = np.array([times * min(1.0, LOUDEST / loud[word]) for (word, _), times in some.items()])
    trues, observed = [edged(word) for word, _ in some], [string for _, string in some]
    for done in range(ROUNDS):
        counted = Counted(channel, trues, observed, weights)
        if done:
            counted.propose(SUPPORT)
        channel = counted.channel()
    right = sum(times for (word, string), times in some.items() if word == string)
    return LearnedErrors(channel, 1 - right / sum(some.values()))


def learn_errors(of: TeachingStrings, pairs: WordPairs, lexicon: Mapping[str, float]) -> LearnedErrors:
    """The errors of a text; pairs of corrected pages and the words of clean text with their shares may be given."""
    if pairs:
        return errors_of_pairs(pairs, of.vocabulary.alphabet)
    vocabulary, counts = of.vocabulary, of.counts
    channel, size = first_channel(vocabulary.alphabet), len(vocabulary)
    words, places, expected = _teachers(of, lexicon)
    if not words:
        return LearnedErrors(channel, 0.0)
    edges = [edged(word) for word in words]
    like = near(vocabulary, of.grams, words)
    some = like.kind < 9
    keys = like.word[some] * size + like.string[some]
    order = np.argsort(keys, kind="stable")
    keys, uniform = keys[order], EDIT ** like.kind[some][order]
    own = UNKNOWN * of.unknown + own_shares(of, lexicon) * np.maximum(counts - 1, 0) + 1e-300
    wrong = seen = 0.0
    for done in range(ROUNDS):
        if done == ROUNDS - 1:
            # Once only: from round to round less and less would be right.
            own, wrong = own * (1 - seen), seen
        every, chance = (keys, uniform) if not done else _with(channel, vocabulary, edges, keys, uniform)
        word, string = every // size, every % size
        same = string == places[word]
        shares, kept = _shares(word, string, np.where(same, 0.0, chance), counts, own, places, expected)
        shares[same] = kept[same]
        loud = np.bincount(word, shares, minlength=len(words))
        shares *= np.minimum(1.0, LOUDEST / np.maximum(loud, 1e-9))[word]
        seen = float(shares[~same].sum() / max(shares.sum(), 1e-9))
        best = np.flatnonzero(shares > RAREST)
        best = best[np.argsort(-shares[best], kind="stable")[:PAIRS]]
        trues = [edges[k] for k in word[best].tolist()]
        counted = Counted(channel, trues, vocabulary.texts(string[best]), np.ascontiguousarray(shares[best]))
        if done:
            counted.propose(SUPPORT)
        channel = without_endings(counted.channel())
    return LearnedErrors(channel, wrong)


def without_endings(channel: Channel) -> Channel:
    """The same channel, with errors of last letters no more probable than the same errors elsewhere.

    What differs at the end of words is grammar in most languages: where *n* seems to be lost at the end of a fifth of
    the words and nowhere else, no engine has lost it.
    """
    inside = {(rule.source, rule.target): rule.probability for rule in channel.rules}
    rules = []
    for rule in channel.rules:
        written, most = rule.source.translate(PLAIN), rule.probability
        if written[-1:] != rule.source[-1:] and rule.source[-1] in FINALS and written != rule.target:
            most = min(most, inside.get((written, rule.target), 0.0))
        if most > 0:
            rules.append(rule._replace(probability=most))
    return Channel(tuple(rules), channel.alphabet, channel.substitution, channel.deletion, channel.insertion)


def _teachers(of: TeachingStrings, lexicon: Mapping[str, float]) -> tuple[list[str], Integers, Floats]:
    """The words that teach, the place of each among the strings (-1: it is none), and how often each was written."""
    vocabulary, counts, lengths = of.vocabulary, of.counts, of.vocabulary.lengths
    fits = of.plain & (lengths >= SHORTEST) & (lengths <= LONGEST)
    if not lexicon:
        places = np.flatnonzero(fits & (counts >= OFTEN))
        places = np.sort(places[np.argsort(-counts[places], kind="stable")[:WORDS]])
        return vocabulary.texts(places), places, counts[places]
    total, known = float(counts.sum()), set(vocabulary.alphabet)
    often = sorted((-share, word) for word, share in lexicon.items() if SHORTEST <= len(word) <= LONGEST)
    words = sorted(word for share, word in often[:WORDS] if -share * total >= 1 and known.issuperset(word))
    there = np.flatnonzero(fits)
    at = dict(zip(vocabulary.texts(there), there.tolist(), strict=True))
    places = np.array([at.get(word, -1) for word in words], np.int64)
    return words, places, np.array([lexicon[word] * total for word in words])


def _with(
    channel: Channel, vocabulary: ObservedVocabulary, words: list[str], pairs: Integers, uniform: Floats
) -> tuple[Integers, Floats]:
    """Pairs by edits, and by a channel, with P(string | word)."""
    least = np.full(len(words), REACHED)
    word, string, chance = reach(ReplacementTables.of(channel), vocabulary, words, least)
    reached = word.astype(np.int64) * len(vocabulary) + string
    at = np.searchsorted(pairs, reached)
    fresh = np.append(pairs, -1)[at] != reached
    every = np.concatenate([pairs, reached[fresh]])
    every.sort(kind="stable")  # two ascending runs
    chances = np.zeros(len(every))
    chances[np.searchsorted(every, reached)] += chance
    chances[np.searchsorted(every, pairs)] += EDITS * uniform
    return every, chances


def _shares(
    word: Integers, string: Integers, chance: Floats, counts: Floats, own: Floats, places: Integers, start: Floats
) -> tuple[Floats, Floats]:
    """For pairs of a word and a string: how many occurrences of it are the word's, and how many are its own."""
    expected, there = start.copy(), places >= 0
    # Most strings are nobody's misreading, so sums are made over the others, and over the words themselves.
    some = np.zeros(len(counts), np.bool_)
    some[string] = some[places[there]] = True
    every = np.flatnonzero(some)
    number = np.cumsum(some) - 1
    string, places = number[string], np.where(there, number[places], 0)
    own, often = own[every], counts[every]
    shares, kept = chance, often
    for _ in range(SHARES):
        raw = chance * expected[word]
        total = own + np.bincount(string, raw, minlength=len(every))
        shares = raw * (often / total)[string]
        kept = often * (own / total)
        found = np.asarray(np.bincount(word, shares, minlength=len(places)), np.float64)
        expected = found + np.where(there, kept[places], 0.0)
    return np.asarray(shares, np.float64), np.asarray(kept[string], np.float64)
