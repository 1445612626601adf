"""Acting: a person at a thread decides, accepts proposals, undoes, does again, finishes."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...core.english import listing
from ...core.errors import ConflictError, DataError
from ..qa.threads import Candidate
from .assessor_matching import align, labels_by_piece
from .board import Board
from .events import (
    ADDED,
    ADJUDICATOR,
    ANSWERED,
    BEGINS,
    CLEAR,
    CONFIRMED,
    DIRECTNESS_OF,
    FINISHED,
    NO,
    NOTE,
    SKIPPED,
    TOTALITY_OF,
    UNSURE,
    YES,
    Act,
    Event,
    Item,
    ItemChange,
    check_change,
)
from .sheet import Sheet, label_item, missing, proposals

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
        asked = tuple(map(_plainly, changes))
        if any(change.item.kind == FINISHED for change in asked):
            raise DataError("a thread is finished on its own, when all is decided")
        self.board.refresh()
        sheet = self.sheet(thread)
        wanted = _check(asked, sheet, candidate)
        fresh = tuple(change for change in wanted if sheet.values.get(change.item) != change.value)
        if sheet.value(SKIPPED) and any(change.item.kind not in ASIDE for change in fresh):
            fresh += (ItemChange(Item(SKIPPED), None),)
        return self._append(thread, fresh, None, key, newest) if fresh else None

    def accept(self, thread: str, key: str | None = None, seen: int | None = None) -> Event | None:
        """Decide as proposed what is undecided: by rules for an assessor, as all agree for the adjudicator."""
        self.board.refresh()
        changes = _check(self.proposals(thread), self.sheet(thread), self.candidate(thread))
        return self._append(thread, changes, None, key, seen) if changes else None

    def proposals(self, thread: str) -> tuple[ItemChange, ...]:
        candidate, sheet = self.candidate(thread), self.sheet(thread)
        if self.role != ADJUDICATOR:
            return proposals(sheet, candidate)
        agreed = unanimous(self.board, thread, sheet)
        return tuple(ItemChange(item, value) for item, value in agreed.items() if item not in sheet.values)

    def finish(self, thread: str, key: str | None = None, seen: int | None = None) -> Event | None:
        """Say that the thread is done; refused while something is undecided, or if there is newer than was ``seen``."""
        candidate = self.candidate(thread)

        def act(sheet: Sheet) -> Event | None:
            if (same := self._earlier_event(thread, key)) is not None:
                return same  # sent again because the first answer was lost
            if seen is not None and sheet.newest > seen:
                raise ConflictError(f"thread {thread} was changed meanwhile (event {sheet.newest})")
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


ASIDE = frozenset({NOTE, SKIPPED, UNSURE})
"""What may be said of a thread without deciding anything."""


def _plainly(change: ItemChange) -> ItemChange:
    """Where a sentence begins or not without anybody saying so, nothing is said."""
    item = change.item
    if item.kind == BEGINS and change.value == (NO if item.place else YES):
        return ItemChange(item, None)
    return change


def _check(changes: Sequence[ItemChange], sheet: Sheet, candidate: Candidate) -> tuple[ItemChange, ...]:
    """The same changes, or an error if one speaks of what is not there when all of them are made."""
    mends = {change.item: change.value for change in changes if change.item.kind in {BEGINS, ADDED}}
    values = {item: value for item, value in {**sheet.values, **mends}.items() if value is not None}
    for item, value in mends.items():
        check_change(ItemChange(item, value), candidate)
    mended = Sheet(values).mended(candidate)
    return tuple(check_change(change, candidate, mended) for change in changes)


def unanimous(board: Board, thread: str, own: Sheet) -> dict[Item, str]:
    """What all who have finished say, micro-topics matched: the adjudicator begins with it.

    Sentences are cut and joined where all did so. Of documents that anybody added all are taken over: somebody has to
    judge them.
    """
    sheets = board.finished(thread)
    accepting = {name: sheet for name, sheet in sheets.items() if not sheet.rejected}
    decided = [dict(sheet.values) for sheet in sheets.values() if sheet.rejected]
    decided += align(accepting).values()
    if not decided:
        return {}
    kinds = (CLEAR, ANSWERED, TOTALITY_OF, DIRECTNESS_OF, BEGINS)
    agreed = {
        item: value
        for item, value in decided[0].items()
        if item.kind in kinds and all(values.get(item) == value for values in decided)
    }
    confirmed = {values[Item(CONFIRMED)] for values in decided if Item(CONFIRMED) in values}
    if len(confirmed) == 1:  # who has not decided on it does not say no
        agreed[Item(CONFIRMED)] = confirmed.pop()
    if len(accepting) < len(sheets):
        return agreed
    agreed |= {Item(ADDED, document=document): YES for sheet in accepting.values() for document in sheet.added}
    return agreed | _labels_of_all(board.candidates[thread], accepting, own, agreed)


def _labels_of_all(
    candidate: Candidate, accepting: Mapping[str, Sheet], own: Sheet, agreed: Mapping[Item, str]
) -> dict[Item, str]:
    """The labels that all gave to all of a sentence, as the adjudicator will see it cut."""
    mends = {item: value for item, value in agreed.items() if item.kind == BEGINS}
    mended = Sheet({**mends, **own.values}).mended(candidate)
    pieces = labels_by_piece(candidate, accepting)
    starts = sorted({start for labels in pieces.values() for start in labels})
    firsts = [(sentence.number, sentence.place) for sentence in mended.sentences]
    labels: dict[Item, str] = {}
    for sentence, begin, end in zip(mended.sentences, firsts, [*firsts[1:], (10**9, 0)], strict=True):
        inside = [start for start in starts if begin <= start < end]
        said = {theirs.get(start) for theirs in pieces.values() for start in inside}
        if len(said) == 1 and (value := said.pop()) is not None:
            labels[label_item(sentence)] = value
    return labels
