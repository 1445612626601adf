"""Which Spark is asked, and a session with it that is tried out before any work.

Errors are reported within seconds: no Java, no master, a master without workers, workers with another Python or
without adjudge. Otherwise Spark would wait for minutes or say it in a hundred lines.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import DataError, MissingExtraError, SpecError
from ..core.note import Note
from ..core.progress import SILENT, Listener
from .silence import redirect_output, silent
from .spark_errors import last_complaint, translate
from .watching import watch_stages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


LOCAL = re.compile(r"local(\[.*\]|-cluster\[.*\])?")
STANDALONE = "spark://"
REACH = 5.0
"""Seconds in which a master must answer."""
PATIENCE = 60.0
"""Seconds that workers have to offer themselves."""
PYTHON = ("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON")
DYNAMIC = "spark.dynamicAllocation.enabled"
PANDAS = "PySpark does not yet fully support pandas"
"""A warning about parts of PySpark that are not used here."""
DEFAULTS = {
    "spark.app.name": "adjudge",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "2000",
}


@dataclass(frozen=True)
class SparkEngine:
    """A master and the settings of Spark: ``Engine("spark://host:7077", (("spark.executor.memory", "8g"),))``."""

    master: str = "local[*]"
    conf: tuple[tuple[str, str], ...] = ()
    partitions: int | None = None
    """Into so many parts the documents are cut; None leaves it to Spark and the files."""
    patience: float = PATIENCE

    def __post_init__(self) -> None:
        if self.partitions is not None and self.partitions < 1:
            raise SpecError(f"the number of partitions must be 1 or more, not {self.partitions}")
        if not self.master:
            raise SpecError("the master has no name: spark://HOST:PORT, yarn, k8s://… or local[N]")
        for name, _ in self.conf:
            if not name.startswith("spark."):
                raise SpecError(f"a setting of Spark is named spark.…, not {name!r}")
            if name == "spark.master":
                raise SpecError("spark.master cannot be set here: give --master")

    @property
    def alone(self) -> bool:
        """Whether Spark's workers are threads or children of this process."""
        return LOCAL.fullmatch(self.master) is not None

    def hosts(self) -> list[tuple[str, int]]:
        """The hosts of a standalone master, with their ports."""
        hosts = []
        for place in self.master.removeprefix(STANDALONE).split(","):
            host, _, port = place.rpartition(":")
            if not host or not port.isdigit() or not 0 < int(port) < 1 << 16:
                raise SpecError(f"{self.master}: a standalone master is spark://HOST:PORT")
            hosts.append((host.strip("[]"), int(port)))
        return hosts


@dataclass(frozen=True)
class Cluster:
    """A session that was tried out."""

    spark: SparkSession
    engine: SparkEngine
    log: Path
    """Where what Spark says goes."""
    progress: Listener = SILENT
    notes: tuple[Note, ...] = ()

    @contextmanager
    def work(self, kind: str) -> Iterator[None]:
        """A task for Spark: how far it is can be heard, and what fails becomes one line."""
        with translate_failures(self.log), watch_stages(self.spark, kind, self.progress):
            yield

    def spread(self, table: DataFrame) -> DataFrame:
        """A table in as many parts as were asked for."""
        return table if self.engine.partitions is None else table.repartition(self.engine.partitions)


@contextmanager
def quiet() -> Iterator[None]:
    """Without PySpark's word on pandas, which it has wherever a function of Python is put into a plan."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", PANDAS)
        yield


@contextmanager
def translate_failures(log: Path | None = None) -> Iterator[None]:
    """What goes wrong in Spark as an error of ours, one line."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        with quiet():
            yield
    except (PySparkException, Py4JError) as error:
        raise translate(error, log) from None
    except ConnectionError:
        raise DataError(f"Spark has ended: {last_complaint(log)}") from None


@contextmanager
def cluster(engine: SparkEngine, progress: Listener = SILENT) -> Iterator[Cluster]:
    """A session, closed at the end; only one at a time in a process."""
    _require(engine)
    from pyspark import SparkContext

    if SparkContext._active_spark_context is not None:
        raise SpecError("a Spark session is open in this process already: end it first")
    with tempfile.TemporaryDirectory(prefix="adjudge-spark-") as folder, silent():
        log = Path(folder, "log")
        session = None
        try:
            with progress.work("start_spark"), translate_failures(log):
                session = _session(engine, log)
                _wait(session, engine)
                notes = _probe(session)
            yield Cluster(session, engine, log, progress, tuple(notes))
        finally:
            _end(session)


