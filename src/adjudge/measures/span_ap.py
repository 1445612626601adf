from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, ratio
from ..core.span_judgments import JudgedSpans
from ._matches import MatchMeasure


@dataclass(frozen=True)
class SpanAP(MatchMeasure):
    """Average precision of passages that match relevant spans.

    Formula: 1/R Σ_i i / r_i, r_i the rank of the i-th passage that matches one of the R relevant spans, matched as in
    span_p.

    Parameters: ``k``: passages ranked below it are dropped; without it none. ``iou`` from 0 to 1 (0.5); 0 takes any
    overlap.

    No value: a topic without a relevant span gives 0.

    Paper: average precision at a threshold, as in Everingham et al., The PASCAL visual object classes challenge (IJCV
    2010), without interpolation.

    Example: the spans 10-30 and 50-60 are relevant, the passages 80-90 and 12-30 are retrieved: (1/2) / 2 = 0.25.
    """

    name: ClassVar[str] = "span_ap"

    k: int | None = None

    def values(self, judged: JudgedSpans) -> Floats:
        topic, rank, _, order = self.hits(judged)
        return ratio(judged.plain.sum(topic, order / rank), judged.num_spans(self.level(judged)))
