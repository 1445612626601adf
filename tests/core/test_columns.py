"""Runs and judgments take numbers of every type that has them, and say what is wrong with all others."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import adjudge
from adjudge.core.columns import column
from adjudge.core.errors import DataError
from adjudge.core.kernel import compiled
from adjudge.core.qrels import Qrels
from adjudge.core.run import Run
from adjudge.core.strings import Strings

TOPICS, DOCUMENTS = ["q"] * 4, ["a", "b", "c", "d"]
SCORES = np.array([7.0, 9.0, 1.0, 5.0])
"""In the order b, a, d, c: with a and c relevant AP is (1/2 + 2/4) / 2."""
GRADES = np.array([1, 0, 1, 0], np.int32)

NUMBERS = ["?", *"bhilqBHILQefdg"]
OTHERS = ["F", "D", "G", "S4", "U4", "O", "M8[s]", "m8[s]", "V8"]
WIDE = [kind for kind in NUMBERS if kind != "?"]


def swapped(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return array.astype(array.dtype.newbyteorder())


def strided(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.repeat(array, 2)[::2]


def reversed_twice(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return array[::-1].copy()[::-1]


def unaligned(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    room = np.zeros(array.nbytes + 1, np.uint8)
    view = room[1:].view(array.dtype)
    view[:] = array
    return view


def protected(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array = array.copy()
    array.flags.writeable = False
    return array


LAYOUTS = [np.array, swapped, strided, reversed_twice, unaligned, protected]


def average_precision(run: Run, qrels: Qrels) -> float:
    return adjudge.measure(qrels, run, "ap").mean()[run.name]["ap"]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", WIDE)
def test_scores_of_every_type_of_number(kind: str, layout: Any) -> None:
    run = Run.of_columns(TOPICS, DOCUMENTS, layout(SCORES.astype(kind)))
    assert run.scores.dtype == np.float64
    assert run.scores.tolist() == SCORES.tolist()
    assert average_precision(run, Qrels.of_columns(TOPICS, DOCUMENTS, GRADES)) == pytest.approx(0.5)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", NUMBERS)
def test_grades_of_every_type_of_number(kind: str, layout: Any) -> None:
    qrels = Qrels.of_columns(TOPICS, DOCUMENTS, layout(GRADES.astype(kind)))
    assert qrels.grades.dtype == np.int32
    assert qrels.grades.tolist() == GRADES.tolist()
    assert average_precision(Run.of_columns(TOPICS, DOCUMENTS, SCORES), qrels) == pytest.approx(0.5)


@pytest.mark.parametrize("table", [Run, Qrels])
@pytest.mark.parametrize("kind", OTHERS)
def test_what_is_no_number_is_refused(kind: str, table: type[Run] | type[Qrels]) -> None:
    with pytest.raises(DataError, match=r"^here: (scores|grades): numbers are needed, not "):
        table.of_columns(TOPICS, DOCUMENTS, np.zeros(4, kind), "here")


@pytest.mark.parametrize(
    ("grades", "why"),
    [
        ([0.5, 1, 0, 0], r"0\.5 is not a whole number"),
        ([np.nan, 1, 0, 0], "nan is not a whole number"),
        ([-np.inf, 1, 0, 0], "inf is not a whole number"),
        ([2**31, 1, 0, 0], "2147483648 is not within -2147483648 and 2147483647"),
        ([-(2**31) - 1, 1, 0, 0], "-2147483649 is not within"),
        ([1e300, 1, 0, 0], "is not within"),
    ],
)
def test_grades_that_are_no_whole_numbers_of_32_bits(grades: list[float], why: str) -> None:
    with pytest.raises(DataError, match=why):
        Qrels.of_columns(TOPICS, DOCUMENTS, np.array(grades))


@pytest.mark.parametrize("kind", [*NUMBERS, *OTHERS])
def test_nothing_has_no_type(kind: str) -> None:
    run = Run.of_columns([], [], np.zeros(0, kind))
    assert len(run) == 0
    assert run.scores.dtype == np.float64


@pytest.mark.skipif(np.finfo(np.longdouble).max == np.finfo(float).max, reason="long doubles are doubles here")
def test_a_score_beyond_all_doubles_is_not_finite() -> None:
    with pytest.raises(DataError, match="not a finite number"):
        Run.of_columns(TOPICS, DOCUMENTS, np.array([1, 2, 3, np.finfo(np.longdouble).max]))


def test_large_whole_scores_are_rounded_as_those_in_a_file() -> None:
    wanted = [float(2**53), float(2**53 + 2)]
    assert Run.of_columns(["q", "q"], ["a", "b"], np.array([2**53 + 1, 2**53 + 2])).scores.tolist() == wanted


@pytest.mark.parametrize("numbers", [np.zeros((4, 1)), np.zeros((2, 2)), np.float64(1), [[1], [1, 2]]])
def test_one_column_is_needed(numbers: Any) -> None:
    with pytest.raises(DataError, match="one column"):
        Run.of_columns(TOPICS, DOCUMENTS, numbers)


@pytest.mark.parametrize("offsets", [[], [0], [0, 3], [0, 5], [1, 4], [-1, 4], [0, 2, 4], [0, 2**40]])
def test_offsets_that_do_not_fit_are_refused(offsets: list[int]) -> None:
    with pytest.raises(DataError, match="offsets of 1 topics must ascend from 0 to 4"):
        Run(("q",), np.array(offsets, np.int64), Strings.of(DOCUMENTS), SCORES)


def test_offsets_that_fall_are_refused() -> None:
    with pytest.raises(DataError, match="must ascend"):
        Run(("p", "q"), np.array([0, 5, 4]), Strings.of(DOCUMENTS), SCORES)


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(DataError, match="4 documents and 3 numbers"):
        Run(("q",), np.array([0, 4]), Strings.of(DOCUMENTS), SCORES[:3])
    with pytest.raises(DataError, match="4 starts and 3 lengths"):
        Strings(np.zeros(9, np.uint8), np.zeros(4, np.int64), np.ones(3, np.int32))


@pytest.mark.parametrize(("start", "length"), [(-1, 1), (9, 1), (0, 10), (2**62, 1), (5, -1)])
def test_strings_outside_of_their_bytes_are_refused_before_they_are_looked_at(start: int, length: int) -> None:
    if compiled is None:
        pytest.skip("Python looks at nothing outside")
    outside = Strings(np.zeros(9, np.uint8), np.array([0, start]), np.array([1, length], np.int32))
    run = Run(("q",), np.array([0, 2]), outside, np.array([2.0, 1.0]))
    with pytest.raises(ValueError, match="strings that are not in their data"):
        run.validate()


def test_an_array_of_the_right_type_is_not_copied() -> None:
    assert column(SCORES, np.float64, "scores") is SCORES
    assert np.shares_memory(Run.of_columns(TOPICS, DOCUMENTS, SCORES).scores, SCORES)
