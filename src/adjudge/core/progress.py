"""Progress of long work, on a terminal only, and never before the work has taken a moment."""

from __future__ import annotations

import sys
import time
from typing import TextIO

PATIENCE = 0.7


class Progress:
    """``with Progress("judging", 100) as progress: … progress.step("bm25")``"""

    def __init__(self, what: str, total: int, stream: TextIO | None = None) -> None:
        self.what, self.total, self.done = what, total, 0
        self.stream = sys.stderr if stream is None else stream
        self.wanted = total > 1 and self.stream.isatty()
        self.began = self.last = time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def step(self, detail: str = "") -> None:
        """One more is done."""
        self.done += 1
        self._show(f"{self.done}/{self.total}", detail)

    def reach(self, done: int, said: str) -> None:
        """So much of the total is done, in a unit of its own, bytes say; ``said`` tells it."""
        self.done = done
        self._show(said)

    def _show(self, said: str, detail: str = "") -> None:
        now = time.monotonic()
        if self.wanted and now - self.began > PATIENCE and now - self.last > 0.1:
            self.last = now
            left = (now - self.began) / max(self.done, 1) * max(self.total - self.done, 0)
            line = f"{self.what} {said}, {left:.0f} s left  {detail}"
            self.stream.write(f"\r\x1b[K{line[:100]}")
            self.stream.flush()

    def __exit__(self, *_: object) -> None:
        if self.wanted:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
