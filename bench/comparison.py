"""Rank correlation and significance beside scipy and ranx: work alone, everything loaded and compiled.

    python bench/comparison.py
    python bench/comparison.py --full       # the slow peers with as many permutations as we take

Correlation: rankings with ties, adjudge beside scipy.stats.kendalltau, whose tau_b has no top to weigh. Significance:
all 4,950 pairs of 100 systems on 50 topics; ranx repeats every pair both ways and has no randomised Tukey test, so its
Tukey test is the classic one.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import scipy.stats

from adjudge import correlation
from adjudge.comparison.paired import paired_tests
from adjudge.comparison.rank_groups import rank_groups
from adjudge.core.scores import Column, Scores

FEW = 1000
"""Permutations that a slow peer is timed with unless --full; its time grows with them."""


def best(work: Callable[[], Any], repeat: int = 5) -> float:
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def correlations(items: int, repeat: int) -> None:
    rng = np.random.default_rng(2017)
    x = rng.integers(0, items // 5, items).astype(float)
    y = np.round(x + rng.normal(0, items / 20, items), -1)
    truth = rng.permutation(items).astype(float)
    peer = best(lambda: scipy.stats.kendalltau(x, y), repeat)
    print(f"\n{items:,} items with ties, best of {repeat}\n  scipy.stats.kendalltau {1000 * peer:9.1f} ms")
    for name, first in (("tau_a", truth), ("tau_b", x), ("tau_ap_a", truth), ("tau_ap_b", x), ("rbo", x)):
        seconds = best(partial(getattr(correlation, name), first, y), repeat)
        print(f"  {name:<22} {1000 * seconds:9.1f} ms   {seconds / peer:4.1f} × scipy's time")


def tested(spec: str, values: Any, pairs: Any) -> Any:
    return paired_tests.parse(spec)(values, pairs, np.random.default_rng(0))


def significance(full: bool, repeat: int) -> None:
    rng = np.random.default_rng(2019)
    values = np.clip(rng.beta(0.6, 1.6, (1, 50)) + rng.normal(0, 0.1, (100, 50)) + rng.normal(0, 0.03, (100, 1)), 0, 1)
    pairs = np.array(np.triu_indices(100, 1)).T
    print(f"\nall {len(pairs):,} pairs of 100 systems × 50 topics, best of {repeat}")
    for spec in (
        "t",
        "sign",
        "wilcoxon",
        "bootstrap(samples=10000)",
        "randomisation(samples=100000)",
        "tukey(samples=100000)",
    ):
        seconds = best(partial(tested, spec, values, pairs), repeat)
        print(f"  adjudge {spec:<30} {seconds:8.3f} s")
    seconds = best(lambda: [scipy.stats.ttest_rel(values[a], values[b]) for a, b in pairs], 1)
    print(f"  scipy.stats.ttest_rel, pair by pair    {seconds:8.3f} s")
    seconds = best(lambda: [scipy.stats.wilcoxon(values[a], values[b]) for a, b in pairs], 1)
    print(f"  scipy.stats.wilcoxon, pair by pair     {seconds:8.3f} s")
    seconds = best(lambda: scipy.stats.tukey_hsd(*values), 1)
    print(f"  scipy.stats.tukey_hsd (not paired)     {seconds:8.3f} s")
    if importlib.util.find_spec("ranx"):
        beside_ranx(values, 100_000 if full else FEW)


def groups(repeat: int) -> None:
    rng = np.random.default_rng(1999)
    means = rng.normal(0.3, 0.08, (129, 1))
    values = np.clip(means + rng.normal(0, 0.2, (1, 50)) + rng.normal(0, 0.12, (129, 50)), 0, 1)
    systems, topics = (tuple(map(str, range(count))) for count in values.shape)
    scores = Scores(values[:, :, None], systems, topics, (Column("ap", "ap"),))
    print(f"\ngroups and rank intervals of 129 systems × 50 topics, best of {repeat}")
    for test in ("t", "anova", "wilcoxon"):
        seconds = best(partial(rank_groups, scores, "ap", test=test), repeat)
        print(f"  adjudge rank_groups, {test:<20} {seconds:8.3f} s")


def beside_ranx(values: Any, permutations: int) -> None:
    from ranx.statistical_tests import compute_statistical_significance

    names = [f"s{i}" for i in range(len(values))]
    scores = {name: {"ap": row} for name, row in zip(names, values, strict=True)}

    def run(test: str, systems: list[str], rounds: int) -> None:
        compute_statistical_significance(systems, scores, test, rounds, 0.01, 42)

    run("fisher", names[:2], 10)  # compiled before the clock runs
    print(f"  ranx student                           {best(lambda: run('student', names, 0), 1):8.3f} s")
    seconds = best(lambda: run("fisher", names, permutations), 1)
    print(f"  ranx fisher, {permutations:,} permutations {'':<10} {seconds:8.3f} s")
    print(f"  ranx tukey                             {best(lambda: run('tukey', names, 0), 1):8.3f} s")


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of scipy's integration in the classic Tukey test
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    for items in (1000, 100_000, 1_000_000):
        correlations(items, options.repeat)
    significance(options.full, min(3, options.repeat))
    groups(min(3, options.repeat))
