"""Experiments on a terminal: what runs, what is done, how long it may take; lines of a log elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

from ..experiment.watching import Watch

if TYPE_CHECKING:
    from rich.console import Group

ANALYSIS = "analysis"
"""The step after all cells."""
MAKING = "version "
"""Begins the name of a step before them; what else is told of is a cell."""


def watching(stream: TextIO | None = None) -> Log | Live:
    """Something that shows an experiment on standard error, as that allows."""
    out = sys.stderr if stream is None else stream
    return Live(out) if out.isatty() else Log(out)


class Log(Watch):
    """A line for every step that begins, and for what is told."""

    def __init__(self, stream: TextIO) -> None:
        self.stream, self.cells, self.done = stream, 0, 0

    def __enter__(self) -> Log:
        return self

    def planned(self, cells: int, done: int) -> None:
        self.cells, self.done = cells, done
        if done and done < cells:
            self._say(f"{done} of {cells} cells were done before")

    def began(self, what: str) -> None:
        if what != ANALYSIS:  # over in seconds
            self._say(what)

    def told(self, what: str, said: str) -> None:
        self._say(f"{what}: {said}")

    def ended(self, what: str, *, failed: bool = False) -> None:
        if failed:
            self._say(f"{what}: failed")

    def _say(self, line: str) -> None:
        self.stream.write(f"{line}\n")
        self.stream.flush()

    def __exit__(self, *_: object) -> None:
        self.stream.flush()


class Live(Watch):
    """A bar over all cells with the time left, and under it a line for each step that is under way."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console
        from rich.live import Live as Display
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        self.console = Console(file=stream)
        kinds = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
        self.bar = Progress(*kinds, TimeElapsedColumn(), TextColumn("{task.fields[left]}"), console=self.console)
        self.task = self.bar.add_task("cells", total=None, left="")
        self.steps: dict[str, tuple[float, str]] = {}
        self.began_at, self.fresh, self.cells, self.done = time.monotonic(), 0, 0, 0
        self.display = Display(get_renderable=self._shown, console=self.console, transient=True, refresh_per_second=8)

    def __enter__(self) -> Live:
        self.display.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.display.__exit__(kind, error, trace)

    def planned(self, cells: int, done: int) -> None:
        self.cells, self.done, self.began_at = cells, done, time.monotonic()
        self.bar.update(self.task, total=cells, completed=done)

    def began(self, what: str) -> None:
        self.steps[what] = time.monotonic(), ""

    def told(self, what: str, said: str) -> None:
        from rich.text import Text

        self.console.print(Text(f"{what}: {said}"), highlight=False)

    def reached(self, what: str, said: str) -> None:
        if what in self.steps:
            self.steps[what] = self.steps[what][0], said

    def ended(self, what: str, *, failed: bool = False) -> None:
        self.steps.pop(what, None)
        if failed:
            self.told(what, "failed")
        if what != ANALYSIS and not what.startswith(MAKING):
            self.fresh += 1
            self.bar.update(self.task, completed=self.done + self.fresh, left=self._left())

    def _left(self) -> str:
        todo = self.cells - self.done - self.fresh
        spent = time.monotonic() - self.began_at
        return f"about {clock(spent / self.fresh * todo)} left" if todo and self.fresh else ""

    def _shown(self) -> Group:
        from rich.console import Group
        from rich.text import Text

        now = time.monotonic()
        lines: list[Any] = [
            Text(f"  {what}  {clock(now - began)}  {said}", no_wrap=True, overflow="ellipsis", style="dim")
            for what, (began, said) in list(self.steps.items())
        ]
        return Group(self.bar, *lines)


def clock(seconds: float) -> str:
    """0:07, 12:30, 1:02:03."""
    whole = int(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
