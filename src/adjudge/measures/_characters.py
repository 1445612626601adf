"""What measures of characters share: how many were retrieved, how many of them are relevant, how many there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..core.judged import Floats, Ints
from ..core.span_judgments import JudgedSpans, SpanMeasure
from ..core.spec import require


class CharacterCounts(NamedTuple):
    """Characters of each topic."""

    retrieved: Floats
    found: Floats
    """Relevant ones that were retrieved, each counted once."""
    relevant: Floats


@dataclass(frozen=True)
class CharacterMeasure(SpanMeasure):
    """A measure of the characters in the first passages, whatever their order.

    ``k``: the number of passages; without it all. ``chars``: the number of characters that are read, passage after
    passage, the last one perhaps in part; without it all. ``repeats``: whether a character counts again among those
    retrieved when a second passage has it (false).
    """

    k: int | None = None
    chars: int | None = None
    repeats: bool = False

    positional: ClassVar[str] = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "repeats", isinstance(self.repeats, bool), "be true or false")

    def counts(self, judged: JudgedSpans) -> CharacterCounts:
        """The characters that the measure asks for."""
        level = self.level(judged)
        read = judged.stretches(level)
        lengths = read.length.astype(float)
        found = judged.plain.sum(read.topic[read.relevant], lengths[read.relevant])
        once = judged.plain.sum(read.topic, lengths)
        return CharacterCounts(judged.retrieved() if self.repeats else once, found, judged.num_relevant(level))


def harmonic(n: Ints) -> Floats:
    """1 + 1/2 + … + 1/n to the last bits: from a table, and above it by Euler's series."""
    large = np.maximum(n, _TABLE).astype(float)
    series = np.log(large) + np.euler_gamma + 1 / (2 * large) - 1 / (12 * large**2) + 1 / (120 * large**4)
    return np.where(n < _TABLE, _FIRST[np.minimum(n, _TABLE - 1)], series)


_TABLE = 1024
_FIRST = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, _TABLE))])
