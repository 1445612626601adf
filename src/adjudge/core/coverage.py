"""How much of a run the judgments cover: what could explain a figure before any system does."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .judged import JudgedRun

DEPTH = 10
"""Documents of a topic that are looked at."""


class Coverage(NamedTuple):
    """The judged topics that a run answers, and the share of its first documents that were judged.

    >>> coverage = Coverage(answered=7, topics=8, judged=0.5)
    >>> coverage.share
    0.875
    """

    answered: int
    """Judged topics for which the run has a document."""
    topics: int
    """Judged topics."""
    judged: float
    """Mean share of the first documents that somebody judged, over the topics answered; NaN if there is none."""
    depth: int = DEPTH
    """How many documents count as the first ones."""

    @property
    def share(self) -> float:
        """The share of judged topics that the run answers."""
        return self.answered / self.topics if self.topics else 0.0


def coverage_of(judged: JudgedRun, depth: int = DEPTH) -> Coverage:
    """The coverage of a judged run."""
    retrieved = judged.num_ret > 0
    answered = int(retrieved.sum())
    topics = len(judged.topics) + (0 if judged.judging.complete else len(judged.missing))
    if not answered:
        return Coverage(0, topics, float("nan"), depth)
    seen = judged.count(judged.topic[(judged.grade >= 0) & (judged.rank <= depth)])
    shares = seen[retrieved] / np.minimum(judged.num_ret[retrieved], depth)
    return Coverage(answered, topics, float(shares.mean()), depth)
