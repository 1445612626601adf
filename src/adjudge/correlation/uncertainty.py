"""Uncertainty of a correlation: intervals by bootstrap over items or over topics, p by permutation."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.average import averages
from ..core.errors import DataError, SpecError
from ..core.judged import Floats
from ..core.progress import SILENT, Listener, Step
from ..core.result import Result
from ..core.scores import Scores
from .coefficient import Coefficient, coefficients
from .rankings import RankingPair, Side, paired


@dataclass(frozen=True)
class Correlation(Result):
    """A coefficient of two rankings, and how sure it is."""

    coefficient: str
    value: float
    items: int
    low: float = math.nan
    """Interval by the bootstrap; NaN if none was asked for."""
    high: float = math.nan
    confidence: float = 0.95
    over: str = ""
    """What was drawn again for the interval: items or topics."""
    samples: int = 0
    undefined: int = 0
    """Samples in which the coefficient has no value; the interval is of the others."""
    p: float = math.nan
    """Two-sided, 2 (b + 1)/(permutations + 1): b orders of y drawn at random lie as far out on the same side. Some
    coefficients count ties as errors, so chance is not 0 for them."""
    permutations: int = 0
    concordant: int = 0
    discordant: int = 0
    tied: int = 0
    """Pairs of items that one ranking ties, or both."""
    same_items: bool = True
    """Return whether both rank the same items; if not, pairs are not counted and there is no p."""


@dataclass(frozen=True)
class Ranked:
    """A way to rank the systems of a score table: a measure, and how it is averaged."""

    measure: str
    average: str | None = None

    def __str__(self) -> str:
        return self.measure if self.average is None else f"{self.measure} by {self.average}"

    def figures(self, scores: Scores, topics: Any = slice(None)) -> Floats:
        """A figure for each system, higher is better, over some of the topics."""
        column = next((c for c in scores.columns if c.name == self.measure), None)
        if column is None:
            return np.asarray(scores[:, :, self.measure])  # which says what the table has
        if not column.better:
            raise DataError(f"{self.measure} is neither good when high nor when low, so it ranks no systems")
        average = averages.parse(self.average or column.average)
        figures = average(scores[:, :, self.measure][:, topics])
        if np.isnan(figures).any():
            lacking = scores.systems[int(np.flatnonzero(np.isnan(figures))[0])]
            raise DataError(f"{lacking} has no {self.measure} on any of the topics, so it cannot be ranked")
        return np.asarray(figures if column.better == "high" else -figures)


def correlate(
    x: Any,
    y: Any,
    by: str = "tau_ap_b",
    *,
    ranks: bool = False,
    within: float | tuple[float, float] = 0.0,
    resolve: str = "pairs",
    samples: int = 0,
    permutations: int = 0,
    confidence: float = 0.95,
    rng: np.random.Generator | None = None,
    progress: Listener = SILENT,
) -> Correlation:
    """Correlate two rankings, given as :func:`adjudge.correlation.paired` takes them.

    ``samples`` bootstrap samples of the items give an interval, ``permutations`` of y a p-value; both need ``rng``.
    """
    component = coefficients.parse(by)
    pair = component.paired(x, y, ranks=ranks, within=within, resolve=resolve)
    value = component(pair)
    how = {"within": within, "resolve": resolve}
    drawn: Floats = np.zeros(0)
    if samples and len(pair) > 1:
        if pair.shared is not None:
            raise DataError("rankings of different items have no bootstrap over items")
        if not takes_repeats(component):
            instead = "tau_ap_b" if "ap" in str(component) else "tau_b"
            raise DataError(f"{component} has no bootstrap over items: an item drawn twice is a tie; {instead} has one")
        generator = _require_generator(rng)

        def sample() -> float:
            chosen = generator.integers(len(pair), size=len(pair))
            return component(paired(pair.x.scores[chosen], pair.y.scores[chosen], **how))  # type: ignore[arg-type]

        with progress.work("resample", str(component), samples, "samples") as step:
            drawn = _repeat(sample, samples, step)
    return _correlation_of(
        component, pair, value, drawn, "items" if len(drawn) else "", confidence, permutations, rng, progress
    )


def correlate_columns(
    scores: Scores,
    x: Ranked,
    y: Ranked,
    by: str = "tau_ap_b",
    *,
    within: float | tuple[float, float] = 0.0,
    resolve: str = "pairs",
    samples: int = 0,
    permutations: int = 0,
    confidence: float = 0.95,
    rng: np.random.Generator | None = None,
    progress: Listener = SILENT,
) -> Correlation:
    """Correlate two rankings of the systems of one score table; ``samples`` are drawn from its topics."""
    component = coefficients.parse(by)
    how: dict[str, Any] = {"within": within, "resolve": resolve}
    pair = component.paired(x.figures(scores), y.figures(scores), **how)
    value = component(pair)
    drawn: Floats = np.zeros(0)
    if samples and len(pair) > 1 and len(scores.topics) > 1:  # one topic can be drawn in one way only
        generator = _require_generator(rng)
        topics = len(scores.topics)

        def sample() -> float:
            chosen = generator.integers(topics, size=topics)
            try:
                return component(component.paired(x.figures(scores, chosen), y.figures(scores, chosen), **how))
            except (
                DataError
            ):  # a system without a value on these topics, or level ones under a coefficient without ties
                return math.nan

        with progress.work("resample", str(component), samples, "samples") as step:
            drawn = _repeat(sample, samples, step)
    return _correlation_of(
        component, pair, value, drawn, "topics" if len(drawn) else "", confidence, permutations, rng, progress
    )


def _correlation_of(
    component: Coefficient,
    pair: RankingPair,
    value: float,
    drawn: Floats,
    over: str,
    confidence: float,
    permutations: int,
    rng: np.random.Generator | None,
    progress: Listener,
) -> Correlation:
    if not 0 < confidence < 1:
        raise SpecError(f"the confidence of an interval lies between 0 and 1, not {confidence}")
    defined = drawn[~np.isnan(drawn)]
    low, high = interval(component, value, defined, over, confidence)
    p = math.nan
    if permutations and not math.isnan(value) and pair.shared is None:
        generator = _require_generator(rng)

        def permute() -> float:
            return component(RankingPair(pair.x, _shuffle(pair.y, generator.permutation(len(pair)))))

        with progress.work("permute", str(component), permutations, "permutations") as step:
            chance = _repeat(permute, permutations, step)
        tails = [int((chance >= value - 1e-12).sum()), int((chance <= value + 1e-12).sum())]
        p = min(1.0, 2 * (min(tails) + 1) / (permutations + 1))
    pairs = len(pair) * (len(pair) - 1) // 2
    same = pair.shared is None
    return Correlation(
        coefficient=str(component),
        value=value,
        items=len(pair),
        low=float(low),
        high=float(high),
        confidence=confidence,
        over=over,
        samples=len(drawn),
        undefined=len(drawn) - len(defined),
        p=p,
        permutations=permutations,
        concordant=pair.concordant if same else 0,
        discordant=pair.discordant if same else 0,
        tied=pairs - pair.concordant - pair.discordant if same else 0,
        same_items=same,
    )


def interval(component: Coefficient, value: float, drawn: Floats, over: str, confidence: float) -> tuple[float, float]:
    """Over topics the value ± a multiple of its standard error and bias; over items percentiles of the samples.

    A ranking jumps where systems are nearly level, so a correlation of rankings is biased, mostly down: on some tracks
    by more than a standard error, and both percentiles and ± 1.96 standard errors then miss the truth too often.

    The samples tell of the bias, but not of all: they add the noise of drawing topics to a value that has it already.
    Systems that are about evenly spaced change places in proportion to the standard deviation of the noise: 1 in
    the value, √2 in a sample. So the bias of the value is 1/(√2 - 1) = 2.4 times that of the samples against the value.
    It may be up or down where that does not hold, so it widens both sides.

    The multiple leaves room for a bias of one more standard error: it is the c for which a normal variable with mean 1
    and variance 1 lies within ± c as often as the confidence says, 2.65 for 95 %. Where there is less bias, which is
    most often, the interval is wider than it need be: docs/judges.md has figures.
    """
    if not len(drawn) or math.isnan(value):
        return math.nan, math.nan
    if over == "items":
        low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2]).tolist()
        return low, high
    from scipy.special import chndtrix

    bias = (float(drawn.mean()) - value) / (math.sqrt(2) - 1)
    error = math.hypot(float(drawn.std(ddof=1)), bias) if len(drawn) > 1 else math.inf
    half = math.sqrt(float(chndtrix(confidence, 1, 1))) * error  # the square of that variable is a noncentral χ²
    return max(component.least, value - half), min(1.0, value + half)


def _shuffle(side: Side, new: Any) -> Side:
    """The same ranking with the items renamed: nothing has to be sorted again."""
    back = np.empty(len(new), np.int32)
    back[new] = np.arange(len(new), dtype=np.int32)
    return Side(side.scores[new], back[side.order], side.above[new], side.below[new], side.transitive)


def _repeat(draw: Callable[[], float], times: int, step: Step) -> Floats:
    values = np.empty(times)
    for i in range(times):
        values[i] = draw()
        step.advance()
    return values


def takes_repeats(component: Coefficient) -> bool:
    """Return whether a bootstrap over items is possible: it draws items twice, and two copies of an item are tied."""
    try:
        component(paired([1.0, 1.0, 0.0], [1.0, 1.0, 0.0]))
    except DataError:
        return False
    return True


def _require_generator(rng: np.random.Generator | None) -> np.random.Generator:
    if rng is None:
        raise SpecError("to draw at random a generator is needed: rng=numpy.random.default_rng(0)")
    return rng
