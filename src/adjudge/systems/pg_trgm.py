"""PostgreSQL's similarity of words by trigrams."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from ..core.errors import DataError
from ..core.run import Run
from ..core.spec import is_number, require
from .parts.other_engine import Hit, numbered_texts, run_of_engine
from .parts.peer_packages import missing_module, needing
from .parts.version import Aids, Version
from .system import System, Topics

SERVER = "ADJUDGE_POSTGRESQL"
"""The environment variable with the address of the database."""
TABLE = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    "CREATE TEMPORARY TABLE adjudge_documents (number integer, body text)",
)


class Way(NamedTuple):
    """How documents are looked for: what is made of the table before, the setting that is the threshold, the query."""

    prepared: tuple[str, ...]
    setting: str
    query: str


WORDS = Way(
    (
        """CREATE TEMPORARY TABLE adjudge_occurrences AS SELECT DISTINCT number, word FROM adjudge_documents,
           regexp_split_to_table(lower(body), '[^[:alnum:]]+') AS word WHERE word <> ''""",
        "CREATE TEMPORARY TABLE adjudge_words AS SELECT DISTINCT word FROM adjudge_occurrences",
        "CREATE INDEX ON adjudge_occurrences (word)",
        "CREATE INDEX ON adjudge_words USING gin (word gin_trgm_ops)",
        "ANALYZE adjudge_occurrences",
        "ANALYZE adjudge_words",
    ),
    "pg_trgm.similarity_threshold",
    """WITH near AS MATERIALIZED (
           SELECT asked, word, similarity(asked, word) AS alike
           FROM unnest(%s::text[]) AS asked JOIN adjudge_words ON word %% asked),
       best AS (
           SELECT asked, number, max(alike) AS alike FROM near JOIN adjudge_occurrences USING (word)
           GROUP BY asked, number)
       SELECT number, sum(alike)::float8 AS score FROM best GROUP BY number ORDER BY score DESC, number LIMIT %s""",
)
TEXT = Way(
    ("CREATE INDEX ON adjudge_documents USING gin (body gin_trgm_ops)", "ANALYZE adjudge_documents"),
    "pg_trgm.word_similarity_threshold",
    """SELECT number, sum(word_similarity(asked, body))::float8 AS score
       FROM unnest(%s::text[]) AS asked JOIN adjudge_documents ON body %%> asked
       GROUP BY number ORDER BY score DESC, number LIMIT %s""",
)
WAYS = {"words": WORDS, "text": TEXT}


@dataclass(frozen=True)
class PgTrgm(System):
    """Words of the question by the trigrams that they share with words of the document, in PostgreSQL.

    Formula: Σ over the words of the question of the greatest similarity(word, word of the document), where that is
    ``threshold`` or more: the trigrams that both have as a share of those that one has, by PostgreSQL's extension
    pg_trgm. As its documentation advises, all different words stand in a table of their own with a GIN index. Nothing
    is weighted by its rarity. Stop words of the question (SMART's) are left out.

    Parameters: ``by`` words or text (words): text takes word_similarity(word, text) in place of that, the greatest
    share of a word's trigrams in a stretch of the text, which takes much longer; ``threshold`` in [0, 1], none for
    PostgreSQL's own, 0.3 for words and 0.6 for text (none).

    The environment variable ADJUDGE_POSTGRESQL has the address of a database, postgresql://USER@HOST/NAME; in it
    temporary tables are made, which go at the end, and the extension pg_trgm if it is not there. Since it needs a
    server, the system takes part in a plan only where it is named.

    No value: a question of stop words only, or with no word that is like something in a document, finds nothing.

    Paper: none; PostgreSQL's documentation, pg_trgm.

    Example: the question "modern" finds a document with modem, with 4 / 9.
    """

    name: ClassVar[str] = "pg_trgm"
    entries: ClassVar[None] = None

    by: str = "words"
    threshold: float | None = None

    def __post_init__(self) -> None:
        require(self, "by", self.by in WAYS, "be words or text")
        known = self.threshold is None or (is_number(self.threshold) and 0 <= self.threshold <= 1)
        require(self, "threshold", known, "lie in [0, 1], or be none")

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
        with needing(self.name, "psycopg[binary]"):
            import psycopg
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
        way = WAYS[self.by]
        with self._connection() as connection, connection.cursor() as cursor:
            for statement in TABLE:
                cursor.execute(statement)
            with cursor.copy("COPY adjudge_documents FROM STDIN") as copy:
                for row in numbered_texts(version, ids):
                    copy.write_row(row)
            for statement in way.prepared:
                cursor.execute(statement)
            if self.threshold is None:
                cursor.execute(f"RESET {way.setting}")
            else:
                cursor.execute("SELECT set_config(%s, %s, false)", (way.setting, repr(float(self.threshold))))

            def ask(words: list[str]) -> list[Hit]:
                return [(number, score) for number, score in cursor.execute(way.query, (words, k))]

            return run_of_engine(version, topics, ids, ask, str(self))
