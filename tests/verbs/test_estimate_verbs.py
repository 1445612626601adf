"""Estimates as a verb: what is given is told apart, and what cannot be meant is refused in one line."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

import adjudge
from adjudge.core.errors import DataError, SpecError

RUNS = {"a": {topic: {"x": 3.0, "y": 2.0, "z": 1.0} for topic in "123"}}
SAMPLE = "".join(f"{topic} 0 {id_} 1 {int(id_ == 'x')}\n" for topic in "123" for id_ in "xyz")
PEOPLE = {"1": {"x": 1, "y": 0}, "2": {"x": 0, "y": 1}}
MACHINE = {topic: {"x": 1, "y": 0, "z": 1} for topic in "123"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 0 x 1 q\n1 0 y 1 1\n", r"sample.txt:1: the grade must be a whole number: 'q'"),
        ("# drawn in May\n1 0 x 1 1 9\n", r"sample.txt:2: 5 columns expected .*, 6 found"),
        ("1 0 x 1 1\n1 0 y 1\n", r"sample.txt:2: 5 columns expected .*, 4 found"),
        ("", r"sample.txt: empty"),
    ],
)
def test_a_line_that_is_wrong_is_named(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "sample.txt"
    file.write_text(text)
    with pytest.raises((DataError, SpecError), match=why):
        adjudge.estimate(file, RUNS, "p@2")


def test_plain_judgments_need_a_machine(tmp_path: Path) -> None:
    file = tmp_path / "qrels.txt"
    file.write_text("1 0 x 1\n")
    with pytest.raises(SpecError, match=r"qrels.txt: plain judgments have no strata"):
        adjudge.estimate(file, RUNS, "p@2")
    with pytest.raises(SpecError, match=r"^plain judgments have no strata"):
        adjudge.estimate(PEOPLE, RUNS, "p@2")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name here")
def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(SAMPLE,))
    writer.start()
    assert adjudge.estimate(pipe, RUNS, "p@2").rows[0].estimate.value == pytest.approx(0.5)
    writer.join()


def test_a_machine_of_another_collection_is_refused() -> None:
    other = {topic: {"q": 1, "r": 0} for topic in "123"}
    with pytest.raises(DataError, match="2 topics in common and no document of them: these are judgments of another"):
        adjudge.estimate(PEOPLE, RUNS, "p@2", machine=other)


def test_one_system_has_no_order() -> None:
    told = adjudge.estimate(PEOPLE, RUNS, "p@2", machine=MACHINE).conclusion()
    assert "order" not in told
    both = adjudge.estimate(PEOPLE, {**RUNS, "b": RUNS["a"]}, "p@2", machine=MACHINE).conclusion()
    assert "the same order" in both
