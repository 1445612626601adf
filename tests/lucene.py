"""The real Lucene 4.10 as an oracle: Debian's jars in a Java machine inside this process, started when first asked for.

    apt-get install --no-install-recommends default-jre-headless liblucene4.10-java
    pip install JPype1

Without them the tests that need it skip. `Lucene` indexes in memory with DefaultSimilarity and asks boolean queries of
optional terms; `standard_tokens` is its StandardTokenizer alone.
"""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

JARS = [Path("/usr/share/java") / f"lucene-{part}-4.10.4.jar" for part in ("core", "analyzers-common")]
FIELD = "text"
LONGEST = 255
"""Characters (UTF-16 units) of the longest token; both tokenizers cut longer ones."""


def missing() -> str:
    """Why there is no Lucene here; empty if there is."""
    if importlib.util.find_spec("jpype") is None:
        return "JPype1 is not installed (pip install JPype1)"
    if not all(jar.exists() for jar in JARS):
        return "Lucene is not installed (apt-get install liblucene4.10-java)"
    if shutil.which("java") is None:
        return "Java is not installed (apt-get install default-jre-headless)"
    return ""


@cache
def java() -> Any:
    """The module jpype with a running Java machine, or the test is skipped."""
    reason = missing()
    if reason:
        pytest.skip(reason)
    import jpype

    if not jpype.isJVMStarted():
        # -Xrs: signals stay with Python, so that an interrupted test run ends as it always does
        jpype.startJVM("-Xrs", "-Xmx1g", "-XX:+UseSerialGC", classpath=[str(jar) for jar in JARS], convertStrings=False)
    return jpype


def _class(name: str) -> Any:
    return java().JClass(f"org.apache.lucene.{name}")


def _analyzer(name: str) -> Any:
    if name == "standard":
        none = _class("analysis.util.CharArraySet").EMPTY_SET
        return _class("analysis.standard.StandardAnalyzer")(none)
    if name == "whitespace":
        return _class("analysis.core.WhitespaceAnalyzer")()
    raise ValueError(f"no analyzer {name!r}: standard or whitespace")


def _tokens(stream: Any) -> list[str]:
    """The tokens of a stream, which is used up."""
    terms = stream.addAttribute(_class("analysis.tokenattributes.CharTermAttribute").class_)
    found = []
    stream.reset()
    while stream.incrementToken():
        found.append(str(terms.toString()))
    stream.end()
    stream.close()
    return found


def standard_tokens(text: str) -> list[str]:
    """What StandardTokenizer makes of a text, before any filter."""
    reader = java().JClass("java.io.StringReader")(text)
    return _tokens(_class("analysis.standard.StandardTokenizer")(reader))


class Lucene:
    """Documents indexed in memory, each an id and its text, or its tokens, which no tokenizer touches.

    ``standard`` is StandardTokenizer and lower case without stop words.
    """

    def __init__(self, documents: Iterable[tuple[str, str | Sequence[str]]], analyzer: str = "standard") -> None:
        self.ids: list[str] = []
        self.analyzer = _analyzer(analyzer)
        self.tokenized = analyzer == "whitespace"
        version = _class("util.Version").LUCENE_4_10_4
        config = _class("index.IndexWriterConfig")(version, self.analyzer)
        config.setMergePolicy(_class("index.LogDocMergePolicy")())  # merges neighbours only: numbers stay in order
        directory = _class("store.RAMDirectory")()
        writer = _class("index.IndexWriter")(directory, config)
        document_class, field_class = _class("document.Document"), _class("document.TextField")
        no = _class("document.Field").Store.NO
        for key, content in documents:
            document = document_class()
            document.add(field_class(FIELD, self._text(content), no))
            writer.addDocument(document)
            self.ids.append(key)
        writer.forceMerge(1)
        writer.close()
        self.searcher = _class("search.IndexSearcher")(_class("index.DirectoryReader").open(directory))
        self.searcher.setSimilarity(_class("search.similarities.DefaultSimilarity")())
        _class("search.BooleanQuery").setMaxClauseCount(1_000_000)

    def _text(self, content: str | Sequence[str]) -> str:
        if isinstance(content, str):
            return content
        if not self.tokenized:
            raise ValueError("tokens need the whitespace analyzer")
        space = java().JClass("java.lang.Character").isWhitespace
        for token in content:
            if not 0 < len(token.encode("utf-16-le")) // 2 <= LONGEST or any(space(ord(c)) for c in token):
                raise ValueError(f"{token!r} would not stay one token")
        return " ".join(content)

    def terms(self, content: str | Sequence[str]) -> list[str]:
        """The terms that a document or a query is indexed and looked up by."""
        return _tokens(self.analyzer.tokenStream(FIELD, self._text(content)))

    def _query(self, query: str | Sequence[str]) -> Any:
        boolean = _class("search.BooleanQuery")()
        should = _class("search.BooleanClause").Occur.SHOULD
        term, term_query = _class("index.Term"), _class("search.TermQuery")
        for word in self.terms(query):  # a word that is repeated is a clause each time
            boolean.add(term_query(term(FIELD, word)), should)
        return boolean

    def search(self, query: str | Sequence[str], n: int = 1000) -> list[tuple[str, float]]:
        """The best documents with their scores, equal scores in the order of indexing."""
        if not self.ids:
            return []
        hits = self.searcher.search(self._query(query), n).scoreDocs
        return [(self.ids[hit.doc], float(hit.score)) for hit in hits]

    def explain(self, query: str | Sequence[str], key: str) -> str:
        """How the score of a document came about, in Lucene's words."""
        return str(self.searcher.explain(self._query(query), self.ids.index(key)).toString())
