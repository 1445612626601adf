"""Several correlations at once: of two rankings by several coefficients, or of all measures with each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..core.errors import SpecError
from ..core.likes import Seed, generator_of
from ..core.progress import SILENT, Listener
from ..core.result import Plottable
from ..core.scores import Scores
from .coefficient import coefficients
from .uncertainty import Correlation, Ranked, correlate, correlate_columns, takes_repeats

DEFAULT = ("tau_b", "tau_ap_b")

USUAL = ((2_000, 1000), (20_000, 100), (math.inf, 0))
"""Samples and permutations that are drawn unless somebody says how many, up to so many items."""

Work = Callable[[str, dict[str, Any]], Correlation]


class Compared(NamedTuple):
    """Two rankings by name, and one of their correlations."""

    x: str
    y: str
    found: Correlation


@dataclass(frozen=True, eq=False, repr=False)
class Correlations(Plottable, Sequence[Compared]):
    """How alike rankings are: a row (x, y, correlation) for each two of them and each coefficient."""

    rows: tuple[Compared, ...]

    def __repr__(self) -> str:
        shown = ", ".join(f"{c.coefficient} of {x} and {y} = {c.value:.4f}" for x, y, c in self.rows[:3])
        return f"Correlations({shown}{', …' if len(self.rows) > 3 else ''})"

    def __getitem__(self, key):  # type: ignore[no-untyped-def]
        return self.rows[key]

    def __iter__(self) -> Iterator[Compared]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def value(self) -> float:
        """The first coefficient of the first two rankings."""
        return self.rows[0].found.value


@dataclass(frozen=True)
class Draws:
    """How a correlation is computed: ties, and how much is drawn at random for intervals and p."""

    within: float | tuple[float, float] = 0.0
    resolve: str = "pairs"
    samples: int | None = None
    """Bootstrap samples; None draws as many as the number of items allows in short time."""
    permutations: int | None = None
    confidence: float = 0.95
    seed: Seed = 0


def correlate_rankings(
    x: Any,
    y: Any,
    by: Sequence[str] = DEFAULT,
    draws: Draws | None = None,
    *,
    names: tuple[str, str] = ("x", "y"),
    ranks: bool = False,
    progress: Listener = SILENT,
) -> Correlations:
    """Correlate two rankings by several coefficients; intervals are from a bootstrap over the items."""

    def compute(spec: str, how: dict[str, Any]) -> Correlation:
        return correlate(x, y, spec, ranks=ranks, **how)

    return _correlations([(*names, compute)], by, draws or Draws(), over_items=True, progress=progress)


def correlate_systems(
    scores: Scores,
    rankings: Sequence[Ranked],
    by: Sequence[str] = DEFAULT,
    draws: Draws | None = None,
    *,
    over: str | None = None,
    progress: Listener = SILENT,
) -> Correlations:
    """Correlate the rankings of the systems that measures or averages give, each with each.

    Intervals are from a bootstrap over the topics, or over the systems with ``over="items"``.
    """
    if len(rankings) < 2:
        raise SpecError("one ranking of the systems: give a second --measure or --average, or two files")
    if over not in {None, "topics", "items"}:
        raise SpecError(f"over must be topics or items, not {over!r}")
    items = over == "items"
    table = [(str(x), str(y), _work(scores, x, y, items=items)) for x, y in combinations(rankings, 2)]
    return _correlations(table, by, draws or Draws(), over_items=items, progress=progress)


def _work(scores: Scores, x: Ranked, y: Ranked, *, items: bool) -> Work:
    def compute(spec: str, how: dict[str, Any]) -> Correlation:
        if items:
            return correlate(x.figures(scores), y.figures(scores), spec, **how)
        return correlate_columns(scores, x, y, spec, **how)

    return compute


def _correlations(
    table: Sequence[tuple[str, str, Work]], by: Sequence[str], draws: Draws, *, over_items: bool, progress: Listener
) -> Correlations:
    wanted = {str(component): component for component in map(coefficients.parse, by)}
    if not wanted:
        raise SpecError("no coefficient was named")
    rows = []
    for x, y, compute in table:
        for spec, component in wanted.items():
            how: dict[str, Any] = {"within": draws.within, "resolve": draws.resolve}
            bare = compute(spec, how)
            usual = next(times for items, times in USUAL if bare.items <= items)
            drawn = usual if bare.same_items and (not over_items or takes_repeats(component)) else 0
            samples = drawn if draws.samples is None else draws.samples
            permutations = usual if draws.permutations is None else draws.permutations
            how |= {"samples": samples, "permutations": permutations, "confidence": draws.confidence}
            how |= {"rng": _generator(draws.seed), "progress": progress}
            rows.append(Compared(x, y, compute(spec, how) if samples or permutations else bare))
    return Correlations(tuple(rows))


def _generator(seed: Seed) -> np.random.Generator:
    """A whole number begins anew for every row, so that no row depends on those before it."""
    return generator_of(seed)
