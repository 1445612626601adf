"""What a text tells of its own errors: the signs that stand for letters, and its channel; no true text is needed.

The commonest words of a language are half of its text, so their corruptions are among the commonest strings: where lhe
stands everywhere and the hardly anywhere, t is read as l. A channel that knows nothing but a rate shares the strings
out to the common words, the errors that this implies are counted, and that is done again; then the words of the text
itself join, without those that are better explained as corruptions of others.

The observed counts are a mixture: string t comes from word u with P(t | u), so n(t) ≈ Σ P(t | u) · N(u) + what stands
for itself. N is found by expectation maximisation (in astronomy the iteration of Richardson and Lucy): every string is
shared out to the words in proportion to how well each explains it, and the shares are the new N.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ....core.document import Documents
from ....noise.channel.model import Channel, Rule
from ....noise.channel.rule_arrays import loops
from .observed_strings import CAPITALS, ObservedVocabulary
from .reach_walk import ReplacementTables, reach

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

# -- signs that stand for letters -------------------------------------------------------------------------------------

SHARE = 20
"""One document of so many is looked at, and the first ones of a small corpus all."""
FIRST = 200
LONGEST = 50_000
"""Characters of a document that are looked at."""
NEVER = frozenset(".,;:!?\"'`()/&@-\u2010\u2011\u2012\u2013\u2014\u2015\u2018\u2019\u201a\u201c\u201d\u201e\u2026")
"""Characters that stand between and beside the words of any clean text."""
BETWEEN = re.compile(r"(?<![^\W\d_])(?P<left>[^\W\d_]+)(?P<sign>[^\w\s]|_)(?=(?P<right>[^\W\d_]+))")
ALONE = re.compile(r"(?<!\S)[^\W\d_]+(?=[.,;:]?(?!\S))")
SEEN, INSIDE, KNOWN = 10, 0.1, 0.5
"""A sign is a letter if it was seen inside words so often, if so much of its occurrences are there, and if what stands
before and after it are known words in less than so many cases: a dash stands between words, a letter does not."""


def letters_of(documents: Documents) -> tuple[int, ...]:
    """The code points of the signs that stand for letters in these documents, ascending."""
    every: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    between: Counter[tuple[str, str, str]] = Counter()
    for number, document in enumerate(documents):
        if number >= FIRST and number % SHARE:
            continue
        text = document.text[:LONGEST].lower()
        every.update(text)
        alone.update(ALONE.findall(text))
        between.update((m["sign"], m["left"], m["right"]) for m in BETWEEN.finditer(text))
    inside: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for (sign, left, right), times in between.items():
        inside[sign] += times
        known[sign] += times if alone[left] > 1 and alone[right] > 1 else 0
    return tuple(
        sorted(
            ord(sign)
            for sign, times in inside.items()
            if not _beside(sign) and times >= SEEN and times >= INSIDE * every[sign] and known[sign] < KNOWN * times
        )
    )


def _beside(sign: str) -> bool:
    """Whether a sign stands between or beside the words of clean text, or is a mark on their letters.

    What engines write for letters they take from ASCII and Latin-1; punctuation beyond is that of other scripts.
    """
    kind = unicodedata.category(sign)
    return sign in NEVER or kind[0] == "M" or kind == "Cf" or (kind[0] == "P" and ord(sign) > 0xFF)


# -- how often each word was written ----------------------------------------------------------------------------------

FASTER = 1.7
"""The exponent of a step. 1 is plain expectation maximisation; up to 2 the way is the same and shorter."""
GONE = 1e-3
"""Words that are expected less often than this are none."""
FADING = (0.6, 0.4, 0.25, 0.15, 0.1)
"""The share of a word's own count that others must explain for it to be dropped, falling: of two words that explain
each other the one that is explained better goes first, and then nothing explains the other."""


def matrix(rows: Integers, columns: Integers, values: Floats, shape: tuple[int, int]) -> csr_matrix:
    """P(string | word), a row for each string and a column for each word."""
    from scipy.sparse import csr_matrix

    return csr_matrix((values, (rows, columns)), shape)


def share_out(p: csr_matrix, counts: Floats, start: Floats, own: Floats, rounds: int) -> Floats:
    """The expected number of each word; ``own`` is what stands for itself among each string."""
    transposed = p.T.tocsr()
    expected = start.copy()
    for done in range(rounds):
        step = transposed @ (counts / (p @ expected + own))
        expected = expected * step ** (FASTER if done < rounds - 2 else 1.0)
        expected[expected < GONE] = 0.0
    return expected


def fade(
    p: csr_matrix, counts: Floats, start: Floats, own: Floats, places: Integers, lasting: npt.NDArray[np.bool_]
) -> Floats:
    """The same without words that others explain: ``places`` says which string each word is, ``lasting`` which stay."""
    expected, itself = start.copy(), np.asarray(p[places].diagonal(), np.float64)
    rows = p[places]
    for share in FADING:
        expected = share_out(p, counts, expected, own, 10)
        by_others = rows @ expected - itself * expected
        stays = ((by_others < share * counts[places]) | lasting) & (expected > 0)
        expected = np.where(stays, np.maximum(expected, counts[places]), 0.0)
    return expected


# -- the errors of the text -------------------------------------------------------------------------------------------

RATE = 0.2
"""The share of wrong characters that is assumed at first."""
COMMON_ROUNDS = (1e-3, 1e-3, 3e-3, 1e-2, 1e-2)
"""For each round with the common words, the share of a string's count that stands for itself."""
ROUNDS = 4
WORDS = 8000
"""Words of the text itself, the most frequent, that join."""
OWN, ONCE, SIGNS = 0.01, 0.01, 0.03
"""Of a string stands for itself: this share of its count, so many occurrences more, and what is left of both if the
string is not of letters only. More of it, and the errors of which each was seen once would be taken for words."""
REACHED = 1e-4
"""P(string | word) of the strings that teach about a word."""
LOUDEST = 2000.0
"""No word counts more in the estimates: the would drown all others."""
SURE = 0.04
"""Single errors at least so probable are taken for granted where errors of several characters are looked for."""
SUPPORT = 5
"""Different words in which an error of several characters must be seen."""
MOST = 3000
RAREST = 1e-4
PAIRS = 150_000
"""Pairs of a word and a string from which errors are counted, those with the most occurrences."""


