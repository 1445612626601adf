"""Words read through the errors of the scanner, which are learned from the scanned text itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ..core.run import Run
from ..core.spec import is_number, require
from ..index.searching import run_of
from ..weighting import weightings
from . import System, Topics
from .parts.version import Aids, Note, Version, quiet

if TYPE_CHECKING:
    from .parts.deciphering.answering import Answerer


@dataclass(frozen=True)
class Decipher(System):
    """BM25 on expected frequencies: every observed string counts for a word of the question as surely as it is one.

    Formula: Σ idf · e / (e + k1 · (1 − b + b · length / average length)) · q over the words of the question with
    different stems, with e = Σ P(word | string) · tf over the observed strings, and for df the sum over documents of
    e, at most 1 each. P(word | string) = P(string | word) · N(word) / Σ P(string | u) · N(u) over all true words u,
    where N is how often each was written. The error channel P(string | word), the true words and N are estimated from
    the version that is searched, by expectation maximisation, beginning with nothing but a list of common words
    (SMART's stop words): no clean text, no aligned sample, no dictionary. Words with the same Porter stem are one.

    Parameters: ``k1`` in [0, 1e9] (0.9) and ``b`` in [0, 1] (0.4), as in the weighting bm25; ``least`` in [0, 1]
    (0.02), the probability below which a string does not count.

    No value: a question of stop words only, or none of whose words may have become an observed string, finds nothing.

    Paper: none; the idea of expected frequencies is ETH's (Kantor, Voorhees, The TREC-5 Confusion Track, 2000, 3.5).

    Example: where an engine reads t as l and s as _ nearly everywhere, the question "theft" finds lherl_ and the
    question "lake" finds little in lake, for most of these were written take.
    """

    name: ClassVar[str] = "decipher"

    k1: float = 0.9
    b: float = 0.4
    least: float = 0.02

    def __post_init__(self) -> None:
        self._weighting()
        require(self, "least", is_number(self.least) and 0 <= self.least <= 1, "lie in [0, 1]")

    def _weighting(self) -> str:
        return str(weightings.parse(f"bm25(k1={self.k1!r}, b={self.b!r})"))

    def prepare(self, version: Version, aids: Aids, *, note: Note = quiet) -> None:
        from .parts.deciphering.reading import Reading

        Reading.of(version)

    def answerer(self, version: Version) -> Answerer:
        """What answers questions on a version one by one, explains the answers and tells what to mark."""
        from .parts.deciphering.answering import Answerer
        from .parts.deciphering.reading import Reading

        return Answerer(Reading.of(version), self._weighting(), self.least)

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000, note: Note = quiet) -> Run:
        answerer, answers = self.answerer(version), {}
        for topic, question in topics.items():
            hits = answerer.search(question, k)
            if len(hits):
                answers[topic] = hits
            else:
                note(f"topic {topic}: {hits.note}")
        return run_of(answers, answerer.reading.index, str(self))