def _require(engine: SparkEngine) -> None:
    try:
        import pandas  # noqa: F401
        import pyarrow  # noqa: F401
        import pyspark  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(f"the engine spark needs {error.name}: pip install 'adjudge[spark]'") from None
    if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        raise MissingExtraError("the engine spark needs Java 17 or later: apt-get install default-jre-headless")
    if engine.master.startswith(STANDALONE):
        faults = [fault for host, port in engine.hosts() if (fault := _unreachable(host, port))]
        if len(faults) == len(engine.hosts()):
            raise DataError(f"{engine.master}: no master answers: {faults[0]}")


def _unreachable(host: str, port: int) -> str:
    try:
        with socket.create_connection((host, port), REACH):
            return ""
    except OSError as error:
        return str(error.strerror or error).lower()
    except UnicodeError:
        return f"{host!r} is not a valid host name"


def _session(engine: SparkEngine, log: Path) -> SparkSession:
    from pyspark.sql import SparkSession

    for name in PYTHON:  # workers take the interpreter of the driver by default
        os.environ.setdefault(name, sys.executable)
    conf = dict(DEFAULTS)
    if engine.alone or (engine.master.startswith(STANDALONE) and _loopback(engine)):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        conf |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    builder = SparkSession.builder.master(engine.master)
    for name, value in (conf | dict(engine.conf)).items():
        builder = builder.config(name, value)
    with redirect_output(log):
        session: SparkSession = builder.getOrCreate()
    return session


def _loopback(engine: SparkEngine) -> bool:
    return all(host == "localhost" or host.startswith("127.") or host == "::1" for host, _ in engine.hosts())


def _wait(session: SparkSession, engine: SparkEngine) -> None:
    """Until a worker offers itself: a job that is sent before waits without a word."""
    if engine.alone:
        return
    status: Any = session.sparkContext._jsc.sc()
    if session.sparkContext.getConf().get(DYNAMIC, "false") == "true":  # none comes before there is work
        status.requestExecutors(1)
    until = time.monotonic() + engine.patience
    while status.getExecutorMemoryStatus().size() < 2:  # the driver is one of them
        if time.monotonic() > until:
            memory = session.conf.get("spark.executor.memory", "1g")
            raise DataError(
                f"{engine.master}: no worker after {engine.patience:.0f} s: is one running that has {memory} of memory?"
            )
        time.sleep(0.1)


def _probe(session: SparkSession) -> list[Note]:
    """What the workers are like, tried out by a small job."""
    from .. import __version__
    from ..core.kernel import compiled

    tasks = max(2, session.sparkContext.defaultParallelism)
    table = session.range(0, tasks, 1, tasks)
    versions = {
        (row.version, row.compiled) for row in table.mapInArrow(_about, "version string, compiled boolean").collect()
    }
    others = sorted({version for version, _ in versions} - {__version__})
    if others:
        raise DataError(f"the workers have adjudge {', '.join(others)}, and here it is {__version__}")
    if compiled is not None and not all(there for _, there in versions):
        return [Note.of("kernel_not_compiled")]
    return []


def _about(batches: Iterator[Any]) -> Iterator[Any]:
    import pyarrow as pa

    from .. import __version__
    from ..core.kernel import compiled

    for _ in batches:
        yield pa.RecordBatch.from_pydict({"version": [__version__], "compiled": [compiled is not None]})


def _end(session: SparkSession | None) -> None:
    """Stop the session, if it came so far, and Java with it: the next one may have other settings."""
    from pyspark import SparkContext

    gateway: Any = SparkContext._gateway
    with suppress(Exception):  # what is broken is gone anyhow
        if session is not None:
            session.stop()
    if gateway is not None:
        gateway.shutdown()
        process = getattr(gateway, "proc", None)
        if process is not None:
            process.stdin.close()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
        SparkContext._gateway = SparkContext._jvm = None


def settings_of(pairs: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Settings of Spark from ``NAME=VALUE``."""
    settings = []
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name:
            raise SpecError(f"a setting of Spark is NAME=VALUE, not {pair!r}")
        settings.append((name, value))
    return tuple(settings)
