"""Messages of a cell while it works: one per line on its standard output, which the experiment reads.

A message is JSON behind a sign that other output does not begin with:

    ["begin", 0, null, "index", "words|lower", 401000000, "bytes"]    task 0, part of none
    ["reach", 0, 12000000, {"documents": 1400}]
    ["end", 0, false]                                                  it did not fail
    ["note", null, ["topic_without_hits", "7", {}]]                    about the cell, not about a task of it

Every other line is what something in the cell has printed, and becomes a note.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from threading import Lock
from typing import Any, TextIO

from ..core.note import Fact, Note
from ..core.progress import Listener, PassingOn, Task

SIGN = "\x1e"
"""Begins a message (as in RFC 7464)."""
EVERY = 0.5
"""Seconds from one message about how far a task is to the next."""


class Messages(Listener):
    """Writes what it hears, how far a task is not more often than every half second."""

    def __init__(self, stream: TextIO) -> None:
        self.stream, self._lock = stream, Lock()
        self._numbers: dict[Task, int] = {}
        self._last: dict[Task, float] = {}
        self._count = 0

    def begin(self, task: Task) -> None:
        with self._lock:
            number = self._numbers[task] = self._count
            self._count += 1
            self._last[task] = time.monotonic()
            within = None if task.within is None else self._numbers.get(task.within)
            self._write("begin", number, within, task.kind, task.subject, task.total, task.unit)

    def reach(self, task: Task, done: int, facts: Mapping[str, Fact]) -> None:
        now = time.monotonic()
        if now - self._last.get(task, now) > EVERY:
            with self._lock:
                self._last[task] = now
                self._write("reach", self._numbers[task], done, dict(facts))

    def note(self, note: Note, task: Task | None = None) -> None:
        with self._lock:
            self._write("note", None if task is None else self._numbers.get(task), note.to_json())

    def end(self, task: Task, *, failed: bool = False) -> None:
        with self._lock:
            self._last.pop(task, None)
            self._write("end", self._numbers.pop(task), failed)

    def _write(self, *message: Any) -> None:
        self.stream.write(f"{SIGN}{json.dumps(message)}\n")
        self.stream.flush()


class Remembering(PassingOn):
    """Passes on what it hears and remembers the notes, which go into the record of the cell."""

    def __init__(self, listener: Listener) -> None:
        super().__init__(listener)
        self.notes: list[Note] = []
        self.stderr = ""

    def note(self, note: Note, task: Task | None = None) -> None:
        if note.kind == "stderr":  # for the record, and for nobody's eyes while things go well
            self.stderr += note["text"]
            return
        self.notes.append(note)
        super().note(note, task)


class Relay:
    """Passes on to a listener what the lines of a cell say."""

    def __init__(self, listener: Listener) -> None:
        self.listener = listener
        self._tasks: dict[int, Task] = {}

    def hear(self, line: str) -> None:
        """One line, of whatever kind."""
        if not line.startswith(SIGN) or not self._pass_on(line):
            self.listener.note(Note.of("printed", text=line.removeprefix(SIGN)))

    def _pass_on(self, line: str) -> bool:
        """Return whether a line was a message of ours."""
        match _parse(line):
            case ["begin", int(number), within, str(kind), str(subject), int(total), str(unit)]:
                parent = self._tasks.get(within, self.listener.within)
                self._tasks[number] = task = Task(kind, subject, total, unit, parent)
                self.listener.begin(task)
            case ["reach", int(number), int(done), dict(facts)] if number in self._tasks:
                self.listener.reach(self._tasks[number], done, facts)
            case ["end", int(number), bool(failed)] if number in self._tasks:
                self.listener.end(self._tasks.pop(number), failed=failed)
            case ["note", number, Note() as note]:
                self.listener.note(note, self._tasks.get(number))
            case _:
                return False
        return True

    def close(self) -> None:
        """End what a cell that died has left open."""
        while self._tasks:
            self.listener.end(self._tasks.popitem()[1], failed=True)


def _parse(line: str) -> Any:
    """The parts of a message, its note read; None if it is none."""
    try:
        message = json.loads(line.removeprefix(SIGN))
        if isinstance(message, list) and len(message) == 3 and message[0] == "note":
            message[2] = Note.from_json(message[2])
    except (ValueError, TypeError, RecursionError):
        return None
    return message
