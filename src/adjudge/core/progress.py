"""Progress of long work: one protocol between those who work and those who watch."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

from .note import Fact, Note

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


@dataclass(frozen=True)
class Task:
    """A piece of long work: what is done, to what, and how much of it there is."""

    kind: str
    """A name in small letters: ``index``, ``judge``, ``cell``, ``version``; ``words`` has a title for each."""
    subject: str = ""
    """What is worked on: a run, a system on a version, a file."""
    total: int = 0
    """How much there is to do; 0 if nobody knows."""
    unit: str = ""
    """What is counted, in the plural: documents, runs, bytes, tasks."""


class Listener:
    """Hears how far long work is. This one does nothing; a terminal, a cell of a plan and a Spark driver do more.

    Work that can take long has a parameter ``progress``, by default :data:`SILENT`, and says what it does:

        with progress.work("index", total=documents.size, unit="bytes") as step:
            for batch in batches:
                ...
                step.reach(documents.read, documents=len(ids))

    Calls may come from several threads; a listener that minds takes a lock.
    """

    def begin(self, task: Task) -> None:
        """A task begins."""

    def reach(self, task: Task, done: int, facts: Mapping[str, Fact]) -> None:
        """So much of a task is done; ``facts`` says more, for example how many pages failed. Called many times."""

    def note(self, note: Note, task: Task | None = None) -> None:
        """Something that the user should know, once."""

    def end(self, task: Task, *, failed: bool = False) -> None:
        """The task is over."""

    @contextmanager
    def work(self, kind: str, subject: str = "", total: int = 0, unit: str = "") -> Iterator[Step]:
        """A task from its beginning to its end, whichever way that comes."""
        task = Task(kind, subject, total, unit)
        self.begin(task)
        failed = True
        try:
            yield Step(self, task)
            failed = False
        finally:
            self.end(task, failed=failed)


class Step:
    """How far one task is; what the work holds on to."""

    def __init__(self, listener: Listener, task: Task) -> None:
        self.listener, self.task, self.done = listener, task, 0

    def advance(self, count: int = 1, **facts: Fact) -> None:
        """So much more is done."""
        self.reach(self.done + count, **facts)

    def reach(self, done: int, **facts: Fact) -> None:
        """So much is done in all."""
        self.done = done
        self.listener.reach(self.task, done, facts)

    def note(self, note: Note) -> None:
        """Something that the user should know about this task."""
        self.listener.note(note, self.task)


SILENT = Listener()
"""The listener of work that nobody watches."""
