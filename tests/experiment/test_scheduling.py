"""Cells side by side: as many as there are workers and memory for, and no more."""

from __future__ import annotations

import threading
import time

import pytest

from adjudge.experiment.process import Schedule


class Room:
    """Remembers how many were inside at a time, and what they needed together."""

    def __init__(self) -> None:
        self.lock, self.inside, self.most, self.sum, self.largest = threading.Lock(), 0, 0, 0.0, 0.0
        self.done: list[float] = []

    def work(self, task: float) -> None:
        with self.lock:
            self.inside, self.sum = self.inside + 1, self.sum + task
            self.most, self.largest = max(self.most, self.inside), max(self.largest, self.sum)
        time.sleep(0.01)
        with self.lock:
            self.inside, self.sum = self.inside - 1, self.sum - task
            self.done.append(task)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_all_is_done_by_so_many_at_a_time(workers: int) -> None:
    room = Room()
    with Schedule[float](workers, lambda task: task, lambda: 1e6) as schedule:
        schedule.do([float(i) for i in range(12)], room.work)
    assert sorted(room.done) == [float(i) for i in range(12)]
    assert room.most <= workers


def test_memory_is_not_promised_twice() -> None:
    room = Room()
    with Schedule[float](4, lambda task: task, lambda: 100.0) as schedule:
        schedule.do([50.0, 40.0, 30.0, 20.0, 50.0, 60.0, 10.0], room.work)
    assert room.largest <= 80, "four fifths of what is free"
    assert len(room.done) == 7


def test_one_that_needs_more_than_there_is_runs_alone() -> None:
    room = Room()
    with Schedule[float](4, lambda task: task, lambda: 100.0) as schedule:
        schedule.do([500.0, 10.0, 700.0, 10.0], room.work)
    assert sorted(room.done) == [10.0, 10.0, 500.0, 700.0]
    assert room.largest <= 700


def test_what_is_expected_may_be_learned_on_the_way() -> None:
    room, known = Room(), {"a": 500.0}

    def expected(task: str) -> float:
        return known[task]

    def work(task: str) -> None:
        room.work(known[task])
        known["a"] = 10.0

    with Schedule[str](2, expected, lambda: 100.0) as schedule:
        schedule.do(["a"] * 6, work)
    assert len(room.done) == 6


def test_a_failure_ends_what_has_not_begun() -> None:
    begun: list[int] = []

    def work(task: int) -> None:
        begun.append(task)
        if task == 2:
            raise ValueError("no")
        time.sleep(0.02)

    with pytest.raises(ValueError, match="no"), Schedule[int](1, lambda task: 1.0, lambda: 100.0) as schedule:
        schedule.do(list(range(50)), work)
    assert len(begun) < 10
