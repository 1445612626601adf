"""Rank changes of systems from one average to another."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, isfinite, radians, sin

import numpy as np
import numpy.typing as npt

from ...core.judged import Floats
from ...words import chart_texts
from .canvas import Canvas, at, matrix, nothing
from .figure import Figure
from .scale import number
from .series import Look, by_value, looks, marker, spread_labels
from .wording import fit_text, longest, visible

TILT = 35.0
ALL_DRAWN = 20
"""Systems up to which each has a line; of more only those that stand out, or lines could not be followed."""


def ranks_of(figures: npt.ArrayLike, better: str = "high") -> Floats:
    """Rank figures (columns × systems), 1 the best; ties share the mean of their places."""
    array = np.asarray(figures, float)
    signed = array if better == "low" else -array
    ranks = np.full(array.shape, np.nan)
    for c, row in enumerate(signed):
        there = np.flatnonzero(~np.isnan(row))
        _, where, counts = np.unique(row[there], return_inverse=True, return_counts=True)
        ends = np.cumsum(counts)
        ranks[c, there] = (ends - (counts - 1) / 2)[where]
    return ranks


def rank_moves_figure(
    names: Sequence[str],
    columns: Sequence[str],
    ranks: npt.ArrayLike,
    *,
    baseline: str = "",
    selected: Sequence[str] = (),
    width: float = 720,
    title: str = "",
) -> Figure:
    """Draw a line for each system through its ranks in each column (an average, a transformation, a version).

    ``ranks``: columns × systems, 1 the best. A line is strong where its system changes places and thin where it keeps
    its place. Above each column stands how many pairs have the other order than in the column of the mean (the first
    column if none is called so). Of more than 20 systems only those that have a colour are drawn.
    """
    places = matrix(ranks, (len(columns), len(names)), "ranks")
    title = title or f"Ranks of {len(names):,} systems under {len(columns):,} averages"
    if not np.isfinite(places).any():
        return nothing(width, title, "no system has a rank")
    order = by_value(places[0], "low")
    own = looks(names, order, baseline=baseline, selected=selected)
    shown = [s for s in order if own[s].slot]
    drawn = shown if len(names) > ALL_DRAWN else order
    canvas = Canvas(width)
    room = min(longest([visible(names[s]) for s in shown]) + 40, width * (0.3 if width < 560 else 0.24))
    left, right = (room if width >= 560 else 30.0), width - room
    lowest = float(np.nanmax(places[:, drawn], initial=1.0))
    gap = 22.0 if lowest <= 20 else 17.0 if lowest <= 45 else 6.0
    xs = np.linspace(left, right, len(columns)).tolist() if len(columns) > 1 else [(left + right) / 2]
    base = list(columns).index("mean") if "mean" in columns else 0
    top = _heads(canvas, columns, xs, _count_reversed(places, base), base)
    bottom = top + max((lowest - 1) * gap, 14.0 * len(shown))

    def y_of(rank: float) -> float:
        return top + (rank - 1) * gap

    for x in xs:
        canvas.line(x, top - 6, x, bottom + 6, "ad-grid")
    for s in sorted(drawn, key=lambda s: (own[s].slot > 0, -order.index(s) if len(names) < 500 else -s)):
        _line(canvas, names[s], own[s], xs, [y_of(r) for r in places[:, s].tolist()], places[:, s], columns)
    if width >= 560:
        _labels(canvas, names, own, places[0], [y_of(r) for r in places[0].tolist()], xs[0], top, bottom, end=False)
    if len(columns) > 1 or width < 560:
        _labels(canvas, names, own, places[-1], [y_of(r) for r in places[-1].tolist()], xs[-1], top, bottom, end=True)
    if len(drawn) < len(names):
        bottom += canvas.note(left, bottom + 12, chart_texts.lines_drawn(len(drawn), len(names)))
    elif len(shown) < len(names):
        bottom += canvas.note(left, bottom + 12, chart_texts.coloured(len(shown), len(names)))
    moved = int((np.nanmax(places, axis=0, initial=-np.inf) != np.nanmin(places, axis=0, initial=np.inf)).sum())
    return canvas.figure(bottom + 18, title, chart_texts.ranks(len(names), columns, moved))


def _count_reversed(places: Floats, base: int) -> list[int]:
    """Count the pairs of systems whose order in a column is the reverse of that in the column ``base``."""
    first = np.sign(places[base][:, None] - places[base])
    return [int(np.nansum(np.sign(row[:, None] - row) * first < 0) // 2) for row in places]


def _heads(
    canvas: Canvas, columns: Sequence[str], xs: Sequence[float], pairs_reversed: Sequence[int], base: int
) -> float:
    slot = xs[1] - xs[0] if len(xs) > 1 else canvas.width / 2
    flat = longest([visible(c) for c in columns], 11) <= slot - 8 and longest([columns[0]], 11) / 2 <= xs[0]
    room = 120.0
    height = 14.0 if flat else sin(radians(TILT)) * min(longest([visible(c) for c in columns], 11), room) + 16
    for c, (name, x) in enumerate(zip(columns, xs, strict=True)):
        if flat:
            canvas.text(x, height, fit_text(name, slot, 11), "ad-text ad-small ad-middle", title=name)
        else:
            over = min(room, (canvas.width - x) / cos(radians(TILT)) - 6)
            canvas.text(x + 2, height, fit_text(name, over, 11), "ad-text ad-small", turn=-TILT, title=name)
        if c != base and slot > 22:
            pairs = f"{pairs_reversed[c]} reversed" if slot > 70 else f"{pairs_reversed[c]}"
            canvas.text(x, height + 17, pairs, "ad-soft ad-tiny ad-middle")
    if slot <= 70 and len(columns) > 1 and xs[0] > 76:
        canvas.text(2, height + 17, "pairs reversed", "ad-soft ad-tiny")
    return height + 36


def _line(
    canvas: Canvas,
    name: str,
    look: Look,
    xs: Sequence[float],
    ys: Sequence[float],
    ranks: Floats,
    columns: Sequence[str],
) -> None:
    known = [f"{column} {number(rank)}" for column, rank in zip(columns, ranks.tolist(), strict=True) if isfinite(rank)]
    there = np.isfinite(ranks)
    first = float(ranks[there][0]) if there.any() else float("nan")
    final = float(ranks[there][-1]) if there.any() else float("nan")
    canvas.group({"system": name, "value": first, "last": final}, f"{name}: rank {', '.join(known) or 'none'}")
    strong, weak = "", ""
    for n in range(len(xs) - 1):
        (x0, y0), (x1, y1) = (xs[n], ys[n]), (xs[n + 1], ys[n + 1])
        if not (there[n] and there[n + 1]):
            continue
        bend = (x1 - x0) * 0.45
        piece = f"M{at(x0)} {at(y0)}C{at(x0 + bend)} {at(y0)} {at(x1 - bend)} {at(y1)} {at(x1)} {at(y1)}"
        if y0 == y1:
            weak += f"M{at(x0)} {at(y0)}H{at(x1)}"
        else:
            strong += piece
    if weak:
        canvas.path(weak, f"ad-thin {f'ad-s{look.slot}' if look.slot else 'ad-haze'}", dash=look.dash)
    if strong:
        canvas.path(strong, look.stroke, dash=look.dash)
    if look.slot:
        for x, y in zip(xs, ys, strict=True):
            if isfinite(y):
                marker(canvas, look.shape, x, y, 3.4, f"{look.fill} ad-hair")
    canvas.close()


def _labels(
    canvas: Canvas,
    names: Sequence[str],
    own: Sequence[Look],
    ranks: Floats,
    ys: Sequence[float],
    x: float,
    low: float,
    high: float,
    *,
    end: bool,
) -> None:
    """Names with their ranks beside the first or the last column; led to their places where they had to move."""
    shown = [s for s in range(len(names)) if (own[s].slot or len(names) <= ALL_DRAWN) and np.isfinite(ranks[s])]
    if not shown:
        return
    placed = spread_labels([ys[s] for s in shown], 14, low, high)
    room = (canvas.width - x if end else x) - 16
    for s, y in zip(shown, placed, strict=True):
        text = f"{number(float(ranks[s]))}  {names[s]}" if end else f"{names[s]}  {number(float(ranks[s]))}"
        kind = "ad-text" if own[s].slot else "ad-soft"
        away = 12 if end else -12
        if abs(y - ys[s]) > 1.5:
            canvas.path(f"M{at(x + away / 2)} {at(ys[s])}L{at(x + away)} {at(y)}", "ad-thin ad-haze")
        label = fit_text(text, room)
        canvas.text(x + away * 1.15, y + 4, label, f"{kind} ad-{'start' if end else 'end'}", title=names[s])
