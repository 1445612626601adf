"""A real standalone cluster on the loopback interface: a master and two workers, each a Java process of its own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

LIGHT = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
"""For Java processes that live for a minute: compiling well takes them longer than running badly.

Nor do they verify the classes of Spark, which were compiled by its makers: that is a third of what a start takes, and
most of what an archive of classes takes to make.
"""
BUILD = Path(__file__).resolve().parents[1] / "build"
LOADING = """
import sys, tempfile
from pyspark import SparkContext
from pyspark.sql import SparkSession

builder = SparkSession.builder.master("local[1]")
for setting in sys.argv[1:]:
    builder = builder.config(*setting.split("=", 1))
spark = builder.getOrCreate()
gateway = SparkContext._gateway
table = spark.range(4).mapInArrow(lambda batches: batches, "id long").repartition(2)
table.collect()
with tempfile.TemporaryDirectory() as folder:
    table.write.parquet(folder + "/table")
    spark.read.parquet(folder + "/table").groupBy("id").count().orderBy("id").collect()
spark.stop()
gateway.shutdown()
gateway.proc.stdin.close()
gateway.proc.wait()
"""
"""A small job, in the course of which Java loads most classes of Spark that tests need, and ends as it should."""
READY = 90.0
"""Seconds that a master or worker has to come up."""


def class_archive() -> Path:
    """Where the classes of Spark lie as Java has them in memory; another Java or Spark has another place."""
    import pyspark

    java = Path(shutil.which("java") or "java").resolve()
    about = f"{java} {java.stat().st_mtime_ns} {pyspark.__file__} {pyspark.__version__} {LIGHT}"
    return BUILD / f"spark-classes-{zlib.crc32(about.encode()):08x}.jsa"


def java_options() -> str:
    """For each Java process of a test. With an archive of classes it takes half the processor time to start.

    An archive that does not fit is passed over by Java, and without a word, as tests compare what is printed.
    """
    if unavailable():
        return LIGHT
    made = class_archive()
    return f"{LIGHT} -XX:SharedArchiveFile={made} -Xlog:disable" if made.exists() else LIGHT


def make_class_archive(whole: bool) -> None:
    """Make the archive, once for all runs of the tests in a checkout: at once if this is the whole of them.

    It takes fifty seconds of a processor, and saves eighty in all tests of the cluster. For some of them it is not made
    before the second run. Tests of a Java that cannot do so go on without it.
    """
    made = class_archive()
    if made.exists() or " " in str(made):  # options of Java end at a blank
        return
    ran = made.with_suffix(".ran")
    try:
        made.parent.mkdir(exist_ok=True)
        if not whole and not ran.exists():
            ran.touch()
            return
        for old in made.parent.glob("spark-classes-*.jsa"):
            old.unlink(missing_ok=True)
    except OSError:
        return
    begun = made.with_suffix(f".{os.getpid()}")
    given = {k: v for k, v in os.environ.items() if not k.startswith(("SPARK_", "PYSPARK_"))}
    given |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    settings = ["spark.driver.host=127.0.0.1", "spark.driver.bindAddress=127.0.0.1", "spark.ui.enabled=false"]
    settings.append(f"spark.driver.extraJavaOptions={LIGHT} -Xlog:disable -XX:ArchiveClassesAtExit={begun}")
    line = [sys.executable, "-W", "ignore", "-c", LOADING, *settings]
    with suppress(subprocess.TimeoutExpired):
        done = subprocess.run(line, env=given, capture_output=True, check=False, timeout=300)
        if done.returncode == 0 and begun.exists():
            begun.replace(made)


@dataclass
class Standalone:
    """The processes of a cluster."""

    master: str
    folder: Path
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def add_worker(self, memory: str = "1500m", cores: int = 2) -> subprocess.Popen[bytes]:
        """One more worker, whose work lies in a folder of its own."""
        number = len(self.processes)
        options = ["--host", "127.0.0.1", "--webui-port", "0", "-c", str(cores), "-m", memory]
        options += ["-d", str(self.folder / f"work-{number}"), self.master]
        process, log = started(self.folder, f"worker-{number}", "org.apache.spark.deploy.worker.Worker", options)
        self.processes.append(process)
        self.workers.append(process)
        waited(process, log, "Successfully registered with master")
        return process

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """End a worker and its executors at once, as if its machine had lost power."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def end(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def started(folder: Path, name: str, java_class: str, options: list[str]) -> tuple[subprocess.Popen[bytes], Path]:
    import pyspark

    log = folder / f"{name}.log"
    spark = Path(pyspark.__file__).parent
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("SPARK_", "PYSPARK_"))}
    environment |= {"SPARK_HOME": str(spark), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "256m"}
    environment["SPARK_DAEMON_JAVA_OPTS"] = java_options()
    with log.open("wb") as out:
        process = subprocess.Popen(
            [str(spark / "bin" / "spark-class"), java_class, *options],
            stdout=out,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
    return process, log


def waited(process: subprocess.Popen[bytes], log: Path, sign: str) -> str:
    until = time.monotonic() + READY
    while sign not in (text := log.read_text("utf-8", "replace")):
        assert process.poll() is None, text[-2000:]
        assert time.monotonic() < until, text[-2000:]
        time.sleep(0.1)
    return text


def unavailable() -> str:
    try:
        import pyarrow  # noqa: F401
        import pyspark  # noqa: F401
    except ImportError as error:
        return f"no {error.name}: pip install 'adjudge[spark]'"
    return "" if shutil.which("java") else "no Java: apt-get install default-jre-headless"


@contextmanager
def standalone_cluster(folder: Path, workers: int = 2, memory: str = "1500m", cores: int = 2) -> Iterator[Standalone]:
    """A master and workers, ended afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    options = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
    process, log = started(folder, "master", "org.apache.spark.deploy.master.Master", options)
    made = Standalone("", folder, [process])
    try:
        found = re.search(r"Starting Spark master at (spark://\S+)", waited(process, log, "elected leader"))
        if found is None:
            raise RuntimeError("a master that does not say where it is")
        made.master = found[1]
        for _ in range(workers):
            made.add_worker(memory, cores)
        yield made
    finally:
        made.end()
