"""Which thread is next, how far everybody is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from ..qa.threads import Candidate
from .assessor_matching import disagreements
from .board import Board
from .events import ADJUDICATOR, ASSESSOR
from .sheet import ACCEPTED, BEGUN, NEW, REJECTED

RELEASED = timedelta(days=7)
"""Who has begun a thread and left it for so long is waited for no more: others get it."""
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
    finished = board.finished(thread)
    mine = board.sheet(thread, role, who).status(candidate)
    since = (board.now() - RELEASED).isoformat()
    others = [
        name
        for name, sheet in board.sheets(thread).items()
        if name != who and (name in finished or sheet.touched_at > since)
    ]
    settled = board.adjudication(thread).done(candidate)
    differ = len(finished) > 1 and bool(disagreements(candidate, finished))
    state = SETTLED if settled else DIFFER if differ else AGREED if len(finished) >= wanted else OPEN
    if role == ADJUDICATOR:
        needed = state == DIFFER
    else:
        needed = mine == BEGUN or (mine == NEW and len(others) < wanted and not settled)
    return ThreadRow(candidate, mine, len(finished), state, needed)


def rows(board: Board, who: str, role: str, wanted: int) -> Iterator[ThreadRow]:
    return (row(board, thread, who, role, wanted) for thread in board.candidates)


def neighbours(board: Board, thread: str) -> tuple[str | None, str | None]:
    """The threads before and after, in the order of the file."""
    order = list(board.candidates)
    at = order.index(thread)
    return order[at - 1] if at else None, order[at + 1] if at + 1 < len(order) else None


def next_wanted(board: Board, who: str, role: str, wanted: int, after: str | None = None) -> str | None:
    """The next thread on which this person is needed: from here to the end, then from the beginning."""
    order = list(board.candidates)
    at = order.index(after) + 1 if after in board.candidates and after is not None else 0
    return next((t for t in order[at:] + order[:at] if t != after and row(board, t, who, role, wanted).wanted), None)


def progress(board: Board) -> list[Progress]:
    """Everybody who has begun, in order of name."""
    people = []
    for name in board.assessors:
        counts = dict.fromkeys((NEW, BEGUN, ACCEPTED, REJECTED), 0)
        for thread, candidate in board.candidates.items():
            counts[board.sheet(thread, ASSESSOR, name).status(candidate)] += 1
        people.append(Progress(name, counts[ACCEPTED], counts[REJECTED], counts[BEGUN]))
    return people
