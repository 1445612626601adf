"""Runs of chunks become runs of documents: by separator, pattern or table; the first, the largest, the sum."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge
from adjudge.cli import main
from adjudge.core.collapse import Collapse
from adjudge.core.errors import AdjudgeError, ConflictError, DataError, SpecError, WrongTypeError
from adjudge.core.judging import Judging
from adjudge.formats.chunks import read_chunks, read_collapse

RUN = {"1": {"a#2": 4.0, "b#10": 3.0, "b#9": 2.5, "a#1": 1.0, "c": 0.5}, "2": {"b#1": -1.0, "b#2": -2.0}}
QRELS = {"1": {"a": 1, "c": 1}, "2": {"b": 2}}


@pytest.mark.parametrize(
    ("keep", "first", "second"),
    [
        ("max", {"a": 4.0, "b": 3.0, "c": 0.5}, {"b": -1.0}),
        ("sum", {"a": 5.0, "b": 5.5, "c": 0.5}, {"b": -3.0}),
        ("first", {"a": 1.0, "b": 2.5, "c": 0.5}, {"b": -1.0}),  # chunk 9 stands before chunk 10
    ],
)
def test_what_is_kept(keep: str, first: dict[str, float], second: dict[str, float]) -> None:
    run = adjudge.collapse(RUN, keep, separator="#")
    assert run.to_dict() == {"1": first, "2": second}
    (note,) = run.notes
    assert (note["lines"], note["documents"], note["unmarked"], note["negative"]) == (7, 4, 1, keep == "sum")
    assert str(note).startswith("run: 7 lines for 4 documents, ")


@given(
    st.lists(
        st.tuples(
            st.sampled_from("12"), st.sampled_from(["a", "é", "d#x"]), st.integers(0, 30), st.integers(-9, 9).map(float)
        ),
        min_size=1,
        unique_by=lambda row: row[:3],
    ),
    st.sampled_from(["max", "sum", "first"]),
    st.sampled_from(["#", "::", "⁂"]),
)
def test_the_definition_on_random_runs(rows: list[tuple[str, str, int, float]], keep: str, separator: str) -> None:
    run: dict[str, dict[str, float]] = {}
    chunks: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for topic, document, chunk, score in rows:
        run.setdefault(topic, {})[f"{document}{separator}{chunk}"] = score
        chunks.setdefault((topic, document), []).append((chunk, score))
    meant: dict[str, dict[str, float]] = {}
    for (topic, document), own in chunks.items():
        values = [score for _, score in own]
        meant.setdefault(topic, {})[document] = {"max": max(values), "sum": sum(values), "first": min(own)[1]}[keep]
    table = {f"{d}{separator}{c}": d for _, d, c, _ in sorted(rows, key=lambda row: row[2])}
    for rule in ({"separator": separator}, {"pattern": rf"(.*){separator}\d+"}, {"table": table}):
        assert adjudge.collapse(run, keep, **rule).to_dict() == meant


def test_documents_that_occur_more_than_once(tmp_path: Path) -> None:
    path = tmp_path / "twice.run"
    path.write_text("1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 a 3 1 t\n")
    with pytest.raises(ConflictError, match=r"twice\.run:3: document a occurs twice in topic 1"):
        adjudge.read_run(path)
    assert adjudge.collapse(path).to_dict() == {"1": {"a": 3.0, "b": 2.0}}
    assert adjudge.collapse(path, "first").to_dict() == {"1": {"a": 3.0, "b": 2.0}}
    frame = pl.DataFrame({"topic": ["1"] * 3, "document": ["a", "b", "a"], "score": [3.0, 2.0, 1.0]})
    assert adjudge.collapse(frame, "sum").to_dict() == {"1": {"a": 4.0, "b": 2.0}}
    scores = adjudge.measure({"1": {"a": 1, "b": 1}}, path, ["ndcg@10", "set_recall"], collapse="max")
    assert scores.summary() == {"t": {"ndcg@10": 1.0, "set_recall": 1.0}}


def test_measures_see_documents_and_ties_are_broken_by_their_ids() -> None:
    run = {"1": {"a#1": 2.0, "b#1": 2.0, "b#2": 2.0}}
    scores = adjudge.measure({"1": {"a": 1}}, {"mine": run}, ["rr", "num_ret"], collapse={"separator": "#"})
    assert scores.summary() == {"mine": {"rr": 0.5, "num_ret": 2.0}}  # b is later in byte order than a
    assert [note.kind for note in scores.notes] == ["chunks_collapsed"]
    assert scores.notes[0].subject == "mine"
    judged = adjudge.judge(adjudge.read_run(run), adjudge.read_qrels({"1": {"a": 1}}), collapse=Collapse(separator="#"))
    assert judged.num_ret.tolist() == [2]


@pytest.mark.parametrize(
    ("settings", "error", "why"),
    [
        ({"separator": "%"}, DataError, "no document id contains '%', so none is a chunk's: the first is a#2"),
        ({"pattern": r"(x\d+)"}, DataError, "no document id matches"),
        ({"pattern": "[0-9]+"}, SpecError, "has no group: put the document's id in parentheses"),
        ({"pattern": "(a"}, SpecError, "is no regular expression: missing"),
        ({"table": {"a#2": "a"}}, DataError, "run: chunk b#10 of topic 1 has no document in the table of chunks"),
        ({"table": {}}, DataError, "empty: no chunk is in it"),
        ({"separator": "#", "pattern": "(.*)"}, SpecError, "give one of them"),
        ({"keep": "mean"}, SpecError, "collapse keeps first, max, sum, not 'mean'"),
    ],
)
def test_what_is_refused(settings: dict[str, Any], error: type[AdjudgeError], why: str) -> None:
    with pytest.raises(error) as caught:
        adjudge.collapse(RUN, **settings)
    assert why in str(caught.value)


def test_settings_are_checked() -> None:
    assert read_collapse(None) is None
    assert read_collapse("sum") == Collapse("sum")
    with pytest.raises(SpecError, match="collapse has no setting 'seperator', did you mean separator"):
        read_collapse({"seperator": "#"})
    with pytest.raises(WrongTypeError, match="collapse must be max, first, sum, a Collapse or settings, not int"):
        read_collapse(3)  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="collapse must be a Collapse"):
        Judging(collapse="max")  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="known by one rule: separator or pattern"):
        Collapse(separator="#", pattern="(.*)")


def test_tables(tmp_path: Path) -> None:
    path = tmp_path / "chunks"
    meant = {"p1": "a", "p2": "a", "p3": "b"}
    for text in (
        "p1 a\n# more\n\np2\ta\np3 b\n",
        "chunk,document\np1,a\np2,a\np3,b\n",
        '{"p1": "a", "p2": "a", "p3": "b"}',
        "docid\tpassage_id\na\tp1\na\tp2\nb\tp3\n",
    ):
        path.write_text(text)
        assert read_chunks(path) == meant
    pl.DataFrame({"chunk": list(meant), "parent": list(meant.values())}).write_parquet(path)
    assert read_chunks(path) == meant
    for text, why in (
        ("p1 a\np1 b\n", "chunks:2: chunk p1 was of document a before, now of b"),
        ("p1 a x\n", "chunks:1: a table of chunks has 2 columns"),
        ("# nothing\n", "chunks: empty"),
        ('{"p1": null}', "chunks: no document"),
    ):
        path.write_text(text)
        with pytest.raises(AdjudgeError, match=why):
            read_chunks(path)


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.run").write_text("1 Q0 a_2 1 4 t\n1 Q0 b_1 2 3 t\n1 Q0 a_1 3 2 t\n2 Q0 b_7 1 1 t\n")
    Path("q.run").write_text("1 Q0 b_2 1 4 t\n1 Q0 a_1 2 2 t\n2 Q0 b_7 1 1 t\n")
    Path("qrels").write_text("1 0 a 1\n2 0 b 1\n")
    Path("table").write_text("a_1 a\na_2 a\nb_1 b\n")
    assert main(["collapse", "p.run", "--chunk-separator", "_", "--keep", "sum"]) == 0
    out, err = capsys.readouterr()
    assert out == "1 Q0 a 1 6.0 t\n1 Q0 b 2 3.0 t\n2 Q0 b 1 1.0 t\n"
    assert err == "note: t: 4 lines for 3 documents, the sum of scores for each\n"
    options = ["--chunk-pattern", r"(.*)_\d+", "-m", "ndcg@10", "-f", "csv"]
    assert main(["measure", "qrels", "p.run", *options, "-o", "scores.csv"]) == 0
    assert Path("scores.csv").read_text() == "system,ndcg@10\np,1.0\n"
    assert main(["compare", "qrels", "p.run", "q.run", "--chunk-separator", "_"]) == 0
    assert main(["guard", "qrels", "p.run", "p.run", "--collapse", "first", "--chunk-separator", "_"]) == 0
    assert main(["known-item", "qrels", "p.run", "--chunk-separator", "_", "--samples", "0"]) == 0
    assert main(["collapse", "p.run", "--chunk-separator", "_", "-o", "p.run"]) == 2
    capsys.readouterr()
    assert main(["measure", "qrels", "p.run", "--chunk-table", "table"]) == 2
    assert capsys.readouterr().err == "p: chunk b_7 of topic 2 has no document in table\n"


def test_a_plan_collapses_what_it_is_given(tmp_path: Path) -> None:
    for name, lines in (("x", "1 Q0 a#1 1 2 t\n1 Q0 a#2 2 1 t\n2 Q0 b#1 1 1 t\n"), ("y", "1 Q0 b#1 1 2 t\n")):
        (tmp_path / "runs").mkdir(exist_ok=True)
        (tmp_path / "runs" / f"{name}.run").write_text(lines)
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n1 0 b 0\n2 0 b 1\n")
    plan = 'judgments = "qrels.txt"\nruns = "runs"\nsamples = 39\ntests = ["t"]\n'
    (tmp_path / "plan.toml").write_text(plan + 'collapse = { keep = "sum", separator = "#" }\n')
    found = adjudge.run(tmp_path / "plan.toml", tmp_path / "out")
    assert found.results.run("runs", "x").to_dict() == {"1": {"a": 3.0}, "2": {"b": 1.0}}
    notes = found.results.records["runs"]["x"].notes
    assert [note.kind for note in notes] == ["chunks_collapsed"]
    (tmp_path / "plan.toml").write_text(plan + 'collapse = { keep = "sum", splitter = "#" }\n')
    with pytest.raises(DataError, match=r"plan\.toml: collapse has no setting 'splitter'"):
        adjudge.run(tmp_path / "plan.toml", tmp_path / "other")


def test_systems_of_a_plan_that_search_chunks() -> None:
    documents = {"a#1": "solar power", "a#2": "solar solar plants", "b#1": "wind power", "b#2": "wind"}
    found = adjudge.experiment(
        ["bm25"],
        documents,
        {"1": "solar", "2": "wind power"},
        {"1": {"a": 1}, "2": {"b": 1}},
        collapse={"separator": "#"},
        samples=39,
        tests="t",
    )
    assert set(found.results.run("clean", "bm25").to_dict()["2"]) == {"a", "b"}
    assert found.findings is not None
    assert found.findings.first.scores.summary()["bm25"]["rr"] == 1.0
