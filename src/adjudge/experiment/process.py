"""Cells as processes: as many at a time as memory allows, each heard while it works and ended with all it started.

Or in this process, one after the other: for a debugger, a notebook, a test.

A cell holds the other end of a pipe of ours and ends when that is closed, so that none outlives an experiment, however
that ends.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Condition, Lock, Thread
from types import TracebackType
from typing import IO, Generic, Protocol, TypeVar

from ..core.errors import AdjudgeError, DataError
from ..core.machine import end_group
from ..core.progress import Listener
from .cell import WATCHED, CellRequest, do
from .messages import SIGN, Relay, Remembering

TAIL = 1 << 16
"""Bytes of standard error that are remembered, the last ones."""
LINE = 1 << 12
"""Bytes of a line of standard output that are heard together, unless they are a message."""
LONGEST = 1 << 24
"""Bytes of a message."""
PATIENCE = 5.0
"""Seconds to hear the rest of what an ended process said: one that it left behind may hold the pipe."""
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

    def __enter__(self) -> ThisProcess:
        return self

    def __exit__(self, *_: object) -> None: ...

    def run(self, request: Path, progress: Listener) -> str:
        try:
            do(CellRequest.of(json.loads(request.read_text(encoding="utf-8"))), Remembering(progress))
        except AdjudgeError as error:
            return str(error)
        return ""


class Processes:
    """``with Processes() as processes: processes.run(request, progress)``: none is left at the end."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._over = False

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._over = True
            for process in self._running:
                end(process)

    def run(self, request: Path, progress: Listener) -> str:
        """Do a cell; why it failed, empty if it did not. ``progress`` hears what the cell says."""
        relay = Relay(progress)
        process = self._start([sys.executable, "-m", "adjudge.experiment.cell", str(request), WATCHED])
        try:
            code, complaint = _listen(process, relay)
        finally:
            relay.close()
            end(process)
            process.wait()
            with self._lock:
                self._running.discard(process)
        if self._over:
            raise StoppedError("stopped")
        return why(code, complaint) if code else ""

    def _start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        # What is said may have bytes that are no text: ids come from files.
        environment = os.environ | {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8:backslashreplace"}
        pipe = subprocess.PIPE
        with self._lock:  # so that none is started behind the back of the one who ends them all
            if self._over:
                raise StoppedError("stopped")
            try:
                process = subprocess.Popen(
                    command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, start_new_session=True
                )
            except OSError as error:
                raise DataError(f"a process could not start: {error.strerror}") from None
            self._running.add(process)
        return process


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and those that it started."""
    with suppress(OSError):
        end_group(process)


def why(code: int, complaint: str) -> str:
    """Why a process failed, from its exit code and the end of what it said on standard error."""
    lines = complaint.strip().splitlines()
    last = lines[-1].strip() if lines else ""
    if code > 0:
        return last or f"ended with exit code {code}"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    return f"ended by {name}{', as for want of memory' if name == 'SIGKILL' else ''}{last and f' after: {last}'}"


def _listen(process: subprocess.Popen[bytes], relay: Relay) -> tuple[int, str]:
    """The exit code, and the end of standard error; the relay hears standard output line by line."""
    tail, wrong = bytearray(), list[BaseException]()

    def remember(stream: IO[bytes]) -> None:
        while piece := os.read(stream.fileno(), TAIL):
            tail.extend(piece)
            del tail[:-TAIL]

    def tell(stream: IO[bytes]) -> None:
        try:
            while line := _line(stream):
                relay.hear(line.decode("utf-8", "replace").rstrip())
        except BaseException as error:
            wrong.append(error)
            end(process)

    if process.stdout is None or process.stderr is None or process.stdin is None:
        raise RuntimeError("a process without pipes")
    listeners = [
        Thread(target=remember, args=(process.stderr,), daemon=True),
        Thread(target=tell, args=(process.stdout,), daemon=True),
    ]
    for listener in listeners:
        listener.start()
    code = process.wait()
    end(process)
    for listener in listeners:
        listener.join(PATIENCE)
    if not any(listener.is_alive() for listener in listeners):
        process.stdout.close()
        process.stderr.close()
    process.stdin.close()
    if wrong:
        raise wrong[0]
    return code, bytes(tail).decode("utf-8", "replace")


def _line(stream: IO[bytes]) -> bytes:
    """The next line; a long one in pieces, unless it is a message."""
    line = stream.readline(LINE)
    if line.startswith(SIGN.encode()) and not line.endswith(b"\n"):
        line += stream.readline(LONGEST)
    return line


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
