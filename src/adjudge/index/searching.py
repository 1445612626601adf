"""Searching an index with a weighting: the best documents for queries, one by one or for a set of topics."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

import numpy as np
import numpy.typing as npt

from ..core.errors import DataError, SpecError
from ..core.kernel import THREADS
from ..core.run import Run
from ..core.spec import is_count
from ..core.strings import Strings
from ..weighting import Clause, Weighting, weightings
from . import scoring
from .explanation import Explanation, explained
from .index import Index
from .query import Query

Floats = npt.NDArray[np.float64]
CACHE = 32_000_000
"""Postings whose weights are kept for the next query."""
SHOWN = 5
MANY = 16
"""Queries from which on several threads answer them."""


@dataclass(frozen=True, eq=False)
class Hits:
    """Documents by rank, with scores; a note says why there are none."""

    documents: npt.NDArray[np.int64]
    ids: Strings
    scores: Floats
    note: str = ""

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[tuple[str, float]]:
        return zip(self.ids, self.scores.tolist(), strict=True)


class Searcher:
    """An index seen through a weighting; terms in ``without`` are treated as if they had never been indexed."""

    def __init__(self, index: Index, weighting: str | Weighting = "bm25", *, without: Iterable[str] = ()) -> None:
        self.index = index
        self.weighting = weightings.parse(weighting) if isinstance(weighting, str) else weighting
        self.without = frozenset(n for n in map(index.number, without) if n >= 0)
        self.statistics = index.statistics_without(self.without) if self.without else index.statistics
        self._numbers: dict[str, int] = {}
        self._weights: OrderedDict[int, tuple[npt.NDArray[np.int32], Floats, bool]] = OrderedDict()
        self._kept = 0
        self._lock = Lock()

    @cached_property
    def norms(self) -> Floats:
        return self.weighting.norms(self.statistics)

    @cached_property
    def scratch(self) -> scoring.Scratch:
        return scoring.Scratch(len(self.index))

    @cached_property
    def document_part(self) -> Floats | None:
        return self.weighting.document_part(self.statistics)

    def number(self, term: str) -> int:
        """The number of a term, -1 if it is not indexed or left out."""
        found = self._numbers.get(term)
        if found is None:
            found = self.index.number(term)
            found = self._numbers[term] = -1 if found in self.without else found
        return found

    def clauses(self, query: Query) -> list[tuple[int, Clause]]:
        """The terms of a query with what the collection knows of them."""
        numbers = [self.number(term) for term in query.terms]
        triples = zip(numbers, query.counts, query.boosts, strict=True)
        return [(n, Clause(self.index.term(n), count, boost)) for n, count, boost in triples]

    def impacts(self, number: int) -> tuple[npt.NDArray[np.int32], Floats, bool]:
        """The documents of a term, its weight in each, and whether all are above 0; kept as long as there is room."""
        with self._lock:
            if number in self._weights:
                self._weights.move_to_end(number)
                return self._weights[number]
        documents, tf = self.index.postings(number)
        weights = self.weighting.document(self.statistics, self.index.term(number), tf, self.norms[documents])
        made = documents, weights, bool(weights.min() > scoring.TINY)
        with self._lock:
            if number not in self._weights:
                self._weights[number] = made
                self._kept += len(documents)
            while self._kept > CACHE and len(self._weights) > 1:
                self._kept -= len(self._weights.popitem(last=False)[1][0])
        return made

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
        if len(parsed) < MANY:
            return [self._search(query, k, self.scratch) for query in parsed]
        from concurrent.futures import ThreadPoolExecutor

        # Adding and sorting release the interpreter lock; every thread takes a scratch of its own from the pile.
        self.norms, self.document_part, self.index.id_ranks  # noqa: B018  made once, before the threads share them
        pile = [scoring.Scratch(len(self.index)) for _ in range(THREADS)]

        def work(query: Query) -> Hits:
            scratch = pile.pop()
            try:
                return self._search(query, k, scratch)
            finally:
                pile.append(scratch)

        with ThreadPoolExecutor(THREADS) as pool:
            return list(pool.map(work, parsed))

    def _search(self, query: Query, k: int, scratch: scoring.Scratch) -> Hits:
        known, clauses = self.clauses(query), []
        statistics, weighting = self.statistics, self.weighting
        for number, clause in known:
            factor = weighting.query(statistics, clause) if number >= 0 else 0.0
            if factor:
                clauses.append(scoring.Impacts(*self.impacts(number), factor, clause.times))
        every = [clause for _, clause in known]
        norm = weighting.query_norm(statistics, every)
        if not clauses or not norm:
            return self._nothing(query, known)
        found, scores, overlap = scoring.accumulate(scratch, clauses, counted=weighting.coordinated)
        if self.document_part is not None:
            scores += self.document_part[found] * sum(c.weight for n, c in known if n >= 0)
        if part := weighting.query_part(statistics, every):
            scores += part
        if norm != 1:
            scores *= norm
        if weighting.coordinated:
            scores *= weighting.coordination(overlap, sum(c.times for c in every))
        top = scoring.best(scores, found, self.index.id_ranks, k)
        documents = found[top]
        return Hits(documents, self.index.ids.take(documents), scores[top])

    def _nothing(self, query: Query, known: list[tuple[int, Clause]]) -> Hits:
        if not query.terms:
            note = "no term is left of the query"
        elif all(number < 0 for number, _ in known):
            more = ", …" if len(query.terms) > SHOWN else ""
            note = f"no term of the query is indexed: {', '.join(query.terms[:SHOWN])}{more}"
        else:
            note = f"every term of the query has weight 0 under {self.weighting}"
        return Hits(np.zeros(0, np.int64), self.index.ids.take(np.zeros(0, np.intp)), np.zeros(0), note)

    def run(
        self,
        topics: Mapping[str, str | Mapping[str, float] | Query],
        k: int = 1000,
        name: str = "run",
        *,
        note: Callable[[str], None] | None = None,
        step: Callable[[str], None] | None = None,
    ) -> Run:
        """The best k documents for each topic as a run; ``note`` hears of topics that find nothing and are left out."""
        answers: dict[str, Hits] = {}
        queries = Query.all_of(list(topics.values()), self.index.analyzer)
        for topic, query in zip(topics, queries, strict=True):
            hits = self.search([query], k)[0]
            if len(hits):
                answers[topic] = hits
            elif note is not None:
                note(f"topic {topic}: {hits.note}")
            if step is not None:
                step(topic)
        if not answers:
            raise DataError("no topic finds a document")
        offsets = np.concatenate([[0], np.cumsum([len(hits) for hits in answers.values()])]).astype(np.int64)
        documents = self.index.ids.take(np.concatenate([hits.documents for hits in answers.values()]))
        scores = np.concatenate([hits.scores for hits in answers.values()])
        return Run(tuple(answers), offsets, documents, scores, name).checked(name)

    def explain(self, query: str | Mapping[str, float] | Query, document: str) -> Explanation:
        """Why a document has its score: a tree whose parts add up to it."""
        return explained(self, self.parse(query), self.index.document_number(document))
