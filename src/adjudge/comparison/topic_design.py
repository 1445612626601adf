"""How many topics an experiment needs: topic set size design by the t test, by analysis of variance, by an interval.

σ² is the variance of a score once the effects of its system and its topic are taken off: the residual mean square of a
two-way analysis of variance without replication. The difference of two systems on a topic has the variance 2σ².

Paper: Sakai, Topic set size design (Information Retrieval Journal 2016).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..core.errors import DataError, SpecError, did_you_mean
from ..core.result import Result
from ..core.scores import Scores
from .matrix import complete_matrix, covered_systems
from .power import MOST_TOPICS
from .verdict import ALPHA

LEAST = 2
POWER = 0.8


class TrackVariance(NamedTuple):
    """The variance of a measure in a track of TREC."""

    variance: float
    systems: int
    topics: int


TRACKS = {
    "adhoc5/ap": TrackVariance(0.01526, 61, 50),
    "adhoc6/ap": TrackVariance(0.02011, 74, 50),
    "adhoc7/ap": TrackVariance(0.01204, 103, 50),
    "adhoc8/ap": TrackVariance(0.01361, 129, 50),
    "robust2004/ap": TrackVariance(0.0132, 110, 249),
    "adhoc5/p@10": TrackVariance(0.04316, 61, 50),
    "adhoc6/p@10": TrackVariance(0.04508, 74, 50),
    "adhoc7/p@10": TrackVariance(0.04161, 103, 50),
    "adhoc8/p@10": TrackVariance(0.03764, 129, 50),
    "adhoc5/rr": TrackVariance(0.09622, 61, 50),
    "adhoc6/rr": TrackVariance(0.10563, 74, 50),
    "adhoc7/rr": TrackVariance(0.09141, 103, 50),
    "adhoc8/rr": TrackVariance(0.08927, 129, 50),
    "web2010/ndcg@20": TrackVariance(0.01593, 88, 48),
    "web2011/ndcg@20": TrackVariance(0.02116, 62, 50),
    "web2012/ndcg@20": TrackVariance(0.01585, 48, 50),
    "web2013/ndcg@20": TrackVariance(0.01733, 34, 50),
    "web2010/err@20": TrackVariance(0.00727, 88, 48),
    "web2011/err@20": TrackVariance(0.00695, 62, 50),
    "web2012/err@20": TrackVariance(0.03883, 48, 50),
    "web2013/err@20": TrackVariance(0.00922, 34, 50),
}
"""By track and measure, computed from the scores of all submitted runs."""


@dataclass(frozen=True)
class TopicDesign(Result):
    """How many topics it takes, by each of three designs."""

    measure: str
    variance: float
    """σ², what is left of a score without the effects of its system and its topic."""
    source: str
    """Where the variance comes from: ``pilot``, a track, or ``given``."""
    difference: float
    """The smallest difference of means that is to be found; for an interval its whole width."""
    systems: int
    alpha: float
    power: float
    by_t: int | None
    """For two systems: a paired t test finds the difference with the power. None beyond a million topics."""
    by_anova: int | None
    """For all systems: an analysis of variance finds that the best and the worst are so far apart."""
    by_interval: int | None
    """The confidence interval of a difference is expected to be no wider."""
    topics: int | None = None
    """Of the pilot; None if there is none."""
    power_now: float = math.nan
    """Of a t test for the difference on the topics of the pilot."""
    detectable: float = math.nan
    """The smallest difference that the topics of the pilot show with the power."""

    def conclusion(self) -> str:
        """How many topics it takes, in a sentence or two."""
        from ..core.presentation import conclusion_of

        return conclusion_of(self)


def residual_variance(scores: Scores, measure: str) -> float:
    """σ² of a pilot: the residual mean square of a two-way analysis of variance without replication."""
    values = complete_matrix(scores, measure, least=2)
    systems, topics = values.shape
    centred = values - values.mean(axis=0)
    rest = centred - centred.mean(axis=1, keepdims=True)
    return float((rest**2).sum() / ((systems - 1) * (topics - 1)))


def track_variance(name: str) -> TrackVariance:
    """The variance of a known track, such as ``robust2004/ap``."""
    if name not in TRACKS:
        raise SpecError(f"no track {name!r}{did_you_mean(name, list(TRACKS))}: there are {', '.join(TRACKS)}")
    return TRACKS[name]


def design_topics(
    variance: float,
    *,
    measure: str = "",
    source: str = "given",
    difference: float = 0.05,
    systems: int = 2,
    alpha: float = ALPHA,
    power: float = POWER,
    topics: int | None = None,
) -> TopicDesign:
    """Compute how many topics it takes to find a difference, from a variance."""
    for name, value, high in (("alpha", alpha, 1.0), ("power", power, 1.0)):
        if not 0 < value < high:
            raise SpecError(f"{name} lies between 0 and 1, not {value}")
    for name, value in (("variance", variance), ("difference", difference)):
        if not (math.isfinite(value) and value > 0):
            raise SpecError(f"the {name} must be a number above 0, not {value}")
    if systems < 2:
        raise SpecError(f"at least 2 systems are compared, not {systems}")
    spread = math.sqrt(2 * variance)
    return TopicDesign(
        measure=measure,
        variance=variance,
        source=source,
        difference=difference,
        systems=systems,
        alpha=alpha,
        power=power,
        by_t=fewest(lambda n: two_sided_power(difference, spread, n, alpha) >= power),
        by_anova=fewest(lambda n: anova_power(difference, variance, systems, n, alpha) >= power),
        by_interval=fewest(lambda n: expected_width(spread, n, alpha) <= difference),
        topics=topics,
        power_now=math.nan if topics is None else two_sided_power(difference, spread, topics, alpha),
        detectable=math.nan if topics is None else detectable_difference(spread, topics, alpha, power),
    )


def design_from_pilot(
    scores: Scores, measure: str, *, systems: int | None = None, least_coverage: float = 0.0, **settings: float
) -> TopicDesign:
    """The same from the scores of a pilot; as many systems as it has unless another number is given."""
    scores, _ = covered_systems(scores, least_coverage)
    variance = residual_variance(scores, measure)
    largest = float(np.abs(scores[:, :, measure]).max(initial=0.0))
    if variance <= 1e-24 * largest**2:  # what rounding leaves
        raise DataError(
            f"systems differ by the same {measure} on every topic: no plan comes of a pilot without variance"
        )
    count = len(scores.systems) if systems is None else systems
    return design_topics(
        variance, measure=measure, source="pilot", systems=count, topics=len(scores.topics), **settings
    )


def fewest(enough: Callable[[int], bool]) -> int | None:
    """The smallest number of topics, 2 or more, that is enough; None beyond a million."""
    high = LEAST
    while not enough(high):
        if high >= MOST_TOPICS:
            return None
        high = min(2 * high, MOST_TOPICS)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return max(LEAST, high)


def two_sided_power(difference: float, spread: float, topics: int, alpha: float) -> float:
    """The power of a paired t test, by the noncentral t distribution.

    >>> round(two_sided_power(0.5, 1.0, 34, 0.05), 3)
    0.808
    """
    from scipy.special import nctdtr, ndtr, stdtrit

    shift = difference / spread * math.sqrt(topics)
    bound = float(stdtrit(topics - 1, 1 - alpha / 2))
    about = float(ndtr(shift - bound))  # also where the distribution is too far out for scipy
    if topics > 2000:
        return about
    power = float(1 - nctdtr(topics - 1, shift, bound) + np.nan_to_num(nctdtr(topics - 1, shift, -bound)))
    return power if math.isfinite(power) else about


def anova_power(difference: float, variance: float, systems: int, topics: int, alpha: float) -> float:
    """The power of a one-way analysis of variance if the best and the worst of the systems are so far apart.

    The others lie between in the way that makes it hardest: λ = n · difference² / (2σ²).
    """
    from scipy.special import fdtri, ncfdtr

    above, below = systems - 1, systems * (topics - 1)
    bound = float(fdtri(above, below, 1 - alpha))
    return float(1 - ncfdtr(above, below, topics * difference**2 / (2 * variance), bound))


def expected_width(spread: float, topics: int, alpha: float) -> float:
    """The expected width of the confidence interval of a mean difference."""
    from scipy.special import gammaln, stdtrit

    below = (topics - 1) / 2
    shrink = math.exp(float(gammaln(topics / 2) - gammaln(below))) / math.sqrt(below)  # of an estimated deviation
    return 2 * float(stdtrit(topics - 1, 1 - alpha / 2)) * spread * shrink / math.sqrt(topics)


def detectable_difference(spread: float, topics: int, alpha: float, power: float) -> float:
    """The smallest difference that a paired t test on so many topics finds with the power."""
    low, high = 0.0, spread
    while two_sided_power(high, spread, topics, alpha) < power:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if two_sided_power(middle, spread, topics, alpha) >= power else (middle, high)
    return float(np.nextafter(high, np.inf))
