"""Topics × judgments: how many topics a difference takes at several depths of the pool, and what they cost to judge.

A shallower pool knows less of every topic, so that scores may vary more and more topics be needed; each is cheaper. The
variance at a depth is that of the pilot's runs by the judgments of documents that some run has so far up.

Paper: Sakai, Topic set size design (Information Retrieval Journal 2016), on topics against pool depths.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..core.result import Result
from .topic_design import TopicDesign


@dataclass(frozen=True)
class DepthPlan:
    """A depth of the pool, and what it takes."""

    depth: int
    judgments: float
    """Documents that are judged for a topic, on average."""
    unjudged: float
    """The share of them that the pilot has not judged; they counted as not relevant."""
    design: TopicDesign

    def total(self, topics: int | None) -> int | None:
        """Judgments in all for so many topics."""
        return None if topics is None else math.ceil(self.judgments * topics)


@dataclass(frozen=True)
class JudgingPlan(Result):
    """Plans for several depths, the shallowest first."""

    rows: tuple[DepthPlan, ...]

    @property
    def cheapest(self) -> DepthPlan | None:
        """The depth at which the t test takes the fewest judgments; None if none is enough."""
        known = [row for row in self.rows if row.design.by_t is not None]
        return min(known, key=lambda row: row.total(row.design.by_t) or 0, default=None)

    def conclusion(self) -> str:
        """Which depth takes the fewest judgments, in a sentence."""
        from ..core.presentation import conclusion_of

        return conclusion_of(self)
