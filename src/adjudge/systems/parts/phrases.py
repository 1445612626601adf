"""Retrieval on words and phrases: vectors of (1 + ln tf) · idf, compared by their cosine."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...core.errors import SpecError, did_you_mean
from ...text.analyzer import Analyzer
from ...text.tokenizers.noun_phrases import NounPhraseTokenizer
from ...weighting.cosine import Cosine, idf, inverse_lengths
from ...weighting.scheme import Clause, Floats, Statistics, TermCounts

if TYPE_CHECKING:
    from ...core.progress import Listener
    from ...core.run import Run
    from ...index.index import Index

WORDS = "words|lower|stop(smart)|porter"
LONGEST = 4
"""Words of the longest phrase: a longer noun phrase counts by its parts."""
PHRASES = {
    "nouns": f"noun_phrases|{WORDS.partition('|')[2]}|pairs(longest={LONGEST})",
    "pairs": f"{WORDS}|pairs",
    "none": WORDS,
}
"""Kinds of phrases and the analyzers that find them: ``nouns`` are noun phrases of up to four words and all
neighbouring words within them, ``pairs`` are two neighbouring words that are no stop words."""


@dataclass(frozen=True)
class LogCosine(Cosine):
    """The cosine of vectors of (1 + ln tf) · ln(N / df); a weight up to 1, as feedback gives, counts as it is.

    Everything else is as in the weighting cosine.
    """

    name: ClassVar[str] = "log_cosine"

    def norms(self, statistics: Statistics) -> Floats:
        return inverse_lengths(statistics, lambda tf: 1 + np.log(tf))

    def document(self, statistics: Statistics, term: TermCounts, tf: Floats, norm: Floats) -> Floats:
        return (1 + np.log(tf)) * (idf(statistics, term) * norm)

    def query(self, statistics: Statistics, clause: Clause) -> float:
        weight = clause.weight
        return (1 + math.log(weight) if weight > 1 else weight) * idf(statistics, clause.term)


def analyzer(phrases: str) -> str:
    """The analyzer that finds words and a kind of phrases."""
    if phrases not in PHRASES:
        known = list(PHRASES)
        raise SpecError(f"phrases are {' or '.join(known)}, not {phrases!r}{did_you_mean(phrases, known)}")
    return PHRASES[phrases]


def missing_tagger(spec: str) -> str:
    """What is not installed that an analyzer needs to find noun phrases, in a line; empty if nothing is."""
    tokenizer = Analyzer.parse(spec).tokenizer
    return tokenizer.missing() if isinstance(tokenizer, NounPhraseTokenizer) else ""


@dataclass(frozen=True)
class Feedback:
    """How many of the best documents are believed, how many of their terms are added, and with which weight."""

    documents: int = 10
    terms: int = 20
    weight: float = 0.4


def search(
    index: Index, topics: dict[str, str], k: int, *, feedback: Feedback | None = None, name: str, progress: Listener
) -> Run:
    """The best k documents by words and phrases; with feedback the questions are expanded and asked again."""
    from ...index.feedback import expand
    from ...index.query import Query
    from ...index.searching import Searcher

    searcher = Searcher(index, LogCosine())
    if feedback is None:
        return searcher.run(topics, k, name=name, progress=progress)
    queries = Query.all_of(list(topics.values()), index.analyzer)
    first = searcher.search(queries, feedback.documents)
    again = expand(
        searcher, first, queries, documents=feedback.documents, terms=feedback.terms, choose="n_idf",
        weight=feedback.weight,
    )  # fmt: skip
    return searcher.run(dict(zip(topics, again, strict=True)), k, name=name, progress=progress)
