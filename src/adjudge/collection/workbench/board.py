"""All sheets of a project, kept up to date by reading only the events that are new."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property

from ..qa.threads import Candidate
from .assessor_matching import Disagreement, compare_sheets, differing
from .events import ADJUDICATOR, ASSESSOR, Event, Item, fingerprint
from .sheet import ACCEPTED, NEW, REJECTED, Sheet, fold
from .store.store import BadEvent, Store

NOTHING = Sheet()
DONE = frozenset({ACCEPTED, REJECTED})


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
        self._finished: dict[str, dict[str, Sheet]] = {}
        self._compared: dict[str, list[tuple[Item, dict[str, str]]]] = {}
        self._disagreements: dict[str, tuple[Disagreement, ...]] = {}
        self._statuses: dict[str, dict[tuple[str, str], str]] = {}
        self._tally: dict[str, Counter[str]] = {}
        self.changed: list[str] = []
        """Threads in the order in which they changed; who remembers how long it was knows what is new."""

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
                self._count(thread, folded)
                self._finished.pop(thread, None)
                self._compared.pop(thread, None)
                self._disagreements.pop(thread, None)
                self.changed.append(thread)

    def _count(self, thread: str, sheets: Mapping[tuple[str, str], Sheet]) -> None:
        """How far everybody is on a thread, and what that changes in the sums."""
        candidate = self.candidates[thread]
        for (role, who), status in self._statuses.get(thread, {}).items():
            if role == ASSESSOR:
                self._tally[who][status] -= 1
        self._statuses[thread] = {owner: sheet.status(candidate) for owner, sheet in sheets.items()}
        for (role, who), status in self._statuses[thread].items():
            if role == ASSESSOR:
                self._tally.setdefault(who, Counter())[status] += 1

    def status(self, thread: str, role: str, who: str) -> str:
        """How far somebody is on a thread: new, begun, accepted or rejected."""
        return self._statuses.get(thread, {}).get((role, who if role == ASSESSOR else ""), NEW)

    def tally(self, who: str) -> Counter[str]:
        """How many threads an assessor has begun, accepted and rejected."""
        return self._tally.get(who, Counter())

    def untouched(self, thread: str) -> bool:
        """Whether nobody has decided anything about a thread."""
        return thread not in self._sheets

    def disagreements(self, thread: str) -> tuple[Disagreement, ...]:
        """What those who have finished a thread differ on."""
        known = self._disagreements.get(thread)
        if known is None:
            known = self._disagreements[thread] = differing(thread, self.compared(thread))
        return known

    def compared(self, thread: str) -> list[tuple[Item, dict[str, str]]]:
        """Every item that two or more who have finished a thread speak of, with what each says."""
        known = self._compared.get(thread)
        if known is None:
            finished = self.finished(thread)
            known = list(compare_sheets(self.candidates[thread], finished)) if len(finished) > 1 else []
            self._compared[thread] = known
        return known

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
        known = self._finished.get(thread)
        if known is None:
            sheets, of = self.sheets(thread), self._statuses.get(thread, {})
            done = [(sheet.finished_at, who) for who, sheet in sheets.items() if of.get((ASSESSOR, who)) in DONE]
            known = self._finished[thread] = {who: sheets[who] for _, who in sorted(done)}
        return known

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
