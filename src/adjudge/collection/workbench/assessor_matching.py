"""Decisions of several assessors on one thread: micro-topics matched, disagreements listed.

Two people may number the same micro-topics differently. Those of the first who finished are the measure; a micro-topic
of another is the one with which it shares most sentences, and one that shares none gets a number of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..qa.agreement import groups_of, match_groups
from ..qa.assessment import PARTIAL, TOTAL
from ..qa.mending import Start, spread
from ..qa.threads import Candidate
from .events import (
    ADDED,
    ANSWERED,
    CLEAR,
    CONFIRMED,
    DIRECTNESS_OF,
    LABEL,
    NO,
    OF_DOCUMENTS,
    TOTALITY_OF,
    Item,
    label_of,
    label_value,
)
from .sheet import Sheet

CONFIRMATION = Item(CONFIRMED)


@dataclass(frozen=True)
class Disagreement:
    """An item, its micro-topics matched, that several people decided and not all in the same way."""

    thread: str
    item: Item
    values: tuple[tuple[str, str], ...]
    """(name, value) of each."""


def match_micro_topics(reference: Sheet, other: Sheet) -> dict[int, int]:
    """{micro-topic of the other: micro-topic of the reference}, as agreement matches them everywhere."""
    if reference.labels == other.labels and reference.breaks == other.breaks:
        return {k: k for k in other.micro_topics}
    starts = {*reference.labels, *other.labels}
    first, second = (groups_of(spread(sheet.labels, starts, sheet.breaks)) for sheet in (reference, other))
    return match_groups(first, second)


def align(sheets: Mapping[str, Sheet]) -> dict[str, dict[Item, str]]:
    """{name: values} with the micro-topics of all numbered as those of the first."""
    return {name: dict(_renumber(sheet, number)) for name, sheet, number in _numbers(sheets)}


def _numbers(sheets: Mapping[str, Sheet]) -> Iterator[tuple[str, Sheet, dict[int, int]]]:
    reference: Sheet | None = None
    for name, sheet in sheets.items():
        if reference is None and sheet.micro_topics:
            reference = sheet
        yield name, sheet, match_micro_topics(reference, sheet) if reference is not None else {}


def _renumber(sheet: Sheet, number: Mapping[int, int]) -> Iterator[tuple[Item, str]]:
    labels, same = sheet.labels, all(k == n for k, n in number.items())
    for item, value in sheet.values.items():
        if item.kind == LABEL:
            if (item.sentence, item.place) in labels:
                yield item, value if same else _renumbered(*label_of(value), number)
        elif item.kind in OF_DOCUMENTS:
            if item.micro_topic in number:  # one without a sentence is left over from an earlier labelling
                yield item if same else Item(item.kind, 0, number[item.micro_topic], item.document), value
        else:
            yield item, value


def _renumbered(kind: str, micro_topics: tuple[int, ...], number: Mapping[int, int]) -> str:
    return label_value(kind, *(number[k] for k in micro_topics))


def labels_by_piece(candidate: Candidate, sheets: Mapping[str, Sheet]) -> dict[str, dict[Start, str]]:
    """{name: {where a piece begins: label}}, micro-topics matched; a piece is what nobody has cut."""
    starts = {(sentence.number, 0) for sentence in candidate.sentences}
    starts |= {start for sheet in sheets.values() for start in sheet.labels}
    said: dict[str, dict[Start, str]] = {}
    for name, sheet, number in _numbers(sheets):
        own = {start: _renumbered(*label, number) for start, label in sheet.labels.items()}
        said[name] = own if len(own) == len(starts) else spread(own, starts, sheet.breaks)
    return said


def compare_sheets(candidate: Candidate, sheets: Mapping[str, Sheet]) -> Iterator[tuple[Item, dict[str, str]]]:
    """Every item that two or more finished sheets speak of, with what each says.

    Labels and judgments are compared among those who accept the thread; labels piece by piece, a judgment where both
    have the micro-topic, and directness where both find that the document has to do with it. Who has not added a
    document that another added says no to it. Whether the asker confirms the answer is compared among those who say so.
    """
    accepting = {name: sheet for name, sheet in sheets.items() if not sheet.rejected}
    values = align(accepting)
    criteria = {name: sheet.values for name, sheet in sheets.items()}
    for item in (Item(CLEAR), Item(ANSWERED)):
        by_name = {name: theirs[item] for name, theirs in criteria.items() if item in theirs}
        if len(by_name) > 1:
            yield item, by_name
    if len(accepting) < 2:
        return
    confirmed = {name: said for name, theirs in values.items() if (said := theirs.get(Item(CONFIRMED))) is not None}
    if len(confirmed) > 1:
        yield Item(CONFIRMED), confirmed
    pieces = labels_by_piece(candidate, accepting)
    for sentence, place in sorted({start for labels in pieces.values() for start in labels}):
        by_name = {name: labels[sentence, place] for name, labels in pieces.items() if (sentence, place) in labels}
        if len(by_name) > 1:
            yield Item(LABEL, sentence, place=place), by_name
    added = dict.fromkeys(document for sheet in accepting.values() for document in sheet.added)
    for document in added:
        item = Item(ADDED, document=document)
        yield item, {name: theirs.get(item, NO) for name, theirs in values.items()}
    topics = sorted({item.micro_topic for theirs in values.values() for item in theirs if item.kind == TOTALITY_OF})
    for k in topics:
        for document in (*(citation.document for citation in candidate.citations), *added):
            for item in (Item(TOTALITY_OF, 0, k, document), Item(DIRECTNESS_OF, 0, k, document)):
                by_name = {
                    name: theirs[item] for name, theirs in values.items() if item in theirs and _counts(theirs, item)
                }
                if len(by_name) > 1:
                    yield item, by_name


def _counts(values: Mapping[Item, str], item: Item) -> bool:
    if item.kind != DIRECTNESS_OF:
        return True
    return values.get(Item(TOTALITY_OF, 0, item.micro_topic, item.document)) in {TOTAL, PARTIAL}


def agree(sheets: Iterable[Sheet]) -> bool:
    """Whether finished sheets accept a thread and say the same throughout; others are compared item by item."""
    first, *others = sheets
    return not first.rejected and all(
        not other.rejected
        and other.labels == first.labels
        and other.breaks == first.breaks
        and other.added == first.added
        and other.judged == first.judged
        and other.values.get(CONFIRMATION) == first.values.get(CONFIRMATION)
        for other in others
    )


def disagreements(candidate: Candidate, sheets: Mapping[str, Sheet]) -> tuple[Disagreement, ...]:
    return differing(candidate.id, compare_sheets(candidate, sheets))


def differing(thread: str, compared: Iterable[tuple[Item, dict[str, str]]]) -> tuple[Disagreement, ...]:
    """Those items on which not all say the same."""
    return tuple(
        Disagreement(thread, item, tuple(by_name.items()))
        for item, by_name in compared
        if len(set(by_name.values())) > 1
    )
