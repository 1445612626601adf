from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, ratio
from ..core.subtopics import JudgedSubtopics, SubtopicMeasure


@dataclass(frozen=True)
class StRecall(SubtopicMeasure):
    """Subtopic recall: the share of the subtopics that the first k documents are about.

    Formula: (subtopics that one of the first k documents is relevant for) / (subtopics that have a relevant document).

    Parameters: ``k`` the cutoff; without it the whole list.

    No value: a topic without a relevant document gives 0.

    Paper: Zhai, Cohen & Lafferty, Beyond independent relevance (SIGIR 2003); Sakai's I-rec.

    Example: three subtopics, the first two documents about the same one, k = 2: 0.3333.
    """

    name: ClassVar[str] = "st_recall"
    aliases: ClassVar[tuple[str, ...]] = ("StRecall",)

    k: int | None = None

    def values(self, judged: JudgedSubtopics) -> Floats:
        level = self.level(judged)
        found = judged.covered(level).within(self.k)
        return ratio(judged.plain.count(found.topic[found.seen == 0]), judged.num_subtopics(level))
