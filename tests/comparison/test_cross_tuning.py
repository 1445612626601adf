"""Tuning by cross-validation: what it gains, and what it would have claimed."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from adjudge.comparison.cross_tuning import Tuning, cross_tune, deal
from adjudge.core.errors import DataError, SpecError
from adjudge.core.scores import Column, Scores

AP = (Column("ap", "ap"),)


def scores_of(values: Any, columns: tuple[Column, ...] = AP) -> Scores:
    values = np.asarray(values, float)
    values = values[:, :, None] if values.ndim == 2 else values
    settings, topics, _ = values.shape
    return Scores(values, tuple(f"s{s}" for s in range(settings)), tuple(f"q{t:03}" for t in range(topics)), columns)


def slow(values: Any, fold: Any, default: int) -> float:
    """The gain by its definition, for a mean."""
    settings, topics = len(values), len(values[0])
    total = 0.0
    for t in range(topics):
        others = [u for u in range(topics) if fold[u] != fold[t]]
        means = [sum(values[s][u] for u in others) / len(others) for s in range(settings)]
        best = default if means[default] == max(means) else means.index(max(means))
        total += values[best][t] - values[default][t]
    return total / topics


def test_the_gain_is_that_of_its_definition() -> None:
    values = np.random.default_rng(1).integers(0, 1024, (6, 23)) / 1024
    tuning = cross_tune(scores_of(values), "s2", ["ap"], folds=4, seed=3)
    assert tuning.gain[0, 0] == pytest.approx(slow(values.tolist(), tuning.fold, 2))
    assert tuning.claimed[0, 0] == pytest.approx(values.mean(axis=1).max() - values[2].mean())
    assert tuning.tuned[0, 0] == pytest.approx(values[2].mean() + tuning.gain[0, 0])
    assert tuning.base[0] == pytest.approx(values[2].mean())


def test_an_example_to_check_by_hand() -> None:
    """Two folds of two topics. A is best on the first, B on the second: each is taken where it is bad."""
    fold = deal(4, 2, seed=0)
    good_at = {0: np.where(fold == 0, 0.9, 0.1), 1: np.where(fold == 1, 0.9, 0.1)}
    values = np.array([np.full(4, 0.5), good_at[0], good_at[1]])
    tuning = cross_tune(scores_of(values), "s0", ["ap"], folds=2, seed=0)
    assert tuning.chosen.tolist() == [[2, 1]]
    assert tuning.gain[0, 0] == pytest.approx(-0.4)
    assert tuning.claimed[0, 0] == 0  # on all topics the three are level, and the default is kept
    assert tuning.optimism[0, 0] == pytest.approx(0.4)


def test_measures_trained_on_and_reported_are_apart() -> None:
    rng = np.random.default_rng(5)
    ap, rr = rng.random((4, 30)), rng.random((4, 30))
    ap[1] += 1.0
    rr[2] += 1.0
    columns = (Column("ap", "ap"), Column("rr", "rr"))
    tuning = cross_tune(scores_of(np.stack([ap, rr], 2), columns), "s0", ["ap", "rr"], ["rr", "ap"], folds=5)
    assert (tuning.train, tuning.measures) == (("ap", "rr"), ("rr", "ap"))
    assert set(tuning.chosen[0]) == {1}
    assert set(tuning.chosen[1]) == {2}
    assert tuning.tuned[0, 1] == pytest.approx(ap[1].mean())
    assert tuning.tuned[0, 0] == pytest.approx(rr[1].mean())
    assert tuning.tuned[1, 0] == pytest.approx(rr[2].mean())
    assert tuning.verdict(0, 1) == 1


def test_geometric_means_and_low_values_are_tuned_too() -> None:
    rng = np.random.default_rng(7)
    values = rng.random((3, 20)) * 0.5 + 0.1
    gm = cross_tune(scores_of(values, (Column("gm_map", "ap", "gm"),)), "s0", ["gm_map"], folds=4)
    answer = values[gm.chosen[0][list(gm.fold)], np.arange(20)]
    assert gm.tuned[0, 0] == pytest.approx(np.exp(np.log(answer).mean()))
    assert gm.low[0, 0] <= gm.gain[0, 0] <= gm.high[0, 0]
    low = cross_tune(scores_of(values, (Column("rank", "rank", "mean", "low"),)), "s0", ["rank"], folds=4)
    assert low.claimed[0, 0] == pytest.approx(values[0].mean() - values.mean(axis=1).min())


def null(seed: int, settings: int = 20, topics: int = 40) -> Scores:
    """A system whose parameters do nothing but shuffle luck: all settings are equally good on any other topic."""
    rng = np.random.default_rng(seed)
    return scores_of(rng.beta(1.2, 2.5, topics) + rng.normal(0, 0.1, (settings, topics)))


def test_parameters_that_do_nothing_gain_nothing_and_the_claim_lies() -> None:
    """200 simulated collections: the nested figure is 0 on average, the claim without the split is far from it."""
    tunings = [cross_tune(null(seed), "s0", ["ap"], seed=seed, splits=0, samples=200) for seed in range(200)]
    gain = np.array([tuning.gain[0, 0] for tuning in tunings])
    claimed = np.array([tuning.claimed[0, 0] for tuning in tunings])
    error = gain.std(ddof=1) / np.sqrt(len(gain))
    assert abs(gain.mean()) < 3 * error
    assert claimed.mean() > 0.02  # about a fifth of a standard deviation, out of nothing
    assert claimed.mean() > 10 * error
    assert (claimed > 0).mean() > 0.9
    said = np.array([tuning.verdict(0, 0) for tuning in tunings])
    assert (said == 1).mean() <= 0.05
    assert (said == 0).mean() >= 0.92


def test_a_real_gain_is_seen() -> None:
    seen = []
    for seed in range(30):
        scores = null(seed, topics=80)
        values = scores.values[:, :, 0].copy()
        values[7] += 0.12
        seen.append(cross_tune(scores_of(values), "s0", ["ap"], seed=seed, splits=0, samples=200).verdict(0, 0))
    assert np.mean(seen) > 0.9


def test_parameters_that_change_nothing_at_all_keep_the_default() -> None:
    values = np.tile(np.random.default_rng(3).random(30), (9, 1))
    tuning = cross_tune(scores_of(values), "s4", ["ap"])
    assert set(tuning.chosen[0]) == {4}
    for figures in (tuning.gain, tuning.low, tuning.high, tuning.claimed, tuning.optimism):
        assert figures.tolist() == [[0.0]]
    assert tuning.changed(0) == 0


def test_a_search_that_did_not_see_a_setting_cannot_choose_it() -> None:
    values = np.array([[0.1] * 20, [0.5] * 20, [0.9] * 20])
    allowed = np.ones((1, 6, 3), bool)
    allowed[0, :5, 2] = False
    tuning = cross_tune(scores_of(values), "s0", ["ap"], allowed=allowed, search="sequential")
    assert set(tuning.chosen[0]) == {1}
    assert tuning.best.tolist() == [2]
    assert np.isnan(tuning.spread).all()


def test_the_seed_decides_and_folds_are_even() -> None:
    scores = null(3)
    one, two, other = (cross_tune(scores, "s0", ["ap"], seed=seed) for seed in (1, 1, 2))
    assert one.to_dict() == two.to_dict()
    assert one.fold != other.fold
    assert sorted(np.bincount(one.fold)) == [8] * 5
    assert one.spread[0, 0, 0] <= one.spread[0, 0, 1]


def test_a_tuning_survives_json() -> None:
    tuning = cross_tune(null(1), "s0", ["ap"], points=[{"k": s} for s in range(20)])
    again = Tuning.from_dict(json.loads(json.dumps(tuning.to_dict())))
    assert again.to_dict() == tuning.to_dict()
    assert len(tuning.to_polars()) == 1
    assert tuning.rows()[0]["optimism"] == pytest.approx(tuning.claimed[0, 0] - tuning.gain[0, 0])


@pytest.mark.parametrize(
    ("given", "error", "why"),
    [
        ({"default": "s99"}, SpecError, "no setting 's99' to take as default"),
        ({"train": ["rr"]}, SpecError, "no measure 'rr' in these scores"),
        ({"folds": 1}, SpecError, "folds must be a whole number of at least 2, not 1"),
        ({"folds": 30}, DataError, "40 topics are too few for 30 folds"),
    ],
)
def test_what_cannot_be(given: dict[str, Any], error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        cross_tune(null(0), **({"default": "s0", "train": ["ap"]} | given))
