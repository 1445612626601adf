"""CSV and JSON read by the compiled loop are what the libraries for them read, and what it does not know is theirs."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjudge.core.errors import AdjudgeError
from adjudge.core.kernel import native
from adjudge.core.run import Run
from adjudge.formats import plain_tables
from adjudge.formats.plain_tables import read_plain
from adjudge.formats.runs import read_run
from adjudge.formats.source import Source

pytestmark = pytest.mark.skipif(native("tables") is None, reason="no C compiler when the package was installed")

HEAD = "topic,document,score,tag\n"
ROWS = "1,a,2.5,x\n1,b,-3e-2,x\n2,a,7,x\n1,c,0.30000000000000004,x\n"
OBJECT = '{"1": {"a": 2.5, "b": -0, "c": 1e-3}, "2": {"a": 12345678901234.5}}'


def by_library(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The run or the error that a file gives where the loop reads nothing."""
    with monkeypatch.context() as without:
        without.setattr(plain_tables, "read_plain", lambda _: None)
        return outcome(text, folder)


def outcome(text: str, folder: Path) -> Any:
    path = folder / "table"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    try:
        return read_run(path)
    except AdjudgeError as error:
        return str(error)


def assert_same(one: Any, other: Any) -> None:
    assert type(one) is type(other)
    if not isinstance(one, Run):
        assert one == other
        return
    assert (one.name, one.topics, list(one.documents)) == (other.name, other.topics, list(other.documents))
    assert np.array_equal(one.offsets, other.offsets)
    assert one.numbers.tobytes() == other.numbers.tobytes()


PLAIN = [
    HEAD + ROWS,
    HEAD.replace(",", "\t") + ROWS.replace(",", "\t"),
    "rank;qid;docno;score\n1;q 1;d 1;3\n2;q 1;d;2.50\n",
    OBJECT,
    OBJECT.replace(" ", "\n\t"),
    OBJECT.replace(" ", "") + "\n",
]


@pytest.mark.parametrize("text", PLAIN)
def test_plain_ones(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_plain(Source("table", text.encode())) is not None
    found = outcome(text, tmp_path)
    assert isinstance(found, Run)
    assert_same(found, by_library(text, tmp_path, monkeypatch))


STRANGE = [
    *(HEAD + ROWS.replace("2.5", number) for number in ("", "nan", "inf", "1e999", " 1", "+1", ".5", "5.", "1_0", "x")),
    HEAD + ROWS.replace("1,a", '"1",a'),
    HEAD + ROWS.replace("1,b", ",b"),
    HEAD + ROWS.replace("1,b", "1,"),
    HEAD + ROWS.replace("1,b", "1,a"),
    HEAD + ROWS.replace("1,b", "1,b,b"),
    HEAD + ROWS.replace("1,b", "1,\xfc"),
    HEAD + ROWS.replace("7,x", "7,y"),
    HEAD + ROWS.replace("7,x", "7"),
    HEAD + ROWS + "\n",
    HEAD + ROWS.rstrip(),
    (HEAD + ROWS).replace("\n", "\r\n"),
    HEAD,
    HEAD.replace("tag", "Topic") + ROWS,
    HEAD.replace("score", "sim,score") + ROWS,
    *(OBJECT.replace("2.5", number) for number in ("NaN", "-Infinity", "01", "1.", "null", '"3"', "1e400", "9" * 20)),
    OBJECT.replace('"a"', '"\\u0061"'),
    OBJECT.replace('"a"', '"\xe9"'),
    OBJECT.replace('"a"', '""'),
    OBJECT.replace('"b"', '"a"'),
    OBJECT.replace('"2"', '"1"'),
    '{"1": {"a": 1}, "1": {"b": 1}}',
    '{"1": {"a": 1}, "2": {"a": 1}, "1": {"b": 1}}',
    OBJECT.replace("}", "", 1),
    OBJECT[:-1],
    OBJECT + "x",
    OBJECT.replace(" {", " [", 1),
    OBJECT.replace("1e-3}", "1e-3,}"),
    '{"1": {}}',
    "{}",
]


@pytest.mark.parametrize("text", STRANGE)
def test_others_are_read_by_the_libraries(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_plain(Source("table", text.encode())) is None
    assert_same(outcome(text, tmp_path), by_library(text, tmp_path, monkeypatch))


@pytest.mark.parametrize("seed", range(10))
def test_numbers_to_the_last_bit(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(seed)
    numbers = [draw.choice([draw.random(), draw.uniform(-1e9, 1e9), draw.gauss(0, 1e-6)]) for _ in range(50)]
    rows = [(str(draw.randrange(4)), f"d{i}", number) for i, number in enumerate(numbers)]
    nested: dict[str, dict[str, float]] = {}
    for topic, document, number in rows:
        nested.setdefault(topic, {})[document] = number
    for text in (HEAD + "".join(f"{t},{d},{n!r},x\n" for t, d, n in rows), json.dumps(nested)):
        assert_same(outcome(text, tmp_path), by_library(text, tmp_path, monkeypatch))
