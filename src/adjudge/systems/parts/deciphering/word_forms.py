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

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....core.kernel import native
from ....text.splitting import offsets_of
from ....text.stemming import stems_of
from ....text.stopwords import words_of
from . import slow_adding, slow_deciphering
from .counting import edged
from .likeness import ALIKE, BEGINS, near_lists
from .reach_walk import reached_lists
from .reading import Reading

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

LEAST = 2e-6
"""P(string | word) below which no string is looked at."""
DEEP, DEEPEST, MANY = 9, 2e-8, 1e6
"""Words of so many characters or more are looked for deeper, down to the second figure in a small text, and no deeper
than others where there are so many different strings: to look deeper takes the longer, the more there are."""
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
SOME = 0.02
"""What a string that shares all grams with the word must count, if any are looked for by their grams alone."""
SAME_STEM = 0.3
"""What a string counts that has the stem of the word and is not it."""

Spelling = tuple[tuple[str, str], ...]
"""Strings of characters in a question, and what stands for them in the text."""
VARIANTS = 8
"""Spellings of a word that are tried, itself among them."""

BY_EDITS = EDITS * EDIT ** np.arange(ALIKE)
"""P(string | word) for so many edits."""
FORMS = (np.int32, np.float64, np.int32, np.int64)
"""What the loop gives: strings, weights, members, and how many strings each word has."""

compiled: Any = native("adding")
loops: Any = compiled or slow_adding
compiled_forms: Any = native("forms")
loops_of_forms: Any = compiled_forms or slow_deciphering
"""The loop over what was found for words."""


@dataclass(frozen=True)
class Asking:
    """How strings are found for a word."""

    least: float = 0.001
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
    near: bool = True
    """Whether it counts how near to each other words stand."""
    company: bool = True
    """Whether a doubtful word counts for more near the other words of the question."""
    common: bool = True
    """Whether common words count where the others stand."""
    closer: bool = True
    """Whether strings near the other words of the question count however badly they were read."""
    spelling: Spelling = ()
    """What may be written in another way in the text than in questions."""
    stop: frozenset[str] = words_of("smart")
    """The common words."""


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


def family_of(reading: Reading, words: Sequence[str], asking: Asking) -> list[dict[int, str]]:
    """For each word in lower case the strings that are it, or have its stem, as they are written, by their places."""
    if asking.stems:
        return reading.stems.having(stems_of(words, "porter"), reading.names)
    places = reading.places(words)
    return [{place: word} if place >= 0 else {} for place, word in zip(places, words, strict=True)]


def exact_forms(reading: Reading, words: Sequence[str], asking: Asking) -> list[Forms]:
    """The strings that are words in lower case, or have their stems, and nothing else."""
    made = []
    for members in family_of(reading, words, asking):
        strings, ones = np.array(list(members), np.int32), np.ones(len(members))
        made.append(Forms(strings, ones, ones, list(members.values()), np.arange(len(members))))
    return made


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


class FoundStrings(NamedTuple):
    """Strings that may have become of words, one word after the other: those like it, and those of the channel.

    Those of word w are from ``bounds[w]`` to ``bounds[w + 1]``; kinds and shared grams are those of ``likeness.py``.
    """

    strings: npt.NDArray[np.int32]
    kinds: npt.NDArray[np.uint8]
    shared: npt.NDArray[np.uint8]
    bounds: npt.NDArray[np.int64]
    reached: npt.NDArray[np.int32]
    chances: Floats
    reached_bounds: npt.NDArray[np.int64]


def found_strings(reading: Reading, words: Sequence[str], asking: Asking) -> FoundStrings:
    """The strings for some words, looked for together."""
    alike = np.array([HALF if some else 0.0 for some in _some_grams(reading, words, asking)])
    joined = np.array([asking.joined and len(word) >= SHORTEST for word in words])
    like = near_lists(reading.vocabulary, reading.grams, words, alike=alike, joined=joined)
    read = [word for word in words if asking.learned and word.isalpha()]
    if not read:
        nothing = np.zeros(0, np.int32), np.zeros(0), np.zeros(len(words) + 1, np.int64)
        return FoundStrings(*like[:3], offsets_of(like[3]), *nothing)
    least = least_of(reading, np.array([len(word) for word in read]))
    strings, chances, counts = reached_lists(reading.tables, reading.vocabulary, [edged(word) for word in read], least)
    if len(read) < len(words):
        every = np.zeros(len(words), np.int64)
        every[[asking.learned and word.isalpha() for word in words]] = counts
        counts = every
    return FoundStrings(*like[:3], offsets_of(like[3]), strings, chances, offsets_of(counts))


