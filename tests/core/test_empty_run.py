"""A run without a document is a run: it is judged, fused, shown and written; only a file without a line is refused."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from adjudge.comparison.known_item.ranks import known_item
from adjudge.comparison.reliability.pseudo_judgments import pseudo_judgments
from adjudge.core.errors import DataError
from adjudge.core.judged import judge
from adjudge.core.run import Run
from adjudge.evaluation.measuring import measure
from adjudge.experiment.plan import every_measure
from adjudge.formats.qrels import read_qrels
from adjudge.formats.runs import read_run, run_bytes, write_run
from adjudge.systems.parts.fusing import METHODS, fuse

JUDGMENTS = read_qrels({"1": {"a": 1, "b": 0}, "2": {"c": 1}})
FULL = read_run({"1": {"a": 2.0, "x": 1.0}})
EMPTY = Run.empty("none")


def test_it_is_a_value_like_others() -> None:
    assert (EMPTY.name, EMPTY.topics, len(EMPTY), EMPTY.to_dict(), list(EMPTY.rows())) == ("none", (), 0, {}, [])
    assert Run.empty("other") == EMPTY != FULL
    assert EMPTY.topics_with_duplicates() == []
    assert EMPTY.topic_column() == []
    assert repr(EMPTY) == "Run(none: 0 topics, 0 rows)"
    assert "0 rows" in EMPTY._repr_html_()
    assert read_run(EMPTY, name="mine").name == "mine"


@pytest.mark.parametrize("options", [{}, {"depth": 3}, {"judged_only": True}, {"trec_version": 9}])
def test_judged_complete_it_has_every_topic_and_otherwise_none(options: dict[str, int]) -> None:
    complete = judge(EMPTY, JUDGMENTS, complete=True, **options)  # type: ignore[arg-type]
    assert complete.topics == complete.missing == ("1", "2")
    assert complete.num_ret.tolist() == [0, 0]
    assert not len(complete.rank)
    alone = judge(EMPTY, JUDGMENTS, **options)  # type: ignore[arg-type]
    assert alone.topics == ()
    assert alone.missing == ("1", "2")


def test_measured_complete_it_has_what_absence_is_worth() -> None:
    wanted = every_measure()
    stranger = read_run({"9": {"a": 1.0}}, name="stranger")
    scores = measure(JUDGMENTS, [EMPTY, stranger], wanted, complete=True, collection_size=100)
    assert np.isfinite(scores.values).all()
    assert (scores.values[0] == scores.values[1]).all(), "as a run that has nothing for any judged topic"
    assert measure(JUDGMENTS, EMPTY, ["ap", "p@5"], complete=True).mean() == {"none": {"ap": 0.0, "p@5": 0.0}}
    with pytest.raises(DataError, match=r"^none: retrieved nothing"):
        measure(JUDGMENTS, [FULL, EMPTY])


@pytest.mark.parametrize("method", METHODS)
def test_it_adds_nothing_to_a_fusion(method: str) -> None:
    assert fuse([EMPTY, FULL, EMPTY], method) == fuse([FULL, EMPTY], method)
    assert set(fuse([EMPTY, FULL], method).to_dict()["1"]) == {"a", "x"}
    assert fuse([EMPTY, EMPTY], method) == EMPTY


def test_it_misses_every_known_item() -> None:
    item = known_item(JUDGMENTS, [EMPTY, FULL], length=10)
    assert (item.found.tolist(), item.work.tolist()) == ([0, 1], [20, 11])


def test_there_is_nothing_to_pool_of_it() -> None:
    with pytest.raises(DataError, match="none: retrieved nothing"):
        pseudo_judgments([FULL, EMPTY], rng=np.random.default_rng(0))


def test_it_is_written_and_its_file_is_refused(tmp_path: Path) -> None:
    for ending in ("run", "run.gz", "json", "parquet"):
        path = tmp_path / f"none.{ending}"
        write_run(EMPTY, path)
        with pytest.raises(DataError, match=f"none.{ending}: empty: "):
            read_run(path)
    columns = pl.read_parquet(io.BytesIO(run_bytes(EMPTY, "parquet")))
    assert columns.schema == pl.read_parquet(io.BytesIO(run_bytes(FULL, "parquet"))).schema
    sources: list[Any] = [{}, {"1": {}}, pl.DataFrame({"topic": [], "document": [], "score": []})]
    for nothing in sources:
        with pytest.raises(DataError, match="empty: a run has at least one line"):
            read_run(nothing)
