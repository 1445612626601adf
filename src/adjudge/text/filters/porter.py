"""Porter's stems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..stemming import stems_of
from ..token_filter import Filter


@dataclass(frozen=True)
class PorterFilter(Filter):
    """The stem of an English word by Porter's algorithm.

    Formula: the five steps of the paper, as the Snowball project wrote them. The algorithm knows lower case only: put
    ``lower`` before.

    Paper: Porter, An algorithm for suffix stripping (Program 14(3), 1980).

    Example: ``relational connections happy`` → ``relat connect happi``.
    """

    name: ClassVar[str] = "porter"

    def __call__(self, types: Sequence[str]) -> Sequence[str]:
        return stems_of(types, "porter")
