"""A worker loses its power in the middle of each of the four jobs: its parts are done again, to the same result."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import adjudge
from adjudge.cluster.archive import measure_on
from adjudge.cluster.document_tables import Read, read_table
from adjudge.cluster.noise_jobs import degrade_on
from adjudge.cluster.retrieval import retrieve
from adjudge.cluster.session import Cluster
from adjudge.cluster.term_extraction import extract_on
from adjudge.formats.documents import read_documents
from adjudge.formats.runs import run_bytes
from adjudge.index.building import DEFAULT, build
from adjudge.index.searching import Searcher
from adjudge.noise.degrading import degrade
from adjudge.noise.random_noise import RandomNoise
from adjudge.terms.extraction import TermSettings, extract
from adjudge.terms.term_files import write_terms
from adjudge.weighting.scheme import weightings
from corpus import documents, questions, written
from spark_cluster import Standalone

PARTS = 24


@pytest.fixture(autouse=True)
def two_workers(standalone: Standalone) -> None:
    """Another worker for the one that the test before has killed; nobody needs one after the last test."""
    while len(standalone.workers) < 2:
        standalone.add_worker()


@contextmanager
def one_worker_killed(standalone: Standalone, spark: Cluster) -> Iterator[None]:
    """Kill a worker as soon as some of the parts of a job are done."""
    seen: list[int] = []
    until, over = time.monotonic() + 120, threading.Event()

    def kill() -> None:
        tracker = spark.spark.sparkContext.statusTracker()
        while time.monotonic() < until and not over.is_set():
            stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
            done = sum(stage.numCompletedTasks for stage in stages if stage and stage.numTasks >= PARTS)
            if 2 <= done < PARTS - 2:
                seen.append(done)
                standalone.kill(standalone.workers.pop(0))
                return
            time.sleep(0.01)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield
    finally:
        over.set()
        killer.join()
    assert seen, "the job was over before a worker could be killed"


def in_parts(spark: Cluster, place: Path) -> Read:
    table = read_table(spark, [str(place)])
    return replace(table, frame=table.frame.repartition(PARTS))


def test_retrieval(standalone: Standalone, spark: Cluster, tmp_path: Path) -> None:
    place = written(documents(3000, seed=4), tmp_path / "docs")
    weighting, topics = weightings.parse("bm25"), questions(4)
    local = Searcher(build(read_documents(str(place)), tmp_path / "index"), weighting).run(topics, 50)
    read = in_parts(spark, place)
    with one_worker_killed(standalone, spark):
        remote = retrieve(spark, read, topics, weighting, analyzer=DEFAULT, k=50)
    assert run_bytes(remote, "trec") == run_bytes(local, "trec")


def test_terms(standalone: Standalone, spark: Cluster, tmp_path: Path) -> None:
    place = written(documents(900, seed=5, length=80), tmp_path / "docs")
    settings = TermSettings(min_frequency=2)
    local = extract(read_documents(str(place)), settings)
    read = in_parts(spark, place)
    with one_worker_killed(standalone, spark):
        found = extract_on(spark, read, settings)
        write_terms(found.terms(), tmp_path / "spark.csv")
    write_terms(local.terms, tmp_path / "local.csv")
    assert len(local.terms) > 20
    assert (tmp_path / "spark.csv").read_bytes() == (tmp_path / "local.csv").read_bytes()


def test_noise(standalone: Standalone, spark: Cluster, tmp_path: Path) -> None:
    place = written(documents(3000, seed=6, length=200), tmp_path / "docs")
    noise = RandomNoise(0.1, seed=3)
    degrade(read_documents(str(place)), noise, tmp_path / "local")
    read = in_parts(spark, place)
    with one_worker_killed(standalone, spark):
        degrade_on(spark, read, noise, str(tmp_path / "spark"))
    texts = [{one.id: one.text for one in read_documents(str(tmp_path / name))} for name in ("local", "spark")]
    assert len(texts[0]) == 3000
    assert texts[0] == texts[1]


def test_measuring(standalone: Standalone, spark: Cluster, tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    (tmp_path / "qrels").write_text("".join(f"{t} 0 d{d} {d % 3}\n" for t in range(20) for d in range(0, 900, 7)))
    (tmp_path / "runs").mkdir()
    for number in range(2 * PARTS):
        rows = [(t, d, rng.random()) for t in range(20) for d in rng.permutation(1000)[:300].tolist()]
        lines = "".join(f"{t} Q0 d{d} 1 {score} r{number}\n" for t, d, score in rows)
        (tmp_path / "runs" / f"{number:02}.run").write_text(lines)
    runs, measures = [str(path) for path in sorted((tmp_path / "runs").iterdir())], ["ap", "ndcg@10", "rr"]
    local = adjudge.measure(str(tmp_path / "qrels"), runs, measures)
    cluster = replace(spark, engine=replace(spark.engine, partitions=PARTS))
    with one_worker_killed(standalone, spark):
        remote = measure_on(cluster, str(tmp_path / "qrels"), [str(tmp_path / "runs")], measures)
    assert remote.systems == local.systems
    for system in local.systems:
        assert remote.per_topic(system) == local.per_topic(system)
