"""Gains from a change of a system: before and after, topic by topic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.average import averages
from ..core.scores import Scores
from .paired import corrections, paired_tests

TEST, CORRECTION = "wilcoxon", "holm"


@dataclass(frozen=True)
class TopicGain:
    """A topic before and after the change."""

    topic: str
    before: float
    after: float

    @property
    def difference(self) -> float:
        return self.after - self.before


@dataclass(frozen=True)
class Gain:
    """Two systems, the second of which is the first one changed, and whether they differ by more than chance."""

    before: str
    after: str
    mean: tuple[float, float]
    """Of the measure over topics, before and after."""
    geometric_mean: tuple[float, float]
    """The same, as trec_eval has it."""
    topics: tuple[TopicGain, ...]
    """All topics, as the scores have them."""
    raw: float
    p: float
    """Corrected for the number of pairs; NaN with one topic."""

    @property
    def difference(self) -> float:
        return self.mean[1] - self.mean[0]

    @property
    def relative(self) -> float:
        return self.difference / self.mean[0] if self.mean[0] else math.nan

    def most_changed(self, most: int) -> list[TopicGain]:
        """The topics that gain most, then those that lose most; topics without a difference are in neither."""
        order = sorted(self.topics, key=lambda topic: -topic.difference)
        gained = [topic for topic in order if topic.difference > 0][:most]
        return gained + [topic for topic in reversed(order) if topic.difference < 0][:most]

    def count(self, way: int) -> int:
        """Topics that gain (+1), lose (-1), or neither (0)."""
        return sum((topic.after > topic.before) - (topic.after < topic.before) == way for topic in self.topics)


def gains(scores: Scores, pairs: Sequence[tuple[str, str]], measure: str = "ap") -> tuple[Gain, ...]:
    """Every pair of systems (before, after) compared by Wilcoxon's test, p corrected by Holm over the pairs."""
    column = scores.measures.index(measure)
    place = {name: s for s, name in enumerate(scores.systems)}
    rows = np.array([[place[after], place[before]] for before, after in pairs])
    values = np.asarray(scores.values[:, :, column], np.float64)
    raw = p = np.full(len(pairs), np.nan)
    if values.shape[1] > 1:
        raw = np.asarray(paired_tests.parse(TEST)(values, rows), np.float64)
        p = corrections.parse(CORRECTION)(raw)
    mean, geometric = (averages.parse(spec)(values).tolist() for spec in ("mean", "gm"))
    changes = []
    for (after, before), own, corrected in zip(rows.tolist(), raw.tolist(), p.tolist(), strict=True):
        both = zip(scores.topics, values[before].tolist(), values[after].tolist(), strict=True)
        changes.append(
            Gain(
                before=scores.systems[before],
                after=scores.systems[after],
                mean=(mean[before], mean[after]),
                geometric_mean=(geometric[before], geometric[after]),
                topics=tuple(TopicGain(*each) for each in both),
                raw=own,
                p=corrected,
            )
        )
    return tuple(changes)
