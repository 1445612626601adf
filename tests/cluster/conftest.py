"""Spark for tests: a cluster and a session with it that all tests share, and the command line beside it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from adjudge.cli import main
from adjudge.cluster.session import Cluster, SparkEngine, cluster
from adjudge.core.progress import SILENT, Listener
from spark_cluster import Standalone, java_options, make_class_archive, standalone_cluster, unavailable

WHOLE = 60
"""Tests of the cluster that are all of them, or nearly."""


@pytest.fixture(scope="session")
def spark_there(request: pytest.FixtureRequest) -> None:
    if why := unavailable():
        pytest.skip(why)
    chosen = sum(item.get_closest_marker("cluster") is not None for item in request.session.items)
    make_class_archive(whole=chosen >= WHOLE)


@pytest.fixture(scope="session")
def standalone(spark_there: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standalone]:
    """A master and two workers."""
    with standalone_cluster(tmp_path_factory.mktemp("spark")) as made:
        yield made


@pytest.fixture(scope="session")
def settings(spark_there: None) -> tuple[tuple[str, str], ...]:
    """Small executors, one on each worker, few tasks after a shuffle; slow tasks are done twice; commands get cores.

    What Spark does between our functions is interpreted: to compile each of many small jobs takes longer than to do it.
    Commands with a session on this cluster leave that to Spark.
    """
    return (
        ("spark.executor.memory", "600m"),
        ("spark.executor.cores", "1"),
        ("spark.cores.max", "2"),
        ("spark.sql.shuffle.partitions", "4"),
        ("spark.sql.codegen.wholeStage", "false"),
        ("spark.sql.codegen.factoryMode", "NO_CODEGEN"),
        ("spark.ui.enabled", "false"),
        ("spark.speculation", "true"),
        ("spark.speculation.quantile", "0.5"),
        ("spark.speculation.multiplier", "1.5"),
        ("spark.speculation.minTaskRuntime", "2s"),
        ("spark.driver.extraJavaOptions", java_options()),
        ("spark.executor.extraJavaOptions", java_options()),
    )


@pytest.fixture(scope="session")
def spark(standalone: Standalone, settings: tuple[tuple[str, str], ...]) -> Iterator[Cluster]:
    """One session for all tests that do not need one of their own: starting one takes ten seconds."""
    with cluster(SparkEngine(standalone.master, settings, partitions=5)) as made:
        yield made


@pytest.fixture(scope="session")
def command() -> Callable[..., subprocess.CompletedProcess[str]]:
    """``adjudge`` as a process of its own, which may have a session of its own."""

    def run(*words: object, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-m", "adjudge", *map(str, words)]
        given = {k: v for k, v in os.environ.items() if not k.startswith(("SPARK_", "PYSPARK_"))}
        given["SPARK_SUBMIT_OPTS"] = f"{java_options()} -Dspark.ui.enabled=false"
        return subprocess.run(
            line, capture_output=True, text=True, timeout=300, check=False, env=given | (environment or {})
        )

    return run


@pytest.fixture
def command_here(
    spark: Cluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """``adjudge`` in this process and in the session that all tests share: one of its own takes twenty seconds."""

    @contextmanager
    def shared(engine: SparkEngine, progress: Listener = SILENT) -> Iterator[Cluster]:
        yield replace(spark, engine=replace(spark.engine, partitions=engine.partitions), progress=progress)

    monkeypatch.setattr("adjudge.cluster.session.cluster", shared)

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        capsys.readouterr()
        code = main([str(word) for word in words])
        printed = capsys.readouterr()
        return subprocess.CompletedProcess([str(word) for word in words], code, printed.out, printed.err)

    return run
