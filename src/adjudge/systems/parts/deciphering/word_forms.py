"""Which observed strings stand for a word of a question, and how surely.

A string stands for the word with P(word | string) = P(string | word) · N(word) / (P(string | word) · N(word) + what it
would be otherwise). P(string | word) is that of the learned channel and, for errors of which nothing was learned, that
of so many edits; N is how often the word was written, by expectation. Otherwise the string is a word that nobody knows,
or a word of its own if it occurs often, both the less the more of the text is wrong. A string that begins or ends with
the word is it, joined with a neighbour, as surely as what is left over is a frequent word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....core.kernel import native
from ....text.stemming import stems_of
from . import slow_deciphering
from .likeness import BEGINS, near
from .reach_walk import reach
from .reading import Reading
from .self_calibration import capitalise

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

LEAST = 2e-5
"""P(string | word) below which no string is looked at."""
EDIT, EDITS = 0.1 / 20 / 0.9, 0.3
"""P(string | word) for each edit of which nothing was learned, and the share of such errors."""
ONCE = 0.5
"""A word that is asked for is expected so often more than it is seen."""
UNKNOWN, ITSELF = 1.0, 0.1
"""The weight of unknown words in clean text; the share of a string's occurrences, but the first, that are its own."""
ROUNDS = 4
JOINED, SHORTEST = 0.01, 4
"""The share of words that are joined with a frequent neighbour, and characters of the word."""
SAME_STEM = 0.3
"""What a string counts that has the stem of the word and is not it."""

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
    """The strings that stand for a word in lower case, those with the same stem among them."""
    family, itself = exact_forms(reading, word, asking), reading.place(word)
    like = near(reading.vocabulary, reading.grams, [word])
    edits = like.kind < BEGINS - 1
    reached, chances = np.zeros(0, np.int64), np.zeros(0)
    if asking.learned and word.isalpha():
        _, reached, chances = reach(reading.tables, reading.vocabulary, [capitalise(word)], np.array([LEAST]))
    long = ~edits & (len(word) >= SHORTEST) if asking.joined else np.zeros(len(edits), np.bool_)
    parts = [like.string[edits], reached.astype(np.int64), like.string[long], family.strings]
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
    trust = (1 - reading.wrong) ** 3
    otherwise = trust * (UNKNOWN * reading.unknown[strings] + ITSELF * np.maximum(counts - 1, 0.0))
    is_itself = strings == itself
    weights = _posterior(chance, counts, otherwise, is_itself)
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


def _posterior(chance: Floats, counts: Floats, otherwise: Floats, is_itself: npt.NDArray[np.bool_]) -> Floats:
    """P(word | string); the word as it is written is the word."""
    expected = float(counts[is_itself].sum()) + ONCE
    weights = np.zeros(len(chance))
    for _ in range(ROUNDS):
        weights = chance * expected / (chance * expected + otherwise + 1e-300)
        weights[is_itself] = 1.0
        expected = float((weights * counts).sum()) + ONCE
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
