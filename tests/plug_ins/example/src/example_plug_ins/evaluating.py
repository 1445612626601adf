"""A measure and an average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.core.average import Average
from adjudge.core.judged import Floats, JudgedRun, ratio
from adjudge.core.measure import Measure


@dataclass(frozen=True)
class Fallout(Measure):
    """Fallout: the share of the documents judged not relevant that are among the first k.

    Formula: (documents judged not relevant among the first k) / (documents judged not relevant).

    Example: ranking − + −, four documents judged not relevant: 2/4 = 0.5, and 0.25 at k = 2.
    """

    name: ClassVar[str] = "fallout"
    aliases: ClassVar[tuple[str, ...]] = ("false_alarms",)
    better: ClassVar[str] = "low"

    k: int | None = None

    def __call__(self, judged: JudgedRun) -> Floats:
        k = np.iinfo(np.int64).max if self.k is None else self.k
        wrong = (judged.grade >= 0) & (judged.grade < judged.level) & (judged.rank <= k)
        return ratio(judged.count(judged.topic[wrong]), judged.num_nonrel)


@dataclass(frozen=True)
class Midrange(Average):
    """The middle between the lowest and the highest value of a topic.

    Formula: (min + max) / 2.

    Example: 0.1, 0.2, 0.9 → 0.5.
    """

    name: ClassVar[str] = "midrange"

    def __call__(self, values: Floats) -> Floats:
        return np.asarray((np.nanmin(values, axis=-1) + np.nanmax(values, axis=-1)) / 2)
