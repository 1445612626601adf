"""What measures of matched spans share: a passage is relevant if it matches a span that no passage above matches."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..core.judged import Ints, ordinal
from ..core.span_judgments import JudgedSpans, SpanMeasure

Matches = tuple[Ints, Ints, Ints, Ints]


@dataclass(frozen=True)
class MatchMeasure(SpanMeasure):
    """A measure of passages that match relevant spans.

    ``iou``: the least intersection over union, in characters, of a passage and the span that it matches (0.5); with 0
    one common character is enough.
    """

    iou: float = field(default=0.5, kw_only=True)

    def hits(self, judged: JudgedSpans) -> Matches:
        """Topic, rank and grade of every match, and whether it is the first, the second … of its topic."""
        topic, rank, grade = judged.matches(self.level(judged), float(self.iou))
        return topic, rank, grade, ordinal(topic, len(judged.topics))
