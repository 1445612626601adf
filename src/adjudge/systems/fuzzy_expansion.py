"""Words of the question expanded by all words of the documents that are spelled much like them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ..core.run import Run
from ..core.spec import is_number, require
from ..index.searching import Hits, run_of
from ..weighting.scheme import weightings
from .parts.content import content_words
from .parts.peer_packages import missing_module, release
from .parts.version import Aids, Version
from .system import System, Topics


@dataclass(frozen=True)
class FuzzyExpansion(System):
    """BM25 on words of the question, each with all words of the documents that are nearly spelled like it.

    Formula: the weighting bm25(k1, b) with tf = Σ w · tf over the words of the documents whose ratio to the word of the
    question is ``cutoff`` or more, w = ratio / 100, and for df the sum over documents of tf, at most 1 each. The ratio
    is rapidfuzz's: 100 · (1 − insertions and deletions / characters of both words). Words are cut by the analyzer
    words|lower|stop(smart), and there are no stems.

    Parameters: ``cutoff`` in [0, 100] (80), the least ratio; ``k1`` in [0, 1e9] (0.9) and ``b`` in [0, 1] (0.4), as in
    the weighting.

    No value: a question of stop words only, or with no word that is spelled like one of the documents', finds nothing.

    Paper: none; the practice of expanding a question by the vocabulary of the index, with the library rapidfuzz.

    Example: the question "modern" finds a document with modem, whose ratio is 72.7, if the cutoff is 70.
    """

    name: ClassVar[str] = "fuzzy_expansion"

    cutoff: float = 80.0
    k1: float = 0.9
    b: float = 0.4

    def __post_init__(self) -> None:
        require(self, "cutoff", is_number(self.cutoff) and 0 <= self.cutoff <= 100, "lie in [0, 100]")
        self._weighting()

    def _weighting(self) -> str:
        return str(weightings.parse(f"bm25(k1={self.k1!r}, b={self.b!r})"))

    def missing(self) -> str:
        return missing_module("rapidfuzz", self.name)

    def code(self, home: Path) -> Mapping[str, str]:
        return release("rapidfuzz")

    def prepare(self, version: Version, aids: Aids) -> None:
        from .parts.expansion import ANALYZER

        version.index(ANALYZER)

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        from .parts.expansion import ANALYZER, ExpandingSearcher

        index = version.index(ANALYZER)
        searcher, answers = ExpandingSearcher(index, self._weighting(), self.cutoff), dict[str, Hits]()
        with version.progress.work("search", total=len(topics), unit="topics") as step:
            for topic, question in topics.items():
                hits = searcher.search(content_words(question), k)
                if len(hits):
                    answers[topic] = hits
                elif hits.note is not None:
                    step.note(hits.note.about(topic))
                step.advance(name=topic)
        return run_of(answers, index, str(self))
