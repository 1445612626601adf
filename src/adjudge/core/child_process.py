"""Child processes: each has a session of its own, is heard while it works, and ends with all that it started."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import IO, NamedTuple, Protocol

from .errors import DataError
from .machine import OWN_VARIABLES, end_group, end_own_group

TAIL = 1 << 16
"""Bytes of standard error that are remembered, the last ones."""
PATIENCE = 5.0
"""Seconds to read the rest of an ended process's output: one that it left behind may hold the pipe."""

Reader = Callable[[IO[bytes]], None]


class SessionLeader(Protocol):
    """A process that leads a session of its own."""

    @property
    def pid(self) -> int: ...

    def kill(self) -> None: ...


class Child(SessionLeader, Protocol):
    """A process with pipes: one that was started, or a copy of another."""

    @property
    def stdin(self) -> IO[bytes] | None: ...

    @property
    def stdout(self) -> IO[bytes] | None: ...

    @property
    def stderr(self) -> IO[bytes] | None: ...

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, minus the signal if one ended it; :class:`subprocess.TimeoutExpired` if it takes longer."""
        ...


class Ending(NamedTuple):
    """How a process ended."""

    code: int
    stderr: str
    """The end of what it wrote to standard error."""
    late: bool = False
    """Whether it was ended because it took too long."""

    @property
    def why(self) -> str:
        """Why it failed, in a line; empty if it did not."""
        return why_it_ended(self.code, self.stderr) if self.code else ""


def start(
    command: Sequence[str], *, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """A process with pipes for all that it reads and writes."""
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            command,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=folder,
            env=variables() | dict(environment or {}),
            start_new_session=True,
        )
    except OSError as error:
        raise DataError(f"a process could not start: {command[0]}: {error.strerror}") from None


def variables() -> dict[str, str]:
    """The environment of a Python that is heard; its output may have bytes that are not text: ids come from files."""
    given = {name: value for name, value in os.environ.items() if OWN_VARIABLES.get(name) != value}
    return given | {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8:backslashreplace"}


def end(process: Child) -> None:
    """End a process and those that it started."""
    with suppress(OSError):
        end_group(process)


def listen(process: Child, read: Reader, limit: float | None = None) -> Ending:
    """Wait for a process, for ``limit`` seconds at most; ``read`` gets standard output, in a thread of its own."""
    tail, wrong = bytearray(), list[BaseException]()

    def remember(stream: IO[bytes]) -> None:
        while piece := os.read(stream.fileno(), TAIL):
            tail.extend(piece)
            del tail[:-TAIL]

    def hear(stream: IO[bytes]) -> None:
        try:
            read(stream)
        except BaseException as error:
            wrong.append(error)
            end(process)

    if process.stdout is None or process.stderr is None or process.stdin is None:
        raise RuntimeError("a process without pipes")
    listeners = [
        Thread(target=remember, args=(process.stderr,), daemon=True),
        Thread(target=hear, args=(process.stdout,), daemon=True),
    ]
    for listener in listeners:
        listener.start()
    late = False
    try:
        code = process.wait(limit)
    except subprocess.TimeoutExpired:
        late = True
        end(process)
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
    return Ending(code, bytes(tail).decode("utf-8", "replace"), late)


def why_it_ended(code: int, complaint: str) -> str:
    """Why a process failed, from its exit code and the end of its standard error."""
    lines = complaint.strip().splitlines()
    last = lines[-1].strip() if lines else ""
    if code > 0:
        return last or f"ended with exit code {code}"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    return f"ended by {name}{', possibly out of memory' if name == 'SIGKILL' else ''}{last and f' after: {last}'}"


def end_with_parent() -> None:
    """For a child: when standard input ends, this process ends at once, and so does what it started."""

    def wait() -> None:
        with suppress(OSError):
            while os.read(0, 1 << 16):
                pass
        end_own_group()

    Thread(target=wait, daemon=True).start()
