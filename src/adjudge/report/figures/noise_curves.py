"""Effectiveness against noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...core.errors import DataError
from ...core.judged import Floats
from ...words import chart_texts
from .canvas import matrix, nothing
from .figure import Figure
from .lines import Plot, last_points, places_of
from .scale import figure, linear, span
from .series import by_value, looks
from .wording import fit_text

CLOSE = 44.0
"""Versions nearer to each other than this could not be distinguished on an axis of error rates."""


def noise_figure(
    names: Sequence[str],
    versions: Sequence[str],
    means: npt.ArrayLike,
    intervals: npt.ArrayLike | None = None,
    *,
    rates: Sequence[float] | None = None,
    measure: str = "",
    better: str = "high",
    baseline: str = "",
    selected: Sequence[str] = (),
    width: float = 720,
    title: str = "",
) -> Figure:
    """Draw a line for each system over the versions: ``means`` systems × versions, ``intervals`` the same × 2.

    ``rates``: the error rate of each version (0 to 1), which then is the horizontal axis; without it, or where rates
    are too close to each other, the versions are equally far apart.
    """
    values = matrix(means, (len(names), len(versions)), "means")
    bounds = np.full((*values.shape, 2), np.nan)
    if intervals is not None:
        bounds = matrix(intervals, (*values.shape, 2), "intervals")
    if rates is not None and len(rates) != len(versions):
        raise DataError(f"{len(versions)} versions of a figure have {len(rates)} error rates")
    title = title or f"{measure or 'Effectiveness'} on {', '.join(versions)}"
    if not np.isfinite(values).any():
        return nothing(width, title, "no system has a value")
    own = looks(names, by_value(values[:, 0], better), baseline=baseline, selected=selected)
    coloured = np.array([look.slot > 0 for look in own])
    reach = span(np.concatenate([values.ravel(), bounds[coloured].ravel()])) or (0.0, 1.0)
    plot = Plot(width, names, own, left=44, height=min(360.0, width * 0.7))
    low, high = (0.0 if reach[0] >= 0 else reach[0]), reach[1]
    up = linear(low, high, plot.bottom, plot.top, most=6, bounds=(-np.inf, 1.0 if high <= 1 else np.inf))
    plot.canvas.y_axis(up, plot.left, plot.right, measure)
    shift = _shifts(own, len(versions), plot.right - plot.left)
    margin = max(map(abs, shift), default=0.0) + 10
    xs, true = _places(rates, len(versions), plot.left + margin, plot.right - margin)
    below = _axis(plot, versions, xs, rates if true else None)
    ys = places_of(up, values)
    for s in plot.order():
        here = (xs + shift[s]).tolist()
        _intervals(plot, s, here, places_of(up, bounds[s]))
        known = [f"{v} {figure(float(m))}" for v, m in zip(versions, values[s], strict=True)]
        first = float(values[s, 0])
        plot.line(s, here, ys[s].tolist(), f"{names[s]}: {measure} {', '.join(known)}", first, markers=True)
    ends = last_points(xs, ys)
    plot.labels([(x + shift[s], y) for s, (x, y) in enumerate(ends)], markers=True)
    below += plot.rest(plot.bottom + below)
    alt = chart_texts.means_over_versions(len(names), versions, measure)
    return plot.canvas.figure(plot.bottom + below + 4, title, alt)


def _shifts(own: Sequence[object], versions: int, room: float) -> list[float]:
    """Sideways, so that the intervals of systems that stand out do not lie upon each other."""
    shown = [s for s, look in enumerate(own) if getattr(look, "slot", 0)]
    step = min(5.0, room / max(versions, 1) * 0.35 / max(len(shown), 1))
    places = {s: (n - (len(shown) - 1) / 2) * step for n, s in enumerate(shown)}
    return [places.get(s, 0.0) for s in range(len(own))]


def _places(rates: Sequence[float] | None, count: int, start: float, stop: float) -> tuple[Floats, bool]:
    even = np.linspace(start, stop, count) if count > 1 else np.array([(start + stop) / 2])
    if rates is None or count < 2:
        return even, False
    array = np.asarray(rates, float)
    if not np.isfinite(array).all() or array.max() <= array.min():
        return even, False
    xs = start + (array - array.min()) / (array.max() - array.min()) * (stop - start)
    return (xs, True) if np.diff(np.sort(xs)).min() >= CLOSE else (even, False)


def _axis(plot: Plot, versions: Sequence[str], xs: Floats, rates: Sequence[float] | None) -> float:
    order = np.argsort(xs)
    gaps = np.diff(xs[order]).tolist() or [plot.right - plot.left]
    room = min(gaps) - 6
    for v, (name, x) in enumerate(zip(versions, xs.tolist(), strict=True)):
        plot.canvas.line(x, plot.top, x, plot.bottom, "ad-grid")
        edge = min(room, 2 * min(x, plot.canvas.width - x))
        plot.canvas.text(x, plot.bottom + 16, fit_text(name, edge, 11), "ad-text ad-small ad-middle", title=name)
        if rates is not None:
            plot.canvas.text(x, plot.bottom + 30, f"{rates[v] * 100:.3g} %", "ad-soft ad-tiny ad-middle")
    if rates is None:
        return 26.0
    plot.canvas.text((plot.left + plot.right) / 2, plot.bottom + 48, "error rate", "ad-text ad-middle")
    return 54.0


def _intervals(plot: Plot, system: int, xs: Sequence[float], bounds: Floats) -> None:
    look = plot.own[system]
    if not look.slot:
        return
    for x, (low, high) in zip(xs, bounds.tolist(), strict=True):
        if np.isfinite(low) and np.isfinite(high):
            plot.canvas.line(x, low, x, high, f"ad-thin ad-s{look.slot}")
