"""Two systems, topic by topic: sorted bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ...words import chart_texts
from .canvas import Canvas, matrix, nothing
from .figure import Figure
from .scale import linear, signed_text
from .wording import fit_text, longest, visible, wide

HEIGHT = 230
LABELLED = 60
"""So many topics have their names below the bars, if they fit."""


def topic_bars_figure(
    topics: Sequence[str],
    differences: npt.ArrayLike,
    *,
    a: str,
    b: str,
    measure: str = "",
    better: str = "high",
    texts: Mapping[str, str] | None = None,
    tie: float = 0.0,
    slots: tuple[int, int] = (0, 0),
    width: float = 720,
    title: str = "",
) -> Figure:
    """Draw one bar per topic, a − b, sorted; topics on which a is better, tied and worse have their own colours.

    Differences of at most ``tie`` are ties. ``texts``: the text of topics, shown on hover. ``slots``: the
    colours that the two systems have in other figures.
    """
    values = matrix(differences, (len(topics),), "differences")
    title = title or f"{a} − {b}, {measure or 'difference'} topic by topic"
    there = np.flatnonzero(~np.isnan(values))
    if not len(there):
        return nothing(width, title, "no topic has a value for both systems")
    way = -1.0 if better == "low" else 1.0
    order = there[np.argsort(-way * values[there], kind="stable")]
    won, lost = (way * values[there] > tie).sum(), (-way * values[there] > tie).sum()
    tied = len(there) - won - lost
    canvas = Canvas(width)
    ahead, behind = side_classes(slots)
    counted = [(f"{a} better: {won}", ahead), (f"ties: {tied}", "ad-level"), (f"{b} better: {lost}", behind)]
    top = _heads(canvas, counted, width)
    most = float(np.abs(values[there]).max()) or 1.0
    low, high = min(float(values[there].min()), 0.0), max(float(values[there].max()), 0.0)
    if low == high:
        low, high = -most, most
    scale = linear(low, high, top + HEIGHT, top, most=6)
    left = longest(scale.labels(), 11) + 12
    canvas.y_axis(scale, left, width - 4, "")
    slot = (width - 8 - left) / len(order)
    bar = slot * 0.82 if slot > 3 else slot
    for n, t in enumerate(order.tolist()):
        value = float(values[t])
        y, zero = scale(value), scale(0.0)
        kind = ahead if way * value > tie else behind if -way * value > tie else "ad-level"
        text = visible((texts or {}).get(topics[t], ""))
        hover = f"{topics[t]}: {signed_text(value)}" + (f" — {text}" if text else "")
        data = {"topic": topics[t], "value": value}
        x = left + 2 + n * slot + (slot - bar) / 2
        size = max(abs(y - zero), 1.6)  # level topics are seen too
        edge = zero - size if value > 0 else zero if value < 0 else zero - 0.8
        canvas.rect(x, edge, bar, size, kind, title=hover, data=data)
    canvas.line(left, scale(0.0), width - 4, scale(0.0), "ad-axis")
    bottom = top + HEIGHT + 8
    named = [visible(topics[t]) for t in order.tolist()]
    if slot >= 11 and len(named) <= LABELLED:
        room = min(longest(named, 10), 74.0)
        for n, name in enumerate(named):
            x = left + 2 + (n + 0.5) * slot
            short = fit_text(name, room, 10)
            flat = longest(named, 10) < slot - 3
            if flat:
                canvas.text(x, bottom + 8, short, "ad-soft ad-tiny ad-middle", title=name)
            else:
                canvas.text(x + 3.5, bottom + 2, short, "ad-soft ad-tiny ad-end", turn=-90, title=name)
        bottom += 14 if flat else room + 8
    missing = len(topics) - len(order)
    foot = chart_texts.difference_drawn(measure, fit_text(a, 150), fit_text(b, 150), len(order), missing)
    bottom += canvas.note(left, bottom + 2, foot)
    return canvas.figure(bottom + 6, title, chart_texts.bars(a, b, len(order), won, lost, tied))


def side_classes(slots: tuple[int, int]) -> tuple[str, str]:
    """Classes of what the first and the second system win: in their own colours where these differ."""
    a, b = slots
    return (f"ad-won ad-f{a}", f"ad-lost ad-f{b}") if a and b and a != b else ("ad-won", "ad-lost")


def _heads(canvas: Canvas, counted: Sequence[tuple[str, str]], width: float) -> float:
    """Draw a key of the colours with the counts, in several lines if they do not fit into one."""
    x, y = 2.0, 14.0
    for text, kind in counted:
        short = fit_text(text, width - 24)
        if x > 2 and x + 18 + wide(short) > width:
            x, y = 2.0, y + 18
        canvas.rect(x, y - 10, 11, 11, kind)
        canvas.text(x + 17, y, short, title=text)
        x += 17 + wide(short) + 18
    return y + 16
