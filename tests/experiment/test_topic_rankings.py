"""Two rankings of a topic side by side: ranks by hand, grades, what is missed, texts, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import adjudge
from adjudge.cli import main
from adjudge.core.errors import DataError, SpecError
from adjudge.core.judging import Judging

QRELS = {"1": {"x": 2, "y": 0, "far": 1, "gone": 3}, "2": {"x": 1}}
RUNS = {
    "a": {"1": {"x": 3.0, "y": 2.0, "far": 1.0}, "2": {"x": 1.0}},
    "b": {"1": {"y": 4.0, "new": 3.0, "x": 2.0}},
}
TEXTS = {"x": "Solar power in the valley", "y": "Wind", "far": "Far from here the sun rises on solar cells"}


def test_ranks_grades_and_what_is_missed() -> None:
    result = adjudge.compare_topic(QRELS, RUNS, "1", ["ap", "p@2"], depth=2, documents=TEXTS, topics={"1": "solar"})
    first, second = result.lists
    assert [(row.document, row.rank, row.grade, row.beside) for row in first] == [("x", 1, 2, 3), ("y", 2, 0, 1)]
    assert [(row.document, row.grade, row.beside, row.moved) for row in second] == [
        ("y", 0, 2, 1),
        ("new", None, None, 0),
    ]
    assert (result.shared, result.unjudged, result.relevant, result.graded) == (1, (0, 1), 3, True)
    assert [(m.document, m.grade, m.ranks) for m in result.missed] == [("gone", 3, (None, None)), ("far", 1, (3, None))]
    assert result.values["p@2"] == (0.5, 0.0)
    assert first[0].extract.words == "Solar power in the valley"
    assert result.missed[1].extract.words.endswith("solar cells")
    assert result.question == "solar"
    assert "Nobody judged 1 of b." in result.conclusion()
    strict = adjudge.compare_topic(QRELS, RUNS, "1", depth=2, judging=Judging(level=3))
    assert [m.document for m in strict.missed] == ["gone"]


def test_a_topic_that_one_run_lacks_and_one_that_nobody_judged() -> None:
    result = adjudge.compare_topic(QRELS, RUNS, "2")
    assert result.lists[1] == ()
    assert result.values["ap"] == (1.0, 0.0)
    unjudged = adjudge.compare_topic({"2": {"x": 1}}, RUNS, "1")
    assert unjudged.values == {}
    assert "no judgment for topic 1" in str(unjudged.notes[0])


def test_from_an_index_and_from_documents_alike(tmp_path: Path) -> None:
    index = adjudge.index(TEXTS, tmp_path / "index")
    ways = (str(tmp_path / "index"), index, TEXTS)
    words = [
        [row.extract for row in adjudge.compare_topic(QRELS, RUNS, "1", documents=way, topics={"1": "solar"}).lists[0]]
        for way in ways
    ]
    assert words[0] == words[1] == words[2]
    adjudge.index(TEXTS, tmp_path / "bare", texts=False)
    with pytest.raises(DataError, match="built without texts"):
        adjudge.compare_topic(QRELS, RUNS, "1", documents=tmp_path / "bare")
    none = adjudge.compare_topic(QRELS, RUNS, "1", documents={"q": "else"})
    assert "hold none of those" in str(none.notes[-1])


def test_what_is_refused() -> None:
    with pytest.raises(SpecError, match="side by side, not 1"):
        adjudge.compare_topic(QRELS, {"a": RUNS["a"]}, "1")
    with pytest.raises(DataError, match="no topic '11' in a or b, did you mean 1"):
        adjudge.compare_topic(QRELS, RUNS, "11")
    with pytest.raises(DataError, match="neither a nor b has a document for topic 3"):
        adjudge.compare_topic({**QRELS, "3": {"x": 1}}, RUNS, "3")
    with pytest.raises(SpecError, match="depth must be 1 or more"):
        adjudge.compare_topic(QRELS, RUNS, "1", depth=0)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    adjudge.write_example(tmp_path)
    files = ["qrels.txt", "lexical.run", "dense.run"]
    assert main(["compare", *files, "--topic", "3", "--first", "3"]) == 0
    out = capsys.readouterr().out
    assert "  1 paper-076  relevant (2)  ▲19 (20)" in out
    assert "Relevant and in neither list" in out
    for form in ("md", "latex", "html", "csv"):
        assert main(["compare", *files, "--topic", "3", "-f", form]) == 0
        assert "paper-076" in capsys.readouterr().out
    assert main(["compare", *files, "--topic", "3", "-o", "out.json"]) == 0
    assert json.loads(Path("out.json").read_text()) == adjudge.compare_topic(files[0], files[1:], "3").to_dict()
    for wrong, why in (
        ([*files, "fused.run", "--topic", "3"], "not 3"),
        ([*files[:2], "--topic", "3"], "give judgments and two runs"),
        ([*files, "--documents", "documents.jsonl"], "--documents is for --topic"),
        ([*files, "--topic", "3", "--documents", "nowhere"], "nowhere: no such file"),
    ):
        assert main(["compare", *wrong]) == 2
        assert why in capsys.readouterr().err


def test_names_cannot_steer_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    from adjudge.report.topic_text import as_text

    runs = {"a\x1b[31m": {"1": {"x\x1b[2J": 1.0}}, "b": {"1": {"y": 1.0}}}
    text = as_text(adjudge.compare_topic({"1": {"y": 1}}, runs, "1"), "table")
    assert "\x1b" not in text
