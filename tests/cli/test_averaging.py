"""``adjudge average`` and ``adjudge sensitivity``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import polars as pl
import pytest

import adjudge
from adjudge.cli import main
from adjudge.formats.scores import read_scores

QRELS = "1 0 a 1\n2 0 a 1\n3 0 z 1\n"
GOOD = "1 Q0 a 1 2 good\n2 Q0 a 1 2 good\n3 Q0 y 1 2 good\n"
EVEN = "1 Q0 b 1 2 even\n1 Q0 a 2 1 even\n2 Q0 b 1 2 even\n2 Q0 a 2 1 even\n3 Q0 y 1 2 even\n3 Q0 z 2 1 even\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"qrels": QRELS, "good": GOOD, "even": EVEN}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def out(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_average_of_runs(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert out(capsys, "average", "qrels", "good", "even", "--by", "mean", "--by", "gm").splitlines() == [
        "ap      mean  gm(floor=1e-05)",
        "good  0.6667           0.0215",
        "even  0.5000           0.5000",
    ]


def test_average_agrees_with_trec_eval(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (files / "qrels").open("a") as file:
        file.write("4 0 a 1\n")
    for options in ([], ["-c"]):
        theirs = out(capsys, "trec_eval", *options, "-m", "gm_map", "qrels", "good").split()[-1]
        ours = out(capsys, "average", *options, "qrels", "good", "--by", "log(eps=1e-5, zeros=floor)", "-f", "csv")
        assert f"{float(ours.splitlines()[1].split(',')[1]):.4f}" == theirs


def test_forms(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["average", "qrels", "good", "even", "-m", "ndcg", "--by", "log", "-f"]
    rows = list(csv.reader(io.StringIO(out(capsys, *base, "csv"))))
    assert rows[0] == ["system", "log(eps=1e-05, zeros=add)"]
    data = json.loads(out(capsys, *base, "json"))
    assert data[0]["system"] == "good"
    assert "| --- | ---: |" in out(capsys, *base, "md")
    assert r"\toprule" in out(capsys, *base, "latex")
    raw = out(capsys, "average", "qrels", "good", "--by", "log", "--raw")
    assert "log(eps=1e-05, zeros=add) (raw)" in raw
    assert raw.splitlines()[1].split()[1].startswith("-3.")


def test_scores_from_files(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = out(capsys, "average", "qrels", "good", "even", "-f", "csv").replace("ap,", "x,", 1)
    out(capsys, "measure", "qrels", "good", "even", "-m", "ap", "-q", "-f", "csv", "-o", "wide.csv")
    out(capsys, "measure", "qrels", "good", "even", "-m", "ap", "-q", "-f", "json", "-o", "s.json")
    out(capsys, "measure", "qrels", "good", "even", "-m", "ap", "-q", "-o", "s.parquet")
    for name in ("s.json", "s.parquet"):
        assert out(capsys, "average", name, "-f", "csv").replace("ap,", "x,", 1) == expected
    frame = read_scores("s.parquet").to_polars()
    frame.write_csv("long.csv")
    assert out(capsys, "average", "long.csv", "-f", "csv").replace("ap,", "x,", 1) == expected
    frame.pivot("system", index="topic", values="value").write_csv("matrix.csv")
    assert out(capsys, "average", "matrix.csv", "-m", "x", "-f", "csv") == expected
    frame.pivot("system", index="topic", values="value").drop("topic").write_csv("bare.tsv", separator="\t")
    assert out(capsys, "average", "bare.tsv", "-m", "x", "-f", "csv") == expected


def test_sensitivity(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "sensitivity", "qrels", "good", "even")
    assert "good leads on the mean, even when low values count more (power transformation, power" in text
    assert "no significant difference reverses" in text
    data = json.loads(out(capsys, "sensitivity", "qrels", "good", "even", "-f", "json"))
    assert data["pairs"] == 1
    assert data["stable"] == 0
    assert len(data["transformations"]) == 146
    assert {swap["family"] for swap in data["swaps"]} >= {"power", "log"}
    assert len(out(capsys, "sensitivity", "qrels", "good", "even", "-f", "csv").splitlines()) == 147
    halves = out(capsys, "sensitivity", "qrels", "good", "even", "--halves", "0.05", "-f", "csv")
    assert halves.splitlines()[0] == "system,average of ap,before,all +0.05,lower half,upper half"
    assert len(halves.splitlines()) == 13


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["average", "qrels", "good", "--by", "men"], "no average 'men', did you mean mean"),
        (["average", "qrels", "good", "--by", "log(eps=0)"], "eps must be above 0"),
        (
            ["average", "qrels", "good", "-m", "utility", "--by", "log"],
            "values under log(eps=1e-05, zeros=add) must be 0 or more",
        ),
        (["average", "qrels", "good", "-m", "ap,rr"], "one measure at a time"),
        (["average", "nowhere.csv"], "nowhere.csv: no such file"),
        (
            ["average", "qrels", "good", "-m", "ap(tail=worst)", "-N", "1"],
            "good, topic 3: 2 documents retrieved or relevant",
        ),
        (["sensitivity", "qrels", "good"], "1 system, good: a comparison needs at least two systems"),
    ],
)
def test_mistakes(files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("system,topic,value\nA,1,x\n", "value of A on topic 1 is not a number: 'x'"),
        ("system,topic,value\nA,1,0.5\nA,1,0.6\n", "value of A on topic 1 is given twice"),
        ("topic\n1\n", "a row for each topic and a column for each system"),
        ('{"figures": {}}', "no scores by topic in it"),
        ("A,B\n0.5,inf\n", "infinite values"),
        ("A,B\n0.5\n1,2,3\n", "s:2: the header has 2 columns, this line 1: '0.5'"),
        ("A,A\n0.5,1\n", "s:1: two columns are named A"),
        (",A\n0,1\n", "s:1: a column without a name"),
        ("0.5,0.6\n0.1,0.2\n", "s:1: numbers where the names of the systems should be"),
        ("1 Q0 d 1 2 t\n", "s:1: a table of scores has columns between commas or tabs"),
        ("system,topic,value\n,1,0.5\n", "row 1: no system"),
        ('{"topics": {}}', "no score in it"),
    ],
)
def test_bad_scores(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "s").write_text(text)
    with pytest.raises(adjudge.AdjudgeError, match=message):
        read_scores(tmp_path / "s")


def test_a_matrix_with_holes(tmp_path: Path) -> None:
    pl.DataFrame({"topic": ["b", "a"], "A": [0.5, None], "B": [0.25, 0.75]}).write_csv(tmp_path / "m.csv")
    scores = read_scores(tmp_path / "m.csv", measure="ap")
    assert scores.topics == ("a", "b")
    assert scores.mean() == {"A": {"ap": 0.5}, "B": {"ap": 0.5}}
