"""Gains of tuning with their intervals, beside what would have been claimed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .canvas import Canvas, matrix, nothing
from .figure import Figure
from .legend import legend
from .scale import figure, linear, span
from .series import marker
from .wording import fit_label, longest_label

ROW = 18.0


def tuning_figure(
    train: Sequence[str],
    measures: Sequence[str],
    gain: npt.ArrayLike,
    intervals: npt.ArrayLike,
    claimed: npt.ArrayLike,
    *,
    width: float = 720,
    title: str = "",
    description: str = "",
) -> Figure:
    """Draw a row for each reported measure and each measure trained on; the arrays are trained × reported (× 2)."""
    shape = len(train), len(measures)
    gains, claims = matrix(gain, shape, "gain"), matrix(claimed, shape, "claimed")
    bounds = matrix(intervals, (*shape, 2), "intervals")
    title = title or "Gain of tuning over the default"
    reach = span(np.concatenate([gains.ravel(), claims.ravel(), bounds.ravel(), [0.0]]))
    if reach is None:
        return nothing(width, title, "there is no gain to draw")
    names = [f"{measure}, trained on {trained}" for measure in measures for trained in train]
    canvas = Canvas(width)
    left = min(longest_label(names, "") + 14, width * 0.42)
    signs = [
        ("on topics it was not tuned on", "circle", "ad-f1", ""),
        ("claimed without a split", "diamond", "ad-hollow ad-s2", ""),
    ]
    top = 8.0 + legend(canvas, signs)
    bottom = top + ROW * len(names) + 6 * (len(measures) - 1) + 6
    right = width - 16
    scale = linear(*reach, left, right, most=max(3, int((right - left) / 80)))
    below = canvas.x_axis(scale, top, bottom, "gain over the default")
    canvas.line(scale(0.0), top, scale(0.0), bottom, "ad-axis ad-dashed")
    y = top + 4
    for m, measure in enumerate(measures):
        for t, trained in enumerate(train):
            low, high = bounds[t, m].tolist()
            value, claim = float(gains[t, m]), float(claims[t, m])
            label = f"{measure}, trained on {trained}: gain {figure(value)}, {figure(low)} to {figure(high)}"
            canvas.group({"value": value, "low": low, "high": high}, f"{label}; claimed {figure(claim)}")
            middle = y + ROW / 2
            canvas.rect(scale.start, y, scale.stop - scale.start, ROW, "ad-catch")
            canvas.line(scale(low), middle, scale(high), middle, "ad-line ad-s1")
            marker(canvas, "diamond", scale(claim), middle, 4.0, "ad-hollow ad-s2")
            marker(canvas, "circle", scale(value), middle, 3.8, "ad-f1")
            canvas.close()
            name = f"{measure}, trained on {trained}"
            canvas.text(left - 10, middle + 4, fit_label(name, left - 14), "ad-text ad-end", title=name)
            y += ROW
        y += 6
    return canvas.figure(bottom + below, title, description)
