"""A real standalone cluster on the loopback interface: a master and two workers, each a Java process of its own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

LIGHT = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""For Java processes that live for a minute: compiling well takes them longer than running badly."""
READY = 90.0
"""Seconds that a master or worker has to come up."""


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
    environment["SPARK_DAEMON_JAVA_OPTS"] = LIGHT
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
