"""One input through one reader: accepted, refused, or a defect with the place where it came from."""

from __future__ import annotations

import random
import tempfile
import traceback
from pathlib import Path

from fuzzing.targets import BY_NAME, Target, one_line, size_of

ROOM, TIMES = 200 << 20, 20
"""A reader may take so much memory, and beside it so many times the input."""


def make(target: Target, seed: int, number: int, folder: Path) -> Path:
    """The input with that number."""
    return target.make(random.Random(f"{target.name} {seed} {number}"), folder)


def attempt(target: Target, path: Path) -> str:
    """'accepted' or 'refused'; what is wrong otherwise, in one line."""
    from adjudge.core.errors import AdjudgeError

    before = _peak()
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
    grown = _peak() - before
    if path.exists() and grown > ROOM + TIMES * size_of(path):
        return f"memory: {grown >> 20} MB"
    return outcome


def _peak() -> int:
    try:
        import resource
    except ImportError:  # Windows
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def attempts(name: str, seed: int, first: int, last: int) -> dict[int, str]:
    """What is wrong, by number of the input, in this process."""
    target, wrong = BY_NAME[name], {}
    for number in range(first, last):
        with tempfile.TemporaryDirectory(prefix="adjudge-fuzz-") as folder:
            outcome = attempt(target, make(target, seed, number, Path(folder)))
        if outcome not in {"accepted", "refused"}:
            wrong[number] = outcome
    return wrong
