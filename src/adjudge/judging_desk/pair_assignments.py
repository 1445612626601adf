"""Pairs that are for somebody: PROJECT/pairs.tsv, a line for each with topic, document and assessor, tabs between them.

    # topic  document  assessor
    1\td7\tAda
    1\td7\tGrace Hopper

A pair with two names is judged by both. A pair that nobody has here is judged as topics are assigned.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ..collection.workbench.events import check_name
from ..core.errors import DataError, at, did_you_mean
from ..storage.access import reading

PAIRS = "pairs.tsv"
COLUMNS = 3


@dataclass(frozen=True)
class PairAssignments:
    """Who judges which pairs."""

    people: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """{topic: {document: assessors}}."""

    def names(self, topic: str, document: str) -> tuple[str, ...]:
        """Those who judge a pair; none if it is for nobody in particular."""
        return self.people.get(topic, {}).get(document, ())

    @cached_property
    def count(self) -> int:
        """How many pairs are for somebody."""
        return sum(map(len, self.people.values()))

    @cached_property
    def shared(self) -> int:
        """How many of them are for two people or more."""
        return sum(len(names) > 1 for documents in self.people.values() for names in documents.values())

    @cached_property
    def _topics(self) -> dict[str, dict[str, None]]:
        topics: dict[str, dict[str, None]] = {}
        for topic, documents in self.people.items():
            for names in documents.values():
                for who in names:
                    topics.setdefault(who, {})[topic] = None
        return topics

    def topics_of(self, who: str) -> Collection[str]:
        """The topics in which somebody has pairs."""
        return self._topics.get(who, {})


NO_PAIRS = PairAssignments()


def read_pair_assignments(path: Path, topics: Collection[str]) -> PairAssignments:
    """The lines of a file; one that says nothing is named with its number."""
    with reading(path):
        lines = path.read_bytes().split(b"\n")
    people: dict[str, dict[str, tuple[str, ...]]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith(b"#"):
            continue
        try:
            fields = [each.strip() for each in line.decode("utf-8").split("\t")]
        except UnicodeDecodeError:
            raise DataError(at(str(path), number, "not UTF-8", line)) from None
        if len(fields) != COLUMNS or not all(fields):
            why = "topic, document and assessor are expected, with tabs between them"
            raise DataError(at(str(path), number, why, line))
        topic, document, who = fields
        if topic not in topics:
            guess = did_you_mean(topic, list(topics))
            raise DataError(at(str(path), number, f"topic {topic!r} is not in the pool{guess}", line))
        own = people.setdefault(topic, {})
        try:
            own[document] = tuple(dict.fromkeys((*own.get(document, ()), check_name(who))))
        except DataError as error:
            raise DataError(at(str(path), number, str(error), line)) from None
    return PairAssignments(people)


def line_of(path: Path, topic: str, document: str) -> int | None:
    """The number of the first line that names a pair; None if no line does."""
    if not path.is_file():
        return None
    with reading(path):
        lines = path.read_bytes().split(b"\n")
    wanted = [topic, document]
    for number, line in enumerate(lines, 1):
        if [each.strip() for each in line.decode("utf-8", "replace").split("\t")][:2] == wanted:
            return number
    return None
