"""Systems of one's own from Python: a function beside bm25, a page, and tuning in two lines."""

from __future__ import annotations

import importlib
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge.core.errors import AdjudgeError, WrongTypeError
from adjudge.experiment.running import CellError

DOCS = {
    "d1": "solar power plants of florida",
    "d2": "wind power in the plains",
    "d3": "coupons and bonds of the treasury",
    "d4": "parrots in cages",
}
TOPICS = {"q1": "solar power", "q2": "parrots", "q3": "treasury bonds"}
QRELS = {"q1": {"d1": 1}, "q2": {"d4": 1}, "q3": {"d3": 1}}


def overlap(query: str, documents: Any, weight: float = 1.0) -> dict[str, float]:
    words = set(query.split())
    return {d.id: weight * len(words & set(d.text.split())) for d in documents if words & set(d.text.split())}


class Transformer:
    def transform(self, topics: Any) -> Any:
        import pandas as pd

        return pd.DataFrame({"qid": topics["qid"], "docno": "d4", "score": 1.0})


def test_an_own_function_stands_beside_bm25(tmp_path: Path) -> None:
    found = adjudge.experiment({"mine": overlap, "bm25": "bm25"}, DOCS, TOPICS, QRELS)
    assert not found.failures
    assert found.findings is not None
    assert set(found.findings.systems) == {"mine", "bm25"}
    assert found.results.run("clean", "mine").to_dict()["q2"] == {"d4": 1.0}
    frame = found.to_polars()
    assert set(frame["system"]) == {"mine", "bm25"}
    found.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.startswith("<!doctype html>")
    assert page == found.to_html()
    assert "mine" in found._repr_html_()
    assert "<svg" in found.plot().svg()


def test_every_shape_of_a_system(tmp_path: Path) -> None:
    systems = {
        "function": overlap,
        "heavy": {"python": overlap, "weight": 2.0},
        "transformer": Transformer(),
        "weighting": "dirichlet(mu=10)",
        "run": {"q1": {"d1": 2.0}, "q2": {"d1": 1.0}},
        "command": {"command": f"{sys.executable} -c \"print('q1 Q0 d1 1 1 x')\""},
    }
    found = adjudge.experiment(systems, DOCS, TOPICS, QRELS, baselines="run", output=tmp_path / "out")
    assert not found.failures
    assert set(found.results.runs["clean"]) == set(systems)
    assert found.results.run("clean", "heavy").to_dict()["q2"] == {"d4": 2.0}
    assert found.findings is not None
    assert found.findings.first.baseline == "run"


def test_a_function_that_fails_leaves_the_others() -> None:
    def broken(query: str) -> list[str]:
        raise RuntimeError("out of memory")

    def slow(query: str) -> list[str]:
        time.sleep(30)
        return []

    def wrong(query: str) -> list[str]:
        return ["nowhere"]

    systems = {"broken": broken, "slow": {"python": slow, "limit": 0.2}, "wrong": wrong, "bm25": "bm25"}
    found = adjudge.experiment(systems, DOCS, TOPICS, QRELS)
    why = {failure.system: failure.why for failure in found.failures}
    assert why["broken"].startswith("raised RuntimeError: out of memory (test_system_verbs.py:")
    assert why["slow"] == "did not end within its limit of 0.2 seconds"
    assert why["wrong"] == "the run has the document 'nowhere', which is not among the documents"
    assert found.findings is not None
    assert found.findings.systems == ("bm25",)
    with pytest.raises(CellError, match="broken on clean"):
        adjudge.experiment({"broken": broken}, DOCS, TOPICS, QRELS)


def test_code_of_this_process_is_run_each_time_unless_it_has_a_version(tmp_path: Path) -> None:
    calls: list[str] = []

    def counted(query: str) -> list[str]:
        calls.append(query)
        return ["d1"]

    for _ in range(2):
        adjudge.experiment({"mine": counted}, DOCS, TOPICS, QRELS, output=tmp_path / "a")
    assert len(calls) == 6
    for _ in range(2):
        adjudge.experiment({"mine": {"python": counted, "version": 1}}, DOCS, TOPICS, QRELS, output=tmp_path / "b")
    assert len(calls) == 9


def test_runs_alone_make_an_experiment() -> None:
    runs = {"a": {"q1": {"d1": 1.0}}, "b": {"q1": {"d2": 2.0, "d1": 1.0}}}
    found = adjudge.experiment({"both": "fusion(of=[a, b])"}, qrels=QRELS, runs=runs)
    assert set(found.results.runs["runs"]) == {"a", "b", "both"}


@pytest.mark.parametrize(
    ("given", "error", "why"),
    [
        ({"systems": {"mine": 3}}, WrongTypeError, "system mine must be a spec, a function"),
        ({"systems": 3}, WrongTypeError, "systems must be a list of specs, or a dict of systems by name, not int"),
        ({"systems": {"mine": "bm26"}}, AdjudgeError, "no system 'bm26', did you mean bm25"),
        ({"systems": []}, AdjudgeError, "an experiment needs a system or a run"),
        ({"qrels": None}, AdjudgeError, "an experiment needs qrels"),
        ({"systems": {"mine": {"python": overlap, "reads": ["x"]}}}, AdjudgeError, "reads is for code in files"),
    ],
)
def test_what_makes_no_experiment(given: dict[str, Any], error: type[Exception], why: str) -> None:
    arguments = {"systems": "bm25", "documents": DOCS, "topics": TOPICS, "qrels": QRELS} | given
    with pytest.raises(error, match=why):
        adjudge.experiment(**arguments)


def test_tuning_in_two_lines() -> None:
    topics = {f"{topic}{i}": text for i in range(4) for topic, text in TOPICS.items()}
    qrels = {topic: QRELS[topic[:2]] for topic in topics}
    found = adjudge.tune("bm25", {"k1": [0.5, 0.9], "b": [0.4]}, DOCS, topics, qrels, train=["ap", "rr"], folds=3)
    tuning = found.tuning
    assert tuning.settings == ("bm25", "bm25(k1=0.5, b=0.4)")
    assert set(tuning.to_polars()["trained_on"]) == {"ap", "rr"}
    assert "<svg" in tuning.plot().svg()
    assert "Tuning bm25" in tuning._repr_html_()
    assert "What tuning gains" in found.to_html()


def test_a_function_is_tuned_too() -> None:
    topics = {f"{topic}{i}": text for i in range(4) for topic, text in TOPICS.items()}
    qrels = {topic: QRELS[topic[:2]] for topic in topics}

    def search(query: str, good: bool = False) -> list[str]:
        right = {"solar power": "d1", "parrots": "d4", "treasury bonds": "d3"}[query]
        return [right] if good else ["d2", right]

    found = adjudge.tune(search, {"good": [False, True]}, DOCS, topics, qrels, train="ap", folds=3)
    assert found.tuning.settings[found.tuning.best[0]] == "search(good=true)"
    assert found.tuning.gain[0, 0] == pytest.approx(0.5)
    assert found.tuning.verdict(0, 0) == 1


def test_the_verb_and_the_room_share_a_name() -> None:
    room = importlib.import_module("adjudge.experiment.running")
    assert room.conduct is adjudge.experiment.running.conduct  # type: ignore[attr-defined]
    assert callable(adjudge.experiment)
    for first, second in (("", "adjudge.experiment"), ("adjudge.experiment.running", "")):
        code = f"import adjudge\n{'import ' + first if first else ''}\ncallable(adjudge.experiment) or exit(1)\n"
        code += "import adjudge.experiment.running as r\nexit(not hasattr(r, 'conduct'))\n"
        code += f"{'import ' + second if second else ''}"
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
