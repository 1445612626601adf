from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats
from ..core.span_judgments import JudgedSpans
from ._matches import MatchMeasure


@dataclass(frozen=True)
class SpanP(MatchMeasure):
    """Precision of passages: the share of the first k that match a relevant span.

    Formula: (matches among the first k) / k. Passages are gone through in order of rank; each matches the relevant span
    with which it has the largest intersection over union, if that is at least ``iou`` and no passage above has it.

    Parameters: ``k`` the cutoff, required. ``iou`` from 0 to 1 (0.5); 0 takes any overlap.

    No value: a topic without a relevant span gives 0.

    Paper: matching as in Everingham et al., The PASCAL visual object classes challenge (IJCV 2010).

    Example: the span 10-30 is relevant, the passages 60-80 and 12-30 are retrieved, k = 2: 1 / 2 = 0.5.
    """

    name: ClassVar[str] = "span_p"

    k: int

    def values(self, judged: JudgedSpans) -> Floats:
        topic, _, _, _ = self.hits(judged)
        return judged.plain.count(topic) / self.k
