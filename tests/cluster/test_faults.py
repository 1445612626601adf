"""What goes wrong with a cluster: told in one line within seconds, or survived."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudge.cli import main
from adjudge.cli._engine import _terminable
from adjudge.cluster.session import Cluster, SparkEngine, settings_of
from adjudge.cluster.spark_errors import translate
from adjudge.core.errors import ConflictError, DataError, SpecError
from spark_cluster import Standalone, java_options

Command = Callable[..., subprocess.CompletedProcess[str]]


def test_a_master_that_is_not_there(spark_there: None, tmp_path: Path, command: Command) -> None:
    (tmp_path / "d.jsonl").write_text('{"id": "1", "text": "a"}\n')
    (tmp_path / "t.tsv").write_text("q\ta\n")
    began = time.monotonic()
    ran = command(
        "retrieve", tmp_path / "d.jsonl", tmp_path / "t.tsv", "--engine", "spark", "--master", "spark://127.0.0.1:9"
    )
    assert ran.returncode == 2
    assert ran.stderr == "spark://127.0.0.1:9: no master answers: connection refused\n"
    assert time.monotonic() - began < 60


def test_masters_and_settings_that_cannot_be() -> None:
    with pytest.raises(SpecError, match="spark://HOST:PORT"):
        SparkEngine("spark://nowhere").hosts()
    with pytest.raises(SpecError, match=r"named spark\.…"):
        SparkEngine(conf=(("memory", "1g"),))
    with pytest.raises(SpecError, match="1 or more, not 0"):
        SparkEngine(partitions=0)
    with pytest.raises(SpecError, match="NAME=VALUE"):
        settings_of(["spark.executor.memory"])
    with pytest.raises(SpecError, match="the master has no name"):
        SparkEngine("")
    with pytest.raises(SpecError, match="give --master"):
        SparkEngine(conf=(("spark.master", "yarn"),))
    assert settings_of(["spark.a=b=c"]) == (("spark.a", "b=c"),)


def test_an_engine_option_without_the_engine(command: Command, tmp_path: Path) -> None:
    ran = command("retrieve", tmp_path, tmp_path, "--master", "spark://127.0.0.1:9")
    assert (ran.returncode, ran.stderr) == (2, "--master needs --engine spark\n")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("x\nadjudge.core.errors.ConflictError: document 1 occurs twice\n", "document 1 occurs twice"),
        ("java.lang.OutOfMemoryError: Java heap space", "a worker ran out of memory"),
        ("Python worker exited unexpectedly (crashed)", "most likely because memory ran out"),
        ("ModuleNotFoundError: No module named 'adjudge'", "the workers' Python has no adjudge"),
        ("[PYTHON_VERSION_MISMATCH] something", "the workers have another Python than the driver"),
        ('java.io.IOException: Cannot run program "/x/python": error=2', "the workers have no /x/python"),
        ("The length of file:/x is 3000000000, which exceeds the max length allowed: 2147483647.", "/x: too large"),
        ("Cannot read the port of pyspark.daemon", "the workers' Python could not be started"),
        ("Path does not exist: file:/a b/c.d. SQLSTATE: 42K03", "/a b/c.d: no such file"),
        ("URISyntaxException: Relative path in absolute URI: .a:b.crc", ".a:b.crc: Spark reads no names with a colon"),
        ("something else\nand more", "Spark failed: something else"),
    ],
)
def test_what_spark_says_is_one_line(said: str, told: str) -> None:
    made = translate(RuntimeError(said))
    assert told in str(made)
    assert isinstance(made, ConflictError) == ("Conflict" in said)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            'WARN x\nException in thread "main" org.apache.spark.SparkException: Master must be\n\tat x',
            "Master must be",
        ),
        ("Error: Invalid maximum heap size: -Xmxlots\nError: no VM", "Error: Invalid maximum heap size: -Xmxlots"),
        ("", "it does not say why"),
    ],
)
def test_why_spark_could_not_be_started(tmp_path: Path, said: str, told: str) -> None:
    (tmp_path / "log").write_text(said)
    made = translate(RuntimeError("[JAVA_GATEWAY_EXITED] Java gateway process exited"), tmp_path / "log")
    assert str(made) == f"Spark could not be started: {told}"


def test_a_master_whose_name_cannot_be(spark_there: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.tsv").write_text("q\ta\n")
    given = ["retrieve", str(tmp_path / "t.tsv"), str(tmp_path / "t.tsv"), "--engine", "spark", "--master"]
    assert main([*given, "spark://a..b:7077"]) == 2
    assert capsys.readouterr().err == "spark://a..b:7077: no master answers: 'a..b' is not a valid host name\n"
    assert main([*given, ""]) == 2
    assert "the master has no name" in capsys.readouterr().err


def test_a_command_that_is_told_to_end_cleans_up() -> None:
    cleaned = []

    def told() -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
            time.sleep(5)
        finally:
            cleaned.append(True)

    with pytest.raises(SystemExit) as ended, _terminable():
        told()
    assert (ended.value.code, cleaned) == (128 + signal.SIGTERM, [True])
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    with pytest.raises(KeyboardInterrupt), _terminable():
        raise KeyboardInterrupt


def test_workers_with_another_python(standalone: Standalone, tmp_path: Path, command: Command) -> None:
    """The interpreter of the workers says that it is another version: a script that changes what it tells."""
    other = tmp_path / "python"
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(
        "import collections, sys\n"
        "kind = collections.namedtuple('version_info', 'major minor micro releaselevel serial')\n"
        "sys.version_info = kind(3, 10, 1, 'final', 0)\n"
    )
    other.write_text(f'#!/bin/sh\nPYTHONPATH="{site}:$PYTHONPATH" exec {sys.executable} "$@"\n')
    other.chmod(0o755)
    (tmp_path / "d.jsonl").write_text('{"id": "1", "text": "a"}\n')
    (tmp_path / "t.tsv").write_text("q\ta\n")
    ran = command(
        *("retrieve", tmp_path / "d.jsonl", tmp_path / "t.tsv", "--engine", "spark", "--master", standalone.master),
        *("--conf", "spark.executor.memory=600m", "--conf", f"spark.driver.extraJavaOptions={java_options()}"),
        *("--conf", f"spark.executor.extraJavaOptions={java_options()}", "--conf", "spark.cores.max=1"),
        environment={"PYSPARK_PYTHON": str(other), "PYSPARK_DRIVER_PYTHON": sys.executable},
    )
    assert ran.returncode == 2, ran.stderr
    assert "the workers have Python 3.10 and the driver has 3.1" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_workers_that_run_out_of_memory(spark: Cluster) -> None:
    def hungry(batches: Iterator[Any]) -> Iterator[Any]:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, resource.getrlimit(resource.RLIMIT_AS)[1]))
        for batch in batches:
            held = bytearray(8 << 30)
            yield batch.slice(0, len(held) % 1)

    def dying(batches: Iterator[Any]) -> Iterator[Any]:
        import os
        import signal

        for _ in batches:
            os.kill(os.getpid(), signal.SIGKILL)
        yield from ()

    with pytest.raises(DataError, match=r"^a worker ran out of memory: give more partitions"), spark.work("eating"):
        spark.spark.range(4).mapInArrow(hungry, "id long").collect()
    with pytest.raises(DataError, match="most likely because memory ran out"), spark.work("dying"):
        spark.spark.range(4).mapInArrow(dying, "id long").collect()
    assert spark.spark.range(4).count() == 4
