"""Systems with their means and intervals, one row each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ...core.english import quantity
from ...core.judged import Floats
from ...words import chart_texts
from .canvas import Canvas, matrix, nothing
from .figure import Figure
from .legend import legend
from .scale import Scale, figure, linear, span
from .series import BEST, Look, by_value, looks, marker
from .wording import fit_label, longest, longest_label, visible

LABELLED = 60
"""So many systems all have a label."""

THIN = 5
"""The height of a row without one."""

SHAPES = (("circle", False), ("diamond", True), ("square", False), ("triangle", True))
"""The marker of each version, and whether it is hollow. Hues are for systems."""


def systems_figure(
    names: Sequence[str],
    means: npt.ArrayLike,
    intervals: npt.ArrayLike | None = None,
    *,
    versions: Sequence[str] = (),
    measure: str = "",
    better: str = "high",
    marks: Mapping[str, str] | None = None,
    baseline: str = "",
    selected: Sequence[str] = (),
    width: float = 720,
    title: str = "",
    description: str = "",
) -> Figure:
    """Draw a dot and a line for each system, best first.

    ``means``: systems, or systems × versions; ``intervals``: the same × 2. Several versions are side by side in a row.
    ``marks``: short signs of significance, written after the row. With many systems the best ten, the baseline and the
    selected ones have a label and the rest are thin rows. ``description`` is for readers who cannot see the chart, if
    the lines are no intervals of means.
    """
    count, kinds = len(names), max(1, len(versions))
    single = np.ndim(np.asarray(means, dtype=object)) == 1
    shape = (count,) if single else (count, kinds)
    centre = matrix(means, shape, "means").reshape(count, -1)
    bounds = np.full((*centre.shape, 2), np.nan)
    if intervals is not None:
        bounds = matrix(intervals, (*shape, 2), "intervals").reshape(*centre.shape, 2)
    title = title or f"{measure or 'Mean'} of {quantity(count, 'system')}"
    reach = span(np.concatenate([centre.ravel(), bounds.ravel()]))
    if reach is None:
        return nothing(width, title, "no system has a value")
    order = by_value(centre[:, 0], better)
    labelled = _choose_labels(names, order, baseline, selected)
    tall = max(18.0, 9.0 * centre.shape[1] + 6)
    canvas = Canvas(width)
    own = looks(names, order, baseline=baseline, selected=selected)
    left = min(longest_label([names[s] for s in labelled], baseline) + 14, width * 0.36)
    notes = [_note(names[s], centre[s], marks) for s in range(count)]
    right = width - max(14.0, longest([notes[s] for s in labelled], 11) + 16)
    signs = [(name, SHAPES[v % 4][0], _marker_class(SHAPES[v % 4][1], 0), "") for v, name in enumerate(versions)]
    top = 8.0 + (legend(canvas, signs) if versions else 0)
    heights = {s: tall if s in labelled else THIN for s in order}
    bottom = top + sum(heights.values()) + 4
    scale = linear(*reach, left, right, most=max(3, int((right - left) / 80)), bounds=_bounds(*reach))
    below = canvas.x_axis(scale, top, bottom, measure)
    _baseline(canvas, names, centre, baseline, scale, top, bottom)
    y = top + 2
    for s in order:
        if centre.shape[1] > 1 and s in labelled and s != order[0]:
            canvas.line(left - 4, y, right, y, "ad-grid")
        _row(canvas, names[s], own[s], centre[s], bounds[s], versions, scale, y, heights[s], measure)
        if s in labelled:
            label = fit_label(names[s], left - 14, bold=names[s] == baseline)
            strong = " ad-bold" if names[s] == baseline else ""
            canvas.text(left - 10, y + tall / 2 + 4, label, f"ad-text ad-end{strong}", title=names[s])
            if notes[s]:
                canvas.text(right + 10, y + tall / 2 + 4, notes[s], "ad-soft ad-small")
        y += heights[s]
    about = description or chart_texts.means(count, versions, len(labelled))
    return canvas.figure(bottom + below, title, about)


def _choose_labels(names: Sequence[str], order: Sequence[int], baseline: str, selected: Sequence[str]) -> set[int]:
    if len(names) <= LABELLED:
        return set(order)
    named = {baseline, *selected}
    return set(order[:BEST]) | {s for s, name in enumerate(names) if name in named}


def _note(name: str, means: Floats, marks: Mapping[str, str] | None) -> str:
    sign = (marks or {}).get(name, "")
    if len(means) > 1:
        return visible(sign)
    return f"{figure(float(means[0]))} {visible(sign)}".strip()


def _bounds(low: float, high: float) -> tuple[float, float]:
    """Measures end at 0 and at 1, and so does their axis."""
    return (0.0 if low >= 0 else -np.inf), (1.0 if high <= 1 else np.inf)


def _baseline(
    canvas: Canvas, names: Sequence[str], centre: Floats, baseline: str, scale: Scale, top: float, bottom: float
) -> None:
    if baseline in names and np.isfinite(centre[list(names).index(baseline), 0]):
        x = scale(float(centre[list(names).index(baseline), 0]))
        canvas.line(x, top, x, bottom, "ad-axis ad-dashed")


def _marker_class(hollow: bool, slot: int) -> str:
    return f"ad-hollow ad-s{slot}" if hollow else f"ad-f{slot}"


def _row(
    canvas: Canvas,
    name: str,
    look: Look,
    means: Floats,
    bounds: Floats,
    versions: Sequence[str],
    scale: Scale,
    y: float,
    height: float,
    measure: str,
) -> None:
    thin = height <= THIN
    for v, mean in enumerate(means.tolist()):
        low, high = bounds[v].tolist()
        shape, hollow = SHAPES[v % len(SHAPES)]
        version = versions[v] if v < len(versions) else ""
        what = " ".join(filter(None, [name, f"on {version}:" if version else ":", measure, figure(mean)]))
        what = what.replace(" :", ":") + (
            f", {figure(low)} to {figure(high)}" if np.isfinite([low, high]).all() else ""
        )
        data: dict[str, str | float] = {"system": name, "value": mean, "low": low, "high": high}
        if version:
            data["version"] = version
        canvas.group(data, what)
        middle = y + height * (v + 1) / (len(means) + 1) if not thin else y + height / 2
        canvas.rect(scale.start, y if not v else middle - 4, scale.stop - scale.start, height, "ad-catch")
        if np.isfinite([low, high]).all():
            ends = scale(low), scale(high)
            canvas.line(ends[0], middle, ends[1], middle, "ad-thin ad-haze" if thin else f"ad-line ad-s{look.slot}")
        if not np.isfinite(mean):
            canvas.text(scale.start + 4, middle + 4, "no value", "ad-soft ad-tiny")
        elif thin:
            canvas.circle(scale(mean), middle, 1.7, "ad-f0")
        else:
            marker(
                canvas, shape, scale(mean), middle, 4.2 if len(means) == 1 else 3.6, _marker_class(hollow, look.slot)
            )
        canvas.close()
