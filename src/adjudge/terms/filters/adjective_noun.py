"""Adjectives and nouns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...core.spec import require
from ..linguistic_filter import LinguisticFilter

READINGS = {"mixed": ("[AN]+N", ("220", "320", "320*")), "ordered": ("A*N+", ("320", "320", "300*"))}


@dataclass(frozen=True)
class AdjectiveNoun(LinguisticFilter):
    """Adjectives and nouns that end in a noun.

    Formula: (A|N)⁺N, or A*N⁺.

    Parameters: ``reading``, mixed for the first, as the paper of 2000 has it, or ordered for the second, which notes on
    the paper of 1998 print: no adjective after a noun (mixed).

    Paper: Frantzi, Ananiadou, Mima, Automatic recognition of multi-word terms: the C-value/NC-value method (2000).

    Example: "smooth riemannian manifold" (A A N) passes, and "riemannian manifold" in it; so does "dimension free
    bound" (N A N), but not in the ordered reading.
    """

    name: ClassVar[str] = "adjective_noun"
    positional: ClassVar[str] = "reading"

    reading: str = "mixed"

    def __post_init__(self) -> None:
        require(self, "reading", self.reading in READINGS, "be mixed or ordered")

    @property
    def pattern(self) -> str:
        return READINGS[self.reading][0]

    @property
    def automaton(self) -> tuple[str, ...]:
        return READINGS[self.reading][1]
