"""``adjudge fuse``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adjudge.cli import main
from adjudge.formats.runs import read_run

A = "1 Q0 x 1 3 A\n1 Q0 y 2 2 A\n2 Q0 x 1 1 A\n"
B = "1 Q0 y 1 9 B\n1 Q0 z 2 8 B\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "A").write_text(A)
    (tmp_path / "B").write_text(B)
    return tmp_path


def test_lines_of_a_run(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuse", "A", "B"]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        f"1 Q0 y 1 {1 / 62 + 1 / 61!r} rrf",
        f"1 Q0 x 2 {1 / 61!r} rrf",
        f"1 Q0 z 3 {1 / 62!r} rrf",
        f"2 Q0 x 1 {1 / 61!r} rrf",
    ]
    assert printed.err == "note: B: retrieved nothing for topic 2, fused from the other runs\n"


@pytest.mark.parametrize(
    ("method", "scores"),
    [("combsum", {"y": 1.0, "x": 1.0, "z": 0.0}), ("combmnz", {"y": 2.0, "x": 1.0, "z": 0.0})],
)
def test_other_methods(files: Path, method: str, scores: dict[str, float]) -> None:
    assert main(["fuse", "A", "B", "-m", method, "-o", "out.json"]) == 0
    assert json.loads(Path("out.json").read_text("utf-8")) == {"1": scores, "2": {"x": 1.0}}


def test_options(files: Path) -> None:
    assert main(["fuse", "A", "B", "--constant", "0", "-k", "1", "--name", "mine", "-o", "out.run.gz"]) == 0
    made = read_run("out.run.gz")
    assert made.name == "mine"
    assert made.to_dict() == {"1": {"y": 1.5}, "2": {"x": 1.0}}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["A"], "fusion takes at least two runs, not 1"),
        (["A", "nothing"], "nothing: "),
        (["A", "B", "-m", "borda"], "invalid choice: 'borda'"),
        (["A", "B", "--constant", "-1"], "the constant of fusion must be 0 or more, not -1"),
        (["A", "B", "--constant", "5", "-m", "combsum"], "--constant belongs to rrf, and combsum has none"),
        (["A", "B", "-k", "0"], "must be a whole number from 1"),
        (["-", "-"], "standard input can be read only once"),
        (["A", "B", "-o", "A"], "A: is an input, and would be overwritten"),
        (["A", "B", "-o", "none/out"], "none/out: cannot be written"),
        (["A", "B", "--name", "two words"], "tag 'two words' cannot stand in a line of TREC"),
        (["A", "B", "-f", "parquet"], "parquet cannot be written to standard output"),
    ],
)
def test_wrong_input(files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(["fuse", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1
    assert (files / "A").read_text() == A
