"""Are estimates from samples unbiased, and do their intervals hold the truth?

    python experiments/pool_estimates.py documents
    python experiments/pool_estimates.py topics
    python experiments/pool_estimates.py runs QRELS RUN ... --system NAME --topics even
    python experiments/pool_estimates.py systems DOCUMENTS TOPICS QRELS --exhaustive
    python experiments/pool_estimates.py documents --made-up 100 --whole 10 25

Samples are drawn again and again where the truth is known. ``documents`` and ``topics`` make up a collection: grades of
people, a machine that errs, and a run. ``runs`` takes the runs of a track on what was judged of them, ``systems`` 18
runs of our own, made as experiments/pools.py makes them; with ``--exhaustive`` what nobody listed is not relevant.
There the machine is made up: it takes a quarter of the relevant documents for others, and one in sixteen of those for
relevant. ``topics`` draws topics that people judge, and corrects the machine's mean over all topics by them.

Designs: ``depth`` judges all documents that some run has among its first 5 and a share of the others; ``three`` also
has a stratum of ranks 6 to 20 with twice that share; ``uniform`` is a share of all. Shown are the truth, the bias in
standard deviations with its error, the spread, and how many intervals of 95 % hold the truth. Judges are ``people``, or
``both`` people and the machine. ``--topics`` keeps those on which the method was chosen (odd) apart from those on which
it is reported (even).

``--whole N`` has N of the topics, other ones with every sample, judged whole, and the figure from the sample corrected
by them; ``--choices`` draws topics several times for each sample, so that fewer samples tell how many intervals hold
(the error that is shown is that of so many samples). Beside it stand the bias and the spread of the figure from the
sample alone, and the spread of the mean of the topics that are judged whole, without a sample of the others.
"""

from __future__ import annotations

import argparse
import gc
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import adjudge
from adjudge.comparison.drawn_topics import finite_mean, likely_figures, student_quantile
from adjudge.comparison.measure_parts import estimable, shape_of
from adjudge.comparison.sample_means import interval, moments
from adjudge.comparison.sampled_cells import CellSample
from adjudge.comparison.sampled_estimates import ranks_of
from adjudge.comparison.unseen_relevance import RelevanceModel
from adjudge.report.text_table import TextTable

POOL = 150
SPECS = ("p@10", "p@30", "rbp(p=0.9, rel=1)", "dcg@30", "ap", "ndcg@10", "ndcg@30", "recall@50")
DESIGNS = {"depth": (6,), "three": (6, 21), "uniform": ()}
SHARES = (0.1, 0.2, 0.4)
BATCH = 250
HEADER = ["measure", "truth", "bias / spread", "± error", "spread", "held"]
ALONE = ["sample alone: bias", "± error", "spread", "whole topics alone: spread"]


class PoolTopic(NamedTuple):
    """A topic as it is: people's grade of every document, the machine's, the run's rank, the best of all ranks."""

    human: np.ndarray
    machine: np.ndarray
    rank: np.ndarray
    best: np.ndarray


def world(topics: int, seed: int = 1) -> tuple[list[PoolTopic], dict[str, np.ndarray]]:
    """A collection that is made up, and topics × (people, machine) by measure."""
    rng = np.random.default_rng(seed)
    people, machine, run, parts = {}, {}, {}, []
    for t in map(str, range(topics)):
        quality, cut = rng.normal(size=POOL), rng.uniform(0.6, 1.4)
        human = np.digitize(quality, [cut, cut + 0.7])
        other = np.digitize(quality + 0.5 * rng.normal(size=POOL) + 0.1, [cut, cut + 0.7])
        rank, second = (np.argsort(np.argsort(-(quality + noise * rng.normal(size=POOL)))) + 1 for noise in (1.2, 1.5))
        parts.append(PoolTopic(human, other, rank, np.minimum(rank, second)))
        people[t] = {f"d{d}": int(g) for d, g in enumerate(human)}
        machine[t] = {f"d{d}": int(g) for d, g in enumerate(other)}
        run[t] = {f"d{d}": float(-r) for d, r in enumerate(rank)}
    specs = [*SPECS, "rr", "err@10"]
    both = [adjudge.measure(qrels, {"run": run}, specs) for qrels in (people, machine)]
    return parts, {spec: np.stack([each.values[0, :, s] for each in both], axis=1) for s, spec in enumerate(specs)}


