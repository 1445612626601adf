"""Judgments as lines of JSON: what is taken for them, and what is refused in a line."""

from __future__ import annotations

from pathlib import Path

import pytest

import adjudge
from adjudge.core.errors import AdjudgeError, DataError, SpecError
from adjudge.verbs.file_verbs import kind_of


def test_lines_with_a_score_are_those_of_a_run(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"topic": "1", "document": "d1", "rank": 1, "score": 3, "tag": "x"}\n')
    with pytest.raises(AdjudgeError):
        adjudge.read_qrels(path)
    with pytest.raises(SpecError, match="its content does not tell what it holds"):
        kind_of(path)


@pytest.mark.parametrize("grade", ["9" * 400, "-" + "9" * 30, "1e400", "0.5", "true", '"1"', "null"])
def test_a_grade_that_is_none_is_one_line(tmp_path: Path, grade: str) -> None:
    path = tmp_path / "judged.jsonl"
    path.write_text(f'{{"topic": "1", "document": "d1", "grade": {grade}}}\n')
    with pytest.raises(DataError, match=r"not a whole number|not JSON|too large|no number") as caught:
        adjudge.read_qrels(path)
    assert "\n" not in str(caught.value)
