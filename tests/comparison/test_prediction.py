"""Predictors against systems: correlations, choices, and what is said of them, by slow definitions."""

from __future__ import annotations

import math
from itertools import pairwise, permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.comparison.known_item import association
from adjudge.comparison.known_item.association import associations
from adjudge.comparison.known_item.choosing import choose_by_figure
from adjudge.comparison.known_item.prediction import Prediction, pairs_of, predict
from adjudge.core.errors import DataError, SpecError
from adjudge.core.judged import Floats
from adjudge.correlation import tau_b
from adjudge.correlation.uncertainty import correlate
from known_items import of
from recorder import Recorder

values = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0])


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@st.composite
def columns(draw: st.DrawFn, most: int = 8) -> tuple[Floats, Floats]:
    size = draw(st.integers(2, most))
    row = st.lists(values, min_size=size, max_size=size)
    figures = draw(st.lists(row, min_size=1, max_size=3))
    outcomes = draw(st.lists(row, min_size=1, max_size=3))
    return np.array(figures), np.array(outcomes)


# -- correlations -----------------------------------------------------------------------------------------------------


@given(columns())
def test_tau_is_that_of_the_coefficient(given: tuple[Floats, Floats]) -> None:
    figures, outcomes = given
    made = associations(figures, outcomes, rng(), permutations=0, samples=0)
    expected = [[tau_b(x, y) for y in outcomes.tolist()] for x in figures.tolist()]
    assert made.tau == pytest.approx(np.array(expected), nan_ok=True)
    assert np.isnan(made.p).all()
    assert np.isnan(made.low).all()


def concordance(x: Any, y: Any) -> int:
    both = range(len(x))
    return sum(int(np.sign(x[i] - x[j]) * np.sign(y[i] - y[j])) for i in both for j in both if i < j)


def test_p_comes_near_that_of_all_permutations() -> None:
    x, y = [3.0, 1.0, 2.0, 5.0, 4.0, 6.0], [0.5, 0.2, 0.2, 1.0, 1.0, 1.0]
    seen = concordance(x, y)
    sums = [concordance([x[i] for i in order], y) for order in permutations(range(6))]
    exact = 2 * min(sum(s >= seen for s in sums), sum(s <= seen for s in sums)) / len(sums)
    made = associations(np.array([x]), np.array([y]), rng(), permutations=20_000, samples=0)
    assert made.p[0, 0] == pytest.approx(exact, abs=0.01)


def test_intervals_come_near_those_of_the_coefficient() -> None:
    generator = rng(3)
    x = generator.random(30)
    y = np.round(x + generator.normal(0, 0.3, 30), 1)
    made = associations(x[None], y[None], rng(), permutations=2000, samples=2000)
    other = correlate(x, y, "tau_b", samples=2000, permutations=2000, rng=rng(1))
    assert made.tau[0, 0] == pytest.approx(other.value)
    assert made.low[0, 0] == pytest.approx(other.low, abs=0.04)
    assert made.high[0, 0] == pytest.approx(other.high, abs=0.04)
    assert made.p[0, 0] == pytest.approx(other.p, abs=0.01)


