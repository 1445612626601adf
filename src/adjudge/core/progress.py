"""Progress of long work: one protocol between those who work and those who watch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

from .note import Fact, Note


@dataclass(frozen=True, eq=False)
class Task:
    """A piece of long work: what is done, to what, and how much of it there is. Two that look alike are still two."""

    kind: str
    """A name in small letters: ``index``, ``judge``, ``cell``, ``version``; ``words`` has a title for each."""
    subject: str = ""
    """What is worked on: a run, a system on a version, a file."""
    total: int = 0
    """How much there is to do; 0 if nobody knows."""
    unit: str = ""
    """What is counted, in the plural: documents, runs, bytes, tasks."""
    within: Task | None = None
    """The task of which this one is a part."""

    @property
    def path(self) -> tuple[Task, ...]:
        """The tasks of which this one is a part, the outermost first, and the task itself."""
        return (self,) if self.within is None else (*self.within.path, self)


class Listener:
    """Hears how far long work is. This one does nothing; a terminal, a cell of a plan and a Spark driver do more.

    Work that can take long has a parameter ``progress``, by default :data:`SILENT`, and says what it does:

        with progress.work("index", total=documents.size, unit="bytes") as step:
            for batch in batches:
                ...
                step.reach(documents.read, documents=len(ids))

    What is done for the sake of a task gets ``step.inside`` as its listener. Workers say as much as they know, as often
    as they know it: a listener that writes does so now and then. Calls may come from several threads; a listener that
    minds takes a lock.
    """

    within: Task | None = None
    """The task of which those that begin here are parts."""

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
        task = Task(kind, subject, total, unit, self.within)
        self.begin(task)
        failed = True
        try:
            yield Step(self, task)
            failed = False
        finally:
            self.end(task, failed=failed)


class PassingOn(Listener):
    """Passes on all that it hears."""

    def __init__(self, listener: Listener) -> None:
        self.listener, self.within = listener, listener.within

    def begin(self, task: Task) -> None:
        self.listener.begin(task)

    def reach(self, task: Task, done: int, facts: Mapping[str, Fact]) -> None:
        self.listener.reach(task, done, facts)

    def note(self, note: Note, task: Task | None = None) -> None:
        self.listener.note(note, task)

    def end(self, task: Task, *, failed: bool = False) -> None:
        self.listener.end(task, failed=failed)


class Inside(PassingOn):
    """Passes on what it hears of the parts of a task."""

    def __init__(self, listener: Listener, task: Task) -> None:
        super().__init__(listener)
        self.within = task

    def note(self, note: Note, task: Task | None = None) -> None:
        self.listener.note(note, task or self.within)


class InTheNameOf(PassingOn):
    """Passes on what it hears, notes as those of ``name``: a member of a fusion, for example."""

    def __init__(self, listener: Listener, name: str) -> None:
        super().__init__(listener)
        self.name = name

    def note(self, note: Note, task: Task | None = None) -> None:
        self.listener.note(note.pass_on(self.name), task)


class Step:
    """How far one task is; what the work holds on to."""

    def __init__(self, listener: Listener, task: Task) -> None:
        self.listener, self.task, self.done = listener, task, 0
        self._lock = Lock()

    @property
    def inside(self) -> Listener:
        """The listener for work that is a part of this task."""
        return Inside(self.listener, self.task)

    def advance(self, count: int = 1, **facts: Fact) -> None:
        """So much more is done; threads that share a task may call it."""
        with self._lock:  # until the listener has heard it, so that it never hears less than before
            self.done = done = self.done + count
            self.listener.reach(self.task, done, facts)

    def reach(self, done: int, **facts: Fact) -> None:
        """So much is done in all."""
        self.done = done
        self.listener.reach(self.task, done, facts)

    def note(self, note: Note) -> None:
        """Something that the user should know about this task."""
        self.listener.note(note, self.task)


SILENT = Listener()
"""The listener of work that nobody watches."""
