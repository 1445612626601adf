"""The model of what a topic is like, and of what was not drawn from it, against slow code that adds everything up."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import betabinom, binom

from adjudge.comparison.sampled_cells import UNRANKED, CellSample, MeasureParts
from adjudge.comparison.topic_effects import ALIKE, FEW, NODES, TopicEffects, fit_effects
from adjudge.comparison.unseen_relevance import Denominator, denominators, learn_higher

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


def denominator(shape: MeasureParts, levels: list[int], known: list[float], parts: list[float]) -> Denominator:
    """A topic of two cells, of which 3 and 4 documents were not drawn."""
    chance = 1 / (1 + np.exp(-(np.array([-0.5, -1.5])[:, None] + np.array([1.0, 1.2])[:, None] * NODES)))
    belief = WEIGHTS * np.exp(0.5 * NODES)
    return Denominator(
        shape,
        levels,
        np.array([known]),
        np.array([parts]),
        np.array([[3.0, 4.0]]),
        np.array([[1.0, 1.0]]),
        np.array([[2.0, 5.0]]),
        (belief / belief.sum())[None],
        chance[None],
        np.array([9.0]),
        np.zeros((1, 2, len(NODES))),
        np.array([0, 1]),
    )


def test_the_expected_reciprocal_by_adding_up_every_case() -> None:
    """Over nodes and over how many of the 3 and of the 4 documents are relevant."""
    shape = MeasureParts(lambda g: (g > 0).astype(float), lambda r: r, quotient=True)
    own = denominator(shape, [1], [2.0], [1.0])
    second = total = 0.0
    a, b = 9 * own.usual[0] + 1, 9 * (1 - own.usual[0]) + np.array([[1.0], [4.0]])
    for one, two in product(range(4), range(5)):
        likely = own.belief[0] @ (betabinom.pmf(one, 3, a[0], b[0]) * betabinom.pmf(two, 4, a[1], b[1]))
        total += likely / (2 + one + two)
        second += likely / (2 + one + two) ** 2
    # Both cells together are taken for one with the same mean and variance.
    assert own.here[0] == pytest.approx(total, rel=2e-3)
    assert own.doubt().variance[0] == pytest.approx(second - total**2, rel=2e-2)
    more, fewer = own.beside(1, 1.0)[0][0], own.beside(1, -1.0)[0][0]
    assert more < own.here[0] < fewer


def test_an_ideal_ranking_has_the_higher_grades_first() -> None:
    def discount(ranks: Any) -> Any:
        return 1 / np.log2(ranks + 1)

    shape = MeasureParts(lambda g: g.astype(float), discount, discount=discount, cutoff=3, quotient=True)
    own = denominator(shape, [1, 2], [2.0, 1.0], [1.0, 0.0])
    each = own._each(0.0)[0]
    ideal = [2 * discount(1) + discount(2), 2 * discount(1) + discount(2) + discount(3)]
    assert each[:3] == pytest.approx([1 / ideal[0], 1 / ideal[1], 1 / ideal[1]])


def sampled(hits: int, taken: int, grades: list[int]) -> CellSample:
    """A topic with one cell of 30 documents."""
    return CellSample(
        classes=np.array([0]),
        strata=np.array([1]),
        size=np.array([30.0]),
        taken=np.array([[float(taken)]]),
        cell=np.zeros(hits, np.int64),
        grade=np.array(grades, np.int64),
        said=np.zeros(hits, np.int64),
        rank=np.full(hits, UNRANKED),
        drawn=np.ones((1, hits)),
        pool_cell=np.zeros(30, np.int64),
        pool_rank=np.full(30, UNRANKED),
    )


def test_denominators_of_all_topics() -> None:
    topics = [sampled(4, 10, [1, 1, 2, 1]), sampled(0, 10, []), sampled(1, 10, [2]), sampled(7, 10, [1] * 7)]
    model = fit_effects(np.array([[[4.0], [0], [1], [7]]]), np.full((1, 4, 1), 10.0))
    shape = MeasureParts(lambda g: (g > 0).astype(float), lambda r: r, quotient=True)
    found = denominators(topics, model, shape, [1, 2], 1)
    assert [d.known[0].tolist() for d in found] == [[4.0, 1.0], [0.0, 0.0], [1.0, 1.0], [7.0, 0.0]]
    means = [1 / float(d.here[0]) for d in found]
    assert means[1] < means[2] < means[0] < means[3] < 27
    assert learn_higher(topics, 1, 2, 1).mean[0, 0] == pytest.approx((2 + 4 * 2.5 / 13) / 16)


def test_alike_topics_leave_a_binomial_number() -> None:
    """Where documents of a topic have nothing in common beyond its number."""
    shape = MeasureParts(lambda g: (g > 0).astype(float), lambda r: r, quotient=True)
    own = denominator(shape, [1], [1.0], [1.0])
    chance = np.full((1, 2, len(NODES)), 0.3)
    free = Denominator(**{**vars(own), "usual": chance, "strength": np.array([1e7])})
    law = binom(7, 0.3).pmf(np.arange(8))
    assert free.here[0] == pytest.approx(float(law @ (1 / (1 + np.arange(8)))), rel=1e-4)
