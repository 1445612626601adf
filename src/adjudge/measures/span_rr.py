from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats
from ..core.span_judgments import JudgedSpans
from ._matches import MatchMeasure


@dataclass(frozen=True)
class SpanRR(MatchMeasure):
    """Reciprocal rank of the first passage that matches a relevant span.

    Formula: 1 / (rank of the first match), matched as in span_p.

    Parameters: ``k``: passages ranked below it are dropped; without it none. ``iou`` from 0 to 1 (0.5); 0 takes any
    overlap.

    No value: a topic where no passage matches gives 0.

    Paper: Voorhees, The TREC-8 question answering track report (TREC 1999), for passages.

    Example: the span 10-30 is relevant, the passages 80-90 and 12-30 are retrieved: 1 / 2 = 0.5.
    """

    name: ClassVar[str] = "span_rr"

    k: int | None = None

    def values(self, judged: JudgedSpans) -> Floats:
        topic, rank, _, order = self.hits(judged)
        first = order == 1
        return judged.plain.sum(topic[first], 1.0 / rank[first])
