"""Known-item search: ranks, figures, value, and what is refused."""

from __future__ import annotations

import doctest
import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge
import adjudge.comparison.known_item.ranks
from adjudge.comparison.known_item.ranks import KnownItem, known_item
from adjudge.comparison.known_item.value import break_even, break_evens, partition
from adjudge.core.errors import AdjudgeError, ConflictError, DataError, SpecError
from adjudge.words.worth import break_even as sentence_of
from adjudge.words.worth import prices
from known_items import ORACLE, items, of


def test_the_figures_of_the_specification() -> None:
    assert ORACLE.found.tolist() == [2, 3]
    assert ORACLE.sum_ranks.tolist() == [3, 10]
    assert ORACLE.work.tolist() == [13, 10]
    assert ORACLE.mrr.tolist() == pytest.approx([0.5, (1 / 2 + 1 / 3 + 1 / 5) / 3])
    assert round(float(ORACLE.mrr[1]), 4) == 0.3444
    assert ORACLE.mean_rank.tolist() == pytest.approx([1.5, 10 / 3])
    assert ORACLE.length == 10
    assert ORACLE.notes == ()
    assert "2 systems × 3 questions" in repr(ORACLE)


def test_the_value_with_the_misprint_of_the_paper_corrected() -> None:
    item = of(length=1000, A=[1, 2, None])
    assert item.value(5000, 2).tolist() == [7994]
    assert item.value(5000, 2)[0] != 10994, "what the line as printed would give"
    assert item.value(5000, 2)[0] == 2 * (5000 + 1000 * 2) - 2 * 3 - 1000 * 3 * 2
    for wrong in (-1.0, math.nan, math.inf):
        with pytest.raises(SpecError, match="v must be a number of at least 0"):
            item.value(wrong, 1)
        with pytest.raises(SpecError, match="c must be a number of at least 0"):
            item.value(1, wrong)


def test_nothing_found_has_no_mean_rank() -> None:
    item = of(A=[None, None])
    assert math.isnan(item.mean_rank[0])
    assert (item.mrr[0], item.work[0], item.found[0]) == (0, 20, 0)


@given(items(equal=False))
def test_figures_against_their_formulas(item: KnownItem) -> None:
    for s in range(len(item.systems)):
        hits = [r for r in item.ranks[s].tolist() if r]
        missed = [n for r, n in zip(item.ranks[s].tolist(), item.lengths[s].tolist(), strict=True) if not r]
        assert item.found[s] == len(hits)
        assert item.work[s] == sum(hits) + sum(missed)
        assert item.mrr[s] == pytest.approx(sum(1 / r for r in hits) / len(item.questions))
        assert item.value(7, 3)[s] == 7 * len(hits) - 3 * (sum(hits) + sum(missed))


def test_break_even_of_the_specification() -> None:
    even = break_even(ORACLE, 0, 1)
    assert (even.at, even.below, even.above) == (-3, "", "B")
    assert sentence_of(even) == "B is worth more than A for all v and c above 0: it finds more for less reading."
    twenty = [10] * 20 + [None] * 29
    more = [136] * 20 + [140, 140] + [None] * 27
    assert (sum(filter(None, twenty)), sum(filter(None, more))) == (200, 3000)
    item = of(length=1000, A=twenty, B=more)
    even = break_even(item, 0, 1)
    assert (even.at, even.below, even.above) == (400, "A", "B")
    assert sentence_of(even) == "A is worth more than B up to v/c = 400, less above it."
    assert even.at == (200 - 3000) / (20 - 22) - 1000, "the form with equal lengths"
    assert prices(partition(item)) == "up to v/c = 400 A has the highest value, above it B"
    assert [(p.low, p.high, p.best, p.level) for p in partition(item)] == [
        (0, 400, ("A",), ("A",)),
        (400, math.inf, ("B",), ("A", "B")),
    ]


def test_break_even_where_both_find_equally_many() -> None:
    less, level = break_even(of(A=[1, None], B=[None, 3]), 0, 1), break_even(of(A=[1, 3], B=[2, 2]), 0, 1)
    assert math.isnan(less.at)
    assert math.isnan(level.at)
    assert sentence_of(less) == "A is worth more than B for all v and c above 0: it finds as many for less reading."
    assert sentence_of(level) == "A and B have the same value whatever v and c are."
    zero = break_even(of(length=2, A=[2, 2], B=[2, None]), 0, 1)
    assert (zero.at, zero.below, zero.above) == (0, "", "A")
    assert sentence_of(zero) == "A is worth more than B as soon as v is above 0."


