"""Doing cells on several workers, as many at a time as memory allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Condition
from typing import Generic, TypeVar

Task = TypeVar("Task")

USUAL = 500
"""Megabytes that a cell is taken to need when nothing is known of it."""
SHARE = 0.8
"""Of the memory that was free in the beginning may be promised to cells."""


def free() -> float:
    """Megabytes that could be had now; infinite where nobody can tell."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, StopIteration):
        return float("inf")


class Schedule(Generic[Task]):
    """Tasks in their order, each begun when a worker is free and the memory it is expected to need is there.

    ``expected`` tells megabytes and is asked when a task is about to begin, so it may learn from those before it. One
    task runs however much it needs: whether that goes well is then between it and the machine.
    """

    def __init__(self, workers: int, expected: Callable[[Task], float], available: Callable[[], float] = free) -> None:
        self.workers, self.expected, self.available = max(1, workers), expected, available
        self.budget = SHARE * available()
        self._pool = ThreadPoolExecutor(self.workers)
        self._changed = Condition()
        self._promised: list[float] = []
        self._over = False

    def __enter__(self) -> Schedule[Task]:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing more begins; what has begun is waited for, so whoever wants it to end early sees to that before."""
        with self._changed:
            self._over = True
            self._changed.notify_all()
        self._pool.shutdown(cancel_futures=True)

    def do(self, tasks: Sequence[Task], work: Callable[[Task], None]) -> None:
        """All of them, or the first exception at once, while others may still be at work."""
        for outcome in [self._pool.submit(self._one, task, work) for task in tasks]:
            outcome.result()

    def _one(self, task: Task, work: Callable[[Task], None]) -> None:
        with self._changed:
            while not self._fits(need := self.expected(task)) and not self._over:
                self._changed.wait(1.0)
            if self._over:
                return
            self._promised.append(need)
        try:
            work(task)
        finally:
            with self._changed:
                self._promised.remove(need)
                self._changed.notify_all()

    def _fits(self, need: float) -> bool:
        if not self._promised:
            return True
        return sum(self._promised) + need <= self.budget and need <= self.available()
