"""Cells as copies of a process that has loaded what they need: loading takes longer than the work of a small cell.

The process of an experiment has threads and cannot be copied. It starts one that has none, which loads the modules and
waits (:func:`serve`). A request goes to it through a socket, with the ends of the pipes that the cell reads and writes
and of one through which its number and its exit code come back. The copy goes on as the program of a cell does that was
started by itself: with a session of its own, standard streams, an exit code.

Where a system cannot make copies, and where the process that makes them is gone, cells are started by themselves.
"""

from __future__ import annotations

import gc
import os
import selectors
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any

from ..core.child_process import variables
from . import cell
from .cell import WATCHED

LONGEST = 1 << 16
"""Bytes of a request."""
LOST = -9
"""The code of a copy of whose end nobody told, because the process that made it was ended."""


def possible() -> bool:
    """Whether processes are copied here, and one can be told of the end of a copy. macOS copies none that are safe."""
    if sys.platform != "linux" or not (hasattr(os, "pidfd_open") and hasattr(os, "fork")):
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:  # a system that is older than this Python expects
        return False
    return True


class CellCopy:
    """A copy that does a cell, as far as the process of the experiment has to do with it."""

    def __init__(self, pid: int, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes], report: int) -> None:
        self.pid, self.stdin, self.stdout, self.stderr, self._report = pid, stdin, stdout, stderr, report
        self._code: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, minus the signal if one ended it; :class:`subprocess.TimeoutExpired` if it takes longer."""
        if self._code is None:
            with selectors.DefaultSelector() as selector:
                selector.register(self._report, selectors.EVENT_READ)
                if not selector.select(timeout):
                    raise subprocess.TimeoutExpired("cell", timeout or 0.0)
            self._code = _number(self._report, LOST)
            os.close(self._report)
        return self._code

    def kill(self) -> None:
        with suppress(OSError):
            os.kill(self.pid, 9)


class CopyMaker:
    """The process that makes copies, as long as it is needed."""

    def __init__(self) -> None:
        self._talk, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, "-m", __name__, str(theirs.fileno())]
            nothing = subprocess.DEVNULL
            self._process = subprocess.Popen(
                command,
                stdin=nothing,
                stdout=nothing,
                stderr=nothing,
                env=variables(),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    def start(self, request: str) -> CellCopy | None:
        """A copy that does what the file of a request asks for; None if no copy could be made."""
        pipes = [os.pipe() for _ in range(4)]
        (stdin, to_cell), (from_cell, stdout), (complaints, stderr), (report, reported) = pipes
        try:
            socket.send_fds(self._talk, [os.fsencode(request)], [stdin, stdout, stderr, reported])
            sent = True
        except OSError:
            sent = False
        for end in (stdin, stdout, stderr, reported):
            os.close(end)
        pid = _number(report, 0) if sent else 0
        if not pid:
            for end in (to_cell, from_cell, complaints, report):
                os.close(end)
            return None
        streams = os.fdopen(to_cell, "wb"), os.fdopen(from_cell, "rb"), os.fdopen(complaints, "rb")
        return CellCopy(pid, *streams, report)

    def close(self) -> None:
        """No more copies; those that are at work go on."""
        self._talk.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._process.kill()
        self._process.wait()


def _number(pipe: int, otherwise: int) -> int:
    """The next number of a pipe; another one if the other side has gone."""
    try:
        line = os.read(pipe, 8)
    except OSError:
        line = b""
    return int.from_bytes(line, "big", signed=True) if len(line) == 8 else otherwise


def _tell(pipe: int, number: int) -> None:
    with suppress(OSError):
        os.write(pipe, number.to_bytes(8, "big", signed=True))


def serve(talk: socket.socket) -> str:
    """Make copies until nobody asks any more: then "" is returned, and in each copy the file of its request."""
    reports: dict[int, tuple[int, int]] = {}
    # No epoll: what a copy does to that, it does to the one of which it is a copy.
    with selectors.PollSelector() as selector:
        selector.register(talk, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fd != talk.fileno():
                    selector.unregister(key.fd)
                    pid, report = reports.pop(key.fd)
                    _tell(report, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
                    os.close(report)
                    os.close(key.fd)
                    continue
                request, ends, _, _ = socket.recv_fds(talk, LONGEST, 4)
                if not request:
                    return ""
                pid = os.fork()
                if pid == 0:
                    _take_over(talk, ends, reports)
                    return os.fsdecode(request)
                ended = os.pidfd_open(pid)
                reports[ended] = pid, ends[3]
                selector.register(ended, selectors.EVENT_READ)
                for end in ends[:3]:
                    os.close(end)


def _take_over(talk: socket.socket, ends: Sequence[int], reports: dict[int, Any]) -> None:
    """In a copy: a session and streams of its own, and nothing left of what the one before it held."""
    os.setsid()
    _tell(ends[3], os.getpid())  # only now can it be ended with all that it starts
    for place, end in enumerate(ends[:3]):
        os.dup2(end, place)
    talk.close()
    for end in (*ends, *reports, *(report for _, report in reports.values())):
        os.close(end)


def _load() -> None:
    """Load what most cells need: what is not there when a copy is made, each copy loads for itself."""
    import concurrent.futures.thread
    import hashlib
    import importlib.metadata

    import numpy.ma  # by numpy itself, as soon as it is asked what occurs in an array

    from ..formats.documents.document_reading import ORDER
    from ..formats.documents.layout import layouts
    from ..storage import zstd
    from ..systems import clarit, decipher, gmu, weighted
    from ..systems.parts.correction import correcting
    from ..systems.parts.version import load_indexing

    del concurrent, hashlib, importlib, numpy
    del clarit, correcting, decipher, gmu, weighted, zstd
    load_indexing()
    for name in ORDER:  # to find out how documents are laid out, all layouts are asked
        layouts.get(name)


def main(arguments: Sequence[str]) -> int:
    _load()
    gc.collect()
    gc.freeze()  # what is there stays: to look through it again would copy it
    with socket.socket(fileno=int(arguments[0])) as talk:
        request = serve(talk)
    return cell.main([request, WATCHED]) if request else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
