"""Error rates of measures over the number of topics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...words import chart_texts
from .canvas import matrix, nothing
from .figure import Figure
from .lines import Plot, last_points, places_of
from .scale import linear
from .series import by_value, looks


def stability_figure(
    names: Sequence[str],
    sizes: Sequence[int],
    errors: npt.ArrayLike,
    ties: npt.ArrayLike,
    *,
    width: float = 720,
    title: str = "",
) -> Figure:
    """Draw a line for each measure: its error rate over the size of the sets of topics; both arrays are shares."""
    shape = len(names), len(sizes)
    rates, level = matrix(errors, shape, "errors"), matrix(ties, shape, "ties")
    title = title or f"Error rates of {len(names):,} measures over the number of topics"
    if not np.isfinite(rates).any():
        return nothing(width, title, "no measure has an error rate")
    places = np.asarray(sizes, float)
    own = looks(names, by_value(rates[:, -1], "low"))
    plot = Plot(width, names, own, left=44, height=min(340.0, width * 0.6))
    across = linear(0, float(places.max()), plot.left, plot.right, most=6)
    up = linear(0, 100 * float(np.nanmax(rates)), plot.bottom, plot.top, most=6)
    below = plot.canvas.x_axis(across, plot.top, plot.bottom, "topics in a set")
    plot.canvas.y_axis(up, plot.left, plot.right, "comparisons against the majority, %")
    xs, ys = across(places), places_of(up, 100 * rates)
    for s in plot.order():
        text = f"{names[s]}: {rates[s, -1]:.1%} errors and {level[s, -1]:.1%} ties with {sizes[-1]:,} topics"
        plot.line(s, xs.tolist(), ys[s].tolist(), text, float(rates[s, -1]), markers=True)
    plot.labels(last_points(xs, ys), markers=True)
    below += plot.rest(plot.bottom + below)
    return plot.canvas.figure(plot.bottom + below + 4, title, chart_texts.error_lines(len(names)))
