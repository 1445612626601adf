"""A listener that remembers all that it hears, and minds that it makes sense."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from threading import RLock

from adjudge.core.note import Fact, Note
from adjudge.core.progress import Listener, Task
from adjudge.systems.parts.version import Version
from adjudge.words.tasks import title


class Recorder(Listener):
    """Tasks begin before they get on and end once; they never get back, nor beyond what there is to do."""

    def __init__(self) -> None:
        self.begun: list[Task] = []
        self.reached: dict[Task, list[tuple[int, Mapping[str, Fact]]]] = {}
        self.ended: dict[Task, bool] = {}
        """Whether each failed."""
        self.notes: list[tuple[Note, Task | None]] = []
        self._lock = RLock()

    def begin(self, task: Task) -> None:
        with self._lock:
            assert task not in self.reached
            assert task.within is None or task.within in self.open
            self.begun.append(task)
            self.reached[task] = []

    def reach(self, task: Task, done: int, facts: Mapping[str, Fact]) -> None:
        with self._lock:
            assert task in self.open
            before = self.reached[task][-1][0] if self.reached[task] else 0
            assert before <= done <= (task.total or done), f"{task.kind}: {done} after {before} of {task.total}"
            self.reached[task].append((done, dict(facts)))

    def note(self, note: Note, task: Task | None = None) -> None:
        self.notes.append((note, task))

    def end(self, task: Task, *, failed: bool = False) -> None:
        with self._lock:
            assert task in self.open
            assert not any(part.within is task for part in self.open), "parts end before the whole"
            self.ended[task] = failed

    @property
    def open(self) -> list[Task]:
        return [task for task in self.begun if task not in self.ended]

    def kinds(self) -> list[str]:
        """Of all tasks in their order; none is still open."""
        assert not self.open
        return [task.kind for task in self.begun]

    def only(self, kind: str) -> Task:
        """The one task of a kind."""
        (task,) = [task for task in self.begun if task.kind == kind]
        return task

    def counts(self, kind: str) -> list[int]:
        """How much was done, each time that the one task of a kind got on."""
        return [done for done, _ in self.reached[self.only(kind)]]

    def facts(self, kind: str, name: str) -> list[Fact]:
        """What was said of it under a name."""
        return [facts[name] for _, facts in self.reached[self.only(kind)]]

    def lines(self) -> list[str]:
        """Of an experiment: the cells and versions that were made, and the analysis."""
        busy = {task.within for task in self.begun if task.kind in {"degrade", "scan"}}
        wanted = [task for task in self.begun if task.kind in {"cell", "analysis"} or task in busy]
        return [title(task) for task in wanted]


class Sentences(Listener):
    """Remembers the notes that it hears, as sentences."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts

    def note(self, note: Note, task: Task | None = None) -> None:
        self.texts.append(str(note))


def heard(version: Version, texts: list[str]) -> Version:
    """A version whose notes go into a list."""
    return replace(version, progress=Sentences(texts))
