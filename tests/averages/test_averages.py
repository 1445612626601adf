"""Averages, transformations, zeros: the paper's numbers, and what must hold for any data."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import adjudge
from adjudge.core.average import Average, averages, transformations, zero_treatments
from adjudge.core.errors import DataError, SpecError
from adjudge.core.judged import Floats
from adjudge.measures._tail import harmonic

PAPER = np.array(
    [
        *(
            0,
            0,
            0,
            0.01,
            0.01,
            0.01,
            0.05,
            0.05,
            0.07,
            0.08,
            0.08,
            0.09,
            0.11,
            0.11,
            0.12,
            0.12,
            0.13,
            0.14,
            0.15,
            0.16,
        ),
        *(0.2, 0.2, 0.21, 0.21, 0.22, 0.22, 0.26, 0.28, 0.29, 0.29, 0.3, 0.35, 0.35, 0.37, 0.39, 0.4, 0.4, 0.45, 0.48),
        *(0.57, 0.57, 0.63, 0.65, 0.71, 0.79, 0.79, 0.81, 0.82, 0.85, 0.92),
    ]
)
"""Fifty values with the distribution of the paper's Figure 1."""

ALL: list[str] = [*(n for n in averages.names if n != "sum"), *transformations.names, "log(zeros=floor)", "power(p=-1)"]
BETWEEN = [name for name in ALL if name not in {"zscore", "standard", "gm", "log(zeros=floor)"}]


def figure(spec: str, values: Floats) -> float:
    return float(np.ravel(averages.parse(spec)(np.atleast_2d(values)))[0])


def test_the_example_of_the_paper() -> None:
    low, high = PAPER + np.repeat([0.05, 0], 25), PAPER + np.repeat([0, 0.05], 25)
    assert round(figure("mean", PAPER), 3) == 0.309
    assert [round(figure(f"log(eps={e})", PAPER), 3) for e in (1e-5, 1e-6, 1e-4)] == [0.117, 0.102, 0.134]
    assert [round(figure("log", x), 3) for x in (PAPER + 0.05, low, high)] == [0.263, 0.249, 0.123]
    assert [round(figure("mean", x), 3) for x in (PAPER + 0.05, low, high)] == [0.359, 0.334, 0.334]


def test_the_oracles_of_the_treatments_of_zeros() -> None:
    x = np.array([0, 0.5, 5e-6])
    assert figure("log(zeros=add)", x) == pytest.approx(0.000412, abs=5e-7)
    assert figure("log(zeros=floor)", x) == figure("gm", x) == pytest.approx(0.000368, abs=5e-7)
    assert figure("log(zeros=only)", x) == pytest.approx(0.000292, abs=5e-7)
    assert figure("logit", np.array([0.5, 0.9])) == pytest.approx(0.749997, abs=5e-7)


def test_examples_to_check_by_hand() -> None:
    x = np.array([0, 0.2, 0.4, 1])
    assert figure("trimmed(share=0.25)", x) == pytest.approx(0.3)
    assert figure("winsorised(share=0.25)", x) == pytest.approx(0.3)
    assert figure("worst", x) == 0
    assert figure("worst(share=0.5)", x) == pytest.approx(0.1)
    assert figure("quantile", np.array([0, 0.2, 0.4, 0.8])) == pytest.approx(0.15)
    assert figure("median", np.array([0.1, 0.9, 0.2])) == pytest.approx(0.2)
    assert figure("lam", np.array([0.1, 0.5])) == pytest.approx(0.25)
    assert figure("lam", np.array([0.0, 0.5])) == 0
    assert math.isnan(figure("lam", np.array([0.0, 1.0])))
    assert figure("power(p=0.5, eps=0)", np.array([0.25, 1])) == pytest.approx(0.5625)
    assert figure("power(p=-1, eps=1e-12)", np.array([0.25, 1])) == pytest.approx(0.4)
    assert figure("box_cox(power=0.5)", np.array([0.25, 1])) == pytest.approx(0.5625, abs=1e-5)
    assert figure("arcsine", np.array([0.25, 0.25])) == pytest.approx(0.25)
    two = np.array([[0.2, 0.5], [0.4, 0.5]])
    assert averages.parse("zscore")(two).tolist() == pytest.approx([-0.7071 / 2, 0.7071 / 2], abs=1e-4)
    assert averages.parse("standard")(two).tolist() == pytest.approx([(0.2398 + 0.5) / 2, (0.7602 + 0.5) / 2], abs=1e-4)
    assert transformations.parse("rank").fit(np.array([0.1, 0.2, 0.2, 0.9])).forward(np.array([0.2])) == [0.5]


values = st.lists(
    st.one_of(st.just(0.0), st.just(1.0), st.floats(0, 1, allow_subnormal=False)), min_size=2, max_size=30
)


