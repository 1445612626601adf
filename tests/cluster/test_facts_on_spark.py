"""The jobs on Spark give the same figures whatever the sentences say: workers hand over facts, and errors by class."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import adjudge
from adjudge.cluster.archive import measure_on, write_scores_on
from adjudge.cluster.document_tables import read_table
from adjudge.cluster.retrieval import retrieve
from adjudge.cluster.session import Cluster
from adjudge.core.errors import ConflictError, DataError
from adjudge.core.note import Note
from adjudge.formats.runs import run_bytes
from adjudge.index.building import build
from adjudge.index.searching import Searcher
from adjudge.weighting.scheme import weightings
from mute_words import mute
from recorder import Recorder

ANALYZER = "words|lower"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of documents with all that there is to note: bytes that are not UTF-8, no text, entities, strays."""
    folder = tmp_path_factory.mktemp("noted")
    for number in range(6):
        texts = [f"solar power {number} &pacute; x{number}" for _ in range(3)]
        docs = [f"<DOC><DOCNO> d{number}-{i} </DOCNO><TEXT>{text}</TEXT></DOC>\n" for i, text in enumerate(texts)]
        data = "".join(docs).encode() + f"<DOC><DOCNO> e{number} </DOCNO><TEXT></TEXT></DOC>\n".encode()
        data += f"<DOC><DOCNO> b{number} </DOCNO><TEXT>bad \xff one</TEXT></DOC>\nstray text\n".encode("latin-1")
        (folder / f"{number}.trec").write_bytes(data)
    (folder / "README.bin").write_bytes(b"\x89PNG")
    return folder


def test_notes_of_parts_are_those_of_the_whole(spark: Cluster, place: Path) -> None:
    with mute():
        read = read_table(spark, [str(place)])
    documents = adjudge.read_documents(place)
    assert read.documents == sum(1 for _ in documents) == 30
    kinds = [note.kind for note in documents.notes]
    assert [note.kind for note in read.notes] == kinds
    assert set(kinds) == {
        "bytes_replaced", "documents_without_text", "entities_unknown", "files_of_another_kind", "text_outside",
        "more_text_outside",
    }  # fmt: skip
    both = zip(documents.notes, read.notes, strict=True)
    for own, spread in ((a, b) for a, b in both if a.kind != "text_outside"):
        assert {k: v for k, v in own.facts if k != "first"} == {k: v for k, v in spread.facts if k != "first"}


def test_a_wrong_document_is_an_error_of_its_class(spark: Cluster, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "1", "text": "x"}\n{"id": "1: DataError", "text": "x", "text": "y"}\n')
    with mute(), pytest.raises((DataError, ConflictError)) as caught:
        read_table(spark, [str(tmp_path)])
    with pytest.raises(type(caught.value)) as local:
        list(adjudge.read_documents(tmp_path))
    assert str(caught.value) == str(local.value)


def test_runs_are_the_same(spark: Cluster, place: Path, tmp_path: Path) -> None:
    index = build(adjudge.read_documents(place), tmp_path / "index", analyzer=ANALYZER)
    topics, weighting = {"1": "solar x3", "2": "zebra", "3": "power"}, weightings.parse("bm25")
    heard = Recorder(), Recorder()
    local = Searcher(index, weighting).run(topics, 20, "mine", progress=heard[0])
    listening = replace(spark, progress=heard[1])
    with mute():
        read = read_table(spark, [str(place)])
        run = retrieve(listening, read, topics, weighting, analyzer=ANALYZER, k=20, name="mine")
        nothing = retrieve(spark, read, {"2": "zebra"}, weighting, analyzer=ANALYZER)
    assert run_bytes(run, "trec") == run_bytes(local, "trec")
    for one in heard:
        assert [note for note, _ in one.notes] == [Note.of("query_not_indexed", "2", terms=["zebra"], others=0)]
    assert nothing == adjudge.Run.empty()


def test_scores_and_their_notes_are_the_same(spark: Cluster, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    (tmp_path / "qrels").write_text(
        "".join(f"{t} 0 d{d} {d % 2}\n" for t in range(8) for d in range(10)) + "9 0 d1 0\n"
    )
    (tmp_path / "runs").mkdir()
    for name in "abc":
        lines = [f"{t} Q0 d{d} 0 {rng.random()!r} {name}\n" for t in range(7) for d in range(12)]
        (tmp_path / "runs" / f"{name}.run").write_text("".join([*lines, f"z{name} Q0 d1 0 1 {name}\n"]))
    paths, measures = sorted(map(str, (tmp_path / "runs").iterdir())), ["ap", "ndcg@5", "gm_map"]
    expected = adjudge.measure(tmp_path / "qrels", paths, measures)
    with mute():
        scores = measure_on(spark, str(tmp_path / "qrels"), paths, measures)
        systems, notes = write_scores_on(spark, str(tmp_path / "qrels"), paths, str(tmp_path / "scores"), measures)
    assert scores.systems == expected.systems
    assert np.array_equal(scores.values, expected.values, equal_nan=True)
    assert scores.notes == notes == expected.notes
    assert systems == 3
    table = pl.read_parquet(tmp_path / "scores" / "*.parquet")
    assert sorted(table["value"].to_list()) == sorted(expected.values[~np.isnan(expected.values)].tolist())
    (tmp_path / "runs" / "d.run").write_text("0 Q0 d1 0 1 d\n0 Q0 d1 0 2 d\n")
    with mute(), pytest.raises(ConflictError, match="document d1 occurs twice in topic 0"):
        measure_on(spark, str(tmp_path / "qrels"), [str(tmp_path / "runs")], measures)


def test_a_note_survives_the_way_from_a_worker() -> None:
    note = Note.of("topics_unjudged", "r\udcff", topics=["caf\udce9", "ü"])
    assert Note.from_json(json.loads(json.dumps(note.to_json()))) == note
