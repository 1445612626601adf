"""Spans as judgments: which characters of a document answer a topic, and runs that retrieve passages.

A span is a document with the place of its first character, counted from 0, and the place behind its last one, as slices
of Python have it; whether characters are code points or bytes is up to whoever counts, in judgments and runs alike. A
run has passages for documents: the id is ``DOCUMENT:FROM-TO``, ``FR94-12:480-960``.

Order, ties and topics are decided where they are for documents (judged.py). All passages of a topic are laid out on one
line, each document in a region of its own, so that characters are counted by adding up lengths and none one by one.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from .errors import ConflictError, DataError, SpecError
from .judged import UNJUDGED, Floats, Ints, JudgedRun, judge, ordinal, pool_of
from .judging import USUAL, Judging
from .measure import Measure
from .qrels import Qrels
from .run import Run
from .spec import is_count, is_number, require
from .strings import Strings, encode

PASSAGE = re.compile(r"(.+):(\d{1,15})-(\d{1,15})", re.DOTALL)
FARTHEST = 10**15
"""No document has so many characters."""


def passage_id(document: str, begin: int, end: int) -> str:
    """The id of a passage in a run.

    >>> passage_id("d7", 10, 25)
    'd7:10-25'
    """
    return f"{document}:{begin}-{end}"


def why_no_span(document: str, begin: int, end: int, length: int | None) -> str:
    """What is wrong with a span; empty if nothing is."""
    if begin < 0:
        return f"the span of document {document} begins at {begin}, before its first character, which is 0"
    if begin >= end:
        return f"the span {begin}-{end} of document {document} has no character: from must be less than to"
    if end > (FARTHEST if length is None else length):
        has = f"{FARTHEST:,} characters at most" if length is None else f"{length:,} characters"
        return f"the span {begin}-{end} of document {document} ends beyond the document, which has {has}"
    return ""


@dataclass(frozen=True, eq=False, repr=False)
class SpanQrels:
    """Judgments (topic, document, from, to, grade); spans may overlap, and their characters count once."""

    spans: Qrels
    """Every judged span as a passage of its topic, with its grade."""
    document: tuple[str, ...]
    begin: Ints
    end: Ints
    lengths: Mapping[str, int] = field(default_factory=dict)
    """Characters of documents, as far as they are known: no span may end behind them."""

    @classmethod
    def of_rows(
        cls,
        rows: Sequence[tuple[str, str, int, int, int]],
        lengths: Mapping[str, int] | None = None,
        source: str = "span judgments",
    ) -> Self:
        """From rows (topic, document, from, to, grade); checked."""
        known = dict(lengths or {})
        judged: dict[tuple[str, str, int, int], int] = {}
        repeated = 0
        for topic, document, begin, end, grade in rows:
            if why := why_no_span(document, begin, end, known.get(document)):
                raise DataError(f"{source}: topic {topic}: {why}")
            if abs(grade) >= 2**31:
                raise DataError(f"{source}: topic {topic}: the grade {grade} of a span does not fit into 32 bits")
            before = judged.setdefault((topic, document, begin, end), grade)
            if before != grade:
                two = f"{before} and {grade} in topic {topic}"
                raise ConflictError(f"{source}: the span {passage_id(document, begin, end)} has grades {two}")
            repeated += 1
        if not judged:
            raise DataError(f"{source}: empty: there is no judgment")
        order = {topic: i for i, topic in enumerate(dict.fromkeys(topic for topic, *_ in judged))}
        kept = sorted(judged, key=lambda key: order[key[0]])
        topics, documents, begins, ends = zip(*kept, strict=True)
        spans = Qrels.of_codes(
            np.fromiter((order[topic] for topic in topics), np.int64, len(kept)),
            list(order),
            Strings.of([passage_id(*key[1:]) for key in kept]),
            np.fromiter((judged[key] for key in kept), np.int32, len(kept)),
            repeated=repeated - len(judged),
        )
        return cls(spans, documents, np.array(begins, np.int64), np.array(ends, np.int64), known)

    def __len__(self) -> int:
        return len(self.spans)

    def __repr__(self) -> str:
        return f"SpanQrels({len(self.spans.topics):,} topics, {len(self):,} spans)"

    def __eq__(self, other: object) -> bool:
        """The same judgments, in whatever order."""
        return isinstance(other, SpanQrels) and set(self.rows()) == set(other.rows())

    __hash__ = None  # type: ignore[assignment]

    def rows(self) -> Iterator[tuple[str, str, int, int, int]]:
        """(topic, document, from, to, grade), topic by topic."""
        columns = (self.document, self.begin.tolist(), self.end.tolist(), self.spans.grades.tolist())
        yield from zip(self.spans.topic_column(), *columns, strict=True)

    @cached_property
    def judged_documents(self) -> frozenset[tuple[str, str]]:
        """(topic, document) of all that somebody judged."""
        return frozenset(zip(self.spans.topic_column(), self.document, strict=True))


class Passages(NamedTuple):
    """Retrieved passages or judged spans on the line, each at its place."""

    topic: Ints
    begin: Ints
    end: Ints


class Stretches(NamedTuple):
    """Pieces of the line that are relevant or not as a whole, by topic and by the first passage that retrieves them."""

    topic: Ints
    rank: Ints
    """The rank of the first passage that has them."""
    length: Ints
    relevant: Any


@dataclass(frozen=True, eq=False)
class JudgedSpans:
    """A run of passages judged by spans: the one thing that measures of passages see."""

    plain: JudgedRun
    """The passages by rank; the grade of one is the highest of the spans that it overlaps, 0 if it overlaps none, and
    it is unjudged if nobody judged its document. The pool is that of the spans."""
    passages: Passages
    """Parallel to the entries of ``plain``."""
    spans: Passages
    grade: Ints
    """Of each span."""

    @property
    def name(self) -> str:
        return self.plain.name

    @property
    def topics(self) -> tuple[str, ...]:
        return self.plain.topics

    @property
    def level(self) -> int:
        return self.plain.level

    @cached_property
    def _views(self) -> dict[tuple[int | None, int | None], JudgedSpans]:
        return {}

    def cut(self, k: int | None, chars: int | None) -> JudgedSpans:
        """The first k passages of each topic, or what a reader sees of them who stops after so many characters."""
        if k is None and chars is None:
            return self
        if (k, chars) not in self._views:
            lengths = self.passages.end - self.passages.begin
            topic = self.plain.topic
            ends = np.cumsum(lengths)
            firsts = np.searchsorted(topic, topic, "left")
            before = (ends - lengths) - (ends - lengths)[firsts] if len(topic) else ends
            left = np.maximum(0, (FARTHEST if chars is None else chars) - before)
            end = self.passages.begin + np.minimum(lengths, left)
            near = (self.plain.rank <= (k or FARTHEST)) & (end > self.passages.begin)
            columns = Passages(topic[near], self.passages.begin[near], end[near])
            entries = {name: getattr(self.plain, name)[near] for name in ("topic", "rank", "grade")}
            self._views[k, chars] = replace(self, plain=replace(self.plain, **entries), passages=columns)
        return self._views[k, chars]

    def retrieved(self) -> Floats:
        """Characters of the passages of each topic; one that two passages have counts twice."""
        return self.plain.sum(self.passages.topic, (self.passages.end - self.passages.begin).astype(float))

    def num_relevant(self, level: int) -> Floats:
        """Characters in relevant spans, each counted once."""
        begin, end, topic = self._union(level)
        return self.plain.sum(topic, (end - begin).astype(float))

    def _union(self, level: int) -> tuple[Ints, Ints, Ints]:
        """Relevant spans with those joined that overlap."""
        relevant = self.grade >= level
        begin, end, topic = self.spans.begin[relevant], self.spans.end[relevant], self.spans.topic[relevant]
        order = np.argsort(begin, kind="stable")
        begin, end, topic = begin[order], end[order], topic[order]
        farthest = np.maximum.accumulate(end) if len(end) else end
        new = np.ones(len(begin), bool)
        new[1:] = begin[1:] > farthest[:-1]
        last = np.append(np.flatnonzero(new)[1:] - 1, len(begin) - 1) if len(begin) else np.zeros(0, np.int64)
        return begin[new], farthest[last], topic[new]

    def stretches(self, level: int) -> Stretches:
        """The characters that were retrieved, each once, where it was retrieved first; in the order of reading."""
        begin, end, _ = self._union(level)
        points = np.unique(np.concatenate([self.passages.begin, self.passages.end, begin, end]))
        if len(points) < 2 or not len(self.passages.begin):
            none = np.zeros(0, np.int64)
            return Stretches(none, none, none, none.astype(bool))
        seen = np.zeros(len(points), np.int64)
        topic = np.zeros(len(points), np.int64)
        first, last = np.searchsorted(points, self.passages.begin), np.searchsorted(points, self.passages.end)
        order = np.argsort(-self.plain.rank, kind="stable")  # so that the first passage has the last word
        columns = first, last, self.plain.rank, self.plain.topic
        rows = zip(*(column[order].tolist() for column in columns), strict=True)
        for low, high, rank, of in rows:
            seen[low:high] = rank
            topic[low:high] = of
        marks = np.zeros(len(points) + 1, np.int64)
        np.add.at(marks, np.searchsorted(points, begin), 1)
        np.add.at(marks, np.searchsorted(points, end), -1)
        relevant = np.cumsum(marks)[: len(points)] > 0
        lengths = np.append(np.diff(points), 0)
        there = np.flatnonzero(seen > 0)
        there = there[np.lexsort((there, seen[there], topic[there]))]
        return Stretches(topic[there], seen[there], lengths[there], relevant[there])

    def matches(self, level: int, iou: float) -> tuple[Ints, Ints, Ints]:
        """(topic, rank, grade) of the passages that match a relevant span which no passage above matches.

        A passage matches a span if intersection over union is at least ``iou``, and if they have a character in common;
        of several it takes the one with the largest, then the one that begins first.
        """
        relevant = np.flatnonzero(self.grade >= level)
        order = relevant[np.argsort(self.spans.begin[relevant], kind="stable")]
        begins, ends = self.spans.begin[order], self.spans.end[order]
        longest = int((ends - begins).max(initial=0))
        low = np.searchsorted(begins, self.passages.begin - longest, "right")
        high = np.searchsorted(begins, self.passages.end, "left")
        free = np.ones(len(order), bool)
        rows: list[tuple[int, int, int]] = []
        for row in np.flatnonzero(high > low).tolist():
            some = slice(int(low[row]), int(high[row]))
            begin, end = int(self.passages.begin[row]), int(self.passages.end[row])
            shared = np.minimum(ends[some], end) - np.maximum(begins[some], begin)
            share = shared / (np.maximum(ends[some], end) - np.minimum(begins[some], begin))
            fits = free[some] & (shared > 0) & (share >= iou)
            if fits.any():
                best = int(np.argmax(np.where(fits, share, -1.0)))
                free[some.start + best] = False
                grade = int(self.grade[order[some.start + best]])
                rows.append((int(self.plain.topic[row]), int(self.plain.rank[row]), grade))
        columns = np.array(rows, np.int64).reshape(-1, 3)
        return columns[:, 0], columns[:, 1], columns[:, 2]

    def num_spans(self, level: int) -> Ints:
        """Relevant spans of each topic."""
        return self.plain.count(self.spans.topic[self.grade >= level])


def judge_spans(run: Run, judgments: SpanQrels, judging: Judging = USUAL) -> JudgedSpans:
    """Join a run of passages with judgments of spans."""
    names, begin, end = _passages_of(run, judgments.lengths)
    wanted = np.array([topic in judgments.spans.position for topic in run.topics], bool)
    missing = [topic for topic in judgments.spans.topics if topic not in run.position]
    place = np.cumsum(wanted) - 1
    codes = np.repeat(place, np.diff(run.offsets))
    rows = np.flatnonzero(np.repeat(wanted, np.diff(run.offsets)))
    topics = [topic for topic, own in zip(run.topics, wanted, strict=True) if own] + missing
    # A run judged by itself, the row of a passage for its grade: so the one place that ranks documents ranks them.
    itself = Qrels.of_codes(codes[rows], topics, run.documents.take(rows), rows.astype(np.int32))
    ranked = judge(run, itself, replace(judging, depth=None, judged_only=False, collapse=None))
    row, topic = ranked.grade, ranked.topic
    known = np.array(
        [(ranked.topics[t], names[r]) in judgments.judged_documents for t, r in zip(topic, row, strict=True)]
    )
    if judging.judged_only and len(row):
        row, topic = row[known], topic[known]
        known = known[known]
    rank = ordinal(topic, len(ranked.topics))
    near = rank <= (judging.depth or FARTHEST)
    row, topic, rank, known = row[near], topic[near], rank[near], known[near]
    position = {name: i for i, name in enumerate(ranked.topics)}
    own_topic = np.array([position.get(name, -1) for name in judgments.spans.topic_column()], np.int64)
    own = np.flatnonzero(own_topic >= 0)
    documents = [*(names[r] for r in row.tolist()), *(judgments.document[i] for i in own.tolist())]
    base = _regions(np.concatenate([topic, own_topic[own]]), documents, np.concatenate([end[row], judgments.end[own]]))
    passages = Passages(topic, begin[row] + base[: len(row)], end[row] + base[: len(row)])
    shift = base[len(row) :]
    spans = Passages(own_topic[own], judgments.begin[own] + shift, judgments.end[own] + shift)
    grade = judgments.spans.grades[own].astype(np.int64)
    pool_topic, pool_grade, pool_count = pool_of(judgments.spans, list(ranked.topics))
    plain = replace(
        ranked,
        judging=judging,
        num_ret=np.bincount(topic, minlength=len(ranked.topics)),
        topic=topic,
        rank=rank,
        grade=np.where(known, _highest(passages, spans, grade), UNJUDGED),
        pool_topic=pool_topic,
        pool_grade=pool_grade,
        pool_count=pool_count,
        top_grade=max(0, int(judgments.spans.grades.max())),
    )
    return JudgedSpans(plain, passages, spans, grade)


def _passages_of(run: Run, lengths: Mapping[str, int]) -> tuple[list[str], Ints, Ints]:
    """Document, from and to of every line of a run."""
    documents: list[str] = []
    places: list[tuple[int, int]] = []
    for topic, name, _ in run.rows():
        match = PASSAGE.fullmatch(name)
        if match is None:
            form = "measures of passages need ids of the form DOCUMENT:FROM-TO, or columns from and to"
            raise DataError(f"{run.name}: document {name} of topic {topic} has no span: {form}")
        document, begin, end = match[1], int(match[2]), int(match[3])
        if why := why_no_span(document, begin, end, lengths.get(document)):
            raise DataError(f"{run.name}: topic {topic}: {why}")
        documents.append(document)
        places.append((begin, end))
    both = np.array(places, np.int64).reshape(-1, 2)
    return documents, both[:, 0], both[:, 1]


def _regions(topic: Ints, documents: Sequence[str], end: Ints) -> Ints:
    """Where the region of the document of each row begins: topics and documents lie behind each other."""
    seen: dict[tuple[int, bytes], int] = {}
    pairs = zip(topic.tolist(), map(encode, documents), strict=True)
    codes = np.fromiter((seen.setdefault(pair, len(seen)) for pair in pairs), np.int64, len(topic))
    sizes = np.zeros(len(seen), np.int64)
    np.maximum.at(sizes, codes, end + 1)
    return np.asarray((np.cumsum(sizes) - sizes)[codes])


def _highest(passages: Passages, spans: Passages, grade: Ints) -> Ints:
    """The highest grade of the spans that a passage overlaps, 0 if there is none."""
    best = np.zeros(len(passages.begin), np.int64)
    for level in np.unique(grade[grade > 0]).tolist():
        own = grade == level
        begins, ends = np.sort(spans.begin[own]), np.sort(spans.end[own])
        # Spans that begin before a passage ends, less those that end before it begins.
        overlapping = np.searchsorted(begins, passages.end, "left") - np.searchsorted(ends, passages.begin, "right")
        best[overlapping > 0] = level
    return best


@dataclass(frozen=True)
class SpanMeasure(Measure):
    """A measure of passages that was judged by spans.

    ``rel``: the lowest grade of a span that counts as relevant; by default the level by which the run was judged.
    """

    judged_by: ClassVar[str] = "spans"
    group: ClassVar[str] = "passages"

    rel: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        whole = isinstance(self.rel, int) and not isinstance(self.rel, bool) and self.rel >= 0
        require(self, "rel", self.rel is None or whole, "be a grade, a whole number from 0 on")
        iou, chars = getattr(self, "iou", 0.0), getattr(self, "chars", None)
        require(self, "iou", is_number(iou) and 0 <= iou <= 1, "lie between 0 and 1")
        require(self, "chars", chars is None or is_count(chars), "be a whole number of characters, 1 or more")

    def __call__(self, judged: JudgedRun | JudgedSpans) -> Floats:
        if not isinstance(judged, JudgedSpans):
            raise SpecError(f"{self} needs judgments of spans (topic, document, from, to), not plain ones")
        return self.values(judged.cut(getattr(self, "k", None), getattr(self, "chars", None)))

    def level(self, judged: JudgedSpans) -> int:
        return max(0, judged.level if self.rel is None else self.rel)

    @abstractmethod
    def values(self, judged: JudgedSpans) -> Floats:
        """A value for each topic of a run judged by spans, cut at the measure's k and characters."""
