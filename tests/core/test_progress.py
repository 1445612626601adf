"""The protocol between those who work and those who watch."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from adjudge.core.note import Note
from adjudge.core.progress import SILENT, Listener, Task
from recorder import Recorder


def test_a_task_from_its_beginning_to_its_end() -> None:
    heard = Recorder()
    with heard.work("index", "words|lower", 10, "bytes") as step:
        step.reach(4, documents=1)
        step.advance(6, documents=2)
    (task,) = heard.begun
    assert (task.kind, task.subject, task.total, task.unit, task.within) == ("index", "words|lower", 10, "bytes", None)
    assert heard.reached[task] == [(4, {"documents": 1}), (10, {"documents": 2})]
    assert heard.ended == {task: False}


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_work_that_fails_has_ended_too(error: type[BaseException]) -> None:
    heard = Recorder()
    with pytest.raises(error), heard.work("judge", total=3):
        raise error
    assert list(heard.ended.values()) == [True]


def test_parts_of_a_task_know_it() -> None:
    heard = Recorder()
    with heard.work("experiment") as whole, whole.inside.work("cell", "bm25 on true") as cell:
        with cell.inside.work("index") as step:
            step.note(Note("about_the_index"))
        cell.inside.note(Note("about_the_cell"))
        whole.note(Note("about_the_whole"))
    assert heard.kinds() == ["experiment", "cell", "index"]
    assert [part.kind for part in heard.begun[2].path] == ["experiment", "cell", "index"]
    assert [(note.kind, task and task.kind) for note, task in heard.notes] == [
        ("about_the_index", "index"),
        ("about_the_cell", "cell"),
        ("about_the_whole", "experiment"),
    ]


def test_two_tasks_that_look_alike_are_two() -> None:
    assert Task("index", "a") != Task("index", "a")
    assert len({Task("index"), Task("index")}) == 2


def test_threads_may_share_a_task() -> None:
    heard = Recorder()
    with heard.work("judge", total=2000, unit="runs") as step, ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: step.advance(name=str(n)), range(2000)))
    assert heard.counts("judge") == list(range(1, 2001))


def test_nobody_need_listen() -> None:
    with SILENT.work("index") as step:
        step.advance(documents=3)
        step.note(Note("unheard"))
        with step.inside.work("part") as part:
            part.reach(7)
    assert step.done == 1
    assert type(SILENT) is Listener
