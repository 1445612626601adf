"""Runs made on a cluster are those of one machine, line by line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from adjudge.cluster.engine import Cluster
from adjudge.cluster.retrieval import MANY, retrieve
from adjudge.cluster.tables import Read, read_table
from adjudge.formats.documents import read_documents
from adjudge.formats.runs import run_bytes
from adjudge.index.building import build
from adjudge.index.index import Index
from adjudge.index.searching import Searcher
from adjudge.weighting import weightings
from corpus import documents, questions, written

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
    notes: tuple[list[str], list[str]] = [], []
    local = Searcher(index, weighting).run(topics, 25, "mine", note=notes[0].append)
    made = retrieve(spark, read, topics, weighting, analyzer=ANALYZER, k=25, name="mine", note=notes[1].append)
    assert run_bytes(made, "trec") == run_bytes(local, "trec")
    assert run_bytes(made, "json") == run_bytes(local, "json")
    assert notes[0] == notes[1]
    assert any("lost" in line for line in notes[0])


@pytest.mark.parametrize("parts", [1, 11, MANY + 6])
def test_the_number_of_parts_does_not_matter(spark: Cluster, read: Read, index: Index, parts: int) -> None:
    cut = replace(read, frame=read.frame.repartition(parts))
    weighting = weightings.parse("bm25")
    made = retrieve(spark, cut, questions(3), weighting, analyzer=ANALYZER, k=40)
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
