"""All sheets of a project, kept up to date by reading only the events that are new."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property

from ..qa.threads import Candidate
from .events import ADJUDICATOR, ASSESSOR, Event, fingerprint
from .sheet import Sheet, fold
from .store.store import BadEvent, Store

NOTHING = Sheet()


class Board:
    """What everybody has decided. Threads may share it: ``refresh`` is the only thing that changes it."""

    def __init__(self, store: Store, candidates: Mapping[str, Candidate]) -> None:
        self.store = store
        self.candidates = candidates
        self._read = 0
        self.bad: list[BadEvent] = []
        """Events that cannot be read; they are set aside."""
        self._events: dict[str, dict[tuple[str, str], list[Event]]] = {}
        self._sheets: dict[str, dict[tuple[str, str], Sheet]] = {}
        self._lock = threading.Lock()

    @cached_property
    def texts(self) -> dict[str, str]:
        """{thread: fingerprint}."""
        return {thread: fingerprint(candidate) for thread, candidate in self.candidates.items()}

    def refresh(self) -> None:
        """Take in what was committed since; other processes may have written it."""
        with self._lock:
            touched: set[str] = set()
            events, bad = self.store.read(after=self._read)
            self.bad += bad
            self._read = max((self._read, *(event.id for event in bad)))
            for event in events:
                act = event.act
                owner = (act.role, act.who if act.role == ASSESSOR else "")
                self._events.setdefault(act.thread, {}).setdefault(owner, []).append(event)
                self._read = max(self._read, event.id)
                touched.add(act.thread)
            for thread in touched & self.candidates.keys():
                folded = {owner: fold(events, self.texts[thread]) for owner, events in self._events[thread].items()}
                self._sheets[thread] = folded

    def now(self) -> datetime:
        """The time by the clock of the store."""
        return datetime.fromisoformat(self.store.time())

    def sheet(self, thread: str, role: str, who: str) -> Sheet:
        return self._sheets.get(thread, {}).get((role, who if role == ASSESSOR else ""), NOTHING)

    def adjudication(self, thread: str) -> Sheet:
        return self.sheet(thread, ADJUDICATOR, "")

    def sheets(self, thread: str) -> dict[str, Sheet]:
        """{assessor: sheet} of those who have decided anything."""
        mine = self._sheets.get(thread, {})
        return {who: sheet for (role, who), sheet in mine.items() if role == ASSESSOR and sheet.values}

    def finished(self, thread: str) -> dict[str, Sheet]:
        """{assessor: sheet} of those who are done, who was first first."""
        candidate = self.candidates[thread]
        done = [(sheet.finished_at, who, sheet) for who, sheet in self.sheets(thread).items() if sheet.done(candidate)]
        return {who: sheet for _, who, sheet in sorted(done, key=lambda row: row[:2])}

    def history(self, thread: str) -> list[Event]:
        """All events on a thread, the oldest first."""
        events = [event for some in list(self._events.get(thread, {}).values()) for event in list(some)]
        return sorted(events, key=lambda event: event.id)

    @property
    def assessors(self) -> tuple[str, ...]:
        """Everybody who has decided anything."""
        owners = {owner for sheets in list(self._sheets.values()) for owner in sheets}
        return tuple(sorted(who for role, who in owners if role == ASSESSOR))

    @property
    def unknown(self) -> tuple[str, ...]:
        """Threads with events that are not among the candidates."""
        return tuple(sorted(self._events.keys() - self.candidates.keys()))