def test_a_sample_weighs_pairs_as_drawing_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same draw the weighted sums are the coefficient of the questions drawn."""
    generator = rng(5)
    x, y = generator.random((2, 12)).round(1), generator.random((3, 12)).round(1)
    times = rng(9).multinomial(12, np.full(12, 1 / 12), 1)[0]
    drawn = np.repeat(np.arange(12), times)
    made = associations(x, y, rng(9), permutations=0, samples=1)
    for f, o in product(range(2), range(3)):
        assert made.low[f, o] == made.high[f, o] == pytest.approx(tau_b(x[f, drawn], y[o, drawn]))


@pytest.mark.parametrize("piece", [1, 100, 10_000_000])
def test_pieces_do_not_matter(monkeypatch: pytest.MonkeyPatch, piece: int) -> None:
    generator = rng(1)
    x, y = generator.random((2, 9)), generator.random((3, 9)).round(1)
    whole = associations(x, y, rng(), permutations=57, samples=0)
    monkeypatch.setattr(association, "PIECE", piece)
    heard = Recorder()
    made = associations(x, y, rng(), permutations=57, samples=13, progress=heard)
    assert made.tau.tolist() == whole.tau.tolist()
    assert heard.kinds() == ["resample", "permute"]
    assert (heard.counts("resample")[-1], heard.counts("permute")[-1]) == (13, 57)
    assert np.abs(made.tau).max() <= 1
    assert (made.low <= made.high).all()


def test_too_many_questions_are_refused() -> None:
    many = np.zeros((1, association.MOST + 1))
    with pytest.raises(DataError, match="1,000 at most"):
        associations(many, many, rng())


# -- choices ----------------------------------------------------------------------------------------------------------


def slow_choice(figure: list[float], gains: list[float]) -> list[bool]:
    """Every rule, on every set of questions but one."""
    picks = []
    for q, asked in enumerate(figure):
        others = [i for i in range(len(figure)) if i != q]
        always = sum(gains[i] for i in others)
        best, rule = max(always, 0.0), always >= -1e-9
        known = sorted({figure[i] for i in others})
        cuts = [a + (b - a) / 2 for a, b in pairwise(known)]
        for above, cut in [(way, cut) for way in (True, False) for cut in cuts]:
            total = sum(gains[i] for i in others if (figure[i] > cut) == above)
            if total > best + 1e-9:
                best, rule = total, (asked > cut) == above
        picks.append(rule)
    return picks


@given(columns(most=9))
def test_choices_are_those_of_the_slow_definition(given: tuple[Floats, Floats]) -> None:
    figures, gains = given
    gains = gains - gains[::-1] * 0.75 - 0.125  # both signs, and sums apart or equal by far more than rounding
    for figure in figures:
        expected = [slow_choice(figure.tolist(), row) for row in gains.tolist()]
        assert choose_by_figure(figure, gains).tolist() == expected


def test_a_choice_by_hand() -> None:
    # The first is better where the figure is high. Each question is decided by the three others.
    figure = np.array([1.0, 2.0, 4.0, 5.0])
    assert choose_by_figure(figure, np.array([[-1.0, -1.0, 1.0, 1.0]])).tolist() == [[False, False, True, True]]
    # It is better in the last only: of that the others know nothing, and the last misleads about its neighbour.
    assert choose_by_figure(figure, np.array([[-1.0, -1.0, -1.0, 1.0]])).tolist() == [[False, False, True, False]]
    # Questions come in any order, and the first may be better where the figure is low.
    assert choose_by_figure(figure[::-1], np.array([[-1.0, -1.0, 2.0, 2.0]])).tolist() == [[False, False, True, True]]
    # A figure that is always the same has no threshold.
    assert choose_by_figure(np.array([5.0, 5.0, 5.0]), np.array([[1.0, 1.0, -1.0]])).tolist() == [[True, True, True]]


# -- the whole --------------------------------------------------------------------------------------------------------

HALVES = of(
    length=100,
    A=[1] * 10 + [None] * 10,
    B=[None] * 10 + [2] * 10,
    C=[3, 7] * 10,
)
TELLING = [float(-q - 5 * (q >= 10)) for q in range(20)]
BLIND = [float(q % 2) for q in range(20)]


def prediction(**more: Any) -> Prediction:
    options: dict[str, Any] = {"permutations": 5000, "samples": 200} | more
    return predict(HALVES, {"telling": TELLING, "blind": BLIND}, rng(), **options)


def test_what_can_be_told_is_found() -> None:
    made = prediction()
    links = {(link.predictor, link.outcome): link for link in made.links}
    assert len(made.links) == 2 * (3 + 3)
    link = links["telling", "A − B"]
    assert link.tau == pytest.approx(tau_b(TELLING, [1.0] * 10 + [-0.5] * 10))
    assert link.p < 0.05
    assert link.low <= link.tau <= link.high
    assert abs(links["blind", "A − B"].tau) < 0.2
    choice = next(c for c in made.choices if (c.predictor, c.better, c.other) == ("telling", "A", "B"))
    assert choice.always == 0.5
    assert choice.oracle == pytest.approx(0.75)
    assert choice.chosen == pytest.approx(0.75)
    assert choice.switched == 10
    assert choice.p < 0.05
    assert made.conclusion().startswith("Of 12 correlations over 20 questions ")
    assert made.conclusion().endswith(" instead of 0.5000.")


def test_nothing_is_claimed_of_a_blind_predictor() -> None:
    made = predict(of(A=[1, 2, 3, 1, 2], B=[2, 1, 3, 2, 1]), {"x": [1, 2, 3, 4, 5]}, rng(), permutations=500)
    assert made.conclusion().startswith(
        "No predictor correlates significantly with a system or with the difference of two systems: none of 3 "
    )
    assert all(link.p > 0.05 for link in made.links)
    assert made.detectable > 0.6


def test_p_are_corrected_for_all_comparisons_of_their_kind() -> None:
    made = prediction()
    for rows in (made.links, made.choices):
        raw = sorted((row.raw, row.p) for row in rows if not math.isnan(row.raw))
        assert raw[0][1] == pytest.approx(min(1, raw[0][0] * len(raw)))
        assert all(p >= r for r, p in raw)


def test_pairs_begin_with_the_better() -> None:
    item = of(A=[2, 2], B=[1, 1], C=[2, 2])
    assert pairs_of(item) == [(1, 0), (0, 2), (1, 2)]


def test_one_system_has_correlations_and_no_choices() -> None:
    made = predict(of(A=[1, 2, 3]), {"x": [3, 2, 1]}, rng(), permutations=100, samples=0)
    assert [(link.outcome, link.tau) for link in made.links] == [("A", 1.0)]
    assert made.choices == ()
    assert made.best_choice is None
    assert "Choosing" not in made.conclusion()


def test_questions_without_a_value_are_left_out_and_told() -> None:
    made = predict(
        of(A=[1, 2, 3, 4], B=[2, 1, 4, 3]),
        {"x": [1, math.nan, 3, 4], "y": [1, 1, 1, 1]},
        rng(),
        permutations=10,
        samples=10,
    )
    assert made.item.questions == ("1", "3", "4")
    assert tuple(map(str, made.notes)) == (
        "topic 2: no value of x, skipped for all predictors",
        "y: the same for all questions, so it predicts nothing",
        "10 permutations are few for 6 correlations: no corrected p below 1",
    )
    assert all(math.isnan(link.tau) and math.isnan(link.p) for link in made.links if link.predictor == "y")


def test_without_permutations_nothing_is_tested() -> None:
    made = prediction(permutations=0, samples=0)
    assert made.conclusion() == "None of 12 correlations over 20 questions was tested: p-values need permutations."
    assert all(math.isnan(p) for p in [*(link.p for link in made.links), *(choice.p for choice in made.choices)])


def test_the_seed_decides() -> None:
    assert prediction().links == prediction().links
    assert predict(HALVES, {"x": BLIND}, rng(1)).links != predict(HALVES, {"x": BLIND}, rng(2)).links


@pytest.mark.parametrize(
    ("values", "more", "error", "message"),
    [
        ({}, {}, SpecError, "no predictor was named"),
        ({"x": [1.0]}, {}, DataError, "x has values for 1 questions, not for 20"),
        ({"x": [math.nan] * 18 + [1.0, 2.0]}, {}, DataError, "at least 3 questions"),
        ({"x": TELLING}, {"confidence": 1.0}, SpecError, "confidence of an interval"),
    ],
)
def test_wrong_input(values: Any, more: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        predict(HALVES, values, rng(), **more)
