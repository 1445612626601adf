"""Which observed strings stand for a word of a question, and how surely.

A word that somebody asks for is a true word: where the lexicon, which knows the text only, has taken one of its
corruptions for a word of its own, that is put right here. Words with the same stem are sought together.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....text.stemming import stemmed
from .calibration import capitalised
from .lexicon import PLAIN, SIGNS
from .reading import Reading
from .tables import reach

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

LEAST, ENDED = 1e-5, 1e-3
"""P(string | word) below which no string is looked at, for a word that is asked for and for what endings make of it."""
KEPT = 2000.0
"""Occurrences from which on a word of the lexicon has all its corruptions there."""
RARE, SHORTEST = 50.0, 4
"""Occurrences of a family of words up to which other endings are tried, and characters to which they are put."""
RIVAL = 0.005
"""P(string | word) from which on a word of the lexicon may be nothing but a corruption of the word."""
RIVALS = 25
OVER = 0.3
"""The share of a rival's count that the word explains, from which on the rival is no word."""
ONCE = 0.5
"""A word that is asked for is expected at least so often."""
FASTER = 1.5
ENDINGS = (
    *("", "s", "es", "ed", "er", "ers", "ing", "ings", "ion", "ions", "ive", "ly", "al", "y", "ies", "e", "ity"),
    *("ent", "ents", "ency", "ant", "ance", "ence", "ment", "ments", "able", "ation", "ations", "or", "ors"),
    *("ize", "ized", "izes", "izing", "ism", "ist", "ists"),
)


class Forms(NamedTuple):
    """Strings by their places in the vocabulary, the probability that each stands for the word, and for which."""

    strings: Integers
    weights: Floats
    members: list[str]
    """True words with the stem of the word."""
    member: Integers
    """For each string the member that explains it best."""
    expected: Floats
    """How often each member was written, by expectation."""


def forms_of(reading: Reading, word: str) -> Forms:
    """The strings that stand for a word in lower case or for one with the same stem."""
    if not word.isalpha():
        return _exact(reading, word)
    members, known, numbers = _members(reading, word)
    asked, lexicon = members.index(word), reading.lexicon
    column, row, chance = _corruptions(reading, members, numbers, asked)
    exact = _written(reading, word)
    strings, place = np.unique(np.concatenate([row, exact]), return_inverse=True)
    place = place[: len(row)]
    if not len(strings):
        return Forms(strings, np.zeros(0), members, strings, known)
    rivals = _rivals(reading, members, row, chance)
    others = lexicon.explained[strings].astype(np.float64)
    others -= np.bincount(place, chance * known[column], minlength=len(strings))
    if len(rivals):
        theirs, at, chances = lexicon.corruptions(rivals)
        found = np.minimum(np.searchsorted(strings, at), len(strings) - 1)
        same = strings[found] == at
        column = np.concatenate([column, theirs[same] + len(members)])
        place, chance = np.concatenate([place, found[same]]), np.concatenate([chance, chances[same]])
        shares = chances[same] * lexicon.expected[rivals][theirs[same]]
        others -= np.bincount(found[same], shares, minlength=len(strings))
    itself = np.where(reading.plain[strings], PLAIN, SIGNS)
    own = np.maximum(others, 0.0) + itself
    mixture = _Mixture(place, column, chance, own, reading.counts[strings])
    start = np.concatenate([np.maximum(known, 0.01), lexicon.expected[rivals]])
    start[asked] = max(start[asked], ONCE, float((chance * mixture.counts[place])[column == asked].sum()))
    ours = column < len(members)
    if len(rivals):
        # If there were no rivals, would the members explain what looks like a word of its own?
        alone = np.where(np.arange(len(start)) < len(members), start, 0.0)
        alone = mixture.shared_out(alone, asked, 8)
        by_us = np.bincount(place[ours], (chance * alone[column])[ours], minlength=len(strings))
        at = np.searchsorted(strings, lexicon.places[rivals])
        true = np.array([int(strings[k]) in reading.common for k in at.tolist()])
        start[len(members) :][~true & (by_us[at] >= OVER * mixture.counts[at])] = 0.0
    expected = mixture.shared_out(start, asked, 12)
    shares = chance * expected[column]
    total = own + np.bincount(place, shares, minlength=len(strings))
    by_us = np.bincount(place[ours], shares[ours], minlength=len(strings)).astype(np.float64)  # whole if none is there
    by_us += np.where(np.isin(strings, exact), itself, 0.0)  # a string that stands for itself is what was asked for
    best = np.lexsort((shares[ours], place[ours]))
    member = np.full(len(strings), asked, np.int64)
    member[place[ours][best]] = column[ours][best]
    return Forms(strings, by_us / total, members, member, expected[: len(members)])


