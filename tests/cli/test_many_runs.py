"""Many runs at once: folders, patterns and archives of them, one bad file among good ones, runs that are odd."""

from __future__ import annotations

import io
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest

import adjudge
from adjudge.cli import main
from adjudge.core.errors import DataError, MissingFileError
from adjudge.experiment.completed_runs import run_files
from adjudge.formats import run_collections

EXAMPLE = Path(adjudge.__file__).parent / "example"
NAMES = ("dense", "fused", "lexical")
QRELS = str(EXAMPLE / "qrels.txt")


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir()
    for name in NAMES:
        shutil.copy(EXAMPLE / f"{name}.run", folder)
    (folder / "README.md").write_text("about the runs")
    (folder / ".hidden").write_text("x")
    return folder


def packed(runs: Path, kind: str) -> str:
    path = runs.parent / f"all.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(runs.iterdir()):
                archive.write(file, f"inner/{file.name}")
    else:
        with tarfile.open(path, "w:gz" if kind.endswith("gz") else "w") as archive:
            archive.add(runs, "inner")
    return str(path)


@pytest.mark.parametrize("kind", ["folder", "pattern", "tar", "tar.gz", "zip"])
def test_runs_behind_one_path(runs: Path, kind: str) -> None:
    given = {"folder": str(runs), "pattern": str(runs / "*.run")}.get(kind) or packed(runs, kind)
    scores = adjudge.measure(QRELS, given, "ap")
    alone = adjudge.measure(QRELS, {name: runs / f"{name}.run" for name in NAMES}, "ap")
    assert scores.systems == NAMES
    assert scores.mean() == alone.mean()


def test_a_pattern_without_a_file_and_a_folder_without_a_run(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="no file matches this pattern"):
        adjudge.measure(QRELS, str(tmp_path / "*.run"), "ap")
    with pytest.raises(DataError, match="no run in this folder"):
        adjudge.measure(QRELS, tmp_path, "ap")


@pytest.mark.parametrize("data", [b"PK\x03\x04 nothing", b"PK\x03\x04" + bytes(100)])
def test_a_damaged_archive_is_one_line(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(DataError, match=r"x.zip: damaged"):
        adjudge.measure(QRELS, tmp_path / "x.zip", "ap")


def test_an_archive_that_grows_without_bound_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_collections, "LARGEST", 1000)
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.run", bytes(5000))
    with pytest.raises(DataError, match="unpack it"):
        adjudge.measure(QRELS, tmp_path / "x.zip", "ap")
    with tarfile.open(tmp_path / "x.tar.gz", "w:gz") as tar:
        member = tarfile.TarInfo("a.run")
        member.size = 5000
        tar.addfile(member, io.BytesIO(bytes(5000)))
    with pytest.raises(DataError, match="unpack it"):
        adjudge.measure(QRELS, tmp_path / "x.tar.gz", "ap")


def test_one_bad_file_does_not_end_the_others(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (runs / "bad.run").write_text("junk\n")
    (runs / "worse.run").write_text("")
    assert main(["measure", QRELS, str(runs), "-m", "ap"]) == 2
    printed = capsys.readouterr()
    assert [line.split()[0] for line in printed.out.splitlines()] == ["system", *NAMES]
    assert "bad.run:1: a run has at least 6 columns" in printed.err
    assert "worse.run: empty: left out" in printed.err
    with pytest.raises(DataError, match=r"2 of 5 runs cannot be evaluated: .*bad.run:1.*; .*worse.run: empty"):
        adjudge.measure(QRELS, runs, "ap")
    assert main(["compare", QRELS, str(runs), "-m", "ap"]) == 2, "verdicts are on all systems or on none"


def test_two_runs_of_one_name_get_advice_for_shells_too(capsys: pytest.CaptureFixture[str]) -> None:
    run = str(EXAMPLE / "dense.run")
    assert main(["measure", QRELS, run, run]) == 2
    assert "give them names, NAME=FILE or in Python {name: run}" in capsys.readouterr().err


def test_odd_runs_are_noted(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [line.split() for line in (runs / "lexical.run").read_text().splitlines() if not line.startswith("#")]
    (runs / "up.run").write_text("".join(" ".join([*r[:4], r[3], r[5]]) + "\n" for r in rows))
    (runs / "tied.run").write_text("".join(" ".join([*r[:4], "1", r[5]]) + "\n" for r in rows))
    assert main(["measure", QRELS, str(runs), "-m", "ap"]) == 0
    said = capsys.readouterr().err
    assert "up: ranks and scores contradict each other at line" in said
    assert "tied: all documents have the same score for 8 topics" in said
    assert said.count("contradict") == said.count("same score") == 1


def test_files_beside_runs_that_are_none_are_left_out_of_a_plan(runs: Path) -> None:
    (runs / "q.csv").write_text("a,b\n1,2\n")
    (runs / "q.json").write_text('{"a": [1]}')
    (runs / "r.json").write_text('{"1": {"d": 2.5}}')
    paths, notes = run_files(runs.parent, "runs")
    assert [path.name for path in paths] == ["dense.run", "fused.run", "lexical.run", "r.json"]
    assert set(notes[0]["files"]) == {"README.md", "q.csv", "q.json"}
