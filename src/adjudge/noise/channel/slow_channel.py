"""What ``channel.c`` does, in Python: slow, without a compiler, and the second opinion in the tests."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
FLOOR = 0.02


class Steps:
    """The buffers of a channel read back into dictionaries, and the steps that lead from one cell to the next."""

    def __init__(self, buffers: tuple[Array, ...]) -> None:
        self.ids, self.single, edges, _, keys, chances, numbers, sources, totals, _, _, _ = buffers
        self.deletion, self.insertion, self.total = edges
        used = np.flatnonzero(keys)
        self.rules = {(int(keys[k]) & 0xFFFFFF, int(keys[k]) >> 24): (float(chances[k]), int(numbers[k])) for k in used}
        self.totals = {int(sources[k]): float(totals[k]) for k in np.flatnonzero(sources)}

    def numbers(self, text: str) -> list[int]:
        """The number of each character, 0 for an unknown one."""
        return [int(self.ids[ord(character)]) if ord(character) < 65536 else 0 for character in text]

    def copy(self, ids: list[int]) -> float:
        """The chance of a character to come through, given it and up to two characters behind it."""
        total = float(self.total[ids[0]])
        for size in (2, 3):
            if len(ids) >= size and 0 not in ids[:size]:
                total += self.totals.get(_pack(ids[:size]), 0.0)
        return max(1 - total, FLOOR)

    def at(self, true: str, observed: str) -> Iterator[tuple[int, int, int, int, float, tuple[str, int, int]]]:
        """Every step (from i, j; over how many; chance; what it is), in an order in which cells are complete."""
        a, b = self.numbers(true), self.numbers(observed)
        copies = [self.copy(a[i : i + 3]) for i in range(len(a))]
        for i in range(len(a) + 1):
            for j in range(len(b) + 1):
                for s in range(min(3, len(a) - i) + 1):
                    for d in range(min(3, len(b) - j) + 1):
                        source, target = a[i : i + s], b[j : j + d]
                        if (s, d) == (0, 1):
                            yield i, j, s, d, float(self.insertion[b[j]]), ("edge", 1, b[j])
                        elif (s, d) == (1, 0):
                            yield i, j, s, d, float(self.deletion[a[i]]), ("edge", 0, a[i])
                        elif (s, d) == (1, 1) and true[i] == observed[j]:
                            yield i, j, s, d, copies[i], ("copy", 0, 0)
                        elif (s, d) == (1, 1):
                            yield i, j, s, d, float(self.single[a[i], b[j]]), ("single", a[i], b[j])
                        elif s + d and 0 not in source + target:
                            rule = self.rules.get((_pack(source), _pack(target)))
                            if rule is not None:
                                yield i, j, s, d, rule[0], ("rule", rule[1], 0)


def _pack(ids: list[int]) -> int:
    return sum(number << (8 * k) for k, number in enumerate(ids))


def score(buffers: tuple[Array, ...], observed: str, candidates: list[str], best: bool, out: Array) -> None:
    """``out[k] = log P(observed | candidates[k])``."""
    steps = Steps(buffers)
    for number, true in enumerate(candidates):
        grid = np.full((len(true) + 1, len(observed) + 1), -np.inf)
        grid[0, 0] = 0.0
        for i, j, s, d, chance, _ in steps.at(true, observed):
            if grid[i, j] > -np.inf and chance > 0:
                there = grid[i, j] + math.log(chance)
                grid[i + s, j + d] = max(grid[i + s, j + d], there) if best else np.logaddexp(grid[i + s, j + d], there)
        out[number] = grid[-1, -1]


def rank(
    buffers: tuple[Array, ...], observed: list[str], names: list[str], rows: Array, numbers: Array, scores: Array
) -> None:
    """The candidates in each row, numbers of names, by log P(observed | name) along the best way; ties as they come."""
    numbers[:], scores[:] = -1, -np.inf
    for string, row, best, chances in zip(observed, rows, numbers, scores, strict=True):
        few = row[row >= 0]
        out = np.empty(len(few))
        score(buffers, string, [names[number] for number in few.tolist()], True, out)
        order = np.argsort(-out, kind="stable")[: len(best)]
        order = order[out[order] > -np.inf]
        best[: len(order)], chances[: len(order)] = few[order], out[order]


def expect(
    buffers: tuple[Array, ...],
    trues: list[str],
    observeds: list[str],
    weights: Array,
    singles: Array,
    edges: Array,
    rules: Array,
) -> tuple[float, float]:
    """Adds the expected uses of everything to the last three; (log likelihood, weight of pairs not counted)."""
    steps = Steps(buffers)
    likelihood = lost = 0.0
    for true, observed, weight in zip(trues, observeds, weights.tolist(), strict=True):
        taken = list(steps.at(true, observed))
        ahead = np.zeros((len(true) + 1, len(observed) + 1))
        rest = np.zeros_like(ahead)
        ahead[0, 0] = rest[-1, -1] = 1.0
        for i, j, s, d, chance, _ in taken:
            ahead[i + s, j + d] += ahead[i, j] * chance
        whole = float(ahead[-1, -1])
        if whole < 1e-280:
            lost += weight
            continue
        for i, j, s, d, chance, (kind, x, y) in reversed(taken):
            via = chance * rest[i + s, j + d]
            rest[i, j] += via
            used = ahead[i, j] * via / whole * weight
            if kind == "single":
                singles[x, y] += used
            elif kind == "edge":
                edges[x, y] += used
            elif kind == "rule":
                rules[x] += used
        likelihood += weight * math.log(whole)
    return likelihood, lost
