"""The power of a one-sided t test over topics, and how many topics a test would take."""

from __future__ import annotations

import math

MOST_TOPICS = 1_000_000
"""Beyond this a number of topics is useless as advice."""

LARGE = 2_000
"""From so many topics on Student's distribution is taken to be normal."""


def one_sided_power(margin: float, spread: float, topics: int, alpha: float) -> float:
    """The probability that a one-sided t test shows a mean difference above 0 which is ``margin`` in truth.

    ``spread`` is the standard deviation of the differences. By the noncentral t distribution with n − 1 degrees of
    freedom and noncentrality margin / (spread / √n).

    >>> round(one_sided_power(0.5, 1.0, 27, 0.05), 3)
    0.812
    """
    from scipy.special import nctdtr, ndtr, ndtri, stdtrit

    if spread == 0:
        return 1.0 if margin > 0 else 0.0
    shift = margin / spread * math.sqrt(topics)
    if topics > LARGE:
        return float(ndtr(shift - ndtri(1 - alpha)))
    power = 1 - float(nctdtr(topics - 1, shift, stdtrit(topics - 1, 1 - alpha)))
    return power if math.isfinite(power) else float(shift > 0)


def topics_for(margin: float, spread: float, alpha: float, power: float) -> int | None:
    """The fewest topics with which a one-sided t test has this power; None where no number up to a million will do.

    >>> topics_for(0.5, 1.0, 0.05, 0.8)
    27
    """
    if not margin > 0 or not math.isfinite(spread):
        return None
    high = 2
    while one_sided_power(margin, spread, high, alpha) < power:
        if high >= MOST_TOPICS:
            return None
        high = min(2 * high, MOST_TOPICS)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if one_sided_power(margin, spread, middle, alpha) < power:
            low = middle
        else:
            high = middle
    return max(2, high)


def detectable_margin(spread: float, topics: int, alpha: float, power: float) -> float:
    """The smallest true difference that a one-sided t test on so many topics shows with this power.

    >>> round(detectable_margin(1.0, 27, 0.05, 0.8), 2)
    0.49
    """
    low, high = 0.0, max(spread, 1e-300)
    while one_sided_power(high, spread, topics, alpha) < power:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        if one_sided_power(middle, spread, topics, alpha) < power:
            low = middle
        else:
            high = middle
    return high
