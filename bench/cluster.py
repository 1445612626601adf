"""One machine and Spark with one and two workers, on once, twice and four times the data: what Spark costs and gains.

    python bench/cluster.py                       # fr94.tar.xz from ../shared/data
    python bench/cluster.py --documents FOLDER --files 20
    python bench/cluster.py --sizes 1 2 --workers 1

A standalone cluster is started on the loopback interface, each worker with one core. The four kinds of work are done by
functions, in one process for one machine (which uses all cores) and in one session for Spark; sessions are timed apart.
Data is read from Parquet by both. Seconds on the clock, and the largest memory that any one Python process of the
workers had. Every result is compared with that of one machine. The last lines fit

    seconds = start of a job + seconds of one core for a megabyte · megabytes / workers

by least squares to what was measured with Spark.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from adjudge import measure
from adjudge.cluster.archive import measure_on
from adjudge.cluster.document_tables import read_table
from adjudge.cluster.noise_jobs import degrade_on
from adjudge.cluster.retrieval import retrieve
from adjudge.cluster.session import SparkEngine, cluster
from adjudge.cluster.term_extraction import extract_on
from adjudge.core.document import Document
from adjudge.formats.documents import read_documents
from adjudge.formats.runs import run_bytes, write_run
from adjudge.index.building import DEFAULT, build
from adjudge.index.searching import Searcher
from adjudge.noise.channel import ChannelNoise, channel_of
from adjudge.noise.degrading import degrade
from adjudge.terms.extraction import extract
from adjudge.weighting.scheme import weightings
from retrieval import sampled, unpacked
from spark_cluster import Standalone, standalone_cluster

TOPICS, DEPTH, RUNS = 50, 1000, 40
JOBS = ("terms", "noise", "retrieval", "scoring")
Row = tuple[str, float, str, float, float]


def tables(options: argparse.Namespace, work: Path) -> dict[float, tuple[Path, float]]:
    """{times the data: (Parquet table, its megabytes of text)}."""
    folder = Path(options.documents) if options.documents else unpacked(work)
    made = {}
    for size in options.sizes:
        documents = list(read_documents(sampled(folder, work, round(options.files * size))))
        place = work / f"docs-{size:g}.parquet"
        place.mkdir()
        parts = 8
        for part in range(parts):
            some = documents[part::parts]
            frame = pl.DataFrame({"id": [d.id for d in some], "text": [d.text for d in some]})
            frame.write_parquet(place / f"part-{part}.parquet")
        made[size] = place, sum(len(d.text) for d in documents) / 1e6
    return made


def questions(documents: list[Document]) -> dict[str, str]:
    """Some words from the middle of documents."""
    rng = np.random.default_rng(0)
    chosen = [documents[i] for i in rng.choice(len(documents), TOPICS, replace=False)]
    return {f"q{n}": " ".join(d.text.split()[20:30]) or "register" for n, d in enumerate(chosen)}


@contextmanager
def peak(cluster: Standalone) -> Iterator[list[float]]:
    """The most megabytes that a Python process of the workers has."""
    import psutil

    found, ended = [0.0], threading.Event()

    def look() -> None:
        while not ended.wait(0.1):
            for worker in cluster.workers:
                try:
                    for child in psutil.Process(worker.pid).children(recursive=True):
                        if "python" in child.name():
                            found[0] = max(found[0], child.memory_info().rss / 2**20)
                except psutil.Error:
                    pass

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        ended.set()
        thread.join()


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    made = work()
    return time.perf_counter() - began, made


class Local:
    """The work on this machine, and what came of it."""

    def __init__(self, table: Path, archive: Path, topics: dict[str, str], work: Path) -> None:
        self.documents = read_documents(str(table))
        noise = ChannelNoise(channel_of("ocrad-20"), None, 0)
        self.seconds, self.results = {}, dict[str, Any]()
        jobs: dict[str, Callable[[], Any]] = {
            "terms": lambda: extract(self.documents).terms,
            "noise": lambda: degrade(self.documents, noise, work / "noisy", formats=["jsonl.zst"]),
            "retrieval": lambda: Searcher(build(self.documents, work / "index")).run(topics, DEPTH),
            "scoring": lambda: measure(str(archive / "qrels"), sorted(map(str, archive.glob("*.run")))),
        }
        for name in JOBS:
            self.seconds[name], self.results[name] = timed(jobs[name])


def runs_of(archive: Path, number: int) -> None:
    """An archive of runs with judgments, made by chance."""
    rng = np.random.default_rng(1)
    archive.mkdir()
    judged = {f"t{t}": {f"d{d}": int(rng.random() < 0.1) for d in range(500)} for t in range(TOPICS)}
    lines = [f"{t} 0 {d} {grade}\n" for t, own in judged.items() for d, grade in own.items()]
    (archive / "qrels").write_text("".join(lines))
    for n in range(number):
        write_run(_made_up(rng, f"run{n}"), archive / f"run{n:05}.run")


def _made_up(rng: np.random.Generator, name: str) -> Any:
    from adjudge.core.run import Run

    topics = [f"t{t}" for t in range(TOPICS) for _ in range(DEPTH)]
    documents = [f"d{d}" for _ in range(TOPICS) for d in rng.choice(5000, DEPTH, replace=False)]
    return Run.of_columns(topics, documents, rng.random(len(topics)), name, name=name)


def on_spark(
    place: Standalone, table: Path, archive: Path, topics: dict[str, str], work: Path, local: Local, workers: int
) -> Iterator[tuple[str, float, float]]:
    noise = ChannelNoise(channel_of("ocrad-20"), None, 0)
    settings = (
        ("spark.executor.memory", "1g"),
        ("spark.sql.shuffle.partitions", "4"),
        ("spark.ui.enabled", "false"),
        ("spark.cores.max", str(workers)),
    )
    began = time.perf_counter()
    with cluster(SparkEngine(place.master, settings)) as made:
        yield "session", time.perf_counter() - began, 0.0
        jobs: dict[str, Callable[[], Any]] = {
            "terms": lambda: extract_on(made, read_table(made, [str(table)])).terms(),
            "noise": lambda: degrade_on(made, read_table(made, [str(table)]), noise, str(work / "noisy.parquet")),
            "retrieval": lambda: retrieve(
                made,
                read_table(made, [str(table)]),
                topics,
                weightings.parse("bm25"),
                analyzer=DEFAULT,
                k=DEPTH,
            ),
            "scoring": lambda: measure_on(made, str(archive / "qrels"), [str(archive / "*.run")]),
        }
        for name in JOBS:
            with peak(place) as megabytes:
                seconds, result = timed(jobs[name])
            same(name, result, local, work)
            yield name, seconds, megabytes[0]


def same(name: str, result: Any, local: Local, work: Path) -> None:
    """Stop if a result is not that of one machine."""
    mine = local.results[name]
    if name == "terms":
        fine = list(result) == list(mine)
    elif name == "noise":
        ours = {d.id: d.text for d in read_documents(str(work / "noisy"))}
        fine = ours == {d.id: d.text for d in read_documents(str(work / "noisy.parquet"))}
    elif name == "retrieval":
        fine = run_bytes(result, "trec") == run_bytes(mine, "trec")
    else:
        fine = result == mine
    if not fine:
        raise SystemExit(f"{name}: Spark's result differs from that of one machine")


def fitted(rows: list[Row], name: str) -> str:
    own = [(megabytes / int(where), seconds) for job, megabytes, where, seconds, _ in rows if job == name != "session"]
    share = np.array([[1.0, x] for x, _ in own])
    (start, slope), *_ = np.linalg.lstsq(share, np.array([seconds for _, seconds in own]), rcond=None)
    return f"{name:10} {start:6.1f} s + {slope:.3f} s · MB / workers"


def main(options: argparse.Namespace) -> None:
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="adjudge-bench-cluster-") as folder:
        work = Path(folder)
        found = tables(options, work)
        first = list(read_documents(str(next(iter(found.values()))[0])))
        topics = questions(first)
        print(
            f"{'':10} {'MB':>6} {'local':>8}"
            + "".join(f"  {n} worker{'s'[: n - 1]:1}      memory" for n in options.workers)
        )
        for size, (table, megabytes) in found.items():
            archive = work / f"archive-{size:g}"
            runs_of(archive, round(RUNS * size))
            runs_size = sum(path.stat().st_size for path in archive.glob("*.run")) / 1e6
            local = Local(table, archive, topics, work / f"local-{size:g}")
            lines = dict.fromkeys(("session", *JOBS), "")
            for workers in options.workers:
                with standalone_cluster(work / f"spark-{size:g}-{workers}", workers, "2g", 1) as place:
                    own = work / f"local-{size:g}"
                    for name, seconds, memory in on_spark(place, table, archive, topics, own, local, workers):
                        lines[name] += f"  {seconds:7.1f} s  {memory:6.0f} MB"
                        rows.append(
                            (name, runs_size if name == "scoring" else megabytes, str(workers), seconds, memory)
                        )
                import shutil

                shutil.rmtree(own / "noisy.parquet")
            for name, line in lines.items():
                whole = runs_size if name == "scoring" else megabytes
                here = f"{local.seconds[name]:6.1f} s" if name in local.seconds else ""
                print(f"{name:10} {whole:6.0f} {here:>8}{line}", flush=True)
    for name in JOBS:
        print(fitted(rows, name))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", metavar="FOLDER", help="the Federal Register, unpacked")
    parser.add_argument("--files", type=int, default=16, help="of its 480 files for once the data")
    parser.add_argument("--sizes", type=float, nargs="+", default=[1, 2, 4])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    main(parser.parse_args())
