"""Every command that writes CSV or LaTeX, with runs whose names are formulas and commands: they stay text."""

from __future__ import annotations

import csv
import io
import re
import shutil
from pathlib import Path

import pytest

import adjudge
from adjudge.cli import main
from adjudge.report.text_table import lines_of

EXAMPLE = Path(adjudge.__file__).parent / "example"
NAMES = ("=HYPERLINK(1)", "@SUM(1+1)", r"\input{x}%$&_#~^")
COMMANDS = [
    ("measure", "-m", "ap"),
    ("measure", "-m", "ap", "-q"),
    ("average", "-m", "ap"),
    ("sensitivity", "-m", "ap"),
    ("compare", "-m", "ap"),
    ("compare", "-m", "ap,rr"),
    ("compare", "-m", "ap", "--groups"),
    ("correlate", "-m", "ap", "-m", "rr"),
    ("swap-rate", "-m", "ap"),
    ("discriminative-power", "-m", "ap"),
    ("known-item", "--any-target"),
]
NUMBER = re.compile(r"[-+]?[\d.]+(e[-+]?\d+)?%?")


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("hostile")
    paths = []
    for name, source in zip(NAMES, ("dense.run", "fused.run", "lexical.run"), strict=True):
        shutil.copy(EXAMPLE / source, folder / f"{name}.run")
        paths.append(str(folder / f"{name}.run"))
    return [str(EXAMPLE / "qrels.txt"), *paths]


def written(words: tuple[str, ...], inputs: list[str], form: str, capsys: pytest.CaptureFixture[str]) -> str:
    more = [] if words[0] == "known-item" else ["-c"]
    code = main([words[0], *inputs, *words[1:], *more, "-f", form])
    printed = capsys.readouterr()
    if code == 2 and ("invalid choice" in printed.err or "not available" in printed.err):
        pytest.skip(f"{words[0]} does not write {form}")
    assert code in {0, 3}, printed.err
    return printed.out


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_cell_is_a_formula(words: tuple[str, ...], inputs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = written(words, inputs, "csv", capsys)
    assert "HYPERLINK" in text or "SUM" in text or words[0] in {"correlate", "swap-rate", "discriminative-power"}
    for row in csv.reader(io.StringIO(text)):
        for cell in row:
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")) or NUMBER.fullmatch(cell), cell


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_name_is_a_command_of_latex(
    words: tuple[str, ...], inputs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = written(words, inputs, "latex", capsys)
    read = [line for line in text.splitlines() if not line.startswith("%")]
    for line in read:
        assert r"\input" not in line
        if "input" in line:
            body = line.replace(r"\textbackslash{}", "").replace(r"\textasciitilde{}", "").replace(r"\^{}", "")
            named = body[body.index("input") :].partition("x")[2].partition(" & ")[0]
            assert not re.search(r"(?<!\\)[%$#]", named), line


def test_a_sentence_does_not_leave_its_comment() -> None:
    assert lines_of(["a\n\\input{x}", "b"], "latex").count("\n") == 2


def test_a_paragraph_for_a_paper_has_no_commands_from_names() -> None:
    from adjudge.words.standings import _escaped

    assert _escaped("\\input{x}%$&_#~^\n") == (r"\textbackslash{}input\{x\}\%\$\&\_\#\textasciitilde{}\^{} ")
