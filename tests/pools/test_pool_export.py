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
    assert "judgments: 1 grades below -1 became 0, since -1 means not judged here" in said


def test_nothing_is_said_where_nothing_is_lost() -> None:
    pool = adjudge.pool({"a": {"1": {"x": 3.0, "y": 2.0}}}, pooling="depth@2")
    heard = Recorder()
    adjudge.pool_export(pool, {"1": {"x": 1, "y": 0}}, progress=heard)
    assert not heard.notes
    with pytest.raises(DataError, match=r"^1 of 2 pairs is not judged yet"):  # −1 in judgments made elsewhere
        adjudge.pool_export(pool, {"1": {"x": 1, "y": -1}})
