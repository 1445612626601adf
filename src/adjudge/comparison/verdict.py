"""What a comparison of systems found: differences, how sure they are, and what that comes to in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.judged import Floats

ALPHA = 0.05


@dataclass(frozen=True)
class Difference:
    """Two systems on one measure: ``a`` against ``b``, positive differences mean that a has higher values."""

    a: str
    b: str
    difference: float
    """Of the means, on the scale of the comparison."""
    low: float
    high: float
    effect: float
    """Cohen's d of paired values: the mean difference over its standard deviation; NaN if that is 0."""
    wins: int
    """Topics on which a is better, on which they are level, on which b is."""
    ties: int
    losses: int
    raw: tuple[float, ...]
    """p of each test as it is."""
    p: tuple[float, ...]
    """p of each test, corrected for the number of comparisons."""
    favours: tuple[int, ...]
    """Whom each test sees ahead: +1 for a, −1 for b. A sign test counts topics, so it need not be who has the mean."""

    @property
    def superiority(self) -> float:
        """The share of topics on which a is better, level ones counted half."""
        return (self.wins + self.ties / 2) / (self.wins + self.ties + self.losses)


@dataclass(frozen=True)
class Apart:
    """A topic on which systems differ much."""

    topic: str
    best: str
    best_value: float
    worst: str
    worst_value: float


@dataclass(frozen=True)
class Comparison:
    """Systems compared two by two on the same topics."""

    measure: str
    scale: str
    """``mean``, or the transformation under which the values were compared."""
    direction: int
    """+1 if high values are good, −1 if low ones are."""
    systems: tuple[str, ...]
    topics: int
    figures: Floats
    """The average of each system: of the plain values, or under the transformation and brought back."""
    baselines: tuple[str, ...]
    tests: tuple[str, ...]
    corrections: tuple[str, ...]
    """What was done to the p of each test; a test of all systems together needs nothing."""
    level: float
    differences: tuple[Difference, ...]
    """Of all pairs, the better system first, those of the best system first; or of every system to the baselines."""
    apart: tuple[Apart, ...]
    """All topics, those on which the systems differ most first."""
    notes: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        from ..core.notebook import SHOWN, html_table

        rows = [
            [d.a, d.b, d.difference, d.low, d.high, f"{d.wins} / {d.ties} / {d.losses}", *map(shown, d.p)]
            for d in self.differences[:SHOWN]
        ]
        header = ["system", "against", "difference", f"{self.level:.0%} from", "to", "won / level / lost"]
        header += [f"p ({test})" for test in self.tests]
        caption = f"{self.measure} ({self.scale}), {self.topics:,} topics"
        said = [self.conclusion(), *self.notes]
        return html_table(header, rows, labels=2, total=len(self.differences), caption=caption, notes=said)

    def order(self) -> list[int]:
        """System numbers, best first."""
        return [int(i) for i in np.argsort(-self.direction * self.figures, kind="stable")]

    def conclusion(self) -> str:
        """What the first test says at 5 %, in a sentence or two."""
        test = self.tests[0] + ("" if self.corrections[0] == "none" else f", {self.corrections[0]}")
        if self.baselines:
            return " ".join(self._against(baseline, test) for baseline in self.baselines)
        best = self.systems[self.order()[0]]
        if all(not d.wins and not d.losses for d in self.differences):
            return f"All systems have the same {self.measure} on every topic."
        if len(self.systems) == 2:
            one = self.differences[0]
            if one.p[0] < ALPHA:
                winner, loser = (one.a, one.b) if one.favours[0] >= 0 else (one.b, one.a)
                odd = "" if one.favours[0] >= 0 else ", although its mean is not"
                return f"{winner} is better than {loser} on {self.measure}{odd}: p = {shown(one.p[0])} ({test})."
            return (
                f"{one.a} and {one.b} cannot be told apart on {self.measure} with {self.topics} topics: "
                f"p = {shown(one.p[0])} ({test})."
            )
        told = sum(d.p[0] < ALPHA for d in self.differences)
        rivals = [d for d in self.differences if best in {d.a, d.b}]
        close = [d.b if d.a == best else d.a for d in rivals if d.p[0] >= ALPHA]
        names = ", ".join(close[:3]) + (f" and {len(close) - 3} more" if len(close) > 3 else "")
        beaten = [d.b for d in rivals if d.p[0] < ALPHA and d.a == best and d.favours[0] < 0]
        clear = "" if beaten else " and is better than every other system"
        lead = f"{best} leads on {self.measure}" + (f", but cannot be told apart from {names}" if close else clear)
        if beaten:
            lead += f"{' and' if close else ', but'} is worse by this test than {listed(beaten)}"
        return f"{lead}; {told} of {len(self.differences)} pairs differ at {ALPHA:.0%} ({test})."

    def _against(self, baseline: str, test: str) -> str:
        own = [(d.a, d) if d.b == baseline else (d.b, d) for d in self.differences if baseline in {d.a, d.b}]
        sides = {name: d.favours[0] if name == d.a else -d.favours[0] for name, d in own if d.p[0] < ALPHA}
        ahead, behind = ([name for name, side in sides.items() if side * way > 0] for way in (1, -1))
        parts = [
            f"better are {listed(ahead)}" if ahead else "none is better",
            f"worse are {listed(behind)}" if behind else "none is worse",
            f"{len(own) - len(sides)} of {len(own)} cannot be told apart from it",
        ]
        return f"Against {baseline} {'; '.join(parts)} ({self.measure}, {test}, {ALPHA:.0%})."


def listed(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def shown(p: float) -> str:
    """A p-value with as many digits as it deserves: 0.0312, 1.2e-05; nothing where there is none."""
    return "" if math.isnan(p) else f"{p:.4f}" if p >= 0.0001 or p == 0 else f"{p:.1e}"
