"""The errors of a text from its strings alone, in any language: what its frequent words were read as.

A string that differs a little from a frequent word is a misreading of it, more or less surely: as surely as the channel
makes it of the word more often than it would occur as a word that nobody knows, or as a word of its own. From such
pairs the errors are counted, and with them the pairs are weighed anew. A string that others explain counts for them and
no longer for itself, so that a misreading that is more frequent than the word does not teach that nothing is wrong. In
the last round a string is the less of a word of its own, or of one that nobody knows, the more words are wrong by then.

Which way an error goes is told by what goes one way only: where t is read as l half of the time, words with t have
forms with l, and words with l have none with t. Where that is not enough, aids tell: corrected pages, whose pairs of a
word and a string are known and count more than those that are guessed, or clean text of the language, whose frequent
words are then the words. How much is wrong is always what the text itself lets guess, less than what is true: by that
figure doubtful strings are weighed, and with the true one they would count too little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ....noise.channel.model import Channel
from .counting import Counted, edged, first_channel
from .known_pairs import KnownPairs, WordPairs
from .likeness import Floats, Integers, StringGrams, near, places_of
from .observed_strings import FINALS, PLAIN, ObservedVocabulary
from .reach_walk import ReplacementTables, reach

WORDS, SHORTEST, LONGEST, OFTEN = 2000, 5, 20, 3
"""The frequent words that teach, their characters, and how often the rarest occurs. Short words are too like others."""
EXPLAINING, FROM, UNTIL = 300, 3, 4
"""The frequent words of so many characters that explain strings and do not teach: what they were read as would else be
taken for a misreading of longer ones."""
ROUNDS, SHARES = 6, 8
EDIT, EDITS = 0.1 / 20 / 0.9, 0.1
"""P(string | word) for each edit before anything is known; the share of that in what is learned."""
UNKNOWN, ITSELF, FOREIGN = 1.0, 0.1, 0.02
"""The weight of unknown words; the share of a string's occurrences, but the first, that are taken for a word of its
own, and that share where clean text of the language is known and does not have it."""
REACHED = 1e-4
LOUDEST = 100.0
"""No word counts more in the estimates."""
KNOWN = 10.0
"""By so much a pair of corrected pages counts more than one that is guessed."""
PAIRS, RAREST, SUPPORT = 40_000, 1e-3, 5
TOP, COUNTED = 300, 100.0
"""The words by which it is told whether anything is wrong, and how often the most frequent of them occurs."""

TELLING, TELLING_SHORT, FEW = (7, 9), (4, 6), 0.02
"""The characters of these words, of those in a text whose words are short, and the share of long ones in such text."""


class LearnedErrors(NamedTuple):
    """The channel of a text, and how many words are read wrongly."""

    channel: Channel
    wrong: float
    """The share of words, of those that teach, by the text alone."""
    told: float = 0.0
    """The share that aids tell, if there are any."""


class TeachingStrings(NamedTuple):
    """All that the errors of a text are learned from."""

    vocabulary: ObservedVocabulary
    counts: Floats
    grams: StringGrams
    unknown: Floats
    plain: npt.NDArray[np.bool_]
    """TeachingStrings of letters only."""

    @property
    def short(self) -> bool:
        """Whether the words of the text are short, as where every syllable is written by itself."""
        often = self.plain & (self.counts > 1)
        long = often & (self.vocabulary.lengths >= TELLING[0])
        return bool(self.counts[long].sum() < FEW * self.counts[often].sum())


def wrong_neighbours(of: TeachingStrings) -> float:
    """How often strings that occur once differ by a character from a frequent word, for each of its characters.

    Clean text has 0 to 0.004, most of it words that are alike; only a figure near 0 says that nothing is wrong.
    """
    lengths, (least, most) = of.vocabulary.lengths, TELLING_SHORT if of.short else TELLING
    fits = of.plain & (lengths >= least) & (lengths <= most)
    places = np.flatnonzero(fits & (of.counts <= COUNTED) & (of.counts > 1))
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


def learn_errors(of: TeachingStrings, pairs: WordPairs, lexicon: Mapping[str, float]) -> LearnedErrors:
    """The errors of a text; pairs of corrected pages and the words of clean text with their shares may be given."""
    return learn_together([of], pairs, lexicon)[0]


def learn_together(
    groups: Sequence[TeachingStrings],
    pairs: WordPairs,
    lexicon: Mapping[str, float],
    whole: TeachingStrings | None = None,
) -> list[LearnedErrors]:
    """The errors of each of some groups of documents, whose strings are those of the whole text together.

    They have the same words, as often in each as is its share of the text. So a word that one group has as it is
    written tells what became of it in another, where nobody would know the true form from the most frequent one.
    """
    words, expected = _teachers(whole or groups[0], lexicon)
    known = [KnownPairs.of(pairs, of.vocabulary.alphabet, LOUDEST) for of in groups]
    if not words:
        alphabets = [of.vocabulary.alphabet for of in groups]
        every = zip(alphabets, known, strict=True)
        return [LearnedErrors(k.channel(alphabet, ROUNDS, SUPPORT), k.wrong, k.wrong) for alphabet, k in every]
    others, expected_of_others = ([], np.zeros(0)) if lexicon else _explaining(whole or groups[0])
    both = [*words, *others], len(words)
    expected = np.concatenate([expected, expected_of_others])
    learners = [GroupLearner(of, *both, lexicon, some) for of, some in zip(groups, known, strict=True)]
    total = sum(float(of.counts.sum()) for of in groups)
    parts = [float(of.counts.sum()) / total for of in groups]
    for done in range(ROUNDS):
        proposed = [learner.pairs(done) for learner in learners]
        for learner, found in zip(learners, _shares(learners, proposed, parts, expected), strict=True):
            learner.count(*found, done)
    alone = [found.wrong for found in learn_together(groups, {}, {}, whole)] if lexicon else [k.wrong for k in learners]
    return [LearnedErrors(each.channel, wrong, each.told) for each, wrong in zip(learners, alone, strict=True)]


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


class GroupLearner:
    """The channel of a group of documents while it is learned, and what it is learned from."""

    def __init__(
        self, of: TeachingStrings, words: Sequence[str], teaching: int, lexicon: Mapping[str, float], known: KnownPairs
    ) -> None:
        """The first words teach, so many; the others only explain strings."""
        self.teaching = teaching
        self.of, self.edges, self.known, self.aided = of, [edged(word) for word in words], known, bool(lexicon)
        self.channel, self.wrong, self.seen = first_channel(of.vocabulary.alphabet), 0.0, 0.0
        self.places = np.array(places_of(of.vocabulary, [of.vocabulary.encode(word) for word in words]), np.int64)
        like = near(of.vocabulary, of.grams, words)
        some = like.kind < 9
        keys = like.word[some] * len(of.vocabulary) + like.string[some]
        order = np.argsort(keys, kind="stable")
        self.keys, self.uniform = keys[order], EDIT ** like.kind[some][order]
        self.own = UNKNOWN * of.unknown + own_shares(of, lexicon) * np.maximum(of.counts - 1, 0) + 1e-300

    def pairs(self, done: int) -> ProposedPairs:
        """Words and strings that they may have become, after so many rounds."""
        if done == ROUNDS - 1:
            # Once only: from round to round less and less would be right.
            self.own, self.wrong = self.own * (1 - self.seen), self.seen
        every, chance = self.keys, self.uniform
        if done:
            every, chance = _with(self.channel, self.of.vocabulary, self.edges, self.keys, self.uniform)
        word, string = np.divmod(every, len(self.of.vocabulary))
        same = string == self.places[word]
        return ProposedPairs(word, string, np.where(same, 0.0, chance), same)

    def count(self, pairs: ProposedPairs, shares: Floats, kept: Floats, done: int) -> None:
        """A new channel, from how many occurrences of strings are a word's, and how many their own."""
        teaches = pairs.word < self.teaching
        word, string, same = (each[teaches] for each in (pairs.word, pairs.string, pairs.same))
        shares, kept = shares[teaches], kept[teaches]
        shares[same] = kept[same]
        loud = np.bincount(word, shares, minlength=len(self.edges))
        shares *= np.minimum(1.0, LOUDEST / np.maximum(loud, 1e-9))[word]
        self.seen = float(shares[~same].sum() / max(shares.sum(), 1e-9))
        best = np.flatnonzero(shares > RAREST)
        best = best[np.argsort(-shares[best], kind="stable")[:PAIRS]]
        trues, observed = [self.edges[k] for k in word[best].tolist()], self.of.vocabulary.texts(string[best])
        counted = Counted(self.channel, trues, observed, np.ascontiguousarray(shares[best]))
        if done:
            counted.propose(SUPPORT)
        if self.known.words:
            counted.join(self.known.counted(self.channel, SUPPORT if done else None), KNOWN)
        self.channel = without_endings(counted.channel())

    @property
    def told(self) -> float:
        """The share of words that are read wrongly, by corrected pages or else by clean text."""
        return self.known.wrong if self.known.words else self.wrong if self.aided else 0.0


