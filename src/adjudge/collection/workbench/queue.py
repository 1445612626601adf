"""Which thread is next, how far everybody is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from itertools import chain
from threading import Lock

from ..qa.threads import Candidate
from .board import DONE, Board
from .events import ADJUDICATOR, ASSESSOR, ROLES, SKIPPED, UNSURE
from .sheet import ACCEPTED, BEGUN, NEW, REJECTED

RELEASED = timedelta(days=7)
"""Who has begun a thread and left it for so long is waited for no more: others get it."""
FRESH = timedelta(hours=1)
"""So long rows are kept where nothing has changed."""
MOST_KEPT = 50
"""Rows are kept for so many people."""
OPEN, AGREED, DIFFER, SETTLED = "open", "agreed", "differ", "settled"


@dataclass(frozen=True)
class ThreadRow:
    """A thread as the overview shows it to one person."""

    candidate: Candidate
    mine: str
    """new, begun, accepted or rejected."""
    finished: int
    """By how many people, whoever they are."""
    state: str
    """open: too few have finished; agreed; differ; settled by adjudication."""
    wanted: bool
    """Whether this person is still needed here."""
    skipped: bool = False
    """Whether this person has left it for later."""
    busy: bool = False
    """Whether somebody is at it: later the thread may be given to another."""
    unsure: bool = False
    """Whether this person wants somebody else to look at it."""

    @cached_property
    def kind(self) -> tuple[bool, str, str, bool, bool]:
        """What decides on which lists it stands."""
        return self.wanted, self.mine, self.state, self.skipped, self.unsure


@dataclass(frozen=True)
class Progress:
    """How far one person is."""

    name: str
    accepted: int
    rejected: int
    begun: int
    minutes: float = 0.0
    """For a thread that was finished, the median."""

    @property
    def finished(self) -> int:
        return self.accepted + self.rejected


def row(board: Board, thread: str, who: str, role: str, wanted: int, since: str = "") -> ThreadRow:
    """``wanted`` is how many people are to finish every thread; who was there last before ``since`` has left it."""
    candidate = board.candidates[thread]
    if board.untouched(thread):
        return ThreadRow(candidate, NEW, 0, OPEN, role != ADJUDICATOR)
    finished = board.finished(thread)
    mine = board.status(thread, role, who)
    since = since or left_before(board.now())
    others = [
        name
        for name, sheet in board.sheets(thread).items()
        if name != who and (name in finished or (sheet.touched_at > since and not sheet.untouched))
    ]
    settled = board.status(thread, ADJUDICATOR, "") in DONE
    differ = len(finished) > 1 and bool(board.disagreements(thread))
    state = SETTLED if settled else DIFFER if differ else AGREED if len(finished) >= wanted else OPEN
    if role == ADJUDICATOR:
        needed = state == DIFFER
    else:
        needed = mine == BEGUN or (mine == NEW and len(others) < wanted and not settled)
    own = board.sheet(thread, role, who)
    skipped, unsure = bool(own.value(SKIPPED)), bool(own.value(UNSURE))
    return ThreadRow(candidate, mine, len(finished), state, needed, skipped, len(others) > len(finished), unsure)


def left_before(now: datetime) -> str:
    """Since when nobody must have been at a thread for it to be given to others."""
    return (now - RELEASED).isoformat()


@dataclass
class _KeptRows:
    """Rows, when they were made, and how many changes they know."""

    rows: dict[str, ThreadRow] = field(default_factory=dict)
    at: datetime | None = None
    seen: int = 0


class QueueCache:
    """The rows of all threads for everybody who looks, made anew only where something has changed.

    What somebody sees of a thread that only others have touched is what anybody sees who has not been there. Whom a
    thread is given to depends on the time, too, since what was left alone is given to others.
    """

    def __init__(self, board: Board, wanted: int) -> None:
        self.board, self.wanted = board, wanted
        self._strangers = {role: _KeptRows() for role in ROLES}
        self._kept: dict[tuple[str, str], _KeptRows] = {}
        self._order = list(board.candidates)
        self._places = {thread: place for place, thread in enumerate(self._order)}
        self._lock = Lock()

    def prepare(self) -> None:
        """Make the rows of everybody who has not been here."""
        for role in ROLES:
            self.rows("", role)

    def gather(self) -> None:
        """Make the rows of those who have."""
        for who in self.board.assessors[:MOST_KEPT]:
            self.rows(who, ASSESSOR)

    def rows(self, who: str, role: str) -> dict[str, ThreadRow]:
        """{thread: row} in the order of the file."""
        with self._lock:
            own = who if role == ASSESSOR else ""
            strangers = self._strangers[role]
            self._update(strangers, "", role, self._order)
            if not own:
                return strangers.rows
            kept = self._kept.get((own, role))
            if kept is None:
                if len(self._kept) >= MOST_KEPT:
                    self._kept.clear()
                kept = self._kept[own, role] = _KeptRows(dict(strangers.rows), strangers.at, strangers.seen)
                since = left_before(self.board.now())
                for thread in self.board.touched_by(role, own):
                    kept.rows[thread] = row(self.board, thread, own, role, self.wanted, since)
            self._update(kept, own, role, ())
            return kept.rows

    def _update(self, kept: _KeptRows, who: str, role: str, all_threads: Sequence[str]) -> None:
        now, length = self.board.now(), len(self.board.changed)
        threads = list(dict.fromkeys(self.board.changed[kept.seen : length])) if kept.rows else list(all_threads)
        if kept.rows and kept.at is not None and now - kept.at > FRESH:
            threads += [thread for thread, each in kept.rows.items() if each.busy]
        elif kept.rows:
            now = kept.at or now
        since = left_before(self.board.now())
        for thread in threads:
            kept.rows[thread] = row(self.board, thread, who, role, self.wanted, since)
        kept.at, kept.seen = now, length

    def place(self, thread: str) -> int:
        """Where a thread stands in the file, from 0."""
        return self._places[thread]

    def neighbours(self, thread: str) -> tuple[str | None, str | None]:
        """The threads before and after, in the order of the file."""
        order, at = self._order, self._places[thread]
        return order[at - 1] if at else None, order[at + 1] if at + 1 < len(order) else None

    def next_wanted(self, who: str, role: str, after: str | None = None) -> str | None:
        """The next thread on which this person is needed: from here to the end, then from the beginning.

        What the person has left for later comes when there is nothing else.
        """
        made = self.rows(who, role)
        at = self._places.get(after, -1) + 1 if after is not None else 0
        wanted = (t for t in chain(self._order[at:], self._order[:at]) if t != after and made[t].wanted)
        later: str | None = None
        for thread in wanted:
            if not made[thread].skipped:
                return thread
            later = later or thread
        return later


def next_wanted(board: Board, who: str, role: str, wanted: int, after: str | None = None) -> str | None:
    """The next thread on which this person is needed, for who asks once."""
    return QueueCache(board, wanted).next_wanted(who, role, after)


def progress(board: Board) -> list[Progress]:
    """Everybody who has begun, in order of name."""
    people = []
    for name in board.assessors:
        counts = board.tally(name)
        people.append(Progress(name, counts[ACCEPTED], counts[REJECTED], counts[BEGUN], board.minutes(name)))
    return people
