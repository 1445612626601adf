"""PostgreSQL for teams: one database a project, named by its URL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from ....core.errors import MissingExtraError, SpecError
from .store import Connection

TURN = 7_238_520_301
"""The number of the advisory lock under which writers take turns: a committed event has a greater number than all
committed before it."""

SILENCE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 20_000}
"""A server that says nothing any more is given up: all who wait for it would wait without end."""

SCHEMA = (
    """CREATE TABLE IF NOT EXISTS events (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at TEXT NOT NULL,
        act_key TEXT NOT NULL UNIQUE,
        who TEXT NOT NULL,
        role TEXT NOT NULL,
        thread TEXT NOT NULL,
        text TEXT NOT NULL,
        changes TEXT NOT NULL,
        undoes BIGINT UNIQUE REFERENCES events (id)
    )""",
    "CREATE INDEX IF NOT EXISTS events_of_thread ON events (thread, role, who, id)",
    """CREATE TABLE IF NOT EXISTS assessors (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at TEXT NOT NULL,
        name TEXT NOT NULL,
        role TEXT NOT NULL,
        token TEXT NOT NULL
    )""",
    "CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE OR REPLACE FUNCTION events_stay() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN RAISE EXCEPTION ''events are never changed''; END'""",
    """CREATE OR REPLACE TRIGGER events_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON events
       FOR EACH STATEMENT EXECUTE FUNCTION events_stay()""",
)


@dataclass(frozen=True)
class Postgresql:
    """A database on a server; the URL may hold a password and is never shown whole."""

    url: str
    schema: tuple[str, ...] = SCHEMA
    mark: str = "%s"

    @property
    def name(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"

    def connect(self) -> Connection:
        psycopg = _psycopg()
        try:
            connection = psycopg.connect(self.url, connect_timeout=10, application_name="adjudge workbench", **SILENCE)
        except psycopg.ProgrammingError as error:
            raise SpecError(f"{self.name}: {str(error).splitlines()[0]}") from None
        connection.execute("SET default_transaction_isolation = 'read committed'")
        connection.execute("SET lock_timeout = '20s'")
        connection.execute("SET idle_in_transaction_session_timeout = '60s'")  # who hangs in his turn loses it
        connection.commit()
        return cast(Connection, connection)

    def alive(self, connection: Connection) -> bool:
        try:
            connection.execute("SELECT 1")
            connection.rollback()
        except _psycopg().Error:
            return False
        return True

    def begin_writing(self, connection: Connection) -> None:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (TURN,))

    def errors(self) -> tuple[type[Exception], ...]:
        return (_psycopg().Error,)

    def full(self, error: Exception) -> bool:
        return getattr(error, "sqlstate", None) == "53100"

    def twice(self) -> tuple[type[Exception], ...]:
        return (_psycopg().errors.UniqueViolation,)


def _psycopg() -> Any:
    try:
        import psycopg
    except ImportError:
        raise MissingExtraError("a PostgreSQL store needs psycopg: pip install 'adjudge[collect]'") from None
    return psycopg
