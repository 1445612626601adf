"""``adjudge swap-rate`` and ``adjudge pseudo-judgments``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjudge.cli import main
from adjudge.comparison.reliability.pseudo_judgments import pseudo_judgments
from adjudge.comparison.reliability.swap_rate import swap_rate
from adjudge.formats.scores import read_scores

TOPICS = 30
DOCUMENTS = 12


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Thirty topics, three runs of which the first is best, and a matrix of scores."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(7)
    grades = rng.random((TOPICS, DOCUMENTS)) < 0.4
    lines = [f"{t} 0 d{d} {int(grades[t, d])}\n" for t in range(TOPICS) for d in range(DOCUMENTS)]
    (tmp_path / "qrels").write_text("".join(lines))
    for name, skill in (("best", 1.5), ("fair", 0.7), ("poor", 0.0)):
        scores = rng.normal(size=grades.shape) + skill * grades
        lines = [f"{t} Q0 d{d} 0 {scores[t, d]} {name}\n" for t in range(TOPICS) for d in range(DOCUMENTS)]
        (tmp_path / name).write_text("".join(lines))
    values = np.clip(rng.normal(0.5, 0.1, (TOPICS, 4)) + np.array([0.2, 0.1, 0.0, -0.1]), 0, 1)
    rows = [",".join(f"{value:.4f}" for value in row) for row in values.tolist()]
    (tmp_path / "scores.csv").write_text("\n".join(["A,B,C,D", *rows]) + "\n")
    return tmp_path


def out(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


@pytest.mark.usefixtures("files")
def test_swap_rate(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "swap-rate", "scores.csv", "-m", "ap", "--trials", "300")
    lines = text.splitlines()
    assert " ".join(lines[0].split()) == "topics all 0 0.01 0.02 0.03 0.04 0.05 0.07 0.1 ≥0.2 ≤5% from"
    assert [line.split()[0] for line in lines[1:8]] == ["1", "5", "10", "15", "30,", "a,", "b"]
    assert max(map(len, lines[:8])) <= 90, "fits a terminal"
    assert "fit: extrapolated to all 30 topics by a·exp(−b·topics)" in text
    assert lines[-1].startswith("With 15 topics a difference of 0.")
    assert text == out(capsys, "swap-rate", "--seed", "0", "--trials", "300", "scores.csv", "--measure", "ap")
    assert text != out(capsys, "swap-rate", "--seed", "1", "--trials", "300", "scores.csv", "--measure", "ap")
    result = swap_rate(read_scores("scores.csv", measure="ap"), "ap", trials=300, rng=np.random.default_rng(0))
    assert lines[-1] == result.conclusion()
    assert f"{result.overall[0] * 100:.1f}" == lines[1].split()[1]


@pytest.mark.usefixtures("files")
def test_swap_rate_for_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    base = ["swap-rate", "scores.csv", "-m", "ap", "--trials", "50", "--size", "3", "--size", "9", "--size", "15"]
    result = swap_rate(
        read_scores("scores.csv", measure="ap"), "ap", trials=50, sizes=[3, 9, 15], rng=np.random.default_rng(0)
    )
    rows = list(csv.DictReader(io.StringIO(out(capsys, *base, "-f", "csv"))))
    assert len(rows) == 4 * 21
    seen = [row for row in rows if row["extrapolated"] == "no"]
    assert [int(row["comparisons"]) for row in seen] == result.comparisons.reshape(-1).tolist()
    for row, rate in zip(seen, result.rates.reshape(-1).tolist(), strict=True):
        assert row["rate"] == ("" if np.isnan(rate) else repr(rate)), "all digits, and nothing where nothing is known"
    assert (seen[20]["from"], seen[20]["to"], seen[3]["from"], seen[3]["to"]) == ("0.2", "", "0.03", "0.04")
    data = json.loads(out(capsys, *base, "-f", "json", "--rate", "0.2"), parse_constant=refuse)
    assert [size["topics"] for size in data["sizes"]] == [3, 9, 15]
    assert data["sizes"][1]["bins"][2]["swaps"] == result.swaps[1, 2]
    assert data["sizes"][0]["rate"] == result.overall[0]
    assert [t["extrapolated"] for t in data["thresholds"]] == [False, False, False, True]
    assert data["conclusion"] == result.conclusion(0.2)
    fits = {fit["from"]: fit for fit in data["extrapolated"]["bins"]}
    assert fits[0.02]["a"] is None or fits[0.02]["b"] > 0
    assert "| topics | all |" in out(capsys, *base, "-f", "md")
    assert r"\toprule" in out(capsys, *base, "-f", "latex")
    out(capsys, *base, "-o", "rates.csv")
    assert len(Path("rates.csv").read_text().splitlines()) == 4 * 21 + 1


def refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


@pytest.mark.usefixtures("files")
def test_swap_rate_of_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "swap-rate", "qrels", "best", "fair", "poor", "-m", "ndcg@5", "--width", "0.1", "--bins", "3")
    assert text.splitlines()[0].split() == ["topics", "all", "0", "0.1", "≥0.2", "≤5%", "from"]
    assert "3 pairs, by the difference in ndcg@5" in text


@pytest.mark.usefixtures("files")
def test_pseudo_judgments(capsys: pytest.CaptureFixture[str]) -> None:
    runs = ["best", "fair", "poor"]
    text = out(capsys, "pseudo-judgments", *runs, "--depth", "5", "--trials", "20")
    result = pseudo_judgments(runs, depth=5, trials=20, rng=np.random.default_rng(0))
    lines = text.splitlines()
    assert lines[0].split() == ["system", "pseudo", "ap", "sd", "rank"]
    assert [line.split()[0] for line in lines[1:4]] == list(result.ranking)
    assert [line.split()[-1] for line in lines[1:4]] == ["1", "2", "3"]
    assert (
        lines[-1]
        == f"{result.ranking[0]} ranks the documents that many systems find highest; whether those documents are "
        "relevant is not known."
    )
    text = out(capsys, "pseudo-judgments", *runs, "--depth", "5", "--qrels", "qrels", "--distinct", "--digits", "2")
    assert text.splitlines()[0].split() == ["system", "pseudo", "ap", "sd", "rank", "ap", "true", "rank"]
    result = pseudo_judgments(runs, depth=5, like="qrels", duplicates=False, rng=np.random.default_rng(0))
    assert text.splitlines()[-1] == result.conclusion()
    assert "Kendall's tau_b" in result.conclusion()


@pytest.mark.usefixtures("files")
def test_pseudo_judgments_for_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    once = ["pseudo-judgments", "best", "fair", "poor", "--depth", "5", "-m", "ndcg@5"]
    base = [*once, "--trials", "4"]
    result = pseudo_judgments(
        ["best", "fair", "poor"], "ndcg@5", depth=5, trials=4, like="qrels", rng=np.random.default_rng(0)
    )
    data = json.loads(out(capsys, *base, "--qrels", "qrels", "-f", "json"), parse_constant=refuse)
    assert data["ranking"] == list(result.ranking)
    assert data["systems"][1]["per_trial"] == result.per_trial[:, 1].tolist()
    assert data["tau_b"] == result.correlation()
    assert data["share"] == {"mean": result.share, "sd": result.sd}
    alone = json.loads(out(capsys, *once, "-f", "json", "--trials", "1"), parse_constant=refuse)
    assert (alone["tau_b"], alone["systems"][0]["sd"], alone["systems"][0]["true_rank"]) == (None, None, None)
    rows = list(csv.DictReader(io.StringIO(out(capsys, *base, "--qrels", "qrels", "-f", "csv"))))
    order = [result.systems.index(row["system"]) for row in rows]
    assert [float(row["pseudo ndcg@5"]) for row in rows] == result.figures[order].tolist()
    assert [int(row["rank"]) for row in rows] == [1, 2, 3]
    lone = list(csv.DictReader(io.StringIO(out(capsys, *once, "--trials", "1", "-f", "csv"))))
    assert {row["sd"] for row in lone} == {""}
    assert "| system | pseudo ndcg@5 |" in out(capsys, *base, "-f", "md")
    assert r"\toprule" in out(capsys, *base, "-f", "latex")
    (Path("short")).write_text("0 Q0 d1 1 1 short\n")
    assert main([*base, "short"]) == 0
    assert "note: short: retrieved nothing for 29 topics (1, 10, 11, 12, 13, …), skipped" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["swap-rate", "qrels", "best"], "1 system, best: a comparison needs at least two systems"),
        (["swap-rate", "scores.csv", "--size", "16"], "two disjoint sets of 16 topics cannot be had from 30"),
        (["swap-rate", "scores.csv", "--size", "0"], "must be a whole number from 1 to"),
        (["swap-rate", "scores.csv", "--rate", "5"], "must lie between 0 and 1, not '5'"),
        (["swap-rate", "scores.csv", "--width", "0"], "the width of a bin must be above 0, not 0"),
        (["swap-rate", "scores.csv", "--width", "nan"], "must be a number, up to 1e+15, not 'nan'"),
        (["swap-rate", "few.csv"], "at least 4 topics are needed, not 1"),
        (["swap-rate", "scores.csv", "-o", "scores.csv"], "is an input, and would be overwritten"),
        (["pseudo-judgments", "best"], "at least 2 runs, please, not 1"),
        (["pseudo-judgments", "best", "other"], "other: no topic that all runs before it have"),
        (["pseudo-judgments", "best", "fair", "-m", "ap,rr"], "one measure at a time"),
        (["pseudo-judgments", "best", "fair", "-m", "app"], "no measure 'app'"),
        (["pseudo-judgments", "best", "fair", "--share", "2"], "share must be above 0 and at most 1, not 2"),
        (["pseudo-judgments", "best", "fair", "--sd", "-1"], "sd must be 0 or more, not -1"),
        (["pseudo-judgments", "-", "-"], "standard input can be read only once"),
        (["pseudo-judgments", "best", "fair", "--qrels", "none"], "none: no such file"),
        (
            ["pseudo-judgments", "best", "fair", "--qrels", "qrels", "-o", "qrels"],
            "is an input, and would be overwritten",
        ),
    ],
)
def test_mistakes(files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    (files / "few.csv").write_text("A,B\n0.1,0.2\n")
    (files / "other").write_text("x Q0 d1 1 1 other\n")
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert not printed.out
