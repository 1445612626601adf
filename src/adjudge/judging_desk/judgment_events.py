"""A judgment as an event of the store: the thread of the event is the topic, each change speaks of a document.

A judgment is one event with a grade, and with a note, evidence and the seconds that it took where there are any. To
take it back is an event too. What cannot be a judgment is refused before it is kept; what somebody else wrote into the
store is set aside when it is read.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from ..collection.workbench.events import NOTE, Act, Event, Item, ItemChange, check_note
from ..core.errors import DataError

GRADE, EVIDENCE, SECONDS = "grade", "evidence", "seconds"
KINDS = (GRADE, NOTE, EVIDENCE, SECONDS)
CANNOT_TELL = "cannot tell"
LONGEST_EVIDENCE = 5000
LONGEST_SECONDS = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class PairJudgment:
    """What one person says of a document for a topic."""

    topic: str
    document: str
    who: str
    role: str
    grade: int | None
    """None if it cannot be told."""
    at: str
    event: int
    note: str = ""
    evidence: str = ""
    seconds: float = math.nan
    """From when the pair was shown; NaN if that is not known."""
    text: str = ""
    """The digest of the text that was shown."""

    def record(self) -> dict[str, object]:
        """As JSON has it; what is not there is left out."""
        own = {name: value for name, value in asdict(self).items() if value != ""}
        if math.isnan(self.seconds):
            del own["seconds"]
        return own | ({"grade": CANNOT_TELL} if self.grade is None else {})


def judgment_changes(
    document: str, grade: int | None, note: str = "", evidence: str = "", seconds: float | None = None
) -> tuple[ItemChange, ...]:
    """The changes of an event that is a judgment; an error if it could not be one."""
    values = {GRADE: CANNOT_TELL if grade is None else str(grade), NOTE: check_note(note.strip())}
    values[EVIDENCE] = check_note(evidence.strip())
    if len(values[EVIDENCE]) > LONGEST_EVIDENCE:
        raise DataError(f"evidence has at most {LONGEST_EVIDENCE:,} characters, not {len(values[EVIDENCE]):,}")
    if seconds is not None and 0 <= seconds <= LONGEST_SECONDS:
        values[SECONDS] = f"{seconds:.1f}"
    changes = tuple(ItemChange(Item(kind, document=document), value) for kind, value in values.items() if value)
    if why := unreadable(changes):
        raise DataError(why)
    return changes


def unreadable(changes: Iterable[ItemChange]) -> str:
    """Why changes are no judgment; nothing if they are one."""
    listed = tuple(changes)
    if len({change.item.document for change in listed}) != 1 or not listed[0].item.document:
        return "a judgment speaks of one document"
    if len({change.item.kind for change in listed}) != len(listed):
        return "a judgment says everything once"
    values = {change.item.kind: change.value for change in listed}
    for change in listed:
        item, value = change.item, change.value
        if item.kind not in KINDS or item.sentence or item.micro_topic or item.place or value is None:
            return f"a judgment has no {item.kind!r} like this"
    if not re.fullmatch(r"[0-9]", values.get(GRADE) or "") and values.get(GRADE) != CANNOT_TELL:
        return f"a grade is a digit or {CANNOT_TELL!r}, not {values.get(GRADE)!r}"
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]+)?", values.get(SECONDS) or "0"):
        return "seconds are a number"
    return ""


def judgment_of(event: Event) -> PairJudgment:
    """The judgment that a readable event is."""
    act: Act = event.act
    values: Mapping[str, str] = {change.item.kind: change.value or "" for change in act.changes}
    return PairJudgment(
        topic=sys.intern(act.thread),
        document=sys.intern(act.changes[0].item.document),
        who=sys.intern(act.who),
        role=sys.intern(act.role),
        grade=None if values[GRADE] == CANNOT_TELL else int(values[GRADE]),
        at=event.at,
        event=event.id,
        note=values.get(NOTE, ""),
        evidence=values.get(EVIDENCE, ""),
        seconds=float(values[SECONDS]) if SECONDS in values else math.nan,
        text=sys.intern(act.text),
    )
