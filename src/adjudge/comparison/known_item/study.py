"""A known-item comparison as a whole: ranks, curves, prices of interest and samples, and what they come to."""

from __future__ import annotations

from typing import NamedTuple

from .bootstrap import Bootstrap
from .characteristic import Axis, Effort
from .ranks import KnownItem


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
