"""Judgments of a pool with their strata: what was judged and cannot be in the file is said."""

from __future__ import annotations

from pathlib import Path

import pytest

import adjudge
from adjudge.core.errors import DataError
from recorder import Recorder


def test_what_an_export_cannot_hold_is_said(tmp_path: Path) -> None:
    pool = adjudge.pool({"a": {"1": {"x": 3.0, "y": 2.0, "z": 1.0}}}, pooling="depth@2")
    heard = Recorder()
    sample = adjudge.pool_export(
        pool, {"1": {"x": 1, "y": -2, "z": 1, "outside": 1}}, tmp_path / "sample.txt", progress=heard
    )
    assert dict(zip(sample.documents, sample.grades.tolist(), strict=True)) == {"x": 1, "y": 0}
    said = [str(note) for note, _ in heard.notes]
    assert "judgments: 2 are of documents that were not drawn for judging, and are left out" in said
    assert "judgments: 1 grade below -1 became 0, since -1 means not judged here" in said


def test_nothing_is_said_where_nothing_is_lost() -> None:
    pool = adjudge.pool({"a": {"1": {"x": 3.0, "y": 2.0}}}, pooling="depth@2")
    heard = Recorder()
    adjudge.pool_export(pool, {"1": {"x": 1, "y": 0}}, progress=heard)
    assert not heard.notes
    with pytest.raises(DataError, match=r"^1 of 2 pairs is not judged yet"):  # −1 in judgments made elsewhere
        adjudge.pool_export(pool, {"1": {"x": 1, "y": -1}})


def test_judgments_made_for_another_pool_are_no_random_sample() -> None:
    """Those near the top are judged, though the order of the pool is at random; what follows the order is taken."""
    run = {"1": {f"d{place:02}": float(-place) for place in range(40)}}
    pool = adjudge.pool({"a": run}, pooling="uniform@40(share=0.5)")
    drawn = [d for d, taken in zip(pool.documents, pool.drawn.tolist(), strict=True) if taken]
    top = {"1": dict.fromkeys(drawn[:8], 1)}
    with pytest.raises(
        DataError, match=r"of 8 judged pairs of unfinished topics are among those that random_order has"
    ):
        adjudge.pool_export(pool, top)
    assert (adjudge.pool_export(pool, top, as_sample=True).grades >= 0).sum() == 8
    first = {"1": {pair.document: 1 for pair in adjudge.pool_next(pool, count=8)}}
    assert (adjudge.pool_export(pool, first).grades >= 0).sum() == 8
