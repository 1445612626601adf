"""Lines over a horizontal axis, one per system, with names at their ends: what several figures have in common."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.judged import Floats
from ...words import chart_texts
from .canvas import Canvas, at, polyline
from .legend import legend
from .scale import Scale
from .series import GAP, Look, end_labels, label_room, marker
from .wording import fit_text

NARROW = 520
"""Figures below this width have a legend above them, since names beside the lines would leave no room for these."""


class Plot:
    """The frame of a plot: where its lines may be and where its names are."""

    def __init__(self, width: float, names: Sequence[str], own: Sequence[Look], *, left: float, height: float) -> None:
        self.canvas = Canvas(width)
        self.names, self.own = names, own
        self.beside = width >= NARROW
        self.left = left
        self.right = width - (label_room(names, own, width) + 8 if self.beside else 14)
        entries = [(n, "line", f"ad-line ad-s{k.slot}", k.dash) for n, k in zip(names, own, strict=True) if k.slot]
        self.top = 30.0 + (0.0 if self.beside else legend(self.canvas, entries) + 8)
        self.bottom = self.top + max(height, GAP * len(entries) if self.beside else 0)

    def order(self) -> list[int]:
        """Systems in the order in which they are drawn: those that stand out upon the rest."""
        return sorted(range(len(self.names)), key=lambda s: (self.own[s].slot > 0, -s))

    def line(
        self, system: int, xs: Sequence[float], ys: Sequence[float], title: str, value: float, *, markers: bool = False
    ) -> None:
        look = self.own[system]
        self.canvas.group({"system": self.names[system], "value": value}, title)
        path = polyline(xs, ys)
        if path:
            self.canvas.path(path, look.stroke, dash=look.dash)
        if markers and look.slot:
            for x, y in zip(xs, ys, strict=True):
                if np.isfinite(x) and np.isfinite(y):
                    marker(self.canvas, look.shape, x, y, 3.4, f"{look.fill} ad-hair")
        self.canvas.close()

    def labels(self, ends: Sequence[tuple[float, float]], *, markers: bool = False) -> None:
        if self.beside:
            place = {"left": self.right + 10, "low": self.top - 8, "high": self.bottom}
            end_labels(self.canvas, self.names, self.own, ends, markers=markers, **place)

    def list_names(self, order: Sequence[int]) -> None:
        """Names beside the lines, one below the other in this order: for lines whose ends lie close together."""
        if not self.beside:
            return
        shown = [s for s in order if self.own[s].slot]
        x, gap = self.right + 10, min(GAP + 2.0, (self.bottom - self.top) / max(len(shown), 1))
        for n, s in enumerate(shown):
            y, look = self.top + 4 + n * gap, self.own[s]
            self.canvas.path(f"M{at(x)} {at(y)}h16", look.stroke, dash=look.dash)
            label = fit_text(self.names[s], self.canvas.width - x - 24)
            self.canvas.text(x + 22, y + 4, label, "ad-text", title=self.names[s])

    def rest(self, y: float) -> float:
        """A note that not all have a colour; gives the height that it takes."""
        shown = sum(look.slot > 0 for look in self.own)
        if shown == len(self.own):
            return 0.0
        return self.canvas.note(self.left, y, chart_texts.coloured(shown, len(self.own)))


def last_points(xs: Floats, ys: Floats) -> list[tuple[float, float]]:
    """systems × places → the last point of each line that has a value."""
    ends = []
    for row in ys:
        there = np.flatnonzero(np.isfinite(row))
        ends.append((float(xs[there[-1]]), float(row[there[-1]])) if len(there) else (float("nan"), float("nan")))
    return ends


def places_of(scale: Scale, values: Floats) -> Floats:
    """Places of values, NaN where there is none."""
    return np.where(np.isnan(values), np.nan, scale(np.nan_to_num(values)))
