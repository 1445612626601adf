"""Drawing: elements of SVG with classes, places to two decimals, everything from data escape."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ...core.errors import DataError
from ...core.judged import Floats
from .figure import Figure
from .scale import Scale
from .wording import escape, fit_text, visible, wide

HUGE = 1e300
"""Beyond it differences overflow: drawn as no value."""


def matrix(values: object, shape: tuple[int, ...], what: str) -> Floats:
    """Values as floating-point numbers of the shape expected; what is not finite has no value: NaN."""
    try:
        array = np.array(values, float)
    except (TypeError, ValueError):
        raise DataError(f"{what} of a figure must be numbers") from None
    if array.shape != shape:
        raise DataError(f"{what} of a figure must be {' × '.join(map(str, shape))} numbers, not {array.shape}")
    with np.errstate(invalid="ignore"):
        array[~(np.abs(array) < HUGE)] = np.nan
    return array


class Canvas:
    """Elements one after the other; ``figure`` closes it."""

    def __init__(self, width: float) -> None:
        if not (math.isfinite(width) and width >= 200):
            raise DataError(f"a figure must be at least 200 wide, not {width:g}")
        self.width = width
        self.parts: list[str] = []

    def element(
        self,
        name: str,
        classes: str,
        places: Mapping[str, float | str],
        *,
        title: str = "",
        data: Mapping[str, str | float] | None = None,
        inside: str = "",
    ) -> None:
        given = "".join(f' {key}="{at(v) if isinstance(v, int | float) else v}"' for key, v in places.items())
        attributes = "".join(f' data-{key}="{attribute_text(value)}"' for key, value in (data or {}).items())
        hover = f"<title>{escape(title)}</title>" if title else ""
        end = f">{hover}{inside}</{name}>" if hover or inside else "/>"
        self.parts.append(f'<{name} class="{classes}"{given}{attributes}{end}')

    def line(self, x1: float, y1: float, x2: float, y2: float, classes: str) -> None:
        self.element("line", classes, {"x1": x1, "y1": y1, "x2": x2, "y2": y2})

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        classes: str,
        *,
        title: str = "",
        data: Mapping[str, str | float] | None = None,
        opacity: float | None = None,
    ) -> None:
        places: dict[str, float | str] = {"x": x, "y": y, "width": max(width, 0.0), "height": max(height, 0.0)}
        if opacity is not None:
            places["fill-opacity"] = opacity
        self.element("rect", classes, places, title=title, data=data)

    def circle(
        self,
        x: float,
        y: float,
        r: float,
        classes: str,
        *,
        title: str = "",
        data: Mapping[str, str | float] | None = None,
    ) -> None:
        self.element("circle", classes, {"cx": x, "cy": y, "r": r}, title=title, data=data)

    def path(
        self,
        d: str,
        classes: str,
        *,
        title: str = "",
        data: Mapping[str, str | float] | None = None,
        dash: str = "",
        opacity: float | None = None,
    ) -> None:
        places: dict[str, float | str] = {"d": d}
        if dash:
            places["stroke-dasharray"] = dash
        if opacity is not None:
            places["fill-opacity"] = opacity
        self.element("path", classes, places, title=title, data=data)

    def text(
        self, x: float, y: float, text: str, classes: str = "ad-text", *, turn: float = 0, title: str = ""
    ) -> None:
        places: dict[str, float | str] = {"x": x, "y": y}
        if turn:
            places["transform"] = f"rotate({at(turn)} {at(x)} {at(y)})"
        self.element("text", classes, places, title=title if title != text else "", inside=escape(text))

    def texts(self, placed: Iterable[tuple[float, float, str]], classes: str) -> None:
        """Many texts that look the same."""
        inside = "".join(f'<text x="{at(x)}" y="{at(y)}">{escape(text)}</text>' for x, y, text in placed)
        self.parts.append(f'<g class="{classes}">{inside}</g>')

    def note(self, x: float, y: float, text: str) -> float:
        """Small print in as many lines as it needs; gives the height that it takes."""
        lines: list[str] = []
        for word in visible(text).split(" "):
            if lines and wide(f"{lines[-1]} {word}", 11) <= self.width - x - 2:
                lines[-1] += f" {word}"
            else:
                lines.append(fit_text(word, self.width - x - 2, 11))
        for n, line in enumerate(lines):
            self.text(x, y + 12 + 15 * n, line, "ad-soft ad-small")
        return 15.0 * len(lines) + 3

    def group(self, data: Mapping[str, str | float], title: str = "", classes: str = "ad-mark") -> None:
        """Open a group: what follows until ``close`` is one mark."""
        attributes = "".join(f' data-{key}="{attribute_text(value)}"' for key, value in data.items())
        self.parts.append(f'<g class="{classes}"{attributes}>' + (f"<title>{escape(title)}</title>" if title else ""))

    def close(self) -> None:
        self.parts.append("</g>")

    def x_axis(self, scale: Scale, top: float, bottom: float, name: str = "", *, grid: bool = True) -> float:
        """Ticks, labels and name below a plot; gives the height that it takes."""
        end = -math.inf
        for tick, label in zip(scale.ticks, scale.labels(), strict=True):
            x = scale(tick)
            if grid:
                self.line(x, top, x, bottom, "ad-grid")
            half = wide(label, 11) / 2
            middle = min(max(x, half), self.width - half)
            if middle - half > end + 4:
                self.text(middle, bottom + 15, label, "ad-soft ad-small ad-middle")
                end = middle + half
        if name:
            self.text((scale.start + scale.stop) / 2, bottom + 33, name, "ad-text ad-middle")
        return 40 if name else 22

    def y_axis(self, scale: Scale, left: float, right: float, name: str = "", *, grid: bool = True) -> None:
        """Ticks and labels beside a plot; the name stands above it, where it is read without turning the head."""
        for tick, label in zip(scale.ticks, scale.labels(), strict=True):
            y = scale(tick)
            if grid:
                self.line(left, y, right, y, "ad-grid")
            self.text(left - 7, y + 4, label, "ad-soft ad-small ad-end")
        if name:
            self.text(2, min(scale.start, scale.stop) - 12, name, "ad-text")

    def figure(self, height: float, title: str, description: str) -> Figure:
        return Figure("".join(self.parts), round(self.width, 2), round(height, 2), title, description)


def nothing(width: float, title: str, why: str) -> Figure:
    """A figure that says that there is nothing to draw, and why."""
    canvas = Canvas(width)
    canvas.text(width / 2, 44, why, "ad-soft ad-middle")
    return canvas.figure(80, title, f"{title}: {why}")


def at(place: float) -> str:
    """A place, to two decimals."""
    text = f"{place:.2f}"
    text = text.rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def attribute_text(value: str | float) -> str:
    """A value of a data attribute: numbers with all their digits, NaN as nothing."""
    if isinstance(value, str):
        return escape(value)
    return "" if not math.isfinite(value) else repr(float(value)).removesuffix(".0")


def polyline(xs: Iterable[float], ys: Iterable[float]) -> str:
    """The path through points, broken where one of them has no value."""
    steps, pen = [], "M"
    for x, y in zip(xs, ys, strict=True):
        if math.isfinite(x) and math.isfinite(y):
            steps.append(f"{pen}{at(x)} {at(y)}")
            pen = "L"
        else:
            pen = "M"
    return "".join(steps)


def steps(xs: Sequence[float], ys: Sequence[float]) -> str:
    """The path of a step function that jumps to ``ys[i]`` at ``xs[i]``."""
    if not len(xs):
        return ""
    parts = [f"M{at(xs[0])} {at(ys[0])}"]
    for x, y in zip(xs[1:], ys[1:], strict=True):
        parts.append(f"H{at(x)}V{at(y)}")
    return "".join(parts)