def pooled(qrels: Any, runs: dict[str, Any], system: str, exhaustive: bool, seed: int = 4) -> list[PoolTopic]:
    """What was judged of the runs (or, if all was looked at, their first 100), and one of them."""
    from adjudge.pools.pool_making import make_pool
    from pools import restrict

    own = list(runs.items()) if exhaustive else list(restrict(runs, qrels).items())
    pool = make_pool(own, "depth@100" if exhaustive else "depth@1000", topics=qrels.topics if exhaustive else None)
    grades, kept = qrels.to_dict(), {}
    for topic, document, _ in pool.rows():
        kept.setdefault(topic, {})[document] = max(0, grades[topic].get(document, 0))
    whole = adjudge.read_qrels(kept)
    ranks = {name: ranks_of(adjudge.read_run(run), whole) for name, run in runs.items()}
    best = np.min(list(ranks.values()), axis=0)
    rng = np.random.default_rng(seed)
    human = np.asarray(whole.grades, np.int64)
    bounds = zip(whole.offsets[:-1].tolist(), whole.offsets[1:].tolist(), strict=True)
    return [PoolTopic(human[a:b], erring(human[a:b], rng), ranks[system][a:b], best[a:b]) for a, b in bounds]


def erring(human: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A machine that says relevant or not."""
    relevant = np.minimum(human, 1)
    return np.where(rng.random(len(human)) < np.where(relevant > 0, 0.25, 0.0625), 1 - relevant, relevant)


def draw(topic: PoolTopic, design: str, share: float, helped: bool, samples: int, rng: Any) -> CellSample:
    """Many samples of a topic."""
    strata = np.searchsorted(DESIGNS[design], topic.best, side="right")
    shares = {"depth": (1.0, share), "three": (1.0, min(1.0, 2 * share), share), "uniform": (share,)}[design]
    said = topic.machine if helped else np.zeros_like(topic.machine)
    kinds = 10 * strata + said
    classes, cell = np.unique(kinds, return_inverse=True)
    drawn = np.ones((samples, len(strata)), bool)
    for stratum, own in enumerate(shares):
        rows = np.flatnonzero(strata == stratum)
        count = min(len(rows), max(2, round(own * len(rows))))
        if count < len(rows):
            keys = rng.random((samples, len(rows)))
            drawn[:, rows] = keys <= np.partition(keys, count - 1, axis=1)[:, count - 1 : count]
    inside = (cell[:, None] == np.arange(len(classes))[None, :]).astype(float)
    found = np.flatnonzero((topic.human > 0) | (said > 0))
    return CellSample(
        classes,
        classes // 10,
        inside.sum(axis=0),
        drawn @ inside,
        cell[found],
        topic.human[found],
        said[found],
        topic.rank[found],
        drawn[:, found].astype(float),
        cell,
        topic.rank,
    )


def truth_of(topics: list[PoolTopic], spec: str) -> np.ndarray:
    """The measure of each topic, on all judgments: computed by adjudge measure, not by the estimator."""
    qrels, run = {}, {}
    for t, topic in enumerate(topics):
        qrels[str(t)] = {f"d{d}": int(grade) for d, grade in enumerate(topic.human)}
        ranked = [d for d in np.argsort(topic.rank, kind="stable").tolist() if topic.rank[d] < 2**40]
        # What the run has and the pool has not keeps its rank.
        own, place = {}, 0
        for d in ranked:
            while place + 1 < topic.rank[d]:
                place += 1
                own[f"x{place}"] = -float(place)
            place += 1
            own[f"d{d}"] = -float(place)
        run[str(t)] = own
    scores = adjudge.measure(qrels, {"run": run}, [spec], complete=True)
    return scores.values[0, [scores.topics.index(topic) for topic in qrels], 0]


def sampled(
    topics: list[PoolTopic], design: str, share: float, helped: bool, samples: int, specs: Sequence[str]
) -> list[list[str]]:
    """A row of figures for each measure."""
    rng = np.random.default_rng([2, round(100 * share), helped, len(design)])
    shapes = {spec: shape_of(estimable(spec), 1) for spec in specs}
    found: dict[str, list[np.ndarray]] = {spec: [] for spec in specs}
    for first in range(0, samples, BATCH):
        drawn = [draw(topic, design, share, helped, min(BATCH, samples - first), rng) for topic in topics]
        model = RelevanceModel.of(drawn)
        for spec, shape in shapes.items():
            each = moments(drawn, shape, model)
            found[spec].append(np.stack([each.value, *interval(each, 0.95)]))
    return [
        [spec, *figures(np.concatenate(found[spec], axis=1), float(truth_of(topics, spec).mean()))] for spec in specs
    ]


def corrected(
    topics: list[PoolTopic],
    design: str,
    share: float,
    helped: bool,
    samples: int,
    specs: Sequence[str],
    counts: Sequence[int],
    choices: int,
) -> list[list[str]]:
    """A row of figures for each number of topics judged whole and each measure; each sample has choices of its own."""
    rng = np.random.default_rng([5, round(100 * share), helped, len(design)])
    shapes, truths = {s: shape_of(estimable(s), 1) for s in specs}, {s: truth_of(topics, s) for s in specs}
    parts: dict[str, list[np.ndarray]] = {spec: [] for spec in specs}
    likely: dict[str, list[np.ndarray]] = {spec: [] for spec in specs}
    chosen = []
    for first in range(0, samples, BATCH):
        size = min(BATCH, samples - first)
        drawn = [draw(topic, design, share, helped, size, rng) for topic in topics]
        chosen.append(np.argsort(rng.random((len(topics), size, choices)), axis=0))
        model = RelevanceModel.of(drawn)
        for spec, shape in shapes.items():
            found = moments(drawn, shape, model)
            parts[spec].append(found.by_topic)
            likely[spec].append(likely_figures(found))
        del drawn, model
        gc.collect()  # a model knows itself, and its arrays are large
    order, rows = np.concatenate(chosen, axis=1).reshape(len(topics), -1), []
    for count in counts:
        for spec, truth in truths.items():
            each = np.repeat(np.concatenate(likely[spec], axis=1), choices, axis=1)
            lacking = np.take_along_axis(truth[:, None] - each, order[:count], axis=0)
            middle = each.mean(axis=0) + lacking.mean(axis=0)  # what finite_mean does, for all samples at once
            reach = student_quantile(0.975, count - 1.0) * np.sqrt(lacking.var(axis=0, ddof=1) / count)
            reach *= math.sqrt(1 - count / len(topics))
            values = np.stack([middle, middle - reach, middle + reach])
            alone, error = np.concatenate(parts[spec], axis=1).mean(axis=0), float(truth.mean())
            spread = float(alone.std())
            bias = (alone.mean() - error) / max(spread, 1e-12)
            few = math.sqrt(truth.var(ddof=1) * (1 - count / len(topics)) / count)
            beside = [f"{bias:+.3f}", f"{1 / math.sqrt(samples):.3f}", f"{spread:.4f}", f"{few:.4f}"]
            rows.append([f"{count} of {len(topics)}", spec, *figures(values, error, samples), *beside])
    return rows


def figures(found: np.ndarray, truth: float, samples: int | None = None) -> list[str]:
    value, low, high = found
    held = ((low - 1e-9 <= truth) & (truth <= high + 1e-9)).mean()
    spread = max(float(value.std()), 1e-12)
    bias = (value.mean() - truth) / spread
    return [
        f"{truth:.4f}",
        f"{bias:+.3f}",
        f"{1 / math.sqrt(samples or len(value)):.3f}",
        f"{spread:.4f}",
        f"{held:.1%}",
    ]


def documents(topics: list[PoolTopic], options: argparse.Namespace) -> TextTable:
    rows = []
    for design in options.designs:
        for share in options.shares:
            for judges in options.judges:
                given = topics, design, share, judges == "both", options.samples, options.measures
                for row in corrected(*given, options.whole, options.choices) if options.whole else sampled(*given):
                    rows.append([design, f"{share:.0%}", judges, *row])
                    print(*rows[-1], flush=True)
    more = (["whole"], ALONE) if options.whole else ([], [])
    return TextTable(["design", "share", "judges", *more[0], *HEADER, *more[1]], rows, 4 + len(more[0]))


def topics_drawn(samples: int) -> TextTable:
    _, values = world(100)
    rng, rows = np.random.default_rng(3), []
    for count in (10, 25, 50):
        found: dict[str, list[tuple[float, float, float]]] = {spec: [] for spec in values}
        for _ in range(samples):
            chosen = rng.choice(100, count, replace=False)
            for spec, both in values.items():
                e = finite_mean((both[:, 0] - both[:, 1])[chosen], float(both[:, 1].mean()), 100, 0.95)
                found[spec].append((e.value, e.low, e.high))
        for spec, both in values.items():
            rows.append([f"{count} of 100", spec, *figures(np.array(found[spec]).T, float(both[:, 0].mean()))])
    return TextTable(["topics", *HEADER], rows, 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("documents", "topics", "runs", "systems"))
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--system", help="the run that is estimated (default: the first)")
    parser.add_argument("--exhaustive", action="store_true")
    parser.add_argument("--topics", choices=("all", "odd", "even"), default="all")
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--every", type=int, default=1, help="of those, every so many")
    parser.add_argument("--first", type=int, default=0, help="from this one on, counted from 0")
    parser.add_argument("--relevant", action="store_true", help="only topics with relevant documents")
    parser.add_argument("--measures", nargs="+", default=SPECS)
    parser.add_argument("--judges", nargs="+", choices=("people", "both"), default=("people", "both"))
    parser.add_argument("--designs", nargs="+", choices=DESIGNS, default=list(DESIGNS))
    parser.add_argument("--shares", nargs="+", type=float, default=SHARES)
    parser.add_argument("--whole", nargs="+", type=int, default=[], help="numbers of topics that are judged whole")
    parser.add_argument("--choices", type=int, default=1, help="choices of these topics for each sample")
    parser.add_argument("--made-up", type=int, default=10, help="topics of the collection that is made up")
    options = parser.parse_args()
    if options.what == "topics":
        print(topics_drawn(options.samples).markdown())
        return
    if options.what == "documents":
        parts = world(options.made_up)[0]
    else:
        if options.what == "runs":
            judgments, *files = options.files
            runs = {run.name: run for run in map(adjudge.read_run, files)}
        else:
            from pools import own_runs

            *inputs, judgments = options.files
            runs = own_runs(*inputs)
        system = options.system or next(iter(runs))
        parts = pooled(adjudge.read_qrels(judgments), runs, system, options.exhaustive)
    kept = {"all": slice(None), "odd": slice(0, None, 2), "even": slice(1, None, 2)}[options.topics]
    if options.relevant:
        parts = [topic for topic in parts if topic.human.any()]
    parts = parts[kept][options.first :: options.every]
    print(len(parts), "topics", flush=True)
    print(documents(parts, options).markdown())


if __name__ == "__main__":
    main()
