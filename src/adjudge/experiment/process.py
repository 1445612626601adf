"""Cells as processes: each is heard while it works, and ended with all that it started.

A cell holds the other end of a pipe of ours and ends when that is closed, so that none outlives an experiment, however
that ends.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from types import TracebackType
from typing import IO

from ..core.errors import AdjudgeError, DataError
from ..core.progress import Listener
from .messages import SIGN, Relay

TAIL = 1 << 16
"""Bytes of standard error that are remembered, the last ones."""
LINE = 1 << 12
"""Bytes of a line of standard output that are heard together, unless they are a message."""
LONGEST = 1 << 24
"""Bytes of a message."""
PATIENCE = 5.0
"""Seconds to hear the rest of what an ended process said: one that it left behind may hold the pipe."""
WATCHED = "watched"
"""What a cell is told that is to end when its standard input does."""


class StoppedError(AdjudgeError):
    """The experiment is being given up: nothing is begun any more."""


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
        process = self._started([sys.executable, "-m", "adjudge.experiment.cell", str(request), WATCHED])
        try:
            code, complaint = _heard(process, relay)
        finally:
            relay.close()
            end(process)
            process.wait()
            with self._lock:
                self._running.discard(process)
        if self._over:
            raise StoppedError("stopped")
        return why(code, complaint) if code else ""

    def _started(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
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
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:  # on Windows those that it started end by themselves, when their standard input does
            process.kill()


def why(code: int, complaint: str) -> str:
    """Why a process failed, from its exit code and the end of what it said on standard error."""
    lines = complaint.strip().splitlines()
    last = lines[-1].strip() if lines else ""
    if code > 0:
        return last or f"ended with exit code {code}"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    return f"ended by {name}{', as for want of memory' if name == 'SIGKILL' else ''}{last and f' after: {last}'}"


def _heard(process: subprocess.Popen[bytes], relay: Relay) -> tuple[int, str]:
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


def end_with_the_experiment() -> None:
    """For a cell: when standard input ends, this process ends at once, and so does what it started."""

    def listen() -> None:
        with suppress(OSError):
            while os.read(0, TAIL):
                pass
        with suppress(OSError, AttributeError):  # there are no groups of processes on Windows
            os.killpg(0, signal.SIGKILL)
        os._exit(1)

    Thread(target=listen, daemon=True).start()
