from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, ratio
from ..core.span_judgments import JudgedSpans
from ..core.spec import is_number, require
from ._characters import CharacterMeasure


@dataclass(frozen=True)
class CharF(CharacterMeasure):
    """F of characters: the weighted harmonic mean of char_p and char_recall.

    Formula: (1 + β²) · P · R / (β² · P + R), P = char_p, R = char_recall.

    Parameters: ``k`` the number of passages, ``chars`` that of characters; without them the whole list. ``repeats`` as
    in char_p (false). ``beta`` above 0 (1), how much more recall counts than precision.

    No value: a topic where both are 0 gives 0.

    Paper: van Rijsbergen, Information Retrieval (1979); Allan, HARD Track overview in TREC 2004.

    Example: the span 10-30 is relevant, the passage 20-60 is retrieved: P = 1/4, R = 1/2, F = 0.3333.
    """

    name: ClassVar[str] = "char_f"

    beta: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "beta", is_number(self.beta) and 0 < self.beta <= 1e6, "lie above 0, up to 1e6")

    def values(self, judged: JudgedSpans) -> Floats:
        counts = self.counts(judged)
        precision, recall = ratio(counts.found, counts.retrieved), ratio(counts.found, counts.relevant)
        square = float(self.beta) ** 2
        return ratio((1 + square) * precision * recall, square * precision + recall)
