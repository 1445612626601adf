"""A file judged block by block is the run judged whole: same ranks, grades, topics, notes and errors."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from adjudge.core.errors import AdjudgeError
from adjudge.core.judged import JudgedRun, judge
from adjudge.core.judging import Judging
from adjudge.core.kernel import native
from adjudge.evaluation import judged_lines, measuring
from adjudge.evaluation.judged_files import judge_file, pool_of
from adjudge.evaluation.judged_lines import RUN_SHAPE, judge_lines, read_pool
from adjudge.formats import trec_columns
from adjudge.formats.qrels import read_qrels
from adjudge.formats.raw_file import RawFile, open_raw
from adjudge.formats.runs import read_run
from adjudge.formats.source import Source

pytestmark = pytest.mark.skipif(native("lines") is None, reason="no C compiler when the package was installed")

FIELDS = ("num_ret", "topic", "rank", "grade", "pool_topic", "pool_grade", "pool_count")


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few lines, which several threads share."""
    monkeypatch.setattr(judged_lines, "BLOCK", 60)
    monkeypatch.setattr(judged_lines, "parts_for", lambda size, _: min(3, 1 + size // 100))


def write_files(seed: int, folder: Path, *, again: bool = False) -> tuple[Path, Path]:
    """Judgments and a run: ties, comments, blank lines, several kinds of white space, an end without a newline."""
    draw = random.Random(seed)
    topics = [f"q{t}" for t in draw.sample(range(30), 12)]
    qrels = [f"{t} 0 d{d} {draw.choice([-1, 0, 1, 2])}" for t in topics[2:] for d in draw.sample(range(30), 9)]
    lines = []
    for topic in topics[:-1]:
        for d in draw.sample(range(30), draw.randrange(1, 25)):
            gap = draw.choice([" ", "  ", "\t"])
            lines.append(gap.join([topic, "Q0", f"d{d}", "1", str(draw.choice([1, 1.0, 2.5, draw.random()])), "tag"]))
            if draw.random() < 0.05:
                lines.append(draw.choice(["", "# a comment", "   "]))
    if again:
        lines.append(f"{topics[0]} Q0 e1 1 1 tag")
    (folder / "qrels").write_text("\n".join(qrels) + "\n")
    (folder / "run").write_text("\n".join(lines) + draw.choice(["", "\n", "\r\n"]))
    return folder / "qrels", folder / "run"


def assert_same(one: JudgedRun, other: JudgedRun) -> None:
    for name in FIELDS:
        ours, theirs = getattr(one, name), getattr(other, name)
        assert ours.dtype == theirs.dtype
        assert np.array_equal(ours, theirs), name
    for name in ("name", "topics", "missing", "without_judgments", "judging", "top_grade"):
        assert getattr(one, name) == getattr(other, name), name


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(
    "judging", [Judging(), Judging(depth=3, complete=True), Judging(judged_only=True, trec_version=9)], ids=str
)
def test_the_judged_run_is_the_same(seed: int, judging: Judging, tmp_path: Path) -> None:
    qrels_path, path = write_files(seed, tmp_path)
    qrels = read_qrels(qrels_path)
    streamed = judge_file(path, qrels, None, judging)
    assert streamed is not None
    assert_same(streamed, judge(read_run(path), qrels, judging))
    source = open_raw(qrels_path)
    assert source is not None
    pool = read_pool(source)
    assert pool is not None
    expected = pool_of(qrels)
    assert pool.position == expected.position
    assert list(pool.grades) == list(expected.grades)
    assert list(pool.slots) == list(expected.slots)


@pytest.mark.usefixtures("small_blocks")
def test_a_topic_that_comes_back_is_judged_whole(tmp_path: Path) -> None:
    qrels_path, path = write_files(1, tmp_path, again=True)
    qrels = read_qrels(qrels_path)
    assert judge_file(path, qrels, None, Judging()) is None
    assert_same(measuring.judged_run(path, qrels), judge(read_run(path), qrels))


LINES = [f"{t} Q0 d{d} 1 {d} tag" for t in range(9) for d in range(9)]


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(
    "wrong", ["5 Q0 d1 1", "5 Q0 d1 1 x tag", "5 Q0 d1 1 nan tag", "8 Q0 d3 1 1 tag", "8 Q0 \0 1 1 tag"]
)
def test_errors_are_those_of_the_reader(wrong: str, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("5 0 d1 1\n")
    (tmp_path / "run").write_text("\n".join([*LINES, wrong]) + "\n")
    qrels = read_qrels(tmp_path / "qrels")
    with pytest.raises(AdjudgeError) as expected:
        read_run(tmp_path / "run")
    with pytest.raises(AdjudgeError) as found:
        measuring.judged_run(str(tmp_path / "run"), qrels)
    assert str(found.value) == str(expected.value)


def topic_end(text: bytes, begin: int) -> int:
    """The definition: where the first line with another topic than the first begins."""
    first, at = None, begin
    for line in text[begin:].split(b"\n")[:-1]:
        words = line.strip(b" \t\r\v\f").split()
        if words and not words[0].startswith(b"#"):
            first = first or words[0]
            if words[0] != first:
                return at
        at += len(line) + 1
    return len(text)


def test_where_a_topic_ends(tmp_path: Path) -> None:
    for seed in range(20):
        _, path = write_files(seed, tmp_path)
        text = path.read_bytes().rstrip(b"\n") + b"\n"
        begin = 0
        while begin < len(text):
            assert native("lines").topic_end(text, begin, len(text)) == topic_end(text, begin)
            begin = text.find(b"\n", begin) + 1
    assert native("lines").topic_end(b"", 0, 0) == 0
    assert native("lines").topic_end(b"# only\n\n", 0, 8) == 8
    with pytest.raises(ValueError, match="newline"):
        native("lines").topic_end(b"1 Q0", 0, 4)


def test_whole_numbers() -> None:
    out = np.zeros(3, np.int32)
    native("lines").whole(np.array([-1.0, 0.0, 2147483647.0]), out)
    assert out.tolist() == [-1, 0, 2147483647]
    for wrong in (2147483648.0, float("nan"), -1e300):
        with pytest.raises(ValueError, match="32 bits"):
            native("lines").whole(np.array([0.0, wrong, 0.0]), out)


def test_the_shapes_are_those_of_the_reader() -> None:
    assert trec_columns.RUN.numbers == RUN_SHAPE
    assert trec_columns.QRELS.numbers == judged_lines.QRELS_SHAPE


def test_nothing_to_judge() -> None:
    qrels = read_qrels({"1": {"a": 1}})
    for text in (b"# nothing\n", b"\n"):
        for source in (RawFile(text), Source("run", text)):
            assert judge_lines(source, pool_of(qrels)) is None


def test_memory_of_a_block_is_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What grows with the file is what measures see; the columns of the run are those of the largest block."""
    monkeypatch.setattr(judged_lines, "BLOCK", 1000)
    rooms: list[judged_lines.BlockColumns] = []

    class Noted(judged_lines.BlockColumns):
        def __init__(self) -> None:
            super().__init__()
            rooms.append(self)

    monkeypatch.setattr(judged_lines, "BlockColumns", Noted)
    run = tmp_path / "run"
    run.write_text("".join(f"{t} Q0 d{d} 1 {d} tag\n" for t in range(200) for d in range(10)))
    source = open_raw(run)
    assert source is not None
    judged = judge_lines(source, pool_of(read_qrels({"7": {"d3": 1}})))
    assert judged is not None
    assert (len(judged.topics), judged.ranks.tolist(), judged.grades.tolist()) == (200, [7], [1])
    assert len(rooms) == 1
    assert rooms[0].rows < 100
