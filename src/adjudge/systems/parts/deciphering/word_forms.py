"""Which observed strings stand for a word of a question, and how surely.

A word that somebody asks for is a true word: where the lexicon, which knows the text only, has taken one of its
corruptions for a word of its own, that is put right here. Words with the same stem are sought together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....core.kernel import native
from ....text.stemming import stems_of
from . import slow_deciphering
from .reach_walk import reach
from .reading import Reading
from .self_calibration import capitalise
from .true_words import ITSELF

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

LEAST, ENDED = 1e-4, 3e-3
"""P(string | word) below which no string is looked at, for a word that is asked for and for what endings make of it."""
KEPT = 100.0
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
ENDINGS = ("", "s", "es", "ed", "ing", "e", "y", "ies", "er", "ers", "ion", "ions", "al", "ly", "ity")

compiled: Any = native("adding")
loops: Any = compiled or slow_deciphering


@dataclass(frozen=True)
class Asking:
    """How strings are found for a word."""

    least: float = 0.02
    """The probability below which a string does not count."""
    stems: bool = True
    """Whether words with the same stem are one."""
    rivals: bool = True
    """Whether words of the lexicon may turn out to be corruptions of the word."""
    others: bool = True
    """Whether a string counts less that other words explain."""
    endings: bool = True
    """Whether words are thought of that the text may have beside a rare one, with the same stem and other endings."""


class Forms(NamedTuple):
    """Strings by their places in the vocabulary, the probability that each stands for the word, and for which."""

    strings: Integers
    weights: Floats
    exact: Floats
    """1 for a string that is the word, or has its stem, as it is written, and 0 for others."""
    members: list[str]
    """True words with the stem of the word."""
    member: Integers
    """For each string the member that explains it best."""

    def select(self, some: npt.NDArray[np.bool_]) -> Forms:
        """Some of the strings."""
        return Forms(self.strings[some], self.weights[some], self.exact[some], self.members, self.member[some])


def exact_forms(reading: Reading, word: str, asking: Asking) -> Forms:
    """The strings that are a word in lower case, or have its stem, as they are written."""
    if asking.stems:
        members = reading.stems.having(stems_of([word], "porter")[0], reading.names)
    else:
        place = reading.place(word)
        members = {place: word} if place >= 0 else {}
    strings, ones = np.array(list(members), np.int64), np.ones(len(members))
    return Forms(strings, ones, ones, list(members.values()), np.arange(len(members)))


def forms_of(reading: Reading, word: str, asking: Asking) -> Forms:
    """The strings that stand for a word in lower case or for one with the same stem."""
    as_written = exact_forms(reading, word, asking)
    if not word.isalpha():
        return as_written  # of the errors in numbers and the like nothing was learned
    exact, lexicon = as_written.strings, reading.lexicon
    members, known, numbers = _members(reading, word, as_written, asking)
    asked = members.index(word)
    column, row, chance = _corruptions(reading, members, numbers, asked)
    strings, place = np.unique(np.concatenate([row, exact]), return_inverse=True)
    is_exact = np.zeros(len(strings))
    is_exact[place[len(row) :]] = 1.0
    place = place[: len(row)]
    if not len(strings):
        return Forms(strings, np.zeros(0), np.zeros(0), members, strings)
    rivals = _rivals(reading, numbers, row, chance) if asking.rivals and asking.others else np.zeros(0, np.int64)
    ours = len(row)
    counts = reading.counts_of(strings)
    others = np.zeros(len(strings))
    if asking.others:
        others += lexicon.explained[strings]
        others -= np.bincount(place, chance * known[column], minlength=len(strings))
    if len(rivals):
        theirs, at, chances = lexicon.corruptions(rivals)
        places = np.minimum(np.searchsorted(strings, at), len(strings) - 1)
        same = strings[places] == at
        theirs, places, chances = theirs[same], places[same], chances[same]
        column = np.concatenate([column, theirs + len(members)])
        place, chance = np.concatenate([place, places]), np.concatenate([chance, chances])
        others -= np.bincount(places, chances * lexicon.expected[rivals][theirs], minlength=len(strings))
    own = np.maximum(others, 0.0) + ITSELF
    mixture = _Mixture(place, column, chance, own, counts)
    start = np.concatenate([np.maximum(known, 0.01), lexicon.expected[rivals]])
    hers = (column == asked)[:ours]
    start[asked] = max(start[asked], ONCE, float((chance[:ours] * counts[place[:ours]])[hers].sum()))
    if len(rivals):
        # If there were no rivals, would the members explain what looks like a word of its own?
        alone = _Mixture(place[:ours], column[:ours], chance[:ours], own, counts)
        by_us = alone.explain(alone.share_out(start[: len(members)], asked, 8))
        at = np.searchsorted(strings, lexicon.places[rivals])
        true = np.array([text in reading.common for text in reading.vocabulary.texts(lexicon.places[rivals])])
        start[len(members) :][~true & (by_us[at] >= OVER * counts[at])] = 0.0
    expected = mixture.share_out(start, asked, 12)
    shares = chance * expected[column]
    total = own + np.bincount(place, shares, minlength=len(strings))
    # A string that stands for itself is what was asked for.
    by_us = np.bincount(place[:ours], shares[:ours], minlength=len(strings)) + ITSELF * is_exact
    best = np.lexsort((shares[:ours], place[:ours]))
    member = np.full(len(strings), asked, np.int64)
    member[place[:ours][best]] = column[:ours][best]
    return Forms(strings, by_us / total, is_exact, members, member)


class _Mixture(NamedTuple):
    """Strings that words explain; see ``self_calibration.py``. A question has so few that nothing sparse is needed."""

    place: Integers
    column: Integers
    chance: Floats
    own: Floats
    counts: Floats

    def explain(self, expected: Floats) -> Floats:
        shares = self.chance * expected[self.column]
        return np.bincount(self.place, shares, minlength=len(self.own)).astype(np.float64)

    def share_out(self, start: Floats, asked: int, rounds: int) -> Floats:
        expected = np.concatenate([start, start])  # and room for as many
        room = np.empty(len(self.own))
        loops.share(*self, expected, room, asked, rounds, FASTER, ONCE)
        return expected[: len(start)]


def _members(reading: Reading, word: str, as_written: Forms, asking: Asking) -> tuple[list[str], Floats, Integers]:
    """Words with the same stem, their expected numbers, and their numbers in the lexicon, -1 if it lacks one.

    Beside those of the lexicon there is the word itself, and, if these are rare together, what endings make of it: the
    lexicon has all forms of a frequent word.
    """
    stem = stems_of([word], "porter")[0]
    numbers = reading.lexicon.numbers(as_written.strings)
    members = {text: n for text, n in zip(as_written.members, numbers.tolist(), strict=True) if n >= 0}
    members.setdefault(word, -1)
    rare = asking.stems and asking.endings
    if rare and reading.lexicon.expected[[n for n in members.values() if n >= 0]].sum() < RARE:
        shortened = (word[: len(word) - len(ending)] for ending in ENDINGS if word.endswith(ending))
        candidates = sorted(
            {base + ending for base in shortened if len(base) >= SHORTEST for ending in ENDINGS} - set(members)
        )
        same = zip(candidates, stems_of(candidates, "porter"), strict=True)
        members |= {new: -1 for new, other in same if other == stem}
    numbers = np.array(list(members.values()), np.int64)
    expected = np.zeros(len(numbers))
    expected[numbers >= 0] = reading.lexicon.expected[numbers[numbers >= 0]]
    return list(members), expected, numbers


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
    words = [capitalise(members[k]) for k in new.tolist()]
    more = reach(reading.tables, reading.vocabulary, words, least) if words else (new, new, np.zeros(0))
    return (
        np.concatenate([known[column], new[more[0]]]),
        np.concatenate([row, more[1]]),
        np.concatenate([chance, more[2]]),
    )


def _rivals(reading: Reading, numbers: Integers, row: Integers, chance: Floats) -> Integers:
    """Words of the lexicon that may be corruptions of the members, which have these numbers, by their numbers."""
    likely = chance >= RIVAL
    at, chances = reading.lexicon.numbers(row[likely]), chance[likely]
    words = (at >= 0) & ~np.isin(at, numbers)
    at, chances = at[words], chances[words]
    order = np.lexsort((at, -chances))
    sure = list(dict.fromkeys(at[order].tolist()))
    return np.array(sorted(sure[:RIVALS]), np.int64)
