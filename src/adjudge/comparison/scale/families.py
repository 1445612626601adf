"""Families of monotone transformations: the scales that a conclusion is tried on."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...averages.transformations.arcsine import ArcsineTransform
from ...averages.transformations.box_cox import BoxCoxTransform
from ...averages.transformations.log import LogTransform
from ...averages.transformations.logit import LogitTransform
from ...averages.transformations.rank import RankTransform
from ...averages.transformations.standard import StandardTransform
from ...averages.transformations.zscore import ZScoreTransform
from ...core.average import Transformation
from ...core.judged import Floats

EPS = 1e-5


@dataclass(frozen=True)
class Family:
    """Transformations with one parameter, from the one nearest to the plain scale to the farthest."""

    name: str
    parameter: str
    make: Callable[[float], Transformation]
    values: tuple[float, ...]
    forward: Callable[[Floats, Floats], Floats] | None = None
    """The same for many parameters at once: (values made ready, parameters), broadcast against each other."""
    logarithmic: bool = False
    largest: float = math.inf
    """Above it the values of the family lose their differences."""
    ready: Callable[[Floats], Floats] = lambda values: values
    """What can be done once for all parameters."""


def _logarithms(values: Floats) -> Floats:
    return np.log(values + EPS)


def _power(logs: Floats, power: Floats) -> Floats:
    at_zero = np.abs(power) < 1e-12
    powers = power * logs
    np.expm1(powers, out=powers)
    powers /= np.where(at_zero, 1.0, power)
    return np.where(at_zero, logs, powers) if at_zero.any() else powers


def _log(values: Floats, eps: Floats) -> Floats:
    return np.log(values + eps)


def _logit(values: Floats, eps: Floats) -> Floats:
    return np.log((values + eps) / (1.0 - values + eps))


def families(steps: int = 20) -> tuple[Family, ...]:
    """Powers from 2 to −1 with so many steps to the unit, logarithms and log-odds over eight decades of ε, and single
    transformations. Powers and logarithms add ε = 1e-5 unless they vary it."""
    down = tuple(round(1 - i / steps, 6) for i in range(1, 2 * steps + 1))
    up = tuple(round(1 + i / steps, 6) for i in range(1, steps + 1))
    eps = tuple(float(f"{10 ** -(i / max(1, steps // 4)):.3g}") for i in range(8 * max(1, steps // 4) + 1))

    def box_cox(power: float) -> Transformation:
        return BoxCoxTransform(power=power, eps=EPS)

    return (
        Family("power", "power", box_cox, down, _power, largest=1e6, ready=_logarithms),
        Family("power up", "power", box_cox, up, _power, ready=_logarithms),
        Family("log", "eps", lambda e: LogTransform(eps=e), eps, _log, True),
        Family("logit", "eps", lambda e: LogitTransform(eps=e), eps, _logit, True),
        Family("arcsine", "", lambda _: ArcsineTransform(), (0.0,)),
        Family("rank", "", lambda _: RankTransform(), (0.0,)),
        Family("zscore", "", lambda _: ZScoreTransform(), (0.0,)),
        Family("standard", "", lambda _: StandardTransform(), (0.0,)),
    )