def capitalise(word: str) -> str:
    """A word as channels here see it: its first letter is a letter of its own, for words begin with capitals."""
    return word[:1].upper() + word[1:] if word[:1].isascii() else word


def first_channel(alphabet: str) -> Channel:
    """The channel that only knows a rate."""
    rules = tuple(Rule(c, c.lower(), 1 - RATE, 1.0) for c in CAPITALS)
    return Channel(rules, alphabet, 0.8 * RATE, 0.05 * RATE, 0.05 * RATE)


def copy_chances(tables: ReplacementTables, vocabulary: ObservedVocabulary) -> Floats:
    """P(string | the same word) of every string, errors of three characters left out."""
    total = np.tile(tables.edges[2][:, None], (1, 256))
    for source, share in zip(tables.sources.tolist(), tables.totals.tolist(), strict=True):
        if 0xFF < source <= 0xFFFF:
            total[source & 0xFF, source >> 8] += share
    letters = vocabulary.letters
    through = np.maximum(1 - total[letters, np.append(letters[1:], 0)], 0.02)
    begins = vocabulary.offsets[:-1][vocabulary.lengths > 0]
    capital = np.arange(256)
    for c in CAPITALS:
        capital[vocabulary.alphabet.index(c.lower()) + 1] = vocabulary.alphabet.index(c) + 1
    first = letters[begins]
    changed = capital[first] != first
    through[begins[changed]] = tables.single[capital[first[changed]], first[changed]]
    sums = np.concatenate([[0.0], np.cumsum(np.log(np.maximum(through, 1e-12)))])
    whole = np.exp(sums[vocabulary.offsets[1:]] - sums[vocabulary.offsets[:-1]])
    return np.asarray(np.maximum(whole, 1e-4), np.float64)


