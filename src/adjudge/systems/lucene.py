"""Lucene's vector space as it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.run import Run
from ..index.searching import Searcher
from .parts.version import Aids, Version
from .system import System, Topics


@dataclass(frozen=True)
class Lucene(System):
    """Lucene's vector space of versions 3 to 5, the baseline of Stathopoulos & Teufel.

    Formula: the weighting lucene_classic on the analyzer standard|lower|stop(lucene)|porter.

    Parameters: ``analyzer``, what makes terms of texts.

    No value: a question without an indexed word finds nothing.

    Paper: Stathopoulos, Teufel, Retrieval of research-level mathematical information needs (ACL 2015), section 4.3.

    Example: of the documents "solar power" and "wind power", the question "Solar energy" finds the first only.
    """

    name: ClassVar[str] = "lucene"

    analyzer: str = "standard|lower|stop(lucene)|porter"

    def __post_init__(self) -> None:
        from ..text.analyzer import Analyzer

        Analyzer.parse(self.analyzer)

    def prepare(self, version: Version, aids: Aids) -> None:
        version.index(self.analyzer)

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        return Searcher(version.index(self.analyzer), "lucene_classic").run(
            topics, k, name=str(self), progress=version.progress
        )
