"""PostgreSQL's similarity of words by trigrams."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ..core.errors import DataError
from ..core.run import Run
from ..core.spec import is_number, require
from .parts.library import load, missing_module
from .parts.other_engine import Hit, numbered_texts, run_of_engine
from .parts.version import Aids, Version
from .system import System, Topics

SERVER = "ADJUDGE_POSTGRESQL"
"""The environment variable with the address of the database."""
TABLE = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    "CREATE TEMPORARY TABLE adjudge_documents (number integer, body text)",
)
INDEX = ("CREATE INDEX ON adjudge_documents USING gin (body gin_trgm_ops)", "ANALYZE adjudge_documents")
QUERY = """SELECT number, sum(word_similarity(word, body))::float8 AS score
FROM unnest(%s::text[]) AS word JOIN adjudge_documents ON body %%> word
GROUP BY number ORDER BY score DESC, number LIMIT %s"""


@dataclass(frozen=True)
class PgTrgm(System):
    """Words of the question by their greatest trigram similarity to a stretch of the document, in PostgreSQL.

    Formula: Σ over the words of the question of word_similarity(word, text) where that is ``threshold`` or more:
    the greatest share of a word's trigrams in a stretch of the text, as PostgreSQL's extension pg_trgm counts it, found
    by a GIN index. Stop words of the question (SMART's) are left out; nothing is weighted by its rarity.

    Parameters: ``threshold`` in [0, 1] (0.6), PostgreSQL's pg_trgm.word_similarity_threshold.

    The environment variable ADJUDGE_POSTGRESQL has the address of a database, postgresql://USER@HOST/NAME; in it
    temporary tables are made, which go at the end, and the extension pg_trgm if it is not there. Since it needs a
    server, the system takes part in a plan only where it is named.

    No value: a question of stop words only, or with no word that is like something in a document, finds nothing.

    Paper: none; PostgreSQL's documentation, pg_trgm.

    Example: the question "modern" finds a document with modem, with 0.571429, if the threshold is 0.5.
    """

    name: ClassVar[str] = "pg_trgm"
    entries: ClassVar[None] = None

    threshold: float = 0.6

    def __post_init__(self) -> None:
        require(self, "threshold", is_number(self.threshold) and 0 <= self.threshold <= 1, "lie in [0, 1]")

    def missing(self) -> str:
        if why := missing_module("psycopg", self.name, "psycopg[binary]"):
            return why
        if not os.environ.get(SERVER):
            return f"{self.name} needs a PostgreSQL server: put its address, postgresql://USER@HOST/NAME, into {SERVER}"
        return ""

    def code(self, home: Path) -> Mapping[str, str]:
        with self._connection() as connection:
            return {"postgresql": str(connection.info.server_version)}

    @contextmanager
    def _connection(self) -> Iterator[Any]:
        psycopg = load("psycopg", self.name, "psycopg[binary]")
        if why := self.missing():
            raise DataError(why)
        try:
            with psycopg.connect(os.environ[SERVER], autocommit=True) as connection:
                yield connection
        except psycopg.Error as error:
            first = next(iter(str(error).splitlines()), type(error).__name__)
            raise DataError(f"{self.name}: PostgreSQL: {first}") from None

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        ids: list[str] = []
        with self._connection() as connection, connection.cursor() as cursor:
            for statement in TABLE:
                cursor.execute(statement)
            with cursor.copy("COPY adjudge_documents FROM STDIN") as copy:
                for row in numbered_texts(version, ids):
                    copy.write_row(row)
            for statement in INDEX:
                cursor.execute(statement)
            cursor.execute("SELECT set_config('pg_trgm.word_similarity_threshold', %s, false)", (str(self.threshold),))

            def ask(words: list[str]) -> list[Hit]:
                return [(number, score) for number, score in cursor.execute(QUERY, (words, k))]

            return run_of_engine(version, topics, ids, ask, str(self))