def test_a_partition_with_ties() -> None:
    """Three lines through one point, and two systems with the same line."""
    item = of(
        length={"A": 0, "B": 10, "C": 20, "D": 20}, A=[None] * 3, B=[10, None, None], C=[20, 20, None], D=[20, None, 20]
    )
    assert item.work.tolist() == [0, 30, 60, 60]
    parts = partition(item)
    assert [(p.low, p.best, p.level) for p in parts] == [
        (0, ("A",), ("A",)),
        (30, ("C", "D"), ("A", "B", "C", "D")),
    ]
    assert prices(parts) == (
        "up to v/c = 30 A has the highest value, above it C and D; at exactly 30 B ties with the best"
    )
    same = of(A=[1, 2], B=[2, 1])
    assert prices(partition(same)) == "A and B have the highest value for all v and c above 0"
    three = of(length={"A": 0, "B": 5, "C": 50}, A=[None] * 2, B=[5, None], C=[50, 50])
    assert prices(partition(three)) == "up to v/c = 10 A has the highest value, from there to 90 B, above it C"


@given(items(equal=False, systems=5), st.fractions(0, 20, max_denominator=12))
def test_the_partition_against_the_values(item: KnownItem, x: Any) -> None:
    parts = partition(item)
    assert parts[0].low == 0
    assert parts[-1].high == math.inf
    assert all(a.high == b.low for a, b in pairwise(parts))
    values = [x * int(g) - int(w) for g, w in zip(item.found, item.work, strict=True)]
    best = tuple(s for s, value in zip(item.systems, values, strict=True) if value == max(values))
    inside = [p for p in parts if p.low < x < p.high]
    borders = [p for p in parts if p.low == x]
    if inside:
        assert best == inside[0].best
    elif borders:
        assert best == borders[0].level
    for even in break_evens(item):
        a, b = item.systems.index(even.first), item.systems.index(even.second)
        ahead = "" if values[a] == values[b] else even.first if values[a] > values[b] else even.second
        if math.isnan(even.at) or x > max(even.at, 0) + 1e-9:
            assert ahead == even.above
        elif x < even.at - 1e-9:
            assert ahead == even.below


QRELS = {"1": {"a": 1, "x": 0}, "2": {"b": 1}, "3": {"c": 2}}
RUN = {"1": {"z": 3.0, "a": 2.0, "y": 1.0}, "2": {"y": 2.0, "z": 1.0}, "9": {"a": 1.0}}


def test_ranks_from_runs() -> None:
    item = known_item(QRELS, {"mine": RUN, "other": {"3": {"c": 1.0}, "1": {"a": 1.0}, "2": {"b": 0.5, "y": 0.5}}})
    assert item.systems == ("mine", "other")
    assert item.questions == ("1", "2", "3")
    assert item.ranks.tolist() == [[2, 0, 0], [1, 2, 1]], "of equal scores the later id comes first, as in trec_eval"
    assert item.lengths.tolist() == [[3, 2, 0], [1, 2, 1]]
    assert tuple(map(str, item.notes)) == (
        "mine: no judgment for topic 9, skipped",
        "mine: retrieved nothing for topic 3, missed at no cost",
        "a miss costs from 0 to 2 documents: with unequal lengths dominance does not imply value "
        "(--length makes them equal)",
    )


def test_a_fixed_length_and_a_depth() -> None:
    item = known_item(QRELS, {"mine": RUN}, length=1000)
    assert item.lengths.tolist() == [[1000] * 3]
    assert item.work.tolist() == [2002]
    assert item.length == 1000
    assert "mine: retrieved nothing for topic 3, missed at the cost of 1000" in map(str, item.notes)
    cut = known_item(QRELS, {"mine": RUN}, depth=1)
    assert cut.ranks.tolist() == [[0, 0, 0]]
    assert cut.lengths.tolist() == [[1, 1, 0]]
    assert "mine: the item is ranked below 1 for topic 1, missed" in map(str, cut.notes)
    with pytest.raises(
        DataError, match="mine: the item of question 1 is at rank 2, beyond the 1 documents that are read"
    ):
        known_item(QRELS, {"mine": RUN}, length=1)


