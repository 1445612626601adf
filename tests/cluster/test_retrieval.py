"""Runs made on a cluster are those of one machine, line by line."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from adjudge.cli import main
from adjudge.cluster.document_tables import Read, read_table
from adjudge.cluster.folders import Folder
from adjudge.cluster.retrieval import MANY, hits_table, retrieve
from adjudge.cluster.session import Cluster
from adjudge.core.errors import DataError
from adjudge.formats.documents import read_documents
from adjudge.formats.runs import read_run, run_bytes
from adjudge.index.building import build
from adjudge.index.index import Index
from adjudge.index.searching import Searcher
from adjudge.weighting.scheme import weightings
from corpus import documents, questions, written
from recorder import Recorder
from spark_cluster import Standalone, java_options

ANALYZER = "words|lower"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(documents(2000), tmp_path_factory.mktemp("retrieval") / "docs")


@pytest.fixture(scope="module")
def index(place: Path, tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build(read_documents(str(place)), tmp_path_factory.mktemp("index") / "index", analyzer=ANALYZER)


@pytest.fixture(scope="module")
def read(spark: Cluster, place: Path) -> Read:
    return read_table(spark, [str(place)])


@pytest.mark.parametrize("name", weightings.names)
def test_runs_are_those_of_one_machine(spark: Cluster, read: Read, index: Index, name: str) -> None:
    weighting, topics = weightings.parse(name), questions(6)
    heard = Recorder(), Recorder()
    local = Searcher(index, weighting).run(topics, 25, "mine", progress=heard[0])
    listening = replace(spark, progress=heard[1])
    made = retrieve(listening, read, topics, weighting, analyzer=ANALYZER, k=25, name="mine")
    assert run_bytes(made, "trec") == run_bytes(local, "trec")
    assert run_bytes(made, "json") == run_bytes(local, "json")
    notes = [[note for note, _ in one.notes] for one in heard]
    assert notes[0] == notes[1]
    assert any("lost" in str(note) for note in notes[0])


@pytest.mark.parametrize(("parts", "at_once"), [(1, MANY), (11, MANY), (14, 8)])
def test_the_number_of_parts_does_not_matter(
    spark: Cluster, read: Read, index: Index, parts: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adjudge.cluster.retrieval.MANY", at_once)  # more parts than that are merged in two steps
    cut = replace(read, frame=read.frame.repartition(parts))
    weighting = weightings.parse("bm25")
    cluster = replace(spark, engine=replace(spark.engine, partitions=parts))
    made = retrieve(cluster, cut, questions(3), weighting, analyzer=ANALYZER, k=40)
    assert run_bytes(made, "trec") == run_bytes(Searcher(index, weighting).run(questions(3), 40), "trec")


def test_a_document_of_fifty_megabytes_among_small_ones(spark: Cluster, tmp_path: Path) -> None:
    texts = documents(60, seed=9)
    page = " ".join(text for text in texts.values() if text)
    huge = (page + " ") * (50_000_000 // (len(page) + 1))
    place = written(texts | {"huge": huge + "rare"}, tmp_path / "docs")
    weighting, topics = weightings.parse("bm25"), {"1": "rare common", "2": "dice"}
    index = build(read_documents(str(place)), tmp_path / "index", analyzer=ANALYZER)
    read = read_table(spark, [str(place)])
    assert read.characters > 50_000_000
    made = retrieve(spark, read, topics, weighting, analyzer=ANALYZER, k=100)
    assert run_bytes(made, "trec") == run_bytes(Searcher(index, weighting).run(topics, 100), "trec")
    assert made.to_dict()["1"]["huge"] > 0


def test_as_a_command_and_where_spark_writes(
    standalone: Standalone,
    spark: Cluster,
    read: Read,
    place: Path,
    index: Index,
    tmp_path: Path,
    command: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    topics = tmp_path / "topics.tsv"
    topics.write_text("".join(f"{topic}\t{text}\n" for topic, text in questions(3).items()))
    options = ["--analyzer", ANALYZER, "-k", "20", "--engine", "spark", "--master", standalone.master]
    options += ["--conf", "spark.dynamicAllocation.enabled=true"]  # no worker comes before there is work, and then one
    options += ["--conf", "spark.dynamicAllocation.maxExecutors=1"]
    options += ["--conf", "spark.executor.memory=600m", "--conf", f"spark.driver.extraJavaOptions={java_options()}"]
    options += ["--conf", f"spark.executor.extraJavaOptions={java_options()}"]
    ran = command("retrieve", place, topics, "-o", tmp_path / "made.run", *options)
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr
    empty = sorted(name for name, text in documents(2000).items() if not text)
    assert ran.stderr.splitlines() == [
        f"note: {len(empty)} documents have no text, first {empty[0]}",
        "note: topic lost: no term of the query is indexed: xyzzy, plugh",
    ]
    assert main(["retrieve", str(index.folder), str(topics), "-o", str(tmp_path / "local.run"), "-k", "20"]) == 0
    assert (tmp_path / "made.run").read_bytes() == (tmp_path / "local.run").read_bytes()
    table, _ = hits_table(spark, read, questions(3), weightings.parse("bm25"), analyzer=ANALYZER, k=20)
    target = f"file://{tmp_path / 'run.parquet'}"
    with spark.work("write"):
        Folder(spark, target).write(table)
    assert read_run(_parquet(tmp_path / "run.parquet")).to_dict() == read_run(tmp_path / "local.run").to_dict()
    with pytest.raises(DataError, match="holds a table already"):
        Folder(spark, target).write(table)


def test_a_command_whose_run_spark_writes(
    spark: Cluster,
    place: Path,
    index: Index,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("adjudge.cli.retrieve.on_cluster", lambda _: nullcontext(spark))
    topics = tmp_path / "topics.tsv"
    topics.write_text("".join(f"{topic}\t{text}\n" for topic, text in questions(3).items()))
    options = ["--analyzer", ANALYZER, "-k", "20", "--engine", "spark"]
    target = f"file://{tmp_path}/made.parquet"
    assert main(["retrieve", str(place), str(topics), "-o", target, *options]) == 0
    assert main(["retrieve", str(index.folder), str(topics), "-o", str(tmp_path / "local.run"), "-k", "20"]) == 0
    table = pl.read_parquet(tmp_path / "made.parquet" / "*.parquet")
    assert table["tag"].unique().to_list() == ["bm25"]
    made = {(topic, document): score for topic, document, score, _ in table.rows()}
    local = read_run(tmp_path / "local.run").to_dict()
    assert made == {(topic, document): score for topic, own in local.items() for document, score in own.items()}
    capsys.readouterr()
    assert main(["retrieve", str(place), str(topics), "-o", target, "-f", "json", *options]) == 2
    assert "Spark writes Parquet there and not json" in capsys.readouterr().err


def test_documents_are_not_overwritten(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    topics, documents = tmp_path / "topics.tsv", tmp_path / "docs.jsonl"
    topics.write_text("1\tdice\n")
    documents.write_text('{"id": "1", "text": "dice"}\n')
    for given, output, why in (
        (documents, documents, "is an input"),
        (tmp_path / "*.jsonl", documents, "is an input"),
        (place, place / "new.run", "output must not be inside the input folder"),
    ):
        assert main(["retrieve", str(given), str(topics), "-o", str(output), "--engine", "spark"]) == 2
        assert why in capsys.readouterr().err


def _parquet(folder: Path) -> dict[str, dict[str, float]]:
    made: dict[str, dict[str, float]] = {}
    for topic, document, score in pl.read_parquet(folder / "*.parquet").rows():
        made.setdefault(topic, {})[document] = score
    return made
