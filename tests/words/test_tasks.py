"""Words for tasks: every kind has a title, and no title is for a kind that nobody does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import adjudge
from adjudge.core.progress import Task
from adjudge.words.tasks import TITLES, detail, extent, interrupted, line, title, titles


def kinds() -> Iterator[str]:
    """The kinds of tasks that the source has: what ``work`` is called with, and what degraders call theirs."""
    for path in Path(adjudge.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="work" | "_pass"), args=[ast.Constant(value=str(kind)), *_]):
                    yield kind
                case ast.AnnAssign(target=ast.Name(id="task"), value=ast.Constant(value=str(kind))):
                    yield kind
                case ast.Tuple(elts=[ast.Constant(value=str(kind)), ast.Constant(), ast.Attribute(value=ast.Name())]):
                    if kind.startswith("read_"):  # collection/qa/passes.py has them in a table
                        yield kind


@pytest.mark.slow
def test_every_kind_of_task_has_a_title() -> None:
    assert set(kinds()) == set(TITLES)


@pytest.mark.parametrize(
    ("task", "words"),
    [
        (Task("cell", "bm25 on true"), "bm25 on true"),
        (Task("version", "20 %"), "version 20 %"),
        (Task("index", "words|lower"), "indexing"),
        (Task("index", "words|lower", within=Task("cell", "bm25 on true")), "indexing by words|lower"),
        (Task("resample"), "resampling"),
        (Task("resample", "tau_b"), "resampling tau_b"),
        (Task("count_sheep"), "count sheep"),
        (Task("cell", "{subject}"), "{subject}"),
    ],
)
def test_titles(task: Task, words: str) -> None:
    assert title(task) == words


def test_parts_follow_the_whole() -> None:
    assert titles(Task("index", "words", within=Task("keep", "anu"))) == "anu: indexing by words"
    assert titles(Task("stages", within=Task("judge"))) == "judging"


def test_extents() -> None:
    assert extent(Task("judge", total=10), 3, {}, 1) == "3/10"
    assert extent(Task("tag", total=200, unit="bytes"), 50, {}, 1) == "25%"
    assert extent(Task("tag", unit="bytes"), 5_000_000, {}, 1) == "5 MB"
    assert extent(Task("stages", total=1200, unit="tasks"), 3, {}, 1) == "3 of 1,200 tasks"
    assert extent(Task("calibrate", unit="factors"), 7, {}, 1) == "7 factors"
    facts = {"documents": 1200, "of": 5000, "kept": 1200, "pages": 31, "failed": 0}
    assert extent(Task("scan"), 1, facts, 10) == "1,200 of 5,000 documents, 3.1 pages/s"
    assert extent(Task("degrade"), 1, {**facts, "failed": 2}, 10) == "1,200 of 5,000 documents, 2 pages failed"
    assert extent(Task("look_through"), 1, {"documents": 1200}, 10) == "1,200 documents"
    index = Task("index", total=401_000_000, unit="bytes")
    assert extent(index, 100_000_000, {"documents": 3000}, 10) == "3,000 documents, 300/s, 100 of 401 MB"
    assert extent(Task("index", unit="bytes"), 100_000_000, {"documents": 3}, 1) == "3 documents, 3/s, 100 MB"


def test_lines() -> None:
    assert line(Task("judge", total=4), 1, {"name": "bm25"}, 1.0) == "judging 1/4, 3 s left  bm25"
    tried = {"factor": 2.5, "rate": 0.05}
    assert (
        line(Task("calibrate", "ocrad", 14), 7, tried, 7)
        == "calibrating 7/14, 7 s left  ocrad: 5.00% wrong at factor 2.5"
    )
    assert detail(Task("draw_topics"), {"topics": 5}) == "5 topics"


def test_after_ctrl_c() -> None:
    assert interrupted({"documents": 7}) == "interrupted before anything was done"
    assert interrupted({"kept": 1200, "of": 5000}) == (
        "interrupted: 1,200 of 5,000 documents are finished and kept; the same command goes on"
    )
