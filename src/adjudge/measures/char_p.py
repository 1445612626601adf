from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, ratio
from ..core.span_judgments import JudgedSpans
from ._characters import CharacterMeasure


@dataclass(frozen=True)
class CharP(CharacterMeasure):
    """Precision of characters: the share of what is read that is relevant.

    Formula: (characters of the first k passages that lie in relevant spans) / (characters of the first k passages),
    each counted once; with ``repeats`` one that several passages have counts several times below the line.

    Parameters: ``k`` the number of passages, ``chars`` that of characters; without them the whole list. ``repeats``
    (false).

    No value: a topic without a relevant span, or for which nothing was retrieved, gives 0.

    Paper: Allan, HARD Track overview in TREC 2004; with repeats: Smith & Troynikov, Evaluating chunking strategies for
    retrieval (Chroma 2024).

    Example: the span 10-30 is relevant, the passage 20-60 of the same document is retrieved: 10 / 40 = 0.25.
    """

    name: ClassVar[str] = "char_p"

    def values(self, judged: JudgedSpans) -> Floats:
        counts = self.counts(judged)
        return ratio(counts.found, counts.retrieved)
