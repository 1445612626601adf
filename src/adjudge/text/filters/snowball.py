"""Stems of the Snowball project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...core.errors import SpecError, did_you_mean
from ..stemming import languages, stems_of
from ..token_filter import Filter


@dataclass(frozen=True)
class SnowballFilter(Filter):
    """The stem of a word by the Snowball project's algorithm for a language; English is known as Porter 2.

    Formula: the algorithm of that name in Snowball, in lower case: put ``lower`` before.

    Parameters: ``language``, as Snowball names it (english).

    Paper: Porter, Snowball: a language for stemming algorithms (2001).

    Example: ``generously`` → ``generous``, where ``porter`` gives ``gener``.
    """

    name: ClassVar[str] = "snowball"
    positional: ClassVar[str] = "language"
    always: ClassVar[tuple[str, ...]] = ("language",)

    language: str = "english"

    def __post_init__(self) -> None:
        if self.language not in languages():
            raise SpecError(f"snowball: no language {self.language!r}{did_you_mean(str(self.language), languages())}")

    def __call__(self, types: Sequence[str]) -> Sequence[str]:
        return stems_of(types, self.language)
