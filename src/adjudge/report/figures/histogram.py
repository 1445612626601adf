"""Histograms of the values of each system over the topics, as Figure 1 of Robertson's *On GMAP* draws one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...core.english import quantity
from ...core.errors import DataError
from ...core.judged import Floats
from ...words import chart_texts
from .canvas import Canvas, matrix, nothing
from .figure import Figure
from .scale import figure, linear, linear_ticks, span, step_of
from .wording import fit_label

MOST = 12
"""Systems of one figure: each has a panel of its own."""

PANEL, BETWEEN = 150.0, 64.0


def histogram_figure(
    names: Sequence[str],
    values: npt.ArrayLike,
    *,
    measure: str = "",
    bins: int = 10,
    width: float = 720,
    title: str = "",
) -> Figure:
    """Draw a panel for each system: how many topics have a value in each bin; all panels have the same bins.

    ``values``: systems × topics. Bins are of equal width, at 1, 2 or 5 times a power of ten; there are ``bins`` of them
    between 0 and 1, and about as many where values lie elsewhere. A value on an edge is counted above it, but 1 in the
    last bin. The mean is marked.
    """
    if len(names) > MOST:
        raise DataError(f"a figure has room for the histograms of {MOST} systems, not of {len(names):,}")
    if bins < 1:
        raise DataError(f"a histogram must have at least 1 bin, not {bins}")
    array = np.asarray(values, dtype=object)
    cells = matrix(values, (len(names), array.shape[1] if array.ndim == 2 else 0), "values")
    title = title or f"Topics by their value of {measure or 'the measure'}"
    reach = span(cells)
    if reach is None:
        return nothing(width, title, "no system has a value")
    edges = bin_edges(*reach, bins)
    counts = [bin_counts(row, edges) for row in cells]
    canvas, left, right = Canvas(width), 40.0, width - 14
    across = linear(edges[0], edges[-1], left, right, most=max(3, int((right - left) / 70)), widen=False)
    tallest = max(int(count.max()) for count in counts)
    y = 0.0
    for name, row, count in zip(names, cells, counts, strict=True):
        top, bottom = y + 44, y + 44 + PANEL
        up = linear(0, max(tallest, 1), bottom, top, most=5)
        canvas.text(2, y + 14, fit_label(name, width - 20, bold=True), "ad-text ad-bold", title=name)
        canvas.y_axis(up, left, right, "topics")
        for low, high, many in zip(edges, edges[1:], count.tolist(), strict=False):
            between = f"{figure(low)} to {figure(high)}"
            data: dict[str, str | float] = {"system": name, "value": float(many), "low": low, "high": high}
            place = across(low) + 1, up(many), across(high) - across(low) - 2, bottom - up(many)
            canvas.rect(*place, "ad-f1", title=f"{name}: {quantity(many, 'topic')} from {between}", data=data)
        known = row[np.isfinite(row)]
        if known.size:
            x = across(float(known.mean()))
            canvas.line(x, top, x, bottom, "ad-axis ad-dashed")
            canvas.text(min(x + 5, right - 70), top + 10, f"mean {figure(float(known.mean()))}", "ad-soft ad-small")
        canvas.x_axis(across, top, bottom, measure, grid=False)
        y = bottom + BETWEEN
    return canvas.figure(y - BETWEEN + 44, title, chart_texts.histogram(len(names), measure))


def bin_edges(low: float, high: float, bins: int) -> list[float]:
    """Edges of bins that hold all values: ``bins`` of them from 0 to 1, or about as many at round places."""
    if low >= 0 and high <= 1:
        return [float(f"{i / bins:.12g}") for i in range(bins + 1)]
    step = step_of(low, high, bins) if high > low else max(abs(low), 1.0)
    edges = linear_ticks(np.floor(low / step) * step, np.ceil(high / step) * step, step)
    return list(edges) if len(edges) > 1 and edges[-1] >= high else [*edges, edges[-1] + step]


def bin_counts(values: Floats, edges: Sequence[float]) -> npt.NDArray[np.int64]:
    """How many values lie in each bin; those that are no number are in none."""
    known = values[np.isfinite(values)]
    # 0.3 is below 3 · 0.1, so an edge is widened by what rounding may lose.
    places = np.searchsorted(np.asarray(edges) - 1e-9 * (edges[-1] - edges[0]), known, "right") - 1
    return np.bincount(np.clip(places, 0, len(edges) - 2), minlength=len(edges) - 1)
