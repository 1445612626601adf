"""BM25 on stemmed words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.run import Run
from ..index.searching import Searcher
from ..weighting.scheme import weightings
from .parts.answerer import TermAnswerer
from .parts.version import Aids, Version
from .system import System, Topics


@dataclass(frozen=True)
class BM25System(System):
    """Words without stop words, stemmed, weighted by BM25: what most people compare with.

    Formula: the weighting bm25(k1, b) on the analyzer words|lower|stop(smart)|porter.

    Parameters: ``k1`` in [0, 1e9] (0.9) and ``b`` in [0, 1] (0.4), as in the weighting; ``analyzer``, what makes terms
    of texts.

    No value: a question without an indexed word finds nothing.

    Paper: Robertson, Walker, Jones, Hancock-Beaulieu, Gatford, Okapi at TREC-3 (1994).

    Example: of the documents "solar power" and "wind power", the question "Solar energy" finds the first only.
    """

    name: ClassVar[str] = "bm25"

    k1: float = 0.9
    b: float = 0.4
    analyzer: str = "words|lower|stop(smart)|porter"

    def __post_init__(self) -> None:
        from ..text.analyzer import Analyzer

        self._weighting()
        Analyzer.parse(self.analyzer)

    def _weighting(self) -> str:
        return str(weightings.parse(f"bm25(k1={self.k1!r}, b={self.b!r})"))

    def prepare(self, version: Version, aids: Aids) -> None:
        version.index(self.analyzer)

    def answerer(self, version: Version) -> TermAnswerer:
        return TermAnswerer(Searcher(version.index(self.analyzer), self._weighting()))

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        return Searcher(version.index(self.analyzer), self._weighting()).run(
            topics, k, name=str(self), progress=version.progress
        )
