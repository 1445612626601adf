"""What a way of pooling is: it looks at the lists of the runs and says which pairs are judged, how likely that was."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.registry import Registry
from ..core.spec import Component

Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class Draw(NamedTuple):
    """For each pair: whether it is judged, its stratum (from 1), and how likely it was to be drawn."""

    drawn: Flags
    strata: Shorts
    probabilities: Floats


@dataclass(frozen=True, eq=False)
class PoolFrame:
    """All pairs that the runs have down to the depth, in topics that lie one after the other."""

    offsets: Ints
    best: Shorts
    """The best rank that a run gives to each pair."""
    list_pairs: Shorts
    list_ranks: Shorts
    chances: Callable[[], Floats]
    """A number from 0 to 1 for each pair, which depends on the seed, the topic and the document alone."""

    @cached_property
    def topic(self) -> Ints:
        """The number of the topic of each pair."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def best_first(self, values: Floats) -> Ints:
        """The place of each pair in its topic, from 1, where higher values come first; equal ones as they stand."""
        order = np.lexsort((-values, self.topic))
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order)) - self.offsets[:-1][self.topic[order]] + 1
        return places

    def sample(self, strata: Shorts, wanted: Callable[[Ints, Ints], Ints]) -> Draw:
        """Draw from each stratum of each topic; ``wanted`` says how many, by stratum and size of the stratum.

        The pairs with the smallest chances are drawn: every set of that size is equally likely, and a pair that was
        drawn stays drawn where the strata do not change.
        """
        width = int(strata.max(initial=0)) + 1
        group = self.topic * width + strata
        chances = self.chances()
        order = np.lexsort((chances, group))
        sizes = np.bincount(group, minlength=(len(self.offsets) - 1) * width)
        begins = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order)) - begins[group[order]]
        counts = np.minimum(wanted(np.arange(len(sizes)) % width, sizes), sizes)
        probabilities = np.divide(counts, sizes, out=np.zeros(len(sizes)), where=sizes > 0)
        return Draw(places < counts[group], strata, probabilities[group])


@dataclass(frozen=True)
class Pooling(Component, ABC):
    """A way to make a pool."""

    @property
    @abstractmethod
    def reach(self) -> int:
        """How far down the lists of the runs it looks."""

    @abstractmethod
    def draw(self, frame: PoolFrame) -> Draw:
        """Which pairs are judged."""


poolings: Registry[Pooling] = Registry("pooling", "adjudge.pools.poolings", Pooling)
