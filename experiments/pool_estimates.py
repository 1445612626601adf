"""Are estimates from samples unbiased, and do their intervals hold the truth?

    python experiments/pool_estimates.py documents [--samples 10000]
    python experiments/pool_estimates.py topics [--samples 10000]
    python experiments/pool_estimates.py track QRELS RUN ... [--samples 10000]

A collection is made up in which the truth is known: grades of people, a machine that errs, and a run. ``documents``
draws stratified samples of the pool of each topic (all of the first 10 ranks, a share of the rest) and estimates
measures from them, without and with the machine. ``topics`` draws topics that people judge, and corrects the machine's
mean over all topics by them. ``track`` draws from the judgments of a real track, which are taken for the whole truth:
the judged documents among the first 10 of the run whole, a share of the others. ``--designs`` names some of them. The
model of filled_judgments.py was tuned on made-up collections, and once on bm25_baseline of TREC-COVID. Shown are
the truth, the bias with its standard error, the spread, and how many of the intervals of 95 % hold the truth.
"""

from __future__ import annotations

import argparse
import math

import numpy as np

import adjudge
from adjudge.comparison.filled_judgments import fill
from adjudge.comparison.sample_totals import SampledTopic
from adjudge.comparison.sampled_estimates import SampledWorld, _component, _finite_mean, ranks_of
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


DESIGNS = {"10%": (0.1, False), "10% machine": (0.1, True), "30%": (0.3, False), "30% machine": (0.3, True)}
HEADER = ["measure", "truth", "bias", "± error", "spread", "held"]


def documents(samples: int, designs: list[str]) -> TextTable:
    parts, truth, _ = world(10)
    rows = []
    for design in designs:
        rows += [[design, *row] for row in sampled(parts, truth, *DESIGNS[design], samples)]
        print(f"{design}: done", flush=True)
    return TextTable(["design", *HEADER], rows, 2)


def sampled(
    parts: list[tuple[np.ndarray, ...]], truth: dict[str, float], share: float, helped: bool, samples: int
) -> list[list[str]]:
    """A row of figures for each measure."""
    rng = np.random.default_rng(2)
    components = {spec: _component(spec) for spec in (*SUMS, *QUOTIENTS)}
    found: dict[str, list[tuple[float, float, float]]] = {spec: [] for spec in components}
    for _ in range(samples):
        topics = [draw(rng, part, share, helped) for part in parts]
        # Another seed for each sample, as if each were another file.
        filled = fill(topics, [topic.strata for topic in topics], rng)
        drawn = SampledWorld(topics, [topic.strata for topic in topics])
        drawn.__dict__["filled"] = filled
        for spec, component in components.items():
            e = drawn.mean(component, 1, 0.95)
            found[spec].append((e.value, e.low, e.high))
    return [[spec, *figures(found[spec], truth[spec])] for spec in components]


def track(samples: int, qrels_file: str, files: list[str], designs: list[str]) -> TextTable:
    """Runs of a track on what was judged of it; a made-up machine errs on one judgment in five."""
    qrels = adjudge.read_qrels(qrels_file)
    rng, rows = np.random.default_rng(4), []
    for file in files:
        run = adjudge.read_run(file)
        ranks, grades = ranks_of(run, qrels), np.maximum(np.asarray(qrels.grades, np.int64), 0)
        machine = np.where(rng.random(len(grades)) < 0.2, 1 - np.minimum(grades, 1), grades)
        bounds = zip(qrels.offsets[:-1].tolist(), qrels.offsets[1:].tolist(), strict=True)
        parts = [(ranks[a:b], grades[a:b], machine[a:b]) for a, b in bounds]
        truth = adjudge.measure(qrels, {"run": run}, [*SUMS, *QUOTIENTS], complete=True).mean()["run"]
        for design in designs:
            rows += [[run.name, design, *row] for row in sampled(parts, truth, *DESIGNS[design], samples)]
            print(f"{run.name} {design}: done", flush=True)
    return TextTable(["run", "design", *HEADER], rows, 3)


def draw(rng: np.random.Generator, part: tuple[np.ndarray, ...], share: float, helped: bool) -> SampledTopic:
    rank, human, machine = part
    strata = np.where(rank <= 10, 0, 1)
    sampled = strata == 0
    rest = np.flatnonzero(strata == 1)
    sampled[rng.choice(rest, min(len(rest), max(2, round(share * len(rest)))), replace=False)] = True
    _, numbered = np.unique(strata, return_inverse=True)
    return SampledTopic(numbered, sampled, human, machine if helped else np.zeros_like(machine), rank)


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
    parser.add_argument("what", choices=("documents", "topics", "track"))
    parser.add_argument("files", nargs="*", metavar="FILE", help="judgments and runs of a track")
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--designs", nargs="+", choices=DESIGNS, default=list(DESIGNS))
    options = parser.parse_args()
    if options.what == "topics":
        table = topics(options.samples)
    elif options.what == "documents":
        table = documents(options.samples, options.designs)
    else:
        table = track(options.samples, options.files[0], options.files[1:], options.designs)
    print(table.markdown())


if __name__ == "__main__":
    main()
