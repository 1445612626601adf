"""A few jobs that are killed, starved and raced; ``make chaos`` disturbs all of them, as often as one likes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from chaos.drive import KINDS, draw, possible, summary
from chaos.jobs import BY_NAME, JOBS, SERVING
from chaos.serving import serving_trial
from chaos.trial import FAULTS, Whole, decent, differences, snapshot, trial

FEW = [
    ("index again", "kill"),
    ("noise", "kill"),
    ("index", "race"),
    ("scores", "fsize"),
    ("index", "full"),
    ("scores", "as"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), FEW)
def test_a_disturbed_job_comes_to_the_same(name: str, kind: str) -> None:
    job = BY_NAME[name]
    if not possible(job, kind):
        pytest.skip("this needs root")
    outcome = trial(job, random.Random(f"{name} {kind}"), kind)
    assert outcome.wrong == ()


@pytest.mark.slow
def test_a_workbench_loses_nothing_that_it_acknowledged() -> None:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'adjudge[collect]'")
    assert serving_trial(random.Random(1)).wrong == ()


def test_trials_are_drawn_by_seed_and_number() -> None:
    first = [draw(1, number)[:2] for number in range(300)]
    assert first == [draw(1, number)[:2] for number in range(300)]
    assert {job.name for job, _ in first} == {job.name for job in JOBS if job.weight}
    assert {kind for _, kind in first} == {"kill", "race", *FAULTS} == set(KINDS)
    assert all(kind == "kill" for job, kind in first if job.name == SERVING)


def test_what_is_wrong_is_seen() -> None:
    known = Whole(Path(), {"a": "1", "b": "2", "c.json#x": 5}, frozenset({"b"}), 1.0, 8)
    assert differences(known, {"a": "1", "b": "3", "c.json#x": 5}) == []
    assert differences(known, {"a": "0", "b": "2", ".a.adjudge": "", "c.json#x": 5}) == [
        "left behind: .a.adjudge",
        "other: a",
    ]
    assert differences(known, {"b": "2"}) == ["missing: a", "missing: c.json#x"]


def test_how_a_command_may_end() -> None:
    assert decent(0, "")
    assert decent(2, "x: cannot be written: No space left on device")
    assert not decent(1, "Traceback (most recent call last):")
    assert not decent(-11, "")


def test_a_snapshot_knows_names_and_values(tmp_path: Path) -> None:
    folder = tmp_path
    (folder / "adjudge-data-0123abcd").mkdir()
    (folder / "adjudge-data-0123abcd" / "x").write_bytes(b"1")
    (folder / "m.json").write_text('{"data": "adjudge-data-0123abcd", "seconds": 1.5, "list": [1]}')
    files = snapshot(folder)
    assert set(files) == {"adjudge-data-*", "adjudge-data-*/x", "m.json#data", "m.json#list#0"}
    assert files["m.json#data"] == "adjudge-data-*"


def test_a_summary_counts() -> None:
    lines = [
        {"kind": "kill", "hit": True, "wrong": [], "temporary": 0, "kills": 1, "number": 1, "job": "index", "how": "x"}
    ]
    assert summary(lines).splitlines()[-1] == "1 trials, 1 kills: 0 with something wrong, 0 temporary files left over"
