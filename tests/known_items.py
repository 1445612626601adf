"""Known-item search by its definitions, slowly: readers who go through their lists round by round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from adjudge.comparison.known_item.characteristic import Axis, Effort
from adjudge.comparison.known_item.ranks import KnownItem

EFFORTS: tuple[Effort, ...] = ("inclusive", "prior")
Ranks = Sequence[int | None]
Points = list[tuple[int, int, int]]


def of(length: Any = 10, **ranks: Ranks) -> KnownItem:
    return KnownItem.of_ranks(ranks, length=length)


ORACLE = of(A=[1, 2, None], B=[2, 3, 5])
"""The example of the specification."""


def read(ranks: Ranks, lengths: Sequence[int], effort: Effort) -> Points:
    """(round, work, found) of every round with a find."""
    points, work, found, r = [], 0, 0, 0
    reading = list(range(len(ranks)))
    while reading:
        r += 1
        before = work
        hits = 0
        for question in list(reading):
            if lengths[question] < r:
                reading.remove(question)
                continue
            work += 1
            if ranks[question] == r:
                hits += 1
                reading.remove(question)
        found += hits
        if hits:
            points.append((r, before if effort == "prior" else work, found))
    return points


def height(points: Points, axis: Axis, x: int) -> int:
    return max((f for r, w, f in points if (w if axis == "work" else r) <= x), default=0)


def relation(a: Points, b: Points, axis: Axis) -> str:
    places = {(w if axis == "work" else r) for r, w, _ in a + b}
    above = any(height(a, axis, x) > height(b, axis, x) for x in places)
    below = any(height(a, axis, x) < height(b, axis, x) for x in places)
    return "×" if above and below else ">" if above else "<" if below else "="


@st.composite
def items(draw: st.DrawFn, *, equal: bool, systems: int = 3) -> KnownItem:
    size = draw(st.integers(1, 7))
    longest = draw(st.integers(1, 9))
    ranks, lengths = {}, {}
    for name in "ABCDE"[: draw(st.integers(2, systems))]:
        own = [longest if equal else draw(st.integers(0, longest)) for _ in range(size)]
        ranks[name] = [draw(st.sampled_from([None, *range(1, most + 1)])) for most in own]
        lengths[name] = own
    return KnownItem.of_ranks(ranks, length=lengths)


def rows(item: KnownItem, effort: Effort) -> list[Points]:
    return [read(r, n, effort) for r, n in zip(item.ranks.tolist(), item.lengths.tolist(), strict=True)]
