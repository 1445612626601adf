"""``adjudge correlate``: two rankings, or the rankings of systems by measures and averages."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from adjudge.cli import main
from adjudge.core.errors import ConflictError, DataError
from adjudge.correlation import tau_ap_b, tau_b
from adjudge.formats.rankings import read_ranking


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    texts = {
        "ids": "b\na\nc\nd\n",
        "scores": "a 0.9\nb 0.8\nc 0.7\nd 0.7\n",
        "header.csv": "system,ap\na,1\nb,2\nc,3\nd,4\n",
        "numbers": "1\n2\n3\n4\n",
        "others": "4\n1\n2\n3\n",
        "list.json": '["d", "c", "b", "a"]',
        "object.json": '{"a": 4, "b": 3, "c": 2, "d": 1}',
        "table.csv": "topic,a,b,c,d\n1,0.1,0.2,0.3,0.9\n2,0.5,0.2,0.1,0.8\n3,0.9,0.0,0.05,0.7\n",
        "qrels": "1 0 x 1\n1 0 y 1\n2 0 x 1\n",
        "r1": "1 Q0 x 1 2 r1\n1 Q0 y 2 1 r1\n2 Q0 y 1 2 r1\n2 Q0 x 2 1 r1\n",
        "r2": "1 Q0 z 1 2 r2\n1 Q0 y 2 1 r2\n2 Q0 x 1 2 r2\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, str]]:
    assert main(["correlate", *arguments, "-f", "csv"]) == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def test_reading(files: Path) -> None:
    assert read_ranking("ids") == ["b", "a", "c", "d"]
    assert read_ranking("scores") == {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.7}
    assert read_ranking("header.csv") == {"a": 1, "b": 2, "c": 3, "d": 4}
    assert read_ranking("numbers") == [1, 2, 3, 4]
    assert read_ranking("list.json") == ["d", "c", "b", "a"]
    assert read_ranking("object.json") == {"a": 4, "b": 3, "c": 2, "d": 1}
    assert read_ranking("table.csv") is None
    Path("column").write_text("score\n0.5\n0.4\n")
    assert read_ranking("column") == [0.5, 0.4]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", DataError, "empty"),
        ("a\nb\na\n", ConflictError, "f:3: a is ranked twice: 'a'"),
        ("a 1\na 2\n", ConflictError, "f:2: a is ranked twice"),
        ("a 1\nb x\n", DataError, "f:2: not an id and a number: 'b x'"),
        ("a 1\nb\n", DataError, "f:2: not an id and a number"),
        ("a nan\nb 1\n", DataError, "f:1: not an id and a number: 'a nan'"),
        ("a\nb 1\n", DataError, "f:1: not an id and a number: 'a'"),
        ("a\n1\nb\n", DataError, "f:2: a number among ids"),
        ("nan\n1\n2\n", DataError, "f:2: a number among ids"),
        ('{"a": "x"}', DataError, "an object of numbers"),
        ("[]", DataError, "a list of ids or numbers"),
    ],
)
def test_what_cannot_be_read(files: Path, text: str, error: type[Exception], message: str) -> None:
    (files / "f").write_text(text)
    with pytest.raises(error, match=message):
        read_ranking("f")


def test_two_files(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, "scores", "header.csv", "--samples", "50", "--permutations", "50")
    expected = ([0.9, 0.8, 0.7, 0.7], [1, 2, 3, 4])
    assert [row["coefficient"] for row in found] == ["tau_b", "tau_ap_b"]
    assert [float(row["value"]) for row in found] == [tau_b(*expected), tau_ap_b(*expected)]
    assert float(rows(capsys, "ids", "list.json", "--by", "tau", "--samples", "0")[0]["value"]) == pytest.approx(-2 / 3)
    ranks = rows(capsys, "numbers", "others", "--ranks", "--by", "tau_ap", "--samples", "0")
    assert float(ranks[0]["value"]) != float(
        rows(capsys, "numbers", "others", "--by", "tau_ap", "--samples", "0")[0]["value"]
    )
    assert float(rows(capsys, "table.csv", "header.csv", "--samples", "0")[0]["value"]) == pytest.approx(1 / 3)


@pytest.mark.slow
def test_measures_and_averages(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["correlate", "table.csv", "-m", "ap", "-a", "mean", "-a", "median", "--by", "tau_b"]) == 0
    text = capsys.readouterr().out
    assert "ap by mean and ap by median order 1 of 6 pairs (16.7%)" in text
    assert "bootstrap samples of the topics" in text
    assert (
        main(["correlate", "qrels", "r1", "r2", "-m", "ap", "-m", "rr", "-m", "p@5", "-f", "json", "--over", "items"])
        == 0
    )
    data = json.loads(capsys.readouterr().out)
    assert [(row["x"], row["y"]) for row in data[::2]] == [("ap", "rr"), ("ap", "p@5"), ("rr", "p@5")]
    assert data[0]["interval"]["over"] == "items"


def test_rankings_of_the_same_and_of_different_ids(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    same = rows(capsys, "ids", "list.json", "--by", "rbo")[0]
    assert float(same["p"]) > 0
    assert same["swapped"] == "5"
    Path("other").write_text("b\nx\ny\n")
    assert main(["correlate", "ids", "other", "--by", "rbo"]) == 0
    text = capsys.readouterr().out
    assert "random orders" not in text
    assert "pairs (" not in text


def test_samples_without_a_value(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["topic,a,b,c"] + [f"{t},0.{t},{'' if t > 1 else 0.5},0.{9 - t}" for t in range(1, 9)]
    Path("hole.csv").write_text("\n".join(lines) + "\n")
    assert main(["correlate", "hole.csv", "-a", "mean", "-a", "median", "--by", "tau_b"]) == 0
    assert "of them without a value" in capsys.readouterr().out
    lines = [line.replace(",0.5,", ",,") for line in lines]
    Path("hole.csv").write_text("\n".join(lines) + "\n")
    assert main(["correlate", "hole.csv", "-a", "mean", "-a", "median"]) == 2
    assert "b has no value on any of the topics" in capsys.readouterr().err


def test_what_would_be_ignored_is_refused(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["-m", "ap"], ["-a", "gm"], ["--complete"], ["--ranks"]):
        assert main(["correlate", "ids", "list.json", *options]) == 2
        assert re.search("is for|are for|applies to", capsys.readouterr().err)


@pytest.mark.slow
def test_the_same_seed_gives_the_same(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    again = [rows(capsys, "scores", "header.csv", "--seed", str(seed)) for seed in (1, 1, 2)]
    assert again[0] == again[1] != again[2]


def test_thresholds(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tied = rows(capsys, "scores", "object.json", "--within", "0.15", "--by", "tau_b", "--samples", "0")
    assert (tied[0]["same order"], tied[0]["tied"]) == ("2", "4")
    chained = ["--within", "0.15", "--resolve", "chain", "--samples", "0", "--permutations", "0", "--by", "tau_b"]
    assert main(["correlate", "scores", "object.json", *chained]) == 0
    assert "No value for tau_b: a ranking ties all items" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["numbers", "scores"], "one ranking names its items"),
        (["ids", "header.csv", "--by", "tua"], "no coefficient 'tua', did you mean tau"),
        (["table.csv"], "one ranking of the systems: give a second"),
        (["scores", "ids", "--over", "topics"], "have no topics in common"),
        (["table.csv", "scores", "--ranks"], "--ranks is for numbers that are ranks"),
        (["table.csv", "-a", "mean", "-a", "gm", "--ranks"], "--ranks is for two files"),
        (["scores", "missing"], "missing: no such file"),
        (["numbers", "others", "--by", "tau", "--samples", "9"], "tau has no bootstrap over items"),
        (["scores", "ids", "--by", "tau"], "tau is not defined with ties in x: tau_b is"),
        (["scores", "ids", "--within", "-1"], "within must be 0 or a positive number"),
    ],
)
def test_refused(files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(["correlate", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
