"""Acting: a person at a thread decides, accepts proposals, undoes, does again, finishes."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ...core.english import listing
from ...core.errors import ConflictError, DataError
from ..qa.threads import Candidate
from .assessor_matching import align
from .board import Board
from .events import (
    ADJUDICATOR,
    ANSWERED,
    CLEAR,
    DIRECTNESS_OF,
    FINISHED,
    LABEL,
    TOTALITY_OF,
    YES,
    Act,
    Event,
    Item,
    ItemChange,
    check_change,
)
from .sheet import Sheet, missing, proposals

TRIES = 5


@dataclass(frozen=True)
class Desk:
    """One person in one role. Keys are made by who calls, or at random: the same key is the same act."""

    board: Board
    who: str
    role: str

    def sheet(self, thread: str) -> Sheet:
        return self.board.sheet(thread, self.role, self.who)

    def candidate(self, thread: str) -> Candidate:
        try:
            return self.board.candidates[thread]
        except KeyError:
            raise DataError(f"no thread {thread!r} in this project") from None

    def decide(
        self, thread: str, changes: Iterable[ItemChange], key: str | None = None, newest: int | None = None
    ) -> Event | None:
        """Keep decisions; None if they say what the sheet says already."""
        candidate = self.candidate(thread)
        wanted = tuple(check_change(change, candidate) for change in changes)
        if any(change.item.kind == FINISHED for change in wanted):
            raise DataError("a thread is finished on its own, when all is decided")
        self.board.refresh()
        values = self.sheet(thread).values
        fresh = tuple(change for change in wanted if values.get(change.item) != change.value)
        return self._append(thread, fresh, None, key, newest) if fresh else None

    def accept(self, thread: str, key: str | None = None) -> Event | None:
        """Decide as proposed what is undecided: by rules for an assessor, as all agree for the adjudicator."""
        self.board.refresh()
        candidate = self.candidate(thread)
        changes = tuple(check_change(change, candidate) for change in self.proposals(thread))
        return self._append(thread, changes, None, key, None) if changes else None

    def proposals(self, thread: str) -> tuple[ItemChange, ...]:
        candidate, sheet = self.candidate(thread), self.sheet(thread)
        if self.role != ADJUDICATOR:
            return proposals(sheet, candidate)
        return tuple(
            ItemChange(item, value) for item, value in unanimous(self.board, thread).items() if item not in sheet.values
        )

    def finish(self, thread: str, key: str | None = None) -> Event | None:
        """Say that the thread is done; refused while something is undecided."""
        candidate = self.candidate(thread)

        def act(sheet: Sheet) -> Event | None:
            if lacking := missing(sheet, candidate):
                raise DataError(f"still to be decided: {listing([what for _, what in lacking], 1)}")
            if sheet.value(FINISHED) == YES:
                return None
            return self._append(thread, (ItemChange(Item(FINISHED), YES),), None, key, sheet.newest)

        return self._steadily(thread, act)

    def undo(self, thread: str, key: str | None = None, seen: int | None = None) -> Event:
        """Undo the last act on this thread that stands; a ConflictError if there are newer ones than was ``seen``."""
        return self._reverse(thread, key, seen, lambda sheet: sheet.undo, "nothing to undo")

    def redo(self, thread: str, key: str | None = None, seen: int | None = None) -> Event:
        """Do again what was undone last."""
        return self._reverse(thread, key, seen, lambda sheet: sheet.redo, "nothing to do again")

    def _reverse(
        self, thread: str, key: str | None, seen: int | None, target: Callable[[Sheet], int | None], nothing: str
    ) -> Event:
        self.candidate(thread)

        def act(sheet: Sheet) -> Event:
            if (same := self._earlier_event(thread, key)) is not None:
                return same  # sent again because the first answer was lost
            if seen is not None and sheet.newest > seen:
                raise ConflictError(f"thread {thread} was changed meanwhile (event {sheet.newest})")
            number = target(sheet)
            if number is None:
                raise DataError(nothing)
            return self._append(thread, (), number, key, sheet.newest)

        event = self._steadily(thread, act)
        if event is None:
            raise DataError(nothing)
        return event

    def _earlier_event(self, thread: str, key: str | None) -> Event | None:
        if key is None:
            return None
        mine = (event for event in self.board.history(thread) if event.act.who == self.who)
        return next((event for event in mine if event.act.key == key), None)

    def _steadily(self, thread: str, act: Callable[[Sheet], Event | None]) -> Event | None:
        """Act on the newest sheet; if somebody was faster, look again."""
        for left in reversed(range(TRIES)):
            self.board.refresh()
            try:
                return act(self.sheet(thread))
            except ConflictError:
                if not left:
                    raise
        return None

    def _append(
        self, thread: str, changes: tuple[ItemChange, ...], undoes: int | None, key: str | None, newest: int | None
    ) -> Event:
        name = key or secrets.token_hex(16)
        act = Act(name, self.who, self.role, thread, self.board.texts[thread], changes, undoes)
        event = self.board.store.append(act, newest)
        self.board.refresh()
        return event


def unanimous(board: Board, thread: str) -> dict[Item, str]:
    """What all who have finished say, micro-topics matched: the adjudicator begins with it."""
    sheets = board.finished(thread)
    decided = [dict(board.sheets(thread)[name].values) for name in sheets if sheets[name].rejected]
    decided += align({name: sheet for name, sheet in sheets.items() if not sheet.rejected}).values()
    if not decided:
        return {}
    kinds = (CLEAR, ANSWERED, LABEL, TOTALITY_OF, DIRECTNESS_OF)
    return {
        item: value
        for item, value in decided[0].items()
        if item.kind in kinds and all(values.get(item) == value for values in decided)
    }
