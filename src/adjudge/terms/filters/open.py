"""Adjectives and nouns, and a preposition between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...core.spec import require
from ..linguistic_filter import LinguisticFilter


@dataclass(frozen=True)
class Open(LinguisticFilter):
    """Adjectives and nouns that end in a noun, with at most one preposition between: the open filter.

    Formula: ((A|N)⁺ | (A|N)* (N P)? (A|N)*) N.

    Parameters: ``prepositions``, the words that count as P; "of" alone, since taggers give the same tag to that, if and
    because ([of]).

    Paper: Frantzi, Ananiadou, Mima, Automatic recognition of multi-word terms: the C-value/NC-value method (2000); "set
    of vectors" is an example of Stathopoulos and Teufel (ACL 2015).

    Example: "compact set of vectors" (A N P N) passes, and so do "compact set" and "set of vectors" in it.
    """

    name: ClassVar[str] = "open"
    states: ClassVar[tuple[str, ...]] = ("320", "320", "324*", "650", "650", "650*")

    prepositions: tuple[str, ...] = ("of",)

    def __post_init__(self) -> None:
        fine = isinstance(self.prepositions, tuple) and all(isinstance(w, str) and w for w in self.prepositions)
        require(self, "prepositions", fine and bool(self.prepositions), "be a list of words as in [of, in]")

    @property
    def pattern(self) -> str:
        return "(?:[AN]+|[AN]*(?:NP)?[AN]*)N"

    @property
    def words(self) -> frozenset[str]:
        return frozenset(self.prepositions)
