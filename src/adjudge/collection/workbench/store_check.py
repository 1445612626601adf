"""Whether all that a store holds can be read, and what can be saved of the rest.

Nothing in a store is changed or removed. An event that cannot be read is set aside whenever the store is read; a repair
appends, in the name of who made it, those of its changes that can be read and that were not decided again since.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.errors import DataError
from ..qa.project import Project
from .board import Board
from .events import ROLES, Act, ItemChange, check_change, readable_changes
from .store.store import BadEvent, Store


@dataclass(frozen=True)
class StoreCheck:
    """What a store holds."""

    events: int
    """Those that can be read."""
    threads: int
    """Threads with decisions."""
    bad: tuple[BadEvent, ...]
    """Events that are set aside and of which nothing was saved."""
    repaired: tuple[int, ...]
    """Numbers of events of which the readable part was appended, now or before."""
    unknown: tuple[str, ...]
    """Threads with decisions that are no candidates."""
    stale: int
    """Events about another wording of a thread."""

    @property
    def whole(self) -> bool:
        return not self.bad


def check_store(project: Project, store: Store, *, repair: bool = False) -> StoreCheck:
    """Go through all events of a store; with ``repair`` append what can be saved of those that cannot be read."""
    board = Board(store, project.candidates)
    board.refresh()
    keys = {event.act.key for event in store.events()}
    bad: list[BadEvent] = []
    repaired: list[int] = []
    for event in board.bad:
        if _key(event) in keys or (repair and _append(board, event)):
            repaired.append(event.id)
        else:
            bad.append(event)
    events = store.events()
    threads = {event.act.thread for event in events if event.act.thread}
    stale = sum(board.texts.get(event.act.thread, event.act.text) != event.act.text for event in events)
    return StoreCheck(len(events), len(threads), tuple(bad), tuple(repaired), board.unknown, stale)


def _key(event: BadEvent) -> str:
    return f"repair of event {event.id}"


def _append(board: Board, event: BadEvent) -> bool:
    """Append what can be saved; whether there was anything."""
    _, _, who, role, thread, text, changes = event.fields
    candidate = board.candidates.get(thread)
    if role not in ROLES or candidate is None:
        return False
    sheet = board.sheet(thread, role, who)
    mended = sheet.mended(candidate)
    saved: list[ItemChange] = []
    for change in readable_changes(changes):
        try:
            if change.item not in sheet.values:
                saved.append(check_change(change, candidate, mended))
        except DataError:
            continue
    if not saved:
        return False
    board.store.append(Act(_key(event), who, role, thread, text, tuple(saved)))
    board.refresh()
    return True
