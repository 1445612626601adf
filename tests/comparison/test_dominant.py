"""The better system of each group, against readers who go through their lists round by round."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from adjudge.comparison.known_item.dominant import DominantSystem, dominant_systems
from adjudge.comparison.known_item.ranks import KnownItem
from adjudge.core.errors import SpecError
from known_items import EFFORTS, ORACLE, items, of, read, relation


def test_the_one_that_dominates_and_the_one_with_the_higher_mrr() -> None:
    item = of(gmu961=[1, 2, 3], gmu962=[2, 2, None], eth_n=[1, None, None], eth_p=[2, 3, 5], rutcf=[9, 9, 9])
    groups = {"ETH": ["eth_p", "eth_n"], "GMU": ["gmu962", "gmu961"]}
    assert dominant_systems(item, groups) == (
        DominantSystem("GMU", "gmu961", True),
        DominantSystem("ETH", "eth_p", False),
        DominantSystem("rutcf", "rutcf", True),
    )


def test_of_equal_curves_the_first_of_the_group_is_shown() -> None:
    assert dominant_systems(of(A=[1, 2], B=[2, 1]), {"both": ["B", "A"]}) == (DominantSystem("both", "B", True),)


@settings(max_examples=60, deadline=None)
@given(item=items(equal=False))
def test_it_is_what_readers_would_find(item: KnownItem) -> None:
    for effort in EFFORTS:
        (only,) = dominant_systems(item, {"all": list(item.systems)}, "work", effort)
        points = [
            read([rank or None for rank in ranks], lengths, effort)
            for ranks, lengths in zip(item.ranks.tolist(), item.lengths.tolist(), strict=True)
        ]
        whole = [
            system
            for system, own in zip(item.systems, points, strict=True)
            if all(relation(own, other, "work") in ">=" for other in points)
        ]
        assert only.dominates == bool(whole)
        best = max(item.mrr.tolist())
        assert only.system in (whole or [s for s, m in zip(item.systems, item.mrr.tolist(), strict=True) if m == best])


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({"X": ["C"]}, "group X: no system 'C' here"),
        ({"X": ["A"], "Y": ["A"]}, "system A is in the groups X and Y"),
        ({"X": []}, "group X has no system"),
        ({"B": ["A"]}, "group B has the name of a system that is not in it"),
    ],
)
def test_groups_that_make_no_sense(groups: dict[str, list[str]], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        dominant_systems(ORACLE, groups)
