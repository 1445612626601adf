"""The model of what a topic is like, and of what was not drawn from it, against slow code that adds everything up."""

from __future__ import annotations

from dataclasses import fields
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import betabinom, binom

from adjudge.comparison.sampled_cells import MeasureParts
from adjudge.comparison.stratum_counts import StratumCount, beta_binomial, hypergeometric
from adjudge.comparison.topic_effects import ALIKE, FEW, NODES, TopicEffects, fit_effects
from adjudge.comparison.unseen_relevance import Denominator

HITS = np.array([[5, 3], [1, 0], [2, 1], [0, 0], [8, 4], [1, 1], [3, 0]])
TRIALS = np.array([[10, 20], [9, 22], [12, 18], [10, 20], [11, 25], [8, 21], [10, 16]])
STEP = 0.01
WEIGHTS = np.exp(-(NODES**2) / 2) / np.exp(-(NODES**2) / 2).sum()


def likelihood(parameters: Any, hits: Any, trials: Any, common: float | None = None) -> float:
    """Topic by topic, node by node: with the few documents besides and what holds slopes together."""
    height, slope = parameters[:2], parameters[2:]
    total = 0.0
    for h, n in zip(hits, trials, strict=True):
        chances = [1 / (1 + np.exp(-(height + slope * node))) for node in NODES]
        each = [np.prod(p**h * (1 - p) ** (n - h)) for p in chances]
        total += np.log(float(np.dot(each, WEIGHTS)))
    usual = 1 / (1 + np.exp(-height))
    common = (ALIKE * slope.sum() + 1) / (2 * ALIKE + 1) if common is None else common
    apart = ALIKE * ((slope - common) ** 2).sum() / 2 + (common - 1) ** 2 / 2
    return float(total + FEW * np.log(usual * (1 - usual)).sum() - apart)


def effects(hits: Any = HITS, trials: Any = TRIALS) -> TopicEffects:
    return fit_effects(np.asarray(hits, float)[None], np.asarray(trials, float)[None])


def line(found: TopicEffects) -> Any:
    """Heights and slopes, read off the chances."""
    odds = np.log(found.chance[0] / (1 - found.chance[0]))
    middle = len(NODES) // 2
    return np.concatenate([odds[:, middle], (odds[:, -1] - odds[:, 0]) / (NODES[-1] - NODES[0])])


def test_heights_and_slopes_make_the_sample_most_likely() -> None:
    found = effects()
    weight = 1 / (1 + (TRIALS - 1) / (found.strength[0] + 1))  # documents of a class and topic are alike
    best = minimize(lambda x: -likelihood(x, weight * HITS, weight * TRIALS), np.array([-1.0, -2.0, 1.0, 1.0]))
    assert line(found) == pytest.approx(best.x, abs=0.02)
    common = (ALIKE * best.x[2:].sum() + 1) / (2 * ALIKE + 1)
    bend = np.empty((4, 4))
    for i, j in product(range(4), repeat=2):
        ways = [a * STEP * np.eye(4)[i] + b * STEP * np.eye(4)[j] for a, b in product((1, -1), repeat=2)]
        four = [likelihood(best.x + way, weight * HITS, weight * TRIALS, common) for way in ways]
        bend[i, j] = (four[0] - four[1] - four[2] + four[3]) / (4 * STEP**2)
    assert found.doubt[0] == pytest.approx(np.linalg.inv(-bend), rel=0.1, abs=0.01)


def test_a_class_that_nothing_was_drawn_from_changes_nothing() -> None:
    empty = np.zeros((len(HITS), 3))
    more = effects(np.hstack([HITS, empty]), np.hstack([TRIALS, empty]))
    assert more.belief == pytest.approx(effects().belief, abs=1e-9)
    assert more.chance[:, :2] == pytest.approx(effects().chance, abs=1e-9)


def test_a_topic_is_believed_to_be_as_its_sample() -> None:
    found = effects()
    weight = 1 / (1 + (TRIALS - 1) / (found.strength[0] + 1))
    for t, (h, n) in enumerate(zip(weight * HITS, weight * TRIALS, strict=True)):
        each = np.array([np.prod(p**h * (1 - p) ** (n - h)) for p in found.chance[0].T]) * WEIGHTS
        assert found.belief[0, t] == pytest.approx(each / each.sum(), abs=1e-9)
    rich, poor = found.belief[0, 4] @ NODES, found.belief[0, 3] @ NODES
    assert rich > 1 > -1 > poor


def test_topics_that_differ_in_each_class_are_less_alike() -> None:
    """If a class has more in one topic and the other class in another, one number does not explain it."""
    apart = np.array([[9, 0], [0, 18], [9, 1], [1, 18], [10, 0], [0, 19]])
    trials = np.tile([10, 20], (6, 1))
    together = np.array([[9, 18], [0, 0], [9, 18], [1, 1], [10, 19], [0, 0]])
    assert effects(apart, trials).strength[0] < effects(together, trials).strength[0]


def stratum(firmness: float, found: int, prior: Any = (0.4, 0.3, 0.2, 0.1)) -> StratumCount:
    """Five documents, of which three were drawn; one kind of topic."""
    law, none = np.tile([*prior, 0.0, 0.0], (1, len(NODES), 1)), np.zeros((1, 1, len(NODES)))
    belief = np.full((1, len(NODES)), 1 / len(NODES))
    return StratumCount(5, 3, np.array([found]), firmness, belief, law, 0 * law, none, none, np.array([0]))


