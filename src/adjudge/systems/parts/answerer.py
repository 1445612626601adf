"""Systems that answer questions one by one: what such an answerer can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from ...index.explanation import Explanation
    from ...index.index import Index
    from ...index.searching import Hits, MatchSet, Searcher


REMEMBERED = 256
"""Questions whose terms are remembered."""


class Taken(Protocol):
    """A string of the documents that was taken for a word of the question."""

    @property
    def string(self) -> str:
        """As the analyzer of the index gives it; words with a blank between them stand side by side."""

    @property
    def word(self) -> str:
        """The word of the question."""

    @property
    def read_as(self) -> str:
        """The form of that word which explains the string best."""

    @property
    def probability(self) -> float:
        """That the string stands for the word."""

    @property
    def occurrences(self) -> int:
        """How often the string stands in the documents."""


class Answerer(Protocol):
    """What a system made of a version, ready for questions."""

    @property
    def index(self) -> Index:
        """The index that is searched."""

    def words(self, question: str) -> Mapping[str, int]:
        """The words of a question that are looked for, and how often each stands in it."""

    def search(self, question: str, k: int = 1000) -> Hits:
        """The best k documents for a question."""

    def matches(self, question: str) -> MatchSet:
        """Every document that a question finds, in no order."""

    def explain(self, question: str, document: str) -> Explanation:
        """Why a document has its score: a tree whose parts add up to it."""

    def observed_strings(self, question: str) -> Sequence[Taken]:
        """The strings that are taken for words of a question."""

    def observed_near(self, question: str, documents: Sequence[int]) -> Sequence[Sequence[Taken]]:
        """Those that are taken for words in one of some documents only, because of what stands near them there."""


class PlainTerm(NamedTuple):
    """An indexed term, which is taken for itself."""

    string: str
    word: str
    read_as: str
    probability: float
    occurrences: int


class TermAnswerer:
    """Answers from an index seen through a weighting, where every string is what it is."""

    def __init__(self, searcher: Searcher) -> None:
        self.searcher = searcher
        self._parse = lru_cache(REMEMBERED)(searcher.parse)  # words, matches and what to mark ask one after the other

    @property
    def index(self) -> Index:
        return self.searcher.index

    def words(self, question: str) -> Mapping[str, int]:
        query = self._parse(question)
        return dict(zip(query.terms, query.counts, strict=True))

    def search(self, question: str, k: int = 1000) -> Hits:
        return self.searcher.search([question], k)[0]

    def matches(self, question: str) -> MatchSet:
        return self.searcher.matches(self._parse(question))

    def explain(self, question: str, document: str) -> Explanation:
        return self.searcher.explain(question, document)

    def observed_strings(self, question: str) -> Sequence[Taken]:
        known = [(term, self.searcher.number(term)) for term in self.words(question)]
        return [PlainTerm(term, term, term, 1.0, self.searcher.index.term(n).cf) for term, n in known if n >= 0]

    def observed_near(self, question: str, documents: Sequence[int]) -> Sequence[Sequence[Taken]]:
        return [() for _ in documents]
