"""How far can groups, rank intervals and the gate be relied on?

    python experiments/verdicts.py tracks MATRIX.csv ...
    python experiments/verdicts.py leaderboards MATRIX.csv ...
    python experiments/verdicts.py coverage MATRIX.csv --samples 2000
    python experiments/verdicts.py gate MATRIX.csv --samples 1000 --chart gate.svg
    python experiments/verdicts.py rankings MATRIX.csv ... --samples 300
    python experiments/verdicts.py factors MATRIX.csv --samples 2000

Each file is a matrix of scores, a row for each topic and a column for each system. ``tracks`` shows how far groups
and rank intervals go on every track, ``leaderboards`` all of them, for docs/tracks.md. ``coverage`` takes the topics of
a track for all topics there are, so that the true means and ranks are known, draws topics from them with replacement,
and counts how often intervals hold the true ranks and how often any pair is decided wrongly; with the systems as they
are, with means made equal in groups of three or four, and with all means made equal, where every decision is wrong.
``gate`` does the same for two systems whose true difference is set: how often the gate passes, fails and cannot tell;
--chart draws it. ``rankings`` counts how often the interval of tau_ap_b between the rankings under two judges holds it,
next to intervals of standard errors and of percentiles.
``factors`` makes systems of two components, one of which has no effect but may vary over topics, and counts how often
it is called significant.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

from adjudge.comparison.factor_effects import factor_effects
from adjudge.comparison.noninferiority import guard_scores
from adjudge.comparison.paired import corrections, paired_tests
from adjudge.comparison.rank_groups import bootstrap_ranks, rank_groups
from adjudge.core.errors import AdjudgeError, DataError
from adjudge.core.judged import Floats
from adjudge.core.scores import Column, Scores
from adjudge.correlation import tau_ap_b
from adjudge.correlation.coefficient import coefficients
from adjudge.correlation.uncertainty import interval
from adjudge.formats.scores import read_scores
from adjudge.report.figures import noise_figure
from adjudge.report.groups_text import letters_text
from adjudge.report.text_table import FORMS, TextTable

SYSTEMS = 10
"""Systems of a simulation, spread evenly over the ranking."""

SIZES = (10, 25, 50, 100, 200)
DRAWS = 400
"""Samples of the bootstrap inside a simulation."""


def tracks(files: list[Path], _: int) -> TextTable:
    """Groups and rank intervals of each track."""
    header = ["track", "systems", "topics", "may be best", "letters", "ranks known", "mean width", "alone"]
    rows = []
    for path in files:
        scores = read_scores(path, measure="value")
        result = rank_groups(scores, "value", samples=1000)
        wide = [row.ranks.high - row.ranks.low for row in result.rows]
        alone = [row.bootstrap.high - row.bootstrap.low for row in result.rows]
        known = sum(width == 0 for width in wide)
        counts = [len(result.rows), result.topics, len(result.best), len(result.groups), known]
        rows.append([path.stem, *map(str, counts), f"{np.mean(wide):.1f}", f"{np.mean(alone):.1f}"])
    return TextTable(header, rows, 1)


def leaderboards(files: list[Path], _: int) -> str:
    """Ranks and groups of all systems, a section that can be opened for each track."""
    parts = []
    for path in files:
        result = rank_groups(read_scores(path, measure="value"), "value", samples=1000)
        rows = [[str(r.ranks), r.system, letters_text(r.letters), str(r.bootstrap)] for r in result.rows]
        table = TextTable(["ranks", "system", "letters", "alone"], rows, 3).form("md")
        title = f"<summary>{path.stem}: {len(rows)} systems, {result.topics} topics</summary>"
        parts.append(f"<details>{title}\n\n{table}\n</details>\n")
    return "\n".join(parts)


def coverage(files: list[Path], samples: int) -> TextTable:
    """How often intervals hold the true ranks, all at once and each alone, and how often a pair is decided wrongly."""
    header = ["track", "truth", "topics", "all at once", "wrong decision", "alone, mean", "least"]
    rows = []
    for path in files:
        whole = read_scores(path, measure="value").values[:, :, 0]
        order = np.argsort(-whole.mean(axis=1))
        population = whole[order[np.linspace(0, len(order) - 1, SYSTEMS).astype(int)]]
        level = population - population.mean(axis=1, keepdims=True) + population.mean()
        means = population.mean(axis=1)
        thirds = np.concatenate([np.full(len(part), part.mean()) for part in np.array_split(means, 3)])
        grouped = population - means[:, None] + thirds[:, None]
        for truth, values in (("as it is", population), ("three groups of equals", grouped), ("all equal", level)):
            for topics in (25, 50):
                at_once, wrong, alone = _covered(values, topics, samples)
                shares = [f"{share:.1%}" for share in (at_once, wrong, alone.mean(), alone.min())]
                rows.append([path.stem, truth, str(topics), *shares])
    return TextTable(header, rows, 2)


def _covered(population: Floats, topics: int, samples: int) -> tuple[float, float, Floats]:
    rng = np.random.default_rng(0)
    count = len(population)
    pairs = np.array(np.triu_indices(count, 1)).T
    means = np.round(population.mean(axis=1), 12)
    low = 1 + (means[None, :] > means[:, None]).sum(axis=1)
    high = count - (means[None, :] < means[:, None]).sum(axis=1)
    test, holm = paired_tests.parse("t"), corrections.parse("holm")
    at_once = wrong = 0
    alone = np.zeros(count)
    for _ in range(samples):
        values = population[:, rng.integers(0, population.shape[1], topics)]
        significant = holm(test(values, pairs)) < 0.05
        ways = test.favours(values, pairs) * significant
        worse = np.zeros((count, count), bool)
        worse[pairs[ways > 0, 1], pairs[ways > 0, 0]] = True
        worse[pairs[ways < 0, 0], pairs[ways < 0, 1]] = True
        begin, end = 1 + worse.sum(axis=1), count - worse.sum(axis=0)
        at_once += bool(((begin <= low) & (end >= high)).all())
        wrong += bool((worse & ~(means[:, None] < means[None, :])).any())
        drawn = bootstrap_ranks(values, 0.05, DRAWS, rng)
        alone += [each.low <= first and each.high >= last for each, first, last in zip(drawn, low, high, strict=True)]
    return at_once / samples, wrong / samples, alone / samples


def rankings(files: list[Path], samples: int) -> TextTable:
    """How often the interval of tau_ap_b between two judges holds the true one, at least and on average over settings.

    The second judge adds noise to every score, and a bias for or against each system. There are 18 settings: twenty
    systems and ten, three sizes of noise and bias, three judges of each.
    """
    kinds, figures = ("shown", "± 1.96 errors", "percentiles"), (": least", ", mean", ", width")
    header = ["track", "true tau_ap_b", *(kind + figure for kind, figure in product(kinds, figures))]
    rows = []
    for path in files:
        whole = np.unique(read_scores(path, measure="value").values[:, :, 0], axis=0)  # no system twice
        order = np.argsort(-whole.mean(axis=1))
        truths, shares = [], []
        for systems, (noise, bias), seed in product((2 * SYSTEMS, SYSTEMS), JUDGES, range(3)):
            first = whole[order[np.linspace(0, len(order) - 1, systems).astype(int)]]
            rng = np.random.default_rng(seed)
            second = np.clip(first + rng.normal(0, noise, first.shape) + rng.normal(0, bias, (len(first), 1)), 0, 1)
            truths.append(tau_ap_b(first.mean(axis=1), second.mean(axis=1)))
            shares.append(_held(first, second, truths[-1], samples, rng))
        covered, width = np.moveaxis(np.array(shares), 2, 0)
        summary = zip(covered.min(axis=0), covered.mean(axis=0), width.mean(axis=0), strict=True)
        cells = [cell for least, mean, wide in summary for cell in (f"{least:.1%}", f"{mean:.1%}", f"{wide:.3f}")]
        rows.append([path.stem, f"{min(truths):.3f} to {max(truths):.3f}", *cells])
    return TextTable(header, rows, 1)


JUDGES = ((0.02, 0.005), (0.05, 0.02), (0.1, 0.05))
"""Noise and bias of the second judge."""


def _held(first: Floats, second: Floats, true: float, samples: int, rng: np.random.Generator) -> Floats:
    """Of each kind of interval, the share of samples of 50 topics in which it holds the truth, and its mean width."""
    component = coefficients.parse("tau_ap_b")
    total = np.zeros((3, 2))
    for _ in range(samples):
        chosen = rng.integers(0, first.shape[1], 50)
        weights = np.vstack([np.ones(50), rng.multinomial(50, np.full(50, 1 / 50), size=DRAWS)]) / 50
        x, y = weights @ first[:, chosen].T, weights @ second[:, chosen].T
        value, drawn = tau_ap_b(x[0], y[0]), _taus(x, y)[1:]
        half = 1.96 * drawn.std(ddof=1)
        ends = np.array([
            interval(component, value, drawn, "topics", 0.95),
            (max(-1, value - half), min(1, value + half)),
            np.quantile(drawn, [0.025, 0.975]),
        ])  # fmt: skip
        total[:, 0] += (ends[:, 0] - 1e-12 <= true) & (true <= ends[:, 1] + 1e-12)
        total[:, 1] += ends[:, 1] - ends[:, 0]
    return total / samples


def _taus(x: Floats, y: Floats) -> Floats:
    """tau_ap_b of each row of x with that row of y, which have no ties."""
    ahead = [values[:, None, :] > values[:, :, None] for values in (x, y)]
    both = (ahead[0] & ahead[1]).sum(axis=2)
    taus = sum((both / np.maximum(own.sum(axis=2), 1)).sum(axis=1) for own in ahead) / (x.shape[1] - 1) - 1
    if abs(taus[0] - tau_ap_b(x[0], y[0])) > 1e-12:
        raise DataError("systems are level, which this simulation does not provide for")
    return np.asarray(taus)


def factors(files: list[Path], samples: int) -> TextTable:
    """How often a component without an effect is called significant, by how much it varies over topics.

    Systems are three analyzers × four weightings: an analyzer has an effect on each topic that is drawn at random with
    mean 0, a weighting one whose mean differs; the topics are those of a system of the track.
    """
    header = [
        "track",
        "spread of the analyzer's effect",
        "topics",
        "over topics",
        "pooled",
        "power, over topics",
        "pooled",
    ]
    table = {f"{a}{w}": {"analyzer": str(a), "weighting": str(w)} for a in range(3) for w in range(4)}
    rows = []
    for path in files:
        base = np.median(read_scores(path, measure="value").values[:, :, 0], axis=0)
        for spread in (0.0, 0.02, 0.05):
            for topics in (25, 50):
                rng = np.random.default_rng(0)
                counts = np.zeros(4)
                for _ in range(samples):
                    own = base[rng.integers(0, len(base), topics)]
                    analyzer = rng.normal(0, spread, (3, 1, topics)) if spread else np.zeros((3, 1, topics))
                    weighting = rng.normal(0, 0.05, (1, 4, topics)) + np.array([0, 0, 0.02, 0.02])[None, :, None]
                    values = own + analyzer + weighting + rng.normal(0, 0.05, (3, 4, topics))
                    names = tuple(map(str, range(topics)))
                    scores = Scores(values.reshape(12, topics, 1), tuple(table), names, (Column("m", "m"),))
                    result = factor_effects(scores, "m", table)
                    effects = result["analyzer"], result["weighting"]
                    counts += [p < 0.05 for effect in effects for p in (effect.topic_p, effect.p)]
                shares = [f"{share:.1%}" for share in counts / samples]
                rows.append([path.stem, f"{spread:g}", str(topics), *shares])
    return TextTable(header, rows, 1)


def gate(files: list[Path], samples: int, chart: str = "") -> TextTable:
    """How often the gate passes, fails and cannot tell, by topics and by the true difference in tolerances."""
    lines: dict[str, list[float]] = {}
    header = ["track", "true difference", "tolerance", *(f"{n} topics" for n in SIZES)]
    rows = []
    for path in files:
        whole = read_scores(path, measure="value").values[:, :, 0]
        order = np.argsort(-whole.mean(axis=1))
        base, run = whole[order[len(order) // 4]], whole[order[len(order) // 4 + 1]]
        tolerance = round(0.05 * float(base.mean()), 4)
        for times in (1, 0, -1, -2, -4):
            shifted = run - run.mean() + base.mean() + times * tolerance
            shares = [_shares(np.array([base, shifted]), topics, tolerance, samples) for topics in SIZES]
            cells = [" / ".join(f"{100 * share:.0f}" for share in own.values()) for own in shares]
            rows.append([path.stem, f"{times * tolerance:+.4f}", f"{tolerance:.4f}", *cells])
            for verdict, name in LINES.get(times, {}).items():
                lines.setdefault(name, [own[verdict] for own in shares])
    if chart:
        means, sizes = list(lines.values()), [f"{n} topics" for n in SIZES]
        noise_figure(list(lines), sizes, means, measure="share of runs", title="Decisions of the gate").save(chart)
    return TextTable(header, rows, 1)


LINES = {
    0: {"pass": "as good: passes", "fail": "as good: fails (false alarm)"},
    -1: {"pass": "worse by δ: passes (miss)"},
    -2: {"pass": "worse by 2 δ: passes (miss)", "fail": "worse by 2 δ: fails"},
    -4: {"fail": "worse by 4 δ: fails"},
}
"""Lines of the chart, by the true difference in tolerances and the verdict."""


def _shares(population: Floats, topics: int, tolerance: float, samples: int) -> dict[str, float]:
    """Shares of samples in which the gate passes, fails and cannot tell."""
    rng = np.random.default_rng(0)
    counted = {"pass": 0, "fail": 0, "undecided": 0}
    names, columns = tuple(map(str, range(topics))), (Column("m", "m"),)
    for _ in range(samples):
        values = population[:, rng.integers(0, population.shape[1], topics)]
        scores = Scores(values[:, :, None], ("old", "new"), names, columns)
        counted[guard_scores(scores, ["m"], tolerance=tolerance).verdict] += 1
    return {name: count / samples for name, count in counted.items()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("tracks", "leaderboards", "coverage", "gate", "rankings", "factors"))
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--chart", default="", help="draw the decisions of the gate to this file")
    parser.add_argument("--format", choices=FORMS, default="md")
    options = parser.parse_args()
    work: dict[str, Callable[[list[Path], int], TextTable | str]] = {
        "tracks": tracks,
        "leaderboards": leaderboards,
        "coverage": coverage,
        "rankings": rankings,
        "factors": factors,
        "gate": partial(gate, chart=options.chart),
    }
    try:
        made = work[options.what](options.files, options.samples)
        print(made if isinstance(made, str) else made.form(options.format), end="")
    except AdjudgeError as error:
        raise SystemExit(str(error)) from None
