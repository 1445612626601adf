"""An archive of runs is measured on Spark as on one machine, to the last bit."""

from __future__ import annotations

import gzip
import os
import random
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import polars as pl
import pytest

import adjudge
from adjudge.cli import main
from adjudge.cluster.archive import measure_on, write_scores_on
from adjudge.cluster.folders import Folder
from adjudge.cluster.session import Cluster
from adjudge.core.errors import AdjudgeError, ConflictError, DataError, SpecError
from adjudge.core.judging import Judging
from adjudge.core.scores import Scores
from adjudge.formats.scores import read_scores

MEASURES = ["ap", "ndcg@10", "p@5", "rr", "bpref", "gm_map", "num_ret"]


@pytest.fixture(scope="module")
def qrels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draw = random.Random(1)
    path = tmp_path_factory.mktemp("qrels") / "qrels.txt"
    lines = [f"t{t} 0 d{d} {draw.randrange(-1, 3)}\n" for t in range(12) for d in range(0, 40, 2)]
    lines += ["t99 0 d1 0\n", lines[3]]
    path.write_text("".join(lines))
    return path


def run(seed: int, tag: str, *, topics: int = 12, stranger: bool = True) -> list[tuple[str, str, float]]:
    draw = random.Random(seed)
    wanted = [f"t{t}" for t in range(topics) if draw.random() < 0.8] + (["z1"] if stranger else [])
    draw.shuffle(wanted)
    return [
        (topic, f"d{d}", round(draw.random() * 9, draw.randrange(1, 12)))
        for topic in wanted
        for d in draw.sample(range(60), 25)
    ]


