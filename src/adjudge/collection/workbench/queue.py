"""Which thread is next, how far everybody is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from threading import Lock

from ..qa.threads import Candidate
from .board import DONE, Board
from .events import ADJUDICATOR
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


@dataclass(frozen=True)
class Progress:
    """How far one person is."""

    name: str
    accepted: int
    rejected: int
    begun: int

    @property
    def finished(self) -> int:
        return self.accepted + self.rejected


def row(board: Board, thread: str, who: str, role: str, wanted: int) -> ThreadRow:
    """``wanted`` is how many people are to finish every thread."""
    candidate = board.candidates[thread]
    if board.untouched(thread):
        return ThreadRow(candidate, NEW, 0, OPEN, role != ADJUDICATOR)
    finished = board.finished(thread)
    mine = board.status(thread, role, who)
    since = (board.now() - RELEASED).isoformat()
    others = [
        name
        for name, sheet in board.sheets(thread).items()
        if name != who and (name in finished or sheet.touched_at > since)
    ]
    settled = board.status(thread, ADJUDICATOR, "") in DONE
    differ = len(finished) > 1 and bool(board.disagreements(thread))
    state = SETTLED if settled else DIFFER if differ else AGREED if len(finished) >= wanted else OPEN
    if role == ADJUDICATOR:
        needed = state == DIFFER
    else:
        needed = mine == BEGUN or (mine == NEW and len(others) < wanted and not settled)
    return ThreadRow(candidate, mine, len(finished), state, needed)


class QueueCache:
    """The rows of all threads for everybody who looks, made anew only where something has changed.

    Whom a thread is given to depends on the time, too, since what was left alone is given to others.
    """

    def __init__(self, board: Board, wanted: int) -> None:
        self.board, self.wanted = board, wanted
        self._kept: dict[tuple[str, str], tuple[datetime, int, dict[str, ThreadRow]]] = {}
        self._lock = Lock()

    def rows(self, who: str, role: str) -> dict[str, ThreadRow]:
        """{thread: row} in the order of the file."""
        with self._lock:
            now, length = self.board.now(), len(self.board.changed)
            at, seen, made = self._kept.get((who, role), (now, 0, {}))
            if not made or now - at > FRESH:
                at, threads = now, list(self.board.candidates)
            else:
                threads = list(dict.fromkeys(self.board.changed[seen:length]))
            made |= {thread: row(self.board, thread, who, role, self.wanted) for thread in threads}
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[who, role] = (at, length, made)
            return made

    def next_wanted(self, who: str, role: str, after: str | None = None) -> str | None:
        """The next thread on which this person is needed: from here to the end, then from the beginning."""
        made = self.rows(who, role)
        order = list(made)
        at = order.index(after) + 1 if after is not None and after in made else 0
        return next((t for t in chain(order[at:], order[:at]) if t != after and made[t].wanted), None)


def neighbours(board: Board, thread: str) -> tuple[str | None, str | None]:
    """The threads before and after, in the order of the file."""
    order = list(board.candidates)
    at = order.index(thread)
    return order[at - 1] if at else None, order[at + 1] if at + 1 < len(order) else None


def next_wanted(board: Board, who: str, role: str, wanted: int, after: str | None = None) -> str | None:
    """The next thread on which this person is needed, for who asks once."""
    return QueueCache(board, wanted).next_wanted(who, role, after)


def progress(board: Board) -> list[Progress]:
    """Everybody who has begun, in order of name."""
    people = []
    for name in board.assessors:
        counts = board.tally(name)
        people.append(Progress(name, counts[ACCEPTED], counts[REJECTED], counts[BEGUN]))
    return people
