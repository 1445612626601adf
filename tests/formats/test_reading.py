"""Readers: every format, every kind of white space, every way to be wrong."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge
from adjudge.core.errors import DataError
from adjudge.formats import source
from adjudge.storage.zstd import pack

RUN = "1 Q0 a 1 2.5 tag\n1 Q0 b 2 1.5 tag\n2 Q0 a 1 -1e-3 tag\n"
NESTED = {"1": {"a": 2.5, "b": 1.5}, "2": {"a": -1e-3}}
QRELS = "1 0 a 1\n1 0 b 0\n2 0 a -1\n"
GRADES = {"1": {"a": 1, "b": 0}, "2": {"a": -1}}


def test_any_white_space(tmp_path: Path) -> None:
    for text in (
        RUN,
        RUN.replace(" ", "\t"),
        RUN.replace(" ", " \t  "),
        RUN.replace("\n", "\r\n"),
        "\ufeff" + RUN,
        "\n\n  " + RUN.replace("\n", "  \n \n"),
        "# made by hand\n" + RUN + "   # and more",
        RUN.removesuffix("\n"),
        RUN.replace("tag\n", "tag more words\n"),
        "1 Q0 a 1 2.5 tag\n2 Q0 a 1 -1e-3 tag\n1 Q0 b 2 1.5 tag\n",
    ):
        (tmp_path / "run").write_bytes(text.encode())
        run = adjudge.read_run(tmp_path / "run")
        assert run.to_dict() == NESTED, text
        assert run.name == "tag"
    for text in (QRELS, QRELS.replace(" ", "\t\t"), "#\n" + QRELS.replace("\n", " \r\n"), "\ufeff" + QRELS):
        (tmp_path / "qrels").write_bytes(text.encode())
        assert adjudge.read_qrels(str(tmp_path / "qrels")).to_dict() == GRADES


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "xz": lzma.compress,
    "bzip2": bz2.compress,
    "zstd": pack,
    "plain": bytes,
}


@pytest.mark.parametrize("kind", PACKERS)
def test_packed_by_content_not_by_name(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_bytes(PACKERS[kind](RUN.encode()))
    assert adjudge.read_run(path).to_dict() == NESTED
    path.write_bytes(PACKERS[kind](RUN[:17].encode()) + PACKERS[kind](RUN[17:].encode()))
    assert adjudge.read_run(path).to_dict() == NESTED, "several members after each other"


@pytest.mark.parametrize("kind", [kind for kind in PACKERS if kind != "plain"])
def test_truncated_and_damaged(kind: str, tmp_path: Path) -> None:
    packed = PACKERS[kind]("".join(f"1 Q0 d{i} 1 {i} t\n" for i in range(5000)).encode())
    path = tmp_path / "run"
    for cut in (len(packed) // 2, len(packed) - 3):
        path.write_bytes(packed[:cut])
        with pytest.raises(adjudge.DataError, match=re.escape(f"{path}: truncated {kind} data")):
            adjudge.read_run(path)
    broken = bytearray(packed)
    broken[len(packed) // 2] ^= 0xFF
    broken[len(packed) // 2 + 1] ^= 0xFF
    path.write_bytes(bytes(broken))
    with pytest.raises(adjudge.DataError, match=rf"run: (damaged|truncated) {kind} data"):
        adjudge.read_run(path)


def test_big_files_are_mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MAPPED", 10)
    (tmp_path / "run").write_text(RUN)
    assert adjudge.read_run(tmp_path / "run").to_dict() == NESTED
    (tmp_path / "run").write_bytes(gzip.compress(RUN.encode()))
    assert adjudge.read_run(tmp_path / "run").to_dict() == NESTED


def test_standard_input_and_open_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN.encode())))
    assert adjudge.read_run("-").to_dict() == NESTED
    assert adjudge.read_run(io.BytesIO(gzip.compress(RUN.encode()))).to_dict() == NESTED
    assert adjudge.read_qrels(io.StringIO(QRELS)).to_dict() == GRADES


def frames(data: Mapping[str, Mapping[str, float]], value: str) -> dict[str, list[Any]]:
    rows = [(t, d, v) for t, docs in data.items() for d, v in docs.items()]
    return {"query_id": [r[0] for r in rows], "doc_id": [r[1] for r in rows], value: [r[2] for r in rows]}


def test_other_formats(tmp_path: Path) -> None:
    run, grades = frames(NESTED, "score"), frames(GRADES, "relevance")
    pl.DataFrame(run).write_parquet(tmp_path / "run.parquet")
    pl.DataFrame(run).write_csv(tmp_path / "run.csv")
    pl.DataFrame(run).rename({"query_id": "query-id", "doc_id": "corpus-id"}).write_csv(
        tmp_path / "run.tsv", separator="\t"
    )
    (tmp_path / "run.json").write_text(json.dumps(NESTED))
    for name in ("run.parquet", "run.csv", "run.tsv", "run.json"):
        read = adjudge.read_run(tmp_path / name)
        assert read.to_dict() == NESTED
        assert read.name == "run"
    pl.DataFrame(grades).write_parquet(tmp_path / "q")
    assert adjudge.read_qrels(tmp_path / "q").to_dict() == GRADES
    pl.DataFrame(grades).write_csv(tmp_path / "q")
    assert adjudge.read_qrels(tmp_path / "q").to_dict() == GRADES
    (tmp_path / "q").write_bytes(gzip.compress(json.dumps(GRADES).encode()))
    assert adjudge.read_qrels(tmp_path / "q").to_dict() == GRADES


def test_frames_and_dicts() -> None:
    pandas = pytest.importorskip("pandas")
    for make in (pl.DataFrame, pandas.DataFrame):
        assert adjudge.read_run(make(frames(NESTED, "score"))).to_dict() == NESTED
        assert adjudge.read_qrels(make(frames(GRADES, "label"))).to_dict() == GRADES
        numbers = make({"qid": [1, 2], "docno": [7, 8], "score": [1, 2]})
        assert adjudge.read_run(numbers).to_dict() == {"1": {"7": 1.0}, "2": {"8": 2.0}}, "ids are strings everywhere"
    run = adjudge.read_run({1: {2: np.float32(0.5)}})
    assert run.to_dict() == {"1": {"2": 0.5}}
    assert adjudge.read_run(run) is run
    assert adjudge.read_run(run, name="x").name == "x"
    assert adjudge.read_run(pl.DataFrame({**frames(NESTED, "score"), "system": ["s"] * 3})).name == "s"
    qrels = adjudge.read_qrels(GRADES)
    assert adjudge.read_qrels(qrels) is qrels


def test_a_table_of_several_runs_is_not_taken_for_one(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    table = {**frames(NESTED, "score"), "run": ["b", "a", "a"]}
    for make in (pl.DataFrame, pandas.DataFrame):
        with pytest.raises(adjudge.DataError, match=r"run: rows of 2 runs \(a and others\): give each one a file"):
            adjudge.read_run(make(table))
    pl.DataFrame(table).write_csv(tmp_path / "runs.csv")
    with pytest.raises(adjudge.DataError, match=r"runs\.csv: rows of 2 runs"):
        adjudge.read_run(tmp_path / "runs.csv")
    assert len(adjudge.read_run(pl.DataFrame({**frames(NESTED, "score"), "name": ["x", "y", "z"]})).topics) == 2


LONG = "x" * 300
BAD_RUNS = [
    ("1 Q0 a 1 2.5\n", 1, "a run has at least 6 columns (topic Q0 document rank score tag), this line has 5"),
    (RUN + "\n# note\n2 Q0 b 7 abc t\n", 6, "the score is not a number: '2 Q0 b 7 abc t'"),
    (RUN + "2 Q0 b 7 nan t", 4, "the score is not a finite number: '2 Q0 b 7 nan t'"),
    (RUN + "2 Q0 b 7 -Infinity t\n", 4, "the score is not a finite number"),
    (RUN + "2 Q0 b 7 1e999 t\n", 4, "the score is not a finite number"),
    (RUN + "2 Q0 b 7 0x1p3 t\n", 4, "the score is not a number"),
    (RUN + "1 Q0 a 9 0.1 t\n", 4, "document a occurs twice in topic 1: '1 Q0 a 9 0.1 t'"),
    ("\ufeff" + RUN.replace("\n", "\r\n") + "1\tQ0\tb\x07\n", 4, r"this line has 3: '1\tQ0\tb\x07'"),
    (f"1 Q0 {LONG}\n", 1, "this line has 3: '1 Q0 " + "x" * 115 + "…'"),
    ("1 Q0 a 1 2.5 t\n1 Q0 b\x00 1 2.5 t\n", 2, r"binary data, not lines of text: '1 Q0 b\x00 1 2.5 t'"),
]


@pytest.mark.parametrize(("text", "line", "why"), BAD_RUNS)
def test_bad_runs_name_the_line(text: str, line: int, why: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.run"
    path.write_bytes(text.encode())
    with pytest.raises(adjudge.AdjudgeError) as caught:
        adjudge.read_run(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:{line}: ")
    assert why in message
    assert "\n" not in message


BAD_QRELS = [
    ("1 0 a 1 extra\n", 1, "a qrels has 4 columns (topic iteration document grade), this line has 5"),
    ("1 0 a 1\n1 0 b 1.5\n", 2, "the grade is not a whole number: '1 0 b 1.5'"),
    ("1 0 a 1\n1 0 b 99999999999\n", 2, "the grade is not a whole number"),
    ("1 0 a 1\n2 0 a 1\n1 0 a 1\n1 0 a 2\n", 4, "document a was judged 1 before in topic 1, now 2: '1 0 a 2'"),
]


@pytest.mark.parametrize(("text", "line", "why"), BAD_QRELS)
def test_bad_judgments_name_the_line(text: str, line: int, why: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.qrels"
    path.write_text(text)
    with pytest.raises(adjudge.AdjudgeError, match=re.escape(f"{path}:{line}: ") + ".*" + re.escape(why)):
        adjudge.read_qrels(path)


def test_the_same_judgment_twice_is_counted_once_and_told(tmp_path: Path) -> None:
    (tmp_path / "q").write_text(QRELS + "1 0 a 1\n")
    qrels = adjudge.read_qrels(tmp_path / "q")
    assert qrels.to_dict() == GRADES
    assert qrels.repeated == 1
    notes = adjudge.measure(qrels, {"x": {"1": {"a": 1.0}}}, "ap").notes
    assert str(notes[0]) == "qrels: 1 judgment occurs more than once with the same grade and is counted once"


def test_judgments_in_lines_of_json(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(
        '{"topic": "1", "document": "a", "grade": 1, "probability": 0.9, "judge": "m"}\n\n'
        '{"qid": 1, "docno": "b", "label": 0, "judge": "m"}\n{"topic": "2", "document": "a", "grade": 2.0}\n'
    )
    assert adjudge.read_qrels(path).to_dict() == {"1": {"a": 1, "b": 0}, "2": {"a": 2}}
    assert adjudge.read_qrels(io.BytesIO(path.read_bytes().splitlines()[0])).to_dict() == {"1": {"a": 1}}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"topic": "1", "document": "a", "grade": 0}', "a.jsonl:2: document a was judged 1 before in topic 1, now 0"),
        (
            '{"topic": "1", "document": "b", "grade": "cannot tell"}',
            "a.jsonl:2: the grade is 'cannot tell', not a whole",
        ),
        ('{"topic": "1", "document": "b", "grade": 1.5}', "a.jsonl:2: the grade is 1.5, not a whole number"),
        ('{"topic": "1", "document": "b", "grade": true}', "a.jsonl:2: the grade is True, not a whole number"),
        ('{"topic": "1", "document": "b"}', "a.jsonl:2: no grade column"),
        ('{"topic": null, "document": "b", "grade": 1}', "a.jsonl:2: no topic"),
        ('{"topic": "1", "document": "b", "grade": 1, "grade": 0}', "a.jsonl:2: the key 'grade' occurs twice"),
        ('{"topic": "1", "document": "b", "grade": 1', "a.jsonl:2: not JSON"),
        ("[1]", "a.jsonl:2: not a JSON object"),
        ('{"topic": "1", "document": "b", "grade": 1, "judge": "n"}', "judgments of m and n: one judge at a time"),
    ],
)
def test_bad_judgments_in_lines_of_json(line: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"topic": "1", "document": "a", "grade": 1, "judge": "m"}\n' + line + "\n")
    with pytest.raises(adjudge.AdjudgeError, match=why):
        adjudge.read_qrels(path)


def test_a_table_with_a_column_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text("topic,document,grade,Grade\n1,a,1,0\n")
    with pytest.raises(DataError, match="two columns are called grade"):
        adjudge.read_qrels(path)


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "\ufeff"])
def test_empty_files(text: str, tmp_path: Path) -> None:
    (tmp_path / "e").write_text(text)
    for read in (adjudge.read_run, adjudge.read_qrels):
        with pytest.raises(adjudge.DataError, match="e: empty"):
            read(tmp_path / "e")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff\xfe1\x00 \x00", "UTF-16 text: convert it to UTF-8"),
        (b'{"1": {"a": "x"}}', "the score of document a in topic 1 is 'x', not a finite number"),
        (b'{"1": {"a": true}}', "not a finite number"),
        (b'{"1": 3}', "topic 1 is not of the form {document: score}"),
        (b'{"1": {"a": NaN}}', "is nan, not a finite number"),
        (b'{"1": {"a": 1},\n "1": {"b": 1}}', "the key '1' occurs twice"),
        (b'{"1": {"a": 1}', "bad:1: not JSON"),
        (b"topic,document,score\n1,a,2\n1,b,x\n", "bad:3: the score is not a finite number: '1,b,x'"),
        (b"topic,document,score\n1,a,2\n1,,3\n", "bad:3: no document: '1,,3'"),
        (b"topic,document,rank\n1,a,2\n", "no score column"),
        (b"topic\tdocument\tscore\n1\ta\t2\n1\ta\t3\n", "document a occurs twice in topic 1"),
        (b"PAR1nonsensePAR1", "not readable as Parquet"),
    ],
)
def test_other_bad_files(data: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "bad"
    path.write_bytes(data)
    with pytest.raises(adjudge.AdjudgeError) as caught:
        adjudge.read_run(path)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [1.5, float("nan"), 2**40, "x", None, True])
def test_bad_grades_in_frames_and_dicts(value: Any) -> None:
    with pytest.raises(adjudge.DataError):
        adjudge.read_qrels({"1": {"a": value}})
    with pytest.raises(adjudge.DataError):
        adjudge.read_qrels(pl.DataFrame({"topic": ["1"], "doc": ["a"], "grade": [value]}))
    with pytest.raises(adjudge.ConflictError, match="was judged 1 before in topic 1, now 2"):
        adjudge.read_qrels(pl.DataFrame({"topic": ["1", "1"], "doc": ["a", "a"], "grade": [1, 2]}))


def test_ids_that_are_not_utf8_come_back_unchanged(tmp_path: Path) -> None:
    raw = b"1 Q0 caf\xe9 1 2.5 t\xe9\n"
    (tmp_path / "in").write_bytes(raw)
    run = adjudge.read_run(tmp_path / "in")
    adjudge.write_run(run, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == raw


words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=6)
numbers = st.floats(allow_nan=False, allow_infinity=False)
rankings = st.dictionaries(words, st.dictionaries(words, numbers, min_size=1, max_size=5), min_size=1, max_size=5)


@given(
    rankings, words, st.sampled_from(["run", "run.json", "run.parquet", "run.gz", "run.json.zst", "run.xz", "run.bz2"])
)
def test_runs_round_trip(tmp_path_factory: Any, nested: dict[str, dict[str, float]], name: str, file: str) -> None:
    path = tmp_path_factory.mktemp("trip") / file
    run = adjudge.read_run(nested, name=name)
    if path.name.split(".")[1:2] not in (["json"], ["parquet"]) and any(
        topic.startswith(("#", '{"')) for topic in nested
    ):
        with pytest.raises(adjudge.DataError, match="cannot stand in a line of TREC"):
            adjudge.write_run(run, path)
        return
    adjudge.write_run(run, path)
    again = adjudge.read_run(path)
    assert again == run
    assert again.to_dict() == nested
    assert again.name == (name if "json" not in file else "run")


@pytest.mark.slow
@given(
    st.dictionaries(
        words, st.dictionaries(words, st.integers(-(2**31) + 1, 2**31 - 1), min_size=1), min_size=1, max_size=4
    ),
    st.sampled_from(["q", "q.json", "q.parquet", "q.gz"]),
)
def test_judgments_round_trip(tmp_path_factory: Any, nested: dict[str, dict[str, int]], file: str) -> None:
    path = tmp_path_factory.mktemp("trip") / file
    if file in {"q", "q.gz"} and any(topic.startswith(("#", '{"')) for topic in nested):
        return
    adjudge.write_qrels(adjudge.read_qrels(nested), path)
    assert adjudge.read_qrels(path).to_dict() == nested


@pytest.mark.parametrize("name", ["two words", "tab\there", "line\nend"])
def test_names_that_lines_cannot_hold(name: str, tmp_path: Path) -> None:
    for run in ({name: {"d": 1.0}}, {"1": {name: 1.0}}):
        with pytest.raises(adjudge.DataError, match="cannot stand in a line of TREC"):
            adjudge.write_run(adjudge.read_run(run), tmp_path / "x")
        adjudge.write_run(adjudge.read_run(run), tmp_path / "x.json")
        assert adjudge.read_run(tmp_path / "x.json").to_dict() == run
    assert not (tmp_path / "x").exists()


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run"
    path.write_text("old")

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(adjudge.DataError, match="cannot be written: No space left on device"):
        adjudge.write_run(adjudge.read_run(NESTED), path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["run"]


@pytest.mark.parametrize("kind", ["bzip2", "xz", "zstd", "gzip"])
def test_nothing_that_follows_packed_data_is_dropped(kind: str, tmp_path: Path) -> None:
    first, second = (PACKERS[kind](text.encode()) for text in (RUN[:17], RUN[17:]))
    for wrong in (first + b"1 Q0 z 9 0.1 tag\n", first + b"\xff" + second[1:], first + second[:-5]):
        (tmp_path / "run").write_bytes(wrong)
        with pytest.raises(adjudge.DataError, match=f"(damaged|truncated) {kind} data"):
            adjudge.read_run(tmp_path / "run")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 Q0 a 1 2 t\r1 Q0 b 2 1 t\r2 Q0 a 1 1 t\r", "1: lines that end with a carriage return alone"),
        ("1 Q0 a 1 2 t\r1 Q0 b 2 1 t\n", "1: lines that end with a carriage return alone"),
        (
            "1 Q0 a 1 2 t\n" * 0 + "".join(f"1 Q0 d{i} 1 {i} t\n" for i in range(900)) + "1 Q0 b\x00 1 2 t\n",
            "901: a NUL character",
        ),
    ],
)
def test_lines_that_hide_something(text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "run").write_bytes(text.encode())
    with pytest.raises(adjudge.DataError, match=why):
        adjudge.read_run(tmp_path / "run")


def test_frames_of_pyterrier() -> None:
    frame = {"qid": ["1"], "query": ["what is it"], "docid": [17], "docno": ["D17"], "score": [2.0], "rank": [0]}
    assert adjudge.read_run(pl.DataFrame(frame)).to_dict() == {"1": {"D17": 2.0}}


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"topic": ["1"], "doc_id": ["a"], "docid": ["b"], "score": [1.0]}, "both doc_id and docid could be meant"),
        (
            {"topic": ["1"], "document": ["a"], "doc": ["b"], "score": [1.0]},
            "both document and doc could be the document",
        ),
        ({"topic": [1.0], "doc": ["a"], "score": [1.0]}, "row 1: the topic is 1.0, not a string or a whole number"),
        ({"topic": ["1"], "doc": [None], "score": [1.0]}, "row 1: no document"),
        ({"topic": ["1"], "doc": [""], "score": [1.0]}, "row 1: no document"),
        ({"topic": ["1"], "doc": ["a"], "score": ["1_0"]}, "row 1: the score is not a finite number"),
        ({"topic": ["1", "1"], "doc": ["a", "a"], "score": [1.0, 2.0]}, "row 2: document a occurs twice in topic 1"),
    ],
)
def test_frames_are_not_guessed(columns: dict[str, list[Any]], why: str) -> None:
    with pytest.raises(adjudge.AdjudgeError, match=re.escape(why)):
        adjudge.read_run(pl.DataFrame(columns))
    pandas = pytest.importorskip("pandas")
    with pytest.raises(adjudge.AdjudgeError, match=re.escape(why).replace("document", "(document|doc.*nan.*)?")):
        adjudge.read_run(pandas.DataFrame(columns))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'{"\\ud800": {"a": 1}}', "is not valid Unicode"),
        (b'{"1": ' + b"[" * 100_000, "JSON nested too deeply"),
        (b'{"1": {"a": 1' + b"0" * 400 + b"}}", "not a finite number"),
        (b'{"1": {"a": 1' + b"0" * 5000 + b"}}", "Exceeds the limit"),
        (b'{"1": {"line\\nend": "x"}}', r"line\nend"),
        (b'topic,document,score\n1,"two\nlines",1\n1,b,x\n', "bad:4: the score is not a finite number: '1,b,x'"),
        (b"topic,document,score\n1,a,2\n1,b\n1,c,1,1\n", "bad:3: the header has 3 columns, this line 2: '1,b'"),
        (b"topic,document,score\n1,a,2\n1,a,3\n", "bad:3: document a occurs twice in topic 1: '1,a,3'"),
    ],
)
def test_more_bad_files(data: bytes, why: str, tmp_path: Path) -> None:
    test_other_bad_files(data, why, tmp_path)


def test_messages_are_short_and_printable(tmp_path: Path) -> None:
    name = "d\x1b[31m" + "x" * 100_000
    (tmp_path / "run").write_text(f"1 Q0 {name} 1 2 t\n1 Q0 {name} 2 1 t\n")
    with pytest.raises(adjudge.ConflictError) as caught:
        adjudge.read_run(tmp_path / "run")
    assert len(str(caught.value)) < 1000
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize("topic", ["\ufeff1", "{}", "BZh9", '{"a', "PAR1"])
def test_first_topics_that_look_like_another_format(topic: str, tmp_path: Path) -> None:
    run = adjudge.read_run({topic: {"d": 1.0}})
    if topic == "PAR1":  # only a file that ends with it too is Parquet
        adjudge.write_run(run, tmp_path / "x")
        assert adjudge.read_run(tmp_path / "x") == run
    else:
        with pytest.raises(adjudge.DataError, match="another format"):
            adjudge.write_run(run, tmp_path / "x")


def test_writing_spares_what_it_should(tmp_path: Path) -> None:
    run = adjudge.read_run(NESTED)
    real = tmp_path / "real"
    real.write_text("old")
    real.chmod(0o600)
    (tmp_path / "link").symlink_to(real)
    adjudge.write_run(run, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert adjudge.read_run(real) == run
    assert real.stat().st_mode & 0o777 == 0o600
    adjudge.write_run(run, "/dev/null")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(adjudge.DataError, match="Is a directory"):
        adjudge.write_run(run, tmp_path)


def test_tables_made_by_hand_are_checked() -> None:
    with pytest.raises(adjudge.ConflictError, match="document a occurs twice in topic 1"):
        adjudge.Run.of_columns(["1"] * 20, ["a"] * 20, np.arange(20.0))
    with pytest.raises(adjudge.DataError, match="not of one length"):
        adjudge.Run.of_columns(["1"], ["a", "b"], np.arange(2.0))
    one = adjudge.read_run({"1": {"a": 1.0, "b": 2.0}})
    twice = adjudge.Run(one.topics, one.offsets, one.documents.take(np.array([0, 0])), one.scores)
    with pytest.raises(adjudge.ConflictError, match="run: document a occurs twice in topic 1"):
        adjudge.measure({"1": {"a": 1}}, twice, "ap")


def test_documents_that_differ_in_the_last_characters_do_not_collide() -> None:
    """Ids of a kind that a weak hash sends to the same slots."""
    signs = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    ids = [f"000000000{a}{b}" for a in signs for b in signs]
    run = adjudge.Run.of_columns(["1"] * len(ids), ids, np.arange(len(ids), dtype=float))
    slots, _ = run.index
    filled = np.flatnonzero(slots)
    longest = max(len(block) for block in np.split(filled, np.flatnonzero(np.diff(filled) != 1) + 1))
    assert longest < 100 or not slots.any(), "half-full tables have short blocks of filled slots"
