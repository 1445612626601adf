"""Layout of a square matrix: cells, and names beside and above them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, floor, radians, sin

import numpy as np
import numpy.typing as npt

from .canvas import Canvas, at
from .wording import fit_text, longest, visible

TILT = 45.0
LARGEST = 46.0
"""The side of a cell, however much room there is."""


class Grid:
    """A square grid as large as the width allows; without names where these could not be read."""

    def __init__(self, names: Sequence[str], width: float, *, top: float) -> None:
        self.canvas = Canvas(width)
        self.names = names
        widest = longest([visible(name) for name in names], 11)
        self.left = min(widest + 10, width * 0.3)
        self.slant = min(widest, 130.0)
        count = max(len(names), 1)
        self.tilt = TILT
        self.cell = min(LARGEST, (width - self.left - self.slant * cos(radians(TILT)) * 0.8 - 4) / count)
        if self.cell * sin(radians(TILT)) < 11:  # names side by side would lie upon each other
            self.tilt = 90.0
            self.cell = min(LARGEST, (width - self.left - 4) / count)
        self.labelled = self.cell >= 11
        if not self.labelled:  # names could not be read: the matrix has their room, and rows show theirs on hover
            fits = (width - 8) / count
            self.left, self.cell = 4.0, (floor(fits) if fits >= 3 else fits)  # whole ones have no seams
        self.top = top + (sin(radians(self.tilt)) * self.slant + 14 if self.labelled else 6)
        self.bottom = self.top + self.cell * len(names)

    def labels(self) -> None:
        if not self.labelled:
            return
        for n, name in enumerate(self.names):
            y = self.top + (n + 0.5) * self.cell + 4
            x = self.left + (n + 0.5) * self.cell
            canvas = self.canvas
            canvas.text(self.left - 6, y, fit_text(name, self.left - 8, 11), "ad-text ad-small ad-end", title=name)
            room = self.slant + 1
            if self.tilt < 90:
                room = min(room, (canvas.width - x - 2) / cos(radians(self.tilt)))
            short, shift = fit_text(name, room, 11), 2 if self.tilt < 90 else 4
            canvas.text(x + shift, self.top - 6, short, "ad-text ad-small", turn=-self.tilt, title=name)

    def x(self, column: int) -> float:
        return self.left + column * self.cell

    def y(self, row: int) -> float:
        return self.top + row * self.cell

    def runs(self, row: int, kinds: npt.NDArray[np.int64], strengths: Mapping[int, float]) -> None:
        """A row in few strokes, in units of cells: those of one kind, by sign and strength, are one path, 0 none."""
        placed = f"translate({at(self.left)} {at(self.y(row) + self.cell / 2)}) scale({self.cell:.5g})"
        starts = np.flatnonzero(np.r_[True, kinds[1:] != kinds[:-1]])
        ends = np.r_[starts[1:], len(kinds)]
        for kind in sorted(set(kinds.tolist()) - {0}):
            d = "".join(
                f"M{a} 0h{b - a}" for a, b in zip(starts.tolist(), ends.tolist(), strict=True) if kinds[a] == kind
            )
            strength = strengths[min(abs(kind), max(strengths))]
            places: dict[str, float | str] = {"d": d, "transform": placed, "stroke-opacity": strength}
            self.canvas.element("path", f"ad-{'minus' if kind < 0 else 'plus'}-run ad-cell", places)

    def frame(self) -> None:
        side = at(self.cell * len(self.names))
        self.canvas.path(f"M{at(self.left)} {at(self.top)}h{side}v{side}h-{side}Z", "ad-axis")
