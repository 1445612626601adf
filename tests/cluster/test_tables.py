"""Documents as Spark reads them are those that one machine reads."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from adjudge.cluster.engine import Cluster
from adjudge.cluster.tables import read_table
from adjudge.core.errors import ConflictError, DataError
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


def test_what_a_user_should_know_comes_behind_many_documents(spark: Cluster, tmp_path: Path) -> None:
    lines = [f'{{"id": "{n}", "text": "{"word " * 300}"}}' for n in range(4000)]
    (tmp_path / "many.jsonl").write_bytes("\n".join(lines).encode() + b'\n{"id": "x", "text": "\xff"}\n')
    table = read_table(spark, [str(tmp_path / "many.jsonl")])
    assert table.documents == 4001
    assert len(table.notes) == 1
    assert "not UTF-8" in table.notes[0]
