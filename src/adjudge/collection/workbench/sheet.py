"""A sheet: what one person, or adjudication, has decided about one thread, put together from events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import pairwise
from operator import itemgetter

from ..qa.agreement import spoken
from ..qa.assessment import PARTIAL, TOTAL, UNRELATED, Assessment, Judgment, Label
from ..qa.mending import SentenceBreak, Start, mended_candidate
from ..qa.threads import Candidate, Sentence
from .events import (
    ADDED,
    ANSWERED,
    BEGINS,
    CLEAR,
    CONFIRMED,
    DIRECTNESS_OF,
    FINISHED,
    LABEL,
    MOST_MICRO_TOPICS,
    NO,
    NOTE,
    OF_DOCUMENTS,
    SKIPPED,
    TOTALITY_OF,
    UNSURE,
    YES,
    Event,
    Item,
    ItemChange,
    is_label,
    label_of,
    label_value,
)

IS_CLEAR, IS_ANSWERED, IS_FINISHED = Item(CLEAR), Item(ANSWERED), Item(FINISHED)
NO_DECISIONS = frozenset({SKIPPED, UNSURE})
PAUSE = 600.0
"""Seconds after which somebody has left the desk."""
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
    times: tuple[str, ...] = ()
    """When events were kept."""

    def value(
        self, kind: str, sentence: int = 0, micro_topic: int = 0, document: str = "", place: int = 0
    ) -> str | None:
        return self.values.get(Item(kind, sentence, micro_topic, document, place))

    @cached_property
    def rejected(self) -> bool:
        return self.values.get(IS_CLEAR) == NO or self.values.get(IS_ANSWERED) == NO

    @cached_property
    def labels(self) -> dict[Start, tuple[str, tuple[int, ...]]]:
        """{where a sentence begins: (kind, micro-topics)} of what was decided; sentences that are no more are not."""
        said = {(each.sentence, each.place): each.begins for each in self.breaks}
        labels = {
            (item.sentence, item.place): label_of(value)
            for item, value in self.values.items()
            if item.kind == LABEL and said.get((item.sentence, item.place), not item.place)
        }
        return dict(sorted(labels.items()))

    @cached_property
    def judged(self) -> dict[tuple[int, str], tuple[str | None, str | None]]:
        """{(micro-topic, document): (totality, directness)}, micro-topics without a sentence too."""
        values = self.values
        pairs = {(item.micro_topic, item.document) for item in values if item.kind in OF_DOCUMENTS}
        return {
            (k, document): (
                values.get(Item(TOTALITY_OF, 0, k, document)),
                values.get(Item(DIRECTNESS_OF, 0, k, document)),
            )
            for k, document in pairs
        }

    @cached_property
    def breaks(self) -> tuple[SentenceBreak, ...]:
        """Where sentences were cut or joined."""
        items = [(item, value) for item, value in self.values.items() if item.kind == BEGINS]
        breaks = [SentenceBreak(item.sentence, item.place, value == YES) for item, value in items]
        return tuple(sorted(breaks, key=lambda each: (each.sentence, each.place)))

    @cached_property
    def added(self) -> tuple[str, ...]:
        """Documents that were added by hand."""
        return tuple(item.document for item in self.values if item.kind == ADDED)

    @cached_property
    def micro_topics(self) -> tuple[int, ...]:
        """The numbers of the micro-topics that have a sentence."""
        return tuple(sorted({k for _, micro_topics in self.labels.values() for k in micro_topics}))

    def mended(self, candidate: Candidate) -> Candidate:
        """The candidate with the sentences and documents of this sheet."""
        return mended_candidate(candidate, self.breaks, self.added)

    @property
    def seconds(self) -> float:
        """How long it took: the time between events, pauses of more than ten minutes left out."""
        seen: list[float] = []
        for at in self.times:
            with suppress(ValueError):  # a time that somebody else wrote
                seen.append(datetime.fromisoformat(at).timestamp())
        return sum(later - earlier for earlier, later in pairwise(seen) if 0 < later - earlier <= PAUSE)

    @cached_property
    def untouched(self) -> bool:
        """Whether nothing was decided; to leave a thread for later decides nothing."""
        return all(item.kind in NO_DECISIONS for item in self.values)

    def status(self, candidate: Candidate) -> str:
        if self.untouched:
            return NEW
        if self.values.get(IS_FINISHED) != YES or missing(self, candidate):
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


_NUMBER = itemgetter(0)


def fold(events: Iterable[Event], text: str) -> Sheet:
    """The sheet that events make: of each item the last decision that stands."""
    everything = sorted(events, key=_NUMBER)
    ours = [event for event in everything if event.act.text == text]
    undone = any(event.act.undoes is not None for event in ours)
    standing = active(ours) if undone else ours
    decisions = [event for event in standing if event.act.undoes is None] if undone else ours
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
    redo = _redo(ours, standing) if undone else None
    return Sheet(
        values,
        everything[-1].id if everything else 0,
        _tail(ours, decisions[-1].id) if decisions else None,
        redo,
        len(everything) - len(ours),
        finished_at if values.get(IS_FINISHED) else "",
        everything[-1].at if everything else "",
        tuple(dict.fromkeys(event.act.who for event in decisions)),
        tuple(event.at for event in everything),
    )


def _redo(ours: Sequence[Event], standing: Sequence[Event]) -> int | None:
    """The undoing that would be undone, if nothing was decided since."""
    depth: dict[int, int] = {}  # 0 a decision, 1 its undoing, 2 the undoing of that: done again
    for event in ours:
        depth[event.id] = 0 if event.act.undoes is None else depth.get(event.act.undoes, 0) + 1
    undoings = [event.id for event in standing if depth[event.id] % 2]
    last_decision = max((event.id for event in ours if event.act.undoes is None), default=0)
    redo = max(undoings, default=0)
    return redo if redo > last_decision else None


def _tail(events: Sequence[Event], first: int) -> int:
    """Who undoes what was done again names the event that did it again: every event is undone once at most."""
    by = {event.act.undoes: event.id for event in events if event.act.undoes is not None}
    at = first
    while at in by:
        at = by[at]
    return at


def missing(sheet: Sheet, candidate: Candidate) -> tuple[tuple[Item, str], ...]:
    """What is still to be decided before the thread is finished, and why."""
    clear = sheet.values.get(IS_CLEAR)
    if clear is None:
        return ((IS_CLEAR, "whether the question is clear"),)
    if clear == NO:
        return ()
    if sheet.values.get(IS_ANSWERED) is None:
        return ((IS_ANSWERED, "whether the cited documents answer it"),)
    if sheet.rejected:
        return ()
    labels, mended = sheet.labels, sheet.mended(candidate)
    lacking = [
        (label_item(s), f"what sentence {spoken((s.number, s.place))} is")
        for s in mended.sentences
        if (s.number, s.place) not in labels
    ]
    if lacking:
        return tuple(lacking)
    if not sheet.micro_topics:
        first = label_item(mended.sentences[0]) if mended.sentences else Item(LABEL)
        return ((first, "no sentence is a query"),)
    return tuple(_unjudged_items(sheet, mended))


def label_item(sentence: Sentence) -> Item:
    """What is decided about a sentence."""
    return Item(LABEL, sentence.number, place=sentence.place)


def to_go(sheet: Sheet, candidate: Candidate) -> int:
    """How many decisions are left, for all stages; micro-topics that rules propose count until people decide."""
    criteria = [sheet.value(CLEAR), sheet.value(ANSWERED)]
    if sheet.rejected:
        return 0
    labels, mended = sheet.labels, sheet.mended(candidate)
    unlabelled = [s for s in mended.sentences if (s.number, s.place) not in labels]
    asked = {*sheet.micro_topics, *(s.micro_topic for s in unlabelled if 1 <= s.micro_topic <= MOST_MICRO_TOPICS)}
    unjudged = len(asked) * len(mended.citations)
    for k in sheet.micro_topics:
        for citation in mended.citations:
            totality = sheet.value(TOTALITY_OF, 0, k, citation.document)
            directness = sheet.value(DIRECTNESS_OF, 0, k, citation.document)
            unjudged -= totality == UNRELATED or (totality is not None and directness is not None)
    return criteria.count(None) + len(unlabelled) + unjudged


def _unjudged_items(sheet: Sheet, candidate: Candidate) -> Iterable[tuple[Item, str]]:
    """Judgments that are to be made. A micro-topic may stay without a document; a thread may not."""
    related = 0
    undecided = False
    judged = sheet.judged
    for k in sheet.micro_topics:
        for citation in candidate.citations:
            totality, directness = judged.get((k, citation.document), (None, None))
            if totality is None:
                undecided = True
                yield Item(TOTALITY_OF, 0, k, citation.document), f"how {citation.document} answers micro-topic {k}"
            elif totality in {TOTAL, PARTIAL}:
                related += 1
                if directness is None:
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
    open_ones = [s for s in sheet.mended(candidate).sentences if (s.number, s.place) not in labels]
    proposed = ((label_item(s), label_value(s.kind, s.micro_topic)) for s in open_ones)
    return tuple(ItemChange(item, value) for item, value in proposed if is_label(value))


def assessment(sheet: Sheet, candidate: Candidate, assessor: str) -> Assessment:
    """The sheet as the rest of adjudge knows it; micro-topics are numbered anew in the order of their sentences."""
    labels, mended = sheet.labels, sheet.mended(candidate)
    order = dict.fromkeys(k for _, micro_topics in labels.values() for k in micro_topics)
    number = {k: n for n, k in enumerate(order, 1)}
    judgments: list[Judgment] = []
    for k, n in number.items():
        for citation in mended.citations:
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
        tuple(
            Label(sentence, kind, number.get(k, 0), place)
            for (sentence, place), (kind, micro_topics) in labels.items()
            for k in micro_topics or (0,)
        ),
        tuple(judgments),
        sheet.value(NOTE) or "",
        _truth(sheet.value(CONFIRMED)),
        sheet.breaks,
        sheet.added,
        sheet.value(UNSURE) == YES,
    )


def _truth(value: str | None) -> bool | None:
    return None if value is None else value == YES
