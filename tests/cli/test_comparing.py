"""What all commands that compare have in common: forms, refusals, names that are no UTF-8."""

from __future__ import annotations

import json
import shutil
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from adjudge.cli import main

COMMANDS = {
    "compare": [],
    "correlate": ["-m", "ap", "-m", "rr", "--samples", "20", "--permutations", "20"],
    "sensitivity": [],
    "swap-rate": ["--trials", "20"],
    "discriminative-power": ["--samples", "50"],
    "known-item": ["--any-target", "--samples", "50"],
    "pseudo-judgments": ["--trials", "3"],
}


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    with as_file(files("adjudge") / "example") as folder:
        for file in folder.iterdir():
            shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def arguments(command: str) -> list[str]:
    given = [] if command == "pseudo-judgments" else ["qrels.txt"]
    more = [] if command in {"known-item", "pseudo-judgments"} else ["--complete"]
    return [command, *given, "lexical.run", "dense.run", "caf\udce9_<1>=fused.run", *more, *COMMANDS[command]]


@pytest.mark.parametrize("command", COMMANDS)
def test_json_is_json_whatever_the_names(example: Path, command: str) -> None:
    assert main([*arguments(command), "-f", "json", "-o", "out.json"]) == 0
    data = json.loads((example / "out.json").read_bytes().decode("utf-8", "strict"))
    assert "caf\udce9_<1>" in json.dumps(data, ensure_ascii=False) or command in {"correlate", "discriminative-power"}


@pytest.mark.parametrize("command", COMMANDS)
def test_latex_has_tables_and_comments_and_nothing_else(example: Path, command: str) -> None:
    assert main([*arguments(command), "-o", "out.tex"]) == 0
    inside = False
    for line in (example / "out.tex").read_text("utf-8", "surrogateescape").splitlines():
        inside = inside or line.startswith("\\begin{tabular}")
        assert inside or not line or line.startswith("% "), line
        if inside and not line.startswith(("\\begin", "\\end")):
            assert "<" not in line.replace("$<$", "")
            assert "≥" not in line
        inside = inside and not line.startswith("\\end{tabular}")


@pytest.mark.parametrize("command", COMMANDS)
def test_forms_that_there_are_not(example: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*arguments(command), "-o", "out.parquet"]) == 2
    assert "out.parquet: parquet is not available here" in capsys.readouterr().err
    assert not (example / "out.parquet").exists()
    assert main([*arguments(command), "-o", "lexical.run"]) == 2
    assert "is an input, and would be overwritten" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["compare", "sensitivity", "swap-rate", "discriminative-power"])
def test_a_geometric_mean_is_not_taken_for_a_mean(
    example: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments(command), "-m", "gm_map"]) == 2
    assert (
        "gm_map is averaged by gm(floor=1e-05), and means are compared here: take ap itself" in capsys.readouterr().err
    )


@pytest.mark.parametrize("command", ["compare", "sensitivity", "swap-rate", "discriminative-power", "average"])
def test_options_that_would_do_nothing(example: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    (example / "scores.csv").write_text("topic,a,b\n1,0.1,0.2\n2,0.3,0.1\n3,0.4,0.4\n4,0.2,0.6\n")
    assert main([command, "scores.csv", "--judged-only"]) == 2
    assert "--judged-only applies to runs, and scores.csv is a table of scores" in capsys.readouterr().err


def test_curves_and_output_apart(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = arguments("known-item")
    assert main([*base, "--curves", "c.csv", "-o", "./c.csv"]) == 2
    assert "--curves and --output are the same file" in capsys.readouterr().err
    assert main([*base, "--curves", "c.csv", "-o", "qrels.txt"]) == 2
    assert "is an input" in capsys.readouterr().err
    assert not (example / "c.csv").exists()
    assert main([*base, "--value", "1e308"]) == 2
    assert "up to 1e+15" in capsys.readouterr().err
