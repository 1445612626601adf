"""Fields of documents are kept in an index, counted, and chosen by."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError
from adjudge.formats.documents import read_documents
from adjudge.index import field_columns
from adjudge.index.building import build
from adjudge.index.index import Index

DOCUMENTS = [
    Document("a", "one", fields=(("year", "1912"), ("place", "Rome"), ("place", "Paris"))),
    Document("b", "two"),
    Document("c", "three", fields=(("place", "Rome"), ("year", "1899"))),
    Document("d", "four", fields=(("year", "1912"), ("tïtle", "ä"))),
]


def test_fields_come_back(tmp_path: Path) -> None:
    index = build(InMemory(DOCUMENTS), tmp_path / "i", texts=True)
    assert [index.document(n) for n in range(4)] == DOCUMENTS
    assert [Index.open(index.folder).fields(n) for n in range(4)] == [d.fields for d in DOCUMENTS]
    index.verify()


@pytest.mark.parametrize("loops", ["compiled", "plain"])
def test_values_are_counted_and_chosen_by(tmp_path: Path, loops: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if loops == "plain":
        monkeypatch.setattr(field_columns, "compiled", None)
    index = build(InMemory(DOCUMENTS), tmp_path / "i", texts=True)
    year, place = index.field_columns["year"], index.field_columns["place"]
    assert (list(year.values), year.single) == (["1899", "1912"], True)
    assert (list(place.values), place.single) == (["Paris", "Rome"], False)
    assert year.counts().tolist() == [1, 2]
    assert place.counts().tolist() == [1, 2]
    some = np.array([0, 1, 3])
    assert year.counts(some, 4).tolist() == [0, 2]
    assert place.counts(some, 4).tolist() == [1, 1]
    assert year.having([1], 4).tolist() == [True, False, False, True]
    assert place.having([1], 4).tolist() == [True, False, True, False]
    assert place.having([], 4).tolist() == [False] * 4
    assert year.numbers == {"1899": 0, "1912": 1}


def test_an_index_without_fields_is_as_it_was(tmp_path: Path) -> None:
    index = build(InMemory([Document("a", "plain text")]), tmp_path / "i", texts=True)
    assert (index.fields(0), index.field_columns) == ((), {})
    assert '"fields"' not in (index.folder / "manifest.json").read_text()


@pytest.mark.parametrize("fields", [(("year", 1912),), (("year", "\ud800"),), (("\ud800", "x"),)])
def test_what_is_no_text_is_refused(tmp_path: Path, fields: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(DataError, match=r"document a: field .* is no text"):
        build(InMemory([Document("a", "plain text", fields=fields)]), tmp_path / "i", texts=True)


@pytest.mark.parametrize(
    ("name", "wrong", "says"),
    [
        ("field_codes", [0, 9, 0, 0, 0, 0, 0], "there are only 5 values"),
        ("field_firsts", [0, 4, 2, 5], "does not ascend"),
        ("field_offsets", [0, 3, 3, 5, 6], "does not ascend"),
    ],
)
def test_damaged_fields_are_refused(tmp_path: Path, name: str, wrong: list[int], says: str) -> None:
    from adjudge.index.array_checks import impossible

    index = build(InMemory(DOCUMENTS), tmp_path / "i", texts=True)
    place = impossible({**index.arrays, name: np.array(wrong, np.uint32)}, index.manifest)
    assert place is not None
    assert place[0] == name
    assert says in place[1]


def test_other_keys_of_a_record_are_fields(tmp_path: Path) -> None:
    record = {"id": 7, "title": "Wings", "text": "Lift.", "year": 1912, "tags": ["a", " b "], "open": True, "x": None}
    (tmp_path / "a.jsonl").write_text(json.dumps({**record, "long": "x" * 201, "nested": {}, "empty": " "}) + "\n")
    expected = (("year", "1912"), ("tags", "a"), ("tags", "b"), ("open", "True"))
    assert next(iter(read_documents(tmp_path / "a.jsonl"))).fields == expected
    (tmp_path / "a.tsv").write_text("docno\ttext\tyear\tplace\n7\tLift.\t1912\t\n")
    assert next(iter(read_documents(tmp_path / "a.tsv"))).fields == (("year", "1912"),)


def test_titles_that_documents_share_are_a_field(tmp_path: Path) -> None:
    documents = [Document(str(n), "text", f"Gazette {n % 2}" if n else "", fields=(("n", str(n)),)) for n in range(5)]
    index = build(InMemory(documents), tmp_path / "i", texts=True)
    assert index.field_columns["title"].counts().tolist() == [2, 2]
    assert index.fields(3) == (("n", "3"), ("title", "Gazette 1"))
    assert [index.document(n) for n in range(5)] == documents
    other = build(InMemory(documents[:3]), tmp_path / "j", texts=True)
    assert list(other.field_columns) == ["n"]