@dataclass(frozen=True, eq=False)
class Calibration:
    """The strings that teach, how often each occurs, which are of letters only, and which are common words."""

    vocabulary: ObservedVocabulary
    counts: Floats
    plain: Integers
    common: Integers
    """Places of the common words."""

    def learned(self) -> tuple[Channel, float]:
        """The channel of the text, and how many of its strings the common words are expected to be."""
        channel, expected_common = first_channel(self.vocabulary.alphabet), 0.0
        if not len(self.common):
            return channel, expected_common
        for done, share in enumerate(COMMON_ROUNDS):
            own = share * self.counts + ONCE
            p = self._reach_matrix(channel, self.common)
            expected = share_out(p, self.counts, 2 * self.counts[self.common] + 1, own, 20)
            channel = self._estimate(channel, self.common, p, expected, own, proposing=done > 1, support=3)
        for _ in range(ROUNDS):
            channel, expected_common = self._with_words(channel)
        return channel, expected_common

    def _reach_matrix(self, channel: Channel, places: Integers) -> csr_matrix:
        words = [capitalise(word) for word in self.vocabulary.texts(places)]
        column, row, chance = reach(ReplacementTables.of(channel), self.vocabulary, words, np.full(len(words), REACHED))
        return matrix(row, column, chance, (len(self.vocabulary), len(words)))

    def _with_words(self, channel: Channel) -> tuple[Channel, float]:
        """One round with the words of the text itself."""
        before = self.counts / copy_chances(ReplacementTables.of(channel), self.vocabulary)
        candidates = np.flatnonzero(self.plain)
        best = candidates[np.argsort(-before[candidates], kind="stable")[:WORDS]]
        places = np.union1d(best, self.common)
        own = (OWN * self.counts + ONCE) * np.where(self.plain, 1.0, SIGNS)
        p = self._reach_matrix(channel, places)
        common = np.isin(places, self.common)
        expected = fade(p, self.counts, before[places], own, places, common)
        start = np.where(expected > 0, np.maximum(expected, before[places]), 0.0)
        expected = share_out(p, self.counts, start, own, 15)
        better = self._estimate(channel, places, p, expected, own, proposing=True, support=SUPPORT)
        return better, float(expected[common].sum())

    def _estimate(
        self,
        channel: Channel,
        places: Integers,
        p: csr_matrix,
        expected: Floats,
        own: Floats,
        *,
        proposing: bool,
        support: int,
    ) -> Channel:
        """The channel that the strings imply if they are shared out to words in this way."""
        pairs = p.tocoo()
        string, word = pairs.coords
        weights = pairs.data * expected[word] * (self.counts / (p @ expected + own))[string]
        loud = np.bincount(word, weights, minlength=len(places))
        weights *= np.minimum(1.0, LOUDEST / np.maximum(loud, 1e-9))[word]
        best = np.argsort(-weights, kind="stable")[:PAIRS]
        best = best[weights[best] > 1e-6]
        written = [capitalise(text) for text in self.vocabulary.texts(places)]
        trues = [written[k] for k in word[best].tolist()]
        observed = self.vocabulary.texts(string[best])
        counted = Counted(channel, trues, observed, np.ascontiguousarray(weights[best]))
        if proposing:
            counted.propose(support)
        return counted.channel()


