"""Cells as processes: as many at a time as memory allows, each heard while it works and ended with all it started.

They are copies of a process that has loaded what cells need (cell_copies.py), where that can be. Or cells are done in
this process, one after the other: for a debugger, a notebook, a test.

A cell holds the other end of a pipe of ours and ends when that is closed, so that none outlives an experiment, however
that ends.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Condition, Lock
from types import TracebackType
from typing import IO, Generic, Protocol, TypeVar

from ..core.child_process import Child, end, listen, start
from ..core.errors import AdjudgeError
from ..core.progress import Listener
from ..systems.system import System
from .cell import WATCHED, CellRequest, do
from .cell_copies import CopyMaker, possible
from .messages import SIGN, Relay, Remembering

LINE = 1 << 12
"""Bytes of a line of standard output that are heard together, unless they are a message."""
LONGEST = 1 << 24
"""Bytes of a message."""
USUAL_MEMORY = 500
"""Megabytes that a cell is taken to need when nothing is known of it."""
SHARE = 0.8
"""Of the memory that was free in the beginning may be promised to cells."""

Task = TypeVar("Task")


class StoppedError(AdjudgeError):
    """The experiment is being given up: nothing is begun any more."""


class Executor(Protocol):
    """Does cells; whatever it started has ended when it is left."""

    def __enter__(self) -> Executor: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def run(self, request: Path, progress: Listener) -> str:
        """Do a cell; why it failed, empty if it did not. ``progress`` hears what the cell says."""
        ...


def executor(workers: int) -> Executor:
    """Processes, or this one if there are to be no workers."""
    return Processes() if workers else ThisProcess()


class ThisProcess:
    """Cells in this process. What a system does wrong is raised as it is, with the place where it happened."""

    system: System | None = None
    """The one that does the cells, if they do not name it by a spec."""

    def __enter__(self) -> ThisProcess:
        return self

    def __exit__(self, *_: object) -> None: ...

    def run(self, request: Path, progress: Listener) -> str:
        try:
            do(CellRequest.of(json.loads(request.read_text(encoding="utf-8"))), Remembering(progress), self.system)
        except AdjudgeError as error:
            return str(error)
        return ""


class LiveCells(ThisProcess):
    """Cells of a system that lives in this process."""

    def __init__(self, system: System) -> None:
        self.system = system


class Processes:
    """``with Processes() as processes: processes.run(request, progress)``: none is left at the end."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: set[Child] = set()
        self._over = False
        self._copies: CopyMaker | None = None

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._over = True
            for process in self._running:
                end(process)
            if self._copies is not None:
                self._copies.close()

    def run(self, request: Path, progress: Listener) -> str:
        """Do a cell; why it failed, empty if it did not. ``progress`` hears what the cell says."""
        relay = Relay(progress)
        process = self._start(str(request))

        def forward(stream: IO[bytes]) -> None:
            while line := _line(stream):
                relay.hear(line.decode("utf-8", "replace").rstrip())

        try:
            ending = listen(process, forward)
        finally:
            relay.close()
            end(process)
            process.wait()
            with self._lock:
                self._running.discard(process)
        if self._over:
            raise StoppedError("stopped")
        return ending.why

    def _start(self, request: str) -> Child:
        with self._lock:  # so that none is started behind the back of the one who ends them all
            if self._over:
                raise StoppedError("stopped")
            if self._copies is None and possible():
                self._copies = CopyMaker()
            process: Child | None = self._copies.start(request) if self._copies else None
            if process is None:
                process = start([sys.executable, "-m", "adjudge.experiment.cell", request, WATCHED])
            self._running.add(process)
        return process


def _line(stream: IO[bytes]) -> bytes:
    """The next line; a long one in pieces, unless it is a message."""
    line = stream.readline(LINE)
    if line.startswith(SIGN.encode()) and not line.endswith(b"\n"):
        line += stream.readline(LONGEST)
    return line


def free() -> float:
    """Megabytes that are free now; infinite where that is not known."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, StopIteration):
        return float("inf")


class Schedule(Generic[Task]):
    """Tasks in their order, each begun when a worker is free and the memory it is expected to need is there.

    ``expected`` gives megabytes and is asked when a task is about to begin, so it may learn from those before it. One
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
        for outcome in [self._pool.submit(self._wait_and_do, task, work) for task in tasks]:
            outcome.result()

    def _wait_and_do(self, task: Task, work: Callable[[Task], None]) -> None:
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
