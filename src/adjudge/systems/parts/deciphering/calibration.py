"""Self-calibration: the errors of a text learned from the text itself and a list of very common words.

The commonest words of a language are half of its text, so their corruptions are among the commonest strings: where lhe
stands everywhere and the hardly anywhere, t is read as l. A channel that knows nothing but a rate shares the strings
out to the common words, the errors that this implies are counted, and that is done again; then the words of the text
itself join, without those that are better explained as corruptions of others. No true text is needed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ....noise.channel.model import Channel, Rule
from ....noise.channel.rule_arrays import chosen
from .mixing import Floats, Integers, faded, matrix, shared_out
from .tables import ReplacementTables, reach
from .vocabulary import CAPITALS, ObservedVocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

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


def capitalised(word: str) -> str:
    """A word as channels here see it: its first letter is a letter of its own, for words begin with capitals."""
    return word[:1].upper() + word[1:] if word[:1].isascii() else word


def first_channel(alphabet: str) -> Channel:
    """The channel that only knows a rate."""
    rules = tuple(Rule(c, c.lower(), 1 - RATE, 1.0) for c in CAPITALS)
    return Channel(rules, alphabet, 0.8 * RATE, 0.05 * RATE, 0.05 * RATE)


def copied(tables: ReplacementTables, vocabulary: ObservedVocabulary) -> Floats:
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

    def channel(self) -> Channel:
        """The channel of the text."""
        channel = first_channel(self.vocabulary.alphabet)
        if not len(self.common):
            return channel
        for done, share in enumerate(COMMON_ROUNDS):
            own = share * self.counts + ONCE
            p = self._reached(channel, self.common)
            expected = shared_out(p, self.counts, 2 * self.counts[self.common] + 1, own, 20)
            channel = self._estimated(channel, self.common, p, expected, own, proposing=done > 1, support=3)
        for _ in range(ROUNDS):
            channel = self._with_words(channel)
        return channel

    def _reached(self, channel: Channel, places: Integers) -> csr_matrix:
        words = [capitalised(word) for word in self.vocabulary.texts(places)]
        column, row, chance = reach(ReplacementTables.of(channel), self.vocabulary, words, np.full(len(words), REACHED))
        return matrix(row, column, chance, (len(self.vocabulary), len(words)))

    def _with_words(self, channel: Channel) -> Channel:
        """One round with the words of the text itself."""
        before = self.counts / copied(ReplacementTables.of(channel), self.vocabulary)
        candidates = np.flatnonzero(self.plain)
        best = candidates[np.argsort(-before[candidates], kind="stable")[:WORDS]]
        places = np.union1d(best, self.common)
        own = (OWN * self.counts + ONCE) * np.where(self.plain, 1.0, SIGNS)
        p = self._reached(channel, places)
        common = np.isin(places, self.common)
        expected = faded(p, self.counts, before[places], own, places, common)
        start = np.where(expected > 0, np.maximum(expected, before[places]), 0.0)
        expected = shared_out(p, self.counts, start, own, 15)
        return self._estimated(channel, places, p, expected, own, proposing=True, support=SUPPORT)

    def _estimated(
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
        best = np.argsort(-weights, kind="stable")[:200_000]
        best = best[weights[best] > 1e-6]
        written = self.vocabulary.texts(places)
        trues = [capitalised(written[k]) for k in word[best].tolist()]
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
        chosen.expect(tables.buffers, list(trues), list(observed), weights, singles, edges, rules)
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
            left = _left(true, observed, sure) if weight > 0.05 else None
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


def _left(true: str, observed: str, sure: set[tuple[str, str]]) -> tuple[str, str] | None:
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
