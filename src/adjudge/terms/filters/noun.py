"""Nouns only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..linguistic_filter import LinguisticFilter


@dataclass(frozen=True)
class Noun(LinguisticFilter):
    """Nouns one after the other: the closed filter, with the highest precision.

    Formula: N⁺N.

    Paper: Frantzi, Ananiadou, Mima, Automatic recognition of multi-word terms: the C-value/NC-value method (2000).

    Example: in "smooth function space" (A N N) it lets "function space" pass.
    """

    name: ClassVar[str] = "noun"
    states: ClassVar[tuple[str, ...]] = ("200", "300", "300*")

    @property
    def pattern(self) -> str:
        return "N+N"
