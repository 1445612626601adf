"""Subtopic judgments: which aspect of a topic a document is about, as in the diversity task of TREC's web track.

A topic has subtopics (intents, nuggets), and a document has a grade for each of them that somebody judged. A run judged
by them is the one thing that measures of diversity and novelty see. Order, ties, depth and topics are decided where
they are for plain judgments (judged.py): a document is judged if it was judged for any subtopic.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from .errors import ConflictError, DataError, SpecError
from .judged import Floats, Ints, JudgedRun, ordinal, pool_of
from .measure import Measure
from .qrels import Qrels
from .spec import is_number, require
from .strings import Strings, encode


@dataclass(frozen=True, eq=False, repr=False)
class SubtopicQrels:
    """Judgments (topic, subtopic, document, grade). A negative grade says that the document was not judged."""

    documents: Qrels
    """Every judged document once in its topic, in byte order, with its number among all of them in place of a grade."""
    subtopics: tuple[tuple[str, str], ...]
    """(topic, subtopic) of every subtopic that somebody judged."""
    starts: Ints
    """The judgments of document d are rows starts[d] to starts[d + 1]."""
    subtopic: Ints
    grade: Ints
    repeated: int = 0
    """Judgments that the source had twice with the same grade; each is counted once."""

    @classmethod
    def of_columns(
        cls,
        topics: Sequence[str],
        subtopics: Sequence[str],
        documents: Sequence[str],
        grades: Sequence[int] | Ints,
        source: str = "subtopic judgments",
    ) -> SubtopicQrels:
        """From four columns of equal length, one row each; checked."""
        if not len(topics) == len(subtopics) == len(documents) == len(grades):
            raise DataError(f"{source}: columns of topics, subtopics, documents and grades are not of one length")
        judged: dict[tuple[str, str, str], int] = {}
        repeated = 0
        for topic, subtopic, document, grade in zip(topics, subtopics, documents, map(int, grades), strict=True):
            known = judged.setdefault((topic, document, subtopic), grade)
            if known != grade:
                two = f"{known} and {grade} for subtopic {subtopic} of topic {topic}"
                raise ConflictError(f"{source}: document {document} has grades {two}")
            repeated += 1
        repeated -= len(judged)
        rows = [(key, grade) for key, grade in judged.items() if grade >= 0]
        if not rows:
            raise DataError(f"{source}: empty: there is no judgment")
        order = {topic: i for i, topic in enumerate(dict.fromkeys(topics))}
        named = sorted({(t, s) for (t, _, s), _ in rows}, key=lambda pair: (order[pair[0]], encode(pair[1])))
        number = {pair: i for i, pair in enumerate(named)}
        rows.sort(key=lambda row: (order[row[0][0]], encode(row[0][1]), number[row[0][0], row[0][2]]))
        pairs = list(dict.fromkeys((topic, document) for (topic, document, _), _ in rows))
        place = {pair: i for i, pair in enumerate(pairs)}
        of_document = np.fromiter((place[t, d] for (t, d, _), _ in rows), np.int64, len(rows))
        starts = np.zeros(len(pairs) + 1, np.int64)
        np.cumsum(np.bincount(of_document, minlength=len(pairs)), out=starts[1:])
        present = [topic for topic in order if any(pair[0] == topic for pair in named)]
        codes = {topic: i for i, topic in enumerate(present)}
        return cls(
            documents=Qrels.of_codes(
                np.fromiter((codes[topic] for topic, _ in pairs), np.int64, len(pairs)),
                present,
                Strings.of([document for _, document in pairs]),
                np.arange(len(pairs), dtype=np.int32),
            ),
            subtopics=tuple(named),
            starts=starts,
            subtopic=np.fromiter((number[t, s] for (t, _, s), _ in rows), np.int64, len(rows)),
            grade=np.fromiter((grade for _, grade in rows), np.int64, len(rows)),
            repeated=repeated,
        )

    def __len__(self) -> int:
        return len(self.grade)

    def __repr__(self) -> str:
        topics = len(self.documents.topics)
        return f"SubtopicQrels({topics:,} topics, {len(self.subtopics):,} subtopics, {len(self):,} rows)"

    def __eq__(self, other: object) -> bool:
        """The same judgments, in whatever order."""
        return isinstance(other, SubtopicQrels) and set(self.rows()) == set(other.rows())

    __hash__ = None  # type: ignore[assignment]

    def rows(self) -> Iterator[tuple[str, str, str, int]]:
        """(topic, subtopic, document, grade), topic by topic."""
        for topic, document, place in self.documents.rows():
            for row in range(int(self.starts[place]), int(self.starts[place + 1])):
                yield topic, self.subtopics[int(self.subtopic[row])][1], document, int(self.grade[row])

    @cached_property
    def union(self) -> Qrels:
        """Plain judgments: the highest grade that a document has for any subtopic of the topic."""
        highest = np.maximum.reduceat(self.grade, self.starts[:-1])
        return Qrels(self.documents.topics, self.documents.offsets, self.documents.documents, highest)

    @cached_property
    def topic_of_subtopic(self) -> Ints:
        """The place of each subtopic's topic in ``documents.topics``."""
        position = self.documents.position
        return np.fromiter((position[topic] for topic, _ in self.subtopics), np.int64, len(self.subtopics))

    @cached_property
    def _ideal(self) -> dict[tuple[int, float, int, str], tuple[Ints, Ints]]:
        return {}

    def ideal_order(self, level: int, alpha: float, depth: int, topic: str) -> tuple[Ints, Ints]:
        """The documents of a topic in an order that gains most at every rank, as (rank, document), as far as depth.

        The best order is a hard problem; as in ndeval the next document is always the one that gains most, where a
        subtopic that was seen n times counts (1 − α)^n, and among equals the last in byte order.
        """
        key = (level, alpha, depth, topic)
        if key not in self._ideal:
            self._ideal[key] = self._greedy(level, alpha, depth, self.documents.position[topic])
        return self._ideal[key]

    def _greedy(self, level: int, alpha: float, depth: int, t: int) -> tuple[Ints, Ints]:
        """Documents that are relevant for the same subtopics gain the same: one of each kind is looked at a time."""
        first, last = int(self.documents.offsets[t]), int(self.documents.offsets[t + 1])
        kinds: dict[tuple[int, ...], list[int]] = {}
        for place in range(first, last):
            rows = slice(int(self.starts[place]), int(self.starts[place + 1]))
            covered = tuple(self.subtopic[rows][self.grade[rows] >= level].tolist())
            if covered:
                kinds.setdefault(covered, []).append(place)
        base = min((min(covered) for covered in kinds), default=0)
        width = max((max(covered) for covered in kinds), default=-1) + 1 - base
        covers = np.zeros((len(kinds), max(width, 0)))
        for i, covered in enumerate(kinds):
            covers[i, np.array(covered) - base] = 1.0
        waiting = list(kinds.values())
        head = np.array([places[-1] for places in waiting], np.int64)
        worth = np.ones(max(width, 0))
        chosen: list[int] = []
        for _ in range(min(depth, sum(map(len, waiting)))):
            gain = np.zeros(len(waiting))
            for j in range(len(worth)):  # added up in the order of the subtopics, as ndeval does
                gain += covers[:, j] * worth[j]
            gain[head < 0] = -1.0
            best = np.flatnonzero(gain == gain.max())
            i = int(best[np.argmax(head[best])])
            chosen.append(waiting[i].pop())
            head[i] = waiting[i][-1] if waiting[i] else -1
            worth[covers[i] > 0] *= 1.0 - alpha
        return np.arange(1, len(chosen) + 1), np.array(chosen, np.int64)


