"""Loaded by every Python process of a trial: makes the fault that the trial asks for.

CHAOS_KILL=N with CHAOS_FOLDER=F: all processes of the trial are killed before the N-th change of a file in the folder.
CHAOS_COUNT=P with CHAOS_FOLDER=F: nobody is killed; P followed by the number of a process has a byte for each change.
CHAOS_LIMIT=fsize|nofile|as:N: a limit of the system. CHAOS_CLOCK=S: the clock is S seconds off, and jumps.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time

TYPE_CHECKING = False  # typing is slow to load
if TYPE_CHECKING:
    from collections.abc import Callable

CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod"}


def _at_changes(folder: str, act: Callable[[], None]) -> None:
    """Do something before every change of a file in a folder."""

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            mode, flags = arguments[1], arguments[2]
            writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            if not writes and not (isinstance(mode, str) and set(mode) & set("wax+")):
                return
        elif event not in CHANGES:
            return
        path = arguments[0]
        if not isinstance(path, str | bytes | os.PathLike):
            return
        if os.path.abspath(os.fsdecode(path)).startswith(folder):
            act()

    sys.addaudithook(hook)


def _kill_at(number: int, folder: str) -> None:
    seen = [0]

    def count() -> None:
        seen[0] += 1
        if seen[0] == number:
            os.killpg(0, signal.SIGKILL)

    _at_changes(folder, count)


def _count(path: str, folder: str) -> None:
    def count() -> None:
        with open(f"{path}{os.getpid()}", "ab", buffering=0) as file:
            file.write(b".")

    _at_changes(folder, count)


def _limit(kind: str, number: int) -> None:
    import resource

    which = {"fsize": resource.RLIMIT_FSIZE, "nofile": resource.RLIMIT_NOFILE, "as": resource.RLIMIT_AS}[kind]
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(which, (number, number))


def _wrong_clock(seconds: float) -> None:
    real, calls = time.time, [0]

    def now() -> float:
        calls[0] += 1
        return real() + seconds - 3600 * (calls[0] % 7 == 0)

    time.time = now
    time.time_ns = lambda: int(now() * 1e9)


if "CHAOS_KILL" in os.environ:
    _kill_at(int(os.environ["CHAOS_KILL"]), os.environ["CHAOS_FOLDER"])
if "CHAOS_COUNT" in os.environ:
    _count(os.environ["CHAOS_COUNT"], os.environ["CHAOS_FOLDER"])
if "CHAOS_LIMIT" in os.environ:
    _kind, _, _number = os.environ["CHAOS_LIMIT"].partition(":")
    _limit(_kind, int(_number))
if "CHAOS_CLOCK" in os.environ:
    _wrong_clock(float(os.environ["CHAOS_CLOCK"]))
