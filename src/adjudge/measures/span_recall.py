from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, ratio
from ..core.span_judgments import JudgedSpans
from ._matches import MatchMeasure


@dataclass(frozen=True)
class SpanRecall(MatchMeasure):
    """Recall of spans: the share of the relevant spans that the first k passages match.

    Formula: (matches among the first k) / (relevant spans), matched as in span_p.

    Parameters: ``k`` the cutoff; without it the whole list. ``iou`` from 0 to 1 (0.5); 0 takes any overlap.

    No value: a topic without a relevant span gives 0.

    Paper: matching as in Everingham et al., The PASCAL visual object classes challenge (IJCV 2010).

    Example: the spans 10-30 and 50-60 are relevant, the passage 12-30 is retrieved: 1 / 2 = 0.5.
    """

    name: ClassVar[str] = "span_recall"

    k: int | None = None

    def values(self, judged: JudgedSpans) -> Floats:
        topic, _, _, _ = self.hits(judged)
        return ratio(judged.plain.count(topic), judged.num_spans(self.level(judged)))
