"""The charts of results: what ``plot()`` draws, from the same figures as the page.

Functions are found by the name of the class, as in result_tables.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import SpecError, WrongTypeError, did_you_mean
from .figures.figure import Figure

if TYPE_CHECKING:
    from ..comparison.comparisons import Comparisons
    from ..comparison.cross_tuning import Tuning
    from ..comparison.known_item.study import Study
    from ..comparison.rank_groups import RankGroups
    from ..comparison.scale.sensitivity import Sensitivity
    from ..core.scores import Column, Scores
    from ..correlation.ranking_pairs import Correlations
    from ..evaluation.averaging import Averages
    from ..experiment.results_history import ResultsHistory

RECALLS = tuple(f"iprec@{place / 10:.1f}" for place in range(11))
SAMPLES = 2000
MOVES = 8
"""Transformations that a chart of changing ranks has room for."""


def chart_of(value: Any, kind: str, **options: Any) -> Figure:
    """A chart of a value by its name."""
    draw = _charts(value)[kind]
    try:
        return draw(value, **options)
    except TypeError as error:
        if "argument" not in str(error):
            raise
        raise WrongTypeError(f"plot({kind!r}): {str(error).partition(') ')[2] or error}") from None


def charts_of(value: Any) -> list[str]:
    """The names of the charts that a value has."""
    names = list(_charts(value))
    return [name for name in names if name != "recall_precision" or set(RECALLS) <= set(value.measures)]


def _charts(value: Any) -> dict[str, Callable[..., Figure]]:
    return next(CHARTS[kind.__name__] for kind in type(value).__mro__ if kind.__name__ in CHARTS)


# -- scores -----------------------------------------------------------------------------------------------------------


def _column(scores: Scores, measure: str | None) -> tuple[int, Column]:
    if measure is None:
        return 0, scores.columns[0]
    if measure not in scores.measures:
        raise SpecError(f"no measure {measure!r} in these scores{did_you_mean(measure, list(scores.measures))}")
    place = scores.measures.index(measure)
    return place, scores.columns[place]


def _two(systems: Sequence[str], a: str | None, b: str | None, order: Sequence[int]) -> tuple[int, int]:
    """The systems that were named, or the best two."""
    for name in (a, b):
        if name is not None and name not in systems:
            raise SpecError(f"no system {name!r} here{did_you_mean(name, list(systems))}")
    if len(systems) < 2:
        raise SpecError("a difference needs two systems")
    rest = iter([s for s in order if systems[s] not in {a, b}])
    first = next(rest) if a is None else list(systems).index(a)
    second = next(rest) if b is None else list(systems).index(b)
    return first, second


def _order(scores: Scores, m: int) -> list[int]:
    from ..comparison.matrix import mean_of_known

    way = -1.0 if scores.columns[m].better == "low" else 1.0
    return [int(s) for s in np.argsort(-way * mean_of_known(scores.values[:, :, m]), kind="stable")]


def means(
    scores: Scores, measure: str | None = None, *, confidence: float = 0.95, seed: int = 0, **look: Any
) -> Figure:
    """The mean of each system with a bootstrap interval over the topics."""
    from ..comparison.matrix import mean_of_known
    from ..comparison.overview import bootstrap_intervals
    from .figures import systems_figure

    m, column = _column(scores, measure)
    values = scores.values[:, :, m]
    ends = None
    if not np.isnan(values).any():
        ends = bootstrap_intervals(scores, np.random.default_rng(seed), SAMPLES, confidence)[:, m]
    order = _order(scores, m)
    return systems_figure(
        [scores.systems[s] for s in order],
        mean_of_known(values)[order][:, None],
        None if ends is None else ends[order][:, None],
        measure=column.name,
        better=column.better,
        **look,
    )


def distribution(scores: Scores, measure: str | None = None, **look: Any) -> Figure:
    """The values of each system over the topics."""
    from .figures import distribution_figure

    m, column = _column(scores, measure)
    values = scores.values[:, :, m]
    return distribution_figure(
        scores.systems, values, topics=scores.topics, measure=column.name, better=column.better, **look
    )


def differences(
    scores: Scores, a: str | None = None, b: str | None = None, *, measure: str | None = None, **look: Any
) -> Figure:
    """Two systems topic by topic: sorted bars of a − b; the best two systems if none are named."""
    from .figures import topic_bars_figure

    m, column = _column(scores, measure)
    first, second = _two(scores.systems, a, b, _order(scores, m))
    gaps = scores.values[first, :, m] - scores.values[second, :, m]
    names: dict[str, Any] = {"a": scores.systems[first], "b": scores.systems[second]}
    return topic_bars_figure(scores.topics, gaps, **names, measure=column.name, better=column.better, **look)


def scatter(
    scores: Scores, a: str | None = None, b: str | None = None, *, measure: str | None = None, **look: Any
) -> Figure:
    """Two systems against each other, one point for each topic."""
    from .figures import scatter_figure

    m, column = _column(scores, measure)
    first, second = _two(scores.systems, a, b, _order(scores, m))
    names: dict[str, Any] = {"a": scores.systems[first], "b": scores.systems[second]}
    return scatter_figure(
        scores.topics,
        scores.values[first, :, m],
        scores.values[second, :, m],
        **names,
        measure=column.name,
        better=column.better,
        **look,
    )


def agreement(scores: Scores, **look: Any) -> Figure:
    """How alike the measures rank the systems: tau_b of each two of them."""
    from ..comparison.overview import measure_agreement
    from .figures import correlation_matrix_figure

    return correlation_matrix_figure(scores.measures, measure_agreement(scores), **look)


def recall_precision(scores: Scores, **look: Any) -> Figure:
    """Interpolated precision at eleven levels of recall; needs the measures iprec@0.0 to iprec@1.0."""
    from ..comparison.matrix import mean_of_known
    from .figures import recall_precision_figure

    lacking = [name for name in RECALLS if name not in scores.measures]
    if lacking:
        raise SpecError(f"a recall-precision curve needs the measures {', '.join(RECALLS)}: measure them first")
    places = [scores.measures.index(name) for name in RECALLS]
    return recall_precision_figure(scores.systems, mean_of_known(scores.values[:, :, places].swapaxes(1, 2)), **look)


# -- comparisons ------------------------------------------------------------------------------------------------------


def _pair_of(result: Comparisons, a: str | None, b: str | None, measure: str | None) -> dict[str, Any]:
    """The first pair of a comparison, unless systems are named."""
    comparison = result[0] if measure is None else result[measure]
    first = comparison.differences[0]
    if a is None and b is None:
        a, b = first.a, first.b
    return {"a": a, "b": b, "measure": comparison.measure}


def compared_differences(
    result: Comparisons, a: str | None = None, b: str | None = None, *, measure: str | None = None, **look: Any
) -> Figure:
    """Two systems topic by topic: sorted bars of a − b; the first pair if none are named."""
    return differences(result.scores, **_pair_of(result, a, b, measure), **look)


def compared_scatter(
    result: Comparisons, a: str | None = None, b: str | None = None, *, measure: str | None = None, **look: Any
) -> Figure:
    """Two systems against each other, one point for each topic."""
    return scatter(result.scores, **_pair_of(result, a, b, measure), **look)


def compared_means(result: Comparisons, measure: str | None = None, **look: Any) -> Figure:
    """The mean of each system with its interval."""
    return means(result.scores, measure or result.measures[0], **look)


def significance(result: Comparisons, measure: str | None = None, **look: Any) -> Figure:
    """Which systems differ significantly: a matrix of all pairs, systems by their means."""
    from .figures import significance_matrix_figure

    comparison = result[0] if measure is None else result[measure]
    order = comparison.order()
    at = {comparison.systems[s]: row for row, s in enumerate(order)}
    p = np.full((len(at), len(at)), np.nan)
    ahead = np.zeros((len(at), len(at)), np.int64)
    for d in comparison.differences:
        x, y = at[d.a], at[d.b]
        p[x, y] = p[y, x] = d.p[0]
        ahead[x, y], ahead[y, x] = d.favours[0], -d.favours[0]
    return significance_matrix_figure(list(at), p, ahead, test=comparison.tests[0], **look)


# -- averages, scales, correlations -----------------------------------------------------------------------------------


def average_moves(result: Averages, measure: str | None = None, **look: Any) -> Figure:
    """How the ranks of systems change from one average to the next."""
    from .figures import rank_moves_figure, ranks_of

    name = measure or result.measures[0]
    if name not in result.measures:
        raise SpecError(f"no measure {name!r} in these averages{did_you_mean(name, list(result.measures))}")
    m = result.measures.index(name)
    return rank_moves_figure(
        result.systems, result.titles(), ranks_of(result.figures[:, m].T, result.better[m] or "high"), **look
    )


def scale_moves(result: Sensitivity, **look: Any) -> Figure:
    """How the ranks of systems change from the mean to other scales, those first that change most."""
    from .figures import rank_moves_figure
    from .sensitivity_text import is_round

    plain = {s: place + 1 for place, s in enumerate(result.order)}
    rows = sorted((row for row in result.rows if is_round(row)), key=lambda row: -row.swapped)[:MOVES]
    columns = ["mean", *(row.transformation for row in rows)]
    ranks = [[plain[s], *(row.order.index(s) + 1 for row in rows)] for s in range(len(result.systems))]
    return rank_moves_figure(result.systems, columns, np.array(ranks, float).T, **look)


def correlation_matrix(result: Correlations, coefficient: str | None = None, **look: Any) -> Figure:
    """How alike rankings are, each with each, by one coefficient: the first if none is named."""
    from .figures import correlation_matrix_figure

    known = list(dict.fromkeys(row.found.coefficient for row in result))
    chosen = coefficient or known[0]
    if chosen not in known:
        raise SpecError(f"no coefficient {chosen!r} here{did_you_mean(chosen, known)}")
    names = list(dict.fromkeys(name for row in result for name in (row.x, row.y)))
    matrix = np.full((len(names), len(names)), np.nan)
    np.fill_diagonal(matrix, 1.0)
    for x, y, found in result:
        if found.coefficient == chosen:
            a, b = names.index(x), names.index(y)
            matrix[a, b] = matrix[b, a] = found.value
    return correlation_matrix_figure(names, matrix, coefficient=chosen, **look)


# -- known items, experiments -----------------------------------------------------------------------------------------


def operating_curves(study: Study, axis: str | None = None, *, log: bool = True, **look: Any) -> Figure:
    """Operating characteristics: items found against documents read, or against depth with ``axis="rank"``."""
    from ..comparison.known_item.characteristic import curves
    from .figures import characteristic_figure

    along = axis or study.axis
    if along not in {"work", "rank"}:
        raise SpecError(f"axis must be work or rank, not {along!r}")
    item, steps = study.item, curves(study.item, study.effort)
    return characteristic_figure(
        item.systems,
        [curve.work if along == "work" else curve.rounds for curve in steps],
        [curve.found for curve in steps],
        questions=len(item.questions),
        ends=[curve.end[1 if along == "work" else 0] for curve in steps],
        bands=study.bootstrap.bands[along] if study.bootstrap else None,  # type: ignore[index]
        axis=along,
        log=log,
        **look,
    )


def worth(study: Study, **look: Any) -> Figure:
    """What each system is worth, for every ratio of the value of an item to the cost of reading."""
    from ..comparison.known_item.value import partition
    from .figures import value_figure

    item = study.item
    return value_figure(
        item.systems,
        item.found,
        item.work,
        parts=partition(item),
        ratios=study.ratios,
        questions=len(item.questions),
        **look,
    )


def page_chart(execution: Any, name: str = "systems") -> Figure:
    """A chart of the page by its name, ``systems``, ``distribution``, ``significance`` and so on."""
    from .page import figures

    if execution.findings is None:
        raise SpecError("the findings were there before: adjudge.report makes them again")
    drawn = figures(execution.findings)
    if name not in drawn:
        raise SpecError(f"no chart {name!r}{did_you_mean(name, list(drawn))}: there are {', '.join(drawn)}")
    return drawn[name]


def rank_board(result: RankGroups, *, width: float = 720) -> Figure:
    """The ranks that each system may have."""
    from .groups_text import leaderboard

    return leaderboard(result, width=width)


def rank_distances(result: RankGroups, *, width: float = 720) -> Figure:
    """Mean ranks over topics with the critical distance."""
    from .groups_text import critical_distance_diagram

    return critical_distance_diagram(result, width=width)


def history_lines(result: ResultsHistory, *, width: float = 720) -> Figure:
    """The figure of each system over the folders."""
    from .history_text import history_figure

    return history_figure(result, width=width)


def tuning_gains(tuning: Tuning, width: float = 720.0) -> Figure:
    """The gain of tuning with its interval, and what would have been claimed."""
    from .page.tuning_section import draw_tuning

    return draw_tuning(tuning, width)


CHARTS: dict[str, dict[str, Callable[..., Figure]]] = {
    "ResultsHistory": {"history": history_lines},
    "RankGroups": {"ranks": rank_board, "critical_distance": rank_distances},
    "Scores": {
        "means": means,
        "distribution": distribution,
        "differences": differences,
        "scatter": scatter,
        "agreement": agreement,
        "recall_precision": recall_precision,
    },
    "Comparisons": {
        "differences": compared_differences,
        "means": compared_means,
        "significance": significance,
        "scatter": compared_scatter,
    },
    "Averages": {"moves": average_moves},
    "Sensitivity": {"moves": scale_moves},
    "Correlations": {"matrix": correlation_matrix},
    "Study": {"curves": operating_curves, "worth": worth},
    "Execution": {"page": page_chart},
    "Tuning": {"gains": tuning_gains},
}
"""The charts of a value by name, the usual one first, by the name of its class."""
