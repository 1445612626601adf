"""How far Spark is, as a listener hears it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from adjudge.cluster import watching
from adjudge.cluster.session import Cluster
from adjudge.core.errors import DataError
from recorder import Recorder


def test_stages_are_parts_of_a_task(spark: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "EVERY", 0.02)

    def slowly(batches: Iterator[Any]) -> Iterator[Any]:  # in here, for the workers have no tests
        for batch in batches:
            time.sleep(0.2)
            yield batch

    heard = Recorder()
    watched = replace(spark, progress=heard)
    with watched.work("count"):
        assert spark.spark.range(0, 12, 1, 12).mapInArrow(slowly, "id long").count() == 12
    assert heard.kinds()[0] == "count"
    stages = [task for task in heard.begun if task.kind == "stages"]
    assert stages
    assert all(task.within is heard.begun[0] and task.unit == "tasks" for task in stages)
    assert max(task.total for task in stages) >= 12
    assert any(done for task in stages for done, _ in heard.reached[task])
    assert not any(heard.ended.values())


def test_what_fails_in_spark_has_failed(spark: Cluster) -> None:
    heard = Recorder()
    with pytest.raises(DataError), replace(spark, progress=heard).work("count"):
        spark.spark.sql("select nothing from nowhere")
    assert heard.ended[heard.only("count")]
