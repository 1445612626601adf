"""A decision as an event: who, when, on which thread, what was decided; an event is never changed or removed.

An event is one act of a person and may hold several changes, as when all proposed labels are accepted at once. To undo
is an event too, which names the one that it undoes; to do again is to undo the undoing.

A large project has a million events, all of which are read when the workbench starts. So they are named tuples: to
make an item and to look it up in a dictionary takes a fifth of what it takes with a frozen dataclass.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from ...core.errors import DataError
from ...storage.digest import sha256
from ..qa.agreement import spoken
from ..qa.assessment import DIRECTNESS, PARTIAL, TOTAL, UNRELATED, check_break
from ..qa.mending import SentenceBreak
from ..qa.threads import NEITHER, PRELUDE, QUERY, Candidate

CLEAR, ANSWERED, LABEL, TOTALITY_OF, DIRECTNESS_OF, NOTE, FINISHED, CONFIRMED = (
    "clear", "answered", "label", "totality", "directness", "note", "finished", "confirmed"
)  # fmt: skip
BEGINS, ADDED, SKIPPED, UNSURE, PERSON = "begins", "added", "skipped", "unsure", "person"
"""Where a sentence begins, a document that no pattern saw, a thread left for later, one that somebody else should look
at, and the name under which the decisions of a person are kept from now on."""
YES, NO = "yes", "no"
TOTALITIES = (TOTAL, PARTIAL, UNRELATED)
MOST_MICRO_TOPICS = 9
"""As many as there are digits to press."""
LONGEST_NOTE = 10_000
LONGEST_NAME = 64
LONGEST_ID = 200

ASSESSOR, ADJUDICATOR = "assessor", "adjudicator"
ROLES = (ASSESSOR, ADJUDICATOR)


class Item(NamedTuple):
    """What is decided: a criterion, the label of a sentence, how a document answers a micro-topic, a note."""

    kind: str
    sentence: int = 0
    micro_topic: int = 0
    document: str = ""
    place: int = 0
    """Where the sentence begins, if people cut it there."""


class ItemChange(NamedTuple):
    """An item and its new value; None takes the decision back and leaves the item undecided."""

    item: Item
    value: str | None


class Act(NamedTuple):
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


class Event(NamedTuple):
    """An act as the store keeps it; numbers grow in the order in which events were committed."""

    id: int
    at: str
    act: Act


@lru_cache(maxsize=1 << 12)
def label_value(kind: str, *micro_topics: int) -> str:
    """``prelude``, ``neither``, ``query 2`` or, of a sentence that asks for two micro-topics, ``query 1 3``."""
    return " ".join([kind, *map(str, sorted(micro_topics))]) if kind == QUERY else kind


@lru_cache(maxsize=1 << 12)
def label_of(value: str) -> tuple[str, tuple[int, ...]]:
    """The kind of a sentence and its micro-topics, none if it asks nothing.

    >>> label_of("query 1 3"), label_of("prelude")
    (('query', (1, 3)), ('prelude', ()))
    """
    kind, *numbers = value.split(" ")
    return kind, tuple(map(int, numbers))


@lru_cache(maxsize=1 << 12)
def is_label(value: str) -> bool:
    """Whether a value says what a sentence is; its micro-topics grow.

    >>> is_label("query 1 3"), is_label("query 3 1"), is_label("query"), is_label("query 10")
    (True, False, False, False)
    """
    return value in {PRELUDE, NEITHER} or (
        len(value) < 30
        and re.fullmatch(r"query(?: [1-9])+", value) is not None
        and list(label_of(value)[1]) == sorted(set(label_of(value)[1]))
    )


VALUES = {
    CLEAR: (YES, NO),
    ANSWERED: (YES, NO),
    TOTALITY_OF: TOTALITIES,
    DIRECTNESS_OF: DIRECTNESS,
    FINISHED: (YES,),
    CONFIRMED: (YES, NO),
    BEGINS: (YES, NO),
    ADDED: (YES,),
    SKIPPED: (YES,),
    UNSURE: (YES,),
}
OF_SENTENCES, OF_DOCUMENTS = frozenset({LABEL, BEGINS}), frozenset({TOTALITY_OF, DIRECTNESS_OF})


def check_change(change: ItemChange, candidate: Candidate, mended: Candidate | None = None) -> ItemChange:
    """The same change, or an error if it speaks of what the candidate, as who acts has mended it, has not."""
    item, value = change.item, change.value
    seen = candidate if mended is None else mended
    if item.kind == NOTE:
        check_note(value or "")
    elif item.kind == LABEL:
        if value is not None and not is_label(value):
            raise DataError(f"label may be {PRELUDE}, {NEITHER} or {QUERY} 1 to {MOST_MICRO_TOPICS}, not {value!r}")
    elif item.kind not in VALUES:
        raise DataError(f"nothing is called {item.kind!r} here")
    elif value is not None and value not in VALUES[item.kind]:
        raise DataError(f"{item.kind} may be {', '.join(VALUES[item.kind])}, not {value!r}")
    if (item.sentence != 0) != (item.kind in OF_SENTENCES) or (item.place and item.kind not in OF_SENTENCES):
        raise DataError(f"{item.kind} and sentence {item.sentence} do not go together")
    if item.kind == BEGINS:
        check_break(SentenceBreak(item.sentence, item.place, value != NO), candidate, f"thread {candidate.id}")
    starts = {(sentence.number, sentence.place) for sentence in seen.sentences}
    if item.kind == LABEL and (item.sentence, item.place) not in starts:
        raise DataError(f"thread {candidate.id} has no sentence {spoken((item.sentence, item.place))}")
    if item.kind in OF_DOCUMENTS:
        if not 1 <= item.micro_topic <= MOST_MICRO_TOPICS:
            raise DataError(f"a micro-topic has a number from 1 to {MOST_MICRO_TOPICS}, not {item.micro_topic}")
        if item.document not in {citation.document for citation in seen.citations}:
            raise DataError(f"thread {candidate.id} does not cite document {item.document!r}")
    elif item.kind == ADDED:
        if item.micro_topic:
            raise DataError("a document is added to the whole thread")
        if item.document in {citation.document for citation in candidate.citations}:
            raise DataError(f"thread {candidate.id} cites document {item.document!r} already")
        check_document(item.document)
    elif item.micro_topic or item.document:
        raise DataError(f"{item.kind} is decided for the whole thread")
    return change


def check_document(id_: str) -> str:
    """The id of a document that somebody adds, or an error if no file of judgments could hold it."""
    if not id_ or len(id_) > LONGEST_ID or any(c.isspace() or not c.isprintable() for c in id_):
        raise DataError(f"the id of a document has 1 to {LONGEST_ID} printable characters and no blank, not {id_!r}")
    return id_


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
    rows: list[list[object]] = []
    for change in changes:
        item = change.item
        row: list[object] = [item.kind, item.sentence, item.micro_topic, item.document, change.value]
        rows.append([*row, item.place] if item.place else row)
    return json.dumps(rows)


class UnreadableError(ValueError):
    """Changes of which no sheet can be made."""


_scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]


@lru_cache(maxsize=1 << 14)
def from_json(text: str) -> tuple[ItemChange, ...]:
    """The changes of an event; an UnreadableError if they are none. Many events say the same."""
    try:
        try:  # the scanner itself: a large project has a million of these
            rows, end = _scan(text, 0)
        except StopIteration:
            end = -1
        if end != len(text):
            rows = json.loads(text)
        return tuple([_change(*row) for row in rows])
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


def _change(
    kind: object, sentence: object, micro_topic: object, document: object, value: object, place: object = 0
) -> ItemChange:
    """A row of the store, refused if sheets could not be made of it."""
    if not isinstance(kind, str) or not isinstance(document, str) or not isinstance(value, str | None):
        raise TypeError(kind)
    if type(sentence) is not int or type(micro_topic) is not int or type(place) is not int:
        raise TypeError(sentence)
    if kind == LABEL and value is not None and not is_label(value):
        raise ValueError(value)
    return ItemChange(Item(kind, sentence, micro_topic, document, place), value)


def event_line(event: Event) -> str:
    """An event as a line of JSON, for who wants all that was ever decided."""
    act = event.act
    changes = [
        {name: value for name, value in change.item._asdict().items() if value} | {"value": change.value}
        for change in act.changes
    ]
    record = {"id": event.id, "at": event.at, "who": act.who, "role": act.role, "thread": act.thread}
    record |= {"text": act.text, "undoes": act.undoes, "changes": changes}
    return json.dumps(record, ensure_ascii=False) + "\n"
