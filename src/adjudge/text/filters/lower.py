"""Lower case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..token_filter import Filter


@dataclass(frozen=True)
class LowerFilter(Filter):
    """Lower case, character by character, as Lucene's LowerCaseFilter does.

    Formula: each character becomes its one lower-case character, whatever stands around it: a capital sigma at the end
    of a word gives σ and not ς, İ gives i.

    Example: ``Calabi-YAU ΛΟΓΟΣ`` → ``calabi-yau λογοσ``.
    """

    name: ClassVar[str] = "lower"
    ascii: ClassVar[str] = "lower"
    aliases: ClassVar[tuple[str, ...]] = ("lowercase",)

    def __call__(self, types: Sequence[str]) -> Sequence[str]:
        return [word.lower() if word.isascii() else _lower(word) for word in types]


def _lower(word: str) -> str:
    # İ is the one character whose lower case has two, i and a dot above.
    return "".join([character.lower()[:1] for character in word])