def lines(rows: list[tuple[str, str, float]], tag: str) -> bytes:
    return "".join(f"{topic} Q0 {document} 0 {score!r} {tag}\n" for topic, document, score in rows).encode()


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of all kinds; two have the same tag, and go by their paths."""
    folder = tmp_path_factory.mktemp("archive")
    for number in range(20):
        inner = folder / f"year {number % 3}"
        inner.mkdir(exist_ok=True)
        (inner / f"run[{number:02d}].run").write_bytes(lines(run(number, "x"), f"system{number % 18}"))
    (folder / "year 0" / "packed.gz").write_bytes(gzip.compress(lines(run(50, "x"), "packed")))
    rows = run(51, "x")
    frame = pl.DataFrame(rows, schema=["qid", "docno", "score"], orient="row")
    frame.write_parquet(folder / "year 1" / "frame.parquet")
    frame.with_columns(tag=pl.lit("by csv")).write_csv(folder / "year 2" / "frame.csv")
    return folder


def in_order(folder: Path) -> list[str]:
    found = [str(path) for path in folder.rglob("*") if path.is_file()]
    return sorted(found, key=lambda path: path.split(os.sep))


def same(one: Scores, other: Scores) -> None:
    assert one.systems == other.systems
    assert one.topics == other.topics
    assert one.columns == other.columns
    assert one.values.tobytes() == other.values.tobytes()
    assert one.notes == other.notes
    assert {k: v.tolist() for k, v in one.texts.items()} == {k: v.tolist() for k, v in other.texts.items()}


@pytest.mark.parametrize(
    "judging",
    [
        {},
        {"level": 2, "depth": 7, "complete": True, "trec_version": 9},
        {"judged_only": True, "collection_size": 10_000},
    ],
)
def test_files_as_on_one_machine(spark: Cluster, qrels: Path, archive: Path, judging: dict[str, Any]) -> None:
    paths = in_order(archive)
    paths = [*paths[5:], *paths[:5]]
    local = adjudge.measure(str(qrels), paths, [*MEASURES, "relstring@5"], **judging)
    assert len(local.systems) == 23
    assert sum("/" in system for system in local.systems) == 4, "tags that occur twice"
    same(measure_on(spark, str(qrels), paths, [*MEASURES, "relstring@5"], Judging(**judging)), local)


def test_folders_patterns_and_the_number_of_parts(spark: Cluster, qrels: Path, archive: Path) -> None:
    local = adjudge.measure(str(qrels), in_order(archive), MEASURES)
    same(measure_on(spark, str(qrels), [str(archive)], MEASURES), local)
    same(measure_on(spark, f"file:{qrels}", [f"{archive}/year ?/*"], MEASURES), local)
    many = [path for year in (2, 0) for path in in_order(archive / f"year {year}")]
    local = adjudge.measure(str(qrels), many, MEASURES)
    for partitions in (None, 1, 7):
        engine = type(spark.engine)(spark.engine.master, spark.engine.conf, partitions)
        cluster = Cluster(spark.spark, engine, spark.log)
        same(measure_on(cluster, str(qrels), [f"{archive}/year 2", f"{archive}/year 0"], MEASURES), local)


def test_relative_paths_are_shown_as_given(
    spark: Cluster, qrels: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(archive)
    # Java's own folder stays the one that it was started in, so relative paths are made whole by us
    names = sorted(os.path.join("year 0", name) for name in os.listdir("year 0"))
    same(measure_on(spark, str(qrels), names, ["ap"]), adjudge.measure(str(qrels), names, ["ap"]))


def table(spark: Cluster, folder: Path, runs: dict[str, list[tuple[str, str, float]]], *, partitioned: bool) -> str:
    rows = [(name, *row) for name, of_run in runs.items() for row in of_run]
    random.Random(2).shuffle(rows)
    frame = spark.spark.createDataFrame(rows, "run string, topic string, document string, score double").repartition(3)
    writer = frame.write.partitionBy("run") if partitioned else frame.write
    writer.parquet(str(folder))
    return str(folder)


@pytest.mark.parametrize("partitioned", [True, False])
def test_a_table_of_runs(spark: Cluster, qrels: Path, tmp_path: Path, partitioned: bool) -> None:
    runs = {name: run(seed, name, stranger=False) for seed, name in enumerate(["b 2", "007", "a", "7", "ü"])}
    place = table(spark, tmp_path / "runs", runs, partitioned=partitioned)
    local = adjudge.measure(
        str(qrels), {name: _dict(runs[name]) for name in sorted(runs, key=lambda name: name.encode())}, MEASURES
    )
    same(measure_on(spark, str(qrels), [place], MEASURES), local)
    several = measure_on(spark, str(qrels), [place, f"{place}/"], ["ap"]) if partitioned else None
    if several is not None:
        assert len(several.systems) == 10
        assert len(set(several.systems)) == 10


def _dict(rows: list[tuple[str, str, float]]) -> dict[str, dict[str, float]]:
    made: dict[str, dict[str, float]] = {}
    for topic, document, score in rows:
        made.setdefault(topic, {})[document] = score
    return made


def failure(function: Callable[[], Any]) -> tuple[type[AdjudgeError], str]:
    with pytest.raises(AdjudgeError) as caught:
        function()
    return type(caught.value), str(caught.value)


def test_the_first_bad_file_is_told_as_on_one_machine(spark: Cluster, qrels: Path, tmp_path: Path) -> None:
    good, wide, twice = (tmp_path / name for name in ("good.run", "wide.run", "twice.run"))
    good.write_bytes(lines(run(1, "x"), "good"))
    wide.write_text("t1 Q0 d1 1 2.0 x\nt1 Q0 d2 one\n")
    twice.write_text("t1 Q0 d1 1 2.0 x\nt1 Q0 d1 2 1.0 x\n")
    strange, empty, cut = (tmp_path / name for name in ("strange.run", "empty.run", "cut.gz"))
    strange.write_text("9 Q0 d1 1 2.0 x\n")
    empty.write_bytes(b"")
    cut.write_bytes(gzip.compress(good.read_bytes())[:-20])
    missing = tmp_path / "missing.run"
    for order in (
        [good, twice, wide],
        [good, wide, twice],
        [strange, good],
        [empty, wide],
        [cut],
        [missing, wide],
        [wide, missing],
        [good, good],
        [good, tmp_path / "_hidden"],
    ):
        given = list(map(str, order))
        local = failure(lambda given=given: adjudge.measure(str(qrels), given, ["ap"]))  # type: ignore[misc]
        assert failure(lambda given=given: measure_on(spark, str(qrels), given, ["ap"])) == local  # type: ignore[misc]
    with pytest.raises(DataError, match=r"empty\.run: empty"):
        measure_on(spark, str(qrels), [str(tmp_path / "[e]*.run")], ["ap"])
    with pytest.raises(SpecError, match="depth must be"):
        measure_on(spark, str(qrels), [str(good)], ["ap"], Judging(depth=0))
    with pytest.raises(DataError, match="standard input"):
        measure_on(spark, str(qrels), ["-"])
    (tmp_path / "_hidden").write_bytes(good.read_bytes())
    with pytest.raises(DataError, match="passes over files"):
        measure_on(spark, str(qrels), [str(tmp_path / "_hidden")])


def test_names_that_are_no_utf_8(spark: Cluster, qrels: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.run"
    old.write_bytes(lines(run(1, "x"), "Z").replace(b" Z\n", b" Z\xfcrich\n").replace(b"z1 Q0", b"\xff Q0"))
    local = adjudge.measure(str(qrels), [str(old)], MEASURES, complete=True)
    assert local.systems == ("Z\udcfcrich",)
    same(measure_on(spark, str(qrels), [str(old)], MEASURES, Judging(complete=True)), local)
    with pytest.raises(DataError, match="is not UTF-8, and no other name fits into a table"):
        write_scores_on(spark, str(qrels), [str(old)], f"file:{tmp_path}/scores.parquet", MEASURES)
    assert list(tmp_path.iterdir()) == [old]


def test_one_file_with_several_runs(spark: Cluster, qrels: Path, tmp_path: Path) -> None:
    runs = {name: run(seed, name, stranger=False) for seed, name in enumerate(["b", "a"])}
    rows = [(name, *row) for name, of_run in runs.items() for row in of_run]
    frame = pl.DataFrame(rows, schema=["run", "topic", "document", "score"], orient="row")
    path = tmp_path / "runs.parquet"
    frame.write_parquet(path)
    local = adjudge.measure(str(qrels), {name: _dict(runs[name]) for name in sorted(runs)}, MEASURES)
    same(measure_on(spark, str(qrels), [str(path)], MEASURES), local)
    frame.filter(run="a").write_parquet(path)
    same(measure_on(spark, str(qrels), [str(path)], MEASURES), adjudge.measure(str(qrels), [str(path)], MEASURES))


def test_no_run_is_overwritten(qrels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = tmp_path / "one.run"
    one.write_bytes(lines(run(1, "x"), "one"))
    for given, why in (
        (f"{tmp_path}/*.run", "is an input, and would be overwritten"),
        (f"file://{tmp_path}/{{one,two}}.run", "is an input, and would be overwritten"),
        (str(tmp_path), "output must not be inside the input folder"),
    ):
        assert main(["measure", str(qrels), given, "-o", str(one), "-f", "csv", "--engine", "spark"]) == 2
        assert why in capsys.readouterr().err


def test_wrong_tables(spark: Cluster, qrels: Path, tmp_path: Path) -> None:
    rows = run(1, "a", stranger=False)
    place = table(spark, tmp_path / "twice", {"a": rows, "b": [*rows, rows[3]]}, partitioned=True)
    topic, document, _ = rows[3]
    with pytest.raises(ConflictError, match=rf"twice: run b: document {document} occurs twice in topic {topic}"):
        measure_on(spark, str(qrels), [place], ["ap"])
    kinds = "topic string, document string, score double, run string"
    frame = spark.spark.createDataFrame([("t1", "d1", None, "a")], kinds)
    frame.write.parquet(str(tmp_path / "null"))
    with pytest.raises(DataError, match="null: run a: the score is not a finite number"):
        measure_on(spark, str(qrels), [str(tmp_path / "null")], ["ap"])
    frame.drop("score").write.parquet(str(tmp_path / "lacking"))
    with pytest.raises(DataError, match="lacking: no score column"):
        measure_on(spark, str(qrels), [str(tmp_path / "lacking")], ["ap"])
    frame.selectExpr("topic", "document", "1.0 as score", "cast(null as string) as run").write.parquet(
        str(tmp_path / "nameless")
    )
    with pytest.raises(DataError, match="nameless: a row without the name of its run"):
        measure_on(spark, str(qrels), [str(tmp_path / "nameless")], ["ap"])


def test_a_table_of_scores_written_by_spark(spark: Cluster, qrels: Path, archive: Path, tmp_path: Path) -> None:
    local = adjudge.measure(str(qrels), in_order(archive), MEASURES)
    place = f"file:{tmp_path}/scores.parquet"
    systems, notes = write_scores_on(spark, str(qrels), [str(archive)], place, MEASURES)
    assert systems == len(local.systems)
    assert notes == local.notes
    keys = ["system", "topic", "measure"]
    parts = [str(path) for path in (tmp_path / "scores.parquet").glob("part-*.parquet")]
    assert pl.read_parquet(parts).sort(keys).equals(local.to_polars().sort(keys))
    whole = tmp_path / "whole.parquet"
    pl.read_parquet(parts).write_parquet(whole)
    assert np.array_equal(sorted(read_scores(str(whole)).systems), sorted(local.systems))
    with pytest.raises(DataError, match="holds a table already"):
        write_scores_on(spark, str(qrels), [str(archive)], place, MEASURES)
    with pytest.raises(SpecError, match="relstring@5 is text"):
        write_scores_on(spark, str(qrels), [str(archive)], f"{place}2", ["relstring@5"])
    bad = tmp_path / "bad.run"
    bad.write_text("one two\n")
    with pytest.raises(DataError, match=r"bad\.run:1"):
        write_scores_on(spark, str(qrels), [str(bad)], f"{place}3", ["ap"])
    assert not (tmp_path / "scores.parquet3").exists()
    (tmp_path / "scores.parquet4").mkdir()
    (tmp_path / "scores.parquet4" / "part-0.parquet").touch()
    with pytest.raises(DataError, match="no finished table"):
        Folder(spark, f"{place}4").refuse_used()


def test_command(
    spark_there: None,
    settings: tuple[tuple[str, str], ...],
    command: Callable[..., CompletedProcess[str]],
    qrels: Path,
    archive: Path,
    tmp_path: Path,
) -> None:
    paths = in_order(archive)[:5]
    conf = [word for name, value in settings for word in ("--conf", f"{name}={value}")]
    options = ["measure", qrels, *paths, "-m", "ap,ndcg@10", "-q"]
    local = command(*options, "-o", tmp_path / "local.parquet")
    engine = ["--engine", "spark", "--master", "local[2]", *conf]
    there = command(*options, "-o", tmp_path / "spark.parquet", *engine)
    assert there.returncode == 0, there.stderr
    assert (tmp_path / "spark.parquet").read_bytes() == (tmp_path / "local.parquet").read_bytes()
    assert there.stderr == local.stderr
    wrong = command(*options, "-o", "file:/x/y", "-f", "csv", "--engine", "spark")
    assert wrong.returncode == 2
    assert "give a plain path" in wrong.stderr
