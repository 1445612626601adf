"""Decisions of several assessors on one thread: micro-topics matched, disagreements listed.

Two people may number the same micro-topics differently. Those of the first who finished are the measure; a micro-topic
of another is the one with which it shares most sentences, and one that shares none gets a number of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..qa.agreement import match_groups
from ..qa.assessment import PARTIAL, TOTAL
from ..qa.threads import QUERY, Candidate
from .events import ANSWERED, CLEAR, DIRECTNESS_OF, LABEL, TOTALITY_OF, Item, label_of, label_value
from .sheet import Sheet


@dataclass(frozen=True)
class Disagreement:
    """An item, its micro-topics matched, that several people decided and not all in the same way."""

    thread: str
    item: Item
    values: tuple[tuple[str, str], ...]
    """(name, value) of each."""


def match_micro_topics(reference: Sheet, other: Sheet) -> dict[int, int]:
    """{micro-topic of the other: micro-topic of the reference}, as agreement matches them everywhere."""
    return match_groups(_groups(reference), _groups(other))


def _groups(sheet: Sheet) -> dict[int, set[int]]:
    groups: dict[int, set[int]] = {}
    for sentence, (kind, k) in sheet.labels.items():
        if kind == QUERY:
            groups.setdefault(k, set()).add(sentence)
    return groups


def align(sheets: Mapping[str, Sheet]) -> dict[str, dict[Item, str]]:
    """{name: values} with the micro-topics of all numbered as those of the first."""
    values: dict[str, dict[Item, str]] = {}
    reference: Sheet | None = None
    for name, sheet in sheets.items():
        if reference is None and sheet.micro_topics:
            reference = sheet
        number = match_micro_topics(reference, sheet) if reference is not None else {}
        values[name] = dict(_renumber(sheet, number))
    return values


def _renumber(sheet: Sheet, number: Mapping[int, int]) -> Iterator[tuple[Item, str]]:
    for item, value in sheet.values.items():
        if item.kind == LABEL:
            kind, k = label_of(value)
            yield item, label_value(kind, number.get(k, 0))
        elif item.kind in {TOTALITY_OF, DIRECTNESS_OF}:
            if item.micro_topic in number:  # one without a sentence is left over from an earlier labelling
                yield Item(item.kind, 0, number[item.micro_topic], item.document), value
        else:
            yield item, value


def compare_sheets(candidate: Candidate, sheets: Mapping[str, Sheet]) -> Iterator[tuple[Item, dict[str, str]]]:
    """Every item that two or more finished sheets speak of, with what each says.

    Labels and judgments are compared among those who accept the thread; a judgment where both have the micro-topic,
    and directness where both find that the document has to do with it.
    """
    values = align({name: sheet for name, sheet in sheets.items() if not sheet.rejected})
    criteria = {name: sheet.values for name, sheet in sheets.items()}
    items = [Item(LABEL, sentence.number) for sentence in candidate.sentences]
    topics = sorted({item.micro_topic for theirs in values.values() for item in theirs if item.kind == TOTALITY_OF})
    for k in topics:
        for citation in candidate.citations:
            items += [Item(TOTALITY_OF, 0, k, citation.document), Item(DIRECTNESS_OF, 0, k, citation.document)]
    for item in (Item(CLEAR), Item(ANSWERED)):
        by_name = {name: theirs[item] for name, theirs in criteria.items() if item in theirs}
        if len(by_name) > 1:
            yield item, by_name
    for item in items:
        by_name = {name: theirs[item] for name, theirs in values.items() if item in theirs and _counts(theirs, item)}
        if len(by_name) > 1:
            yield item, by_name


def _counts(values: Mapping[Item, str], item: Item) -> bool:
    if item.kind != DIRECTNESS_OF:
        return True
    return values.get(Item(TOTALITY_OF, 0, item.micro_topic, item.document)) in {TOTAL, PARTIAL}


def disagreements(candidate: Candidate, sheets: Mapping[str, Sheet]) -> tuple[Disagreement, ...]:
    return differing(candidate.id, compare_sheets(candidate, sheets))


def differing(thread: str, compared: Iterable[tuple[Item, dict[str, str]]]) -> tuple[Disagreement, ...]:
    """Those items on which not all say the same."""
    return tuple(
        Disagreement(thread, item, tuple(by_name.items()))
        for item, by_name in compared
        if len(set(by_name.values())) > 1
    )
