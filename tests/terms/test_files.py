"""Terms in files: what is written is read back, and what is wrong is told in one line."""

from __future__ import annotations

import gzip
import io
import json
import math
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import AdjudgeError, ConflictError, DataError, SpecError
from adjudge.terms import term_index
from adjudge.terms.term_files import read_terms, write_terms
from adjudge.terms.term_index import write_term_index
from adjudge.terms.terms import Term, Terms
from slow_terms import corpus_of, terms_of

FORMS = {"Riemannian manifold": 2, "RIEMANNIAN MANIFOLDS": 1}
SOME = Terms.of(
    [
        Term("riemannian manifold", 3, 3.0, 2.5, FORMS),
        Term('größe, "x"', 2, 0.1 + 0.2, math.nan, {'Größe, "x"': 2}),
    ]
)
ENDINGS = ["parquet", "csv", "jsonl", "csv.gz", "jsonl.zst", "CSV"]


def shown(terms: Terms) -> list[str]:
    return [repr(term) for term in terms]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("terms", [SOME, terms_of("a b", "c d")], ids=["nc", "plain"])
def test_written_and_read_back(tmp_path: Path, ending: str, terms: Terms) -> None:
    path = tmp_path / f"terms.{ending}"
    write_terms(terms, path)
    assert shown(read_terms(path)) == shown(terms)
    assert (read_terms(path).nc_values is None) == (terms.nc_values is None)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


word = st.text(st.characters(blacklist_categories=("Cs", "Zs", "Zl", "Zp", "Cc")), min_size=1, max_size=6)
name = st.lists(word, min_size=1, max_size=3).map(" ".join).filter(lambda text: " ".join(text.split()) == text)
value = st.floats(-1e12, 1e12)


@pytest.mark.slow
@given(
    st.dictionaries(
        name,
        st.tuples(
            st.integers(1, 2**40),
            value,
            st.one_of(st.just(math.nan), value),
            st.dictionaries(name, st.integers(1, 9), min_size=1),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_any_terms_come_back(terms: dict[str, tuple[int, float, float, dict[str, int]]]) -> None:
    import tempfile

    made = Terms.of([Term(name, *rest) for name, rest in terms.items()])
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("parquet", "csv", "jsonl"):
            write_terms(made, f"{folder}/t.{ending}")
            assert shown(read_terms(f"{folder}/t.{ending}")) == shown(made)


def test_terms_are_a_sequence() -> None:
    assert SOME[-1].name == SOME[1].name
    assert [term.name for term in SOME[:1]] == ["riemannian manifold"]
    assert SOME[:1][0].forms == FORMS
    with pytest.raises(IndexError):
        SOME[2]
    assert "2" in repr(SOME)


LINE = {"class": "a b", "frequency": 2, "c_value": 1.5, "nc_value": None, "forms": [{"form": "a b", "frequency": 2}]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"class": 3}, "class is 3, not a text"),
        ({"class": " a  b"}, "the name ' a  b' is not words with single blanks"),
        ({"class": ""}, "the name '' is not words"),
        ({"frequency": 0}, "'a b', has a frequency below 1"),
        ({"frequency": "2"}, "frequency is '2', not a number"),
        ({"frequency": True}, "frequency is True, not a number"),
        ({"frequency": 10**30}, "not a number"),
        ({"c_value": None}, "c_value is None, not a number"),
        ({"c_value": math.inf}, "has a C-value that is not a finite number"),
        ({"c_value": math.nan}, "has a C-value that is not a finite number"),
        ({"nc_value": math.inf}, "has an infinite NC-value"),
        ({"forms": []}, "has no form"),
        ({"forms": {"a b": 1}}, "not a list of forms with frequencies"),
        ({"forms": ["a b"]}, "is not a form with a frequency"),
        ({"forms": [{"form": " ", "frequency": 1}]}, "has the form ' ' with the frequency 1"),
        ({"forms": [{"form": "a b", "frequency": 0}]}, "has the form 'a b' with the frequency 0"),
        ({"forms": LINE["forms"] * 2}, "or occurs twice"),  # type: ignore[operator]
    ],
)
def test_wrong_terms_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        read_terms(io.BytesIO(json.dumps(LINE | change).encode()))


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "empty"),
        (b"\x28\xb5\x2f\xfdxx", "zstd data"),
        (b"PAR1xxxxPAR1", "not readable as a table of terms"),
        (b'{"class": "a b"', "not JSON"),
        (b'{"class": "a b"}\n[1]\n', "forms are None"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"class,frequency\n", ":1: no column c_value"),
        (b"class,frequency,c_value,forms\n", "no term in it"),
        (b"class,class,frequency,c_value,forms\n", "a column occurs twice"),
        (b"class,frequency,c_value,forms\na b,1\n", ":2: 4 columns expected, 2 found"),
        (b"class,frequency,c_value,forms\na b,x,1,[]\n", ":2: frequency is 'x', not a number"),
        (b"class,frequency,c_value,forms\na b,1_0,1,[]\n", ":2: frequency is '1_0', not a number"),
        (b"class,frequency,c_value,forms\na b,\xd9\xa1,1,[]\n", ":2: frequency is '\u0661', not a number"),
        (b"class,frequency,c_value,forms\na b,1,,[]\n", "c_value is None, not a number"),
        (b"class,frequency,c_value,forms\na b,1,1,{\n", ":2: not JSON"),
        (b'class,frequency,c_value,forms\n"a b,1,1,[]\n', "not CSV"),
        (b"just some text\n", "no column class"),
    ],
)
def test_files_that_are_no_terms(raw: bytes, message: str) -> None:
    with pytest.raises(AdjudgeError, match=re.escape(message)) as caught:
        read_terms(io.BytesIO(raw))
    assert "\n" not in str(caught.value)