@given(st.lists(st.floats(0.05, 1), min_size=2, max_size=30), st.integers(0, 4), st.floats(1e-7, 1e-2))
def test_relations_that_hold_exactly(xs: list[float], zeros: int, eps: float) -> None:
    """With k zeros among n values, none other small, GM + ε grows by 10^(k/n) with each decade of ε; boosts of the two
    halves multiply."""
    x = np.array(xs)
    padded = np.concatenate([np.zeros(zeros), x])
    small, large = (figure(f"log(eps={e!r})", padded) + e for e in (eps / 1e6, eps / 1e7))
    assert small / large == pytest.approx(10 ** (zeros / len(padded)), rel=1e-5)
    half = len(padded) // 2
    low = np.where(np.arange(len(padded)) < half, 0.05, 0)
    boosted = [figure(f"log(eps={eps!r})", padded + b) + eps for b in (0.05, 0, low, 0.05 - low)]
    assert boosted[0] * boosted[1] == pytest.approx(boosted[2] * boosted[3], rel=1e-9)


@settings(max_examples=200)
@given(values, st.sampled_from(ALL))
def test_a_figure_lies_between_the_smallest_and_the_largest_value(xs: list[float], spec: str) -> None:
    x = np.array(xs)
    if spec == "lam":
        assume(not ({0.0, 1.0} <= set(xs)))
    if spec in BETWEEN:
        assert x.min() - 1e-9 <= figure(spec, x) <= x.max() + 1e-9
    assert figure(spec, np.full(5, 0.3)) == pytest.approx(0.5 if spec == "standard" else 0 if spec == "zscore" else 0.3)


@given(
    st.lists(st.floats(0, 1, allow_subnormal=False), min_size=2, max_size=20, unique=True),
    st.sampled_from(transformations.names),
)
def test_transformations_rise_and_come_back(xs: list[float], name: str) -> None:
    x = np.sort(np.array(xs))
    assume(np.diff(x).min() > 1e-6)
    matrix = np.stack([x, x[::-1]])
    fitted = transformations.parse(name).fit(matrix if name not in {"zscore", "standard"} else np.stack([x, x + 0.1]))
    forward = fitted.forward(x)
    if name not in {"zscore", "standard"}:  # these are a function for each topic
        assert np.all(np.diff(forward) > 0)
    assert fitted.inverse(forward) == pytest.approx(x, abs=1e-7)


@pytest.mark.parametrize("spec", ["power(p=-1)", "power(p=2)", "box_cox(power=-1)", "box_cox(power=0)", "log(eps=0.1)"])
def test_parameters_keep_it_monotone(spec: str) -> None:
    x = np.linspace(0, 1, 101)
    made = transformations.parse(spec)
    assert np.all(np.diff(made.forward(x)) > 0)
    assert made.inverse(made.forward(x)) == pytest.approx(x, abs=1e-9)


def test_powers_join_the_known_means() -> None:
    assert figure("box_cox(power=1)", PAPER) == pytest.approx(figure("mean", PAPER))
    assert figure("box_cox(power=0)", PAPER) == pytest.approx(figure("log", PAPER))
    assert figure("box_cox(power=1e-9)", PAPER) == pytest.approx(figure("log", PAPER), rel=1e-6)
    assert figure("box_cox(power=-1)", PAPER) == pytest.approx(figure("power(p=-1)", PAPER))


def test_missing_topics_are_left_out_of_every_average() -> None:
    holes = np.array([[0.5, np.nan, 0.25, 0.75], [np.nan] * 4])
    for spec in ALL:
        found = averages.parse(spec)(holes)
        if spec not in {"zscore", "standard", "rank"}:
            assert found[0] == pytest.approx(figure(spec, np.array([0.5, 0.25, 0.75]))), spec
        assert math.isnan(found[1]), spec


def test_epsilon_is_always_written() -> None:
    for spec in ("log", "logit", "power", "box_cox", "gm"):
        assert "1e-05" in str(averages.parse(spec))
    assert str(averages.parse("log(1e-3)")) == "log(eps=0.001, zeros=add)"
    assert averages.parse(str(averages.parse("power(p=-2)"))) == averages.parse("power(p=-2)")
    assert not set(averages.names) & set(transformations.names)
    assert zero_treatments.names == ["add", "floor", "only"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("log(eps=0)", "eps must be above 0, not 0"),
        ("logit(eps=-1)", "eps must be above 0"),
        ("log(zeros=ad)", "no treatment of zeros 'ad', did you mean add"),
        ("power(p=0)", "not be 0 (that is log)"),
        ("power(p=-1, eps=0)", "above 0, or 0 with a positive p"),
        ("trimmed(share=0.5)", "share must lie between"),
        ("worst(share=0)", "share must lie above 0"),
        ("quantile(q=2)", "q must lie between 0 and 1"),
        ("harmonic", "no average 'harmonic'"),
        ("lgo", "did you mean log"),
    ],
)
def test_wrong_averages(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=re.escape(message)):
        averages.parse(spec)


