"""Plans on the command line: adjudge run, report and demo."""

from __future__ import annotations

import json
import re
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import adjudge
from adjudge.cli import main
from adjudge.systems.system import line_up, systems

EXAMPLE = Path(adjudge.__file__).parent / "example"


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    assert main(["demo", "--example", str(tmp_path / "example")]) == 0
    monkeypatch.chdir(tmp_path / "example")
    return tmp_path / "example"


def test_the_example_is_written_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--example", str(tmp_path / "here")]) == 0
    written = capsys.readouterr().out.split()
    assert {Path(name).name for name in written} == {p.name for p in EXAMPLE.iterdir() if p.is_file()}
    (tmp_path / "here" / "qrels.txt").write_text("mine")
    assert main(["demo", "--example", str(tmp_path / "here")]) == 0
    assert not capsys.readouterr().out
    assert (tmp_path / "here" / "qrels.txt").read_text() == "mine"


def test_a_plan_of_runs(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "plan.toml", "-o", "out"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"^fused +0\.7029 ", said, re.MULTILINE)
    assert "The page: out/report.html" in said
    assert main(["run", "plan.toml", "-o", "out"]) == 0
    again = capsys.readouterr().out
    assert again.replace("Nothing to do: the results are up to date. ", "") == said


@pytest.mark.parametrize("form", ["csv", "json", "md", "latex"])
def test_forms(example: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    assert main(["run", "plan.toml", "-o", "out", "-f", form]) == 0
    said = capsys.readouterr().out
    if form == "json":
        verdicts = json.loads(said)["versions"]["runs"]
        assert verdicts["systems"]["fused"]["ap"]["mean"] == pytest.approx(0.7029326, abs=1e-6)
        assert verdicts["comparison"]["measure"] == "ap"
    elif form == "csv":
        assert said.splitlines()[0].startswith("system,ap,95% low,high")
    else:
        assert {"md": "| system |", "latex": "\\toprule"}[form] in said


@pytest.mark.slow
@pytest.mark.processes
def test_documents_and_noise_in_a_plan(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (example / "scan.toml").write_text(
        'topics = "questions.tsv"\njudgments = "targets.txt"\nsystems = ["bm25", "lucene"]\n'
        '[versions]\ntrue = "documents.jsonl"\nscanned = { channel = "ocrad-20" }\n'
    )
    assert main(["run", "scan.toml", "-o", "out"]) == 0
    said = capsys.readouterr()
    assert re.search(r"^rr +true +scanned", said.out, re.MULTILINE)
    assert "% of the characters are wrong" in said.out
    assert "bm25 on scanned" in said.err


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('judgments = "qrels.txt"', "a plan needs at least one version of the documents, or runs"),
        ('runs = "*.run"', "a plan needs judgments"),
        ('judgments = "qrels.txt"\nruns = "*.run"\nmesures = ["ap"]', "no setting 'mesures', did you mean measures?"),
        ('judgments = "qrels.txt"\nruns = "*.run"\nmeasures = "ap"', "measures must be a list, not 'ap'"),
        ('judgments = "qrels.txt"\nruns = "*.run"\nmeasures = ["app"]', "no measure 'app', did you mean ap"),
        ('judgments = "qrels.txt"\nruns = "*.run"\ntests = ["T2"]', "no test 'T2'"),
        ('judgments = "qrels.txt"\nruns = 3', "runs must be a path, or a table of paths by version, not 3"),
        ('judgments = "qrels.txt"\nruns = { a = 3 }', "runs of a must be a path"),
        ('judgments = "qrels.txt"\nsystems = ["bm25"]\nruns = "*.run"', "systems need at least one version"),
        ('collection = "pythondocs"', "no collection 'pythondocs', did you mean python-docs?"),
        ('collection = "python-docs"\ntopics = "x"', "a built-in collection has its own topics"),
        ('collection = "python-docs"\nversions = { true = "x" }', "an empty text or noise, not 'x'"),
        ('collection = "python-docs"\nversions = { true = { random = 0.1 } }', "must be documents as they are"),
        ('collection = "python-docs"\nruns = { b = "x" }', "runs of 'b': no such version"),
    ],
)
def test_a_plan_that_cannot_be_meant(example: Path, capsys: pytest.CaptureFixture[str], text: str, why: str) -> None:
    (example / "bad.toml").write_text(text)
    assert main(["run", "bad.toml", "-o", "out"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("bad.toml: ")
    assert why in said
    assert said.count("\n") == 1
    assert not (example / "out").exists()


def test_files_that_are_missing_are_told_in_a_line(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "none.toml", "-o", "out"]) == 2
    assert capsys.readouterr().err == "none.toml: cannot be read: No such file or directory\n"
    (example / "qrels.txt").unlink()
    assert main(["run", "plan.toml", "-o", "out"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_figures_and_tables_for_a_paper(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "plan.toml", "-o", "out"]) == 0
    shutil.move("out", "moved")
    capsys.readouterr()
    assert main(["report", "moved", "--figures", "figures", "--tables", "tables"]) == 0
    written = capsys.readouterr().out.split()
    assert written[0] == "moved/report.html"
    assert set(written[1:]) == {
        str(p.relative_to(example)) for f in ("figures", "tables") for p in (example / f).iterdir()
    }
    figures = sorted((example / "figures").glob("*.svg"))
    assert len(figures) > 5
    for path in figures:
        assert ET.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314
    tables = sorted((example / "tables").glob("*.tex"))
    assert len(tables) >= 2
    assert all("\\toprule" in path.read_text() for path in tables)
    assert main(["report", "moved", "--pdf"]) == 2
    assert main(["report", "nowhere"]) == 2
    assert "no results of an experiment there" in capsys.readouterr().err


def test_figures_as_pdf(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "plan.toml", "-o", "out"]) == 0
    assert main(["report", "out", "--figures", "figures", "--pdf"]) == 0
    made = sorted((example / "figures").glob("*.pdf"))
    assert len(made) == len(list((example / "figures").glob("*.svg")))
    assert all(path.read_bytes().startswith(b"%PDF") for path in made)


@pytest.mark.slow
def test_the_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All systems on the built-in collection, as a user runs it."""
    assert main(["demo", "-o", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out
    assert re.search(r"^rr +true +5 % +20 %", said, re.MULTILINE)
    for name, spec in line_up().items():
        assert re.search(rf"^{name} +0\.\d{{4}}", said, re.MULTILINE) or systems.parse(spec).missing(), name
    assert "49 topics" in said
    assert f"The page: {tmp_path / 'out' / 'report.html'}" in said
    assert (tmp_path / "out" / "report.html").stat().st_size < 5_000_000
    verdicts = json.loads((tmp_path / "out" / "verdicts.json").read_text())
    rates = [one["errors"]["characters"] for one in verdicts["versions"].values()]
    assert rates[0] == 0
    assert rates[1] == pytest.approx(0.05, abs=0.015)
    assert rates[2] == pytest.approx(0.20, abs=0.03)
    best = [max(s["rr"]["mean"] for s in one["systems"].values()) for one in verdicts["versions"].values()]
    assert 0.5 < best[0] < 0.95
    assert best[2] < best[0]
