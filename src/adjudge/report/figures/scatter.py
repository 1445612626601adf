"""Two systems against each other, one point per topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ...words import chart_texts
from .canvas import Canvas, at, matrix, nothing
from .figure import Figure
from .scale import figure, linear
from .topic_bars import side_classes
from .wording import fit_text, longest, visible


def scatter_figure(
    topics: Sequence[str],
    a_values: npt.ArrayLike,
    b_values: npt.ArrayLike,
    *,
    a: str,
    b: str,
    measure: str = "",
    better: str = "high",
    texts: Mapping[str, str] | None = None,
    slots: tuple[int, int] = (0, 0),
    width: float = 480,
    title: str = "",
) -> Figure:
    """Draw a on the vertical axis and b on the horizontal one: a wins above the diagonal.

    Where low values are good, a wins below it. Topics at the same place are one point, the larger the more there are.
    """
    ys = matrix(a_values, (len(topics),), "values")
    xs = matrix(b_values, (len(topics),), "values")
    title = title or f"{a} against {b}, {measure or 'value'} topic by topic"
    there = np.flatnonzero(~np.isnan(xs + ys))
    if not len(there):
        return nothing(width, title, "no topic has a value for both systems")
    both = np.concatenate([xs[there], ys[there]])
    low, high = float(both.min()), float(both.max())
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    canvas = Canvas(width)
    left = longest(linear(low, high, 0, 1, most=6).labels(), 11) + 14
    side = width - left - 14
    top = 34.0
    x_scale = linear(low, high, left, left + side, most=max(2, int(side / 64)))
    y_scale = linear(low, high, top + side, top, most=max(2, int(side / 64)))
    canvas.x_axis(x_scale, top, top + side)
    canvas.y_axis(y_scale, left, left + side)
    canvas.path(f"M{at(left)} {at(top + side)}L{at(left + side)} {at(top)}", "ad-axis ad-dashed")
    way = -1.0 if better == "low" else 1.0
    ahead, behind = side_classes(slots)
    places: dict[tuple[float, float], list[int]] = {}
    for t in there.tolist():
        places.setdefault((float(xs[t]), float(ys[t])), []).append(t)
    for (x, y), here in sorted(places.items(), key=lambda item: -len(item[1])):
        kind = ahead if way * (y - x) > 0 else behind if way * (y - x) < 0 else "ad-level"
        radius = min(3.8 * len(here) ** 0.4, 14.0)
        canvas.circle(
            x_scale(x),
            y_scale(y),
            radius,
            f"{kind} ad-dot ad-point",
            title=_hover(here, topics, texts or {}, a, y, b, x),
            data={"topic": " ".join(topics[t] for t in here), "a": y, "b": x, "count": len(here)},
        )
    canvas.text(2, 14, fit_text(f"↑ {a}", width / 2), "ad-text", title=a)
    canvas.text(left + side, top + side + 33, fit_text(f"{b} →", side), "ad-text ad-end", title=b)
    won, lost = int((way * (ys - xs)[there] > 0).sum()), int((way * (ys - xs)[there] < 0).sum())
    below = top + side + 40
    below += canvas.note(left, below, chart_texts.sides_of_diagonal(a, b, won, lost, low=way < 0))
    return canvas.figure(below + 4, title, chart_texts.points(a, b, len(there), won, lost))


def _hover(
    here: Sequence[int], topics: Sequence[str], texts: Mapping[str, str], a: str, y: float, b: str, x: float
) -> str:
    if len(here) == 1:
        text = texts.get(topics[here[0]], "")
        first = topics[here[0]] + (f": {visible(text)}" if text else "")
    else:
        first = f"{len(here)} topics: " + ", ".join(topics[t] for t in here[:20]) + (", …" if len(here) > 20 else "")
    return f"{first} — {a} {figure(y)}, {b} {figure(x)}"
