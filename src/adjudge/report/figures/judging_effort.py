"""Relevant documents over judgments: how fast each order of judging finds them."""

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


def effort_figure(
    names: Sequence[str],
    judged: npt.ArrayLike,
    found: npt.ArrayLike,
    *,
    baseline: str = "",
    selected: Sequence[str] = (),
    width: float = 720,
    title: str = "",
) -> Figure:
    """Draw a line for each order: the share of relevant documents found, after each share of the pool is judged."""
    places = np.asarray(judged, float)
    values = matrix(found, (len(names), len(places)), "found")
    title = title or f"Relevant documents found, {len(names):,} orders of judging"
    if not np.isfinite(values).any():
        return nothing(width, title, "no order has a value")
    means = values.mean(axis=1)
    order = by_value(means, "high")
    own = looks(names, order, baseline=baseline, selected=selected)
    plot = Plot(width, names, own, left=38, height=min(340.0, width * 0.62))
    across = linear(0, float(places.max()), plot.left, plot.right, most=5 if plot.beside else 4)
    up = linear(0, 1.0, plot.bottom, plot.top, most=5)
    below = plot.canvas.x_axis(across, plot.top, plot.bottom, "share of the pool judged")
    plot.canvas.y_axis(up, plot.left, plot.right, "share of the relevant documents found")
    xs, ys = across(places), places_of(up, values)
    for s in plot.order():
        text = f"{names[s]}: {figure(float(means[s]))} on average over all shares judged"
        plot.line(s, xs.tolist(), ys[s].tolist(), text, float(means[s]))
    plot.list_names(order)
    below += plot.rest(plot.bottom + below)
    return plot.canvas.figure(plot.bottom + below + 4, title, chart_texts.effort_lines(len(names)))
