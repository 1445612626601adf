"""Several folders of results: figures, what changed, tests on common topics, the page, and what is refused."""

from __future__ import annotations

import json
import re
import shutil
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import adjudge
from adjudge.cli import main
from adjudge.core.errors import AdjudgeError
from adjudge.experiment.results_history import results_history
from adjudge.report.page.history_page import history_page


def run_plan(place: Path, name: str, runs: dict[str, str], more: str = "") -> Path:
    folder = place / f"runs-{name}"
    folder.mkdir()
    with as_file(files("adjudge") / "example") as example:
        for run, source in runs.items():
            shutil.copy(example / source, folder / f"{run}.run")
        plan = f'title = "Try <{name}>"\njudgments = "{example / "qrels.txt"}"\nruns = "{folder}/*.run"\n'
        (place / f"{name}.toml").write_text(plan + 'measures = ["ap", "ndcg@10"]\nsamples = 50\ntests = ["t"]\n' + more)
        assert main(["run", str(place / f"{name}.toml"), "-o", str(place / name), "--workers", "0"]) == 0
    return place / name


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("history")
    run_plan(place, "may", {"mine": "lexical.run", "other": "dense.run"})
    run_plan(place, "june", {"mine": "fused.run", "other": "dense.run"}, "seed = 5\n")
    run_plan(place, "july", {"mine": "lexical.run", "third": "dense.run"}, "seed = 5\n")
    return place


def test_figures_changes_and_tests(results: Path) -> None:
    history = results_history([results / "may", results / "june"], "ap")
    assert history.entries[0].label == "may"
    assert history.entries[0].figures["mine"] == pytest.approx(0.4379, abs=5e-5)
    step = history.steps[0]
    kinds = {(change.kind, change.name) for change in step.changes}
    assert {("setting", "seed"), ("input", "mine on runs")} <= kinds
    assert ("input", "other on runs") not in kinds
    mine, other = step.systems
    before, after = (entry.scores["mine", :, "ap"] for entry in history.entries)
    assert mine.difference == pytest.approx(float((after - before).mean()))
    assert mine.p == pytest.approx(min(1.0, 2 * stats.ttest_rel(after, before).pvalue)), "holm over two systems"
    assert (mine.verdict, mine.wins, mine.losses, mine.same_run) == ("better", 8, 0, False)
    assert (other.verdict, other.same_run, other.p) == ("same", True, 1.0)


def test_two_of_them_and_systems_that_come_and_go(results: Path) -> None:
    folders = [results / name for name in ("may", "june", "july")]
    history = results_history(folders, "ap", pair=["june", "july"])
    (step,) = history.steps
    assert [change.system for change in step.systems] == ["mine"]
    assert step.systems[0].verdict == "worse"
    assert step.systems[0].losers[0][1] == pytest.approx(
        min(history.entries[2].scores["mine", :, "ap"] - history.entries[1].scores["mine", :, "ap"])
    )
    assert {("system", "other"), ("system", "third")} <= {(c.kind, c.name) for c in step.changes}
    assert "worse on ap: mine (−0.2650" in history.conclusion()
    assert history.systems == ("third", "mine", "other")
    low = results_history(folders[:2], "rank", pair=[])
    assert low.direction == -1
    assert low.steps[0].systems[0].verdict in {"better", "undecided", "same"}


def test_the_page(results: Path, tmp_path: Path) -> None:
    shutil.copytree(results / "may", tmp_path / "may <b>")
    history = results_history([tmp_path / "may <b>", results / "june", results / "july"])
    text = history_page(history, str(tmp_path))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src &#x27;none&#x27;") or policy[1].startswith("default-src 'none'")
    assert 'href="may%20%3Cb%3E/report.html"' in text
    assert "<b>" not in text
    assert "Try &lt;may&gt;" in text
    assert "Earlier steps" in text
    assert str(results) not in re.sub(r'href="[^"]*"', "", text), "no folder of this machine"


def test_the_command_and_python(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    folders = [str(results / name) for name in ("may", "june", "july")]
    assert main(["report", *folders]) == 0
    out = capsys.readouterr().out
    assert "3 folders. From june to july: worse on ap: mine" in out
    assert Path("history.html").is_file()
    assert main(["report", *folders, "-f", "json", "-o", "other.html"]) == 0
    data = json.loads(capsys.readouterr().out)
    result = adjudge.history(folders)
    assert result.to_dict() == data
    assert result.to_polars()["june"].to_list()[1] == pytest.approx(0.7029, abs=5e-5)
    assert "june" in result.plot().svg()
    assert "june" in result._repr_html_()
    for form in ("md", "latex", "csv"):
        assert main(["report", *folders, "-f", form]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["{may}"], "may: is given twice"),
        (["nowhere"], "nowhere: no results of an experiment there"),
        (["{june}", "-m", "nosuch"], "no measure 'nosuch'"),
        (["{june}", "--compare", "may", "jun"], "no folder 'jun' among may, june, did you mean june"),
        (["{june}", "--compare", "may", "may"], "two folders are compared"),
        (["{june}", "--of-version", "scan"], "no version 'scan'"),
        (["{june}", "--figures", "x"], "are of one folder"),
        (["-m", "ap"], "is for several folders"),
    ],
)
def test_what_is_refused(
    results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    more: list[str],
    why: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    given = [word.format(may=results / "may", june=results / "june") for word in more]
    assert main(["report", str(results / "may"), *given]) == 2
    lines = capsys.readouterr().err.strip().split("\n")
    assert len(lines) == 1
    assert why in lines[0]
    assert not Path("history.html").exists()


def test_no_topic_in_common(results: Path, tmp_path: Path) -> None:
    with as_file(files("adjudge") / "example") as example:
        for name in ("qrels.txt", "lexical.run"):
            lines = [f"x{line}" for line in (example / name).read_text().splitlines() if not line.startswith("#")]
            (tmp_path / name).write_text("\n".join(lines) + "\n")
    plan = 'judgments = "qrels.txt"\nruns = "*.run"\nmeasures = ["ap"]\nsamples = 50\ntests = ["t"]\n'
    (tmp_path / "plan.toml").write_text(plan)
    assert main(["run", str(tmp_path / "plan.toml"), "-o", str(tmp_path / "other"), "--workers", "0"]) == 0
    history = results_history([results / "may", tmp_path / "other"], "ap")
    assert history.steps[0].systems == ()
    assert "no topic in common" in history.conclusion()
    assert np.isfinite(history.entries[1].intervals).all()
    with pytest.raises(AdjudgeError, match="two folders of results or more"):
        results_history([results / "may"])
