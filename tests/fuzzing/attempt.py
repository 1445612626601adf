"""One input through one reader: accepted, refused, or a defect with the place where it came from."""

from __future__ import annotations

import os
import random
import re
import shutil
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from unittest.mock import patch

from fuzzing.targets import BY_NAME, Target, one_line, size_of

ROOM, TIMES = 200 << 20, 20
"""A reader may take so much memory, and beside it so many times the input."""
SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")
SLACK = 2 if SANITIZED else 1
"""AddressSanitizer puts something around every block, and keeps some that were given back."""


def make(target: Target, seed: int, number: int, folder: Path) -> Path:
    """The input with that number."""
    return target.make(random.Random(f"{target.name} {seed} {number}"), folder)


def attempt(target: Target, path: Path) -> str:
    """'accepted' or 'refused'; what is wrong otherwise, in one line."""
    from adjudge.core.errors import AdjudgeError

    _forget_peak()
    before, size = _memory("VmRSS"), size_of(path)
    try:
        target.use(path)
        outcome = "accepted"
    except AdjudgeError as error:
        try:
            one_line(error)
            outcome = "refused"
        except AssertionError as wrong:
            return f"message: {wrong}"
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        frames = [f for f in traceback.extract_tb(error.__traceback__) if "adjudge" in f.filename]
        place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
        return f"{type(error).__name__} at {place}: {' '.join(str(error).split())[:160]}"
    grown = _memory("VmHWM") - before
    if grown > SLACK * (ROOM + TIMES * size):
        return f"memory: {grown >> 20} MB for {size:,} bytes"
    return outcome


@contextmanager
def room() -> Iterator[Path]:
    """A folder for one input after another, in memory where there is a place for that."""
    memory = Path("/dev/shm")  # noqa: S108  the folder in it is one's own
    place = memory if os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="adjudge-fuzz-", dir=place, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def empty(folder: Path) -> None:
    """Remove all that is in a folder."""
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)


def _forget_peak() -> None:
    """Let the most memory that this process ever had be what it has now, where the system can."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _memory(what: str) -> int:
    """Bytes that the system says of this process; 0 where it says nothing."""
    try:
        known = re.search(rf"^{what}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    except OSError:
        return 0
    return int(known[1]) << 10 if known else 0


def no_waiting() -> AbstractContextManager[object]:
    """Nothing waits for the disk: what is written here is looked at once and thrown away."""
    return patch("os.fsync", lambda handle: None)


def attempts(name: str, seed: int, first: int, last: int) -> dict[int, str]:
    """What came of each input, by its number, in this process."""
    target, outcomes = BY_NAME[name], {}
    for number in range(first, last):
        with no_waiting(), room() as folder:
            outcomes[number] = attempt(target, make(target, seed, number, folder))
    return outcomes
