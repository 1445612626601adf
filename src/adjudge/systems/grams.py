"""BM25 on character n-grams inside words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.run import Run
from ..core.spec import is_count, require
from ..index.searching import Searcher
from ..weighting.scheme import weightings
from .parts.answerer import TermAnswerer
from .parts.version import Aids, Version
from .system import System, Topics


@dataclass(frozen=True)
class WordGrams(System):
    """Character n-grams inside words, weighted by BM25: what is intact of a word finds it.

    Formula: the weighting bm25(k1, b) on the analyzer words|lower|ngrams(n), which pads each word with _ at both ends.

    Parameters: ``n`` from 1 to 100 (4), the characters of a gram; ``k1`` in [0, 1e9] (0.9) and ``b`` in [0, 1] (0.4),
    as in the weighting.

    No value: a question none of whose grams is indexed finds nothing.

    Paper: McNamee, Mayfield, Character n-gram tokenization for European language text retrieval (Information Retrieval
    7, 2004); GMU's grams of the TREC-5 Confusion Track are the same under another weighting.

    Example: the question "modern" finds a document with modem, by _mod and mode.
    """

    name: ClassVar[str] = "grams"

    n: int = 4
    k1: float = 0.9
    b: float = 0.4

    def __post_init__(self) -> None:
        require(self, "n", is_count(self.n) and self.n <= 100, "be a whole number from 1 to 100")
        self._weighting()

    @property
    def analyzer(self) -> str:
        """What makes grams of texts."""
        return f"words|lower|ngrams({self.n})"

    def _weighting(self) -> str:
        return str(weightings.parse(f"bm25(k1={self.k1!r}, b={self.b!r})"))

    def prepare(self, version: Version, aids: Aids) -> None:
        version.index(self.analyzer)

    def answerer(self, version: Version) -> TermAnswerer:
        return TermAnswerer(Searcher(version.index(self.analyzer), self._weighting()))

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        searcher = Searcher(version.index(self.analyzer), self._weighting())
        return searcher.run(topics, k, name=str(self), progress=version.progress)
