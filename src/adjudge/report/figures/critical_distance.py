"""The critical-distance diagram of Demšar: mean ranks on a line, bars over those that do not differ significantly."""

from __future__ import annotations

from collections.abc import Sequence

from ...comparison.rank_groups import group_bars
from ...words import chart_texts
from .canvas import Canvas, matrix, nothing
from .figure import Figure
from .scale import linear
from .series import looks
from .wording import fit_text

ROW, BAR = 17.0, 8.0
"""Between labels, and between bars."""


def critical_distance_figure(
    names: Sequence[str],
    mean_ranks: Sequence[float],
    distance: float,
    *,
    selected: Sequence[str] = (),
    width: float = 720,
    title: str = "",
) -> Figure:
    """Draw mean ranks over topics, the better half to the left; bars join systems within the critical distance.

    Colours are those of other figures for which the same systems are selected.
    """
    values = matrix(mean_ranks, (len(names),), "mean ranks").tolist()
    title = title or f"Mean ranks of {len(names):,} systems, critical distance {distance:.2f}"
    order = sorted((i for i, rank in enumerate(values) if 1 <= rank <= len(names)), key=lambda i: values[i])
    if not order:
        return nothing(width, title, "no system has a rank")
    ranks = [values[i] for i in order]
    canvas = Canvas(width)
    side = width * 0.24
    scale = linear(1, max(len(names), 2), side, width - side, most=8, bounds=(1, max(len(names), 2)))
    across = min(scale(1 + distance), width - 4)
    canvas.line(scale(1), 12, across, 12, "ad-line ad-s0")
    canvas.text((scale(1) + across) / 2, 28, f"critical distance {distance:.2f}", "ad-soft ad-small ad-middle")
    axis = 62.0
    canvas.line(scale.start, axis, scale.stop, axis, "ad-axis")
    for tick, label in zip(scale.ticks, scale.labels(), strict=True):
        canvas.line(scale(tick), axis - 5, scale(tick), axis, "ad-axis")
        canvas.text(scale(tick), axis - 10, label, "ad-soft ad-small ad-middle")
    bars = group_bars(ranks, distance)
    levels = _stack(bars)
    for (first, last), level in zip(bars, levels, strict=True):
        y = axis + 9 + BAR * level
        canvas.line(scale(ranks[first]) - 4, y, scale(ranks[last]) + 4, y, "ad-line ad-s0")
    top = axis + 16 + BAR * (max(levels, default=0) + 1)
    half, own = (len(order) + 1) // 2, looks(names, order, selected=selected)
    for place, i in enumerate(order):
        row = place if place < half else len(order) - 1 - place
        x, y = scale(ranks[place]), top + ROW * (row + 1)
        name, hover = names[i], chart_texts.mean_rank_hover(names[i], values[i])
        canvas.group({"system": name, "value": float(values[i])}, hover)
        end = side - 8 if place < half else width - side + 8
        colour = f"ad-thin ad-s{own[i].slot}"
        canvas.line(x, axis, x, y, colour)
        canvas.line(x, y, end, y, colour)
        canvas.close()
        label = fit_text(f"{name} {values[i]:.2f}", side - 14)
        if place < half:
            canvas.text(side - 12, y + 4, label, "ad-text ad-end", title=name)
        else:
            canvas.text(width - side + 12, y + 4, label, "ad-text", title=name)
    return canvas.figure(top + ROW * (half + 1) + 8, title, chart_texts.critical_distance(len(names), distance))


def _stack(bars: Sequence[tuple[int, int]]) -> list[int]:
    """A level for each bar, so that no two on one level touch."""
    ends: list[int] = []
    levels = []
    for first, last in bars:
        level = next((n for n, end in enumerate(ends) if end < first), len(ends))
        ends[level : level + 1] = [last]
        levels.append(level)
    return levels
