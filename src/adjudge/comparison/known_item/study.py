"""A known-item comparison as a whole: ranks, curves, prices of interest and samples, and what they come to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .characteristic import Axis, Effort, curves, dominance
from .question_bootstrap import Bootstrap
from .ranks import KnownItem


class Relations(NamedTuple):
    """How the curves of all pairs of systems lie to each other."""

    pairs: int
    above: int
    crossing: int
    same: int
    undominated: tuple[str, ...]
    """Systems that have no curve above theirs."""


class Study(NamedTuple):
    """What is told of a comparison: the ranks, how curves are read, the v/c of interest, and the bootstrap if any."""

    item: KnownItem
    axis: Axis = "work"
    effort: Effort = "inclusive"
    ratios: tuple[float, ...] = ()
    bootstrap: Bootstrap | None = None
    seed: int | None = None

    def _repr_html_(self) -> str:
        from ...core.presentation import html_of

        return html_of(self)

    def conclusion(self) -> str:
        """A sentence or two that a person understands."""
        from ...core.presentation import conclusion_of

        return conclusion_of(self)

    def leaders(self, rank: int | None = None) -> tuple[int, tuple[str, ...]]:
        """The most items that a system finds, down to a rank or at all, and the systems that find so many."""
        counts = self.item.found
        if rank is not None:
            counts = np.array([curve.at(rank, "rank") for curve in curves(self.item, self.effort)])
        most = int(counts.max())
        return most, tuple(s for s, count in zip(self.item.systems, counts.tolist(), strict=True) if count == most)

    def relations(self, axis: Axis) -> Relations:
        """Of the curves along an axis."""
        pairs = dominance(self.item, axis, self.effort)
        above, crossing, same = (sum(pair.relation in kind for pair in pairs) for kind in ("<>", "×", "="))
        below = {pair.second for pair in pairs if pair.relation == ">"}
        below |= {pair.first for pair in pairs if pair.relation == "<"}
        free = tuple(system for system in self.item.systems if system not in below)
        return Relations(len(pairs), above, crossing, same, free)
