"""George Mason University: padded 4-grams and the cosine, with feedback or without."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.run import Run
from ..core.spec import is_count, is_number, require
from ..index.feedback import expand
from ..index.query import Query
from ..index.searching import Searcher
from .parts.version import Aids, Version
from .system import System, Topics


@dataclass(frozen=True)
class GMU(System):
    """4-grams of padded words without the most common, tf · idf, cosine: gmu961, and with feedback gmu962.

    Formula: stop words are removed, every word is padded with one _ at each end and cut into overlapping grams; the
    ``drop`` grams with the highest frequency in the version searched are left out of everything; documents and
    question are vectors of tf · ln(N / df), and the score is their cosine. With feedback, the grams of the best
    ``documents`` are sorted by their occurrences there times idf, the first ``terms`` that the question does not have
    are added with ``weight`` times idf, and the question is asked again.

    Parameters: ``n`` (4), characters of a gram; ``drop`` (150), the grams that are too common; ``cross`` (false),
    whether grams reach from a word into the next; ``feedback`` (false: gmu961, true: gmu962); ``documents`` (10),
    ``terms`` (20) and ``weight`` (0.4) of the feedback. All are the paper's but ``cross``, which it leaves open.

    No value: a question without an indexed gram finds nothing. Fewer documents than wanted for feedback: those.

    Paper: Kantor, Voorhees, The TREC-5 Confusion Track (Information Retrieval 2, 2000), section 3; "natural" weight
    read as that of a gram which stands in the question once.

    Example: of solar power florida | solar eclipse | power plant florida florida | coupon bonds, with drop=0, the
    question solar florida finds the first with 0.8452, the third with 0.5721, the second with 0.2390.
    """

    name: ClassVar[str] = "gmu"

    n: int = 4
    drop: int = 150
    cross: bool = False
    feedback: bool = False
    documents: int = 10
    terms: int = 20
    weight: float = 0.4

    def __post_init__(self) -> None:
        for field in ("n", "documents", "terms"):
            require(self, field, is_count(getattr(self, field)), "be a whole number, 1 or more")
        require(self, "drop", self.drop == 0 or is_count(self.drop), "be a whole number, 0 or more")
        for field in ("cross", "feedback"):
            require(self, field, isinstance(getattr(self, field), bool), "be true or false")
        require(self, "weight", is_number(self.weight) and self.weight > 0, "be above 0")

    @property
    def analyzer(self) -> str:
        return f"words|lower|stop(smart)|ngrams({self.n}{', cross=true' if self.cross else ''})"

    def prepare(self, version: Version, aids: Aids) -> None:
        version.index(self.analyzer)

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        index = version.index(self.analyzer)
        searcher = Searcher(index, "cosine", without=index.most_frequent(self.drop))
        if not self.feedback:
            return searcher.run(topics, k, name=str(self), progress=version.progress)
        queries = Query.all_of(list(topics.values()), index.analyzer)
        first = searcher.search(queries, self.documents)
        again = expand(
            searcher, first, queries, documents=self.documents, terms=self.terms, choose="n_idf", weight=self.weight
        )
        return searcher.run(dict(zip(topics, again, strict=True)), k, name=str(self), progress=version.progress)