class Covered(NamedTuple):
    """Documents of rankings with the subtopics that they are relevant for, one row each, by topic and rank."""

    topic: Ints
    rank: Ints
    subtopic: Ints
    grade: Ints

    @property
    def seen(self) -> Ints:
        """How many documents above are relevant for the same subtopic."""
        order = np.argsort(self.subtopic, kind="stable")
        _, codes = np.unique(self.subtopic, return_inverse=True)
        places = np.empty(len(order), np.int64)
        places[order] = ordinal(codes[order], int(codes.max(initial=-1)) + 1) - 1
        return places

    def within(self, k: int | None) -> Covered:
        if k is None:
            return self
        near = self.rank <= k
        return Covered(*(column[near] for column in self))


@dataclass(frozen=True, eq=False)
class JudgedSubtopics:
    """A run judged by subtopics: the documents of ``plain`` are the judged ones, with their places in ``judgments``."""

    plain: JudgedRun
    """The same run judged by the highest grade of each document."""
    document: Ints
    judgments: SubtopicQrels

    @classmethod
    def of(cls, judged: JudgedRun, judgments: SubtopicQrels) -> JudgedSubtopics:
        """From a run that was judged by ``judgments.documents``."""
        union = judgments.union
        pool_topic, pool_grade, pool_count = pool_of(union, list(judged.topics))
        plain = replace(
            judged,
            grade=union.grades[judged.grade].astype(np.int64),
            pool_topic=pool_topic,
            pool_grade=pool_grade,
            pool_count=pool_count,
            top_grade=max(0, int(union.grades.max())),
        )
        return cls(plain, judged.grade, judgments)

    @property
    def topics(self) -> tuple[str, ...]:
        return self.plain.topics

    @property
    def level(self) -> int:
        return self.plain.level

    def condense(self) -> JudgedSubtopics:
        """The judged documents alone; those below a document that was dropped move up."""
        return replace(self, plain=self.plain.condense())  # all that is here is judged

    def covered(self, level: int) -> Covered:
        """What the retrieved documents are relevant for."""
        return self.expand(self.plain.topic, self.plain.rank, self.document, level)

    def expand(self, topic: Ints, rank: Ints, document: Ints, level: int) -> Covered:
        """Documents of rankings with all subtopics that they are relevant for."""
        starts = self.judgments.starts
        counts = starts[document + 1] - starts[document]
        of = np.repeat(np.arange(len(document)), counts)
        rows = starts[document][of] + ordinal(of, len(document)) - 1
        relevant = self.judgments.grade[rows] >= level
        of, rows = of[relevant], rows[relevant]
        return Covered(topic[of], rank[of], self.judgments.subtopic[rows], self.judgments.grade[rows])

    def ideal(self, level: int, alpha: float, depth: int) -> Covered:
        """The same for an ideal ranking of each topic."""
        best = [self.judgments.ideal_order(level, alpha, depth, topic) for topic in self.topics]
        topic = np.repeat(np.arange(len(best)), [len(rank) for rank, _ in best])
        none = np.zeros(0, np.int64)
        rank = np.concatenate([none, *(rank for rank, _ in best)])
        return self.expand(topic, rank, np.concatenate([none, *(place for _, place in best)]), level)

    def num_subtopics(self, level: int) -> Ints:
        """How many subtopics of each topic have a relevant document at all; others do not count."""
        rows = self.judgments.grade >= level
        there = np.unique(self.judgments.subtopic[rows])
        position = self.judgments.documents.position
        counts = np.bincount(self.judgments.topic_of_subtopic[there], minlength=len(position))
        return counts[[position[topic] for topic in self.topics]] if self.topics else np.zeros(0, np.int64)

    def num_rel(self, level: int) -> Ints:
        """How many documents are relevant for each subtopic, by its number."""
        rows = self.judgments.grade >= level
        return np.bincount(self.judgments.subtopic[rows], minlength=len(self.judgments.subtopics))

    def sum(self, topics: Ints, values: Floats) -> Floats:
        return self.plain.sum(topics, values)


