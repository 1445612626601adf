"""Where parameters are looked for: the values or the range of each, and the way through them.

    k1 = [0.3, 0.6, 0.9, 1.2]                              these values
    b = { low = 0.0, high = 1.0, steps = 5 }               a range; steps for a grid
    mu = { low = 10, high = 5000, log = true, steps = 8 }  evenly on a logarithmic scale
    depth = { low = 5, high = 50, whole = true }           whole numbers

``grid`` takes every combination, ``random`` draws combinations by the seed, ``sequential`` lets optuna propose the next
from what the last ones gave.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.errors import MissingExtraError, SpecError
from ..core.spec import is_count, is_number
from .named_systems import points_of

SEARCHES = ("grid", "random", "sequential")
KEYS = ("low", "high", "steps", "log", "whole")
Point = Mapping[str, Any]


@dataclass(frozen=True)
class Axis:
    """One parameter: some values, or a range."""

    values: tuple[Any, ...] = ()
    low: float = math.nan
    high: float = math.nan
    steps: int = 0
    log: bool = False
    whole: bool = False

    @classmethod
    def of(cls, given: Any) -> Axis:
        """A list of values, or a table with low and high."""
        if isinstance(given, Axis):
            return given
        if isinstance(given, list | tuple):
            if not given:
                raise SpecError("a list of values must not be empty")
            return cls(tuple(given))
        if not isinstance(given, Mapping) or not {"low", "high"} <= set(given) <= set(KEYS):
            raise SpecError(f"must be a list of values, or low and high with steps, log, whole, not {given!r}")
        axis = cls(**given)
        if not (is_number(axis.low) and is_number(axis.high) and axis.low < axis.high):
            raise SpecError(f"low must be a number below high, not {axis.low!r} and {axis.high!r}")
        if axis.log and axis.low <= 0:
            raise SpecError(f"on a logarithmic scale low must be above 0, not {axis.low!r}")
        if axis.steps and not (is_count(axis.steps) and axis.steps > 1):
            raise SpecError(f"steps must be a whole number of at least 2, not {axis.steps!r}")
        return axis

    def grid(self) -> tuple[Any, ...]:
        """The values of a grid."""
        if self.values:
            return self.values
        if not self.steps:
            raise SpecError("a grid needs steps, or a list of values")
        ends = (math.log(self.low), math.log(self.high)) if self.log else (float(self.low), float(self.high))
        spaced = np.linspace(*ends, self.steps)
        return tuple(dict.fromkeys(self._value(float(np.exp(x) if self.log else x)) for x in spaced))

    def draw(self, rng: np.random.Generator) -> Any:
        """One value, drawn evenly."""
        if self.values:
            return self.values[int(rng.integers(len(self.values)))]
        if self.log:
            return self._value(float(np.exp(rng.uniform(math.log(self.low), math.log(self.high)))))
        return self._value(float(rng.uniform(self.low, self.high)))

    def _value(self, x: float) -> Any:
        if self.whole:
            return int(min(max(round(x), math.ceil(self.low)), math.floor(self.high)))
        return float(f"{min(max(x, self.low), self.high):.4g}")

    def propose(self, trial: Any, name: str) -> Any:
        """What optuna proposes next."""
        if self.values:
            return self.values[trial.suggest_int(name, 0, len(self.values) - 1)]
        if self.whole:
            return trial.suggest_int(name, math.ceil(self.low), math.floor(self.high), log=self.log)
        return self._value(trial.suggest_float(name, self.low, self.high, log=self.log))


def fixed_points(axes: Mapping[str, Axis], search: str, trials: int, seed: int) -> list[Point]:
    """The points of a grid, or so many drawn at random, each once; neither depends on any score."""
    if search == "grid":
        return list(points_of({name: axis.grid() for name, axis in axes.items()}))
    rng = np.random.default_rng([seed, 2])
    drawn: dict[str, Point] = {}
    for _ in range(20 * trials):
        if len(drawn) == trials:
            break
        point = {name: axis.draw(rng) for name, axis in axes.items()}
        drawn.setdefault(repr(point), point)
    return list(drawn.values())


class SequentialSearches:
    """Several searches side by side, each guided by the scores that it gets; the same seed proposes the same."""

    def __init__(self, axes: Mapping[str, Axis], count: int, seed: int) -> None:
        try:
            import optuna
        except ImportError:
            raise MissingExtraError("a sequential search needs optuna: pip install 'adjudge[tune]'") from None
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.axes = axes
        samplers = [optuna.samplers.TPESampler(seed=seed * 1000 + number) for number in range(count)]
        self._studies = [optuna.create_study(direction="maximize", sampler=sampler) for sampler in samplers]
        self._asked: list[Any] = []

    def ask(self) -> list[Point]:
        """The next point of each search."""
        self._asked = [study.ask() for study in self._studies]
        return [{name: axis.propose(trial, name) for name, axis in self.axes.items()} for trial in self._asked]

    def tell(self, worth: Sequence[float]) -> None:
        """What each point was worth, more being better."""
        for study, trial, value in zip(self._studies, self._asked, worth, strict=True):
            study.tell(trial, value)


def describe(axes: Mapping[str, Axis]) -> Iterator[tuple[str, Any]]:
    """The axes as a plan has them."""
    for name, axis in axes.items():
        if axis.values:
            yield name, list(axis.values)
        else:
            yield name, {key: getattr(axis, key) for key in KEYS if getattr(axis, key)}
