"""Documents in Parquet files, one by one or in the folder that Spark writes."""

from __future__ import annotations

import gzip
import io
import json
import tracemalloc
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.cli import main
from adjudge.core.document import Document
from adjudge.core.errors import DataError
from adjudge.formats.documents import read_documents
from adjudge.formats.documents.layouts.parquet import ParquetLayout


def packed(columns: dict[str, Any], **options: Any) -> bytes:
    buffer = io.BytesIO()
    pl.DataFrame(columns).write_parquet(buffer, **options)
    return buffer.getvalue()


def written(folder: Path, *parts: bytes) -> Path:
    """A folder as Spark leaves it."""
    folder.mkdir()
    for number, part in enumerate(parts):
        (folder / f"part-{number:05d}.snappy.parquet").write_bytes(part)
        (folder / f".part-{number:05d}.snappy.parquet.crc").write_bytes(b"crc\0")
    (folder / "_SUCCESS").write_bytes(b"")
    (folder / "._SUCCESS.crc").write_bytes(b"crc\0")
    (folder / "_manifest.json").write_text('{"id": 1, "text": "no document"}\n')
    return folder


def test_a_folder_of_spark_is_read_whole_and_its_notes_are_passed_over(tmp_path: Path) -> None:
    one = packed({"id": ["a", "b"], "text": ["α beta", " two \n"], "pages": [1, 2]})
    two = packed({"id": ["c"], "text": [""], "pages": [0]})
    folder = written(tmp_path / "out.parquet", one, two)
    documents = read_documents(str(folder))
    assert list(documents) == [Document("a", "α beta"), Document("b", "two"), Document("c", "")]
    assert tuple(map(str, documents.notes)) == ("1 document has no text: c",)
    assert list(documents) == list(documents), "again and again"
    (folder / "README").write_text("something else")
    assert len(list(documents := read_documents(str(folder)))) == 3
    assert any("skipped" in note and "README" in note for note in map(str, documents.notes))


def test_a_lone_table_among_texts_is_no_collection(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"text {name}")
    (tmp_path / "terms.parquet").write_bytes(packed({"term": ["x"]}))
    assert [document.id for document in read_documents(str(tmp_path))] == ["a", "b"]
    (tmp_path / "_notes.txt").write_text("a text is a text")
    assert len(list(read_documents(str(tmp_path)))) == 3


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(
            st.text(st.characters(codec="utf-8"), max_size=20),
            st.none() | st.text(st.characters(codec="utf-8"), max_size=5),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_rows_are_what_lines_of_json_would_be(rows: list[tuple[str, str | None]]) -> None:
    ids, texts, titles = [*range(len(rows))], [text for text, _ in rows], [title for _, title in rows]
    raw = packed({"docid": ids, "body": texts, "title": pl.Series(titles, dtype=pl.String)})
    lines = [json.dumps({"docid": i, "body": b, "title": t}) for i, b, t in zip(ids, texts, titles, strict=True)]
    as_json = io.BytesIO("\n".join(lines).encode())
    assert list(read_documents(io.BytesIO(raw))) == list(read_documents(as_json, "jsonl"))


def test_other_columns_and_packing(tmp_path: Path) -> None:
    raw = packed({"key": ["1"], "a": ["eins"], "b": ["zwei"], "id": ["no"], "text": ["no"]})
    path = tmp_path / "x.parquet.gz"
    path.write_bytes(gzip.compress(raw))
    assert [d.text for d in read_documents(str(path))] == ["no"]
    wanted = read_documents(str(path), "parquet(id=key, text=[b, a])")
    assert list(wanted) == [Document("1", "zwei\neins")]
    kinds = packed({"id": pl.Series(["x"], dtype=pl.Categorical), "text": pl.Series(["t"], dtype=pl.Enum(["t"]))})
    assert list(read_documents(io.BytesIO(kinds))) == [Document("x", "t")]


def test_many_rows_and_row_groups_come_in_order() -> None:
    ids = [f"{number:05d}" for number in range(12_345)]
    raw = packed({"id": ids, "text": [f"text {name}" for name in ids]}, row_group_size=1000)
    read = list(read_documents(io.BytesIO(raw)))
    assert [document.id for document in read] == ids
    assert all(document.text == f"text {document.id}" for document in read)


def test_memory_is_bounded() -> None:
    text = "word " * 20_000
    raw = packed({"id": [*range(400)], "text": [f"{text}{i}" for i in range(400)]}, row_group_size=20)
    documents = read_documents(io.BytesIO(raw))
    tracemalloc.start()
    try:
        assert sum(1 for _ in documents) == 400
        assert tracemalloc.get_traced_memory()[1] < 25_000_000, "40 MB of text"
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"id": ["a", None], "text": ["x", "y"]}, r"docs: row 2: no id"),
        ({"id": ["a", ""], "text": ["x", "y"]}, r"docs: row 2: no id"),
        ({"id": ["a", "b"], "text": ["x", None]}, r"docs: row 2: text is null, not text"),
        ({"id": [1.5], "text": ["x"]}, r"docs: the column id has Float64, not text"),
        ({"id": ["a"], "text": [7]}, r"docs: the column text has Int64, not text"),
        ({"id": ["a"], "text": ["x"], "title": [7]}, r"docs: the column title has Int64, not text"),
        ({"id": ["a"], "words": ["x"]}, r"docs: no column for the text: none of text, .* among id, words"),
        ({"key": ["a"], "text": ["x"]}, r"docs: no column for the id: none of id, .* among key, text"),
        ({"id": ["a"], "text": [b"x"]}, r"docs: the column text has Binary, not text"),
    ],
)
def test_what_is_wrong_is_told(columns: dict[str, Any], why: str) -> None:
    class Named(io.BytesIO):
        name = "docs"

    with pytest.raises(DataError, match=why):
        list(read_documents(Named(packed(columns))))


@pytest.mark.parametrize("cut", [5, 100, -4])
def test_damaged_files_are_one_line(tmp_path: Path, cut: int, capsys: pytest.CaptureFixture[str]) -> None:
    raw = packed({"id": ["a"], "text": ["x" * 500]})
    path = tmp_path / "damaged.parquet"
    path.write_bytes(raw[:cut])
    with pytest.raises(DataError, match=r"damaged\.parquet: not readable as Parquet: "):
        list(read_documents(str(path)))
    assert main(["index", str(path), "-o", str(tmp_path / "index")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_parameters_are_checked() -> None:
    assert str(ParquetLayout(text=("a", "b"))) == "parquet(text=[a, b])"


def test_index_reads_what_spark_wrote(tmp_path: Path) -> None:
    folder = written(tmp_path / "out.parquet", packed({"id": ["a", "b"], "text": ["wings lift", "corn grows"]}))
    assert main(["index", str(folder), "-o", str(tmp_path / "index")]) == 0
