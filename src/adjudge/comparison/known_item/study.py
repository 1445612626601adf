"""A known-item comparison as a whole: ranks, curves, prices of interest and samples, and what they come to."""

from __future__ import annotations

from typing import NamedTuple

from .bootstrap import Bootstrap
from .characteristic import Axis, Effort, dominance
from .ranks import KnownItem
from .value import partition, told


class Study(NamedTuple):
    """What is told of a comparison: the ranks, how curves are read, the v/c of interest, and the bootstrap if any."""

    item: KnownItem
    axis: Axis = "work"
    effort: Effort = "inclusive"
    ratios: tuple[float, ...] = ()
    bootstrap: Bootstrap | None = None
    seed: int | None = None

    def _repr_html_(self) -> str:
        from ...core.notebook import escaped

        return f"{self.item._repr_html_()}<p>{escaped(self.conclusion())}</p>"

    def conclusion(self) -> str:
        """One sentence a person understands."""
        item = self.item
        if len(item.systems) == 1:
            found, work = int(item.found[0]), int(item.work[0])
            return f"{item.systems[0]} finds {found:,} of {len(item.questions):,} items for {work:,} documents read."
        pairs = dominance(item, self.axis, self.effort)
        parts = partition(item)
        above = dict.fromkeys(item.systems, 0)
        for pair in pairs:
            above[pair.first] += pair.relation == ">"
            above[pair.second] += pair.relation == "<"
        best = max(item.systems, key=lambda system: above[system])
        two = len(item.systems) == 2
        if above[best] == len(item.systems) - 1:
            lead = f"{best} dominates {pairs[0].second if best == pairs[0].first else pairs[0].first}" if two else best
            lead += ("" if two else " dominates all others") + f" by {self.axis}{self._share(best)}"
            if item.length is not None:
                return f"{lead}, so no other is worth more whatever v and c are."
            if len(parts) == 1 and parts[0].best == (best,):
                return f"{lead}, and is worth most for all v and c above 0."
            return f"{lead}, but misses cost unequally, and {told(parts)}."
        if all(pair.relation == "=" for pair in pairs):
            lead = f"All curves are the same by {self.axis}"
        else:
            lead = f"{'Neither system' if two else 'No system'} dominates {'the other' if two else 'all others'}"
            lead += f" by {self.axis}"
        if len(parts) == 1:
            return f"{lead}; {told(parts)}."
        candidates = list(dict.fromkeys(system for part in parts for system in part.best))
        return f"{lead}: which of {', '.join(candidates)} is best depends on what an item is worth, v/c."

    def _share(self, best: str) -> str:
        if self.bootstrap is None:
            return ""
        s = self.item.systems.index(best)
        shares = [share for b, share in enumerate(self.bootstrap.dominates[self.axis][s]) if b != s]
        each = "" if len(shares) == 1 else "each of them in at least "
        return f" ({each}{min(shares):.1%} of the samples)"
