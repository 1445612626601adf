"""Tuning a system of a plan: settings are run once, chosen by folds, and shown on the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjudge.cli import main
from adjudge.core.errors import AdjudgeError
from adjudge.experiment.completed_runs import CompletedRuns
from adjudge.experiment.parameter_search import Axis, fixed_points
from adjudge.experiment.plan import Plan
from adjudge.experiment.running import Execution, conclude
from adjudge.experiment.tuning import conduct_tuning
from adjudge.report.result_files import result_files

WORDS = [
    "solar",
    "wind",
    "power",
    "plant",
    "florida",
    "plains",
    "bond",
    "coupon",
    "treasury",
    "parrot",
    "cage",
    "river",
    "bridge",
    "stone",
]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    rng = np.random.default_rng(4)
    texts = {f"d{i:02}": " ".join(rng.choice(WORDS, int(rng.integers(3, 40)))) for i in range(40)}
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in texts.items()))
    questions, judgments = [], []
    for q in range(12):
        words = rng.choice(WORDS, 2, replace=False)
        questions.append(f"q{q:02}\t{' '.join(words)}\n")
        relevant = sorted(texts, key=lambda d: (-sum(texts[d].split().count(w) for w in words), d))[:6]
        judgments += [f"q{q:02} 0 {d} 1\n" for d in rng.choice(relevant, 3, replace=False)]
    (tmp_path / "topics.tsv").write_text("".join(questions))
    (tmp_path / "qrels.txt").write_text("".join(judgments))
    return tmp_path


HEAD = (
    'documents = "docs.jsonl"\ntopics = "topics.tsv"\njudgments = "qrels.txt"\nmeasures = ["ap", "ndcg@10", "gm_map"]\n'
)
GRID = (
    '[tune]\nsystem = "bm25"\ntrain = ["ap", "gm_map"]\nfolds = 3\n'
    "[tune.parameters]\nk1 = [0.1, 0.9, 3.0]\nb = [0.0, 0.4, 1.0]\n"
)


def tuned(place: Path, table: str, systems: str = "", folder: str = "out") -> Execution:
    (place / "plan.toml").write_text(f"{HEAD}samples = 100\n{systems}{table}")
    return conduct_tuning(Plan.read(place / "plan.toml"), place / folder, result_files, workers=0)


def test_settings_are_run_once_and_chosen_by_folds(place: Path) -> None:
    execution = tuned(place, GRID, '[systems]\nother = "lucene"\n')
    tuning, results = execution.tuning, execution.results
    assert len(tuning.settings) == 9  # the default is one of the grid, and is not run twice
    assert tuning.settings[tuning.default] == "bm25"
    assert tuning.points[tuning.default] == {"k1": 0.9, "b": 0.4}
    assert list(results.runs["clean"]) == ["bm25", "other", "bm25 tuned on ap", "bm25 tuned on gm_map"]
    trial = CompletedRuns.load(place / "out" / "trials")
    stitched = results.run("clean", "bm25 tuned on ap").to_dict()
    for topic, fold in zip(tuning.topics, tuning.fold, strict=True):
        name = tuning.settings[tuning.chosen[0, fold]]
        run = trial.run("clean", name) if name in trial.runs["clean"] else results.run("clean", name)
        assert stitched.get(topic) == run.to_dict().get(topic)
    assert execution.findings is not None
    part = execution.findings.first
    assert part.means[part.place["bm25 tuned on ap"]] == pytest.approx(tuning.tuned[0, 0])
    assert part.baseline == "bm25"
    page = execution.page.read_text()
    assert "What tuning gains" in page
    assert "claimed without a split" in page


@pytest.mark.slow
def test_what_is_done_is_not_done_again_and_the_page_can_be_made_anew(place: Path) -> None:
    first = tuned(place, GRID)
    records = {p: p.stat().st_mtime_ns for p in (place / "out" / "trials" / "runs").rglob("*.json")}
    again = tuned(place, GRID)
    assert again.findings is None
    assert {p: p.stat().st_mtime_ns for p in (place / "out" / "trials" / "runs").rglob("*.json")} == records
    assert again.tuning.to_dict() == first.tuning.to_dict()
    page = first.page.read_bytes()
    anew = conclude(CompletedRuns.load(place / "out"), result_files, anew=True)
    assert anew.findings is not None
    assert anew.findings.tuning is not None
    assert b"What tuning gains" in page
    assert b"What tuning gains" in anew.page.read_bytes()


@pytest.mark.slow
def test_a_setting_more_runs_that_setting_only(place: Path) -> None:
    tuned(place, GRID)
    before = {p: p.stat().st_mtime_ns for p in (place / "out" / "trials" / "runs").rglob("*.json")}
    tuned(place, GRID.replace("k1 = [0.1, 0.9, 3.0]", "k1 = [0.1, 0.9, 3.0, 5.0]"))
    after = {p: p.stat().st_mtime_ns for p in (place / "out" / "trials" / "runs").rglob("*.json")}
    assert before.items() <= after.items()
    assert len(after) == len(before) + 3


@pytest.mark.slow
def test_parameters_that_do_nothing_gain_nothing(place: Path) -> None:
    (place / "idle.py").write_text("def search(query, dummy=1):\n    return ['d01', 'd02', 'd03']\n")
    table = '[tune]\nsystem = { python = "idle:search" }\nfolds = 3\n[tune.parameters]\ndummy = [1, 2]\n'
    execution = tuned(place, table)
    tuning = execution.tuning
    assert tuning.system == "search"
    assert tuning.settings == ("search", "search(dummy=1)", "search(dummy=2)")
    assert not tuning.gain.any()
    assert not tuning.claimed.any()
    assert "keeps the default in every fold" in tuning.conclusion()


def test_what_is_read_is_not_overwritten(place: Path) -> None:
    (place / "qrels.txt").rename(place / "judgments.txt")
    before = (place / "judgments.txt").read_bytes()
    (place / "plan.toml").write_text(HEAD.replace("qrels.txt", "judgments.txt") + GRID)
    with pytest.raises(AdjudgeError, match="would be overwritten"):
        conduct_tuning(Plan.read(place / "plan.toml"), place, result_files, workers=0)
    assert (place / "judgments.txt").read_bytes() == before


def test_a_random_search_is_drawn_by_the_seed() -> None:
    axes = {"k1": Axis.of({"low": 0.1, "high": 5.0, "log": True}), "n": Axis.of({"low": 1, "high": 9, "whole": True})}
    one, two = fixed_points(axes, "random", 30, 1), fixed_points(axes, "random", 30, 1)
    assert one == two != fixed_points(axes, "random", 30, 2)
    assert len(one) == 30
    assert all(0.1 <= point["k1"] <= 5 and point["n"] in range(1, 10) for point in one)
    assert len(fixed_points({"k": Axis.of([1, 2])}, "random", 30, 0)) == 2


def test_ranges_have_steps() -> None:
    assert Axis.of({"low": 0, "high": 1, "steps": 5}).grid() == (0.0, 0.25, 0.5, 0.75, 1.0)
    assert Axis.of({"low": 0, "high": 10**30, "steps": 2}).grid() == (0.0, 1e30)
    assert Axis.of({"low": 1, "high": 100, "steps": 3, "log": True, "whole": True}).grid() == (1, 10, 100)


@pytest.mark.slow
def test_a_sequential_search_sees_its_own_folds_only(place: Path) -> None:
    pytest.importorskip("optuna")
    table = (
        '[tune]\nsystem = "bm25"\nsearch = "sequential"\ntrials = 3\nfolds = 2\n'
        "[tune.parameters]\nk1 = { low = 0.1, high = 4.0 }\nb = [0.0, 0.4, 1.0]\n"
    )
    one, two = tuned(place, table).tuning, tuned(place, table, folder="again").tuning
    assert one.to_dict() == two.to_dict()
    assert 2 <= len(one.settings) <= 1 + 3 * 3
    assert np.isnan(one.spread).all()


@pytest.mark.slow
def test_settings_that_fail_are_left_out(place: Path) -> None:
    (place / "moody.py").write_text(
        "def search(query, mood=1):\n    if mood == 2:\n        raise ValueError('bad mood')\n    return ['d01']\n"
    )
    table = '[tune]\nsystem = { python = "moody:search" }\nfolds = 3\n[tune.parameters]\nmood = [2, 3]\n'
    execution = tuned(place, table)
    assert [str(failure) for failure in execution.failures] == [
        "search(mood=2) on clean: raised ValueError: bad mood (moody.py:3)"
    ]
    assert execution.tuning.settings == ("search", "search(mood=3)")


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ("[tune]\nsystem = 'bm25'\n", "tune: parameters is missing"),
        ("[tune]\nsystem = 'bm25'\nparameters = {}\n", "tune: no parameter to tune"),
        (
            "[tune]\nsystem = 'bm25'\nfold = 3\nparameters = { k1 = [1] }\n",
            "tune: no setting 'fold', did you mean folds",
        ),
        ("[tune]\nsystem = 'bm25'\nfolds = 1\nparameters = { k1 = [1] }\n", "tune: folds must be a whole number"),
        ("[tune]\nsystem = 'bm25'\nfolds = 7\nparameters = { k1 = [1] }\n", "12 topics are too few for 7 folds"),
        ("[tune]\nsystem = 'bm25'\nsearch = 'best'\nparameters = { k1 = [1] }\n", "search must be one of grid, random"),
        ("[tune]\nsystem = 'bm25'\nparameters = { k1 = 3 }\n", "tune: parameter k1: must be a list of values"),
        ("[tune]\nsystem = 'bm25'\nparameters = { k1 = { low = 1, high = 0 } }\n", "low must be a number below high"),
        ("[tune]\nsystem = 'bm25'\nparameters = { k1 = { low = 0, high = 1 } }\n", "parameter k1: a grid needs steps"),
        ("[tune]\nsystem = 'bm25'\nparameters = { k2 = [1] }\n", "tune: bm25 has no parameter 'k2', it has k1, b"),
        ("[tune]\nsystem = 'bm25'\ntrain = ['app']\nparameters = { k1 = [1] }\n", "no measure 'app'"),
    ],
)
def test_what_cannot_be_tuned_is_told(place: Path, table: str, why: str) -> None:
    with pytest.raises(AdjudgeError) as caught:
        tuned(place, table)
    assert why in str(caught.value)


@pytest.mark.slow
def test_the_command_prints_the_matrix(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "plan.toml").write_text(f"{HEAD}samples = 100\n{GRID}")
    monkeypatch.chdir(place)
    assert main(["run", "plan.toml"]) == 2
    assert "plan.toml: has a table [tune]: adjudge tune plan.toml" in capsys.readouterr().err
    assert main(["tune", "plan.toml", "--workers", "0"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("trained on ")
    assert "judged by" in out
    assert "optimism" in out
    assert "results/plan/report.html" in out
    assert main(["tune", "plan.toml", "--workers", "0", "-f", "json"]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert data["train"] == ["ap", "gm_map"]
    assert main(["tune", "plan.toml", "--workers", "0", "-f", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("trained on,judged by,default,tuned,gain")
    (place / "none.toml").write_text(HEAD + 'systems = ["bm25"]\n')
    assert main(["tune", "none.toml"]) == 2
