"""How runs are judged is one value, checked when it is made; a document twice in a run is refused in one place."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import adjudge
from adjudge.comparison.known_item.ranks import known_item
from adjudge.core.collapse import Collapse
from adjudge.core.errors import ConflictError, SpecError
from adjudge.core.judging import USUAL, Judging
from adjudge.core.run import RepetitionError

QRELS = {"1": {"a": 2, "b": 1, "c": 0}, "2": {"a": 1}}
RUN = {"1": {"c": 3.0, "x": 2.0, "b": 1.0, "a": 0.5}}
ALL: dict[str, Any] = {
    "level": 2,
    "depth": 3,
    "judged_only": True,
    "complete": True,
    "trec_version": 9,
    "collection_size": 50,
    "collapse": Collapse("sum"),
}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"trec_version": 8}, "trec_version must be 9 or 10, not 8"),
        ({"depth": 0}, "depth must be at least 1 and have at most 18 digits, not 0"),
        ({"depth": 2**62}, "depth must be at least 1"),
        ({"depth": 1.5}, "depth must be a whole number, not 1.5"),
        ({"level": "2"}, "level must be a whole number, not '2'"),
        ({"level": None}, "level must be a whole number, not None"),
        ({"collection_size": 0.5}, "collection_size must be a whole number, not 0.5"),
    ],
)
def test_it_is_checked_when_it_is_made(options: dict[str, Any], message: str) -> None:
    for make in (
        lambda: Judging(**options),
        lambda: adjudge.measure(QRELS, RUN, "ap", **options),
        lambda: adjudge.judge(adjudge.read_run(RUN), adjudge.read_qrels(QRELS), **options),
    ):
        with pytest.raises(SpecError, match=message):
            make()


def test_it_has_the_fields_that_may_be_given_one_by_one() -> None:
    names = [field.name for field in dataclasses.fields(Judging)]
    assert names == list(ALL)
    assert Judging() == USUAL
    assert Judging(level=np.int64(2)) == Judging(level=2)  # type: ignore[arg-type]
    assert [Judging().changes(), Judging(complete=True, level=0).changes()] == [[], ["level", "complete"]]
    with pytest.raises(dataclasses.FrozenInstanceError):
        USUAL.level = 2  # type: ignore[misc]


@pytest.mark.parametrize("function", [adjudge.measure, adjudge.judge, known_item])
def test_help_lists_the_fields_with_their_defaults(function: Callable[..., object]) -> None:
    parameters = inspect.signature(function).parameters
    for field in dataclasses.fields(Judging):
        assert parameters[field.name].default == field.default
        assert parameters[field.name].kind is inspect.Parameter.KEYWORD_ONLY
        assert parameters[field.name].annotation.replace("Like", "") == field.type


@pytest.mark.parametrize("name", [*ALL, "all"])
def test_the_value_and_its_fields_mean_the_same(name: str) -> None:
    options = ALL if name == "all" else {name: ALL[name]}
    by_field = adjudge.measure(QRELS, RUN, ["ap", "p@5", "utility", "num_ret"], **options)
    by_value = adjudge.measure(QRELS, RUN, ["ap", "p@5", "utility", "num_ret"], judging=Judging(**options))
    assert by_field.topics == by_value.topics
    assert np.array_equal(by_field.values, by_value.values)
    run, qrels = adjudge.read_run(RUN), adjudge.read_qrels(QRELS)
    assert adjudge.judge(run, qrels, **options).judging == adjudge.judge(run, qrels, Judging(**options)).judging
    item = {"1": {"b": 1}, "2": {"a": 1}}
    mine = {key: value for key, value in options.items() if key != "level"}
    assert np.array_equal(known_item(item, RUN, **mine).ranks, known_item(item, RUN, judging=Judging(**mine)).ranks)


def test_both_at_once_are_refused() -> None:
    with pytest.raises(SpecError, match="judging is given, and level, depth beside it: give one of them"):
        adjudge.measure(QRELS, RUN, "ap", judging=Judging(complete=True), level=2, depth=4)


def test_a_judged_run_remembers_how_it_was_judged() -> None:
    judged = adjudge.judge(adjudge.read_run(RUN), adjudge.read_qrels(QRELS), Judging(**ALL))
    assert judged.judging == Judging(**ALL)
    assert judged.level == 2


def test_a_document_twice_is_told_with_its_place_where_there_is_one() -> None:
    lines = b"1 Q0 a 1 3 t\n2 Q0 a 1 3 t\n1 Q0 b 2 2 t\n2 Q0 a 3 1 t\n1 Q0 a 3 1 t\n"
    csv = b"topic,document,score\n1,a,3\n2,a,3\n1,b,2\n2,a,1\n1,a,1\n"
    frame = pl.DataFrame({"topic": ["1", "2", "1", "2", "1"], "document": ["a", "a", "b", "a", "a"], "score": [3] * 5})
    for source, message in (
        (lines, "stream:5: document a occurs twice in topic 1: '1 Q0 a 3 1 t'"),
        (csv, "stream:5: document a occurs twice in topic 2: '2,a,1'"),
        (frame, "run: row 4: document a occurs twice in topic 2"),
        ({"1": {1: 2.0, "1": 3.0}}, "run: document 1 occurs twice in topic 1"),
    ):
        with pytest.raises(ConflictError) as error:
            adjudge.read_run(Stream(source) if isinstance(source, bytes) else source)
        assert str(error.value) == message
    columns = (["1", "1"], ["a", "a"], np.zeros(2))
    with pytest.raises(RepetitionError) as repetition:
        adjudge.Run.of_columns(*columns, "there")
    assert str(repetition.value) == "there: document a occurs twice in topic 1"
    assert (repetition.value.topic, repetition.value.document) == ("1", "a")


def test_judgments_that_contradict_each_other_are_told_with_their_place() -> None:
    frame = pl.DataFrame({"topic": ["1", "2", "2", "2", "1"], "document": ["a"] * 5, "grade": [1, 0, 0, 2, 3]})
    with pytest.raises(ConflictError, match="qrels: row 4: document a was judged 0 before in topic 2, now 2"):
        adjudge.read_qrels(frame)
    assert adjudge.read_qrels(frame[:3]).repeated == 1


class Stream:
    """An open file."""

    name = "stream"

    def __init__(self, content: bytes) -> None:
        self.content = content

    def read(self) -> bytes:
        return self.content