def likely(own: StratumCount) -> Any:
    """U × u: by adding up all samples."""
    draws = list(combinations(range(5), 3))
    found = [[sum(d < relevant for d in draw) for draw in draws] for relevant in range(6)]
    return np.array([[np.mean([f == u for f in row]) for u in range(4)] for row in found])


WANTED = 1 / (1 + np.arange(6.0))


def test_with_a_firmness_of_1_weights_are_what_is_likely_after_the_sample() -> None:
    for found in range(4):
        own = stratum(1.0, found)
        after = own.prior[0] * likely(own)[:, found]
        assert own.weights(0, 0)[0] == pytest.approx(after / after.sum(), abs=1e-9)
        if found:  # that one of them was drawn changes nothing of that
            assert own.weights(1, 0)[0] == pytest.approx(after / after.sum(), abs=1e-9)


@pytest.mark.parametrize("firmness", [1.0, 3.0, 50.0])
def test_an_estimate_is_unbiased_over_topics_as_the_model_has_them(firmness: float) -> None:
    each = np.array([stratum(firmness, u).weights(0, 0)[0] @ WANTED for u in range(4)])
    own = stratum(firmness, 3)
    assert own.prior.shape == (1, 6)
    assert own.prior[0] @ likely(own) @ each == pytest.approx(float(own.prior[0] @ WANTED), abs=1e-9)


def test_the_firmer_an_estimate_is_the_less_it_errs_topic_by_topic() -> None:
    errors = []
    for firmness in (1.0, 10.0, 1e7):
        own = stratum(firmness, 3)
        each = np.array([stratum(firmness, u).weights(0, 0)[0] @ WANTED for u in range(4)])
        errors.append(float(own.prior[0] @ (likely(own) @ each - WANTED) ** 2))
        after = own.prior[0] * likely(own)[:, 3]
        bias = (after / after.sum()) @ (likely(own) @ each - WANTED) ** 2
        assert own.leaning(WANTED[None]).bias[0] == pytest.approx(float(bias), abs=1e-9)
    assert errors[0] > 2 * errors[1] > 2 * errors[2]
    # A line over the number is estimated without bias, whatever the prior is.
    line = 2.0 - 0.3 * np.arange(6)
    assert stratum(1e9, 2).weights(0, 0)[0] @ line == pytest.approx(2 - 0.3 * 2 * 5 / 3, abs=1e-4)


def test_how_an_estimate_follows_the_prior() -> None:
    """What a change of the mean share does, against a prior that is changed."""
    one, other = np.array([0.4, 0.3, 0.2, 0.1]), np.array([0.39, 0.3, 0.2, 0.11])
    moved = np.tile([*(other - one), 0.0, 0.0], (1, len(NODES), 1))
    own = StratumCount(**{**vars_of(stratum(4.0, 1)), "tilts": moved, "pull": np.ones((1, 1, len(NODES)))})
    change = stratum(4.0, 1, other).weights(0, 0)[0] @ WANTED - stratum(4.0, 1, one).weights(0, 0)[0] @ WANTED
    assert own.leaning(WANTED[None]).heights[0, 0] == pytest.approx(float(change), rel=0.05)


def vars_of(own: StratumCount) -> dict[str, Any]:
    return {field.name: getattr(own, field.name) for field in fields(own) if field.name[0] != "_"}


def test_hypergeometric_and_beta_binomial() -> None:
    assert hypergeometric(5, 3, np.arange(6), np.arange(4)) == pytest.approx(likely(stratum(1.0, 0)), abs=1e-12)
    law = beta_binomial(7.0, np.array([[0.3]]), np.array([[0.2]]), 7)[0, 0]
    assert law == pytest.approx(betabinom(7, 1.2, 2.8).pmf(np.arange(8)), abs=1e-9)
    alone = beta_binomial(7.0, np.array([[0.3]]), np.array([[1e-7]]), 7)[0, 0]
    assert alone == pytest.approx(binom(7, 0.3).pmf(np.arange(8)), rel=1e-4)


def test_an_ideal_ranking_has_the_higher_grades_first() -> None:
    def discount(ranks: Any) -> Any:
        return 1 / np.log2(ranks + 1)

    shape = MeasureParts(lambda g: g.astype(float), discount, discount=discount, cutoff=3, quotient=True)
    known, counts = np.array([[2.0, 1.0]]), np.zeros((1, 1, 2))
    priors = [(np.zeros((1, 1)), np.ones((1, 1)))]
    own = Denominator(shape, [1, 2], known, counts, priors, np.ones((1, 1)), [stratum(1.0, 0)])
    each = own._each(-1, -1)[0]
    ideal = [2 * discount(1) + discount(2), 2 * discount(1) + discount(2) + discount(3)]
    assert each[:3] == pytest.approx([1 / ideal[0], 1 / ideal[1], 1 / ideal[1]])
    assert own.at(np.array([0.5]))[0] == pytest.approx(each[:2].mean())


def test_two_strata_together() -> None:
    """The weights of a sum are those of its parts, folded."""
    shape = MeasureParts(lambda g: (g > 0).astype(float), lambda r: r, quotient=True)
    parts = [stratum(2.0, 1), stratum(2.0, 2)]
    own = Denominator(shape, [1], np.array([[1.0]]), np.zeros((1, 2, 1)), [], np.ones((1, 2)), parts)
    one, two = parts[0].weights(1, 0)[0], parts[1].weights(0, -1)[0]
    slow = sum(one[a] * two[b] / (1 + a + b) for a in range(6) for b in range(6))
    assert own.mean((1, 0), (0, -1))[0] == pytest.approx(slow, abs=1e-12)
