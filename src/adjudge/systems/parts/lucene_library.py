"""Lucene 4.10 in a Java machine inside this process, which is started when it is first asked for."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

from ...core.errors import DataError, MissingExtraError
from .peer_packages import missing_module, needing

PLACES = "ADJUDGE_LUCENE"
"""The environment variable with the folders of the jars."""
DEBIAN = "/usr/share/java"
PARTS = ("core", "analyzers-common")
FIELD = "text"


def jars() -> list[Path]:
    """The jars that are needed, as far as they are there."""
    places = [Path(place) for place in os.environ.get(PLACES, DEBIAN).split(os.pathsep) if place]
    found = [sorted(jar for place in places for jar in place.glob(f"lucene-{part}-4.10.*.jar")) for part in PARTS]
    return [some[-1] for some in found if some]


def missing(system: str) -> str:
    """What is not installed, in a line; empty if all is there."""
    if why := missing_module("jpype", system, "JPype1"):
        return why
    if len(jars()) < len(PARTS):
        how = f"apt-get install liblucene4.10-java, or name the folder of its jars in {PLACES}"
        return f"{system} needs Lucene 4.10: {how}"
    return "" if shutil.which("java") else f"{system} needs Java: apt-get install default-jre-headless"


def _class(name: str, system: str) -> Any:
    """A class of Lucene; Java is started if it does not run yet."""
    if why := missing(system):
        raise MissingExtraError(why)
    with needing(system, "JPype1"):
        import jpype
    try:
        if not jpype.isJVMStarted():
            # -Xrs: signals stay with Python, so that Ctrl-C ends the program as it always does
            options = ("-Xrs", "-Xmx1g", "-XX:+UseSerialGC")
            jpype.startJVM(*options, classpath=[str(jar) for jar in jars()], convertStrings=False)
        return jpype.JClass(f"org.apache.lucene.{name}")
    except (TypeError, OSError, RuntimeError) as error:  # a class that is not found is a TypeError
        raise DataError(f"{system}: Java cannot load Lucene: {error}") from None


def _directory(folder: Path, system: str) -> Any:
    from jpype import JClass

    store = _class("store.FSDirectory", system)
    return store.open(JClass("java.io.File")(str(folder)))


def _analyzer(system: str) -> Any:
    no_stop_words = _class("analysis.util.CharArraySet", system).EMPTY_SET
    return _class("analysis.standard.StandardAnalyzer", system)(no_stop_words)


def build(folder: Path, texts: Iterable[tuple[int, str]], system: str) -> None:
    """Index texts in a folder; a document has the number of its text."""
    config = _class("index.IndexWriterConfig", system)(_class("util.Version", system).LUCENE_4_10_4, _analyzer(system))
    config.setMergePolicy(_class("index.LogDocMergePolicy", system)())  # merges neighbours only: numbers stay in order
    config.setSimilarity(_class("search.similarities.BM25Similarity", system)())
    directory = _directory(folder, system)
    writer = _class("index.IndexWriter", system)(directory, config)
    document_class, field_class = _class("document.Document", system), _class("document.TextField", system)
    no = _class("document.Field", system).Store.NO
    for _, text in texts:
        document = document_class()
        document.add(field_class(FIELD, text, no))
        writer.addDocument(document)
    writer.forceMerge(1)
    writer.close()
    directory.close()


class FuzzySearcher:
    """An index in a folder, open for fuzzy queries."""

    def __init__(self, folder: Path, system: str) -> None:
        self.system = system
        self.directory, self.analyzer = _directory(folder, system), _analyzer(system)
        try:
            self.reader = _class("index.DirectoryReader", system).open(self.directory)
        except Exception as error:
            raise DataError(f"{folder}: {error}") from None
        self.searcher = _class("search.IndexSearcher", system)(self.reader)
        self.searcher.setSimilarity(_class("search.similarities.BM25Similarity", system)())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.reader.close()
        self.directory.close()

    def tokens(self, text: str) -> list[str]:
        """A text as Lucene cuts it."""
        stream = self.analyzer.tokenStream(FIELD, text)
        terms = stream.addAttribute(_class("analysis.tokenattributes.CharTermAttribute", self.system).class_)
        found = []
        stream.reset()
        while stream.incrementToken():
            found.append(str(terms.toString()))
        stream.end()
        stream.close()
        return found

    def search(
        self, words: Iterable[str], k: int, *, edits: int, prefix: int, expansions: int
    ) -> list[tuple[int, float]]:
        """The best k documents for the words, each a fuzzy query that may match."""
        query = _class("search.BooleanQuery", self.system)()
        should = _class("search.BooleanClause", self.system).Occur.SHOULD
        term, fuzzy = _class("index.Term", self.system), _class("search.FuzzyQuery", self.system)
        tokens = dict.fromkeys(self.tokens(" ".join(words)))
        if not tokens or not self.reader.numDocs():
            return []
        for token in tokens:
            query.add(fuzzy(term(FIELD, token), edits, prefix, expansions, True), should)
        return [(int(hit.doc), float(hit.score)) for hit in self.searcher.search(query, k).scoreDocs]
