"""A weighting, a tokenizer, a filter, a layout, a system and an engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.core.document import Document
from adjudge.core.run import Run
from adjudge.formats.documents.layout import Layout, ReadingTally
from adjudge.formats.documents.streams import Stream
from adjudge.noise.engines.engine import Bits, Engine
from adjudge.systems.parts.version import Aids, Version
from adjudge.systems.system import System, Topics
from adjudge.text.splitting import SplittingRule
from adjudge.text.token_filter import Filter
from adjudge.text.tokenizer import RuleTokenizer
from adjudge.weighting.scheme import Clause, Floats, Statistics, TermCounts, Weighting

MARK = b"%% stanzas\n"


@dataclass(frozen=True)
class Coordination(Weighting):
    """Coordination level matching: how many different words of the query a document has."""

    name: ClassVar[str] = "coordination"

    def document(self, statistics: Statistics, term: TermCounts, tf: Floats, norm: Floats) -> Floats:
        del statistics, term, norm
        return tf / tf

    def query(self, statistics: Statistics, clause: Clause) -> float:
        del statistics, clause
        return 1.0


@dataclass(frozen=True)
class BlankTokenizer(RuleTokenizer):
    """Words are what stands between blanks."""

    name: ClassVar[str] = "blanks"

    def rule(self) -> SplittingRule:
        return SplittingRule("blanks", r"\S+", r"\S++")


@dataclass(frozen=True)
class Backwards(Filter):
    """Words are written backwards."""

    name: ClassVar[str] = "backwards"

    def __call__(self, types: Sequence[str]) -> Sequence[str]:
        return [word[::-1] for word in types]


@dataclass(frozen=True)
class StanzaLayout(Layout):
    """Documents separated by blank lines, the first word being the id."""

    name: ClassVar[str] = "stanzas"
    endings: ClassVar[tuple[str, ...]] = (".stanzas",)

    @classmethod
    def shows(cls, head: bytes) -> bool:
        return head.startswith(MARK)

    def read(self, stream: Stream, tally: ReadingTally) -> Iterator[Document]:
        lines = [tally.decode(raw, f"{stream.name}:{number}") for number, raw in stream.lines()]
        for stanza in "\n".join(line.rstrip("\n") for line in lines[1:]).strip().split("\n\n"):
            name, _, text = stanza.partition(" ")
            yield Document(name, text)


@dataclass(frozen=True)
class BooleanSystem(System):
    """Documents that have every word of the question, those with the smallest ids first.

    ``analyzer``: what makes words of texts.
    """

    name: ClassVar[str] = "boolean"

    analyzer: str = "words|lower"

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        del aids
        from adjudge.text.analyzer import Analyzer

        analyzer = Analyzer.parse(self.analyzer)
        texts = {document.id: set(analyzer.terms(document.text)) for document in version.documents}
        rows: list[tuple[str, str, float]] = []
        for topic, question in topics.items():
            words = set(analyzer.terms(question))
            having = sorted(name for name, terms in texts.items() if words <= terms)[:k]
            rows += [(topic, name, float(-place)) for place, name in enumerate(having)]
        if not rows:
            return Run.empty(str(self))
        topic_column, documents, scores = zip(*rows, strict=True)
        return Run.of_columns(topic_column, documents, np.array(scores), name=str(self))


@dataclass(frozen=True)
class InkEngine(Engine):
    """Reads of a page how much of it is ink."""

    name: ClassVar[str] = "ink"

    def read(self, page: Bits, *, dpi: int, timeout: float) -> str:
        del dpi, timeout
        return f"{page.mean():.3f} of the page is ink\n"

    def version(self) -> str:
        return "ink 1.0"
