"""Ranked lists of a topic side by side: what two systems retrieved, with titles, first words and grades.

Without the script the two systems of the main comparison are shown on the topics on which they differ most; with it a
reader chooses topic and systems.
"""

from __future__ import annotations

import numpy as np

from ...experiment.findings import DocumentExtract, Findings, VersionFindings
from ...experiment.ranked_lists import beside
from ...words import captions
from .grade_marks import grade_mark, grade_of, is_graded
from .parts import Room, Section, section, spoken
from .safe_markup import Html, beginning_of, disclosure, join_children, name_element, tag
from .topics_section import document_element

OPENED, CLOSED = 1, 3
"""Topics shown at once, and those that can be opened."""
QUESTION = 300
DEPTH = 10
"""Documents of a list."""


def ranked_lists_section(findings: Findings, room: Room) -> Section | None:
    view = findings.first
    if not view.lists or not any(any(rows) for rows in view.lists.values()):
        return None
    pair = view.main_pair or (view.best, view.best)
    topics = most_different(view, *pair)
    shown = len(view.lists)
    how = captions.reading_of_lists(all_topics=shown == len(view.topics), shown=shown, topics=len(view.topics))
    first = tag("div", lists(findings, view, topics[0], *pair), id="lists-shown", aria_live="polite")
    others = [
        room.take(
            disclosure(
                join_children(["Topic ", name_element(topic)]),
                lists(findings, view, topic, *pair),
                class_="version without-js",
            ),
            "ranked lists of further topics",
        )
        for topic in topics[OPENED : OPENED + CLOSED]
    ]
    block = section("lists", "Ranked lists", tag("p", how), choosers(findings), first, *others)
    room.needed(first)
    return block


def most_different(view: VersionFindings, a: str, b: str) -> list[str]:
    """The topics that have lists, those first on which the two systems differ most."""
    gaps = np.abs(view.values[view.place[a]] - view.values[view.place[b]])
    place = {topic: t for t, topic in enumerate(view.topics)}
    return sorted(view.lists, key=lambda topic: -float(np.nan_to_num(gaps[place[topic]])))


def choosers(findings: Findings) -> Html:
    """Lists of topics and systems to choose from, filled by the script."""

    def one(name: str, label: str) -> Html:
        return tag("label", tag("span", label), tag("select", id=name))

    two = len(findings.systems) > 1
    return tag(
        "form",
        tag("label", tag("span", "Topic"), tag("select", id="lists-topic"), class_="wide"),
        one("lists-a", "System"),
        one("lists-b", "beside") if two else None,
        one("lists-version", "version") if findings.several else None,
        class_="choosers needs-js",
        id="lists-form",
        aria_label="Ranked lists to show",
    )


def lists(findings: Findings, view: VersionFindings, topic: str, a: str, b: str) -> Html:
    rows = view.lists[topic]
    names = [a] if a == b else [a, b]
    columns = [rows[view.place[name]] for name in names]
    question = findings.question(topic)
    parts: list[object] = [
        tag("h3", name_element(topic), " ", tag("bdi", beginning_of(question, QUESTION), class_="question"))
    ]
    if len(names) == 2:
        shared = len(set(columns[0]) & set(columns[1]))
        text = captions.lists_compared(topic, a, b, shared, DEPTH)
        parts.append(tag("p", spoken(text, view), class_="found"))
    parts.append(
        tag(
            "div",
            [
                ranked_list(findings, topic, name, own, columns[1 - n] if len(names) == 2 else ())
                for n, (name, own) in enumerate(zip(names, columns, strict=True))
            ],
            class_="beside",
        )
    )
    return join_children(parts)


def ranked_list(
    findings: Findings, topic: str, system: str, documents: tuple[str, ...], other: tuple[str, ...]
) -> Html:
    places = {name: rank for rank, name in enumerate(other, 1)}
    grades = {name: grade for name in documents if (grade := grade_of(findings, topic, name)) is not None}
    items = []
    for row in beside(documents, places, grades, lambda name: findings.extracts.get(name, DocumentExtract("", ""))):
        also = tag("span", f"rank {row.beside} beside", class_="also") if row.beside else None
        mark = grade_mark(row.grade, findings.level, graded=is_graded(findings))
        items.append(tag("li", mark, " ", document_element(row.document, row.extract), " ", also))
    body = tag("ol", items, class_="ranked") if items else tag("p", tag("em", "nothing retrieved"))
    return tag("div", tag("h4", name_element(system)), body)
