"""Operating characteristics: items found against work or depth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...core.errors import DataError
from ...core.judged import Floats
from ...words import chart_texts
from .canvas import at, matrix, nothing, steps
from .figure import Figure
from .lines import Plot
from .scale import Scale, linear, logarithmic, number
from .series import looks, looks_among

BANDED = 3
"""So many systems at most have their bands: more would hide each other."""

NAMES = {"work": "documents read", "rank": "rank down to which all lists are read"}


def characteristic_figure(
    names: Sequence[str],
    efforts: Sequence[npt.ArrayLike],
    items: Sequence[npt.ArrayLike],
    *,
    questions: int,
    ends: Sequence[float] = (),
    bands: npt.ArrayLike | None = None,
    banded: Sequence[str] = (),
    axis: str = "work",
    log: bool = False,
    baseline: str = "",
    selected: Sequence[str] = (),
    slots: Sequence[str] = (),
    remark: str = "",
    width: float = 720,
    title: str = "",
) -> Figure:
    """Draw a step curve for each system: ``items[s][i]`` found by effort ``efforts[s][i]``.

    ``slots``: the systems of a larger figure, whose colours those drawn here keep. ``remark``: a line below it.

    ``ends``: where the reading of each system ends. ``bands``: systems × 2 × questions as Bootstrap.bands has them:
    when the k-th item is found, early and late. They are drawn for the systems ``banded``, the two best if none are
    named, all of up to three.
    """
    if not len(names) == len(efforts) == len(items) or (ends and len(ends) != len(names)):
        raise DataError(f"{len(names)} systems of a figure have {len(efforts)} curves and {len(ends)} ends")
    xs = [matrix(x, (np.size(np.asarray(x)),), "efforts") for x in efforts]
    ys = [matrix(y, x.shape, "items found") for x, y in zip(xs, items, strict=True)]
    title = title or f"Items found of {questions:,} against {NAMES.get(axis, axis)}"
    flat = np.concatenate([*xs, np.asarray(ends, float)]) if names else np.empty(0)
    flat = flat[np.isfinite(flat)]
    if not flat.size or questions < 1:
        return nothing(width, title, "no system finds anything")
    finals = np.array([y[-1] if len(y) else 0.0 for y in ys])
    lasts = np.array([x[-1] if len(x) else np.inf for x in xs])
    order = np.lexsort((lasts, -finals)).tolist()
    own = looks(names, order, baseline=baseline, selected=selected)
    if slots:
        own = tuple(looks_among(slots, names))
    plot = Plot(width, names, own, left=40, height=min(380.0, width * 0.75))
    positive = flat[flat > 0]
    if log and positive.size:
        across = logarithmic(float(positive.min()), float(flat.max()), plot.left, plot.right, most=_ticks(plot))
    else:
        across = linear(0, float(flat.max()), plot.left, plot.right, most=_ticks(plot), widen=False)
    up = linear(0, questions, plot.bottom, plot.top, most=6, widen=False)
    below = plot.canvas.x_axis(across, plot.top, plot.bottom, NAMES.get(axis, axis))
    plot.canvas.y_axis(up, plot.left, plot.right, f"items found of {questions:,}")
    note = _bands(plot, names, bands, questions, banded, order, across, up) or remark
    closing = []
    for s in plot.order():
        stop = float(ends[s]) if ends else float(across.high)
        curve, end = _curve(xs[s], ys[s], stop, across, up)
        closing.append((s, end))
        look = own[s]
        hover = f"{names[s]}: {int(finals[s]):,} of {questions:,} found"
        hover += f", the last by {number(float(lasts[s]))}" if np.isfinite(lasts[s]) else ""
        plot.canvas.group({"system": names[s], "value": float(finals[s])}, hover)
        plot.canvas.path(curve, look.stroke, dash=look.dash)
        if plot.right - end[0] > 1:  # nothing is read any more, and what is found stays found
            thin = f"ad-thin {f'ad-s{look.slot}' if look.slot else 'ad-haze'}"
            plot.canvas.path(f"M{at(end[0])} {at(end[1])}H{at(plot.right)}", thin, dash=look.dash)
        plot.canvas.close()
    plot.labels([(plot.right, end[1]) for _, end in sorted(closing)])
    below += plot.rest(plot.bottom + below)
    if note:
        below += plot.canvas.note(plot.left, plot.bottom + below, note)
    return plot.canvas.figure(plot.bottom + below + 4, title, chart_texts.steps(len(names), questions, note))


def _ticks(plot: Plot) -> int:
    return max(3, int((plot.right - plot.left) / 75))


def _curve(xs: Floats, ys: Floats, stop: float, across: Scale, up: Scale) -> tuple[str, tuple[float, float]]:
    """Path of a curve from nothing found at the left edge to the end of the reading."""
    last = float(ys[-1]) if len(ys) else 0.0
    end = max(stop if np.isfinite(stop) else across.high, float(xs[-1]) if len(xs) else across.low)
    places = [across.low, *xs.tolist(), end]
    heights = [0.0, *ys.tolist(), last]
    px, py = across(np.array(places)), up(np.array(heights))
    return steps(px.tolist(), py.tolist()), (float(px[-1]), float(py[-1]))


def _bands(
    plot: Plot,
    names: Sequence[str],
    bands: npt.ArrayLike | None,
    questions: int,
    banded: Sequence[str],
    order: Sequence[int],
    across: Scale,
    up: Scale,
) -> str:
    if bands is None:
        return ""
    array = np.asarray(bands, float)
    if array.shape != (len(names), 2, questions):
        raise DataError(f"bands of a figure must be {len(names)} × 2 × {questions} numbers, not {array.shape}")
    shown = [s for s in order if plot.own[s].slot]
    drawn = [s for s in shown if names[s] in banded] or (shown if len(shown) <= BANDED else shown[:2])
    for s in drawn:
        early, late = (np.minimum(np.nan_to_num(side, nan=np.inf), across.high * 10) for side in array[s])
        upper = _edge(early, across, up)
        lower = _edge(late, across, up)
        back = "".join(f"V{at(y)}H{at(x)}" for x, y in reversed(lower))
        d = f"M{at(upper[0][0])} {at(upper[0][1])}" + "".join(f"H{at(x)}V{at(y)}" for x, y in upper[1:]) + back + "Z"
        plot.canvas.path(d, f"ad-f{plot.own[s].slot} ad-band")
    return "Bands: how the curve moves when the questions are drawn again, " + (
        "each system" if len(drawn) == len(names) else " and ".join(names[s] for s in drawn)
    )


def _edge(finds: Floats, across: Scale, up: Scale) -> list[tuple[float, float]]:
    """Corners of the step function that rises by one at each find, up to the right edge."""
    inside = np.sort(finds[finds <= across.high])
    places, counts = np.unique(inside, return_counts=True)
    xs = [across.low, *places.tolist(), across.high]
    ys = [0.0, *np.cumsum(counts).tolist(), float(len(inside))]
    return list(zip(across(np.array(xs)).tolist(), up(np.array(ys, float)).tolist(), strict=True))
