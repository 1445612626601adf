"""What a pool lacks: by hand, and against leaving out judgments one by one."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge.core.errors import SpecError

QRELS = {"1": {"a": 1, "b": 0, "c": 1, "d": 1}}
RUNS = {
    "one": {"1": {"a": 4.0, "b": 3.0, "c": 2.0, "u": 1.0}},
    "two": {"1": {"d": 4.0, "b": 3.0, "u": 2.0}},
    "three": {"1": {"c": 4.0, "b": 3.0}},
}


def test_by_hand() -> None:
    result = adjudge.pool_gaps(QRELS, RUNS, "p@1", depths=[2, 4])
    by_name = {row.run: row for row in result.rows}
    assert by_name["one"].unjudged == {2: 0.0, 4: 0.25}
    assert by_name["two"].unjudged[4] == pytest.approx(1 / 3)
    assert (by_name["one"].unique, by_name["one"].unique_relevant) == (1, 1)  # a
    assert (by_name["two"].unique, by_name["three"].unique) == (1, 0)  # d; c is one's too
    assert (by_name["two"].value, by_name["two"].value_without) == (1.0, 0.0)
    assert (by_name["two"].rank, by_name["two"].rank_without, by_name["two"].fall) == (1, 3, 2)
    assert by_name["three"].fall == 0
    assert "from rank 1 to 3" in result.conclusion()


def test_the_depth_of_the_pool_decides_what_is_unique() -> None:
    result = adjudge.pool_gaps(QRELS, RUNS, "p@1", depth=1)
    assert {row.run: row.unique for row in result.rows} == {"one": 1, "two": 1, "three": 1}


def test_groups_are_left_out_together() -> None:
    result = adjudge.pool_gaps(QRELS, RUNS, "p@1", groups={"both": "t*"})
    assert {row.run: (row.group, row.unique) for row in result.rows} == {
        "one": ("one", 1),
        "two": ("both", 1),
        "three": ("both", 1),
    } or result.rows[0].unique == 1
    with pytest.raises(SpecError, match="in two groups"):
        adjudge.pool_gaps(QRELS, RUNS, groups={"x": "t*", "y": "two"})
    with pytest.raises(SpecError, match="no run is in the group x"):
        adjudge.pool_gaps(QRELS, RUNS, groups={"x": "z*"})
    with pytest.raises(SpecError, match="at least two runs"):
        adjudge.pool_gaps(QRELS, {"one": RUNS["one"]})


@pytest.mark.parametrize("measure", ["rbp(p=0.5)", "cwl_rbp(p=0.5)"])
def test_bands_hold_whatever_the_unjudged_documents_are(measure: str) -> None:
    """Every way to judge the rest: values lie in the bands, and ranks in their ranges."""
    result = adjudge.pool_gaps(QRELS, RUNS, measure)
    by_name = {row.run: row for row in result.rows}
    for grade in (0, 1):
        judged = {"1": QRELS["1"] | {"u": grade}}
        values = {name: own[measure] for name, own in adjudge.measure(judged, RUNS, measure).mean().items()}
        for name, row in by_name.items():
            assert row.value - 1e-12 <= values[name] <= row.high + 1e-12
            rank = 1 + sum(other > values[name] for other in values.values())
            assert row.best_rank <= rank <= row.worst_rank


def test_measures_without_a_residual_have_no_band() -> None:
    row = adjudge.pool_gaps(QRELS, RUNS, "ap").rows[0]
    assert np.isnan(row.high)
    assert row.worst_rank == 0
