"""A decision as an event: who, when, on which thread, what was decided; an event is never changed or removed.

An event is one act of a person and may hold several changes, as when all proposed labels are accepted at once. To undo
is an event too, which names the one that it undoes; to do again is to undo the undoing.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from ...core.errors import DataError
from ...storage.digest import sha256
from ..qa.assessment import DIRECTNESS, PARTIAL, TOTAL, UNRELATED
from ..qa.threads import NEITHER, PRELUDE, QUERY, Candidate

CLEAR, ANSWERED, LABEL, TOTALITY_OF, DIRECTNESS_OF, NOTE, FINISHED, CONFIRMED = (
    "clear", "answered", "label", "totality", "directness", "note", "finished", "confirmed"
)  # fmt: skip
YES, NO = "yes", "no"
TOTALITIES = (TOTAL, PARTIAL, UNRELATED)
MOST_MICRO_TOPICS = 9
"""As many as there are digits to press."""
LONGEST_NOTE = 10_000
LONGEST_NAME = 64

ASSESSOR, ADJUDICATOR = "assessor", "adjudicator"
ROLES = (ASSESSOR, ADJUDICATOR)


@dataclass(frozen=True)
class Item:
    """What is decided: a criterion, the label of a sentence, how a document answers a micro-topic, a note."""

    kind: str
    sentence: int = 0
    micro_topic: int = 0
    document: str = ""


@dataclass(frozen=True)
class ItemChange:
    """An item and its new value; None takes the decision back and leaves the item undecided."""

    item: Item
    value: str | None


@dataclass(frozen=True)
class Act:
    """An event before the store has given it a number and a time."""

    key: str
    """Made by who acts: the same act sent twice, after a broken connection say, is kept once."""
    who: str
    role: str
    thread: str
    text: str
    """The fingerprint of the candidate that was decided about."""
    changes: tuple[ItemChange, ...] = ()
    undoes: int | None = None


@dataclass(frozen=True)
class Event:
    """An act as the store keeps it; numbers grow in the order in which events were committed."""

    id: int
    at: str
    act: Act


def label_value(kind: str, micro_topic: int = 0) -> str:
    """``prelude``, ``neither`` or ``query 2``."""
    return f"{kind} {micro_topic}" if kind == QUERY else kind


def label_of(value: str) -> tuple[str, int]:
    """The kind of a sentence and its micro-topic, 0 if it asks nothing.

    >>> label_of("query 2")
    ('query', 2)
    """
    kind, _, number = value.partition(" ")
    return kind, int(number) if kind == QUERY else 0


LABELS = (PRELUDE, NEITHER, *(label_value(QUERY, k) for k in range(1, MOST_MICRO_TOPICS + 1)))
VALUES = {
    CLEAR: (YES, NO),
    ANSWERED: (YES, NO),
    LABEL: LABELS,
    TOTALITY_OF: TOTALITIES,
    DIRECTNESS_OF: DIRECTNESS,
    FINISHED: (YES,),
    CONFIRMED: (YES, NO),
}


def check_change(change: ItemChange, candidate: Candidate) -> ItemChange:
    """The same change, or an error if it speaks of what the candidate has not."""
    item, value = change.item, change.value
    if item.kind == NOTE:
        check_note(value or "")
    elif item.kind not in VALUES:
        raise DataError(f"nothing is called {item.kind!r} here")
    elif value is not None and value not in VALUES[item.kind]:
        raise DataError(f"{item.kind} may be {', '.join(VALUES[item.kind])}, not {value!r}")
    if (item.sentence != 0) != (item.kind == LABEL):
        raise DataError(f"{item.kind} and sentence {item.sentence} do not go together")
    if item.kind == LABEL and item.sentence not in {sentence.number for sentence in candidate.sentences}:
        raise DataError(f"thread {candidate.id} has no sentence {item.sentence}")
    if item.kind in {TOTALITY_OF, DIRECTNESS_OF}:
        if not 1 <= item.micro_topic <= MOST_MICRO_TOPICS:
            raise DataError(f"a micro-topic has a number from 1 to {MOST_MICRO_TOPICS}, not {item.micro_topic}")
        if item.document not in {citation.document for citation in candidate.citations}:
            raise DataError(f"thread {candidate.id} does not cite document {item.document!r}")
    elif item.micro_topic or item.document:
        raise DataError(f"{item.kind} is decided for the whole thread")
    return change


def check_note(text: str) -> str:
    """The note, or an error if it is too long or holds what no store can keep."""
    if len(text) > LONGEST_NOTE:
        raise DataError(f"a note has at most {LONGEST_NOTE:,} characters, not {len(text):,}")
    if any((c < " " and c not in "\n\t\r") or "\ud800" <= c <= "\udfff" for c in text):
        raise DataError("a note holds text, no control characters")
    return text


def check_name(name: str) -> str:
    """The name of a person in its one spelling, or an error if it cannot be one."""
    plain = unicodedata.normalize("NFC", " ".join(name.split()))
    if not plain:
        raise DataError("a name is needed")
    if len(plain) > LONGEST_NAME:
        raise DataError(f"a name has at most {LONGEST_NAME} characters, not {len(plain)}")
    if not plain.isprintable():
        raise DataError("a name has printable characters only")
    return plain


def fingerprint(candidate: Candidate) -> str:
    """Of all that decisions speak of: sentences by number, documents by id. Decisions on another text do not count."""
    facts = [
        candidate.id,
        [[sentence.number, sentence.text] for sentence in candidate.sentences],
        sorted(citation.document for citation in candidate.citations),
    ]
    return sha256(json.dumps(facts).encode()).hex()[:16]


def to_json(changes: Sequence[ItemChange]) -> str:
    rows = [[c.item.kind, c.item.sentence, c.item.micro_topic, c.item.document, c.value] for c in changes]
    return json.dumps(rows)


class UnreadableError(ValueError):
    """Changes of which no sheet can be made."""


def from_json(text: str) -> tuple[ItemChange, ...]:
    """The changes of an event; an UnreadableError if they are none."""
    try:
        return tuple(_change(*row) for row in json.loads(text))
    except (TypeError, ValueError, RecursionError):
        raise UnreadableError("its changes cannot be read") from None


def readable_changes(text: str) -> tuple[ItemChange, ...]:
    """Those changes of an event that can be read, where not all can."""
    changes: list[ItemChange] = []
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    for row in rows if isinstance(rows, list) else ():
        with suppress(TypeError, ValueError):
            changes.append(_change(*row))
    return tuple(changes)


def _change(kind: object, sentence: object, micro_topic: object, document: object, value: object) -> ItemChange:
    """A row of the store, refused if sheets could not be made of it."""
    if not isinstance(kind, str) or not isinstance(document, str) or not isinstance(value, str | None):
        raise TypeError(kind)
    if type(sentence) is not int or type(micro_topic) is not int:
        raise TypeError(sentence)
    if kind == LABEL and value is not None and value not in LABELS:
        raise ValueError(value)
    return ItemChange(Item(kind, sentence, micro_topic, document), value)
