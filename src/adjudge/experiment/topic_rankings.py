"""Two rankings of a topic side by side: what moved, what is relevant, what nobody judged, what both lists lack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from ..comparison.overview import first_documents
from ..core.errors import DataError, SpecError, did_you_mean
from ..core.judging import USUAL, Judging
from ..core.note import Note
from ..core.qrels import Qrels
from ..core.result import Result
from ..core.run import Run
from ..evaluation.measuring import measure
from .findings import DocumentExtract
from .ranked_lists import DEPTH, ListedDocument, beside, grades_of

MISSED = 10
"""Relevant documents that are named because neither list has them at the top."""
WHOLE = 10**9

Extracts = Callable[[Sequence[str]], Mapping[str, DocumentExtract]]
"""Titles and first words of documents by id, of those that are at hand."""


class MissedDocument(NamedTuple):
    """A relevant document that neither list shows, and where each system ranks it."""

    document: str
    grade: int
    ranks: tuple[int | None, int | None]
    extract: DocumentExtract = DocumentExtract("", "")


@dataclass(frozen=True)
class TopicRankings(Result):
    """The rankings of two systems for one topic."""

    topic: str
    question: str
    """Empty if it is not known."""
    systems: tuple[str, str]
    lists: tuple[tuple[ListedDocument, ...], tuple[ListedDocument, ...]]
    """The first documents of each; the rank of each in the whole of the other list."""
    depth: int
    level: int
    """The lowest grade that counts as relevant."""
    graded: bool
    """Whether relevant documents have different grades."""
    values: Mapping[str, tuple[float, float]]
    """Each measure on this topic, by system."""
    relevant: int
    """Relevant documents of the topic."""
    missed: tuple[MissedDocument, ...] = ()
    """Relevant documents that neither list shows, the highest grade first."""
    missed_more: int = 0
    """Further such documents."""
    notes: tuple[Note, ...] = field(default=())

    @property
    def shared(self) -> int:
        """Documents that both lists show."""
        first, second = ({row.document for row in rows} for rows in self.lists)
        return len(first & second)

    @property
    def unjudged(self) -> tuple[int, int]:
        """Documents shown of each system that nobody judged."""
        first, second = (sum(row.grade is None for row in rows) for rows in self.lists)
        return first, second

    def conclusion(self) -> str:
        """What the two lists have in common, which is better here, and how far the judgments go."""
        from ..core.presentation import conclusion_of

        return conclusion_of(self)


def compare_topic(
    judgments: Qrels,
    runs: Mapping[str, Run],
    topic: str,
    measures: Sequence[str] = ("ap",),
    *,
    depth: int = DEPTH,
    judging: Judging = USUAL,
    questions: Mapping[str, str] | None = None,
    extracts: Extracts | None = None,
) -> TopicRankings:
    """Show two rankings of a topic side by side, with grades, and with titles and first words if there are texts."""
    if len(runs) != 2:
        raise SpecError(f"two runs are shown side by side, not {len(runs)}: name two")
    if depth < 1:
        raise SpecError(f"depth must be 1 or more, not {depth}")
    a, b = runs
    known = list(dict.fromkeys(name for run in runs.values() for name in run.topics))
    if topic not in known:
        everywhere = list(dict.fromkeys([*known, *judgments.topics]))
        if topic in everywhere:
            raise DataError(f"neither {a} nor {b} has a document for topic {topic}")
        raise DataError(f"no topic {topic!r} in {a} or {b}{did_you_mean(topic, everywhere)}")
    whole = [next(iter(first_documents(runs[name], [topic], WHOLE))) for name in (a, b)]
    grades = grades_of(judgments, [topic]).get(topic, {})
    places = [{name: rank for rank, name in enumerate(rows, 1)} for rows in whole]
    shown = {name for rows in whole for name in rows[:depth]}
    relevant = sorted((name for name, grade in grades.items() if grade >= judging.level), key=lambda n: (-grades[n], n))
    absent = [name for name in relevant if name not in shown]
    few = absent[:MISSED]
    texts = extracts([*dict.fromkeys(name for rows in whole for name in rows[:depth]), *few]) if extracts else {}
    blank = DocumentExtract("", "")
    lists = tuple(beside(whole[n][:depth], places[1 - n], grades, lambda name: texts.get(name, blank)) for n in (0, 1))
    values, notes = _values(judgments, runs, topic, measures, judging)
    if extracts and not texts:
        notes.append(Note.of("texts_of_none", topic))
    return TopicRankings(
        topic=topic,
        question=(questions or {}).get(topic, ""),
        systems=(a, b),
        lists=(lists[0], lists[1]),
        depth=depth,
        level=judging.level,
        graded=len({grade for grade in grades.values() if grade >= judging.level}) > 1,
        values=values,
        relevant=len(relevant),
        missed=tuple(
            MissedDocument(name, grades[name], (places[0].get(name), places[1].get(name)), texts.get(name, blank))
            for name in few
        ),
        missed_more=len(absent) - len(few),
        notes=tuple(notes),
    )


def _values(
    judgments: Qrels, runs: Mapping[str, Run], topic: str, measures: Sequence[str], judging: Judging
) -> tuple[dict[str, tuple[float, float]], list[Note]]:
    """The measures of both runs on the topic; none, and a note, if nobody judged it."""
    place = judgments.position.get(topic)
    if place is None:
        return {}, [Note.of("topics_unjudged", "qrels", topics=[topic])]
    scores = measure(judgments, dict(runs), list(measures), judging=replace(judging, complete=True))
    row = scores.topics.index(topic)
    values = {column.name: np.asarray(scores.values[:, row, m]) for m, column in enumerate(scores.columns)}
    return {name: (float(both[0]), float(both[1])) for name, both in values.items()}, []
