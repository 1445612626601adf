"""A folder of results from a stranger: nothing outside of it is read or written, and nothing in it is run."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge.cli import main
from adjudge.core.errors import ConflictError, DataError
from adjudge.experiment.completed_runs import CompletedRuns
from adjudge.experiment.plan import AnalysisSettings, Plan
from adjudge.experiment.running import conclude, conduct
from adjudge.report.result_files import result_files

EXAMPLE = Path(adjudge.__file__).parent / "example"
QUICK = AnalysisSettings(measures=("ap",), tests=("t",), samples=50, averages=("median",))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    (folder / "runs").mkdir()
    for name in ("dense.run", "fused.run"):
        shutil.copy(EXAMPLE / name, folder / "runs")
    shutil.copy(EXAMPLE / "qrels.txt", folder)
    conduct(
        Plan(judgments="qrels.txt", runs={"runs": "runs"}, folder=folder, analysis=QUICK),
        folder / "results",
        result_files,
    )
    return folder / "results"


@pytest.fixture
def results(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "results"))


def change(results: Path, act: Callable[[dict[str, Any]], object]) -> None:
    path = results / "plan.json"
    data = json.loads(path.read_text())
    act(data)
    path.write_text(json.dumps(data))


@pytest.mark.parametrize("where", ["../secret.run.zst", "runs/../../secret.run.zst", "{abs}", "link.run.zst", ""])
def test_runs_elsewhere_are_not_read(results: Path, tmp_path: Path, where: str) -> None:
    run = next(results.glob("runs/*/dense.run.zst"))
    shutil.copy(run, tmp_path / "secret.run.zst")
    shutil.copy(run.with_name("dense.json"), tmp_path / "secret.json")
    (results / "link.run.zst").symlink_to(tmp_path / "secret.run.zst")
    shutil.copy(run.with_name("dense.json"), results / "link.json")
    given = where.format(abs=tmp_path / "secret.run.zst")
    change(results, lambda data: data["results"]["runs"]["runs"].update(dense=given))
    with pytest.raises(DataError, match="names a file outside of itself"):
        CompletedRuns.load(results)


def test_a_record_elsewhere_is_not_read(results: Path, tmp_path: Path) -> None:
    record = next(results.glob("runs/*/dense.json"))
    record.rename(tmp_path / "dense.json")
    record.symlink_to(tmp_path / "dense.json")
    with pytest.raises(DataError, match="leads out of the folder"):
        CompletedRuns.load(results)


@pytest.mark.parametrize("name", ["report.html", "results.csv", "judgments.txt", "provenance.json", "work"])
def test_nothing_is_written_through_a_link(
    results: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine"
    if name == "work":
        mine.mkdir()
        shutil.rmtree(results / name, ignore_errors=True)
    else:
        mine.write_text("mine")
        (results / name).unlink()
    (results / name).symlink_to(mine)
    assert main(["report", str(results)]) == 2
    assert "a link that leads out of the folder" in capsys.readouterr().err
    assert list(mine.iterdir()) == [] if name == "work" else mine.read_text() == "mine"
    plan = Plan(judgments=str(EXAMPLE / "qrels.txt"), runs={"runs": "*.run"}, folder=EXAMPLE, analysis=QUICK)
    with pytest.raises(ConflictError, match="a link that leads out of the folder"):
        conduct(plan, results, result_files)


def _set_place(where: str, data: dict[str, Any]) -> None:
    data["results"]["places"].update(runs=where)


def test_documents_elsewhere_are_not_quoted(results: Path, tmp_path: Path) -> None:
    run = next(results.glob("runs/*/dense.run.zst"))
    id_ = adjudge.read_run(run).documents[0]
    secret = tmp_path / "secret.jsonl"
    secret.write_text(json.dumps({"id": id_, "text": "my secret"}) + "\n")
    for where in (str(secret), "../secret.jsonl"):
        change(results, partial(_set_place, where))
        findings = conclude(CompletedRuns.load(results), result_files, anew=True).findings
        assert findings is not None
        assert not findings.extracts
        assert "my secret" not in (results / "report.html").read_text()


def test_extracts_are_kept_with_the_results(results: Path) -> None:
    run = next(results.glob("runs/*/dense.run.zst"))
    id_ = adjudge.read_run(run).documents[0]
    (results / "extracts.json").write_text(json.dumps({id_: ["A title", "its first words"], "unseen": ["x", "y"]}))
    findings = conclude(CompletedRuns.load(results), result_files, anew=True).findings
    assert findings is not None
    assert {name: tuple(extract) for name, extract in findings.extracts.items()} == {
        id_: ("A title", "its first words")
    }


def test_systems_of_a_stranger_are_not_run(results: Path, tmp_path: Path) -> None:
    evil = f"command(run=[touch, {tmp_path / 'pwned'}])"
    for record in results.glob("runs/*/*.json"):
        data = json.loads(record.read_text())
        data["system"] = evil
        record.write_text(json.dumps(data))
    change(results, lambda data: data.update(systems=[evil], specs={"dense": evil}))
    assert main(["report", str(results)]) == 0
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("samples", 10**12),
        ("depth", 10**30),
        ("level", 10**30),
        ("seed", -1),
        ("tests", ["randomisation(samples=1e99)"]),
    ],
)
def test_settings_without_bound_do_no_harm(results: Path, field: str, value: object) -> None:
    change(results, lambda data: data["results"]["analysis"].update({field: value}))
    assert main(["report", str(results)]) in {0, 2}
