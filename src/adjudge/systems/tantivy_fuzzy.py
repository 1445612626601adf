"""Fuzzy queries of the search library tantivy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ..core.run import Run
from ..core.spec import require
from .parts.other_engine import EngineIndex, Hit, engine_index, run_of_engine
from .parts.peer_packages import missing_module, needing, release
from .parts.version import Aids, Version
from .system import System, Topics

FIELD, NUMBER = "text", "number"
HEAP = 50_000_000


@dataclass(frozen=True)
class TantivyFuzzy(System):
    """Words within some edits of those of the question, found by tantivy's fuzzy queries.

    Formula: Σ over the words of the question of [a word of the document is within ``distance`` edits] + ``exact`` ·
    bm25, which is tantivy's own (k1 = 1.2, b = 0.75) for the word itself. tantivy gives every document that a fuzzy
    query finds the score 1; a neighbouring pair of characters that is swapped is one edit. Words are as tantivy's
    default tokenizer cuts them, in lower case; stop words of the question (SMART's) are left out.

    Parameters: ``distance`` 0, 1 or 2 (1, tantivy's), how many edits; ``exact`` (true), whether the word itself counts
    by BM25 too.

    It takes part in a plan only where it is named, since it needs a package that few have.

    No value: a question of stop words only, or with no word that is near one of the documents', finds nothing.

    Paper: none; tantivy's documentation, FuzzyTermQuery. The automata are those of Schulz, Mihov, Fast string
    correction with Levenshtein automata (IJDAR 5, 2002).

    Example: the question "solar" finds a document with so1ar, with the score 1.
    """

    name: ClassVar[str] = "tantivy_fuzzy"
    entries: ClassVar[None] = None

    distance: int = 1
    exact: bool = True

    def __post_init__(self) -> None:
        whole = isinstance(self.distance, int) and not isinstance(self.distance, bool)
        require(self, "distance", whole and 0 <= self.distance <= 2, "be 0, 1 or 2")
        require(self, "exact", isinstance(self.exact, bool), "be true or false")

    def missing(self) -> str:
        return missing_module("tantivy", self.name)

    def code(self, home: Path) -> Mapping[str, str]:
        return release("tantivy")

    def _index(self, version: Version) -> EngineIndex:
        with needing(self.name, "tantivy"):
            import tantivy

        def build(folder: Path, texts: Iterable[tuple[int, str]]) -> None:
            schema = tantivy.SchemaBuilder()
            schema.add_unsigned_field(NUMBER, stored=True)
            schema.add_text_field(FIELD, index_option="freq")
            writer = tantivy.Index(schema.build(), path=str(folder)).writer(HEAP, 1)
            for number, text in texts:
                writer.add_document(tantivy.Document(**{NUMBER: number, FIELD: text}))
            writer.commit()
            writer.wait_merging_threads()

        return engine_index(version, "tantivy", f"tantivy {release('tantivy')}", build)

    def prepare(self, version: Version, aids: Aids) -> None:
        self._index(version)

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        kept = self._index(version)
        with needing(self.name, "tantivy"):
            import tantivy

        index = tantivy.Index.open(str(kept.folder))
        index.reload()
        searcher, numbers = index.searcher(), dict[tuple[int, int], int]()
        cut = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(tantivy.Filter.lowercase()).build()

        def number_of(address: Any) -> int:
            place = address.segment_ord, address.doc
            if place not in numbers:
                numbers[place] = searcher.doc(address)[NUMBER][0]
            return numbers[place]

        def ask(words: list[str]) -> list[Hit]:
            clauses, should = [], tantivy.Occur.Should
            for token in dict.fromkeys(token for word in words for token in cut.analyze(word)):
                near = tantivy.Query.fuzzy_term_query(index.schema, FIELD, token, distance=self.distance)
                clauses.append((should, near))
                if self.exact:
                    clauses.append((should, tantivy.Query.term_query(index.schema, FIELD, token, "freq")))
            if not clauses:
                return []
            found = searcher.search(tantivy.Query.boolean_query(clauses), limit=k, count=False)
            return [(number_of(address), float(score)) for score, address in found.hits]

        return run_of_engine(version, topics, kept.ids, ask, str(self))
