"""Mutated inputs through every reader: accepted, or refused in one line. ``make fuzz`` tries many more."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fuzzing.attempt import attempt, attempts
from fuzzing.targets import BY_NAME, TARGETS

CORPUS = Path(__file__).parent / "corpus"
KEPT = sorted(path for path in CORPUS.glob("*/*") if path.is_file())
FEW, SOME = {"dump": 6, "candidates": 12, "results": 5, "spec": 25, "plan": 25}, 40


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_input_that_once_did_harm(path: Path, tmp_path: Path) -> None:
    name = "candidates.jsonl" if path.parent.name == "candidates" else path.name
    copy = tmp_path / name
    shutil.copy(path, copy)
    assert attempt(BY_NAME[path.parent.name], copy) in {"accepted", "refused"}


def test_the_corpus_is_of_known_readers() -> None:
    assert {path.parent.name for path in KEPT} <= set(BY_NAME)


@pytest.mark.parametrize("name", [target.name for target in TARGETS])
def test_mutated_inputs(name: str) -> None:
    outcomes = attempts(name, 1, 0, FEW.get(name, SOME if BY_NAME[name].share == 1 else 10))
    assert {number: why for number, why in outcomes.items() if why not in {"accepted", "refused"}} == {}
    assert "accepted" in outcomes.values(), "a target that refuses everything tries nothing"


def test_a_defect_is_seen(tmp_path: Path) -> None:
    def fails(path: Path) -> object:
        return [][len(str(path))]

    target = BY_NAME["run"]._replace(use=fails)
    (tmp_path / "x").write_text("x")
    assert "IndexError" in attempt(target, tmp_path / "x")
