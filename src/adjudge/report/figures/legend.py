"""Legends: signs with names, line by line from the top left."""

from __future__ import annotations

from collections.abc import Sequence

from .canvas import Canvas, at
from .series import marker
from .wording import fit_text, wide

LINE = 18.0


def legend(
    canvas: Canvas, entries: Sequence[tuple[str, str, str, str]], *, left: float = 2, top: float = 2, most: int = 24
) -> float:
    """(name, shape, classes, dash) each; a shape of ``line`` is a stroke. Gives the height that it takes."""
    x, y = left, top + 10
    shown = entries if len(entries) <= most else entries[: most - 1]
    for name, shape, classes, dash in shown:
        label = fit_text(name, min(220.0, canvas.width - left - 30))
        need = 22 + wide(label) + 14
        if x > left and x + need - 14 > canvas.width:
            x, y = left, y + LINE
        if shape == "line":
            canvas.path(f"M{at(x)} {at(y - 4)}h16", classes, dash=dash)
        else:
            marker(canvas, shape, x + 7, y - 4, 4, classes)
        canvas.text(x + 21, y, label, "ad-text", title=name)
        x += need
    if len(shown) < len(entries):
        canvas.text(x, y, f"and {len(entries) - len(shown)} more", "ad-soft")
    return y + 12 - top
