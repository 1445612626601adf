"""The compiled loops and their Python twin give the same, on text and judgments of every kind."""

from __future__ import annotations

import math
import os
import re
import struct
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import adjudge
from adjudge.core import fallback, faults, judged, kernel, table
from adjudge.formats import trec_columns
from strategies import Nested, qrels, runs

native = pytest.importorskip("adjudge._native", reason="no C compiler when the package was installed")

SHAPES = [trec_columns.RUN, trec_columns.QRELS]
token = st.text("a1#.-é\x00\x07", min_size=1, max_size=4)
number = st.one_of(
    st.floats(allow_nan=False).map(repr),
    st.integers(-(10**25), 10**25).map(str),
    st.decimals(allow_nan=False, allow_infinity=False, places=12).map(str),
    st.sampled_from(["1e5", "-.5", "+3.", "1e-320", "1e400", "nan", "inf", "0x10", "1_0", ".", "-", "e5", "1e", "1e+"]),
)
space = st.sampled_from([" ", "\t", "  ", " \t ", "\v", "\f"])
line = st.one_of(
    st.lists(st.one_of(token, number), min_size=0, max_size=8).flatmap(
        lambda words: st.tuples(*[st.tuples(st.just(w), space) for w in words]).map(
            lambda p: "".join(w + s for w, s in p)
        )
    ),
    st.tuples(token, number, token, number, number, token).map(" ".join),
    st.tuples(token, token, token, st.integers(-5, 5).map(str)).map("\t".join),
    st.just("# note"),
    st.just(""),
)


def scanned(module: ModuleType, text: bytes, shape: trec_columns.Shape) -> tuple[object, ...]:
    lines = module.count_lines(text, 0, len(text))
    ids = np.zeros(len(text) + 1, np.uint8)
    starts, lengths, values = np.zeros(lines, np.int64), np.zeros(lines, np.int32), np.zeros(lines)
    result = module.scan(text, 0, len(text), shape.numbers, ids, 0, starts, lengths, values, 0)
    rows = result[0]
    documents = [bytes(ids[at : at + n]) for at, n in zip(starts[:rows].tolist(), lengths[:rows].tolist(), strict=True)]
    return lines, result, documents, starts[:rows].tolist(), lengths[:rows].tolist(), values[:rows].tobytes()


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(st.lists(line, max_size=6), st.sampled_from(SHAPES), st.sampled_from(["\n", "\r\n"]))
@example(["1 0 d 1"], trec_columns.QRELS, "\n")
def test_scan(lines: list[str], shape: trec_columns.Shape, end: str) -> None:
    text = "".join(one + end for one in lines).encode()
    assert scanned(native.lines, text, shape) == scanned(fallback, text, shape)


def value_of(module: ModuleType, word: str) -> float | None:
    text = f"1 Q0 d 1 {word} t\n".encode()
    values = np.zeros(1)
    ids, starts, lengths = np.zeros(99, np.uint8), np.zeros(1, np.int64), np.zeros(1, np.int32)
    result = module.scan(text, 0, len(text), trec_columns.RUN.numbers, ids, 0, starts, lengths, values, 0)
    return None if result[6][0] else float(values[0])


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(
    st.one_of(
        st.floats(allow_nan=False, allow_infinity=False).map(repr),
        st.floats(0, 100).map(lambda x: f"{x:.17g}"),
        st.integers(0, 2**64).map(lambda i: f"0.{i}"),
        st.tuples(st.integers(0, 10**19), st.integers(-30, 30)).map(lambda p: f"{p[0]}e{p[1]}"),
    )
)
@example("0.40715911984443665")
@example("9007199254740993")
@example("18446744073709551616")
@example("2.2250738585072011e-308")
def test_numbers_are_rounded_as_the_language_does(word: str) -> None:
    expected = float(word)
    found = value_of(native.lines, word)
    assert found is not None if math.isfinite(expected) else found is None
    if found is not None:
        assert struct.pack("d", found) == struct.pack("d", expected)


def test_numbers_halfway_between_two_doubles() -> None:
    rng = np.random.default_rng(1)
    for bits in rng.integers(0x3F00000000000000, 0x4100000000000000, 5000):
        low = struct.unpack("d", struct.pack("q", int(bits)))[0]
        high = struct.unpack("d", struct.pack("q", int(bits) + 1))[0]
        middle = (low + high) / 2
        for word in (f"{low:.17g}", f"{middle:.18f}", f"{low:.16e}", f"{high:.15f}"):
            assert value_of(native.lines, word) == float(word)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(qrels, runs, st.sampled_from([9, 10]))
def test_judge(judgments: Nested, run: Nested, version: int) -> None:
    def outcome(module: ModuleType) -> object:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(judged, "loops", module)
            patch.setattr(table, "loops", module)
            found = adjudge.judge(adjudge.read_run(run), adjudge.read_qrels(judgments), trec_version=version)
            return found.topics, *(
                a.tolist() for a in (found.topic, found.rank, found.grade, found.num_ret, found.pool_count)
            )

    assert outcome(native.judging) == outcome(fallback)


def test_many_pieces_and_threads_see_the_same_lines(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    path = f"{tmp_path}/run"
    with open(path, "w") as out:
        for topic in range(40):
            out.writelines(f"{topic}\tQ0  d{rank}-{topic}\t{rank} {1 / rank!r} tag\n" for rank in range(1, 30))
            out.write("# a comment\n\n" if topic % 7 == 0 else "")
        out.write("last Q0 doc 1 3.5 end")  # no newline
    whole = adjudge.read_run(path)
    monkeypatch.setattr(trec_columns, "PIECE", 100)
    monkeypatch.setattr(trec_columns, "WORTHWHILE", 100)
    monkeypatch.setattr(kernel, "THREADS", 3)
    pieces = adjudge.read_run(path)
    assert pieces == whole
    assert pieces.topics == whole.topics
    assert pieces.name == "end"
    assert len(whole) == 40 * 29 + 1


def test_without_a_compiler() -> None:
    """The package works the same when only the Python twin is there."""
    code = (
        "import adjudge; from adjudge.core import kernel; assert kernel.compiled is None;"
        "print(adjudge.measure({'q': {'a': 1}}, {'q': {'a': 1.0, 'b': 2.0}}, 'ap').mean())"
    )
    environment = {**os.environ, "ADJUDGE_KERNEL": "python"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == "{'run': {'ap': 0.5}}"


def test_the_numbers_of_faults_are_those_of_the_compiled_loop() -> None:
    """Both name them; what the loop calls a fault is an error for the user, what is not here is one of the program."""
    source = (Path(__file__).parents[2] / "src/adjudge/native/lines.c").read_text("utf-8")
    names = re.search(r"enum \{ NO_MEMORY = 1, (.*?), NO_ROOM \};", source)
    assert names is not None
    assert {name: i for i, name in enumerate(names[1].split(", "), 2)} == {
        name: number for name, number in vars(faults).items() if name.startswith("BAD_")
    }


def test_errors_in_a_thread_reach_the_caller() -> None:
    def work(part: int) -> None:
        if part == 1:
            raise ValueError("here")

    with pytest.raises(ValueError, match="here"):
        kernel.together(work, 3)


def test_the_compiled_module_is_the_one_in_use() -> None:
    assert kernel.compiled is native
    assert table.loops is judged.loops is native.judging
    assert trec_columns.loops is native.lines