class Counted:
    """How often each error was made, by expectation, if words became strings as some channel says."""

    def __init__(self, channel: Channel, trues: Sequence[str], observed: Sequence[str], weights: Floats) -> None:
        self.before, self.trues, self.observed, self.weights = channel, trues, observed, weights
        tables = channel.tables
        singles, edges, rules = np.zeros((256, 256)), np.zeros((2, 256)), np.zeros(len(tables.numbered))
        loops.expect(tables.buffers, list(trues), list(observed), weights, singles, edges, rules)
        letters = ["", *channel.alphabet]
        self.times: dict[tuple[str, str], float] = defaultdict(float)
        for a, b in np.argwhere(singles[1:, 1:] > 0).tolist():
            self.times[letters[a + 1], letters[b + 1]] += float(singles[a + 1, b + 1])
        for a in np.flatnonzero(edges[0, 1:]).tolist():
            self.times[letters[a + 1], ""] += float(edges[0, a + 1])
        for b in np.flatnonzero(edges[1, 1:]).tolist():
            self.times["", letters[b + 1]] += float(edges[1, b + 1])
        for rule, times in zip(tables.numbered, rules.tolist(), strict=True):
            self.times[rule] += times
        self.stands: dict[str, float] = defaultdict(float)
        loud: dict[str, float] = defaultdict(float)
        for word, weight in zip(trues, weights.tolist(), strict=True):
            loud[word] += weight
        for word, weight in loud.items():
            self.stands[""] += weight * (len(word) + 1)
            for size in (1, 2, 3):
                for i in range(len(word) - size + 1):
                    self.stands[word[i : i + size]] += weight

    def propose(self, support: int) -> None:
        """Add errors of several characters: what is left of a pair when it agrees, or nearly, from both ends."""
        known = set(self.before.tables.numbered)
        sure = {rule[:2] for rule in self.before.rules if rule.probability >= SURE}
        seen: dict[tuple[str, str], tuple[set[str], float]] = {}
        for true, observed, weight in zip(self.trues, self.observed, self.weights.tolist(), strict=True):
            left = _difference(true, observed, sure) if weight > 0.05 and true != observed else None
            if left is not None and left not in known:
                words, total = seen.get(left, (set(), 0.0))
                words.add(true)
                seen[left] = words, total + weight
        for left, (words, total) in seen.items():
            if len(words) >= support:
                self.times[left] += 0.5 * total

    def channel(self) -> Channel:
        """The channel with these errors."""
        outside = [0.0, 0.0, 0.0]
        rules: list[Rule] = []
        for (source, target), times in self.times.items():
            chance = times / (self.stands.get(source, 0.0) + 5)
            if times >= 2 and chance >= RAREST:
                rules.append(Rule(source, target, min(chance, 0.97), times))
            else:
                outside[2 if not source else 1 if not target else 0] += times
        rules = sorted(rules, key=lambda rule: (-rule.seen, rule))[:MOST]
        total: dict[str, float] = defaultdict(float)
        for rule in rules:
            total[rule.source] += rule.probability
        scaled = (rule._replace(probability=rule.probability / max(1.0, total[rule.source] / 0.98)) for rule in rules)
        substitution, deletion, insertion = (
            min(max(times / max(self.stands[""], 1.0), 1e-4), 0.1) for times in outside
        )
        return Channel(tuple(scaled), self.before.alphabet, substitution, deletion, insertion)


def _difference(true: str, observed: str, sure: set[tuple[str, str]]) -> tuple[str, str] | None:
    """The one stretch of up to three characters in which a pair does not agree, if it is of several characters."""
    lower, least = true.lower(), min(len(true), len(observed))
    if lower == observed or len(lower) != len(true):
        return None
    a = b = 0
    while a < least and (lower[a] == observed[a] or (true[a], observed[a]) in sure):
        a += 1
    while b < least - a and (lower[-1 - b] == observed[-1 - b] or (true[-1 - b], observed[-1 - b]) in sure):
        b += 1
    source, target = true[a : len(true) - b], observed[a : len(observed) - b]
    short = max(len(source), len(target)) <= 3 and abs(len(source) - len(target)) <= 1
    return (source, target) if short and source and max(len(source), len(target)) > 1 else None
