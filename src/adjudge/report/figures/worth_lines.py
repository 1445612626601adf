"""Value of systems for every price of reading."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...comparison.known_item.value import Interval
from ...core.english import listing
from ...core.errors import DataError
from ...core.judged import Floats
from ...words import chart_texts
from .canvas import Canvas, matrix, nothing
from .figure import Figure
from .lines import Plot
from .scale import Scale, figure, linear, logarithmic, number
from .series import Look, looks
from .wording import fit_text, wide

POINTS = 48
STRIP = 10.0


def value_figure(
    names: Sequence[str],
    items: npt.ArrayLike,
    work: npt.ArrayLike,
    *,
    parts: Sequence[Interval] | None = None,
    ratios: Sequence[float] = (),
    questions: int = 0,
    baseline: str = "",
    selected: Sequence[str] = (),
    width: float = 720,
    title: str = "",
) -> Figure:
    """Worth in items found, V/v = G − W·c/v, against v/c on a logarithmic axis, and below it who is worth most where.

    ``items`` and ``work``: G and W of each system; ``parts``: who is best where (value.partition), worked out from
    them if not given; ``ratios``: v/c of interest, marked. A line begins where its system is worth more than nothing.
    """
    gains = matrix(items, (len(names),), "items found")
    costs = matrix(work, (len(names),), "documents read")
    title = title or f"What {len(names):,} systems are worth, for every price of reading"
    if np.nanmin(np.concatenate([gains, costs]), initial=0.0) < 0:
        raise DataError("items found and documents read of a figure must be at least 0")
    if not np.nanmax(gains, initial=0.0) > 0:
        return nothing(width, title, "no system finds anything, so none is worth its reading")
    shares = list(parts) if parts is not None else envelope(names, gains, costs)
    leaders = list(dict.fromkeys(name for part in shares for name in part.best))
    order = sorted(range(len(names)), key=lambda s: (names[s] not in leaders, -np.nan_to_num(gains[s]), s))
    own = looks(names, order, baseline=baseline, selected=[*selected, *leaders] if selected else ())
    plot = Plot(width, names, own, left=40, height=min(330.0, width * 0.65))
    across = _prices(gains, costs, shares, ratios, plot)
    up = linear(0, max(float(questions), float(np.nanmax(gains))), plot.bottom, plot.top, most=6, widen=False)
    plot.canvas.y_axis(up, plot.left, plot.right, "worth, in items found")
    plot.canvas.x_axis(across, plot.top, plot.bottom)
    for ratio in ratios:
        if across.low <= ratio <= across.high:
            plot.canvas.line(across(ratio), plot.top, across(ratio), plot.bottom, "ad-axis ad-dashed")
    ends = [(float("nan"), float("nan"))] * len(names)
    for s in plot.order():
        ends[s] = _line(plot, s, float(gains[s]), float(costs[s]), across, up)
    plot.labels(ends)
    y = plot.bottom + 26
    _strip(plot, shares, across, y)
    worth = "v/c: what an item is worth, in documents read"
    plot.canvas.text((plot.left + plot.right) / 2, y + STRIP + 36, worth, "ad-text ad-middle")
    below = y + STRIP + 44
    below += plot.rest(below)
    absent = [names[s] for s, end in enumerate(ends) if not np.isfinite(end[0])]
    if absent:
        below += plot.canvas.note(plot.left, below, chart_texts.never_worth_reading(absent))
    return plot.canvas.figure(below + 4, title, chart_texts.worth(len(names), leaders))


def envelope(names: Sequence[str], gains: Floats, costs: Floats) -> list[Interval]:
    """Find the best systems for each v/c from 0 up: the upper envelope of the lines x·G − W."""
    there = [s for s in range(len(names)) if np.isfinite(gains[s]) and np.isfinite(costs[s])]
    intervals: list[Interval] = []
    x = 0.0
    best = min(there, key=lambda s: (costs[s], -gains[s]))
    while True:
        level = tuple(names[s] for s in there if gains[s] == gains[best] and costs[s] == costs[best])
        steeper = [s for s in there if gains[s] > gains[best]]
        if not steeper:
            return [*intervals, Interval(x, float("inf"), level, level)]
        meets = {s: (costs[s] - costs[best]) / (gains[s] - gains[best]) for s in steeper}
        following = min(steeper, key=lambda s: (meets[s], -gains[s]))
        if meets[following] > x:
            intervals.append(Interval(x, float(meets[following]), level, level))
            x = float(meets[following])
        best = following


def _prices(gains: Floats, costs: Floats, shares: Sequence[Interval], ratios: Sequence[float], plot: Plot) -> Scale:
    """Choose the axis from where the first system has a positive value to well beyond the last change of the best."""
    pays = [float(w / g) for g, w in zip(gains, costs, strict=True) if g > 0 and w > 0]
    turns = [x for part in shares for x in (part.low, part.high) if np.isfinite(x) and x > 0]
    asked = [float(x) for x in ratios if np.isfinite(x) and x > 0]
    low = min([*pays, *turns, *asked], default=1.0)
    high = max([10 * p for p in pays] + [4 * t for t in turns] + [1.5 * x for x in asked], default=10.0)
    return logarithmic(low / 1.3, high, plot.left, plot.right, most=max(3, int((plot.right - plot.left) / 75)))


def _line(plot: Plot, s: int, gain: float, cost: float, across: Scale, up: Scale) -> tuple[float, float]:
    nowhere = float("nan"), float("nan")
    if not (np.isfinite(gain) and np.isfinite(cost)) or gain <= 0 or cost / gain >= across.high:
        return nowhere
    prices = np.geomspace(max(across.low, cost / gain), across.high, POINTS if plot.own[s].slot else POINTS // 2)
    worth = gain - cost / prices
    hover = f"{plot.names[s]}: {number(gain)} found, {number(cost)} {'document' if cost == 1 else 'documents'} read; "
    hover += f"worth more than nothing from v/c = {figure(cost / gain)}"
    xs, ys = across(prices), up(worth)
    plot.line(s, xs.tolist(), ys.tolist(), hover, gain)
    return float(xs[-1]), float(ys[-1])


def _strip(plot: Plot, shares: Sequence[Interval], across: Scale, y: float) -> None:
    """A bar below the axis, in the colour and with the name of the system that is worth most there."""
    own: dict[str, Look] = dict(zip(plot.names, plot.own, strict=True))
    canvas: Canvas = plot.canvas
    for part in shares:
        if part.high < across.low or part.low > across.high:
            continue
        x0, x1 = across(max(part.low, across.low)), across(min(part.high, across.high))
        who = listing(part.best)
        until = f"to {number(part.high)}" if np.isfinite(part.high) else "up"
        hover = f"v/c from {number(part.low)} {until}: {who}"
        slot = own[part.best[0]].slot if part.best and part.best[0] in own else 0
        data: dict[str, str | float] = {"system": who, "low": part.low, "high": part.high}
        canvas.rect(x0, y, max(x1 - x0 - 1, 0.5), STRIP, f"ad-f{slot} ad-share", title=hover, data=data)
        label = fit_text(who, x1 - x0 - 10, 11)
        if len(label) > 2 and wide(label, 11) <= x1 - x0 - 8:
            canvas.text((x0 + x1) / 2, y + STRIP + 14, label, "ad-text ad-small ad-middle", title=hover)
    if plot.beside:
        canvas.text(plot.right + 10, y + 9, "worth most", "ad-soft ad-small")
