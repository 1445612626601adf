"""Ranked lists that the page shows: which topics, the first documents of every system, and the words they begin with.

A page has room for so many ranks, so with many systems only some topics have their lists: the hardest ones, then those
on which the systems differ most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..comparison.overview import first_documents
from ..core.document import Document
from ..core.qrels import Qrels
from ..core.run import Run
from .findings import DocumentExtract, Findings, VersionFindings

DEPTH = 10
"""Documents of a list."""
HARDEST = 8
"""Topics that come first because all systems do badly on them."""
RANKS = 12_000
"""Systems × topics × documents of one version."""
EXTRACTS = 1500
"""Documents with their first words, over all versions."""
TITLE, WORDS = 120, 240
"""Characters of a title, and of the text after it."""


class ListedDocument(NamedTuple):
    """A document in a ranked list that stands beside another one."""

    rank: int
    document: str
    grade: int | None
    """None if nobody judged it."""
    beside: int | None
    """Its rank in the other list; None if it is not there."""
    extract: DocumentExtract

    @property
    def moved(self) -> int:
        """By how many places it stands higher than in the other list; 0 if it is not there."""
        return 0 if self.beside is None else self.beside - self.rank


def beside(
    documents: Sequence[str],
    other: Mapping[str, int],
    grades: Mapping[str, int],
    extract: Callable[[str], DocumentExtract],
) -> tuple[ListedDocument, ...]:
    """A ranked list beside another, of which the rank of each document is known."""
    return tuple(
        ListedDocument(rank, name, grades.get(name), other.get(name), extract(name))
        for rank, name in enumerate(documents, 1)
    )


def ranked_lists(part: VersionFindings, runs: Mapping[str, Run]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The first documents of each system for the topics that are shown, by topic."""
    most = max(1, RANKS // (DEPTH * len(part.systems)))
    topics = [part.topics[t] for t in topics_to_show(part, most)]
    lists = [list(first_documents(runs[system], topics, DEPTH)) for system in part.systems]
    return {topic: tuple(rows[t] for rows in lists) for t, topic in enumerate(topics)}


def topics_to_show(part: VersionFindings, most: int) -> list[int]:
    """At most so many topics: the hardest first, then by how far the systems are apart."""
    hardest = part.hardest[: min(HARDEST, most)]
    values = part.values
    known = ~np.isnan(values)
    highest = np.where(known, values, -np.inf).max(axis=0)
    lowest = np.where(known, values, np.inf).min(axis=0)
    spread = np.where(known.any(axis=0), highest - lowest, -1.0)
    others = [int(t) for t in np.argsort(-spread, kind="stable")]
    return list(dict.fromkeys([*hardest, *others]))[:most]


def grades_of(judgments: Qrels, topics: Iterable[str]) -> dict[str, dict[str, int]]:
    """The grade of every judged document of these topics."""
    grades: dict[str, dict[str, int]] = {}
    for topic in topics:
        place = judgments.position.get(topic)
        if place is None:
            continue
        low, high = judgments.offsets[place : place + 2].tolist()
        rows = zip(judgments.documents[low:high], judgments.grades[low:high].tolist(), strict=True)
        grades[topic] = {document: int(grade) for document, grade in rows if grade >= 0}
    return grades


def documents_to_quote(findings: Findings) -> list[str]:
    """Documents that the page names, the most prominent first, as many as it has room to quote."""
    wanted: dict[str, None] = {}
    for part in findings.parts:
        for topic in list(part.lists)[:HARDEST]:
            wanted |= dict.fromkeys(findings.relevant.get(topic, ())[:3])
            wanted |= dict.fromkeys(rows[0] for rows in part.lists[topic] if rows)
    for part in findings.parts:
        shown = [part.place[system] for system in part.main_pair or part.systems[:1]]
        order = list(dict.fromkeys([*shown, *part.order]))
        for s in order:
            for lists in part.lists.values():
                wanted |= dict.fromkeys(lists[s])
            if len(wanted) >= EXTRACTS:
                return list(wanted)[:EXTRACTS]
    return list(wanted)[:EXTRACTS]


def extract_of(document: Document) -> DocumentExtract:
    """The title of a document and the words that its text begins with, both cut after a word."""
    title = " ".join(document.title[: 4 * TITLE].split())
    if title == document.id:  # which is shown anyway
        title = ""
    text = " ".join(document.text[: 4 * (TITLE + WORDS)].split())
    if title and text.startswith(title):
        text = text[len(title) :].lstrip(" .:-")
    return DocumentExtract(_first_words(title, TITLE), _first_words(text, WORDS))


def _first_words(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    at = cut.rfind(" ")
    return f"{cut[:at] if at > most // 2 else cut}…"
