"""What known-item systems find that others do not, by hand and against the definitions."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.comparison.known_item.complementarity import Complementarity
from adjudge.comparison.known_item.ranks import KnownItem
from adjudge.core.errors import DataError, SpecError
from adjudge.correlation import tau_b
from known_items import items, of

FOUR = of(length=100, A=[1, 1, 20, None], B=[2, 50, 3, None], C=[1, 4, 3, None])


def test_by_hand() -> None:
    made = Complementarity(FOUR, within=10)
    assert made.found.tolist() == [2, 2, 3]
    assert made.only.tolist() == [[0, 1, 0], [1, 0, 0], [1, 1, 0]]
    assert made.finders.tolist() == [3, 2, 2, 0]
    assert made.by_systems.tolist() == [1, 0, 2, 1]
    assert made.alone.tolist() == [0, 0, 0]
    assert made.ahead.tolist() == [1, 0, 0]
    assert made.oracle == pytest.approx((1 + 1 + 1 / 3) / 4)
    assert FOUR.systems[made.best] == "A"
    assert made.conclusion().startswith(
        "The best choice of system for each question has MRR 0.5833, A alone has 0.5125; "
    )


def test_rank_one_and_everything() -> None:
    assert Complementarity(FOUR, within=1).only.tolist() == [[0, 2, 1], [0, 0, 0], [0, 1, 0]]
    assert Complementarity(FOUR, within=1).alone.tolist() == [1, 0, 0]
    assert Complementarity(FOUR, within=1000).by_systems.tolist() == [1, 0, 0, 3]


def test_a_system_that_needs_no_other() -> None:
    made = Complementarity(of(A=[1, 2], B=[2, 2]))
    assert made.conclusion() == (
        "The best choice of system for each question has MRR 0.7500, no more than A alone: no other system is better "
        "on any question."
    )


def test_the_independent_oracle_by_hand() -> None:
    # Reciprocal ranks 1 and 0 in each: both miss a question with probability 1/4.
    assert Complementarity(of(A=[1, None], B=[1, None])).independent == pytest.approx(0.75)
    assert Complementarity(of(A=[1, None], B=[1, None])).oracle == 0.5
    assert Complementarity(of(A=[1, None], B=[None, 1])).oracle == 1.0


@given(items(equal=True), st.integers(1, 9))
def test_the_figures_are_their_definitions(item: KnownItem, within: int) -> None:
    made = Complementarity(item, within)
    found = [{q for q, r in enumerate(row) if 0 < r <= within} for row in item.ranks.tolist()]
    assert made.only.tolist() == [[len(a - b) for b in found] for a in found]
    for q in range(len(item.questions)):
        assert made.finders[q] == sum(q in own for own in found)
    for s, own in enumerate(found):
        others = set().union(*(other for o, other in enumerate(found) if o != s))
        assert made.alone[s] == len(own - others)
    assert made.by_systems.sum() == len(item.questions)
    rr = [[1 / r if r else 0.0 for r in row] for row in item.ranks.tolist()]
    assert made.oracle == pytest.approx(np.mean([max(column) for column in zip(*rr, strict=True)]))
    assert made.oracle >= item.mrr.max() - 1e-12
    # All ways to draw a reciprocal rank from each system.
    assert made.independent == pytest.approx(np.mean([max(drawn) for drawn in product(*rr)]))
    for a, b in product(range(len(rr)), repeat=2):
        assert made.correlation[a, b] == pytest.approx(tau_b(rr[a], rr[b]), nan_ok=True)


def test_no_correlation_where_all_ranks_are_equal() -> None:
    made = Complementarity(of(A=[1, 1], B=[1, 2])).correlation
    assert math.isnan(made[0, 1])
    assert made[1, 1] == 1


def test_what_is_refused() -> None:
    with pytest.raises(DataError, match="of two systems or more, not of one"):
        Complementarity(of(A=[1, 2]))
    with pytest.raises(SpecError, match="within must lie between 1 and"):
        Complementarity(FOUR, within=0)
