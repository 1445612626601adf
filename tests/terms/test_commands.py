"""adjudge terms and adjudge terms apply as a user meets them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import polars as pl
import pytest

from adjudge.cli import main
from adjudge.formats.documents import read_documents
from adjudge.formats.topics import read_topics
from adjudge.terms.term_files import read_terms

TEXTS = {
    "one": "A Riemannian manifold is a smooth manifold. RIEMANNIAN MANIFOLDS are studied.",
    "two": "The set of vectors and the Riemannian manifold. A smooth manifold; a set of vectors.",
    "three": "A smooth manifold.",
}
OWN = ["--tagger", "lexicon(own)"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = [json.dumps({"id": name, "text": text}) for name, text in TEXTS.items()]
    (tmp_path / "docs.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    before = sorted(Path.cwd().iterdir())
    assert main(["terms", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert sorted(Path.cwd().iterdir()) == before, "nothing is written"
    return captured.err


def test_terms_are_shown_and_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["terms", "docs.jsonl", "-o", "t.parquet", *OWN, "--index", "i.parquet", "--top", "2"]) == 0
    out, err = capsys.readouterr()
    assert [line.split("  ")[0] for line in out.splitlines()] == ["rank", "1", "2"]
    assert "Riemannian manifold 2, RIEMANNIAN MANIFOLDS 1" in out
    assert "t.parquet: 3 terms with a frequency of 2 or more in 3 documents, 29 words" in err
    terms = {term.name: term for term in read_terms("t.parquet")}
    assert terms["riemannian manifold"].frequency == 3
    assert terms["set of vector"].forms == {"set of vectors": 2}
    assert set(pl.read_parquet("i.parquet")["document"]) == set(TEXTS)
    assert sorted(p.name for p in folder.iterdir()) == ["docs.jsonl", "i.parquet", "t.parquet"]


def test_forms_for_scripts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["terms", "docs.jsonl", *OWN, "-f", "json", "--nc"]) == 0
    data = json.loads(capsys.readouterr().out)
    first = {row["class"]: row for row in data}["riemannian manifold"]
    assert first["forms"] == {"Riemannian manifold": 2, "RIEMANNIAN MANIFOLDS": 1}
    assert set(first) == {"rank", "class", "forms", "frequency", "c_value", "nc_value"}
    assert main(["terms", "docs.jsonl", *OWN, "-f", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 3
    assert json.loads(rows[0]["forms"])
    assert main(["terms", "docs.jsonl", *OWN, "-f", "md", "--top", "1"]) == 0
    assert capsys.readouterr().out.startswith("| rank |")
    assert main(["terms", "docs.jsonl", *OWN, "--top", "0"]) == 0
    assert capsys.readouterr().out == ""


def test_options(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def names(*more: str) -> set[str]:
        assert main(["terms", "docs.jsonl", *OWN, "-f", "json", *more]) == 0
        return {row["class"] for row in json.loads(capsys.readouterr().out)}

    assert names("--filter", "adjective_noun") == {"riemannian manifold", "smooth manifold"}
    assert names("--min-c", "3") == {"riemannian manifold", "smooth manifold", "set of vector"}
    assert names("--min-frequency", "3") == {"riemannian manifold", "smooth manifold"}
    assert names("--longest", "2") == {"riemannian manifold", "smooth manifold"}
    (folder / "stop.txt").write_text("Smooth\n")
    assert names("--stop-list", "stop.txt") == {"riemannian manifold", "set of vector"}
    assert names("--frequent", "1") == {"set of vector"}  # manifold is the most frequent noun


def test_a_stop_list_with_a_byte_order_mark(folder: Path) -> None:
    (folder / "stop.txt").write_text("smooth\nset\n", encoding="utf-8-sig")
    assert main(["terms", "docs.jsonl", "--stop-list", "stop.txt", "-o", "t.csv", *OWN]) == 0
    assert [term.name for term in read_terms("t.csv")] == ["riemannian manifold"]


def test_bad_input(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "formulas.txt").write_text("x + y = z, f(x) = 3\n∈ ≤ ∑\n")
    (folder / "none.txt").write_text("and the of\n")
    (folder / "latin.txt").write_bytes(b"\xff\xfe")
    Path("docs").mkdir()
    Path("docs/a.txt").write_text(TEXTS["one"])
    for source in ("formulas.txt", "none.txt"):
        assert "no multi-word term" in refused(capsys, source, "-o", "t.csv", *OWN)
    assert "no term has a C-value of 99 or more" in refused(capsys, "docs.jsonl", *OWN, "--min-c", "99", "-o", "t.csv")
    assert "no such file" in refused(capsys, "nothing", "-o", "t.csv", *OWN)
    assert "terms are written as" in refused(capsys, "docs.jsonl", "-o", "t.txt", *OWN)
    assert "an index of terms is written as" in refused(capsys, "docs.jsonl", "--index", "t.csv", *OWN)
    assert "output must not be inside the input folder docs" in refused(capsys, "docs", "-o", "docs/t.csv", *OWN)
    assert "no such folder" in refused(capsys, "docs", "-o", "no/t.csv", *OWN)
    assert "no tagger 'lexikon', did you mean lexicon" in refused(capsys, "docs.jsonl", "--tagger", "lexikon")
    assert "no filter 'nuon', did you mean noun" in refused(capsys, "docs.jsonl", "--filter", "nuon", *OWN)
    assert "1 to 12 words, not 5 to 3" in refused(capsys, "docs", "--shortest", "5", "--longest", "3", *OWN)
    assert "must be a number" in refused(capsys, "docs", "--min-c", "nan", *OWN)
    assert "not UTF-8" in refused(capsys, "docs", "--stop-list", "latin.txt", *OWN)
    assert "cannot be read" in refused(capsys, "docs", "--stop-list", "nothing", *OWN)
    assert "only once" in refused(capsys, "-", "-", *OWN)
    both = refused(capsys, "docs.jsonl", "-o", "t.parquet", "--index", "./t.parquet", *OWN)
    assert "terms and their index cannot go into one file" in both
    Path("stop.csv").write_text("such")
    assert "is an input" in refused(capsys, "docs.jsonl", "--stop-list", "stop.csv", "-o", "stop.csv", *OWN)
    (folder / "empty.jsonl").write_text("")
    assert "empty" in refused(capsys, "empty.jsonl", *OWN)


@pytest.fixture
def terms(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["terms", "docs.jsonl", "-o", "t.csv", *OWN]) == 0
    capsys.readouterr()
    return "t.csv"


@pytest.mark.parametrize("name", ["delta.jsonl", "delta.sgml", "delta.trec.gz", "delta.jsonl.zst"])
def test_terms_are_applied_to_documents(folder: Path, terms: str, name: str) -> None:
    assert main(["terms", "apply", "docs.jsonl", terms, "-o", name]) == 0
    made = {document.id: document.text for document in read_documents(name)}
    assert list(made) == list(TEXTS)
    assert made["three"] == "a smooth_manifold smooth_manifold"
    assert made["two"].split().count("set_of_vector") == 4


def test_ways_to_apply(folder: Path, terms: str, capsys: pytest.CaptureFixture[str]) -> None:
    def third(*more: str) -> str:
        assert main(["terms", "apply", "docs.jsonl", terms, *more]) == 0
        return str(json.loads(capsys.readouterr().out.splitlines()[2])["text"])

    assert third("--boost", "3") == "a smooth_manifold smooth_manifold smooth_manifold"
    assert third("--emission", "plus_one") == "a a smooth_manifold smooth_manifold"
    assert third("--emission", "double_all", "--policy", "all") == "a a smooth_manifold smooth_manifold"
    assert third("--surface", "--boost", "1") == "A smooth_manifold"
    assert third("--keep-words", "--boost", "1") == "a smooth_manifold smooth manifold"
    assert third("--most", "1") in {"a smooth manifold", "a smooth_manifold smooth_manifold"}
    assert main(["terms", "apply", "docs.jsonl", terms, "--form", "sgml"]) == 0
    assert capsys.readouterr().out.startswith("<DOC>\n<DOCNO>one</DOCNO>\n")


def test_terms_are_applied_to_queries(folder: Path, terms: str, capsys: pytest.CaptureFixture[str]) -> None:
    topics = [
        {
            "id": "1",
            "title": "unused",
            "sentences": ["Let M be a Riemannian manifold.", "Is it a smooth <x> manifold?"],
        },
        {"id": "2", "title": "smooth manifolds & co"},
        {"id": "3", "title": "?"},
    ]
    (folder / "q.jsonl").write_text("".join(json.dumps(topic) + "\n" for topic in topics))
    for name in ("delta.jsonl", "delta.sgml", "delta.jsonl.gz"):
        assert main(["terms", "apply", "q.jsonl", terms, "--queries", "-o", name]) == 0
        assert "no word is left in topic 3" in capsys.readouterr().err
        made = {topic.id: topic.title for topic in read_topics(name)}
        assert made["1"] == "let m be a a riemannian_manifold riemannian_manifold is it smooth x manifold"
        assert made["2"] == "smooth_manifold smooth_manifold co"
    (folder / "other.tsv").write_text("1\tcats and dogs\n")
    assert main(["terms", "apply", "other.tsv", terms, "--queries"]) == 0
    assert "none of the 3 terms occurs in the topics" in capsys.readouterr().err


def test_bad_input_to_apply(folder: Path, terms: str, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "other.txt").write_text("Cats and dogs.")
    (folder / "blanks.jsonl").write_text('{"id": "a b", "text": "a smooth manifold"}\n')
    (folder / "q.tsv").write_text("1\tcats\n")

    def wrong(*arguments: str) -> str:
        return refused(capsys, "apply", *arguments)

    for boost in ("0", "-1", "1e9", "nan", "x"):
        assert "boost" in wrong("docs.jsonl", terms, "-o", "d.jsonl", "--boost", boost)
    assert "a boost is for the emission text" in wrong("docs.jsonl", terms, "--boost", "3", "--emission", "plus_one")
    assert "none of the 3 terms occurs in the documents" in wrong("other.txt", terms, "-o", "d.jsonl")
    assert "documents are written as" in wrong("docs.jsonl", terms, "-o", "d.csv")
    assert "--format sgml needs the extension" in wrong("docs.jsonl", terms, "-o", "d.jsonl", "--form", "sgml")
    assert "is an input, and would be overwritten" in wrong("docs.jsonl", terms, "-o", "docs.jsonl")
    assert "cannot be written as TREC SGML" in wrong("blanks.jsonl", terms, "-o", "d.sgml")
    assert "no column" in wrong("docs.jsonl", "other.txt", "-o", "d.jsonl")
    assert "no such file" in wrong("docs.jsonl", "nothing.csv", "-o", "d.jsonl")
    assert "one file of topics" in wrong("q.tsv", "q.tsv", terms, "--queries")
    assert "no such file" in wrong("nothing", terms, "--queries")
    (folder / "twice.jsonl").write_text('{"id": "a", "text": "a smooth manifold"}\n' * 2)
    assert "document a occurs twice" in wrong("twice.jsonl", terms, "-o", "d.jsonl")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["docs.jsonl", "--master", "local[1]"], "--master needs --engine spark"),
        (["docs.jsonl", "-o", "hdfs://h/t.csv", "--engine", "spark"], "Spark writes .parquet there: give a plain path"),
        (["docs.jsonl", "-o", "docs.jsonl", "--engine", "spark"], "is an input, and would be overwritten"),
        (["docs.jsonl", "--index", "no/i.parquet", "--engine", "spark"], "no such folder"),
        (
            ["apply", "docs.jsonl", "t.csv", "-o", "d", "--queries", "--engine", "spark"],
            "--queries needs --engine local",
        ),
        (
            ["apply", "docs.jsonl", "t.csv", "-o", "d", "--form", "sgml", "--engine", "spark"],
            "--format needs --engine local",
        ),
        (["apply", "docs.jsonl", "t.csv", "--engine", "spark"], "give --output FOLDER"),
    ],
)
def test_what_spark_cannot_do_is_told_before_it_starts(
    arguments: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(capsys, *arguments)
