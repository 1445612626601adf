"""Averages over large tables of scores, in columns: how long the work takes once adjudge is loaded.

    python bench/averages.py

There is no peer: ir_measures and ranx have no geometric mean, trec_eval fuses it into two measures.
"""

from __future__ import annotations

import time

import numpy as np

from adjudge.comparison.scale.families import families
from adjudge.comparison.scale.sensitivity import sensitivity
from adjudge.core.average import averages, transformations
from adjudge.core.scores import Column, Scores


def scores(systems: int, topics: int) -> Scores:
    rng = np.random.default_rng(2006)
    values = np.round(rng.beta(0.6, 1.6, (systems, topics, 1)), 4)
    names = tuple(f"s{i}" for i in range(systems))
    return Scores(values, names, tuple(map(str, range(topics))), (Column("ap", "ap"),))


def best(work: object, repeat: int = 5) -> float:
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        work()  # type: ignore[operator]
        times.append(time.perf_counter() - begin)
    return min(times)


if __name__ == "__main__":
    table = scores(129, 50)
    steps = 29
    tried = sum(len(family.values) for family in families(steps))
    seconds = best(lambda: sensitivity(table, "ap", steps=steps))
    print(f"sensitivity, 129 systems × 50 topics × {tried} transformations: {seconds:.3f} s")
    large = scores(4284, 50)
    for spec in [*averages.names, *transformations.names]:
        print(f"average of 4,284 systems × 50 topics by {spec}: {best(lambda s=spec: large.average(s)):.4f} s")
