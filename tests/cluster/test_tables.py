"""Documents as Spark reads them are those that one machine reads."""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from adjudge.cluster.document_tables import read_table
from adjudge.cluster.folders import Folder
from adjudge.cluster.session import Cluster, quiet
from adjudge.core.errors import ConflictError, DataError, SpecError
from adjudge.formats.documents import read_documents


def rows(spark: Cluster, *paths: Path, layout: str | None = None) -> dict[str, str]:
    table = read_table(spark, [str(path) for path in paths], layout)
    made = {row.id: row.text for row in table.frame.collect()}
    assert table.documents == len(made)
    assert table.characters == sum(map(len, made.values()))
    return made


def test_files_of_all_kinds_are_read_as_on_one_machine(spark: Cluster, tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    lines.mkdir()
    (lines / "a.jsonl").write_text('{"id": 1, "text": "α beta"}\n{"id": "2", "title": "T", "text": "x"}\n')
    (lines / "b c[1].jsonl.gz").write_bytes(gzip.compress(b'{"id": "3", "text": ""}\n'))
    texts = tmp_path / "texts"
    (texts / "inner").mkdir(parents=True)
    (texts / "inner" / "one.txt").write_text("one text")
    (texts / "two.txt").write_text("another")
    (texts / "none[1].txt").write_text("")
    sgml = tmp_path / "fr.sgml"
    sgml.write_text("<DOC><DOCNO> A-1 </DOCNO><TEXT>some &amp; more</TEXT></DOC>")
    for place in (lines, texts, sgml):
        local = {document.id: document.text for document in read_documents(str(place))}
        assert rows(spark, place) == local
    assert rows(spark, texts, layout="text") == {"inner/one": "one text", "two": "another", "none[1]": ""}
    assert rows(spark, texts / "none[1].txt") == {"none[1]": ""}
    assert rows(spark, tmp_path / "t*" / "t*.txt") == {"texts/two": "another"}


def test_what_is_wrong_is_one_line(spark: Cluster, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere: no such file"):
        read_table(spark, [str(tmp_path / "nowhere")])
    poison = tmp_path / "poison.jsonl"
    poison.write_text('{"id": "1", "text": "fine"}\n{"id": "2", "text": 7}\n')
    with pytest.raises(DataError, match=r"poison\.jsonl:2: text is 7, not text"):
        read_table(spark, [str(poison)])
    other = tmp_path / "other.jsonl"
    poison.write_text('{"id": "1", "text": "fine"}\n')
    other.write_text('{"id": "1", "text": "again"}\n')
    with pytest.raises(ConflictError, match="document 1 occurs twice"):
        read_table(spark, [str(poison), str(other)])
    with pytest.raises(DataError, match="standard input"):
        read_table(spark, ["-"])


def test_parquet_files_are_read_as_on_one_machine(spark: Cluster, tmp_path: Path) -> None:
    two = tmp_path / "two"
    two.mkdir()
    pl.DataFrame({"id": ["1", "2"], "text": ["one", "two"], "body": ["eins", "zwei"]}).write_parquet(two / "a.parquet")
    pl.DataFrame({"id": ["3"], "title": ["Three"], "text": ["more"], "body": ["drei"]}).write_parquet(two / "b.parquet")
    for layout in (None, "parquet(text=body)"):
        local = {document.id: document.text for document in read_documents(str(two), layout)}
        assert rows(spark, two, layout=layout) == local
        assert local["3"].startswith("Three")
    with pytest.raises(SpecError, match="no layout of documents 'nonsense'"):
        read_table(spark, [str(two)], "nonsense")
    with pytest.raises(DataError, match=r"a\.parquet:1: not JSON"):
        read_table(spark, [str(two / "a.parquet")], "jsonl")
    (two / "c.jsonl").write_text('{"id": "4", "text": "other"}\n')
    assert set(rows(spark, two)) == {"1", "2", "3"}, "skipped files of another kind"


def test_the_first_files_decide_between_layouts(spark: Cluster, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "1", "text": "a line"}\n')
    (tmp_path / "b.html").write_text("<html><body>a page</body></html>")
    (tmp_path / "_c.jsonl").write_text('{"id": "2", "text": "passed over"}\n')
    table = read_table(spark, [str(tmp_path)])
    assert [row.id for row in table.frame.collect()] == ["1"]
    left, over = map(str, table.notes)
    assert "skipped files of another kind" in left
    assert over == f"Spark skips files whose names begin with _: {tmp_path / '_c.jsonl'}"
    with pytest.raises(DataError, match=r"_c\.jsonl: Spark passes over files .*: give it another name"):
        read_table(spark, [str(tmp_path / "_c.jsonl")])
    with pytest.raises(DataError, match=r"Spark knows no \*\*"):
        read_table(spark, [f"{tmp_path}/**/*.jsonl"])


def test_names_that_spark_cannot_hold(spark: Cluster, tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text('{"id": "a\\udc80", "text": "solar"}\n')
    with pytest.raises(
        DataError, match=r"d\.jsonl:1: the id 'a\\udc80' is not valid Unicode: half of a surrogate pair"
    ):
        read_table(spark, [str(tmp_path / "d.jsonl")])


def test_two_that_write_to_one_place(spark: Cluster, tmp_path: Path) -> None:
    place, said = tmp_path / "out [1]", []
    place.mkdir()

    def slowly(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            time.sleep(1)
            yield batch

    def write(number: int) -> None:
        table = spark.spark.range(number, number + 10).mapInArrow(slowly, "id long").repartition(2)
        try:
            with spark.work("write"):
                Folder(spark, str(place)).write(table.mapInArrow(slowly, "id long"))
        except DataError as error:
            said.append(str(error))

    with quiet():
        both = [threading.Thread(target=write, args=(number,)) for number in (0, 100)]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
    assert said == [f"{place}: holds a table already: remove it, or give a new folder"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out [1]"], "nothing is left beside it"
    ids = pl.concat(pl.read_parquet(part.read_bytes()) for part in place.glob("part-*"))["id"].sort().to_list()
    assert ids in ([*range(10)], [*range(100, 110)])


def test_a_table_that_fails_leaves_nothing(spark: Cluster, tmp_path: Path) -> None:
    def failing(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            yield batch
            raise ValueError("no more")

    with pytest.raises(DataError, match="Spark failed: ValueError: no more"), spark.work("failing"):
        Folder(spark, str(tmp_path / "out")).write(spark.spark.range(9).mapInArrow(failing, "id long"))
    assert list(tmp_path.iterdir()) == []


def test_what_a_user_should_know_comes_behind_many_documents(spark: Cluster, tmp_path: Path) -> None:
    lines = [f'{{"id": "{n}", "text": "{"word " * 300}"}}' for n in range(4000)]
    (tmp_path / "many.jsonl").write_bytes("\n".join(lines).encode() + b'\n{"id": "x", "text": "\xff"}\n')
    table = read_table(spark, [str(tmp_path / "many.jsonl")])
    assert table.documents == 4001
    assert len(table.notes) == 1
    assert "not UTF-8" in str(table.notes[0])