class ProposedPairs(NamedTuple):
    """A word and a string that it may have become, with P(string | word), and whether it is the word itself."""

    word: Integers
    string: Integers
    chance: Floats
    same: npt.NDArray[np.bool_]


def _teachers(of: TeachingStrings, lexicon: Mapping[str, float]) -> tuple[list[str], Floats]:
    """The words that teach, and how often each was written."""
    vocabulary, counts, lengths = of.vocabulary, of.counts, of.vocabulary.lengths
    if not lexicon:
        fits = of.plain & (lengths >= SHORTEST) & (lengths <= LONGEST)
        places = np.flatnonzero(fits & (counts >= OFTEN))
        places = np.sort(places[np.argsort(-counts[places], kind="stable")[:WORDS]])
        return vocabulary.texts(places), counts[places]
    total, known = float(counts.sum()), set(vocabulary.alphabet)
    often = sorted((-share, word) for word, share in lexicon.items() if SHORTEST <= len(word) <= LONGEST)
    words = sorted(word for share, word in often[:WORDS] if -share * total >= 1 and known.issuperset(word))
    return words, np.array([lexicon[word] * total for word in words])


def _explaining(of: TeachingStrings) -> tuple[list[str], Floats]:
    """The short words that explain strings, and how often each was written."""
    lengths = of.vocabulary.lengths
    places = np.flatnonzero(of.plain & (lengths >= FROM) & (lengths <= UNTIL) & (of.counts >= OFTEN))
    places = np.sort(places[np.argsort(-of.counts[places], kind="stable")[:EXPLAINING]])
    return of.vocabulary.texts(places), of.counts[places]


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
    learners: Sequence[GroupLearner], proposed: Sequence[ProposedPairs], parts: Sequence[float], start: Floats
) -> list[tuple[ProposedPairs, Floats, Floats]]:
    """For the pairs of each group: how many occurrences of a string are the word's, and how many are its own.

    ``parts`` are the shares of the groups in the text, ``start`` is how often words are expected in all of it.
    """
    works = [ShareWork.of(*both) for both in zip(learners, proposed, strict=True)]
    expected, found = start.copy(), [(p, p.chance, p.chance) for p in proposed]
    for _ in range(SHARES):
        sums = np.zeros(len(start))
        for k, (work, pairs, part) in enumerate(zip(works, proposed, parts, strict=True)):
            raw = pairs.chance * (expected * part)[pairs.word]
            total = work.own + np.bincount(work.string, raw, minlength=len(work.own))
            shares = raw * (work.often / total)[work.string]
            kept = work.often * (work.own / total)
            sums += np.bincount(pairs.word, shares, minlength=len(start))
            sums += np.where(work.there, kept[work.places], 0.0)
            found[k] = pairs, np.asarray(shares, np.float64), np.asarray(kept[work.string], np.float64)
        expected = sums
    return found


class ShareWork(NamedTuple):
    """The strings of a group that are somebody's misreading, or words that teach: sums are made over these only."""

    string: Integers
    """The number of the string of each pair."""
    places: Integers
    there: npt.NDArray[np.bool_]
    """Whether each word is a string of the group, and its number."""
    own: Floats
    often: Floats

    @classmethod
    def of(cls, learner: GroupLearner, pairs: ProposedPairs) -> ShareWork:
        there = learner.places >= 0
        some = np.zeros(len(learner.own), np.bool_)
        some[pairs.string] = some[learner.places[there]] = some[:1] = True
        every = np.flatnonzero(some)
        number = np.cumsum(some) - 1
        places = np.where(there, number[learner.places], 0)
        return cls(number[pairs.string], places, there, learner.own[every], learner.of.counts[every])
