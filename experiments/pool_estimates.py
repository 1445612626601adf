"""Are estimates from samples unbiased, and do their intervals hold the truth?

    python experiments/pool_estimates.py documents [--samples 10000]
    python experiments/pool_estimates.py topics [--samples 10000]

A collection is made up in which the truth is known: grades of people, a machine that errs, and a run. ``documents``
draws stratified samples of the pool of each topic (all of the first 10 ranks, a share of the rest) and estimates
measures from them, without and with the machine. ``topics`` draws topics that people judge, and corrects the machine's
mean over all topics by them. Shown are the truth, the bias with its standard error, the spread, and how many of the
intervals of 95 % hold the truth.
"""

from __future__ import annotations

import argparse
import math

import numpy as np

import adjudge
from adjudge.comparison.sample_totals import SampledTopic
from adjudge.comparison.sampled_estimates import _component, _estimate, _finite_mean, _mean
from adjudge.report.text_table import TextTable

POOL = 150
SUMS, QUOTIENTS = ("p@10", "p@30", "dcg@30", "rbp(p=0.9, rel=1)"), ("ap", "ndcg@30", "recall@30")


def world(topics: int, seed: int = 1) -> tuple[list[tuple[np.ndarray, ...]], dict[str, float], dict[str, np.ndarray]]:
    """(rank, human, machine) of each topic, the true means, and topics × (people, machine) by measure."""
    rng = np.random.default_rng(seed)
    people, machine, run, parts = {}, {}, {}, []
    for t in map(str, range(topics)):
        quality, cut = rng.normal(size=POOL), rng.uniform(0.6, 1.4)
        human = np.digitize(quality, [cut, cut + 0.7])
        other = np.digitize(quality + 0.5 * rng.normal(size=POOL) + 0.1, [cut, cut + 0.7])
        rank = np.argsort(np.argsort(-(quality + 1.2 * rng.normal(size=POOL)))) + 1
        parts.append((rank, human, other))
        people[t] = {f"d{d}": int(g) for d, g in enumerate(human)}
        machine[t] = {f"d{d}": int(g) for d, g in enumerate(other)}
        run[t] = {f"d{d}": float(-r) for d, r in enumerate(rank)}
    specs = [*SUMS, *QUOTIENTS, "rr", "err@10"]
    both = [adjudge.measure(qrels, {"run": run}, specs) for qrels in (people, machine)]
    truth = both[0].mean()["run"]
    values = {spec: np.stack([each.values[0, :, s] for each in both], axis=1) for s, spec in enumerate(specs)}
    return parts, truth, values


def documents(samples: int) -> TextTable:
    parts, truth, _ = world(10)
    rng, rows = np.random.default_rng(2), []
    for share in (0.1, 0.3):
        for helped in (False, True):
            specs = SUMS if helped else (*SUMS, *QUOTIENTS)
            components = {spec: _component(spec) for spec in specs}
            found: dict[str, list[tuple[float, float, float]]] = {spec: [] for spec in specs}
            for _ in range(samples):
                topics = [draw(rng, part, share, helped) for part in parts]
                for spec, component in components.items():
                    e = _mean([_estimate(topic, component, 1) for topic in topics], 0.95)
                    found[spec].append((e.value, e.low, e.high))
            helps = "yes" if helped else "no"
            rows += [[f"{share:.0%}", helps, spec, *figures(found[spec], truth[spec])] for spec in specs]
            print(f"share {share}, machine {helped}: done", flush=True)
    return TextTable(["share", "machine", "measure", "truth", "bias", "± error", "spread", "held"], rows, 3)


def draw(rng: np.random.Generator, part: tuple[np.ndarray, ...], share: float, helped: bool) -> SampledTopic:
    rank, human, machine = part
    strata = np.where(rank <= 10, 0, 1)
    sampled = strata == 0
    rest = np.flatnonzero(strata == 1)
    sampled[rng.choice(rest, max(2, round(share * len(rest))), replace=False)] = True
    return SampledTopic(strata, sampled, human, machine if helped else np.zeros_like(machine), rank)


def topics(samples: int) -> TextTable:
    _, truth, values = world(100)
    rng, rows = np.random.default_rng(3), []
    for count in (10, 25, 50):
        found: dict[str, list[tuple[float, float, float]]] = {spec: [] for spec in values}
        for _ in range(samples):
            chosen = rng.choice(100, count, replace=False)
            for spec, both in values.items():
                e = _finite_mean((both[:, 0] - both[:, 1])[chosen], float(both[:, 1].mean()), 100, 0.95)
                found[spec].append((e.value, e.low, e.high))
        rows += [[f"{count} of 100", spec, *figures(found[spec], truth[spec])] for spec in values]
    return TextTable(["topics", "measure", "truth", "bias", "± error", "spread", "held"], rows, 2)


def figures(found: list[tuple[float, float, float]], truth: float) -> list[str]:
    value, low, high = np.array(found).T
    held = ((low <= truth) & (truth <= high)).mean()
    error = value.std() / math.sqrt(len(value))
    return [f"{truth:.4f}", f"{value.mean() - truth:+.5f}", f"{error:.5f}", f"{value.std():.4f}", f"{held:.1%}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("documents", "topics"))
    parser.add_argument("--samples", type=int, default=10_000)
    options = parser.parse_args()
    table = documents(options.samples) if options.what == "documents" else topics(options.samples)
    print(table.markdown())


if __name__ == "__main__":
    main()