def least_of(reading: Reading, lengths: Integers) -> Floats:
    """P(string | word) below which no string of this text is looked at, for words of some lengths."""
    deep = min(max(LEAST * (len(reading.vocabulary) / MANY) ** 2, DEEPEST), LEAST)
    return np.where(lengths >= DEEP, deep, LEAST)


def _some_grams(reading: Reading, words: Sequence[str], asking: Asking) -> list[bool]:
    """Whether strings count that only share grams with each word; where little is wrong, none counts as much as is
    asked for."""
    counts = asking.grams and GRAMS * reading.wrong**2 >= max(asking.least, SOME)
    return [counts and len(word) >= LONG for word in words]


def _spellings(reading: Reading, word: str, asking: Asking) -> list[str]:
    """A word, and its other spellings that occur: one that nobody used explains nothing."""
    first, *others = spellings(word, asking.spelling)
    return [first, *(other for other in others if reading.place(other) >= 0)]


def forms_of(reading: Reading, words: Sequence[str], asking: Asking, least: float = 0.0) -> list[Forms]:
    """The strings that stand for words in lower case, in any of their spellings, those with the same stem among them.

    Those that stand for the word less surely than ``least`` are left out, but for those of its stem.
    """
    variants = [_spellings(reading, word, asking) for word in words]
    every = list(dict.fromkeys(spelled for each in variants for spelled in each))
    if not every:
        return []
    # Of two spellings the better one is chosen, so what one of several has is only left out after that.
    alone = {each[0] for each in variants if len(each) == 1} - {
        one for each in variants if len(each) > 1 for one in each
    }
    floors = np.array([least if word in alone else 0.0 for word in every])
    known = dict(zip(every, _weighed(reading, every, asking, floors), strict=True))
    made = []
    for first, *others in variants:
        forms = known[first]
        for other in others:
            forms = forms.joined(known[other])
        made.append(forms.select((forms.weights >= least) | (forms.exact > 0)) if others else forms)
    return made


def _weighed(reading: Reading, words: Sequence[str], asking: Asking, floors: Floats) -> list[Forms]:
    """The strings that stand for words as they are spelled."""
    found, families = found_strings(reading, words, asking), family_of(reading, words, asking)
    most = GRAMS * reading.wrong**2
    by_grams = np.array([most if some else 0.0 for some in _some_grams(reading, words, asking)])
    family = np.array([place for members in families for place in members], np.int32)
    raw = loops_of_forms.weigh(
        *(reading.vocabulary.letters, reading.vocabulary.offsets, reading.numerals, reading.often, reading.otherwise),
        *(*found[:4], _glued(reading, words, found), *found[4:]),
        *(family, offsets_of([len(members) for members in families])),
        *(np.array(reading.places(words), np.int64), np.array([len(word) for word in words], np.int64)),
        *(np.array([not word.isalpha() for word in words], np.uint8), by_grams, floors, BY_EDITS),
        *(ONCE / max(1 - reading.wrong, 0.1) ** 2, HALF, SAME_STEM, ROUNDS),
    )
    strings, weights, member, counts = (np.frombuffer(*column) for column in zip(raw, FORMS, strict=True))
    exact, bounds = (member >= 0).astype(np.float64), offsets_of(counts).tolist()
    member = np.maximum(member, 0)
    forms = []
    for word, members, (a, b) in zip(words, families, pairwise(bounds), strict=True):
        names = [word, *(text for text in members.values() if text != word)]
        forms.append(Forms(strings[a:b], weights[a:b], exact[a:b], names, member[a:b]))
    return forms


def _glued(reading: Reading, words: Sequence[str], found: FoundStrings) -> Floats:
    """P(string | word) of strings that begin or end with a word, from the frequency of what is left over."""
    chances, frequent = np.zeros(len(found.strings)), reading.frequent
    long = np.flatnonzero(found.kinds >= BEGINS)
    sizes = [len(words[k]) for k in (np.searchsorted(found.bounds, long, "right") - 1).tolist()]
    texts, kinds = reading.names(found.strings[long]), found.kinds[long].tolist()
    rests = [
        text[size:] if kind == BEGINS else text[:-size] for text, kind, size in zip(texts, kinds, sizes, strict=True)
    ]
    chances[long] = [JOINED * frequent.get(rest, 0.0) for rest in rests]
    return chances