def test_mrr_is_what_adjudge_measures() -> None:
    rng = np.random.default_rng(1)
    qrels = {str(t): {"d7": 1} for t in range(40)}
    run = {str(t): {f"d{d}": float(s) for d, s in enumerate(rng.permutation(9)[:8])} for t in range(38)}
    ours = known_item(qrels, {"r": run}).mrr[0]
    assert ours == adjudge.measure(qrels, {"r": run}, ["rr"], complete=True).mean()["r"]["rr"]


def test_32_bit_scores_when_asked() -> None:
    qrels, run = {"1": {"b": 1}}, {"1": {"a": 1.00000002, "b": 1.0}}
    assert known_item(qrels, run).ranks.tolist() == [[2]]
    assert known_item(qrels, run, trec_version=9).ranks.tolist() == [[1]]


def test_more_than_one_target() -> None:
    qrels = {"1": {"a": 1, "y": 1}, "2": {"b": 1}, "3": {"c": 1}}
    with pytest.raises(DataError, match=r"topic 1 has 2 documents of grade 1 or above, and a known item is one"):
        known_item(qrels, {"mine": RUN})
    item = known_item(qrels, {"mine": RUN}, any_target=True)
    assert item.ranks.tolist() == [[2, 0, 0]]
    assert str(item.notes[0]) == "topic 1: more than one target, the one ranked best counts"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"level": 2}, "topic 1 has no document of grade 2 or above: there is no known item"),
        ({"level": -1}, "level must be at least 0"),
        ({"depth": 0}, "depth must be at least 1"),
        ({"depth": 10**10}, "depth must lie between 1 and"),
        ({"length": 0}, "length must lie between 1 and"),
        ({"trec_version": 8}, "trec_version must be 9 or 10"),
    ],
)
def test_what_is_refused_of_runs(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(AdjudgeError, match=message):
        known_item(QRELS, {"mine": RUN}, **arguments)


def test_a_run_about_something_else() -> None:
    with pytest.raises(DataError, match="other: no topic in common with the judgments"):
        known_item(QRELS, {"other": {"7": {"a": 1.0}}})
    with pytest.raises(SpecError, match="no run"):
        known_item(QRELS, [])


@pytest.mark.parametrize(
    ("ranks", "length", "message"),
    [
        ({"A": [1, 2], "B": [1]}, 10, "B has ranks for 1 questions, not for 2"),
        ({"A": [0]}, 10, "A, question 1: a rank must be a whole number from 1 to .*, not 0; None is for an item"),
        ({"A": [math.nan]}, 10, "not nan"),
        ({"A": [1.5]}, 10, "not 1.5"),
        ({"A": [True]}, 10, "not True"),
        ({"A": []}, 10, "at least one system and one question"),
        ({}, 10, "at least one system and one question"),
        ({"A": [11]}, 10, "A: the item of question 1 is at rank 11, beyond the 10 documents"),
        ({"A": [1]}, -1, "a length must be a whole number from 0"),
        ({"A": [1]}, {"B": 1}, "A: no length is given for it"),
        ({"A": [1]}, {"A": [1, 2]}, "A has lengths for 2 questions, not for 1"),
        ({"A": [1]}, 10**10, "not 10000000000"),
    ],
)
def test_what_is_refused_of_ranks(ranks: Any, length: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        KnownItem.of_ranks(ranks, length=length)


def test_what_is_refused_of_arrays() -> None:
    one, two = np.ones((1, 1), np.int64), np.ones((1, 2), np.int64)
    for wrong in (two, one.astype(float), -one, one * 10**10):
        with pytest.raises(DataError, match="ranks must"):
            KnownItem(("A",), ("1",), wrong, one)
    with pytest.raises(DataError, match="at least one question"):
        KnownItem(("A",), (), np.ones((1, 0), np.int64), np.ones((1, 0), np.int64))
    with pytest.raises(DataError, match="at least one system"):
        KnownItem((), ("1",), np.ones((0, 1), np.int64), np.ones((0, 1), np.int64))
    with pytest.raises(ConflictError, match="two questions are named '1'"):
        KnownItem(("A",), ("1", "1"), two, two)
    ranks = np.ones((1, 1), np.int64)
    item = KnownItem(("A",), ("1",), ranks, one)
    ranks[0, 0] = 5
    assert item.ranks.tolist() == [[1]], "a value keeps what was checked"
    assert KnownItem.of_ranks({"A": np.array([3]).tolist()}, length=5, questions=["q"]).questions == ("q",)


def test_examples_in_docstrings() -> None:
    assert doctest.testmod(adjudge.comparison.known_item.ranks) == (0, 5)