def test_a_term_twice() -> None:
    with pytest.raises(ConflictError, match="the term 'a b' occurs twice"):
        read_terms(io.BytesIO((json.dumps(LINE) + "\n").encode() * 2))


def test_parquet_of_another_kind(tmp_path: Path) -> None:
    wrong = {
        "no column frequency": pl.DataFrame({"class": ["a b"]}),
        "a term without frequency": pl.DataFrame(LINE | {"frequency": None, "forms": [LINE["forms"]]}),
        "not readable as a table of terms": pl.DataFrame(LINE | {"forms": "a b"}),
        "has no form": pl.DataFrame(LINE | {"forms": [[]]}, schema_overrides={"forms": pl.List(STRUCT)}),
        "frequency has Float64, not whole numbers": pl.DataFrame(LINE | {"frequency": 2.7, "forms": [LINE["forms"]]}),
        "frequency has Boolean, not": pl.DataFrame(LINE | {"frequency": True, "forms": [LINE["forms"]]}),
        "class has Int.., not text": pl.DataFrame(LINE | {"class": 3, "forms": [LINE["forms"]]}),
        "c_value has String, not numbers": pl.DataFrame(LINE | {"c_value": "2", "forms": [LINE["forms"]]}),
        "frequency has Float64": pl.DataFrame(LINE | {"forms": [[{"form": "a b", "frequency": 2.5}]]}),
        "the form 'a b' of a term occurs twice": pl.DataFrame(
            LINE | {"forms": [[{"form": "a b", "frequency": 1}] * 2]}
        ),
    }
    for message, frame in wrong.items():
        frame.write_parquet(tmp_path / "t.parquet")
        with pytest.raises(DataError, match=message):
            read_terms(tmp_path / "t.parquet")


STRUCT = pl.Struct({"form": pl.String, "frequency": pl.Int64})


def test_where_terms_cannot_be_written(tmp_path: Path) -> None:
    for name in ("terms.txt", "terms", "terms.gz", "terms.json"):
        with pytest.raises(SpecError, match=r"terms are written as \.parquet, \.csv, \.jsonl"):
            write_terms(SOME, tmp_path / name)
    with pytest.raises(DataError, match="cannot be written"):
        write_terms(SOME, tmp_path / "no" / "terms.csv")
    with pytest.raises(DataError, match="no such file"):
        read_terms(tmp_path / "nothing.csv")
    assert list(tmp_path.iterdir()) == []


def test_packed_by_another_program(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl.gz"
    path.write_bytes(gzip.compress((json.dumps(LINE) + "\n\n").encode()))
    assert read_terms(path)[0].name == "a b"


def test_the_index_of_terms(tmp_path: Path) -> None:
    terms = terms_of("smooth riemannian manifold", "riemannian manifold", "lie group")
    documents = corpus_of(
        "A smooth Riemannian manifold. Riemannian manifolds, riemannian manifold; Riemannian manifolds",
        "",
        "Lie groups",
    )
    for batch in (1, 10**6):
        assert write_term_index(documents, terms, tmp_path / "i.parquet", batch=batch) == 5
        rows = pl.read_parquet(tmp_path / "i.parquet").rows()
        assert sorted(rows) == sorted(
            [
                ("smooth riemannian manifold", "smooth Riemannian manifold", "d0", 1, [1]),
                ("riemannian manifold", "Riemannian manifold", "d0", 1, [2]),
                ("riemannian manifold", "Riemannian manifolds", "d0", 2, [4, 8]),
                ("riemannian manifold", "riemannian manifold", "d0", 1, [6]),
                ("lie group", "Lie groups", "d2", 1, [0]),
            ]
        )
    assert [path.name for path in tmp_path.iterdir()] == ["i.parquet"]
    assert write_term_index(InMemory([Document("d", "cats")]), terms, tmp_path / "none.parquet") == 0
    assert pl.read_parquet(tmp_path / "none.parquet").columns == ["class", "form", "document", "tf", "positions"]


def test_an_index_of_terms_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents, terms = corpus_of("a b"), terms_of("a b")
    with pytest.raises(SpecError, match=r"is written as \.parquet"):
        write_term_index(documents, terms, tmp_path / "i.csv")
    with pytest.raises(DataError, match="cannot be written"):
        write_term_index(documents, terms, tmp_path / "no" / "i.parquet")
    (tmp_path / "d.parquet").mkdir()
    with pytest.raises(DataError, match="Is a directory"):
        write_term_index(documents, terms, tmp_path / "d.parquet")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(term_index, "occurrences", full)
    with pytest.raises(DataError, match="No space left on device"):
        write_term_index(documents, terms, tmp_path / "i.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["d.parquet"]
