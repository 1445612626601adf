"""Matrices: rank correlations, and which differences are significant."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import numpy as np
import numpy.typing as npt

from ...words import chart_texts
from .canvas import Canvas, at, matrix, nothing
from .figure import Figure
from .grid import Grid
from .scale import minus
from .series import outline
from .wording import wide

FULL = 20
"""Systems up to which each pair has a mark with all its data."""

WHOLE = 40
"""Systems up to which each significant pair has a hover text; with more, a row is one mark."""

LEVELS = (0.05, 0.01, 0.001)
WORDS = ("not significant", "p < 0.05", "p < 0.01", "p < 0.001")
STRENGTH = (0.0, 0.35, 0.68, 1.0)


def correlation_matrix_figure(
    names: Sequence[str],
    values: npt.ArrayLike,
    *,
    coefficient: str = "τ_b",
    width: float = 720,
    title: str = "",
) -> Figure:
    """names × names coefficients from −1 to 1: blue for agreement, orange for disagreement, the number in the cell."""
    cells = matrix(values, (len(names), len(names)), "coefficients")
    title = title or f"Rank correlation ({coefficient}) of {len(names):,} orders"
    if not np.isfinite(cells).any():
        return nothing(width, title, "no two orders have a coefficient")
    grid = Grid(names, width, top=0)
    grid.labels()
    canvas, cell = grid.canvas, grid.cell
    size = cell - (1.0 if cell > 6 else 0.0)
    for r, row in enumerate(cells.tolist()):
        if len(names) > WHOLE:
            middle = _median(cells[r][np.isfinite(cells[r])])
            number = minus(f"{middle:.3f}") if isfinite(middle) else "no value"
            canvas.group({"row": names[r], "value": middle}, f"{names[r]}: median {coefficient} {number}")
            canvas.rect(grid.left, grid.y(r), cell * len(row), cell, "ad-catch")
            grid.runs(r, np.round(np.nan_to_num(cells[r]) * 10).astype(int), {n: (n / 10) ** 1.5 for n in range(1, 11)})
            canvas.close()
            continue
        texts = []
        for c, value in enumerate(row):
            number = minus(f"{value:.3f}") if isfinite(value) else "no value"
            hover = f"{names[r]} and {names[c]}: {coefficient} {number}"
            data: dict[str, str | float] = {"row": names[r], "column": names[c], "value": value}
            kind = "ad-minus" if value < 0 else "ad-plus"
            strength = min(abs(value), 1.0) ** 1.5 if isfinite(value) else 0.0
            x, y = grid.x(c), grid.y(r)
            canvas.rect(
                x,
                y,
                size,
                size,
                f"{kind} ad-cell",
                title=hover,
                data=data if len(names) <= FULL else None,
                opacity=strength,
            )
            if cell >= 26:
                texts.append((x + size / 2, y + cell / 2 + 3.5, minus(f"{value:.2f}") if isfinite(value) else "–"))
        if texts:
            canvas.texts(texts, "ad-text ad-tiny ad-middle ad-through")
    if len(names) > WHOLE:
        grid.frame()
    y = grid.bottom + 14
    _scale(canvas, grid.left, y, coefficient)
    return canvas.figure(y + 34, title, chart_texts.coefficients(len(names), coefficient))


def _median(values: npt.NDArray[np.float64]) -> float:
    return float(np.median(values)) if values.size else float("nan")


def _scale(canvas: Canvas, left: float, y: float, coefficient: str) -> None:
    count, size = 11, 16.0
    left = min(left, canvas.width - count * size - 2)
    for n in range(count):
        value = (n - 5) / 5
        kind = "ad-minus" if value < 0 else "ad-plus"
        canvas.rect(left + n * size, y, size, 10, kind, opacity=abs(value) ** 1.5)
    for n, text in ((0, "−1"), (5, "0"), (10, "1")):
        canvas.text(left + (n + 0.5) * size, y + 23, text, "ad-soft ad-small ad-middle")
    if left + count * size + 10 + wide(coefficient, 11) < canvas.width:
        canvas.text(left + count * size + 8, y + 9, coefficient, "ad-soft ad-small")


def significance_matrix_figure(
    names: Sequence[str],
    p: npt.ArrayLike,
    ahead: npt.ArrayLike,
    *,
    test: str = "",
    width: float = 720,
    title: str = "",
) -> Figure:
    """names × names: p of every pair (NaN where there is none) and +1 where the row is ahead of the column, −1 behind.

    Triangles point up where the row is better and down where it is worse, larger for p < 0.05, 0.01 and 0.001; a dot
    where the difference is not significant. Put the systems in order, best first. Above 40 systems a row is one mark.
    """
    chances = matrix(p, (len(names), len(names)), "p-values")
    sides = np.sign(matrix(ahead, (len(names), len(names)), "directions"))
    half = np.isnan(chances) & np.isfinite(chances.T)  # each pair may have been given once
    chances, sides = np.where(half, chances.T, chances), np.where(half, -sides.T, sides)
    title = title or f"Which of {len(names):,} systems differ significantly"
    known = np.isfinite(chances)
    np.fill_diagonal(known, False)
    if not known.any():
        return nothing(width, title, "no pair of systems was tested")
    classes = np.where(known, sum((chances < level).astype(int) for level in LEVELS), -1)
    signed = np.nan_to_num(sides).astype(int) * np.maximum(
        classes, 0
    )  # −3 to 3, 0 where the difference is not significant
    grid = Grid(names, width, top=22 if width >= 560 else 44)
    _key(grid.canvas)
    grid.labels()
    if len(names) > WHOLE:
        for r, row in enumerate(signed):
            _open_row(grid, r, row, known[r])
            grid.runs(r, row, {kind: STRENGTH[kind] for kind in (1, 2, 3)})
            grid.canvas.close()
        grid.frame()
    else:
        _cells(grid, chances, signed, known)
    apart = int((np.abs(signed) > 0)[known].sum()) // 2
    pairs = int((known | known.T).sum()) // 2
    note = chart_texts.significant_pairs(apart, pairs, test)
    canvas = grid.canvas
    end = (
        grid.bottom + 4 + canvas.note(grid.left, grid.bottom + 4, note if grid.labelled else chart_texts.nameless(note))
    )
    return canvas.figure(end + 4, title, chart_texts.triangles(note))


def _cells(
    grid: Grid, chances: npt.NDArray[np.float64], classes: npt.NDArray[np.int64], known: npt.NDArray[np.bool_]
) -> None:
    canvas, cell = grid.canvas, grid.cell
    size = cell - (1.0 if cell > 6 else 0.0)
    full = len(grid.names) <= FULL
    for r, name in enumerate(grid.names):
        _open_row(grid, r, classes[r], known[r])
        for c, other in enumerate(grid.names):
            if r == c or not (full or classes[r, c]):
                continue
            level, chance = int(classes[r, c]), float(chances[r, c])
            word = "better than" if level > 0 else "worse than" if level < 0 else "not significantly different from"
            hover = f"{name}: {word} {other}" + (f", p = {chance:.2g}" if known[r, c] else ", not tested")
            data: dict[str, str | float] = {"row": name, "column": other, "value": chance, "class": level}
            canvas.rect(
                grid.x(c),
                grid.y(r),
                size,
                size,
                f"{'ad-minus' if level < 0 else 'ad-plus'} ad-cell",
                title=hover,
                data=data if full else None,
                opacity=STRENGTH[abs(level)],
            )
        if cell >= 8:
            signs = [
                _glyph(int(classes[r, c]), grid.x(c) + size / 2, grid.y(r) + size / 2, min(cell, 26))
                for c in np.flatnonzero(known[r]).tolist()
            ]
            canvas.path("".join(signs), "ad-glyph ad-through")
        canvas.close()


def _glyph(level: int, x: float, y: float, cell: float) -> str:
    """A dot, or a triangle up or down, the larger the smaller p."""
    if not level:
        return outline("circle", x, y, max(0.8, cell * 0.05))
    a = cell * (0.1 + 0.075 * abs(level)) * (1 if level > 0 else -1)
    return f"M{at(x)} {at(y - a)}l{at(a)} {at(1.8 * a)}h{at(-2 * a)}Z"


def _open_row(grid: Grid, r: int, row: npt.NDArray[np.int64], known: npt.NDArray[np.bool_]) -> None:
    better, worse = int((row > 0).sum()), int((row < 0).sum())
    level = int(known.sum()) - better - worse
    hover = f"{grid.names[r]}: better than {better}, worse than {worse}, not significantly different from {level}"
    data: dict[str, str | float] = {"row": grid.names[r], "better": better, "worse": worse, "level": level}
    grid.canvas.group(data, hover)
    grid.canvas.rect(grid.left, grid.y(r), grid.cell * len(row), grid.cell, "ad-catch")


def _key(canvas: Canvas) -> None:
    """Draw a key of the signs: the four classes, for better and for worse."""
    x, y = 2.0, 14.0
    for level, text in ((3, "p < 0.001"), (2, "p < 0.01"), (1, "p < 0.05"), (0, "not significant")):
        signs = (level, -level) if level else (0,)
        need = 18 * len(signs) + wide(text, 11) + 16
        if x + need > canvas.width and x > 2:
            x, y = 2.0, y + 20
        for sign in signs:
            canvas.rect(x, y - 12, 16, 16, "ad-minus" if sign < 0 else "ad-plus", opacity=STRENGTH[level])
            canvas.path(_glyph(sign, x + 8, y - 4, 18), "ad-glyph")
            x += 18
        canvas.text(x + 3, y, text, "ad-soft ad-small")
        x += wide(text, 11) + 16