@dataclass(frozen=True)
class SubtopicMeasure(Measure):
    """A measure of a run that was judged by subtopics.

    ``rel``: the lowest grade that counts as relevant for a subtopic; by default the level by which the run was judged.
    ``judged_only``: documents that were judged for no subtopic are dropped, and those below them move up (false).
    """

    judged_by: ClassVar[str] = "subtopics"
    group: ClassVar[str] = "diversity"

    rel: int | None = field(default=None, kw_only=True)
    judged_only: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        whole = isinstance(self.rel, int) and not isinstance(self.rel, bool) and self.rel >= 0
        require(self, "rel", self.rel is None or whole, "be a grade, a whole number from 0 on")
        require(self, "judged_only", isinstance(self.judged_only, bool), "be true or false")
        for name in ("alpha", "beta", "gamma"):
            value = getattr(self, name, 0.5)
            high = 1 if name != "beta" else 1 - 1e-12
            require(self, name, is_number(value) and 0 <= value <= high, "lie between 0 and 1")

    def __call__(self, judged: JudgedRun | JudgedSubtopics) -> Floats:
        if not isinstance(judged, JudgedSubtopics):
            raise SpecError(f"{self} needs subtopic judgments (topic, subtopic, document, grade), not plain ones")
        return self.values(judged.condense() if self.judged_only else judged)

    def level(self, judged: JudgedSubtopics) -> int:
        return judged.level if self.rel is None else self.rel

    @abstractmethod
    def values(self, judged: JudgedSubtopics) -> Floats:
        """A value for each topic of a run judged by subtopics."""
