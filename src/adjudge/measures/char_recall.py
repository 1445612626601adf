from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, ratio
from ..core.span_judgments import JudgedSpans
from ._characters import CharacterMeasure


@dataclass(frozen=True)
class CharRecall(CharacterMeasure):
    """Recall of characters: the share of the relevant characters that the passages have.

    Formula: (characters of the first k passages that lie in relevant spans) / (characters in relevant spans), each
    counted once.

    Parameters: ``k`` the number of passages, ``chars`` that of characters that are read: what fits into a context of
    that length. Without them the whole list. ``repeats`` makes no difference here.

    No value: a topic without a relevant span gives 0.

    Paper: Allan, HARD Track overview in TREC 2004; Kamps et al., INEX 2007 evaluation measures (INEX 2007).

    Example: the span 10-30 is relevant, the passage 20-60 of the same document is retrieved: 10 / 20 = 0.5.
    """

    name: ClassVar[str] = "char_recall"

    def values(self, judged: JudgedSpans) -> Floats:
        counts = self.counts(judged)
        return ratio(counts.found, counts.relevant)
