"""Any weighting on stemmed words."""

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
class Weighted(System):
    """Words without stop words, stemmed, under any weighting: how a weighting takes part as a system.

    Formula: the weighting ``by`` on the terms that the analyzer makes of a text. A plan that names a weighting as a
    system, such as ``dirichlet(mu=1000)``, means this system.

    Parameters: ``by``, a weighting; ``analyzer``, what makes terms of texts.

    No value: a question without an indexed word finds nothing.

    Paper: that of the weighting.

    Example: weighted(by=cosine): of the documents "solar power" and "wind power", the question "Solar energy" finds the
    first only.
    """

    name: ClassVar[str] = "weighted"
    entries: ClassVar[None] = None
    positional: ClassVar[str] = "by"

    by: str
    analyzer: str = "words|lower|stop(smart)|porter"

    def __post_init__(self) -> None:
        from ..text.analyzer import Analyzer

        weightings.parse(self.by)
        Analyzer.parse(self.analyzer)

    def prepare(self, version: Version, aids: Aids) -> None:
        version.index(self.analyzer)

    def answerer(self, version: Version) -> TermAnswerer:
        return TermAnswerer(Searcher(version.index(self.analyzer), self.by))

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        searcher = Searcher(version.index(self.analyzer), self.by)
        return searcher.run(topics, k, name=str(self), progress=version.progress)
