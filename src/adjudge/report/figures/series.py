"""Appearance of systems: which stand out, and their colours, dashes and markers; colour is never the only sign."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...core.judged import Floats
from .canvas import Canvas, at
from .palette import COLOURS
from .wording import fit_text, visible, wide

ALL = 12
"""So many systems all have a colour of their own; of more the best stand out."""

BEST = 10

DASHES = ("", "6 3", "2 3", "8 3 2 3")
SHAPES = ("circle", "diamond", "square", "triangle", "wedge", "plus")

GAP = 14
"""Between the lines of labels one below the other."""


class Look(NamedTuple):
    """Slot 0 is grey: one of the rest."""

    slot: int = 0
    dash: str = ""
    shape: str = "circle"

    @property
    def stroke(self) -> str:
        return f"ad-line ad-s{self.slot}" if self.slot else "ad-thin ad-haze"

    @property
    def fill(self) -> str:
        return f"ad-f{self.slot}"


def looks(
    names: Sequence[str], order: Sequence[int], *, baseline: str = "", selected: Sequence[str] = ()
) -> tuple[Look, ...]:
    """Choose colour, dash and marker of each system.

    Those selected have the colours in the order in which they are given, so that a system looks the same in all
    figures that are given the same ones. Without them all systems, if they are few, have the colours in their own
    order; of many, the best of ``order``. The baseline stands out in any case.
    """
    places = {name: s for s, name in reversed(list(enumerate(names)))}
    if selected:
        chosen = [places[name] for name in dict.fromkeys(selected) if name in places]
    elif len(names) <= ALL:
        chosen = list(range(len(names)))
    else:
        chosen = list(order[:BEST])
    if baseline in places and places[baseline] not in chosen:
        chosen.append(places[baseline])
    looks = [Look()] * len(names)
    for n, s in enumerate(chosen):
        looks[s] = _look(n)
    return tuple(looks)


def looks_among(all_names: Sequence[str], names: Sequence[str]) -> list[Look]:
    """The looks that some systems have in a figure of more of them; all that are drawn here stand out."""
    places = {name: place for place, name in reversed(list(enumerate(all_names)))}
    chosen = [places.get(name, len(all_names) + n) for n, name in enumerate(names)]
    return [_look(n) for n in chosen]


def _look(n: int) -> Look:
    return Look(n % COLOURS + 1, DASHES[n // COLOURS % len(DASHES)], SHAPES[n % len(SHAPES)])


def slot_of(selected: Sequence[str], name: str) -> int:
    """The colour that a system has in figures for which the same ones are selected; 0 if it has none."""
    chosen = list(dict.fromkeys(selected))
    return chosen.index(name) % COLOURS + 1 if name in chosen else 0


def by_value(values: Floats, better: str) -> list[int]:
    """Systems by value, best first, those without one last; equal ones keep their order."""
    way = -1.0 if better != "low" else 1.0
    return [int(s) for s in np.argsort(np.where(np.isnan(values), np.inf, way * values), kind="stable")]


def marker(canvas: Canvas, shape: str, x: float, y: float, r: float, classes: str, title: str = "") -> None:
    """A small sign at a place, of about the same area in every shape."""
    if shape == "circle":
        canvas.circle(x, y, r, classes, title=title)
        return
    canvas.path(outline(shape, x, y, r), classes, title=title)


def outline(shape: str, x: float, y: float, r: float) -> str:
    if shape == "square":
        a = r * 0.89
        return f"M{at(x - a)} {at(y - a)}h{at(2 * a)}v{at(2 * a)}h{at(-2 * a)}Z"
    if shape == "diamond":
        a = r * 1.25
        return f"M{at(x)} {at(y - a)}l{at(a)} {at(a)}l{at(-a)} {at(a)}l{at(-a)} {at(-a)}Z"
    if shape in {"triangle", "wedge"}:
        a = r * 1.2 * (1 if shape == "triangle" else -1)
        return f"M{at(x)} {at(y - a)}l{at(a)} {at(1.75 * a)}h{at(-2 * a)}Z"
    if shape == "plus":
        a, b = r * 1.15, r * 0.42
        return (
            f"M{at(x - b)} {at(y - a)}h{at(2 * b)}v{at(a - b)}h{at(a - b)}v{at(2 * b)}h{at(b - a)}v{at(a - b)}"
            f"h{at(-2 * b)}v{at(b - a)}h{at(b - a)}v{at(-2 * b)}h{at(a - b)}Z"
        )
    return f"M{at(x - r)} {at(y)}a{at(r)} {at(r)} 0 1 0 {at(2 * r)} 0a{at(r)} {at(r)} 0 1 0 {at(-2 * r)} 0Z"


def spread_labels(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places for labels as near as possible to where they belong, in the same order and at least ``gap`` apart.

    Neighbours that are too close form a block around the mean of where they want to be (least squares, as in isotonic
    regression). If all do not fit between low and high, they are spread evenly.
    """
    count = len(places)
    if count == 0:
        return []
    gap = min(gap, (high - low) / (count - 1)) if count > 1 else gap
    order = sorted(range(count), key=lambda i: places[i])
    blocks: list[tuple[float, int]] = []  # mean of the wanted place of the first member, members
    for n, s in enumerate(order):
        block = (places[s] - n * gap, 1)
        while blocks and blocks[-1][0] > block[0]:
            mean, size = blocks.pop()
            block = ((mean * size + block[0] * block[1]) / (size + block[1]), size + block[1])
        blocks.append(block)
    firsts = [mean for mean, size in blocks for _ in range(size)]
    looks = [0.0] * count
    top = max(low, high - (count - 1) * gap)
    for n, s in enumerate(order):
        looks[s] = min(max(firsts[n], low), top) + n * gap
    return looks


def end_labels(
    canvas: Canvas,
    names: Sequence[str],
    own: Sequence[Look],
    ends: Sequence[tuple[float, float]],
    *,
    left: float,
    low: float,
    high: float,
    markers: bool = False,
) -> None:
    """Names of the systems that stand out beside the ends of their lines, led to them where they had to move."""
    shown = [s for s, look in enumerate(own) if look.slot and all(map(math.isfinite, ends[s]))]
    places = spread_labels([ends[s][1] for s in shown], GAP, low, high)
    for s, y in zip(shown, places, strict=True):
        x, end = ends[s]
        if abs(end - y) > 1.5 or left - x > 12:
            canvas.path(f"M{at(x + 4)} {at(end)}L{at(left - 2)} {at(y)}", "ad-thin ad-haze")
        canvas.path(f"M{at(left)} {at(y)}h16", own[s].stroke, dash=own[s].dash)
        if markers:
            marker(canvas, own[s].shape, left + 8, y, 3.4, f"{own[s].fill} ad-hair")
        canvas.text(left + 22, y + 4, fit_text(names[s], canvas.width - left - 24), "ad-text", title=names[s])


def label_room(names: Sequence[str], own: Sequence[Look], width: float) -> float:
    """The room beside the lines that the names need, at most a third of the figure."""
    widest = max((wide(visible(name)) for name, look in zip(names, own, strict=True) if look.slot), default=0.0)
    return min(widest + 42, width * 0.34)
