"""One example of every figure, for any names, versions and values."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from adjudge.core.judged import Floats
from adjudge.report.figures import (
    Figure,
    characteristic_figure,
    correlation_matrix_figure,
    critical_distance_figure,
    distribution_figure,
    histogram_figure,
    leaderboard_figure,
    noise_figure,
    rank_moves_figure,
    ranks_of,
    recall_precision_figure,
    scatter_figure,
    significance_matrix_figure,
    stability_figure,
    systems_figure,
    topic_bars_figure,
    value_figure,
)

Chart = Callable[[Sequence[str], Sequence[str], Floats, float], Figure]


def _versions(values: Floats) -> Floats:
    with np.errstate(all="ignore"):
        first = values[:, 0] if values.shape[1] else np.full(len(values), np.nan)
        return np.stack([first, first * 0.8, first * 0.5], axis=1)


def _bounds(values: Floats) -> Floats:
    with np.errstate(all="ignore"):
        return np.stack([values - 0.05, values + 0.05], axis=-1)


def systems(names: Sequence[str], topics: Sequence[str], values: Floats, width: float) -> Figure:
    means = _versions(values)[:, 0]
    marks = dict.fromkeys(names, "†<")
    return systems_figure(names, means, _bounds(means), measure="<ap>", marks=marks, baseline=names[0], width=width)


def systems_versions(names: Sequence[str], topics: Sequence[str], values: Floats, width: float) -> Figure:
    means = _versions(values)
    versions = ["true", "5 %", '"><script>alert(1)</script>']
    return systems_figure(names, means, _bounds(means), versions=versions, measure="ap", width=width)


def histogram(names: Sequence[str], topics: Sequence[str], values: Floats, width: float) -> Figure:
    return histogram_figure(names[:12], values[:12], measure="<ap>", width=width)


def stability(names: Sequence[str], topics: Sequence[str], values: Floats, width: float) -> Figure:
    rates = _versions(values)
    return stability_figure(names, [10, 25, 100], rates, rates, width=width)


def topic_bars(names: Sequence[str], topics: Sequence[str], values: Floats, width: float) -> Figure:
    with np.errstate(all="ignore"):
        gaps = values[0] - values[-1]
    texts = dict.fromkeys(topics, "what & why <b>")
    return topic_bars_figure(topics, gaps, a=names[0], b=names[-1], measure="ap", texts=texts, width=width)


def scatter(names: Sequence[str], topics: Sequence[str], values: Floats, width: float) -> Figure:
    texts = dict.fromkeys(topics, "what & why <b>")
    return scatter_figure(topics, values[0], values[-1], a=names[0], b=names[-1], texts=texts, width=width)


def distribution(names: Sequence[str], topics: Sequence[str], values: Floats, width: float) -> Figure:
    texts = dict.fromkeys(topics, "]]>")
    return distribution_figure(names, values, topics=topics, texts=texts, measure="ap", baseline=names[-1], width=width)


def rank_moves(names: Sequence[str], topics: Sequence[str], values: Floats, width: float) -> Figure:
    return rank_moves_figure(names, topics[:12], ranks_of(values.T[:12]), width=width)


def characteristic(
    names: Sequence[str], topics: Sequence[str], values: Floats, width: float, log: bool = True
) -> Figure:
    finite = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
    efforts = [np.unique(np.round(np.clip(np.abs(row), 0.01, 1e7) * 100)) for row in finite]
    found = [np.arange(1, len(e) + 1) for e in efforts]
    count = max(1, len(topics))
    bands = np.tile(np.array([[1.0], [float(np.iinfo(np.int64).max)]]), (len(names), 1, count)).reshape(-1, 2, count)
    ends = [float(e[-1]) * 2 if len(e) else 1.0 for e in efforts]
    return characteristic_figure(names, efforts, found, questions=count, ends=ends, bands=bands, log=log, width=width)


def characteristic_linear(names: Sequence[str], topics: Sequence[str], values: Floats, width: float) -> Figure:
    return characteristic(names, topics, values, width, log=False)


def value(names: Sequence[str], topics: Sequence[str], values: Floats, width: float) -> Figure:
    finite = np.clip(np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0), 0, 1e6)
    found = np.round(finite.sum(axis=1))
    return value_figure(names, found, found * 7 + 3 + np.arange(len(names)), ratios=[10.0], width=width)


def correlation(names: Sequence[str], topics: Sequence[str], values: Floats, width: float) -> Figure:
    with np.errstate(all="ignore"):
        cells = np.clip(values[:, :1] - values[:, :1].T, -1, 1) if values.shape[1] else np.eye(len(names))
    return correlation_matrix_figure(names, cells, width=width)


def significance(names: Sequence[str], topics: Sequence[str], values: Floats, width: float) -> Figure:
    with np.errstate(all="ignore"):
        gaps = values[:, :1] - values[:, :1].T if values.shape[1] else np.zeros((len(names), len(names)))
        return significance_matrix_figure(names, np.exp(-np.abs(gaps) * 20), gaps, test="<t>", width=width)


def recall_precision(names: Sequence[str], topics: Sequence[str], values: Floats, width: float) -> Figure:
    wide = np.resize(values, (len(names), 11)) if values.size else np.full((len(names), 11), np.nan)
    return recall_precision_figure(names, wide, baseline=names[0], width=width)


def noise(names: Sequence[str], topics: Sequence[str], values: Floats, width: float) -> Figure:
    means = _versions(values)
    return noise_figure(
        names, ["true", "5 %", "<20>"], means, _bounds(means), rates=[0, 0.03, 0.2], measure="rr", width=width
    )


def rank_board(names: Sequence[str], topics: Sequence[str], values: Floats, width: float) -> Figure:
    count = len(names)
    wide = [(max(1, i - 2), min(count, i + 4)) for i in range(count)]
    alone = [(max(1, i), min(count, i + 2)) for i in range(count)]
    return leaderboard_figure(names, wide, alone, letters=[name[:3] for name in names], width=width)


def rank_distance(names: Sequence[str], topics: Sequence[str], values: Floats, width: float) -> Figure:
    return critical_distance_figure(names, [i + 1.0 for i in range(len(names))], 2.5, width=width)


CHARTS: dict[str, Chart] = {
    chart.__name__: chart
    for chart in (
        systems,
        systems_versions,
        topic_bars,
        scatter,
        distribution,
        rank_moves,
        rank_board,
        rank_distance,
        characteristic,
        histogram,
        stability,
        characteristic_linear,
        value,
        correlation,
        significance,
        recall_precision,
        noise,
    )
}
