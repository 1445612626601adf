"""A known-item comparison as a whole: ranks, curves, prices of interest and samples, and what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...core.judged import Floats, Ints
from ...core.likes import Seed, generator_of
from ...core.note import Note
from ...core.progress import SILENT, Listener
from ...core.result import Plottable
from .characteristic import Axis, Effort, curves, dominance
from .question_bootstrap import Bootstrap, bootstrap
from .ranks import KnownItem


class Relations(NamedTuple):
    """Counts of how the curves of all pairs of systems lie to each other."""

    pairs: int
    above: int
    crossing: int
    same: int
    undominated: tuple[str, ...]
    """Systems that have no curve above theirs."""


@dataclass(frozen=True, eq=False)
class Study(Plottable):
    """A known-item comparison: the ranks, how curves are read, the v/c of interest, and the bootstrap if any."""

    item: KnownItem
    axis: Axis = "work"
    effort: Effort = "inclusive"
    ratios: tuple[float, ...] = ()
    bootstrap: Bootstrap | None = None
    seed: int | None = None

    def conclusion(self) -> str:
        """A sentence or two that a person understands."""
        from ...core.presentation import conclusion_of

        return conclusion_of(self)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that were asked."""
        return self.item.systems

    @property
    def questions(self) -> tuple[str, ...]:
        """The topics, each of which is after one document."""
        return self.item.questions

    @property
    def ranks(self) -> Ints:
        """systems × questions: the rank of the item, 0 where it was not found."""
        return self.item.ranks

    @property
    def mrr(self) -> Floats:
        """The mean reciprocal rank of each system."""
        return self.item.mrr

    @property
    def found(self) -> Ints:
        """How many items each system finds."""
        return self.item.found

    @property
    def work(self) -> Ints:
        """How many documents are read with each system."""
        return self.item.work

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader of the figures should know."""
        return self.item.notes

    def leaders(self, rank: int | None = None) -> tuple[int, tuple[str, ...]]:
        """The most items that a system finds, down to a rank or at all, and the systems that find so many."""
        counts = self.item.found
        if rank is not None:
            counts = np.array([curve.at(rank, "rank") for curve in curves(self.item, self.effort)])
        most = int(counts.max())
        return most, tuple(s for s, count in zip(self.item.systems, counts.tolist(), strict=True) if count == most)

    def relations(self, axis: Axis) -> Relations:
        """Relations of the curves along an axis."""
        pairs = dominance(self.item, axis, self.effort)
        above, crossing, same = (sum(pair.relation in kind for pair in pairs) for kind in ("<>", "×", "="))
        below = {pair.second for pair in pairs if pair.relation == ">"}
        below |= {pair.first for pair in pairs if pair.relation == "<"}
        free = tuple(system for system in self.item.systems if system not in below)
        return Relations(len(pairs), above, crossing, same, free)


def study_items(
    item: KnownItem,
    *,
    axis: Axis = "work",
    effort: Effort = "inclusive",
    ratios: Sequence[float] = (),
    samples: int = 1000,
    seed: Seed = 0,
    progress: Listener = SILENT,
) -> Study:
    """Known items with intervals and shares from a bootstrap over the questions; ``samples=0`` does without it."""
    prices = tuple(dict.fromkeys(float(ratio) for ratio in ratios))
    if not samples:
        return Study(item, axis, effort, prices)
    drawn = bootstrap(item, generator_of(seed), samples=samples, ratios=prices, effort=effort, progress=progress)
    return Study(item, axis, effort, prices, drawn, seed if isinstance(seed, int) else None)
