"""Which of its classes a word has where it stands: rules on the word before, already decided, and on the word after.

The rules are written once, in :func:`decide`. They are turned into a table for the words at hand, and the walk from
token to token (``tagging.c``, or :func:`walk_in_python`) does nothing but look things up in it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.kernel import native
from .breaks import PHRASE, SENTENCE
from .capitals import in_capitals
from .classes import BITS, TAGS, Class
from .tagger import Breaks, Tags

compiled: Any = native("tagging")

N, A, BASE, PRESENT, PAST, ING, P, R = range(8)
D, M, MODAL, BE, HAVE, TO, THAT, PRONOUN, AND, POSSESSIVE, OTHER, BREAK, START, PLURAL = range(8, 22)

EITHER = 22
"""A word after that mostly is a verb and can be a noun."""
BEFORE, AFTER = PLURAL + 1, EITHER + 1

Profiles = npt.NDArray[np.int64]


def after_of(profile: int) -> int:
    """What the rules see of a word that comes after."""
    best = profile & 31
    verb = best in {BASE, PRESENT}
    return N if best == PLURAL else EITHER if verb and profile >> BITS & 1 << N else best


def decide(profile: int, before: int, after: int, participles: bool) -> int:
    """The class of a word between a word of class ``before`` and another; adverbs are looked through on the left.

    1. Verb or noun. A verb after ``to``, a modal or a pronoun; a noun after a determiner, an adjective, a possessive, a
       number or a preposition. After a singular noun no base form is a verb, after a plural no third person. Between a
       noun that agrees with it and a determiner, pronoun or ``that`` a verb; after a plural also before a noun, an
       adjective or a number (``trees store keys``). At the beginning of a sentence a verb before a determiner
       (``Set the``), a noun before a noun (``Set theory``).
    2. Past participles are adjectives between what can begin a noun phrase and a noun or adjective (``of bounded
       variation``), unless ``participles`` is off. Words that mostly are adjectives are participles after ``have``, and
       between a noun and a preposition (``sequence bounded by``).
    3. Words in -ing are adjectives between a determiner, adjective or possessive and a noun or adjective, nouns between
       these and something else (``the meaning of``) and between a noun and an auxiliary, verbs before a determiner.
    4. Adjective or noun: a noun where a determiner, adjective, possessive or noun goes before and neither noun nor
       adjective follows (``the integral of``).
    5. Adverb or adjective: an adjective between a determiner, adjective or preposition and a noun (``an even number``).
    """
    best, can = profile & 31, profile >> BITS
    if best == PLURAL:
        return _plural(can, before, after)
    if best > R:
        return best
    nominal = before in {D, A, POSSESSIVE, M}
    to_noun = after in {N, A, EITHER}
    if before in {TO, MODAL} and can & 1 << BASE and best != R:
        return BASE
    if best in {BASE, PRESENT}:
        disagrees = before == (N if best == BASE else PLURAL) and after not in {D, PRONOUN, THAT}
        heads = before == START and after in {N, EITHER}
        if can & 1 << N and (nominal or before == P or disagrees or heads):
            return N if best == BASE else PLURAL
        if can & 1 << A and to_noun and (nominal or before == P):
            return A
        return N if best == BASE and nominal and before != M else best
    if best == N and can & 1 << BASE:
        subject = before == PRONOUN or (before == PLURAL and (to_noun or after in {D, PRONOUN, THAT, M}))
        if subject or (before in {N, START} and after in {D, PRONOUN, THAT}):
            return BASE
    if best == PAST:
        # After a comma a verb is as likely (, said Smith), so the word must be known as an adjective too.
        opens = nominal or before in {P, AND, START, BASE, PRESENT} or (before == BREAK and can & 1 << A)
        if to_noun and opens and (participles or can & 1 << A):
            return A
        return N if can & 1 << N and nominal else PAST
    if best == A and can & 1 << PAST and (before == HAVE or (before in {N, PLURAL} and after == P)):
        return PAST
    if best == ING or (can & 1 << ING and best in {N, A}):
        return _ing(best, can, before, after, participles)
    if best == A and can & 1 << N and (nominal or before in {N, PLURAL}):
        stays = to_noun or after in {ING, PAST, BASE, M} or (after == AND and nominal)
        return A if stays else N
    if best == R and can & 1 << A and after == N and (nominal or before == P):
        return A
    return best


def _plural(can: int, before: int, after: int) -> int:
    """A word that mostly is a noun in the plural, and may be the third person of a verb."""
    subject = before == PRONOUN or (before == N and after in {D, PRONOUN, THAT})
    return PRESENT if can & 1 << PRESENT and subject else PLURAL


def _ing(best: int, can: int, before: int, after: int, participles: bool) -> int:
    """A word that is or may be a participle in -ing."""
    if before in {D, A, POSSESSIVE, M}:
        if after not in {N, A, EITHER}:
            return N
        return best if best != ING else A if participles or can & 1 << A else N if can & 1 << N else ING
    if before == N and after in {BE, MODAL, HAVE}:
        return N
    return ING if after in {D, PRONOUN} else best


def table_of(profiles: list[int], participles: bool) -> npt.NDArray[np.uint8]:
    """The decisions for some profiles, by profile, class before and class after."""
    rows = [
        [[decide(each, before, after, participles) for after in range(AFTER)] for before in range(BEFORE)]
        for each in profiles
    ]
    return np.array(rows, np.uint8).reshape(len(profiles), BEFORE, AFTER)


class DecisionTable:
    """The table of all profiles that have been met; profiles are known by their rows in it."""

    def __init__(self, participles: bool) -> None:
        self.participles = participles
        self.numbers: dict[int, int] = {}
        self.table = table_of([], participles)
        self.after = np.zeros(0, np.uint8)

    def rows_of(self, profiles: list[int]) -> list[int]:
        """The row of each profile, rows made for new ones."""
        fresh = [each for each in dict.fromkeys(profiles) if each not in self.numbers]
        if fresh:
            first = len(self.numbers)
            table = np.concatenate([self.table, table_of(fresh, self.participles)])
            after = np.concatenate([self.after, np.array([after_of(each) for each in fresh], np.uint8)])
            # The table first: another thread that sees the numbers must find their rows.
            self.table, self.after = table, after
            self.numbers.update({each: first + i for i, each in enumerate(fresh)})
        return [self.numbers[each] for each in profiles]


def walk(
    ids: npt.NDArray[np.int32], rows: npt.NDArray[np.uint16], shapes: Tags, breaks: Breaks, rules: DecisionTable
) -> Tags:
    """The tag of each token.

    ``rows`` has a row a type: the number of its profile inside a sentence, at its beginning, and in a sentence in
    capitals; ``shapes`` is 1 for types that are words, 2 for words in capitals, 0 for the rest.
    """
    out = np.empty(len(ids), np.uint8)
    tags = np.array(TAGS, np.uint8)
    if compiled is None:
        walk_in_python(ids, rows, shapes, breaks, rules, tags, out)
    else:
        compiled.walk(
            np.ascontiguousarray(ids, np.int32),
            rows,
            shapes,
            np.ascontiguousarray(breaks),
            rules.table,
            rules.after,
            tags,
            out,
        )
    return out


def walk_in_python(
    ids: npt.NDArray[np.int32],
    rows: npt.NDArray[np.uint16],
    shapes: Tags,
    breaks: Breaks,
    rules: DecisionTable,
    tags: Tags,
    out: Tags,
) -> None:
    """The same in Python; the definition."""
    decisions, afters, tag_of = rules.table, rules.after.tolist(), tags.tolist()
    loud = in_capitals(ids, shapes, breaks)
    bounds = [*np.flatnonzero(breaks == SENTENCE).tolist(), len(ids)]
    bounds = bounds if not bounds[0] else [0, *bounds]
    for first, last in pairwise(bounds):
        some = ids[first:last]
        column = np.where(loud[first:last], 2, 0)
        if not loud[first]:
            column[0] = 1
        own = rows[some, column].tolist()
        breaking = (breaks[first:last] == PHRASE).tolist()
        before = START
        for place, row in enumerate(own):
            if place and breaking[place]:
                before = BREAK
            nothing = START if place + 1 == len(own) else BREAK if breaking[place + 1] else -1
            after = nothing if nothing >= 0 else afters[own[place + 1]]
            decision = int(decisions[row, before, after])
            out[first + place] = tag_of[decision]
            # An adverb between a determiner and a participle changes nothing: an almost contracted flow.
            before = before if decision == Class.ADVERB else decision
