"""Documents degraded and corrected on Spark are those of one machine, and a poisonous one costs only itself."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import degraders
from adjudge.cluster.document_tables import Read, read_table
from adjudge.cluster.noise_jobs import degrade_on, sample_on
from adjudge.cluster.session import Cluster
from adjudge.core.errors import DataError, SpecError
from adjudge.formats.documents import read_documents
from adjudge.noise.degrader import Degrader
from adjudge.noise.degrading import degrade
from adjudge.noise.engines.ocrad import Ocrad
from adjudge.noise.pages.scanning import Scan
from adjudge.noise.pages.typesetting import PageLayout
from adjudge.noise.random_noise import RandomNoise
from adjudge.noise.scanner import Scanner
from adjudge.systems.parts.correction.correcting import PIECE, Corrector, calibrate_channel, rank, sample
from adjudge.systems.parts.correction.word_lexicon import make

WORDS = "the modern farm grows corn when rules of a committee amend its program and members agree to wheat"


def texts(number: int, seed: int) -> list[dict[str, str]]:
    draw = random.Random(seed)
    made = []
    for n in range(number):
        sentences = [" ".join(draw.choices(WORDS.split(), k=9)).capitalize() + "." for _ in range(draw.randrange(4))]
        made.append({"id": f"d{n}", "text": " ".join(sentences)})
    return made


def written(path: Path, documents: Sequence[dict[str, str]]) -> str:
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))
    return str(path)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("corpus")
    documents = texts(1500, 1)
    documents.append({"id": "long", "text": "modern corn. " * 60_000})
    for number in range(3):
        written(folder / f"{number}.jsonl", documents[number::3])
    return str(folder)


@pytest.fixture(scope="module")
def read(spark: Cluster, corpus: str) -> Read:
    return read_table(spark, [corpus])


@pytest.fixture(scope="module")
def few(spark: Cluster, tmp_path_factory: pytest.TempPathFactory) -> str:
    spark.spark.sparkContext.addPyFile(degraders.__file__)
    return written(tmp_path_factory.mktemp("few") / "few.jsonl", texts(40, 2))


def local(documents: str, degrader: Degrader, folder: Path) -> dict[str, str]:
    degrade(read_documents(documents), degrader, folder, formats=("jsonl.zst",))
    return texts_of(folder)


def texts_of(place: Path | str) -> dict[str, str]:
    return {document.id: document.text for document in read_documents(str(place))}


def test_the_same_texts_in_any_number_of_parts(spark: Cluster, read: Read, corpus: str, tmp_path: Path) -> None:
    noise = RandomNoise(0.1, seed=3)
    expected = local(corpus, noise, tmp_path / "local")
    for parts in (1, 7):
        there = replace(read, frame=read.frame.repartition(parts))
        done = degrade_on(spark, there, noise, str(tmp_path / f"spark-{parts}"))
        assert texts_of(tmp_path / f"spark-{parts}") == expected
        assert (done.outcome.documents, done.outcome.failed_pages, done.failures) == (1501, 0, ())
    again = read_table(spark, [f"file:{tmp_path}/spark-7"])
    assert {row.id: row.text for row in again.frame.collect()} == expected
    manifest = json.loads((tmp_path / "spark-7" / "_manifest.json").read_text())
    assert manifest["settings"] == noise.settings
    assert (manifest["documents"], manifest["source"]["documents"]) == (1501, 1501)
    assert manifest["characters"] == sum(map(len, expected.values()))
    assert manifest["empty_documents"] == sum(not text for text in expected.values())
    with pytest.raises(DataError, match="holds a table already"):
        degrade_on(spark, read, noise, str(tmp_path / "spark-1"))


def test_a_document_that_kills_or_hangs_is_left_empty_and_the_job_goes_on(
    spark: Cluster, few: str, tmp_path: Path
) -> None:
    trouble = degraders.Reversing(
        dies=("d3",), hangs=("d5",), exits=("d7",), raises=("d9",), failing=("d30",), surrogates=("d11",), limit=3.0
    )
    read = read_table(spark, [few])
    expected = local(few, trouble, tmp_path / "local")
    done = degrade_on(spark, read, trouble, str(tmp_path / "spark"))
    assert texts_of(tmp_path / "spark") == expected
    lost = {"d3", "d5", "d7", "d9", "d11"}
    assert all(expected[name] == "" for name in lost)
    former = json.loads((tmp_path / "local" / "manifest.json").read_text())
    manifest = json.loads((tmp_path / "spark" / "_manifest.json").read_text())
    for name in ("pages", "failed_pages", "failed_documents", "empty_documents", "characters", "notes"):
        assert manifest[name] == former[name], name
    assert (done.outcome.failed_documents, len(done.failures)) == (6, 5)
    listed = dict(line.split(",", 1) for line in (tmp_path / "local" / "failures.csv").read_text().splitlines()[1:])
    assert {id_: listed[id_].strip('"') for id_, _ in done.failures} == dict(done.failures)


@pytest.mark.ocr
@pytest.mark.skipif(not Ocrad().available(), reason="ocrad is not installed")
def test_real_ocr(spark: Cluster, tmp_path: Path) -> None:
    documents = written(tmp_path / "true.jsonl", texts(8, 3))
    scanner = Scanner(PageLayout(lines=3), Scan(factor=1.5), Ocrad(), seed=2)
    expected = local(documents, scanner, tmp_path / "local")
    done = degrade_on(spark, read_table(spark, [documents]), scanner, f"file:{tmp_path}/spark")
    assert texts_of(tmp_path / "spark") == expected
    manifest = json.loads((tmp_path / "local" / "manifest.json").read_text())
    assert (done.outcome.pages, done.outcome.failed_pages) == (manifest["pages"], manifest["failed_pages"])


def test_tables_are_read_by_the_rules_of_one_machine(spark: Cluster, tmp_path: Path) -> None:
    place = str(tmp_path / "table")
    rows = [(7, "Wings", " Lift grows. "), (8, None, "Corn.\n")]
    spark.spark.createDataFrame(rows, "docno int, title string, body string").write.parquet(place)
    assert {row.id: row.text for row in read_table(spark, [place]).frame.collect()} == texts_of(place)
    spark.spark.createDataFrame([(1, None)], "id int, text string").write.parquet(f"{place}-null")
    with pytest.raises(DataError, match="table-null: document 1: text is null, not text"):
        read_table(spark, [f"{place}-null"])
    spark.spark.createDataFrame([(1, 2.5)], "id int, text double").write.parquet(f"{place}-double")
    with pytest.raises(DataError, match="table-double: the column text has double, not text"):
        read_table(spark, [f"{place}-double"])


def test_what_concerns_all_documents_ends_the_job(spark: Cluster, few: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="cannot work: d8"):
        degrade_on(spark, read_table(spark, [few]), degraders.Reversing(refuses=("d8",)), str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_correction_with_a_lexicon_that_only_the_driver_has(
    spark: Cluster, read: Read, corpus: str, tmp_path: Path
) -> None:
    clean = written(tmp_path / "clean.jsonl", texts(300, 9))
    lexicon = make(read_documents(clean), tmp_path / "lexicon")
    noisy = tmp_path / "noisy"
    local(corpus, RandomNoise(0.05, seed=1), noisy)
    there = read_table(spark, [str(noisy)])
    found = sample_on(spark, there, rank, 30, PIECE)
    assert sample(found, 30) == sample(read_documents(str(noisy)), 30)
    corrector = Corrector(str(lexicon.folder))
    corrector = replace(corrector, channel=calibrate_channel(sample(found, 30), corrector, 1))
    expected = local(str(noisy), corrector, tmp_path / "local")
    assert expected != texts_of(noisy)
    degrade_on(spark, there, corrector, str(tmp_path / "spark"), folders=("lexicon",))
    assert texts_of(tmp_path / "spark") == expected


def test_commands(command_here: Callable[..., CompletedProcess[str]], tmp_path: Path) -> None:
    true = written(tmp_path / "true.jsonl", texts(60, 4))
    clean = written(tmp_path / "clean.jsonl", texts(200, 5))
    command, engine = command_here, ["--engine", "spark"]
    noise = ["noise", "simulate", true, "--random", "0.05", "--seed", "4"]
    assert command(*noise, "-o", tmp_path / "noisy").returncode == 0
    correct = ["noise", "correct", tmp_path / "noisy", "--lexicon", clean]
    here = command(*correct, "-o", tmp_path / "local")
    assert here.returncode == 0, here.stderr
    there = command(*correct, "-o", tmp_path / "spark", *engine)
    assert there.returncode == 0, there.stderr
    assert texts_of(tmp_path / "spark") == texts_of(tmp_path / "local")
    assert there.stdout.startswith(f"{tmp_path}/spark: 60 documents, ")
    # Which document is the first one without text depends on the order, which a cluster has not.
    assert re.sub(r"first d\d+", "first", there.stderr) == re.sub(r"first d\d+", "first", here.stderr)
    manifests = [tmp_path / "local" / "manifest.json", tmp_path / "spark" / "_manifest.json"]
    ours, theirs = (json.loads(path.read_text()) for path in manifests)
    assert ours["settings"] == theirs["settings"], "the same channel was learned"
    for given in (["--workers", "2"], ["--write", "jsonl"], ["--restart"]):
        wrong = command(*noise, "-o", tmp_path / "x", "--engine", "spark", *given)
        assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
        assert f"{given[0]} needs --engine local" in wrong.stderr
