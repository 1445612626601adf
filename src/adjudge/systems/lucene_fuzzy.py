"""Fuzzy queries of Lucene."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ..core.run import Run
from ..core.spec import is_count, require
from .parts import lucene_library
from .parts.other_engine import EngineIndex, Hit, engine_index, run_of_engine
from .parts.version import Aids, Version
from .system import System, Topics


@dataclass(frozen=True)
class LuceneFuzzy(System):
    """Words within some edits of those of the question, found and weighted by Lucene's fuzzy queries.

    Formula: Lucene's BM25 (k1 = 1.2, b = 0.75, lengths in one byte) over the ``expansions`` words of the documents that
    are nearest to a word of the question within ``edits``, each boosted by 1 − edits / characters of the shorter word;
    a neighbouring pair of characters that is swapped is one edit. Every word has a document frequency of its own, so a
    rare misreading weighs more than the word. Words are those of StandardAnalyzer without stop words; stop words of the
    question (SMART's) are left out.

    Parameters: ``edits`` 0, 1 or 2 (2), ``prefix`` (0), the characters at the beginning that must agree, ``expansions``
    from 1 to 1024 (50): all as in Lucene's FuzzyQuery.

    The jars of Lucene 4.10 are looked for in the folders that the environment variable ADJUDGE_LUCENE names, or where
    Debian's package liblucene4.10-java puts them. Java runs inside the process, by JPype. Since it needs all that, the
    system takes part in a plan only where it is named.

    No value: a question of stop words only, or with no word that is near one of the documents', finds nothing.

    Paper: none; Lucene's documentation, FuzzyQuery. The automata are those of Schulz, Mihov, Fast string correction
    with Levenshtein automata (IJDAR 5, 2002).

    Example: the question "solar" finds a document with so1ar, boosted by 1 − 1 / 5.
    """

    name: ClassVar[str] = "lucene_fuzzy"
    entries: ClassVar[None] = None

    edits: int = 2
    prefix: int = 0
    expansions: int = 50

    def __post_init__(self) -> None:
        require(self, "edits", self.edits == 0 or (is_count(self.edits) and self.edits <= 2), "be 0, 1 or 2")
        require(self, "prefix", self.prefix == 0 or is_count(self.prefix), "be a whole number, 0 or more")
        good = is_count(self.expansions) and self.expansions <= 1024
        require(self, "expansions", good, "be a whole number from 1 to 1024")

    def missing(self) -> str:
        return lucene_library.missing(self.name)

    def code(self, home: Path) -> Mapping[str, str]:
        return {"lucene": " ".join(jar.name for jar in lucene_library.jars())}

    def _index(self, version: Version) -> EngineIndex:
        def build(folder: Path, texts: Iterable[tuple[int, str]]) -> None:
            lucene_library.build(folder, texts, self.name)

        return engine_index(version, "lucene", " ".join(jar.name for jar in lucene_library.jars()), build)

    def prepare(self, version: Version, aids: Aids) -> None:
        self._index(version)

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        kept = self._index(version)
        with lucene_library.FuzzySearcher(kept.folder, self.name) as searcher:

            def ask(words: list[str]) -> list[Hit]:
                return searcher.search(words, k, edits=self.edits, prefix=self.prefix, expansions=self.expansions)

            return run_of_engine(version, topics, kept.ids, ask, str(self))
