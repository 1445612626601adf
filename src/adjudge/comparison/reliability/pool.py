"""The pool: what runs together put before a judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.judged import Ints, judge, ordinal
from ...core.judging import Judging
from ...core.qrels import Qrels
from ...core.run import Run
from ...core.strings import Strings


@dataclass(frozen=True, eq=False)
class PseudoPool:
    """The documents that some run has among its first ones, topic by topic in a fixed order."""

    topics: tuple[str, ...]
    sizes: Ints
    documents: Strings
    votes: Ints
    """How many runs have the document among their first ones."""

    @classmethod
    def of(cls, runs: Sequence[Run], topics: Sequence[str], judging: Judging) -> PseudoPool:
        """Pool the first ``judging.depth`` documents of every run, for these topics."""
        votes: dict[str, Counter[str]] = {topic: Counter() for topic in topics}
        for run in runs:
            # A run judged by itself, the row of a document for its grade: so the one place that ranks documents does.
            rows = np.arange(len(run), dtype=np.int32)
            itself = Qrels(run.topics, run.offsets, run.documents, rows)
            first = judge(run, itself, judging)
            ends = np.cumsum(first.count(first.topic)).tolist()
            for topic, begin, end in zip(first.topics, [0, *ends], ends, strict=False):
                if topic in votes:
                    votes[topic].update(run.documents.take(first.grade[begin:end]))
        ordered = [sorted(votes[topic].items()) for topic in topics]
        return cls(
            tuple(topics),
            np.array([len(own) for own in ordered], np.int64),
            Strings.of([document for own in ordered for document, _ in own]),
            np.array([count for own in ordered for _, count in own], np.int64),
        )

    @property
    def offsets(self) -> Ints:
        return np.concatenate([[0], np.cumsum(self.sizes)])

    @property
    def topic(self) -> Ints:
        """The number of the topic of every document."""
        return np.repeat(np.arange(len(self.topics)), self.sizes)

    def judgments(self, grades: npt.NDArray[Any]) -> Qrels:
        """The whole pool, judged so."""
        return Qrels(self.topics, self.offsets, self.documents, grades.astype(np.int32))

    def draw(self, share: float, sd: float, *, duplicates: bool, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
        """Draw the relevant documents of one trial.

        The first to arrive if the times between arrivals are exponential and a document with twice the votes comes
        twice as often: the same as drawing one after the other without putting back.
        """
        wanted = np.rint(rng.normal(share, sd, len(self.topics)) * self.sizes)
        arrival = rng.exponential(size=len(self.votes)) / (self.votes if duplicates else 1)
        topic = self.topic
        order = np.lexsort((arrival, topic))
        drawn = np.empty(len(order), bool)
        drawn[order] = ordinal(topic, len(self.topics)) <= np.clip(wanted, 1, self.sizes)[topic]
        return drawn