class _Mixture(NamedTuple):
    """Strings that words explain; see ``mixing.py``. A question has so few that nothing sparse is needed."""

    place: Integers
    column: Integers
    chance: Floats
    own: Floats
    counts: Floats

    def shared_out(self, start: Floats, asked: int, rounds: int) -> Floats:
        expected = start.copy()
        for done in range(rounds):
            shares = self.chance * expected[self.column]
            total = self.own + np.bincount(self.place, shares, minlength=len(self.own))
            step = np.bincount(self.column, self.chance * (self.counts / total)[self.place], minlength=len(expected))
            expected = expected * step ** (FASTER if done < rounds - 2 else 1.0)
            expected[asked] = max(float(expected[asked]), ONCE)
        return expected


def _exact(reading: Reading, word: str) -> Forms:
    """Numbers and the like, of whose errors nothing was learned, stand for themselves."""
    place = reading.place(word)
    strings = np.array([place] if place >= 0 else [], np.int64)
    counts = reading.counts[strings]
    return Forms(strings, np.ones(len(strings)), [word], np.zeros(len(strings), np.int64), counts)


def _written(reading: Reading, word: str) -> Integers:
    """The places of all strings of letters that have the stem of a word as they are written."""
    stem = stemmed([word], "porter")[0]
    shared = next((k for k, (a, b) in enumerate(zip(word, stem, strict=False)) if a != b), min(len(word), len(stem)))
    places = np.arange(*reading.vocabulary.beginning(reading.tables.coded(word[:shared])))
    places = places[reading.plain[places]]
    texts = reading.vocabulary.texts(places)
    same = [text == word or other == stem for text, other in zip(texts, stemmed(texts, "porter"), strict=True)]
    return places[np.array(same, np.bool_)]


def _members(reading: Reading, word: str) -> tuple[list[str], Floats, Integers]:
    """Words with the same stem, their expected numbers, and their numbers in the lexicon, -1 if it lacks one.

    Beside those of the lexicon there is the word itself, and, if these are rare together, what endings make of it: the
    lexicon has all forms of a frequent word.
    """
    stem = stemmed([word], "porter")[0]
    found = {reading.words[number]: number for number in reading.families.get(stem, [])}
    found.setdefault(word, -1)
    if reading.lexicon.expected[[n for n in found.values() if n >= 0]].sum() < RARE:
        shortened = (word[: len(word) - len(ending)] for ending in ENDINGS if word.endswith(ending))
        made = sorted({base + ending for base in shortened if len(base) >= SHORTEST for ending in ENDINGS} - set(found))
        same = zip(made, stemmed(made, "porter"), strict=True)
        found |= {new: -1 for new, other in same if other == stem}
    numbers = np.array(list(found.values()), np.int64)
    expected = np.zeros(len(numbers))
    expected[numbers >= 0] = reading.lexicon.expected[numbers[numbers >= 0]]
    return list(found), expected, numbers


def _corruptions(
    reading: Reading, members: list[str], numbers: Integers, asked: int
) -> tuple[Integers, Integers, Floats]:
    """Which member, which string, P(string | member): kept for words of the lexicon, looked for now for others.

    The word that is asked for is looked for too if it is so rare that its rarest corruptions were not kept.
    """
    here = numbers < 0
    if not here[asked]:
        here[asked] = reading.lexicon.expected[numbers[asked]] < KEPT
    known, new = np.flatnonzero(~here), np.flatnonzero(here)
    column, row, chance = reading.lexicon.corruptions(numbers[known])
    least = np.where(new == asked, LEAST, ENDED)
    words = [capitalised(members[k]) for k in new.tolist()]
    more = reach(reading.tables, reading.vocabulary, words, least) if words else (new, new, np.zeros(0))
    return (
        np.concatenate([known[column], new[more[0]]]),
        np.concatenate([row, more[1]]),
        np.concatenate([chance, more[2]]),
    )


def _rivals(reading: Reading, members: list[str], row: Integers, chance: Floats) -> Integers:
    """Words of the lexicon that may be corruptions of the members, by their numbers."""
    places = reading.lexicon.places
    if not len(places):
        return np.zeros(0, np.int64)
    near = row[chance >= RIVAL]
    at = np.minimum(np.searchsorted(places, near), len(places) - 1)
    best: dict[int, float] = {}
    for number, probability in zip(
        at[places[at] == near].tolist(), chance[chance >= RIVAL][places[at] == near].tolist(), strict=True
    ):
        best[number] = max(best.get(number, 0.0), probability)
    ours = set(members)
    sure = sorted((n for n in best if reading.words[n] not in ours), key=lambda n: (-best[n], n))
    return np.array(sorted(sure[:RIVALS]), np.int64)
