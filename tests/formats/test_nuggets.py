"""Nugget assignments: the AutoNuggetizer's files and plain tables, and the scores that follow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge
from adjudge.cli import main
from adjudge.core.errors import AdjudgeError, ConflictError, DataError
from adjudge.core.nuggets import MEASURES

ASSIGNED = ("support", "partial_support", "not_support")


def nugget(text: str, importance: str, assignment: str) -> dict[str, str]:
    return {"text": text, "importance": importance, "assignment": assignment}


def answer(qid: str, run: str, *labels: str) -> dict[str, Any]:
    """An answer as nuggetizer assign writes it; a label is two letters, vital or okay and support, partial or none."""
    importance, assignment = (
        {"v": "vital", "o": "okay"},
        dict(zip("spn", ASSIGNED, strict=True)),
    )
    nuggets = [nugget(f"fact {i}", importance[a], assignment[b]) for i, (a, b) in enumerate(map(tuple, labels))]
    return {"query": "?", "qid": qid, "answer_text": "…", "response_length": 3, "run_id": run, "nuggets": nuggets}


ANSWERS = [
    answer("1", "good", "vs", "vp", "on"),
    answer("1", "bad", "vn", "vn", "op"),
    answer("2", "good", "vs", "os"),
    answer("2", "bad", "vs", "on"),
]


def lines(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def slow(labels: list[str]) -> dict[str, float]:
    """The definitions, nugget by nugget."""
    values = {}
    for strict in (True, False):
        worth = {"s": 1.0, "p": 0.0 if strict else 0.5, "n": 0.0}
        for name, weights in (
            ("vital", {"v": 1.0, "o": 0.0}),
            ("weighted", {"v": 1.0, "o": 0.5}),
            ("all", {"v": 1.0, "o": 1.0}),
        ):
            below = sum(weights[label[0]] for label in labels)
            above = sum(weights[label[0]] * worth[label[1]] for label in labels)
            values[f"{'strict_' if strict else ''}{name}_score"] = above / below if below else 0.0
    return values


@given(st.lists(st.builds("".join, st.tuples(st.sampled_from("vo"), st.sampled_from("spn"))), max_size=9))
def test_the_definitions(labels: list[str]) -> None:
    scores = adjudge.nuggets([answer("1", "x", *labels)])
    assert scores.per_topic("x")["1"] == pytest.approx(slow(labels))
    assert scores.measures == MEASURES


def test_values_of_the_reference_program() -> None:
    """One vital nugget supported, one in part, an okay one not: the values of nuggetizer's own test."""
    assert adjudge.nuggets(ANSWERS[:1]).per_topic("good")["1"] == {
        "strict_vital_score": 0.5,
        "strict_weighted_score": pytest.approx(1 / 2.5),
        "strict_all_score": pytest.approx(1 / 3),
        "vital_score": 0.75,
        "weighted_score": pytest.approx(1.5 / 2.5),
        "all_score": 0.5,
    }


