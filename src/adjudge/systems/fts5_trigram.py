"""SQLite's full-text search with its trigram tokenizer."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ..core.errors import DataError
from ..core.run import Run
from ..core.spec import require
from .parts.other_engine import EngineIndex, Hit, engine_index, run_of_engine
from .parts.version import Aids, Version
from .system import System, Topics

FILE = "index.sqlite"
TABLE = "CREATE VIRTUAL TABLE documents USING fts5(text, content='', tokenize='trigram')"
QUERY = "SELECT rowid, -bm25(documents) FROM documents WHERE documents MATCH ? ORDER BY bm25(documents), rowid LIMIT ?"
N = 3


@dataclass(frozen=True)
class FTS5Trigram(System):
    """Trigrams of the question's words in SQLite's full-text index of trigrams, by its own BM25.

    Formula: SQLite's bm25 (k1 = 1.2, b = 0.75, idf = ln((N − df + 0.5) / (df + 0.5)), at least 1e-6) over the different
    trigrams of the question, each a phrase of its own and joined by OR. SQLite cuts the whole text of a document into
    overlapping trigrams, blanks included, without regard to case. Stop words of the question (SMART's) are left out.

    Parameters: ``match`` grams or words (grams): whether a word of the question is looked for by each of its trigrams,
    or, as SQLite takes a word, as a whole that stands anywhere in the text, inside other words too.

    No value: words of one or two characters have no trigram and count nothing; a question with no other finds nothing.

    Paper: none; SQLite's documentation, FTS5, the trigram tokenizer.

    Example: the question "modern" finds a document with modem, by mod and ode.
    """

    name: ClassVar[str] = "fts5_trigram"

    match: str = "grams"

    def __post_init__(self) -> None:
        require(self, "match", self.match in {"grams", "words"}, "be grams or words")

    def missing(self) -> str:
        try:
            with closing(sqlite3.connect(":memory:")) as connection:
                connection.execute(TABLE)
        except sqlite3.Error:
            return f"{self.name} needs SQLite 3.34 or newer with FTS5: this Python has {sqlite3.sqlite_version}"
        return ""

    def code(self, home: Path) -> Mapping[str, str]:
        return {"sqlite": sqlite3.sqlite_version}

    def _index(self, version: Version) -> EngineIndex:
        def build(folder: Path, texts: Iterable[tuple[int, str]]) -> None:
            with closing(sqlite3.connect(folder / FILE)) as connection, connection:
                connection.execute("PRAGMA synchronous=OFF")
                connection.execute(TABLE)
                connection.executemany("INSERT INTO documents(rowid, text) VALUES (?, ?)", texts)

        return engine_index(version, "fts5", "trigram", build)

    def prepare(self, version: Version, aids: Aids) -> None:
        self._index(version)

    def _phrases(self, words: list[str]) -> list[str]:
        long = [word for word in words if len(word) >= N]
        if self.match == "words":
            return long
        return list(dict.fromkeys(word[i : i + N] for word in long for i in range(len(word) - N + 1)))

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        kept = self._index(version)
        place = kept.folder / FILE
        try:
            with closing(sqlite3.connect(f"{place.resolve().as_uri()}?mode=ro", uri=True)) as connection:

                def ask(words: list[str]) -> list[Hit]:
                    phrases = [f'"{phrase.replace(chr(34), chr(34) * 2)}"' for phrase in self._phrases(words)]
                    return connection.execute(QUERY, (" OR ".join(phrases), k)).fetchall() if phrases else []

                return run_of_engine(version, topics, kept.ids, ask, str(self))
        except sqlite3.Error as error:
            raise DataError(f"{place}: {error}") from None
