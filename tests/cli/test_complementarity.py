"""``adjudge complementarity``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from adjudge.cli import main

QRELS = "1 0 t 1\n2 0 t 1\n3 0 t 1\n"


def run(name: str, ranks: list[int | None], length: int = 10) -> str:
    lines = [
        f"{q} Q0 {'t' if k == rank else f'd{k}'} {k} {100 - k} {name}\n"
        for q, rank in enumerate(ranks, 1)
        for k in range(1, length + 1)
    ]
    return "".join(lines)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"qrels": QRELS, "A": run("A", [1, 2, None]), "B": run("B", [2, 8, 5])}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def out(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["complementarity", *arguments]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def test_the_page(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert out(capsys, "qrels", "A", "B", "--within", "5").splitlines() == [
        "system     MRR  found to rank 5  alone  ahead of all",
        "A       0.5000                2      1             2",
        "B       0.2750                2      1             1",
        "",
        "Of 3 items, found down to rank 5: 1 by all systems, 2 by exactly one, 0 by none.",
        "",
        "   finds, not by  1  2",
        "1  A              ·  1",
        "2  B              1  ·",
        "",
        "Items that the system of the row finds down to rank 5 and that of the column does not.",
        "",
        "   tau_b     1     2",
        "1  A         ·  0.33",
        "2  B      0.33     ·",
        "",
        "Rank correlation of reciprocal ranks over the questions; empty where all ranks of one system are equal.",
        "",
        "The best choice of system for each question has MRR 0.5667, A alone has 0.5000; with failures at random it "
        "would be 0.5917.",
    ]


def test_json_has_the_questions(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(out(capsys, "qrels", "A", "B", "-r", "5", "-f", "json"))
    assert data["found_by"] == {"1": ["A", "B"], "2": ["A"], "3": ["B"]}
    assert data["only"] == {"A": {"A": 0, "B": 1}, "B": {"A": 1, "B": 0}}
    assert (data["found_by_all"], data["found_by_one"], data["found_by_none"]) == (1, 2, 0)
    assert data["oracle_mrr"] == pytest.approx((1 + 1 / 2 + 1 / 5) / 3)
    assert data["systems"]["B"] == {"mrr": pytest.approx(0.275), "found": 2, "alone": 1, "ahead": 1}


def test_csv_and_other_forms(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(out(capsys, "qrels", "A", "B", "-f", "csv"))))
    assert float(rows[1]["MRR"]) == pytest.approx(0.275)
    assert rows[0]["found to rank 10"] == "2"
    assert "| A | 0.5000 |" in out(capsys, "qrels", "A", "B", "-f", "md")
    assert main(["complementarity", "qrels", "A", "B", "-o", "out.tex"]) == 0
    assert "\\toprule" in Path("out.tex").read_text("utf-8")


def test_a_json_number_that_is_not_there(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "C").write_text(run("C", [1, 1, 1]))
    data = json.loads(out(capsys, "qrels", "A", "C", "-f", "json"))
    assert data["tau_b"]["A"]["C"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["qrels", "A"], "of two systems or more, not of one"),
        (["qrels", "A", "B", "--within", "0"], "must be a whole number from 1"),
        (["qrels", "A", "nothing"], "nothing: "),
        (["qrels", "-", "-"], "standard input can be read only once"),
        (["qrels", "A", "B", "-o", "A"], "A: is an input, and would be overwritten"),
        (["A", "A", "B"], "A:1: "),
    ],
)
def test_wrong_input(files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(["complementarity", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1
