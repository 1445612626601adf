"""Box plots of the values of each system over the topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ...core.english import quantity
from ...core.judged import Floats
from ...words import chart_texts
from .canvas import Canvas, at, matrix, nothing
from .figure import Figure
from .scale import Scale, figure, linear, span
from .series import BEST, Look, by_value, looks, outline
from .wording import fit_label, longest_label, visible

DOTS = 1200
"""More dots show no more and make the file too large."""

WORDED = 700
"""Dots up to which each has the text of its topic."""

LABELLED = 60
THIN = 5.0


def distribution_figure(
    names: Sequence[str],
    values: npt.ArrayLike,
    *,
    topics: Sequence[str] = (),
    measure: str = "",
    better: str = "high",
    texts: Mapping[str, str] | None = None,
    baseline: str = "",
    selected: Sequence[str] = (),
    width: float = 720,
    title: str = "",
) -> Figure:
    """Draw a row for each system, the best mean first: box between quartiles, median, mean, a dot for each topic.

    ``values``: systems × topics. Where dots would be more than 1,200 lines from 5 % to 95 % take their place.
    """
    array = np.asarray(values, dtype=object)
    cells = matrix(values, (len(names), array.shape[1] if array.ndim == 2 else len(topics)), "values")
    title = (
        title or f"{measure or 'Values'} of {quantity(len(names), 'system')} over {quantity(cells.shape[1], 'topic')}"
    )
    reach = span(cells)
    if reach is None:
        return nothing(width, title, "no system has a value")
    named = list(topics) if len(topics) == cells.shape[1] else [""] * cells.shape[1]
    order = by_value(_means(cells), better)
    own = looks(names, order, baseline=baseline, selected=selected)
    dotted = int(np.isfinite(cells).sum()) <= DOTS
    worded = (texts or {}) if int(np.isfinite(cells).sum()) <= WORDED else {}
    all_labelled = len(names) <= LABELLED
    labelled = {s for n, s in enumerate(order) if all_labelled or n < BEST or own[s].slot}
    tall = 30.0 if len(names) <= 14 and dotted else 19.0
    canvas = Canvas(width)
    left = min(longest_label([names[s] for s in labelled], baseline) + 14, width * 0.34)
    scale = linear(*reach, left, width - 14, most=max(3, int((width - left) / 80)), bounds=_bounds(*reach))
    top = 26.0
    _key(canvas, dotted=dotted, left=left)
    heights = {s: tall if s in labelled else THIN for s in order}
    bottom = top + sum(heights.values()) + 4
    below = canvas.x_axis(scale, top, bottom, measure)
    y = top + 2
    for s in order:
        row = cells[s]
        if s in labelled:
            strong = "ad-text ad-end" + (" ad-bold" if names[s] == baseline else "")
            label = fit_label(names[s], left - 14, bold=names[s] == baseline)
            canvas.text(left - 12, y + tall / 2 + 4, label, strong, title=names[s])
        _row(canvas, names[s], row, own[s], scale, y, heights[s], measure)
        if dotted and s in labelled:
            _dots(canvas, names[s], row, own[s], named, worded, scale, y, heights[s])
        canvas.close()
        y += heights[s]
    return canvas.figure(bottom + below, title, chart_texts.boxes(dotted=dotted))


def _means(cells: Floats) -> Floats:
    return np.array([row[np.isfinite(row)].mean() if np.isfinite(row).any() else np.nan for row in cells])


def _bounds(low: float, high: float) -> tuple[float, float]:
    return (0.0 if low >= 0 else -np.inf), (1.0 if high <= 1 else np.inf)


def _key(canvas: Canvas, *, dotted: bool, left: float) -> None:
    """Explain the signs above the chart."""
    x, y = max(2.0, min(left, canvas.width - 310)), 11.0
    canvas.rect(x, y - 5, 26, 10, "ad-f0 ad-box")
    canvas.line(x + 13, y - 6, x + 13, y + 6, "ad-line ad-s0")
    canvas.text(x + 32, y + 4, "quartiles, median", "ad-soft ad-small")
    canvas.path(outline("diamond", x + 142, y, 3), "ad-f0")
    canvas.text(x + 152, y + 4, "mean", "ad-soft ad-small")
    if dotted:
        canvas.circle(x + 200, y, 2.4, "ad-f0 ad-dot")
        canvas.text(x + 208, y + 4, "one topic", "ad-soft ad-small")
    else:
        canvas.line(x + 194, y, x + 212, y, "ad-thin ad-s0")
        canvas.text(x + 218, y + 4, "5 % to 95 %", "ad-soft ad-small")


def _row(
    canvas: Canvas, name: str, row: Floats, look: Look, scale: Scale, y: float, height: float, measure: str
) -> None:
    there = row[np.isfinite(row)]
    middle = y + height / 2
    if not there.size:
        canvas.group({"system": name, "value": float("nan")}, f"{name}: no value")
        canvas.text(scale.start + 4, middle + 4, "no value", "ad-soft ad-tiny")
        return
    low, first, median, third, high = np.quantile(there, [0.05, 0.25, 0.5, 0.75, 0.95]).tolist()
    mean = float(there.mean())
    what = f"{name}: {measure + ' ' if measure else ''}"
    middle_half = f"half of {there.size:,} topics from {figure(first)} to {figure(third)}"
    hover = f"{what}median {figure(median)}, mean {figure(mean)}, {middle_half}"
    if there.size == 1:
        hover = f"{what}{figure(mean)} on the only topic"
    canvas.group({"system": name, "value": median, "mean": mean, "low": first, "high": third}, hover)
    canvas.rect(scale.start, y, scale.stop - scale.start, height, "ad-catch")
    thin = height <= THIN
    half = 1.6 if thin else min(height * 0.36, 9)
    if thin or height < 25:
        canvas.line(scale(low), middle, scale(high), middle, f"ad-thin {'ad-haze' if thin else f'ad-s{look.slot}'}")
    canvas.rect(scale(first), middle - half, max(scale(third) - scale(first), 1), 2 * half, f"{look.fill} ad-box")
    x = scale(median)
    canvas.line(x, middle - half - 1, x, middle + half + 1, f"ad-{'thin' if thin else 'line'} ad-s{look.slot}")
    if not thin:
        canvas.path(outline("diamond", scale(mean), middle, 3.2), f"{look.fill} ad-hair")


def _dots(
    canvas: Canvas,
    name: str,
    row: Floats,
    look: Look,
    topics: Sequence[str],
    texts: Mapping[str, str],
    scale: Scale,
    y: float,
    height: float,
) -> None:
    """Dots that would lie upon each other move up and down by turns, as far as the row goes."""
    radius = 2.0 if height > 25 else 1.5
    taken: dict[int, int] = {}
    reach = height / 2 - radius - 1
    for t in np.argsort(row, kind="stable").tolist():
        value = float(row[t])
        if not np.isfinite(value):
            continue
        x = scale(value)
        place = int(x // (2 * radius))
        n = taken[place] = taken.get(place, -1) + 1
        step = (n + 1) // 2 * (1 if n % 2 else -1) * radius * 1.7
        offset = step if abs(step) <= reach else (step % (2 * reach)) - reach
        text = visible(texts.get(topics[t], ""))
        hover = f"{name}, {topics[t]}: {figure(value)}" + (f" — {text}" if text else "")
        data: dict[str, str | float] = {"topic": topics[t], "value": value}
        canvas.circle(float(at(x)), y + height / 2 + offset, radius, f"{look.fill} ad-dot", title=hover, data=data)
