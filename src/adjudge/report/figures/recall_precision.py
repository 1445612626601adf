"""Recall-precision curves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...words import chart_texts
from .canvas import matrix, nothing
from .figure import Figure
from .lines import Plot, places_of
from .scale import figure, linear
from .series import by_value, looks

LEVELS = np.arange(11) / 10


def recall_precision_figure(
    names: Sequence[str],
    precision: npt.ArrayLike,
    *,
    baseline: str = "",
    selected: Sequence[str] = (),
    width: float = 720,
    title: str = "",
) -> Figure:
    """Draw a line for each system: interpolated precision (systems × 11) at recall 0, 0.1 … 1."""
    values = matrix(precision, (len(names), 11), "precision")
    title = title or f"Precision at eleven levels of recall, {len(names):,} systems"
    if not np.isfinite(values).any():
        return nothing(width, title, "no system has a value")
    means = np.array([row[np.isfinite(row)].mean() if np.isfinite(row).any() else np.nan for row in values])
    own = looks(names, by_value(means, "high"), baseline=baseline, selected=selected)
    plot = Plot(width, names, own, left=38, height=min(340.0, width * 0.62))
    across = linear(0, 1, plot.left, plot.right, most=5 if plot.beside else 4)
    up = linear(0, max(1.0, float(np.nanmax(values))), plot.bottom, plot.top, most=5)
    below = plot.canvas.x_axis(across, plot.top, plot.bottom, "recall")
    plot.canvas.y_axis(up, plot.left, plot.right, "precision")
    xs, ys = across(LEVELS), places_of(up, values)
    for s in plot.order():
        points = ", ".join(f"{figure(v)} at {level:g}" for level, v in zip(LEVELS[::5], values[s][::5], strict=True))
        plot.line(s, xs.tolist(), ys[s].tolist(), f"{names[s]}: precision {points}", float(means[s]))
    plot.list_names(by_value(means, "high"))  # at recall 1 all lines lie near 0
    below += plot.rest(plot.bottom + below)
    return plot.canvas.figure(plot.bottom + below + 4, title, chart_texts.precision_lines(len(names)))
