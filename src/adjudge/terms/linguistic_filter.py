"""What a linguistic filter is: a pattern of parts of speech that the words of a candidate term must match.

Patterns are written over N (noun), A (adjective) and P (preposition). ``table`` is the same as an automaton, which is
run from every token at once: row s has the state after s for a token that is none of these, N, A and P.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..core.registry import Registry
from ..core.spec import Component
from ..text.tagging.tagger import Tag

OTHER, N, A, P = 0, 1, 2, 3
LETTERS = "xNAP"
CODES = np.zeros(len(Tag), np.uint8)
CODES[[Tag.N, Tag.A, Tag.P]] = N, A, P

Integers = npt.NDArray[Any]


class LinguisticFilter(Component, ABC):
    """A pattern over parts of speech."""

    states: ClassVar[tuple[str, ...]]
    """For each state after the first: where N, A and P lead from it, a digit each, 0 for nowhere; * if it accepts."""

    @property
    @abstractmethod
    def pattern(self) -> str:
        """The pattern as a regular expression over the letters N, A and P."""

    @property
    def automaton(self) -> tuple[str, ...]:
        """The states, of which the first is where it begins."""
        return self.states

    @property
    def words(self) -> frozenset[str]:
        """The prepositions that count as P."""
        return frozenset()

    @cached_property
    def table(self) -> tuple[Integers, Integers]:
        """The next state by state and kind of token, and which states accept; state 0 is the end of all hope."""
        rows = self.automaton
        following = np.zeros((len(rows) + 1, 4), np.uint8)
        accepts = np.zeros(len(rows) + 1, bool)
        for state, row in enumerate(rows, 1):
            following[state, 1:] = [int(digit) for digit in row[:3]]
            accepts[state] = row.endswith("*")
        return following, accepts


linguistic_filters: Registry[LinguisticFilter] = Registry(
    "filter", "adjudge.terms.filters", LinguisticFilter, "linguistic-filters"
)