def test_every_form(tmp_path: Path) -> None:
    meant = adjudge.nuggets(ANSWERS)
    rows = [
        (record["run_id"], record["qid"], n["text"], n["importance"], n["assignment"])
        for record in ANSWERS
        for n in record["nuggets"]
    ]
    names = ["run", "qid", "nugget", "importance", "assignment"]
    frame = pl.DataFrame(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    texts = {
        "a.jsonl": lines(ANSWERS),
        "b.json": json.dumps(ANSWERS, indent=1),
        "c.tsv": frame.write_csv(separator="\t"),
        "d.csv": frame.write_csv(),
        "e.tsv": frame.write_csv(separator="\t", include_header=False),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        assert adjudge.nuggets(tmp_path / name) == meant, name
        if name != "e.tsv":  # without a header it could be any table
            assert adjudge.read_scores(tmp_path / name) == meant
    assert adjudge.nuggets(frame) == adjudge.nuggets(frame.to_pandas()) == meant
    (tmp_path / "one.json").write_text(json.dumps(ANSWERS[0], indent=2))
    assert adjudge.nuggets({"x": tmp_path / "one.json"})["x", "1", "all_score"] == 0.5


def test_several_files_and_topics_without_an_answer(tmp_path: Path) -> None:
    for name, record in (("a", ANSWERS[0]), ("b", ANSWERS[3])):
        (tmp_path / f"{name}.jsonl").write_text(lines([{k: v for k, v in record.items() if k != "run_id"}]))
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    assert adjudge.nuggets(paths).systems == ("a", "b")
    assert adjudge.nuggets(paths, complete=True).mean()["a"]["all_score"] == 0.25
    assert adjudge.nuggets(paths).mean()["a"]["all_score"] == 0.5
    assert adjudge.nuggets(dict(zip(("x", "y"), paths, strict=True))).systems == ("x", "y")
    with pytest.raises(ConflictError, match="the answer of a to topic 1 is in two files"):
        adjudge.nuggets([paths[0], paths[0]])


def test_notes() -> None:
    odd = answer("1", "x", "os")
    odd["nuggets"].append(nugget("lost", "failed", "failed"))
    scores = adjudge.nuggets([odd, answer("1", "y", "vs")])
    assert scores["x", "1", "all_score"] == 0.5
    assert [note.kind for note in scores.notes] == ["nuggets_failed", "topics_without_vital", "nuggets_differ"]
    assert str(scores.notes[0]) == "1 of 3 nuggets has no label (failed): it counts as not supported"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"qid": "1", "nuggets": 3}\n', ":1: an answer has qid, run_id and a list of nuggets"),
        ('{"nuggets": []}\n', ":1: no qid"),
        (lines([ANSWERS[0], ANSWERS[0]]), ":2: the answer of good to topic 1 was there before, at "),
        (lines([{"qid": "1", "nuggets": [nugget("a", "big", "support")]}]), ":1: the importance of a nugget is 'big'"),
        (
            lines([{"qid": "1", "nuggets": [nugget("a", "vital", "")]}]),
            ":1: the assignment of a nugget is '', not one of",
        ),
        (lines([{"qid": "1", "nuggets": ["a"]}]), ":1: a nugget has text, importance and assignment, not 'a'"),
        (lines(ANSWERS) + "{oops\n", ":5: not JSON"),
        ("topic\tnugget\tassignment\n1\ta\tsupport\n", ": no importance column among: topic, nugget, assignment"),
        ("topic\tnugget\timportance\tassignment\n1\ta\tvital\n", ":2: 4 columns are expected, this line has 3"),
        ("1\ta\tvital\tsupport\n1\ta\tokay\tsupport\n", ":2: nugget 'a' of topic 1 was there before"),
        ("1 a vital support\n", ":1: nugget assignments have 4 or 5 columns"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "bad").write_text(text)
    with pytest.raises(AdjudgeError) as caught:
        adjudge.read_nuggets(tmp_path / "bad")
    assert str(caught.value).startswith(f"{tmp_path}/bad{why}")


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("all.jsonl").write_text(lines(ANSWERS))
    for name, pair in {"good": ANSWERS[::2], "bad": ANSWERS[1::2]}.items():
        Path(f"{name}.jsonl").write_text(lines(pair))
    assert main(["nuggets", "all.jsonl", "-m", "strict_vital_score", "-m", "all_score", "-f", "csv"]) == 0
    table = "system,strict_vital_score,all_score\ngood,0.75,0.75\nbad,0.5,0.3333333333333333\n"
    assert capsys.readouterr().out == table
    assert main(["nuggets", "good.jsonl", "worse=bad.jsonl", "--per-topic", "-o", "scores.csv"]) == 0
    assert adjudge.read_scores("scores.csv").systems == ("good", "worse")
    assert main(["compare", "all.jsonl", "-m", "strict_vital_score"]) == 0
    assert main(["guard", "good.jsonl", "bad.jsonl", "-m", "strict_vital_score", "--tolerance", "0.9"]) in {0, 3}
    with pytest.raises(DataError, match="empty"):
        adjudge.nuggets(pl.DataFrame({"topic": [], "nugget": [], "importance": [], "assignment": []}))
