"""Progress as people see it: a line that changes on a terminal; for experiments a display, or lines of a log elsewhere.

Nothing is shown of work that is over within :data:`PATIENCE`, and nothing of what is done in between two looks.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from threading import RLock
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

from ..core.note import Fact, Note
from ..core.progress import Listener, Task
from ..core.visible import visible
from ..words import tasks as words

if TYPE_CHECKING:
    from rich.console import Group

PATIENCE = 0.7
"""Seconds after which work is worth a line."""
EVERY = 0.1
"""Seconds from one line to the next."""
WIDTH = 100
CLEAR = "\r\x1b[K"


class Terminal(Listener):
    """One line on standard error about the task under way, if that is a terminal; notes in any case."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.shows = self.stream.isatty() and os.environ.get("TERM") != "dumb"
        self.facts: Mapping[str, Fact] = {}
        """The last message of any task, which is what remains of it after Ctrl-C."""
        self._begun: dict[Task, float] = {}
        self._last, self._shown, self._lock = 0.0, False, RLock()

    def begin(self, task: Task) -> None:
        self._begun[task] = time.monotonic()

    def reach(self, task: Task, done: int, facts: Mapping[str, Fact]) -> None:
        self.facts = facts
        if not self.shows or task.total == 1:
            return
        now = time.monotonic()
        if now - self._last <= EVERY or now - self._begun[task.path[0]] <= PATIENCE:
            return
        with self._lock:
            self._last, self._shown = now, True
            self._write(CLEAR + words.line(task, done, facts, now - self._begun[task])[:WIDTH])

    def note(self, note: Note, task: Task | None = None) -> None:  # noqa: ARG002  the sentence says what it is about
        with self._lock:
            self._clear()
            self._write(f"note: {visible(str(note))}\n")

    def end(self, task: Task, *, failed: bool = False) -> None:  # noqa: ARG002  who fails says so
        with self._lock:
            self._begun.pop(task, None)
            if not self._begun:
                self._clear()

    def _clear(self) -> None:
        if self._shown:
            self._shown = False
            self._write(CLEAR)

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()


def experiment_listener(stream: TextIO | None = None) -> Log | Live:
    """Something that shows an experiment on standard error, as that allows."""
    out = sys.stderr if stream is None else stream
    return Live(out) if out.isatty() and os.environ.get("TERM") != "dumb" else Log(out)


def line_of(task: Task) -> Task:
    """The task on whose line a part of it is shown: a cell, a version, the analysis."""
    path = task.path
    return path[1] if path[0].kind == "experiment" and len(path) > 1 else path[0]


class Log(Listener):
    """A line for every cell that begins, for a version that is made or takes its time, and for every note."""

    def __init__(self, stream: TextIO) -> None:
        self.stream, self._lock = stream, RLock()
        self._versions: dict[Task, float] = {}
        """When those tasks began that have not been shown yet."""

    def __enter__(self) -> Log:
        return self

    def begin(self, task: Task) -> None:
        if task.kind == "cell":
            self._say(words.title(task))
        elif task.kind == "version":
            self._versions[task] = time.monotonic()

    def reach(self, task: Task, done: int, facts: Mapping[str, Fact]) -> None:
        if task.kind == "experiment" and facts.get("before") and done < task.total:
            self._say(words.done_before(done, task.total))
            return
        version = line_of(task)
        began = self._versions.get(version)
        if began is not None and (task.kind != "look_through" or time.monotonic() - began > PATIENCE):
            del self._versions[version]
            self._say(words.title(version))

    def note(self, note: Note, task: Task | None = None) -> None:
        self._say(f"{words.title(line_of(task))}: {note}" if task else str(note))

    def end(self, task: Task, *, failed: bool = False) -> None:
        self._versions.pop(task, None)
        if failed and task.kind == "cell":
            self._say(words.failed(task))

    def _say(self, text: str) -> None:
        with self._lock:
            self.stream.write(f"{text}\n")
            self.stream.flush()

    def __exit__(self, *_: object) -> None:
        self.stream.flush()


class Live(Listener):
    """A bar over all cells with the time left, and under it a line for each task that is under way."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console
        from rich.live import Live as Display
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        self.console = Console(file=stream)
        columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
        self.bar = Progress(*columns, TimeElapsedColumn(), TextColumn("{task.fields[left]}"), console=self.console)
        self.cells = self.bar.add_task("cells", total=None, left="")
        self._began = self._before = 0.0
        self._counts = False
        """Whether there are cells: a plan of runs has none."""
        self._lines: dict[Task, float] = {}
        self._reached: dict[Task, tuple[Task, float, int, Mapping[str, Fact]]] = {}
        """Of each line the part that was heard of last, since when that is under way, and how far it is."""
        self._begun: dict[Task, float] = {}
        self._lock = RLock()
        self.display = Display(get_renderable=self._shown, console=self.console, transient=True, refresh_per_second=8)

    def __enter__(self) -> Live:
        self.display.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.display.__exit__(kind, error, trace)

    def begin(self, task: Task) -> None:
        with self._lock:
            self._begun[task] = now = time.monotonic()
            if task.kind == "experiment":
                self._began, self._counts = now, bool(task.total)
                self.bar.update(self.cells, total=task.total)
            elif line_of(task) is task:
                self._lines[task] = now
            else:
                self._reached[line_of(task)] = task, now, 0, {}

    def reach(self, task: Task, done: int, facts: Mapping[str, Fact]) -> None:
        with self._lock:
            if task.kind == "experiment":
                self._count(task, done, facts)
            else:
                self._reached[line_of(task)] = task, self._begun[task], done, facts

    def _count(self, task: Task, done: int, facts: Mapping[str, Fact]) -> None:
        if "before" in facts:
            self._before = done
        fresh, todo = done - self._before, task.total - done
        left = words.about((time.monotonic() - self._began) / fresh * todo) if todo and fresh else ""
        self.bar.update(self.cells, completed=done, left=left)

    def note(self, note: Note, task: Task | None = None) -> None:
        self._say(f"{words.title(line_of(task))}: {note}" if task else str(note))

    def end(self, task: Task, *, failed: bool = False) -> None:
        with self._lock:
            self._begun.pop(task, None)
            if self._lines.pop(task, None) is not None:
                self._reached.pop(task, None)
        if failed and task.kind == "cell":
            self._say(words.failed(task))

    def _say(self, text: str) -> None:
        from rich.text import Text

        self.console.print(Text(text), highlight=False)

    def _shown(self) -> Group:
        from rich.console import Group
        from rich.text import Text

        now = time.monotonic()
        with self._lock:
            shown = [(task, now - began, self._part(task, now)) for task, began in self._lines.items()]
        lines: list[Any] = [
            Text(f"  {words.title(task)}  {words.clock(spent)}  {part}", no_wrap=True, overflow="ellipsis", style="dim")
            for task, spent, part in shown
        ]
        return Group(self.bar, *lines) if self._counts else Group(*lines)

    def _part(self, task: Task, now: float) -> str:
        """How far the part of a task is that was heard of last."""
        if task not in self._reached:
            return ""
        part, began, done, facts = self._reached[task]
        extent = words.extent(part, done, facts, now - began) if done else ""
        return " ".join(filter(None, (words.title(part) if part is not task else "", extent)))