def test_values_outside_a_domain_are_named() -> None:
    scores = adjudge.measure(
        {"1": {"a": 1}, "2": {"a": 1}}, {"x": {"1": {"a": 1.0}, "2": {"b": 1.0}}}, ["utility", "num_ret"]
    )
    with pytest.raises(DataError, match=re.escape("must be 0 or more: utility of x on topic 2 is -1")):
        scores.average("log")
    several = adjudge.measure({"1": {"a": 1}}, {"x": {"1": {"a": 1.0, "b": 2.0}}}, ["num_ret"])
    with pytest.raises(DataError, match=re.escape("must lie between 0 and 1: num_ret of x on topic 1 is 2")):
        several.average("logit")
    with pytest.raises(DataError, match="num_ret of x on topic 1 is 2"):
        several.average("lam")


def test_gm_map_and_gm_ndcg_are_as_easy() -> None:
    judgments = {"1": {"a": 1}, "2": {"a": 1}, "3": {"z": 1}}
    run = {"x": {"1": {"a": 1.0}, "2": {"b": 2.0, "a": 1.0}, "3": {"a": 1.0}}}
    scores = adjudge.measure(judgments, run, ["ap", "ndcg", "gm_map", "gm_ndcg"])
    gm = scores.average("gm")["x"]
    assert scores.summary()["x"]["gm_map"] == gm["ap"] == pytest.approx(math.exp((math.log(0.5) + math.log(1e-5)) / 3))
    assert scores.summary()["x"]["gm_ndcg"] == gm["ndcg"]
    assert scores.average("log(zeros=floor)", raw=True)["x"]["ap"] == pytest.approx(math.log(gm["ap"]))


# -- average precision over the whole collection


def slow_ap(order: tuple[int, ...]) -> float:
    ranks = [r for r, rel in enumerate(order, 1) if rel]
    return sum(i / r for i, r in enumerate(ranks, 1)) / len(ranks)


@pytest.mark.slow
@pytest.mark.parametrize("size", range(1, 9))
def test_tails_against_enumeration(size: int) -> None:
    """Every list, every number of relevant documents left over, every order of the rest: for all N up to 8."""
    judgments: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    expected: dict[str, tuple[float, float]] = {}
    for k in range(1, size + 1):
        for head in itertools.product((0, 1), repeat=k):
            for missing in range(size - k + 1):
                if not sum(head) + missing:
                    continue
                rest = range(size - k)
                orders = [tuple(int(i in places) for i in rest) for places in itertools.combinations(rest, missing)]
                topic = f"{head} and {missing}"
                mean = sum(slow_ap(head + order) for order in orders) / len(orders)
                expected[topic] = mean, slow_ap((*head, *min(orders)))
                run[topic] = {f"d{i}": float(size - i) for i in range(k)}
                judgments[topic] = {f"d{i}": 1 for i in range(k) if head[i]} | {f"m{i}": 1 for i in range(missing)}
    found = adjudge.measure(judgments, {"x": run}, ["ap(tail=random)", "ap(tail=worst)"], collection_size=size)
    assert len(found.topics) == len(expected)
    for topic, values in expected.items():
        ours = found["x", topic, "ap(tail=random)"], found["x", topic, "ap(tail=worst)"]
        assert ours == pytest.approx(values, rel=1e-12), topic


def test_harmonic_numbers() -> None:
    exact = np.cumsum(1 / np.arange(1, 200_001))
    for n in (0, 1, 2, 31, 32, 33, 100, 5000, 200_000):
        assert harmonic(np.array([n]))[0] == pytest.approx(exact[n - 1] if n else 0, rel=1e-14)


@pytest.mark.parametrize(
    ("judgments", "size", "message"),
    [
        ({"a": 1}, 0, "needs the size of the collection"),
        ({"a": 1}, 1, "x, topic t: 2 documents retrieved or relevant, in a collection of 1"),
        ({"a": 1, "m": 1}, 2, "3 documents retrieved or relevant"),
        ({"a": 0}, 10, "x, topic t: no relevant document (R = 0)"),
    ],
)
def test_tails_that_are_undefined(judgments: dict[str, int], size: int, message: str) -> None:
    with pytest.raises(adjudge.AdjudgeError, match=re.escape(message)):
        adjudge.measure({"t": judgments}, {"x": {"t": {"a": 2.0, "b": 1.0}}}, "ap(tail=worst)", collection_size=size)
    with pytest.raises(SpecError, match="not be given together with a tail"):
        adjudge.measure({"t": judgments}, {"x": {"t": {"a": 2.0}}}, "ap@5(tail=worst)", collection_size=99)


def test_an_average_needs_to_say_what_it_does() -> None:
    for cls in averages.all():
        assert issubclass(cls, Average)
    with pytest.raises(TypeError, match="abstract"):
        Average()  # type: ignore[abstract]
