"""Lines of a run by the kernel: those that Python's own strings give, to the byte."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import DataError
from adjudge.core.run import Run
from adjudge.formats import runs
from adjudge.formats.runs import read_run, run_bytes

NAMES = st.text(st.sampled_from("ab1_-é\x7f~"), min_size=1, max_size=3)
DECIMALS = st.builds(lambda units, places: units / 10**places, st.integers(-(10**16), 10**16), st.integers(0, 9))
SCORES = (
    st.sampled_from([1.0, 0.5, -2.0, -0.0, 1e-4, 9.9e-5, 999999999.999999, 1e9, 1e-9, 1e22])
    | DECIMALS
    | st.floats(allow_nan=False, allow_infinity=False)
)


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


def test_short_decimals_are_written_as_python_writes_them() -> None:
    rng = np.random.default_rng(0)
    near = rng.integers(-(10**12), 10**12, 20_000) / 10.0 ** rng.integers(2, 8, 20_000)
    scores = np.unique(np.concatenate([near, np.nextafter(near, 0), np.nextafter(near, np.inf), rng.normal(size=999)]))
    run = read_run({"1": {f"d{i}": score for i, score in enumerate(scores.tolist())}}, name="tag")
    written = [line.split()[4] for line in run_bytes(run, "trec").decode().splitlines()]
    assert written == [repr(score) for score in scores[::-1].tolist()]


@pytest.mark.parametrize("name", ["a b", "a\tb", "a\nb"])
def test_names_that_lines_cannot_hold_are_refused(name: str) -> None:
    with pytest.raises(DataError, match="cannot stand in a line of TREC"):
        run_bytes(read_run({"1": {name: 1.0}}), "trec")
