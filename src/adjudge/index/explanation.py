"""Why a document has its score, as a tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.result import Result

if TYPE_CHECKING:
    from .query import Query
    from .searching import Searcher


@dataclass(frozen=True)
class Explanation(Result):
    """A figure, what it is, and the figures that it was made from: their ``sum`` or their ``product``."""

    description: str
    value: float
    combine: str = ""
    parts: tuple[Explanation, ...] = ()
    facts: tuple[tuple[str, str | float], ...] = ()
    """What the description says, by name: for scripts, which should not read sentences."""

    def lines(self, depth: int = 0) -> Iterator[tuple[int, str, float]]:
        """(depth, description, value), the whole first."""
        yield depth, self.description, self.value
        for part in self.parts:
            yield from part.lines(depth + 1)

    def to_dict(self) -> dict[str, Any]:
        """The tree as nested dicts."""
        data: dict[str, Any] = {"description": self.description, "value": self.value, **dict(self.facts)}
        if self.parts:
            data |= {"combine": self.combine, "parts": [part.to_dict() for part in self.parts]}
        return data

    def __str__(self) -> str:
        return "\n".join(f"{'  ' * depth}{value:.6f}  {what}" for depth, what, value in self.lines())


def explain(searcher: Searcher, query: Query, document: int) -> Explanation:
    """The score of one document, term by term; 0 and a reason if the query does not find it."""
    statistics, weighting, name = searcher.statistics, searcher.weighting, searcher.index.ids[document]
    known = searcher.clauses(query)
    every = [clause for _, clause in known]
    norm = weighting.query_norm(statistics, every)
    matching, missing = [], []
    overlap = 0
    for term, (number, clause) in zip(query.terms, known, strict=True):
        tf, weight = _weight(searcher, number, document)
        factor = weighting.query(statistics, clause) if number >= 0 else 0.0
        if tf and factor:
            overlap += clause.times
            matching.append((term, clause, tf, factor, weight))
        else:
            missing.append(term + (" (not indexed)" if number < 0 else "" if not tf else " (weight 0)"))
    if not matching or not norm:
        why = f"{name} has no term of the query that counts: {', '.join(missing)}"
        return Explanation(why if missing else f"{name} is not found: no term is left in the query", 0.0)
    clauses = sum(clause.times for clause in every)
    coordination = float(weighting.coordination(np.array([float(overlap)]), clauses)[0])
    shared = [Explanation("query norm", norm)] if norm != 1 else []
    if weighting.coordinated:
        shared.append(Explanation(f"coordination: {overlap} of {clauses} clauses occur", coordination))
    scale = norm * coordination
    parts = []
    for term, clause, tf, factor, weight in matching:
        figures = f"df {clause.term.df}, cf {clause.term.cf}, in the query {clause.weight:g}"
        factors = (
            Explanation(f"weight in the query: {figures}", factor),
            Explanation(f"weight in the document: tf {tf:g}, length {int(statistics.lengths[document])}", weight),
            *shared,
        )
        facts = ("term", term), ("occurrences", tf), ("documents", clause.term.df)
        parts.append(Explanation(f"the term {term}", factor * weight * scale, "product", factors, facts))
    if searcher.document_part is not None:
        size = sum(clause.weight for number, clause in known if number >= 0)
        own = float(searcher.document_part[document])
        factors = (Explanation("weights in the query, summed", size), Explanation("part of the document", own), *shared)
        parts.append(Explanation("the document, whatever the term", size * own * scale, "product", factors))
    constant = weighting.query_part(statistics, every) * scale
    if constant:
        parts.append(Explanation("the query, whatever the document", constant))
    total = sum(part.value for part in parts)
    note = f"; not found: {', '.join(missing)}" if missing else ""
    return Explanation(f"score of {name} under {weighting}{note}", total, "sum", tuple(parts))


def _weight(searcher: Searcher, number: int, document: int) -> tuple[float, float]:
    """The frequency of a term in a document and its weight there; 0 if it does not occur."""
    if number < 0:
        return 0.0, 0.0
    own = searcher.impacts(number)
    place = int(np.searchsorted(own.documents, document))
    if place == len(own.documents) or own.documents[place] != document:
        return 0.0, 0.0
    return float(searcher.index.postings(number)[1][place]), float(own.weights[place])
