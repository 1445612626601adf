"""From documents to an answer: index, search, retrieve, measure, explain, as a user meets them."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import shlex
import sys
from importlib import import_module
from pathlib import Path

import polars as pl
import pytest

from adjudge.cli import main
from adjudge.formats.runs import read_run
from adjudge.index.index import Index
from adjudge.index.searching import Searcher

DOCUMENTS = [
    {"id": "sun", "title": "Solar power", "text": "Panels on roofs turn light into power. Solar cells are cheap."},
    {"id": "wind", "title": "Wind | mills", "text": "The *wind* turns mills, and mills make power for_all <b>."},
    {
        "id": "coal",
        "text": "Coal is burnt. " + "Nothing of interest here. " * 30 + "Power plants burn coal, not light.",
    },
    {"id": "none", "text": ""},
]
TOPICS = "1\tsolar power\n2\twind mills\n3\tzebra\n"
QRELS = "1 0 sun 1\n1 0 coal 0\n2 0 wind 1\n"
TREC = "<top>\n<num> Number: 7\n<title> coal\n<desc> Description:\nwind mills\n<narr> Narrative:\nsolar\n</top>\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = "".join(json.dumps(document) + "\n" for document in DOCUMENTS)
    for name, text in {"docs.jsonl": lines, "topics.tsv": TOPICS, "qrels": QRELS, "trec": TREC}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def built(files: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["index", "docs.jsonl", "-o", "idx"]) == 0
    assert main(["index", "docs.jsonl", "-o", "bare", "--no-texts"]) == 0
    capsys.readouterr()
    return files


def out(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


# -- index ------------------------------------------------------------------------------------------------------------


def test_indexing_ends_with_one_line_and_tells_of_empty_documents(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["index", "docs.jsonl", "-o", "idx"]) == 0
    printed = capsys.readouterr()
    assert re.fullmatch(r"idx: 4 documents, \d+ terms, \d+ postings, 0\.0 MB, \d+\.\d s\n", printed.out)
    assert printed.err == "note: 1 document has no text: none\n"
    index = Index.open("idx")
    assert str(index.analyzer) == "words|lower|stop(smart)|porter"
    assert index.manifest.texts
    assert not index.manifest.positions


def test_options_of_indexing(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--analyzer", "words|lower", "--positions", "--no-texts", "--memory", "1", "--format", "jsonl"]
    assert main(["index", *options, "docs.jsonl", "-o", "idx"]) == 0
    index = Index.open("idx")
    assert str(index.analyzer) == "words|lower"
    assert index.manifest.positions
    assert not index.manifest.texts
    assert main(["index", "docs.jsonl", "-o", "idx"]) == 0
    assert Index.open("idx").manifest.texts, "a new index replaces the old one"


def test_bytes_that_are_no_utf8_are_told(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "bad.tsv").write_bytes(b"a\tsolar \xff power\n")
    assert main(["index", "bad.tsv", "-o", "idx"]) == 0
    assert "note: " in capsys.readouterr().err
    assert "[solar] \ufffd [power]" in out(capsys, "search", "idx", "solar power")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["docs.jsonl"], "the following arguments are required: -o/--output"),
        (["nowhere", "-o", "idx"], "nowhere"),
        (["docs.jsonl", "docs.jsonl", "-o", "idx"], "document sun occurs twice"),
        (["docs.jsonl", "-o", "idx", "-a", "words|nothing"], "nothing"),
        (["docs.jsonl", "-o", "idx", "-a", ""], "at character 1: a name expected"),
        (["docs.jsonl", "-o", "idx", "-f", "docx"], "docx"),
        (["docs.jsonl", "-o", "docs.jsonl"], "docs.jsonl: not a folder"),
        (["docs.jsonl", "-o", "."], "docs.jsonl: input must not be inside the index folder ."),
        (["docs.jsonl", "-o", "full"], "full: holds x and no index: give a new or empty folder"),
        (["docs.jsonl", "-o", "idx", "--memory", "0"], "must be a whole number from 1 to 1000000"),
        (["-", "-", "-o", "idx"], "standard input can be read only once"),
        ([".", "-o", "idx"], "idx: the index must not be inside the input folder ."),
    ],
)
def test_mistakes_of_indexing(
    files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    (files / "full").mkdir()
    (files / "full" / "x").touch()
    before = sorted(files.rglob("*"))
    assert main(["index", *arguments]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""
    assert sorted(files.rglob("*")) == before, "nothing is left behind"


def test_a_build_that_fails_leaves_the_old_index(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = out(capsys, "search", "idx", "solar")
    assert main(["index", "docs.jsonl", "docs.jsonl", "-o", "idx"]) == 2
    capsys.readouterr()
    assert out(capsys, "search", "idx", "solar") == before


def test_files_of_an_index_are_no_documents(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", "idx/*.json", "-o", "idx"]) == 2
    assert "manifest.json: input must not be inside the index folder idx" in capsys.readouterr().err
    (built / "link").symlink_to("idx")
    assert main(["index", "link/*.json", "-o", "idx"]) == 2
    assert "link/manifest.json: input must not be inside the index folder idx" in capsys.readouterr().err


# -- search -----------------------------------------------------------------------------------------------------------


def test_a_ranked_list_with_marked_words(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = out(capsys, "search", "idx", "solar power").splitlines()
    assert lines[0].split() == ["rank", "document", "score", "title"]
    assert re.fullmatch(r"   1  sun       \d\.\d{4}  \[Solar\] \[power\]", lines[1])
    assert lines[2] == "      Panels on roofs turn light into [power]. [Solar] cells are cheap."
    assert [line.split()[1] for line in lines[1:] if line[3].isdigit()] == ["sun", "wind", "coal"]
    assert out(capsys, "search", "idx", "solar", "power") == "\n".join(lines) + "\n", "quotes are not needed"


def test_the_snippet_is_cut_out_at_words(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (hit,) = json.loads(out(capsys, "search", "idx", "plants light", "-k", "1", "-f", "json"))["hits"]
    assert hit["document"] == "coal"
    assert hit["snippet"].startswith("… ")
    assert hit["snippet"].endswith("Power plants burn coal, not light.")
    assert set(hit["snippet"][2:].split()) <= set(DOCUMENTS[2]["text"].split())
    assert [hit["snippet"][a:b] for a, b in hit["marked"]["snippet"]] == ["plants", "light"]


def test_forms_of_an_answer(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["search", "idx", "wind power", "--weighting", "bm25(k1=1.2, b=0.75)"]
    exact = list(Searcher(Index.open("idx"), "bm25(k1=1.2, b=0.75)").search(["wind power"])[0])
    data = json.loads(out(capsys, *base, "-f", "json"))
    assert [(hit["document"], hit["score"]) for hit in data["hits"]] == exact
    assert data["terms"] == ["wind", "power"]
    assert data["note"] is None
    rows = list(csv.DictReader(io.StringIO(out(capsys, *base, "-f", "csv"))))
    assert [(row["document"], float(row["score"])) for row in rows] == exact
    assert rows[0]["title"] == "[Wind] | mills"
    markdown = out(capsys, *base, "-f", "md")
    assert r"| **Wind** \| mills |" in markdown
    assert r"\***wind**\* turns mills, and mills make **power** for\_all \<b>." in markdown
    assert r"\textbf{wind}* turns mills, and mills make \textbf{power} for\_all $<$b$>$." in out(
        capsys, *base, "-f", "latex"
    )
    assert out(capsys, *base, "-o", "found.csv") == ""
    assert (built / "found.csv").read_text("utf-8") == out(capsys, *base, "-f", "csv")


def test_bold_on_a_terminal(built: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudge.cli.search.coloured", lambda _: True)
    monkeypatch.setenv("COLUMNS", "60")
    text = out(capsys, "search", "idx", "coal light")
    assert "\x1b[1mcoal\x1b[0m" in text
    shown = re.sub(r"\x1b\[\d*m", "", text).splitlines()
    assert max(map(len, shown)) <= 60
    assert len([line for line in shown if line.startswith("      ")]) <= 2 * len([n for n in shown if n[3].isdigit()])


def test_a_snippet_full_of_marks_has_two_lines(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "ones.tsv").write_text("a\t" + "1.0 " * 100 + "\n")
    for analyzer in ("words", "ngrams(2)"):
        assert main(["index", "ones.tsv", "-o", "ones", "-a", analyzer]) == 0
        capsys.readouterr()
        lines = out(capsys, "search", "ones", "1.0 1").splitlines()
        assert len(lines) == 4
        assert max(map(len, lines)) <= 101
        assert lines[-1].endswith(" …")
        assert "".join(lines).count("[") == "".join(lines).count("]") > 0


def test_without_texts_ids_and_scores(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "bare", "solar power"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "note: bare: built without texts, so there are no snippets\n"
    assert [line.split()[:2] for line in printed.out.splitlines()] == [
        ["rank", "document"],
        ["1", "sun"],
        ["2", "wind"],
        ["3", "coal"],
    ]
    assert out(capsys, "search", "bare", "solar", "-f", "csv").splitlines()[0] == "rank,document,score"
    assert set(json.loads(out(capsys, "search", "bare", "solar", "-f", "json"))["hits"][0]) == {
        "rank",
        "document",
        "score",
    }


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("zebra quagga", "no term of the query is indexed: zebra, quagga"),
        ("the", "no term is left in the query"),
        ("", "no term is left in the query"),
    ],
)
def test_a_query_that_finds_nothing(built: Path, capsys: pytest.CaptureFixture[str], query: str, message: str) -> None:
    assert main(["search", "idx", query]) == 0
    printed = capsys.readouterr()
    assert printed.err == f"note: {message}\n"
    assert printed.out.split() == ["rank", "document", "score", "title", "snippet"]
    assert json.loads(out(capsys, "search", "idx", query, "-f", "json"))["hits"] == []
    assert len(out(capsys, "search", "idx", query, "-f", "csv").splitlines()) == 1


def test_a_title_is_not_shown_twice(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ("sun\tsolar power\tsolar power of panels", "cut\tsolar\tsolarium", "only\tsolar\tsolar")
    (files / "titles.tsv").write_text("\n".join(["id\ttitle\ttext", *lines]) + "\n")
    assert main(["index", "titles.tsv", "-o", "idx", "-a", "words"]) == 0
    capsys.readouterr()
    hits = json.loads(out(capsys, "search", "idx", "solar solarium", "-f", "json"))["hits"]
    shown = {hit["document"]: (hit["title"], hit["snippet"].strip()) for hit in hits}
    assert shown["only"] == ("solar", "")
    assert shown["sun"] == ("solar power", "of panels")
    assert shown["cut"] == ("solar", "solarium")


def test_texts_cannot_steer_a_terminal(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = {"id": "a\u001b[2Jb", "title": "x\u0007y", "text": "solar \u001b[31mred\u0002 \ud800 power"}
    (files / "odd.jsonl").write_text(json.dumps(record) + "\n")
    assert main(["index", "odd.jsonl", "-o", "idx"]) == 0
    capsys.readouterr()
    for form in ("table", "md", "latex"):
        text = out(capsys, "search", "idx", "solar power", "-f", form)
        assert all(c.isprintable() or c == "\n" for c in text)
    assert "[solar] [31mred \ufffd [power]" in out(capsys, "search", "idx", "solar power")
    assert json.loads(out(capsys, "search", "idx", "solar", "-f", "json"))["hits"][0]["document"] == "a\x1b[2Jb"


def test_ids_as_they_are_in_csv_and_long_ones(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [{"id": "a\u0002b\u0003", "text": "solar"}, {"id": "long" * 1000, "text": "solar power"}]
    (files / "odd.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    assert main(["index", "odd.jsonl", "-o", "idx"]) == 0
    capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(out(capsys, "search", "idx", "solar", "-f", "csv"))))
    assert [row["document"] for row in rows] == ["a\u0002b\u0003", "long" * 1000]
    assert [row["snippet"] for row in rows] == ["[solar]", "[solar] power"]
    lines = out(capsys, "search", "idx", "solar").splitlines()
    assert max(len(line) for line in lines if "long" not in line) < 101, "one long id does not push away the others"


def test_ngrams_are_marked_as_the_words_they_cover(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", "docs.jsonl", "-o", "grams", "-a", "words|lower|ngrams(4, pad=_)"]) == 0
    assert main(["index", "docs.jsonl", "-o", "raw", "-a", "ngrams(3)"]) == 0
    capsys.readouterr()
    assert "on [roofs] turn" in out(capsys, "search", "grams", "roof")
    assert "on [roof]s turn" in out(capsys, "search", "raw", "roof")


# -- retrieve and measure ---------------------------------------------------------------------------------------------


def test_retrieve_then_measure(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["retrieve", "idx", "topics.tsv", "-o", "bm25.run"]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "note: topic 3: no term of the query is indexed: zebra\n"
    run = read_run("bm25.run")
    assert run.name == "bm25"
    assert run.topics == ("1", "2")
    assert run.to_dict()["1"] == dict(Searcher(Index.open("idx")).search(["solar power"])[0])
    table = out(capsys, "measure", "qrels", "bm25.run", "-m", "ap")
    assert table.splitlines()[1].split() == ["bm25", "1.0000"]


def test_where_a_run_goes(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["retrieve", "idx", "topics.tsv", "-k", "1", "--name", "mine"]
    lines = out(capsys, *base).splitlines()
    assert [line.split()[:4] for line in lines] == [["1", "Q0", "sun", "1"], ["2", "Q0", "wind", "1"]]
    assert all(line.endswith(" mine") for line in lines)
    assert out(capsys, *base, "-o", "-").splitlines() == lines
    assert list(json.loads(out(capsys, *base, "-f", "json"))) == ["1", "2"]
    for name in ("run.json", "run.json.gz", "run.parquet", "run.gz", "run.zst"):
        assert out(capsys, *base, "-o", name) == ""
        assert read_run(name, name="r").to_dict() == {
            topic: {document: float(score)} for topic, _, document, _, score, _ in map(str.split, lines)
        }
    assert out(capsys, *base, "-o", "odd.txt", "-f", "json") == ""
    assert json.loads((built / "odd.txt").read_text())
    assert pl.read_parquet("run.parquet")["tag"].to_list() == ["mine", "mine"]


def test_fields_of_topics_and_weightings(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def first(*options: str) -> list[str]:
        return [line.split()[2] for line in out(capsys, "retrieve", "idx", "trec", *options).splitlines()]

    assert first() == ["coal"]
    assert first("--field", "description") == ["wind"]
    assert set(first("--field", "title", "--field", "narrative")) == {"coal", "sun"}
    assert out(capsys, "retrieve", "idx", "trec", "-w", "bm25(k1=1.2, b=0.5)").split()[-1] == "bm25(k1=1.2,b=0.5)"
    assert main(["retrieve", "idx", "topics.tsv", "--field", "narrative"]) == 2
    assert capsys.readouterr().err == "topics.tsv: no topic has a narrative: give --field title\n"


CLASSIC = {
    "cran.qry": ".I 001\n.W\nsolar\npower\n.I 007\n.W\nwind mills\n",
    "query-text": "1\nsolar\npower\n/\n2\nwind mills\n/\n",
}


@pytest.mark.parametrize("name", CLASSIC)
def test_queries_of_the_classic_collections(
    built: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (built / name).write_text(CLASSIC[name])
    (built / "two.tsv").write_text("".join(TOPICS.splitlines(keepends=True)[:2]))
    wanted = out(capsys, "retrieve", "idx", "two.tsv")
    assert {line.split()[0] for line in wanted.splitlines()} == {"1", "2"}, "numbered as the judgments are"
    assert out(capsys, "retrieve", "idx", name) == wanted
    (built / f"{name}.gz").write_bytes(gzip.compress(CLASSIC[name].encode()))
    assert out(capsys, "retrieve", "idx", f"{name}.gz") == wanted
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CLASSIC[name].encode())))
    assert out(capsys, "retrieve", "idx", "-") == wanted
    (built / name).write_text(CLASSIC[name].replace("solar\npower", ""))
    assert main(["retrieve", "idx", name]) == 2
    assert f"{name}:1: query 1 has no text in W" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        '{"id": "1", "title": "solar power"}\n{"id": "2", "title": "wind mills"}\n',
        "<topics><topic number='1'><query>solar power</query></topic>"
        "<topic number='2'><query>wind mills</query></topic></topics>",
        "<top><num>1<title>solar power</top><top><num>2<title>wind mills</top>",
        "id\tquery\n1\tsolar power\n2\twind mills\n",
        "1\tsolar power\r\n2\twind mills\r\n",
    ],
)
def test_every_format_of_topics(built: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    (built / "two.tsv").write_text("".join(TOPICS.splitlines(keepends=True)[:2]))
    (built / "other").write_text(text, newline="")
    assert out(capsys, "retrieve", "idx", "other") == out(capsys, "retrieve", "idx", "two.tsv")


def test_topics_that_all_find_nothing(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (built / "zebra").write_text("9\tzebra\n")
    (built / "old.run").write_text("old")
    assert main(["retrieve", "idx", "zebra", "-o", "old.run"]) == 2
    assert capsys.readouterr().err == (
        "note: topic 9: no term of the query is indexed: zebra\nno topic finds a document\n"
    )
    assert (built / "old.run").read_text() == "old"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["retrieve", "idx", "topics.tsv", "-o", "topics.tsv"], "topics.tsv: is an input, and would be overwritten"),
        (
            ["retrieve", "idx", "topics.tsv", "-o", "idx/x.run"],
            "idx/x.run: output must not be inside the index folder idx",
        ),
        (["retrieve", "idx", "topics.tsv", "--name", "a b"], "tag 'a b' cannot stand in a line of TREC"),
        (["retrieve", "idx", "topics.tsv", "-f", "parquet"], "give --output FILE"),
        (["retrieve", "idx", "topics.tsv", "-k", "0"], "must be a whole number from 1"),
        (["retrieve", "idx", "topics.tsv", "--field", "name"], "invalid choice: 'name'"),
        (["retrieve", "idx", "nowhere"], "nowhere: no such file"),
        (["retrieve", "idx", "nowhere", "-o", "none/x.run"], "none/x.run: cannot be written: there is no folder"),
        (["retrieve", "idx", "nowhere", "-o", "."], ".: cannot be written: it is a folder"),
        (["search", "idx", "solar", "-w", "bm52"], "bm52"),
        (
            ["search", "idx", "solar", "-o", "idx/manifest.json"],
            "idx/manifest.json: output must not be inside the index folder idx",
        ),
        (["search", "idx", "solar", "-o", "x.parquet"], "parquet is not available here"),
        (["search", "idx"], "the following arguments are required: query"),
        (["search", "nowhere", "solar"], "nowhere: no such index"),
        (["search", ".", "solar"], ".: no index here: manifest.json is missing"),
        (["explain", "idx", "solar", "sum"], "idx: no document 'sum', did you mean sun?"),
        (["explain", "idx", "solar", "sun", "-f", "csv"], "invalid choice: 'csv'"),
        (["explain", "idx", "solar", "sun", "-o", "x.csv"], "csv is not available here"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(
    built: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    manifest = (built / "idx" / "manifest.json").read_bytes()
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""
    assert (built / "idx" / "manifest.json").read_bytes() == manifest
    assert (built / "topics.tsv").read_text() == TOPICS


@pytest.mark.parametrize("command", [["search", "idx", "a"], ["retrieve", "idx", "trec"], ["explain", "idx", "a", "b"]])
def test_an_index_that_is_not_whole(built: Path, capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    def error() -> str:
        assert main(command) == 2
        printed = capsys.readouterr()
        assert printed.err.count("\n") == 1
        return printed.err

    manifest = built / "idx" / "manifest.json"
    whole = manifest.read_text()
    manifest.write_text(whole.replace('"version": 2', '"version": 99'))
    assert "the index has version 99, this program reads" in error()
    manifest.write_text(whole[:50])
    assert "damaged" in error()
    manifest.write_text(whole)
    (postings,) = (built / "idx").glob("adjudge-data-*/postings")
    postings.write_bytes(postings.read_bytes()[:-1])
    assert "truncated" in error()
    postings.unlink()
    assert "missing" in error()


# -- explain ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weighting", ["bm25", "lucene_classic", "dirichlet(mu=100)", "cosine"])
def test_the_tree_adds_up_to_the_score(built: Path, capsys: pytest.CaptureFixture[str], weighting: str) -> None:
    base = ["idx", "solar power zebra", "sun", "-w", weighting]
    tree = json.loads(out(capsys, "explain", *base, "-f", "json"))
    score = dict(Searcher(Index.open("idx"), weighting).search(["solar power zebra"])[0])["sun"]
    assert tree["value"] == pytest.approx(score, rel=1e-12)
    assert tree["combine"] == "sum"
    assert sum(part["value"] for part in tree["parts"]) == pytest.approx(score)
    lines = out(capsys, "explain", *base, "--digits", "3").splitlines()
    assert lines[0].split()[0] == f"{score:.3f}"
    assert "not found: zebra (not indexed)" in lines[0]
    points = {line.index(".") for line in lines if "e-" not in line.split()[0]}
    assert len(points) == 1, "the numbers stand below each other"
    assert [line for line in lines if "    + the term solar" in line]
    assert [line for line in lines if "      × weight in the document" in line]


def test_explaining_a_document_that_is_not_found(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert out(capsys, "explain", "idx", "solar", "coal") == (
        "0.0000  coal has no term of the query that counts: solar\n"
    )
    assert out(capsys, "explain", "idx", "solar", "coal", "-o", "why.json") == ""
    assert json.loads((built / "why.json").read_text())["value"] == 0


# -- what the help says -----------------------------------------------------------------------------------------------


def examples(command: str) -> list[str]:
    """Those for one machine: tests/cluster has a cluster."""
    lines = (import_module(f"adjudge.cli.{command}").__doc__ or "").splitlines()
    return [line.strip() for line in lines if line.startswith("    adjudge ") and "--engine spark" not in line]


def test_examples_of_the_help_work_as_printed(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "<html><head><title>Solar</title></head><body><p>solar power</p></body></html>"
    document = "<DOC>\n<DOCNO> FR940405-1-00001 </DOCNO>\n<TEXT>\nSolar power in Florida.\n</TEXT>\n</DOC>\n"
    other = "<DOC>\n<DOCNO> FR940405-1-00002 </DOCNO>\n<TEXT>\nCoupon bonds.\n</TEXT>\n</DOC>\n"
    for name, text in {
        "fr94/fr940405.0": document + other,
        "new/fr940406.0": document.replace("FR940405", "FR940406"),
        "articles.jsonl": '{"id": "1", "text": "solar"}\n',
        "pages/deep/a.html": page,
        "topics.txt": TREC.replace("coal", "solar").replace("wind", "florida"),
        "queries.tsv": "7\tsolar power\n",
        "qrels.txt": "7 0 FR940405-1-00001 1\n",
        "scans/page1.hocr": (
            "<html><body><div class='ocr_page' title='bbox 0 0 900 900'><span class='ocr_line' title='bbox 9 9 600 40'>"
            "<span class='ocrx_word' title='bbox 9 9 200 40'>solar</span> "
            "<span class='ocrx_word' title='bbox 210 9 400 40'>power</span></span></div></body></html>"
        ),
    }.items():
        (files / name).parent.mkdir(parents=True, exist_ok=True)
        (files / name).write_text(text)
    scanned = {"id": "FR940405-1-00001", "text": "Federal Regis[er"}
    (files / "scanned.jsonl").write_text(json.dumps(scanned) + "\n")
    (files / "more.jsonl.gz").write_bytes(gzip.compress(b'{"id": "2", "text": "power"}\n'))
    for command in ("index", "search", "retrieve", "explain"):
        assert len(examples(command)) >= 2
        for line in examples(command):
            printed = ""
            for part in line.split(" | adjudge "):
                monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(printed.encode())))
                words = shlex.split(part.removeprefix("adjudge "))
                assert main(words) == 0, line
                printed = capsys.readouterr().out
            assert printed or "-o" in words


def test_a_flipped_bit_is_found_by_verifying(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "d.jsonl").write_text("".join(f'{{"id": "d{i}", "text": "word{i} and others"}}\n' for i in range(50)))
    assert main(["index", str(tmp_path / "d.jsonl"), "-o", str(tmp_path / "i")]) == 0
    capsys.readouterr()
    assert main(["index", "verify", str(tmp_path / "i")]) == 0
    assert capsys.readouterr().out.startswith(f"{tmp_path / 'i'}: all files are intact: 50 documents, ")
    largest = max((p for p in (tmp_path / "i").rglob("*") if p.is_file()), key=lambda p: p.stat().st_size)
    data = bytearray(largest.read_bytes())
    data[len(data) // 2] ^= 1
    largest.write_bytes(data)
    assert main(["index", "verify", str(tmp_path / "i")]) == 2
    said = capsys.readouterr().err
    assert str(largest) in said
    assert said.count("\n") == 1
