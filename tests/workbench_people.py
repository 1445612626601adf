"""People who work at the workbench, for tests: they decide whole threads at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from adjudge.collection.qa.threads import Candidate
from adjudge.collection.workbench.board import Board
from adjudge.collection.workbench.desk import Desk
from adjudge.collection.workbench.events import (
    ANSWERED,
    CLEAR,
    DIRECTNESS_OF,
    LABEL,
    NO,
    TOTALITY_OF,
    YES,
    Item,
    ItemChange,
)
from adjudge.collection.workbench.store.open_store import open_store

HEP, MATH = "hep-th/0612125", "math/0406343"
LABELS = {1: "neither", 2: "prelude", 3: "prelude", 4: "query 1", 5: "query 2"}
JUDGED = {
    (1, HEP): ("total", "direct"),
    (1, MATH): ("unrelated", ""),
    (2, HEP): ("unrelated", ""),
    (2, MATH): ("total", "indirect"),
}
Judged = Mapping[tuple[int, str], tuple[str, str]]


def board_of(folder: Path, *candidates: Candidate) -> Board:
    return Board(open_store(str(folder / "store.sqlite")), {one.id: one for one in candidates})


def accept(desk: Desk, thread: str, labels: Mapping[int, str] = LABELS, judged: Judged = JUDGED) -> None:
    """Accept a thread and finish it."""
    desk.decide(thread, [ItemChange(Item(CLEAR), YES), ItemChange(Item(ANSWERED), YES)])
    desk.decide(thread, [ItemChange(Item(LABEL, number), value) for number, value in labels.items()])
    for (k, document), (totality, directness) in judged.items():
        changes = [ItemChange(Item(TOTALITY_OF, 0, k, document), totality)]
        if directness:
            changes.append(ItemChange(Item(DIRECTNESS_OF, 0, k, document), directness))
        desk.decide(thread, changes)
    desk.finish(thread)


def reject(desk: Desk, thread: str, kind: str = CLEAR) -> None:
    if kind == ANSWERED:
        desk.decide(thread, [ItemChange(Item(CLEAR), YES)])
    desk.decide(thread, [ItemChange(Item(kind), NO)])
    desk.finish(thread)
