"""Operating characteristics of known-item search, dominance, and when it implies value."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from adjudge.comparison.known_item.characteristic import AXES, NEVER, Axis, Dominance, Effort, curves, dominance, finds
from adjudge.comparison.known_item.ranks import KnownItem
from adjudge.comparison.known_item.study import Study
from known_items import EFFORTS, ORACLE, height, items, of, relation, rows


def points(item: KnownItem, system: int, effort: Effort = "inclusive") -> list[tuple[int, int, int]]:
    curve = curves(item, effort)[system]
    return list(zip(curve.rounds.tolist(), curve.work.tolist(), curve.found.tolist(), strict=True))


def test_the_points_of_the_specification() -> None:
    assert points(ORACLE, 0) == [(1, 3, 1), (2, 5, 2)]
    assert points(ORACLE, 0, "prior") == [(1, 0, 1), (2, 3, 2)]
    assert points(ORACLE, 1) == [(2, 6, 1), (3, 8, 2), (5, 10, 3)]
    assert [curve.end for curve in curves(ORACLE)] == [(10, 13), (5, 10)]
    assert curves(ORACLE)[1].at([0, 5, 6, 9, 10, 99]).tolist() == [0, 0, 1, 2, 3, 3]
    assert curves(ORACLE)[1].at(4, "rank") == 2


def test_the_efforts_of_finds() -> None:
    assert finds(ORACLE).tolist() == [[3, 5, NEVER], [6, 8, 10]]
    assert finds(ORACLE, "rank").tolist() == [[1, 2, NEVER], [2, 3, 5]]


def test_several_finds_in_a_round_are_one_point() -> None:
    assert points(of(A=[2, 2, 1, None]), 0) == [(1, 4, 1), (2, 7, 3)]
    assert points(of(A=[None]), 0) == []


@pytest.mark.parametrize("effort", EFFORTS)
@given(items(equal=False))
def test_curves_against_reading_round_by_round(effort: Effort, item: KnownItem) -> None:
    for s, expected in enumerate(rows(item, effort)):
        assert points(item, s, effort) == expected
        assert curves(item, effort)[s].end[1] == item.work[s], "the end is what the value prices"


def test_dominance_of_the_specification() -> None:
    work, rank = dominance(ORACLE)[0], dominance(ORACLE, "rank")[0]
    assert (work.relation, rank.relation) == ("×", "×")
    assert [(c.at, c.before, c.after) for c in work.changes] == [(10, "A", "B")]
    assert [(c.at, c.before, c.after) for c in rank.changes] == [(5, "A", "B")]


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("axis", AXES)
@given(items(equal=False))
def test_dominance_against_both_curves_at_every_breakpoint(axis: Axis, effort: Effort, item: KnownItem) -> None:
    slow = dict(zip(item.systems, rows(item, effort), strict=True))
    for pair in dominance(item, axis, effort):
        a, b = slow[pair.first], slow[pair.second]
        assert pair.relation == relation(a, b, axis)
        assert bool(pair.changes) == (pair.relation == "×")
        for change in pair.changes:
            gap = height(slow[change.after], axis, change.at) - height(slow[change.before], axis, change.at)
            assert gap > 0
            assert height(slow[change.before], axis, change.at - 1) >= height(slow[change.after], axis, change.at - 1)


def test_with_unequal_lengths_dominance_does_not_imply_value() -> None:
    item = of({"A": 50, "B": 5}, A=[1, 2, None], B=[1, 3, None])
    assert [dominance(item, axis)[0].relation for axis in AXES] == [">", ">"]
    assert item.work.tolist() == [53, 9]
    assert item.length is None
    assert tuple(map(str, item.notes)) == (
        "a miss costs from 5 to 50 documents: with unequal lengths dominance does not imply value "
        "(--length makes them equal)",
    )
    assert Study(item).conclusion() == (
        "For every amount of reading A finds at least as many items as B, but misses do not cost the same in all "
        "systems: B has the highest value for all v and c above 0."
    )
    found_deeper = of({"A": 5, "B": [9, 9]}, A=[1, None], B=[1, 9])
    assert "a miss costs 5 documents and items are found down to rank 9" in str(found_deeper.notes[0])


def test_dominance_by_work_may_bring_no_greater_value() -> None:
    """And it does not need dominance by rank."""
    item = of(A=[1, 4], B=[2, 3])
    assert [dominance(item, "work", effort)[0].relation for effort in EFFORTS] == [">", ">"]
    assert dominance(item, "rank")[0].relation == "×"
    assert item.work.tolist() == [5, 5]


@pytest.mark.slow
@settings(max_examples=300)
@given(items(equal=True))
def test_with_equal_lengths_dominance_implies_value(item: KnownItem) -> None:
    place = {system: s for s, system in enumerate(item.systems)}

    def above(pair: Dominance) -> list[tuple[int, int]]:
        a, b = place[pair.first], place[pair.second]
        return [(a, b)] if pair.relation == ">" else [(b, a)] if pair.relation == "<" else []

    by_work = {effort: [p for pair in dominance(item, "work", effort) for p in above(pair)] for effort in EFFORTS}
    for pairs in by_work.values():
        for a, b in pairs:
            assert item.found[a] >= item.found[b]
            assert item.work[a] <= item.work[b]
            for r in range(item.length or 0):
                assert np.minimum(item.efforts[a], r).sum() <= np.minimum(item.efforts[b], r).sum(), "after each round"
    for a, b in (p for pair in dominance(item, "rank") for p in above(pair)):
        assert (item.found[a], -item.work[a]) > (item.found[b], -item.work[b])
        assert item.work[a] <= item.work[b]
        assert all((a, b) in pairs for pairs in by_work.values()), "by rank implies by work"


@given(items(equal=True))
def test_work_is_the_area_above_the_curve(item: KnownItem) -> None:
    if item.length is not None:
        for s, curve in enumerate(curves(item)):
            rounds = np.arange(item.length)
            assert item.work[s] == int((len(item.questions) - curve.at(rounds, "rank")).sum())


ALWAYS = "whatever a hit is worth (v) and reading costs (c)."
MORE = "For every amount of reading A finds at least as many items"
NEITHER = "Neither system finds at least as many items as the other for every amount of reading"
DEPENDS = (
    "which of A and B has the highest value depends on what a hit is worth compared with the cost of reading a "
    "document (v/c)."
)


@pytest.mark.parametrize(
    ("item", "conclusion"),
    [
        (of(A=[1, None]), "A finds 1 of 2 items for 11 documents read."),
        (of(A=[1, 2], B=[2, 2]), f"{MORE} as B, so no other system is worth more, {ALWAYS}"),
        (
            of(A=[2, 2], B=[2, 2]),
            f"For every amount of reading both systems find the same number of items; A and B have the highest value "
            f"{ALWAYS}",
        ),
        (ORACLE, f"{NEITHER}; B has the highest value {ALWAYS}"),
        (
            of(C=[9, 9], A=[1, 2], B=[2, 2]),
            f"{MORE} as all others, so no other system is worth more, {ALWAYS}",
        ),
        (
            of({"A": 50, "B": 50, "C": 5}, A=[1, None], B=[2, None], C=[5, None]),
            f"{MORE} as all others, but misses do not cost the same in all systems: C has the highest value for all v "
            "and c above 0.",
        ),
        (
            of(length=1000, A=[10, None, None], B=[900, 900, None], C=[950, 950, None]),
            f"No system finds at least as many items as all others for every amount of reading: {DEPENDS}",
        ),
        (
            of(length={"A": 5, "B": 50}, A=[1, None], B=[49, 50]),
            f"{NEITHER}: {DEPENDS}",
        ),
        (
            of({"A": 5, "B": 50}, A=[1, 2, None], B=[2, None, None]),
            f"{MORE} as B, and has the highest value {ALWAYS}",
        ),
    ],
)
def test_conclusions(item: KnownItem, conclusion: str) -> None:
    assert Study(item).conclusion() == conclusion
