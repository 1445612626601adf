"""Averages, intervals, agreement of measures and first documents, against what they are by hand."""

from __future__ import annotations

import numpy as np

import adjudge
from adjudge.comparison.overview import averages_of, bootstrap_intervals, first_documents, measure_agreement
from adjudge.core.scores import Scores

JUDGMENTS = {"1": {"a": 1, "b": 1}, "2": {"c": 1}, "3": {"d": 1}}
RUNS = {
    "good": {"1": {"a": 3.0, "b": 2.0}, "2": {"c": 2.0, "x": 1.0}, "3": {"x": 2.0, "d": 1.0}},
    "bad": {"1": {"x": 3.0, "b": 2.0}, "2": {"y": 2.0, "c": 1.0}, "3": {"x": 2.0, "y": 1.0}},
}


def scores_of(*measures: str) -> Scores:
    return adjudge.measure(JUDGMENTS, RUNS, list(measures))


def test_averages_are_those_of_the_columns() -> None:
    scores = scores_of("ap", "rr", "gm_map")
    figures = averages_of(scores, ["median", "mean"])
    assert list(figures) == ["mean", "median"], "the mean is always there, and first"
    assert np.array_equal(figures["median"][:, :2], np.median(scores.values[:, :, :2], axis=1))
    assert figures["mean"][0].tolist() == [scores.summary()["good"][name] for name in ("ap", "rr", "gm_map")]


def test_intervals_hold_the_mean_and_are_those_of_the_seed() -> None:
    scores = scores_of("ap")
    first, again = (bootstrap_intervals(scores, np.random.default_rng(1), 500) for _ in range(2))
    assert first.shape == (2, 1, 2)
    assert np.array_equal(first, again)
    means = scores.values.mean(axis=1)
    assert ((first[:, :, 0] <= means) & (means <= first[:, :, 1])).all()
    one_topic = adjudge.measure({"1": {"a": 1}}, {"s": {"1": {"a": 1.0}}}, ["ap"])
    assert np.isnan(bootstrap_intervals(one_topic, np.random.default_rng(1), 500)).all()


def test_measures_agree_by_the_order_they_put_systems_in() -> None:
    agreement = measure_agreement(scores_of("ap", "rr", "rank"))
    assert agreement[0, 1] == agreement[1, 0] == 1.0
    assert np.isnan(measure_agreement(scores_of("ap", "num_ret"))[0, 1]), "no order by a measure that is never better"


def test_of_equal_scores_the_greatest_id_stands_first() -> None:
    run = adjudge.read_run({"1": {"a": 1.0, "b": 2.0, "c": 2.0}, "2": {"d": -1.0}})
    assert list(first_documents(run, ["1", "2", "3"], 1)) == [("c",), ("d",), ()]
    assert list(first_documents(run, ["1"], 2)) == [("c", "b")]
    assert list(first_documents(run, ["1"], 9)) == [("c", "b", "a")]
