"""Nugget assignments: which facts of a good answer an answer has, and the scores that follow.

A nugget is a fact; it is vital or okay for its topic, and an answer supports it, supports it in part, or does not. The
scores are those of the AutoNuggetizer (TREC 2024 RAG track):

    all       (S + P/2) / N               over all nuggets
    vital     (S + P/2) / N               over the vital ones
    weighted  Σ w (S + P/2) / Σ w         w = 1 for a vital nugget and 1/2 for an okay one

where S nuggets are supported and P in part. The strict ones do not count P.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from .errors import ConflictError, DataError
from .note import Note
from .scores import Column, Scores
from .strings import encode

VITAL, OKAY = "vital", "okay"
SUPPORT, PARTIAL, NOT = "support", "partial_support", "not_support"
FAILED = "failed"
"""What the program writes where its language model gave no label: such a nugget is neither vital nor okay, and not
supported."""

IMPORTANCE = {VITAL: VITAL, OKAY: OKAY, "ok": OKAY, FAILED: FAILED, "fail": FAILED}
ASSIGNMENT = {
    SUPPORT: SUPPORT,
    "supported": SUPPORT,
    "full_support": SUPPORT,
    PARTIAL: PARTIAL,
    "partial": PARTIAL,
    "partially_supported": PARTIAL,
    NOT: NOT,
    "no_support": NOT,
    "not_supported": NOT,
    "none": NOT,
    FAILED: FAILED,
    "fail": FAILED,
}
"""Labels that are understood, and what each means."""

PARTIAL_WORTH = 0.5
OKAY_WEIGHT = 0.5

MEASURES = (
    *("strict_vital_score", "strict_weighted_score", "strict_all_score"),
    *("vital_score", "weighted_score", "all_score"),
)


class Assignment(NamedTuple):
    """One nugget of a topic, and what the answer of a system has of it."""

    system: str
    topic: str
    nugget: str
    importance: str
    assignment: str


@dataclass(frozen=True, repr=False)
class NuggetAssignments:
    """Assignments of the nuggets of topics to the answers of systems."""

    rows: tuple[Assignment, ...]
    answers: tuple[tuple[str, str], ...]
    """(system, topic) of every answer; one without a nugget scores 0."""

    @classmethod
    def of(cls, rows: Iterable[Assignment], answers: Iterable[tuple[str, str]] = (), source: str = "nuggets") -> Self:
        """From rows, in their order, and answers that may have no nugget."""
        given = tuple(rows)
        every = dict.fromkeys([*answers, *((row.system, row.topic) for row in given)])
        if not every:
            raise DataError(f"{source}: empty: there is no assignment")
        return cls(given, tuple(every))

    @classmethod
    def join(cls, several: Sequence[NuggetAssignments]) -> Self:
        """Those of several files; an error if two have the answer of one system to one topic."""
        seen: set[tuple[str, str]] = set()
        for each in several:
            if twice := seen & set(each.answers):
                system, topic = sorted(twice)[0]
                raise ConflictError(f"the answer of {system} to topic {topic} is in two files: give each system a name")
            seen |= set(each.answers)
        rows = [row for each in several for row in each.rows]
        return cls.of(rows, [answer for each in several for answer in each.answers])

    def __repr__(self) -> str:
        systems = len({system for system, _ in self.answers})
        return f"NuggetAssignments({systems:,} systems, {len(self.answers):,} answers, {len(self.rows):,} nuggets)"

    def scores(self, *, complete: bool = False) -> Scores:
        """The six scores of every answer; with ``complete`` a topic that a system did not answer counts 0."""
        systems = tuple(dict.fromkeys(system for system, _ in self.answers))
        topics = tuple(sorted({topic for _, topic in self.answers}, key=encode))
        place = {topic: i for i, topic in enumerate(topics)}, {system: i for i, system in enumerate(systems)}
        values = np.full((len(systems), len(topics), len(MEASURES)), 0.0 if complete else np.nan)
        own: dict[tuple[str, str], list[Assignment]] = {answer: [] for answer in self.answers}
        for row in self.rows:
            own[row.system, row.topic].append(row)
        for (system, topic), nuggets in own.items():
            values[place[1][system], place[0][topic]] = scores_of(nuggets)
        columns = tuple(Column(name, name) for name in MEASURES)
        return Scores(values, systems, topics, columns, notes=tuple(self._notes(own)))

    def _notes(self, own: dict[tuple[str, str], list[Assignment]]) -> Iterable[Note]:
        failed = sum(FAILED in (row.importance, row.assignment) for row in self.rows)
        if failed:
            yield Note.of("nuggets_failed", count=failed, total=len(self.rows))
        without = sorted({topic for (_, topic), rows in own.items() if all(row.importance != VITAL for row in rows)})
        if without:
            yield Note.of("topics_without_vital", topics=without)
        sets: dict[str, set[tuple[tuple[str, str], ...]]] = {}
        for (_, topic), rows in own.items():
            sets.setdefault(topic, set()).add(tuple(sorted((row.nugget, row.importance) for row in rows)))
        if different := [topic for topic, seen in sets.items() if len(seen) > 1]:
            yield Note.of("nuggets_differ", topics=sorted(different))


def scores_of(nuggets: Sequence[Assignment]) -> list[float]:
    """The six scores of one answer, in the order of :data:`MEASURES`."""
    vital = np.array([row.importance == VITAL for row in nuggets], bool)
    okay = np.array([row.importance == OKAY for row in nuggets], bool)
    whole = np.array([row.assignment == SUPPORT for row in nuggets], float)
    part = whole + PARTIAL_WORTH * np.array([row.assignment == PARTIAL for row in nuggets], float)
    weights = vital.astype(float), vital + OKAY_WEIGHT * okay, np.ones(len(nuggets))
    return [
        float((weight * support).sum() / weight.sum()) if weight.sum() else 0.0
        for support in (whole, part)
        for weight in weights
    ]
