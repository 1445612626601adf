"""Which observed strings stand for a word of a question, and how surely.

A string stands for the word with P(word | string) = P(string | word) · N(word) / (P(string | word) · N(word) + what it
would be otherwise). P(string | word) is that of the learned channel and, for errors of which nothing was learned, that
of so many edits; N is how often the word was written, by expectation. Otherwise the string is a word that nobody knows,
or a word of its own if it occurs often, both the less the more of the text is wrong. A string that begins or ends with
the word is it, joined with a neighbour, as surely as what is left over is a frequent word.

What none of these explains may still be the word, read so badly that only some of its grams are left. Such strings
count as much as they share grams with it, and the more, the more of the text is wrong; in nearly clean text, next to
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....core.kernel import native
from ....text.stemming import stems_of
from . import slow_deciphering
from .counting import edged
from .likeness import ALIKE, BEGINS, Near, near
from .reach_walk import reach
from .reading import Reading

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

LEAST = 2e-6
"""P(string | word) below which no string is looked at."""
EDIT, EDITS = 0.1 / 20 / 0.9, 0.3
"""P(string | word) for each edit of which nothing was learned, and the share of such errors."""
ONCE = 0.5
"""A word that is asked for is expected so often more than it is seen in clean text; the more is wrong, the more."""
ROUNDS = 4
JOINED, SHORTEST = 0.01, 4
"""The share of words that are joined with a frequent neighbour, and characters of the word."""
GRAMS, HALF, LONG = 0.5, 0.5, 5
"""What a string counts that shares all grams with the word where all of the text is wrong, the share of grams that it
must have, and characters of the word."""
SAME_STEM = 0.3
"""What a string counts that has the stem of the word and is not it."""

Spelling = tuple[tuple[str, str], ...]
"""Strings of characters in a question, and what stands for them in the text."""
VARIANTS = 8
"""Spellings of a word that are tried, itself among them."""

compiled: Any = native("adding")
loops: Any = compiled or slow_deciphering


@dataclass(frozen=True)
class Asking:
    """How strings are found for a word."""

    least: float = 0.02
    """The probability below which a string does not count."""
    stems: bool = True
    """Whether words with the same stem count, too."""
    learned: bool = True
    """Whether the learned channel is used."""
    joined: bool = True
    """Whether words are found that are joined with others."""
    broken: bool = True
    """Whether words are found that are broken into two strings."""
    grams: bool = True
    """Whether strings count that only share grams with the word."""
    spelling: Spelling = ()
    """What may be written in another way in the text than in questions."""


class Forms(NamedTuple):
    """Strings by their places in the vocabulary, the probability that each stands for the word, and for which."""

    strings: Integers
    weights: Floats
    exact: Floats
    """1 for a string that is the word, or has its stem, as it is written, and 0 for others."""
    members: list[str]
    """The word, and true words with its stem."""
    member: Integers
    """For each string the member that it is read as."""

    def select(self, some: npt.NDArray[np.bool_]) -> Forms:
        """Some of the strings."""
        return Forms(self.strings[some], self.weights[some], self.exact[some], self.members, self.member[some])

    def joined(self, other: Forms) -> Forms:
        """The strings of both, each as the word that explains it better."""
        members = [*self.members, *other.members]
        strings = np.concatenate([self.strings, other.strings])
        weights, exact = (np.concatenate(both) for both in ((self.weights, other.weights), (self.exact, other.exact)))
        member = np.concatenate([self.member, other.member + len(self.members)])
        order = np.lexsort((-weights, strings))
        best = order[np.diff(strings[order], prepend=-1) > 0]
        return Forms(strings[best], weights[best], exact[best], members, member[best])


def exact_forms(reading: Reading, word: str, asking: Asking) -> Forms:
    """The strings that are a word in lower case, or have its stem, as they are written."""
    if asking.stems:
        members = reading.stems.having(stems_of([word], "porter")[0], reading.names)
    else:
        place = reading.place(word)
        members = {place: word} if place >= 0 else {}
    strings, ones = np.array(list(members), np.int64), np.ones(len(members))
    return Forms(strings, ones, ones, list(members.values()), np.arange(len(members)))


def spellings(word: str, rules: Spelling) -> list[str]:
    """A word as it is asked for, and as it may be written by some rules, fewest changes first."""
    found = [word]
    for former in found:  # which grows
        for modern, old in rules:
            at = former.find(modern)
            while at >= 0 and len(found) < VARIANTS:
                other = former[:at] + old + former[at + len(modern) :]
                if other not in found:
                    found.append(other)
                at = former.find(modern, at + 1)
    return found


class LikelyStrings(NamedTuple):
    """Strings that may have become of a word: those that are like it, and those that the channel makes of it."""

    like: Near
    reached: Integers
    chances: Floats


def likely_strings(reading: Reading, words: Sequence[str], asking: Asking) -> dict[str, LikelyStrings]:
    """The strings for some words and all spellings of them that are tried, looked for together."""
    every = list(dict.fromkeys(spelled for word in words for spelled in _spellings(reading, word, asking)))
    if not every:
        return {}
    lengths = np.array([len(word) for word in every])
    alike = np.where(_some_grams(reading, lengths, asking), HALF, 0.0)
    joined = np.logical_and(asking.joined, lengths >= SHORTEST)
    likes = near(reading.vocabulary, reading.grams, every, alike=alike, joined=joined).each(len(every))
    read = [word for word in every if asking.learned and word.isalpha()]
    found: dict[str, tuple[Integers, Floats]] = {}
    if read:
        least = np.full(len(read), LEAST)
        of, strings, chances = reach(reading.tables, reading.vocabulary, [edged(word) for word in read], least)
        bounds = np.searchsorted(of, np.arange(len(read) + 1)).tolist()
        pieces = zip(read, pairwise(bounds), strict=True)
        found = {word: (strings[a:b].astype(np.int64), chances[a:b]) for word, (a, b) in pieces}
    nothing = np.zeros(0, np.int64), np.zeros(0)
    return {word: LikelyStrings(like, *found.get(word, nothing)) for word, like in zip(every, likes, strict=True)}


def _some_grams(reading: Reading, length: Integers, asking: Asking) -> npt.NDArray[np.bool_]:
    """Whether strings count that only share grams with words of these lengths; where little is wrong, none counts as
    much as is asked for."""
    return np.logical_and(asking.grams and GRAMS * reading.wrong**2 >= asking.least, length >= LONG)


def _spellings(reading: Reading, word: str, asking: Asking) -> list[str]:
    """A word, and its other spellings that occur: one that nobody used explains nothing."""
    first, *others = spellings(word, asking.spelling)
    return [first, *(other for other in others if reading.place(other) >= 0)]


def forms_of(reading: Reading, word: str, asking: Asking, known: Mapping[str, LikelyStrings] | None = None) -> Forms:
    """The strings that stand for a word in lower case, in any of its spellings, those with the same stem among them."""
    some = known if known is not None and word in known else likely_strings(reading, [word], asking)
    first, *others = _spellings(reading, word, asking)
    forms = _forms(reading, first, asking, some[first])
    for other in others:
        forms = forms.joined(_forms(reading, other, asking, some[other]))
    return forms


def _forms(reading: Reading, word: str, asking: Asking, found: LikelyStrings) -> Forms:
    """The strings that stand for a word as it is spelled."""
    family, itself = exact_forms(reading, word, asking), reading.place(word)
    some_grams = bool(_some_grams(reading, np.array(len(word)), asking))
    like, reached, chances = found
    edits = like.kind < ALIKE
    long = like.kind >= BEGINS
    parts = [like.string[edits], reached, like.string[long], family.strings]
    parts.append(np.array([itself] if itself >= 0 else [], np.int64))
    strings, place = np.unique(np.concatenate(parts), return_inverse=True)
    ends = np.cumsum([len(part) for part in parts])
    chance = np.zeros(len(strings))
    chance[place[: ends[0]]] += EDITS * EDIT ** like.kind[edits]
    chance[place[ends[0] : ends[1]]] += chances
    chance[place[ends[1] : ends[2]]] += _joined(reading, word, like.string[long], like.kind[long])
    if not word.isalpha():
        chance[_of_digits(reading, strings)] = 0.0  # another number is no misreading
    counts = reading.counts_of(strings)
    otherwise = reading.otherwise[strings].astype(np.float64)
    is_itself = strings == itself
    weights = _posterior(chance, counts, otherwise, is_itself, ONCE / max(1 - reading.wrong, 0.1) ** 2)
    if some_grams:
        strings, weights, place = _by_grams(reading, word, like, strings, weights, place)
        is_itself = strings == itself
    exact, member = np.zeros(len(strings)), np.zeros(len(strings), np.int64)
    members = [word, *(text for text in family.members if text != word)]
    number = {text: k for k, text in enumerate(members)}
    at = place[ends[2] : ends[3]]
    exact[at] = 1.0
    better = at[weights[at] < SAME_STEM]
    member[at[~is_itself[at]]] = [
        number[text] for text, i in zip(family.members, is_itself[at].tolist(), strict=True) if not i
    ]
    weights[better] = SAME_STEM
    return Forms(strings, weights, exact, members, member)


def _by_grams(
    reading: Reading, word: str, like: Near, strings: Integers, weights: Floats, place: Integers
) -> tuple[Integers, Floats, Integers]:
    """The same strings and weights, and what grams alone find; ``place`` says where strings were, and are."""
    lengths = reading.vocabulary.lengths_of(like.string)
    share = like.shared / np.maximum(lengths, len(word))
    counts = GRAMS * reading.wrong**2 * share * (share >= HALF)
    if not word.isalpha():
        counts[_of_digits(reading, like.string)] = 0.0
    some = counts > 0
    every = np.union1d(strings, like.string[some])
    at = np.searchsorted(every, strings)
    more = np.zeros(len(every))
    more[at] = weights
    np.maximum.at(more, np.searchsorted(every, like.string[some]), counts[some])
    return every, more, at[place]


def _posterior(
    chance: Floats, counts: Floats, otherwise: Floats, is_itself: npt.NDArray[np.bool_], unseen: float
) -> Floats:
    """P(word | string); the word as it is written is the word, and is expected ``unseen`` times more."""
    expected = float(counts[is_itself].sum()) + unseen
    weights = np.zeros(len(chance))
    for _ in range(ROUNDS):
        weights = chance * expected / (chance * expected + otherwise + 1e-300)
        weights[is_itself] = 1.0
        expected = float((weights * counts).sum()) + unseen
    return weights


def _of_digits(reading: Reading, strings: Integers) -> npt.NDArray[np.bool_]:
    some = reading.vocabulary.part(strings)
    digits = some.marks("".join(c for c in some.alphabet if c.isnumeric()))
    return some.all_of(digits)


def _joined(reading: Reading, word: str, strings: Integers, kinds: Integers) -> Floats:
    """P(string | word) of strings that begin or end with the word, from the frequency of what is left over."""
    chances, frequent = np.zeros(len(strings)), reading.frequent
    for k, (text, kind) in enumerate(zip(reading.names(strings), kinds.tolist(), strict=True)):
        rest = text[len(word) :] if kind == BEGINS else text[: -len(word)]
        chances[k] = JOINED * frequent.get(rest, 0.0)
    return chances
