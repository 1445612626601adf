"""Scales that map values to places: linear and logarithmic, with ticks at 1, 2 and 5."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from ...core.judged import Floats

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Scale:
    """Values from ``low`` to ``high`` lie at places from ``start`` to ``stop``; the ticks lie between."""

    low: float
    high: float
    start: float
    stop: float
    ticks: tuple[float, ...]
    log: bool = False

    @overload
    def __call__(self, value: float) -> float: ...
    @overload
    def __call__(self, value: Floats) -> Floats: ...
    def __call__(self, value: float | Floats) -> float | Floats:
        """The place of a value; what lies outside is put on the edge."""
        inside = np.clip(value, self.low, self.high)
        if self.log:
            part = np.log(inside / self.low) / math.log(self.high / self.low)
        else:
            part = (inside - self.low) / (self.high - self.low)
        place = self.start + part * (self.stop - self.start)
        return float(place) if np.ndim(place) == 0 else place

    def labels(self) -> list[str]:
        """The ticks as people read them, all with the same number of decimals."""
        if self.log:
            return [number(tick) for tick in self.ticks]
        step = min((b - a for a, b in zip(self.ticks, self.ticks[1:], strict=False)), default=abs(self.high - self.low))
        return [number(tick, step) for tick in self.ticks]


def linear(
    low: float,
    high: float,
    start: float,
    stop: float,
    *,
    most: int = 6,
    widen: bool = True,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Scale:
    """A scale that holds low to high; ``widen`` moves its ends out to the next ticks, but not beyond the bounds."""
    low, high = apart(low, high, bounds)
    step = step_of(low, high, most)
    if widen:
        low = max(math.floor(low / step + 1e-9) * step, bounds[0])
        high = min(math.ceil(high / step - 1e-9) * step, bounds[1])
    return Scale(low, high, start, stop, linear_ticks(low, high, step))


def apart(low: float, high: float, bounds: tuple[float, float] = (-math.inf, math.inf)) -> tuple[float, float]:
    """Two ends that differ enough to have something between them."""
    low, high = min(low, high), max(low, high)
    if high - low > 1e-9 * max(abs(low), abs(high)):
        return low, high
    room = abs(low) * 0.1 or 0.5
    return max(low - room, bounds[0]), min(high + room, bounds[1])


def step_of(low: float, high: float, most: int) -> float:
    """The smallest of 1, 2, 5, 10, … with which no more than ``most`` steps lie between low and high."""
    rough = (high - low) / max(most, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    return next((factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9)), 20 * power)


def linear_ticks(low: float, high: float, step: float) -> tuple[float, ...]:
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(float(f"{count * step:.12g}") for count in range(first, last + 1))


def logarithmic(low: float, high: float, start: float, stop: float, *, most: int = 7) -> Scale:
    """A logarithmic scale from low to high, both above 0; ticks at powers of ten, at 2 and 5 too if there is room."""
    if high / low < 1.0001:
        low, high = low / 2, high * 2
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for factors in ((1, 2, 5), (1, 3), (1,)):
        ticks = [float(f"{f}e{e}") for e in range(first, last + 1) for f in factors if low <= f * 10.0**e <= high]
        if len(ticks) <= most:
            break
    ticks = ticks[:: math.ceil(len(ticks) / most)] if ticks else [low, high]
    return Scale(low, high, start, stop, tuple(ticks), log=True)


def number(value: float, step: float = 0.0) -> str:
    """A number on an axis: with as many decimals as the step between ticks needs, − for minus, powers when it is huge.

    >>> number(0.25, 0.05), number(-3.0), number(12000.0), number(3e9)
    ('0.25', '−3', '12,000', '3·10⁹')
    """
    if value == 0:
        return "0"
    if abs(value) >= 1e7 or (abs(value) < 1e-4 and (not step or step < 1e-4)):
        power = math.floor(math.log10(abs(value)) + 1e-12)
        front = f"{value / 10.0**power:.3g}" if power > -300 else "0"
        text = ("" if front == "1" else f"{front}·") + "10" + str(power).translate(SUPERSCRIPTS)
    elif step:
        text = f"{value:,.{max(0, -math.floor(math.log10(step) + 1e-9))}f}"
    else:
        text = f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}"
    return text.replace("-", "−")


def figure(value: float) -> str:
    """Format a value for hover texts: four decimals for what measures give, none for counts."""
    if not math.isfinite(value):
        return "no value"
    return number(value) if value == round(value) or abs(value) >= 1e5 or abs(value) < 1e-3 else minus(f"{value:.4f}")


def signed_text(value: float) -> str:
    """Format a value with its sign: +0.12, −0.3, 0."""
    return ("+" if value > 0 else "") + figure(value)


def minus(text: str) -> str:
    return text.replace("-", "−")


def span(values: npt.ArrayLike) -> tuple[float, float] | None:
    """The smallest and the largest of the finite values; None if there are none."""
    array = np.asarray(values, float)
    finite = array[np.isfinite(array)]
    return (float(finite.min()), float(finite.max())) if finite.size else None
