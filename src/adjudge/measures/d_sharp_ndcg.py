from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, ratio
from ..core.subtopics import JudgedSubtopics, SubtopicMeasure
from ._gains import log2_of


@dataclass(frozen=True)
class DSharpNDCG(SubtopicMeasure):
    """D♯-nDCG: subtopic recall and the nDCG of gains summed over subtopics, weighted together.

    Formula: γ · st_recall@k + (1 − γ) · D-nDCG@k. D-nDCG is nDCG where a document gains the mean of its grades over the
    S subtopics that have a relevant document; the ideal ranking has the documents in order of that gain.

    Parameters: ``k`` the cutoff, required; ``gamma`` the weight of subtopic recall, 0 to 1 (0.5): 0 is D-nDCG.

    No value: a topic without a relevant document gives 0.

    Paper: Sakai & Song, Evaluating diversified search results using per-intent graded relevance (SIGIR 2011), all
    intents alike.

    Example: two subtopics, first document grade 2 for one, a second one grade 1 for both, k = 1: recall 1/2, gains 1
    and 1, so 0.5 · 0.5 + 0.5 · 1 = 0.75.
    """

    name: ClassVar[str] = "d_sharp_ndcg"
    aliases: ClassVar[tuple[str, ...]] = ("Dsharp_nDCG",)

    k: int
    gamma: float = 0.5

    def values(self, judged: JudgedSubtopics) -> Floats:
        level = self.level(judged)
        S, found = judged.num_subtopics(level), judged.covered(level).within(self.k)
        recall = ratio(judged.plain.count(found.topic[found.seen == 0]), S)
        gained = judged.sum(found.topic, found.grade / log2_of(found.rank + 1))
        return self.gamma * recall + (1.0 - self.gamma) * ratio(gained, self._ideal(judged, level))

    def _ideal(self, judged: JudgedSubtopics, level: int) -> Floats:
        judgments = judged.judgments
        position = [judgments.documents.position[topic] for topic in judged.topics]
        gains = np.add.reduceat(np.where(judgments.grade >= level, judgments.grade, 0), judgments.starts[:-1])
        offsets = judgments.documents.offsets
        best = np.zeros(len(judged.topics))
        for t, place in enumerate(position):
            own = np.sort(gains[offsets[place] : offsets[place + 1]])[::-1][: self.k].astype(float)
            best[t] = np.sum(own / log2_of(np.arange(2, len(own) + 2)))
        return best
