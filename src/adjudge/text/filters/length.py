"""Tokens by their length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...core.spec import MOST, is_count, require
from ..token_filter import Filter, Image


@dataclass(frozen=True)
class LengthFilter(Filter):
    """Drops tokens that are too short or too long.

    Formula: a token stays if min ≤ its number of characters ≤ max.

    Parameters: ``min`` (1) and ``max`` (1000000000, which is no limit).

    Example: length(min=2, max=5): ``a list of numbers`` → ``list of`` at places 1 and 2.
    """

    name: ClassVar[str] = "length"

    min: int = 1
    max: int = MOST

    def __post_init__(self) -> None:
        require(self, "min", is_count(self.min), "be a whole number, 1 or more")
        require(self, "max", is_count(self.max) and self.max >= self.min, f"be a whole number, {self.min} or more")

    def __call__(self, types: Sequence[str]) -> Sequence[Image]:
        return [word if self.min <= len(word) <= self.max else None for word in types]
