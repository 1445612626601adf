"""All sheets of a project, kept up to date by reading only the events that are new."""

from __future__ import annotations

import secrets
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from operator import itemgetter

from ...core.errors import DataError
from ...core.machine import uncollected
from ..qa.threads import Candidate
from .assessor_matching import Disagreement, agree, compare_sheets, differing
from .events import ADJUDICATOR, ASSESSOR, PERSON, Act, Event, Item, ItemChange, check_name, fingerprint
from .sheet import ACCEPTED, NEW, REJECTED, Sheet, fold
from .store.store import BadEvent, Store

OwnedSheets = dict[tuple[str, str], Sheet]
"""{(role, who): sheet}, that of adjudication under no name."""
NOTHING, NOBODY = Sheet(), OwnedSheets()
DONE = frozenset({ACCEPTED, REJECTED})
PENDING, DIFFERING = "pending", "differing"
"""Nobody has finished it; those who have differ, and one of them would accept it."""


class Board:
    """What everybody has decided. Threads may share it: ``refresh`` is the only thing that changes it."""

    def __init__(self, store: Store, candidates: Mapping[str, Candidate]) -> None:
        self.store = store
        self.candidates = candidates
        self._read = 0
        self.bad: list[BadEvent] = []
        """Events that cannot be read; they are set aside."""
        self._events: dict[str, dict[tuple[str, str], list[Event]]] = {}
        self._sheets: dict[str, OwnedSheets] = {}
        self._names: dict[str, str] = {}
        self._lock = threading.Lock()
        # What was made of the sheets of a thread stands beside them: if they are not those of today, it is void.
        self._finished: dict[str, tuple[OwnedSheets, dict[str, Sheet]]] = {}
        self._compared: dict[str, tuple[OwnedSheets, list[tuple[Item, dict[str, str]]]]] = {}
        self._disagreements: dict[str, tuple[OwnedSheets, tuple[Disagreement, ...]]] = {}
        self._statuses: dict[str, dict[tuple[str, str], str]] = {}
        self._tally: dict[str, Counter[str]] = {}
        self._done: dict[str, dict[str, Sheet]] = {}
        self._minutes: dict[str, tuple[int, float]] = {}
        self.settled: Counter[str] = Counter()
        """How many threads adjudication has begun, accepted and rejected."""
        self._by_owner: dict[tuple[str, str], set[str]] = {}
        self._outcome: dict[str, str] = {}
        self.outcomes: Counter[str] = Counter({PENDING: len(candidates)})
        """How many threads are accepted, rejected, differing and pending."""
        self.differ: set[str] = set()
        """Threads on which those who have finished differ, and that nobody has settled."""
        self.changed: list[str] = []
        """Threads in the order in which they changed; who remembers how long it was knows what is new."""

    @cached_property
    def texts(self) -> dict[str, str]:
        """{thread: fingerprint}."""
        return {thread: fingerprint(candidate) for thread, candidate in self.candidates.items()}

    def refresh(self) -> None:
        """Take in what was committed since; other processes may have written it."""
        with self._lock, uncollected():
            events, bad = self.store.read(after=self._read)
            if not events and not bad:
                return
            self.bad += bad
            self._read = max((self._read, *(event.id for event in bad), *(event.id for event in events)))
            touched = self._take_in(events)
            for thread in touched:
                self._fold(thread)

    def _take_in(self, events: Sequence[Event]) -> set[str]:
        """File events under whose they are; the threads among the candidates whose sheets change by them."""
        renamed = [change for event in events if not event.act.thread for change in event.act.changes]
        for change in renamed:
            if change.item.kind == PERSON and change.value is not None:
                self._names.pop(change.value, None)
                self._names[change.item.document] = change.value
        if renamed and self._events:  # who is who has changed, looking back as well
            filed = [event for owners in self._events.values() for some in owners.values() for event in some]
            events, self._events = sorted([*filed, *events], key=lambda event: event.id), {}
        for event in events:
            act = event.act
            if act.thread:
                owner = (act.role, self.person(act.who) if act.role == ASSESSOR else "")
                self._events.setdefault(act.thread, {}).setdefault(owner, []).append(event)
        return {event.act.thread for event in events} & self.candidates.keys()

    def person(self, name: str) -> str:
        """The name under which somebody's decisions are kept: another one, if somebody was renamed."""
        for _ in range(len(self._names)):
            name = self._names.get(name, name)
        return name

    def _fold(self, thread: str) -> None:
        text = self.texts[thread]
        self._count(thread, {owner: fold(events, text) for owner, events in self._events[thread].items()})
        self.changed.append(thread)

    def _count(self, thread: str, sheets: OwnedSheets) -> None:
        """Take over the sheets of a thread: how far everybody is on it, and what that changes in the sums."""
        candidate = self.candidates[thread]
        for (role, who), status in self._statuses.get(thread, {}).items():
            (self._tally[who] if role == ASSESSOR else self.settled)[status] -= 1
        self._statuses[thread] = {owner: sheet.status(candidate) for owner, sheet in sheets.items()}
        self._sheets[thread] = sheets
        for (role, who), status in self._statuses[thread].items():
            (self._tally.setdefault(who, Counter()) if role == ASSESSOR else self.settled)[status] += 1
            if role == ASSESSOR and status in DONE:
                self._done.setdefault(who, {})[thread] = sheets[role, who]
            else:
                self._done.get(who, {}).pop(thread, None)
            self._by_owner.setdefault((role, who), set()).add(thread)
        self.outcomes[self._outcome.get(thread, PENDING)] -= 1
        self._outcome[thread] = self._come_to(thread)
        self.outcomes[self._outcome[thread]] += 1

    def _come_to(self, thread: str) -> str:
        """What can be exported of a thread: accepted, rejected, people differ, or nothing yet."""
        settled = self._statuses[thread].get((ADJUDICATOR, ""))
        self.differ.discard(thread)
        if settled in DONE:
            return str(settled)
        finished = self.finished(thread)
        if not finished:
            return PENDING
        accepting = [name for name, sheet in finished.items() if not sheet.rejected]
        if self.disagreements(thread):
            self.differ.add(thread)
            if accepting:
                return DIFFERING
        return ACCEPTED if accepting else REJECTED

    def outcome(self, thread: str) -> str:
        """Accepted, rejected, differing or pending."""
        return self._outcome.get(thread, PENDING)

    def touched_by(self, role: str, who: str) -> set[str]:
        """The threads on which somebody has decided anything, or had."""
        return self._by_owner.get((role, who if role == ASSESSOR else ""), set())

    def status(self, thread: str, role: str, who: str) -> str:
        """How far somebody is on a thread: new, begun, accepted or rejected."""
        return self._statuses.get(thread, {}).get((role, who if role == ASSESSOR else ""), NEW)

    def tally(self, who: str) -> Counter[str]:
        """How many threads an assessor has begun, accepted and rejected."""
        return self._tally.get(who, Counter())

    def minutes(self, who: str) -> float:
        """How long a person takes for a thread, the median of the last hundred that were finished."""
        done = self._done.get(who, {})
        known = self._minutes.get(who, (-1, 0.0))
        if known[0] != len(done):  # of thousands the last hundred say enough
            times = sorted(sheet.seconds for sheet in list(done.values())[-100:])
            middle = len(times) // 2
            known = self._minutes[who] = (len(done), (times[middle] + times[~middle]) / 120 if times else 0.0)
        return known[1]

    def untouched(self, thread: str) -> bool:
        """Whether nobody has decided anything about a thread."""
        return thread not in self._sheets

    def disagreements(self, thread: str) -> tuple[Disagreement, ...]:
        """What those who have finished a thread differ on."""
        sheets = self._sheets.get(thread, NOBODY)
        known = self._disagreements.get(thread)
        if known is None or known[0] is not sheets:
            finished = self.finished(thread)
            alike = not finished or agree(finished.values())
            known = self._disagreements[thread] = sheets, () if alike else differing(thread, self.compared(thread))
        return known[1]

    def compared(self, thread: str) -> list[tuple[Item, dict[str, str]]]:
        """Every item that two or more who have finished a thread speak of, with what each says."""
        sheets = self._sheets.get(thread, NOBODY)
        known = self._compared.get(thread)
        if known is None or known[0] is not sheets:
            finished = self.finished(thread)
            compared = list(compare_sheets(self.candidates[thread], finished)) if len(finished) > 1 else []
            known = self._compared[thread] = sheets, compared
        return known[1]

    def now(self) -> datetime:
        """The time by the clock of the store."""
        return datetime.fromisoformat(self.store.time())

    def rename(self, old: str, new: str, by: str = "") -> Event:
        """Keep the decisions of one name under another from now on: two spellings of a name become one person."""
        self.refresh()
        old, new = check_name(old), check_name(new)
        if old not in self.assessors:
            raise DataError(f"nobody called {old!r} has decided anything")
        if old == new:
            raise DataError(f"{old!r} is called so already")
        change = ItemChange(Item(PERSON, document=old), new)
        event = self.store.append(Act(secrets.token_hex(16), by or new, ADJUDICATOR, "", "", (change,)))
        self.refresh()
        return event

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
        sheets = self._sheets.get(thread, NOBODY)
        known = self._finished.get(thread)
        if known is None or known[0] is not sheets:
            of = self._statuses.get(thread, {})
            done = [
                (sheet.finished_at, who, sheet)
                for (role, who), sheet in sheets.items()
                if role == ASSESSOR and of.get((ASSESSOR, who)) in DONE
            ]
            done.sort(key=itemgetter(0, 1))
            known = self._finished[thread] = sheets, {who: sheet for _, who, sheet in done}
        return known[1]

    def history(self, thread: str) -> list[Event]:
        """All events on a thread, the oldest first."""
        events = [event for some in list(self._events.get(thread, {}).values()) for event in list(some)]
        return sorted(events, key=lambda event: event.id)

    def everything(self) -> list[Event]:
        """All events that can be read, the oldest first."""
        return self.store.events()

    @property
    def assessors(self) -> tuple[str, ...]:
        """Everybody who has decided anything."""
        return tuple(sorted(who for who, counts in list(self._tally.items()) if any(counts.values())))

    @property
    def unknown(self) -> tuple[str, ...]:
        """Threads with events that are not among the candidates."""
        return tuple(sorted(self._events.keys() - self.candidates.keys()))
