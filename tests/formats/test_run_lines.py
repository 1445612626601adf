"""Lines of a run by the kernel: those that Python's own strings give, to the byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import DataError
from adjudge.core.run import Run
from adjudge.formats import runs
from adjudge.formats.runs import read_run, run_bytes

NAMES = st.text(st.sampled_from("ab1_-é\x7f~"), min_size=1, max_size=3)
SCORES = st.sampled_from([1.0, 0.5, -2.0, 1e-9, 1e22]) | st.floats(allow_nan=False, allow_infinity=False)


def by_python(run: Run) -> bytes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "_lines_by_kernel", lambda run: None)
        return run_bytes(run, "trec")


@given(st.dictionaries(NAMES, st.dictionaries(NAMES, SCORES, min_size=1, max_size=6), min_size=1, max_size=4))
def test_lines_of_kernel_and_python_are_the_same(given_run: dict[str, dict[str, float]]) -> None:
    run = read_run(given_run, name="tag")
    lines = run_bytes(run, "trec")
    assert lines == by_python(run)
    ranked = [
        f"{topic} Q0 {document} {rank} {score!r} tag"
        for topic, answers in given_run.items()
        for rank, (document, score) in enumerate(
            sorted(answers.items(), key=lambda row: (row[1], row[0].encode()), reverse=True), 1
        )
    ]
    assert lines.decode().splitlines() == ranked


@pytest.mark.parametrize("name", ["a b", "a\tb", "a\nb"])
def test_names_that_lines_cannot_hold_are_refused(name: str) -> None:
    with pytest.raises(DataError, match="cannot stand in a line of TREC"):
        run_bytes(read_run({"1": {name: 1.0}}), "trec")
