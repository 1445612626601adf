from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, Ints, ratio
from ..core.span_judgments import JudgedSpans, SpanMeasure
from ._characters import harmonic


@dataclass(frozen=True)
class CharAP(SpanMeasure):
    """Average precision of characters: AP as if every character of the passages were a document of the ranking.

    Formula: 1/R Σ_i i / r_i, R characters lie in relevant spans and the i-th of them that is read is the r_i-th
    character; passages are read in order of rank, each from its beginning, and a character that was read is passed over
    when it comes again.

    Parameters: ``chars``: the number of characters that are read; without it all.

    No value: a topic without a relevant span gives 0.

    Paper: Hersh, Cohen, Ruslen & Roberts, TREC 2007 Genomics Track overview (Passage2 MAP), in which characters that
    come again are not provided for.

    Example: the span 1-3 is relevant, the passage 0-2 is retrieved: the second character read is relevant, and one of
    two is not read: (1/2) / 2 = 0.25.
    """

    name: ClassVar[str] = "char_ap"

    chars: int | None = None

    def values(self, judged: JudgedSpans) -> Floats:
        level = self.level(judged)
        read = judged.stretches(level)
        before, hits = (_before(read.topic, column) for column in (read.length, read.length * read.relevant))
        here, start, count = read.relevant, before[read.relevant], read.length[read.relevant]
        # Σ (hits + i) / (start + i) over i = 1 … count
        value = count - (start - hits[here]) * (harmonic(start + count) - harmonic(start))
        return ratio(judged.plain.sum(read.topic[here], value), judged.num_relevant(level))


def _before(topic: Ints, lengths: Ints) -> Ints:
    """What the stretches of a topic before each one add up to."""
    before = np.cumsum(lengths) - lengths
    return np.asarray(before - before[np.searchsorted(topic, topic, "left")]) if len(topic) else before
