"""Technical terms on a cluster are those of one machine, however the documents are cut."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from adjudge.cluster import candidate_passes as passes
from adjudge.cluster.delta_tables import write_delta_on, write_term_index_on
from adjudge.cluster.document_tables import Read
from adjudge.cluster.session import Cluster
from adjudge.cluster.term_extraction import SparkTerms, extract_on
from adjudge.cluster.term_tables import read_terms_on
from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError
from adjudge.terms.attribution import Attribution, DeltaDocuments, Emission
from adjudge.terms.extraction import Extraction, NoTermError, TermSettings, extract
from adjudge.terms.term_files import read_terms, write_terms
from adjudge.terms.term_index import write_term_index

ADJECTIVES = ["smooth", "Smooth", "compact", "linear", "riemannian", "local", "hyperbolic", "algebraic", "non-linear"]
NOUNS = ["manifold", "manifolds", "matrix", "matrices", "group", "groups", "theory", "Theory", "vector", "vectors"]
NOUNS += ["Calabi-Yau", "Calabi–Yau", "calabi", "yau", "Schrödinger", "équation", "analysis", "analyses", "field"]
NOUNS += ["fields", "systems", "system", "space-time"]
REST = ["is", "are", "shows", "the", "a", "of", "of", "of", "and", ".", ",", "(", "7", "x", "İstanbul", "in"]
OWN = TermSettings(tagger="lexicon(own)")
KINDS = {
    "defaults": OWN,
    "frequent": replace(OWN, frequent=3, stop_list=("Smooth",), min_frequency=3, filter="adjective_noun"),
    "dashes": replace(OWN, merge_dashes=True, longest=8, nc=True, nc_top=7),
    "single": replace(OWN, shortest=1, longest=4, min_frequency=1, min_c=2.5, filter="noun"),
    "nc": replace(OWN, nc=True, frequent=2, min_c=-50.0),
}


def documents(number: int, seed: int = 0) -> list[Document]:
    """Sentences out of few words, so that terms recur within one another; the first document is a long one."""
    rng = np.random.default_rng(seed)
    words = np.array([*ADJECTIVES, *NOUNS, *REST])
    likely = np.array([3.0] * len(ADJECTIVES) + [4.0] * len(NOUNS) + [1.0] * len(REST))
    made = []
    for i in range(number):
        size = 4000 if i == 0 else int(rng.integers(0, 25))
        made.append(Document(f"d{i:05}", " ".join(rng.choice(words, size, p=likely / likely.sum()).tolist())))
    return made


SOME = documents(1500)


def given(spark: Cluster, some: list[Document], partitions: int) -> Read:
    rows = [(document.id, document.text) for document in some]
    frame = spark.spark.createDataFrame(rows, "id string, text string").repartition(partitions)
    return Read(frame, len(some), sum(len(document.text) for document in some))


def raw(found: SparkTerms | Extraction, path: Path) -> bytes:
    write_terms(found.terms() if isinstance(found, SparkTerms) else found.terms, path)
    return path.read_bytes()


@pytest.mark.parametrize(("kind", "partitions"), [*zip(KINDS, (7, 2, 3, 1, 7), strict=True), ("nc", 1)])
def test_terms_are_those_of_one_machine(spark: Cluster, kind: str, partitions: int, tmp_path: Path) -> None:
    local = extract(InMemory(SOME), KINDS[kind])
    found = extract_on(spark, given(spark, SOME, partitions), KINDS[kind])
    assert len(local.terms) > 20
    for name in ("one.parquet", "one.csv", "one.jsonl"):
        assert raw(found, tmp_path / name) == raw(local, tmp_path / name)
    assert found.number == len(local.terms)
    assert (found.candidates, found.least, found.stopped) == (local.candidates, local.least, local.stopped)
    assert replace(found.counts, kept=0) == replace(local.counts, kept=0)
    assert found.terms(3).names == local.terms[:3].names
    found.release()


def test_many_forms_are_handed_on_before_memory_is_full() -> None:
    import pyarrow as pa

    rows = pa.RecordBatch.from_pydict({"id": [d.id for d in SOME], "text": [d.text for d in SOME]})

    def summed(most: int, batches: list[pa.RecordBatch]) -> dict[tuple[str | None, str | None, int], int]:
        made: dict[tuple[str | None, str | None, int], int] = {}
        for batch in passes.Counting(OWN, True, OWN.rules().listed_words, most)(iter(batches)):
            for row in batch.to_pylist():
                key = (row["class"], row["form"], row["size"])
                made[key] = made.get(key, 0) + row["frequency"]
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passes, "BATCH", 3000)
        few = summed(50, [rows.slice(0, 700), rows.slice(700)])
    assert few == summed(10**6, [rows])


def test_what_cannot_be_found_is_said_as_on_one_machine(spark: Cluster) -> None:
    nothing = [Document("1", "It is."), Document("2", "")]
    for settings, some in ((OWN, nothing), (replace(OWN, min_c=1e9), SOME[:200])):
        with pytest.raises(NoTermError) as local:
            extract(InMemory(some), settings)
        with pytest.raises(NoTermError) as told:
            extract_on(spark, given(spark, some, 2), settings)
        assert str(told.value) == str(local.value)


def test_a_table_where_spark_writes(spark: Cluster, tmp_path: Path) -> None:
    path = f"file:{tmp_path}/terms.parquet"
    for kind in ("defaults", "dashes"):
        found = extract_on(spark, given(spark, SOME, 3), KINDS[kind])
        found.write(f"{path}-{kind}")
        write_terms(found.terms(), tmp_path / "here.jsonl")
        write_terms(read_terms_on(spark, f"{path}-{kind}"), tmp_path / "back.jsonl")
        assert (tmp_path / "back.jsonl").read_bytes() == (tmp_path / "here.jsonl").read_bytes()
        with pytest.raises(DataError, match="holds a table already"):
            found.write(f"{path}-{kind}")
        found.release()
    with pytest.raises(DataError, match="no column class"):
        read_terms_on(spark, _table(spark, tmp_path / "other"))


def _table(spark: Cluster, path: Path) -> str:
    spark.spark.range(3).write.parquet(str(path))
    return str(path)


def test_index_and_delta_documents(spark: Cluster, tmp_path: Path) -> None:
    terms = extract(InMemory(SOME), KINDS["dashes"]).terms
    local = tmp_path / "local.parquet"
    rows = write_term_index(InMemory(SOME), terms, local)
    index = tmp_path / "index [1].parquet"  # no pattern
    assert write_term_index_on(spark, given(spark, SOME, 7), terms, str(index)) == rows
    wanted, found = (
        pl.read_parquet(local),
        pl.concat(pl.read_parquet(part.read_bytes()) for part in index.glob("part-*")),
    )
    assert found.columns == wanted.columns
    found = found.cast({"tf": pl.UInt32, "positions": pl.List(pl.UInt32)})
    assert found.sort("document", "form").equals(wanted.sort("document", "form"))

    for number, emission in enumerate(
        [Emission(), Emission(policy="all", surface=True), Emission("plus_one", policy="all")]
    ):
        delta = DeltaDocuments(InMemory(SOME), Attribution(terms, emission))
        texts = {document.id: document.text for document in delta}
        path = tmp_path / f"delta-{number}"
        assert write_delta_on(spark, given(spark, SOME, 2 + number), terms, emission, str(path)) == delta.occurrences
        table = pl.read_parquet(path / "*.parquet")
        assert dict(zip(table["id"], table["text"], strict=True)) == texts
    with pytest.raises(DataError, match=r"terms: none of the .* terms occurs in the documents"):
        write_delta_on(spark, given(spark, [Document("1", "It is.")], 1), terms, None, str(tmp_path / "none"))
    assert not (tmp_path / "none").exists()


def test_as_a_command(command_here: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps({"id": d.id, "text": d.text}) + "\n" for d in SOME[:300]))
    own = ["--tagger", "lexicon(own)", "--top", "3"]
    command, quick = command_here, ["--engine", "spark", "--partitions", "3"]
    local = command("terms", tmp_path / "docs.jsonl", "-o", tmp_path / "l.parquet", *own)
    index = tmp_path / "index.parquet"
    made = command("terms", tmp_path / "docs.jsonl", "-o", tmp_path / "s.parquet", *own, *quick, "--index", index)
    assert made.returncode == local.returncode == 0, made.stderr
    assert made.stdout == local.stdout
    assert (tmp_path / "s.parquet").read_bytes() == (tmp_path / "l.parquet").read_bytes()
    assert "terms with a frequency of 2 or more in 300 documents" in made.stderr
    assert (index / "_SUCCESS").exists()
    delta = tmp_path / "delta.parquet"
    made = command("terms", "apply", tmp_path / "docs.jsonl", tmp_path / "s.parquet", "-o", delta, *quick)
    assert made.returncode == 0, made.stderr
    assert "terms in 300 documents" in made.stderr
    terms = read_terms(tmp_path / "s.parquet")
    table = pl.read_parquet(delta / "*.parquet").sort("id")
    assert table["text"].to_list() == Attribution(terms).texts([d.text for d in SOME[:300]])
