"""Searching an index with a weighting: the best documents for queries, one by one or for a set of topics."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.errors import DataError, SpecError
from ..core.kernel import THREADS, parts_for, together
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..core.result import Result
from ..core.run import Run
from ..core.spec import is_count
from ..core.strings import Strings
from ..weighting.scheme import Clause, TermCounts, Weighting, weightings
from . import accumulation
from .accumulation import PackedQuery, WeightedQuery
from .explanation import Explanation, explain
from .index import Index
from .query import Query
from .saturation import LengthNorms, TermOutline, numbered_lengths
from .whole import Whole

Floats = npt.NDArray[np.float64]
CACHE = 32_000_000
"""Postings whose weights are kept for the next query."""
OUTLINES = 8_000_000
"""Blocks of postings whose outlines are kept."""
SHOWN = 5
TOGETHER = 64
"""Queries that a thread answers in one go."""
MANY = 1 << 17
"""Documents from which on it pays to leave out those that cannot be among the best."""
EACH = 1 << 10
"""Documents for each that is asked for: with fewer, adding up everything is quicker than leaving some out. Seen at
150,000, 600,000 and 1.8 million documents (bench/README.md)."""
LARGE = 1 << 15
"""Postings that are weighed in the time that it takes to start another thread, and more."""
LENGTHS = 1 << 16
"""Different lengths of documents for which norms are looked up."""
FEW = 4
"""Queries that one thread answers in less time than it takes to start another."""


@dataclass(frozen=True, eq=False)
class Hits(Result):
    """Documents by rank, with scores; a note says why there are none."""

    documents: npt.NDArray[np.int64]
    scores: Floats
    index: Index
    note: Note | None = None

    @cached_property
    def ids(self) -> Strings:
        """The ids of the documents."""
        return self.index.ids.take(self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[tuple[str, float]]:
        return zip(self.ids, self.scores.tolist(), strict=True)


class MatchSet(NamedTuple):
    """Every document that a question finds, in no order, with its score; a note says why there are none."""

    documents: npt.NDArray[np.int64]
    scores: Floats
    note: Note | None = None


class TermImpacts(NamedTuple):
    """What a term gives to its documents, whatever the query."""

    documents: npt.NDArray[np.int32]
    weights: Floats
    positive: bool
    """Whether all the weights are clearly above 0."""
    blocks: tuple[npt.NDArray[np.int32], Floats] | None
    """The last document and the highest weight of each block, where documents may be left out."""


Ready = tuple[Query, list[tuple[int, Clause]], WeightedQuery | PackedQuery]
"""A query, what the collection knows of its terms, and what is to be added up."""


class Searcher:
    """An index seen through a weighting; terms in ``without`` are treated as if they had never been indexed.

    If the index has a part of a collection only, scores are those that its documents have in the ``whole``. ``pruned``
    says whether documents that cannot be among the best are left out, by default in large collections; weightings that
    are not ``bounded`` score every document with a term of the query. What is found is the same.
    """

    def __init__(
        self,
        index: Index,
        weighting: str | Weighting = "bm25",
        *,
        without: Iterable[str] = (),
        whole: Whole | None = None,
        pruned: bool | None = None,
    ) -> None:
        self.index, self.whole = index, whole
        self.weighting = weightings.parse(weighting) if isinstance(weighting, str) else weighting
        self.without = frozenset(n for n in map(index.number, without) if n >= 0)
        if whole is not None and self.without:
            raise SpecError("terms cannot be left out of a part of a collection")
        own = index.statistics_without(self.without) if self.without else index.statistics
        self.statistics = own if whole is None else whole.statistics(index)
        able = self.weighting.bounded and accumulation.pruning is not None
        self.pruned = able and (len(index) >= MANY if pruned is None else pruned)
        """Whether documents that cannot be among the best are left out. What is found is the same."""
        self._most = len(index) if pruned else len(index) // EACH
        """The most documents that may be asked for if some are to be left out."""
        self._numbers: dict[str, int] = {}
        self._weights: OrderedDict[int, TermImpacts] = OrderedDict()
        self._outlines: OrderedDict[int, TermOutline] = OrderedDict()
        self._kept = self._outlined = 0
        self._lock = Lock()
        self._scratches: list[accumulation.Scratch] = []

    @cached_property
    def norms(self) -> Floats:
        return self.weighting.norms(self.statistics)

    @cached_property
    def length_norms(self) -> LengthNorms | None:
        """The norms by the lengths of documents, if there is no more to a weight."""
        lengths = self.statistics.lengths
        distinct, numbers = numbered_lengths(lengths, LENGTHS)
        norms = self.weighting.length_norms(self.statistics, distinct)
        if norms is None or len(distinct) > LENGTHS:
            return None
        return LengthNorms.of(numbers, norms)

    @cached_property
    def document_part(self) -> Floats | None:
        return self.weighting.document_part(self.statistics)

    def _made(self) -> None:
        """What is made once, before threads share it."""
        if self.length_norms is None:
            self.norms  # noqa: B018
        self.document_part  # noqa: B018

    def number(self, term: str) -> int:
        """The number of a term, -1 if it is not indexed or left out."""
        number = self._numbers.get(term)
        if number is None:
            number = self.index.number(term)
            number = self._numbers[term] = -1 if number in self.without else number
        return number

    def clauses(self, query: Query) -> list[tuple[int, Clause]]:
        """The terms of a query with what the collection knows of them."""
        numbers = [self.number(term) for term in query.terms]
        columns = zip(query.terms, numbers, query.counts, query.boosts, strict=True)
        return [(n, Clause(self.term(term, n), count, boost)) for term, n, count, boost in columns]

    def term(self, name: str, number: int) -> TermCounts:
        """A term in the collection."""
        own = self.index.term(number)
        return own if self.whole is None else self.whole.term(name, own)

    def impacts(self, number: int) -> TermImpacts:
        """The documents of a term and its weight in each, kept as long as there is room."""
        with self._lock:
            if number in self._weights:
                self._weights.move_to_end(number)
                return self._weights[number]
        impacts = self._weigh(number)
        with self._lock:
            if number not in self._weights:
                self._weights[number] = impacts
                self._kept += len(impacts.documents)
            while self._kept > CACHE and len(self._weights) > 1:
                self._kept -= len(self._weights.popitem(last=False)[1][0])
        return impacts

    def _outline(self, number: int, by: LengthNorms) -> TermOutline:
        """The outline of a term, kept as long as there is room."""
        with self._lock:
            if number in self._outlines:
                self._outlines.move_to_end(number)
                return self._outlines[number]
        found = self.index.outline(number, by)
        with self._lock:
            if number not in self._outlines:
                self._outlines[number] = found
                self._outlined += len(found.starts)
            while self._outlined > OUTLINES and len(self._outlines) > 1:
                self._outlined -= len(self._outlines.popitem(last=False)[1].starts)
        return found

    def _weigh(self, number: int) -> TermImpacts:
        if self.length_norms is not None:
            documents, weights, least, known = self.index.weighed_postings(number, self.length_norms)
            return TermImpacts(documents, weights, least > accumulation.TINY, known)
        documents, tf = self.index.postings(number)
        term = self.index.term(number) if self.whole is None else self.term(self.index.name(number), number)
        own = self.weighting.document(self.statistics, term, tf, self.norms[documents])
        weights = np.ascontiguousarray(own, np.float64)
        blocks = accumulation.blocks_of(documents, weights) if self.pruned else None
        return TermImpacts(documents, weights, bool(weights.min() > accumulation.TINY), blocks)

    def _weigh_together(self, queries: Sequence[Query], by: LengthNorms | None) -> None:
        """Weigh the terms of some queries that are not yet, on several threads if they have many postings."""
        asked = dict.fromkeys(self.number(term) for query in queries for term in query.terms)
        with self._lock:
            known: Collection[int] = self._weights if by is None else self._outlines
            terms = [number for number in asked if number >= 0 and number not in known]
        if len(terms) < 2:
            return
        sizes = {number: self.index.term(number).df for number in terms}
        parts = min(parts_for(sum(sizes.values()), LARGE), len(terms))
        if parts < 2 or (sum(sizes.values()) > CACHE and by is None):
            return
        shares: list[list[int]] = [[] for _ in range(parts)]
        filled = [0] * parts
        for number in sorted(terms, key=sizes.__getitem__, reverse=True):
            least = filled.index(min(filled))
            shares[least].append(number)
            filled[least] += sizes[number]

        def weigh(part: int) -> None:
            for number in shares[part]:
                self.impacts(number) if by is None else self._outline(number, by)

        together(weigh, parts)

    def parse(self, query: str | Mapping[str, float] | Query) -> Query:
        """A query in terms of the index."""
        return Query.of(query, self.index.analyzer)

    def search(self, queries: Sequence[str | Mapping[str, float] | Query], k: int = 1000) -> list[Hits]:
        """The best k documents for each query, which is a text or a mapping from terms to weights."""
        if isinstance(queries, str):
            raise SpecError("search takes a list of queries, not one text")
        if not is_count(k):
            raise SpecError(f"k must be a whole number of at least 1, not {k}")
        parsed = Query.all_of(queries, self.index.analyzer)
        k = min(k, len(self.index))
        self._made()
        self.index.id_ranks  # noqa: B018
        at_once = THREADS * TOGETHER
        by = self._for_packed if k <= self._most else None
        found: list[Hits] = []
        for start in range(0, len(parsed), at_once):
            piece = parsed[start : start + at_once]
            self._weigh_together(piece, by)
            found += self._piece([self._prepare(query, by) for query in piece], k)
        return found

    @cached_property
    def _for_packed(self) -> LengthNorms | None:
        """The norms, where only those blocks of postings are unpacked that may have one of the best documents."""
        return self.length_norms if self.pruned and self._plain and self.index.packed else None

    @cached_property
    def _plain(self) -> bool:
        """Whether a score is what the terms of a query add up to."""
        return self.document_part is None and not self.weighting.coordinated

    def _piece(self, asked: list[Ready], k: int) -> Iterator[Hits]:
        """A piece of the queries, shared out to the threads."""
        parts = parts_for(len(asked), FEW)
        cuts = [len(asked) * i // parts for i in range(parts + 1)]
        for hits in together(lambda i: self._answers(asked[cuts[i] : cuts[i + 1]], k), parts):
            yield from hits

    def _prepare(self, query: Query, by: LengthNorms | None = None) -> Ready:
        known = self.clauses(query)
        statistics, weighting = self.statistics, self.weighting
        factors = [weighting.query(statistics, clause) if number >= 0 else 0.0 for number, clause in known]
        every = [clause for _, clause in known]
        norm, part = weighting.query_norm(statistics, every), weighting.query_part(statistics, every)
        chosen = [(n, clause, factor) for (n, clause), factor in zip(known, factors, strict=True) if factor and norm]
        if by is not None:
            outlines = [(self._outline(number, by), factor, clause.times) for number, clause, factor in chosen]
            terms = [
                accumulation.PackedImpacts(own, own.least > accumulation.TINY, factor, times)
                for own, factor, times in outlines
            ]
            if (ready := PackedQuery(terms, part, norm)).fit:
                return query, known, ready
        impacts = []
        for number, clause, factor in chosen:
            own = self.impacts(number)
            columns = own.documents, own.weights, own.positive, factor, clause.times, own.blocks
            impacts.append(accumulation.Impacts(*columns))
        return query, known, WeightedQuery(impacts, part, norm)

    def _answers(self, asked: Sequence[Ready], k: int) -> list[Hits]:
        scratch = self._scratch()
        ranks = self.index.id_ranks
        packed = [ready for _, _, ready in asked if isinstance(ready, PackedQuery)]
        unpacked = iter(self._unpacking(packed, k))
        quick = [self._plain and isinstance(q, WeightedQuery) and bool(q.terms) and q.positive for _, _, q in asked]
        together = [q for (_, _, q), yes in zip(asked, quick, strict=True) if yes and isinstance(q, WeightedQuery)]
        sums: Iterator[tuple[npt.NDArray[np.int64], Floats]] = iter(())
        if not together:
            pass
        elif self.pruned and k <= self._most and all(0 < ready.norm < np.inf for ready in together):
            sums = iter(accumulation.pruned_answers(together, ranks, k))
        else:
            sums = iter(accumulation.answers(scratch, together, ranks, k))
        hits = []
        for (query, known, ready), yes in zip(asked, quick, strict=True):
            if not ready.terms:
                note = why_nothing(query, [clause for _, clause in known], self.weighting)
                hits.append(Hits(np.zeros(0, np.int64), np.zeros(0), self.index, note))
                continue
            if isinstance(ready, PackedQuery):
                documents, scores = next(unpacked)
            else:
                documents, scores = next(sums) if yes else self._one(known, ready, k)
            hits.append(Hits(documents, scores, self.index))
        self._scratches.append(scratch)  # not after an error, which may leave sums behind
        return hits

    def _unpacking(self, queries: Sequence[PackedQuery], k: int) -> list[tuple[npt.NDArray[np.int64], Floats]]:
        """The answers to queries whose postings are unpacked as they are needed."""
        if not queries:
            return []
        try:
            return accumulation.pruned_answers(queries, self.index.id_ranks, k, self.length_norms)
        except ValueError:  # they were fine when their outline was made
            raise DataError(f"{self.index.folder}: changed while it was searched") from None

    def _one(
        self, known: list[tuple[int, Clause]], asked: WeightedQuery, k: int
    ) -> tuple[npt.NDArray[np.int64], Floats]:
        """One query whose score is more than a sum."""
        documents, scores = self._all(known, asked)
        top = accumulation.best(scores, documents, self.index.id_ranks, k)
        return documents[top], scores[top]

    def _all(self, known: list[tuple[int, Clause]], asked: WeightedQuery) -> tuple[npt.NDArray[np.int64], Floats]:
        """Every document that a query finds."""
        weighting = self.weighting
        counted = weighting.coordinated
        documents, scores, overlap = accumulation.accumulate(len(self.index), asked.terms, counted=counted)
        if self.document_part is not None:
            scores += self.document_part[documents] * sum(c.weight for _, c in known if c.term.df)
        if asked.part:
            scores += asked.part
        if asked.norm != 1:
            scores *= asked.norm
        if counted:
            scores *= weighting.coordination(overlap, sum(clause.times for _, clause in known))
        return documents, scores

    def matches(self, query: str | Mapping[str, float] | Query) -> MatchSet:
        """Every document that a query finds, for counting and choosing among them."""
        self._made()
        parsed, known, asked = self._prepare(self.parse(query))
        if not asked.terms or not isinstance(asked, WeightedQuery):
            why = why_nothing(parsed, [clause for _, clause in known], self.weighting)
            return MatchSet(np.zeros(0, np.int64), np.zeros(0), why)
        return MatchSet(*self._all(known, asked))

    def _scratch(self) -> accumulation.Scratch:
        """Room that no other thread uses now; taking from a list is atomic."""
        try:
            return self._scratches.pop()
        except IndexError:
            return accumulation.Scratch(len(self.index))

    def run(
        self,
        topics: Mapping[str, str | Mapping[str, float] | Query],
        k: int = 1000,
        name: str = "run",
        *,
        progress: Listener = SILENT,
    ) -> Run:
        """The best k documents for each topic as a run; topics that find nothing are noted and left out."""
        answers: dict[str, Hits] = {}
        names, queries = list(topics), Query.all_of(list(topics.values()), self.index.analyzer)
        with progress.work("search", total=len(names), unit="topics") as step:
            for start in range(0, len(names), TOGETHER):
                some = names[start : start + TOGETHER]
                for topic, hits in zip(some, self.search(queries[start : start + TOGETHER], k), strict=True):
                    if len(hits):
                        answers[topic] = hits
                    elif hits.note is not None:
                        step.note(hits.note.about(topic))
                    step.advance(name=topic)
        return run_of(answers, self.index, name)

    def explain(self, query: str | Mapping[str, float] | Query, document: str) -> Explanation:
        """Why a document has its score: a tree whose parts add up to it."""
        return explain(self, self.parse(query), self.index.document_number(document))


def why_nothing(query: Query, clauses: Sequence[Clause], weighting: Weighting) -> Note:
    """Why a query finds no document."""
    if not query.terms:
        return Note.of("query_empty")
    if not any(clause.term.df for clause in clauses):
        few = query.terms[:SHOWN]
        return Note.of("query_not_indexed", terms=few, others=len(query.terms) - len(few))
    return Note.of("query_weightless", weighting=str(weighting))


def run_of(answers: Mapping[str, Hits], index: Index, name: str) -> Run:
    """Answers by topic, none of them empty, as a run; an empty run if there is no answer."""
    if not answers:
        return Run.empty(name)
    offsets = np.concatenate([[0], np.cumsum([len(hits) for hits in answers.values()])]).astype(np.int64)
    documents = index.ids.take(np.concatenate([hits.documents for hits in answers.values()]))
    scores = np.concatenate([hits.scores for hits in answers.values()])
    return Run(tuple(answers), offsets, documents, scores, name).validate(name)
