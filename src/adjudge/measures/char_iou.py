from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, ratio
from ..core.span_judgments import JudgedSpans
from ._characters import CharacterMeasure


@dataclass(frozen=True)
class CharIoU(CharacterMeasure):
    """Intersection over union of characters: Jaccard's coefficient of what was retrieved and what is relevant.

    Formula: (relevant characters retrieved) / (characters retrieved + relevant characters − relevant characters
    retrieved).

    Parameters: ``k`` the number of passages, ``chars`` that of characters; without them the whole list. ``repeats``:
    with true, characters that several passages have count several times as retrieved, as Chroma's IoU counts tokens.

    No value: a topic without a relevant span gives 0.

    Paper: Smith & Troynikov, Evaluating chunking strategies for retrieval (Chroma 2024).

    Example: the span 10-30 is relevant, the passage 20-60 is retrieved: 10 / (40 + 20 − 10) = 0.2.
    """

    name: ClassVar[str] = "char_iou"

    def values(self, judged: JudgedSpans) -> Floats:
        counts = self.counts(judged)
        return ratio(counts.found, counts.retrieved + counts.relevant - counts.found)
