"""Errors counted from pairs of a word and the string that it became, and the channel that has them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.kernel import native
from ....noise.channel.model import Channel, Rule
from ....noise.channel.rule_arrays import loops
from ....text.splitting import offsets_of
from .observed_strings import CAPITALS, FINALS, PLAIN

Floats = npt.NDArray[np.float64]
differing: Any = native("differing")

RATE = 0.2
"""The share of wrong characters that is assumed at first."""
SURE = 0.04
"""Single errors at least so probable are taken for granted where errors of several characters are looked for."""
MOST = 3000
RAREST = 1e-4
WIDE = 64
"""Characters of words that are looked at all at once."""
SEEN = 5.0
"""Occurrences without an error that every letter is given beside those that were counted."""


def edged(word: str) -> str:
    """A word as channels here see it: its first and its last letter are letters of their own."""
    first, last = word[:1], word[-1:]
    if len(word) > 1 and "a" <= last <= "z":
        word = word[:-1] + FINALS[ord(last) - ord("a")]
    return first.upper() + word[1:] if "a" <= first <= "z" else word


def first_channel(alphabet: str) -> Channel:
    """The channel that only knows a rate."""
    rules = tuple(Rule(c, PLAIN[ord(c)], 1 - RATE, 1.0) for c in CAPITALS + FINALS)
    return Channel(rules, alphabet, 0.8 * RATE, 0.05 * RATE, 0.05 * RATE)


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
        self.beyond: dict[tuple[str, str], float] = defaultdict(float)
        """What is in these figures beyond one for each occurrence."""
        self.stands: dict[str, float] = defaultdict(float)
        loud: dict[str, float] = defaultdict(float)
        for word, weight in zip(trues, weights.tolist(), strict=True):
            loud[word] += weight
        for word, weight in loud.items():
            self.stands[""] += weight * (len(word) + 1)
            for size in (1, 2, 3):
                for i in range(len(word) - size + 1):
                    self.stands[word[i : i + size]] += weight

    def join(self, others: Counted, factor: float) -> None:
        """Count other pairs too, each so many times; an error is no surer to exist for that."""
        for rule, times in others.times.items():
            self.times[rule] += factor * times
            self.beyond[rule] += (factor - 1) * times
        for source, times in others.stands.items():
            self.stands[source] += factor * times

    def propose(self, support: int) -> None:
        """Add errors of several characters: what is left of a pair when it agrees, or nearly, from both ends."""
        known = set(self.before.tables.numbered)
        sure = {rule[:2] for rule in self.before.rules if rule.probability >= SURE}
        seen: dict[tuple[str, str], tuple[set[str], float]] = {}
        for k in self._differing(sure).tolist():
            true = self.trues[k]
            left = _difference(true, self.observed[k], sure)
            if left is not None and left not in known:
                words, total = seen.get(left, (set(), 0.0))
                words.add(true)
                seen[left] = words, total + float(self.weights[k])
        for left, (words, total) in seen.items():
            if len(words) >= support:
                self.times[left] += 0.5 * total

    def _differing(self, sure: set[tuple[str, str]]) -> npt.NDArray[np.int64]:
        """The pairs that :func:`_difference` finds something in, and perhaps others: all of them are looked at at once,
        but for those of long words."""
        rows = np.flatnonzero(self.weights > 0.05)
        true, observed = ([texts[k] for k in rows.tolist()] for texts in (self.trues, self.observed))
        if differing is not None:
            return np.asarray(rows[_found(true, observed, sure)], np.int64)
        sizes = np.array([list(map(len, texts)) for texts in (true, observed)]).reshape(2, -1)
        long, near = sizes.max(axis=0) > WIDE, np.abs(sizes[0] - sizes[1]) <= 1
        some = np.flatnonzero(near & ~long)
        both = [[texts[k] for k in some.tolist()] for texts in (true, observed)]
        least = sizes[:, some].min(axis=0)
        first = _agreement(both[0], both[1], sure, least)
        turned = [[text[::-1] for text in texts] for texts in both]
        last = _agreement(turned[0], turned[1], sure, least - first)
        left = sizes[:, some] - first - last
        longest = left.max(axis=0)
        found = some[(longest > 1) & (longest <= 3) & (left[0] > 0)]
        return np.asarray(rows[np.sort(np.concatenate([found, np.flatnonzero(near & long)]))], np.int64)

    def channel(self) -> Channel:
        """The channel with these errors."""
        outside = [0.0, 0.0, 0.0]
        rules: list[Rule] = []
        for (source, target), times in self.times.items():
            chance = times / (self.stands.get(source, 0.0) + SEEN)
            if times - self.beyond.get((source, target), 0.0) >= 2 and chance >= RAREST:
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


def _found(trues: Sequence[str], observed: Sequence[str], sure: set[tuple[str, str]]) -> npt.NDArray[np.int64]:
    """The pairs in which a stretch of two or three characters does not agree, by the compiled loop."""
    points = [
        np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32) for texts in (trues, observed)
    ]
    ends = [offsets_of(list(map(len, texts))) for texts in (trues, observed)]
    keys = sorted(ord(true) << 32 | ord(string) for true, string in sure if len(true) == len(string) == 1)
    found = np.empty(len(trues), np.int64)
    lower = _LOWER[points[0]]
    many = differing.differing(points[0], ends[0], lower, points[1], ends[1], np.array(keys, np.uint64), found)
    return found[:many]


def _agreement(
    trues: Sequence[str], observed: Sequence[str], sure: set[tuple[str, str]], most: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """The characters from the beginning, at most so many, in which words and strings agree or differ as is known."""
    if not len(trues):
        return np.zeros(0, np.int64)
    width = max(map(len, (*trues, *observed))) + 1
    points = [np.array(texts, f"U{width}").view(np.uint32).reshape(-1, width) for texts in (trues, observed)]
    alike = _LOWER[points[0]] == points[1]
    for true, string in sure:
        if len(true) == len(string) == 1:
            alike |= (points[0] == ord(true)) & (points[1] == ord(string))
    alike &= np.arange(width) < most[:, None]
    return np.asarray(alike.argmin(axis=1), np.int64)


_LOWER = np.arange(0x110000, dtype=np.uint32)
_LOWER[list(PLAIN)] = [ord(c) for c in PLAIN.values()]


def _difference(true: str, observed: str, sure: set[tuple[str, str]]) -> tuple[str, str] | None:
    """The one stretch of up to three characters in which a pair does not agree, if it is of several characters."""
    lower, least = true.translate(PLAIN), min(len(true), len(observed))
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
