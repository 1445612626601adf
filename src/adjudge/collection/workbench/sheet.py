"""A sheet: what one person, or adjudication, has decided about one thread, put together from events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..qa.assessment import PARTIAL, TOTAL, UNRELATED, Assessment, Judgment, Label
from ..qa.threads import QUERY, Candidate
from .events import (
    ANSWERED,
    CLEAR,
    CONFIRMED,
    DIRECTNESS_OF,
    FINISHED,
    LABEL,
    LABELS,
    NO,
    NOTE,
    TOTALITY_OF,
    YES,
    Event,
    Item,
    ItemChange,
    label_of,
    label_value,
)

NEW, BEGUN, ACCEPTED, REJECTED = "new", "begun", "accepted", "rejected"


@dataclass(frozen=True)
class Sheet:
    """Values by item, and what can be undone and done again."""

    values: Mapping[Item, str] = field(default_factory=dict)
    newest: int = 0
    """The number of the last event that is part of it."""
    undo: int | None = None
    """The event that an undo would name."""
    redo: int | None = None
    stale: int = 0
    """Events about another wording of the thread, which do not count."""
    finished_at: str = ""
    touched_at: str = ""
    """When the last event was kept."""
    who: tuple[str, ...] = ()
    """Those whose decisions stand, in order of first appearance: one person unless it is an adjudication."""

    def value(self, kind: str, sentence: int = 0, micro_topic: int = 0, document: str = "") -> str | None:
        return self.values.get(Item(kind, sentence, micro_topic, document))

    @property
    def rejected(self) -> bool:
        return NO in {self.value(CLEAR), self.value(ANSWERED)}

    @property
    def labels(self) -> dict[int, tuple[str, int]]:
        """{sentence: (kind, micro-topic)} of what was decided."""
        labels = {item.sentence: label_of(value) for item, value in self.values.items() if item.kind == LABEL}
        return dict(sorted(labels.items()))

    @property
    def micro_topics(self) -> tuple[int, ...]:
        """The numbers of the micro-topics that have a sentence."""
        return tuple(sorted({k for kind, k in self.labels.values() if kind == QUERY}))

    def status(self, candidate: Candidate) -> str:
        if not self.values:
            return NEW
        if self.value(FINISHED) != YES or missing(self, candidate):
            return BEGUN
        return REJECTED if self.rejected else ACCEPTED

    def done(self, candidate: Candidate) -> bool:
        return self.status(candidate) in {ACCEPTED, REJECTED}


def active(events: Sequence[Event]) -> list[Event]:
    """The events that stand: not undone, or undone and done again. Undoings that stand are among them."""
    undone: set[int] = set()
    standing: list[Event] = []
    for event in reversed(events):  # an undoing is younger than what it undoes
        if event.id in undone:
            continue
        standing.append(event)
        if event.act.undoes is not None:
            undone.add(event.act.undoes)
    return standing[::-1]


def fold(events: Iterable[Event], text: str) -> Sheet:
    """The sheet that events make: of each item the last decision that stands."""
    everything = sorted(events, key=lambda event: event.id)
    ours = [event for event in everything if event.act.text == text]
    standing = active(ours)
    decisions = [event for event in standing if event.act.undoes is None]
    values: dict[Item, str] = {}
    finished_at = ""
    for event in decisions:
        for change in event.act.changes:
            if change.value is None:
                values.pop(change.item, None)
            else:
                values[change.item] = change.value
                if change.item.kind == FINISHED:
                    finished_at = event.at
    depth: dict[int, int] = {}  # 0 a decision, 1 its undoing, 2 the undoing of that: done again
    for event in ours:
        depth[event.id] = 0 if event.act.undoes is None else depth.get(event.act.undoes, 0) + 1
    undoings = [event.id for event in standing if depth[event.id] % 2]
    last_decision = max((event.id for event in ours if event.act.undoes is None), default=0)
    redo = max(undoings, default=0)
    return Sheet(
        values,
        everything[-1].id if everything else 0,
        _tail(ours, decisions[-1].id) if decisions else None,
        redo if redo > last_decision else None,
        len(everything) - len(ours),
        finished_at if values.get(Item(FINISHED)) else "",
        everything[-1].at if everything else "",
        tuple(dict.fromkeys(event.act.who for event in decisions)),
    )


def _tail(events: Sequence[Event], first: int) -> int:
    """Who undoes what was done again names the event that did it again: every event is undone once at most."""
    by = {event.act.undoes: event.id for event in events if event.act.undoes is not None}
    at = first
    while at in by:
        at = by[at]
    return at


def missing(sheet: Sheet, candidate: Candidate) -> tuple[tuple[Item, str], ...]:
    """What is still to be decided before the thread is finished, and why."""
    if sheet.value(CLEAR) is None:
        return ((Item(CLEAR), "whether the question is clear"),)
    if sheet.value(CLEAR) == NO:
        return ()
    if sheet.value(ANSWERED) is None:
        return ((Item(ANSWERED), "whether the cited documents answer it"),)
    if sheet.rejected:
        return ()
    labels = sheet.labels
    lacking = [
        (Item(LABEL, s.number), f"what sentence {s.number} is") for s in candidate.sentences if s.number not in labels
    ]
    if lacking:
        return tuple(lacking)
    if not sheet.micro_topics:
        first = candidate.sentences[0].number if candidate.sentences else 0
        return ((Item(LABEL, first), "no sentence is a query"),)
    return tuple(_unjudged_items(sheet, candidate))


def _unjudged_items(sheet: Sheet, candidate: Candidate) -> Iterable[tuple[Item, str]]:
    """Judgments that are to be made. A micro-topic may stay without a document; a thread may not."""
    related = 0
    undecided = False
    for k in sheet.micro_topics:
        for citation in candidate.citations:
            totality = sheet.value(TOTALITY_OF, 0, k, citation.document)
            if totality is None:
                undecided = True
                yield Item(TOTALITY_OF, 0, k, citation.document), f"how {citation.document} answers micro-topic {k}"
            elif totality in {TOTAL, PARTIAL}:
                related += 1
                if sheet.value(DIRECTNESS_OF, 0, k, citation.document) is None:
                    name = f"how directly {citation.document} answers micro-topic {k}"
                    yield Item(DIRECTNESS_OF, 0, k, citation.document), name
    if not related and not undecided:
        first = Item(TOTALITY_OF, 0, sheet.micro_topics[0], candidate.citations[0].document)
        yield first, "no document answers anything: then the second criterion does not hold"


def proposals(sheet: Sheet, candidate: Candidate) -> tuple[ItemChange, ...]:
    """The labels that rules propose for the sentences that nobody has decided yet.

    Rules may see more micro-topics than can be decided on; the sentences of those are left to people.
    """
    labels = sheet.labels
    proposed = ((s.number, label_value(s.kind, s.micro_topic)) for s in candidate.sentences if s.number not in labels)
    return tuple(ItemChange(Item(LABEL, number), value) for number, value in proposed if value in LABELS)


def assessment(sheet: Sheet, candidate: Candidate, assessor: str) -> Assessment:
    """The sheet as the rest of adjudge knows it; micro-topics are numbered anew in the order of their sentences."""
    labels = sheet.labels
    number = {k: n for n, k in enumerate(dict.fromkeys(k for kind, k in labels.values() if kind == QUERY), 1)}
    judgments: list[Judgment] = []
    for k, n in number.items():
        for citation in candidate.citations:
            totality = sheet.value(TOTALITY_OF, 0, k, citation.document)
            directness = sheet.value(DIRECTNESS_OF, 0, k, citation.document)
            if totality == UNRELATED:
                judgments.append(Judgment(n, citation.document, UNRELATED, ""))
            elif totality in {TOTAL, PARTIAL} and totality is not None and directness is not None:
                judgments.append(Judgment(n, citation.document, totality, directness))
    return Assessment(
        candidate.id,
        assessor,
        _truth(sheet.value(CLEAR)),
        _truth(sheet.value(ANSWERED)),
        tuple(Label(s, kind, number.get(k, 0)) for s, (kind, k) in labels.items()),
        tuple(judgments),
        sheet.value(NOTE) or "",
        _truth(sheet.value(CONFIRMED)),
    )


def _truth(value: str | None) -> bool | None:
    return None if value is None else value == YES
