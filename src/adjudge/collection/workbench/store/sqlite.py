"""SQLite in WAL mode: readers do not wait for writers, and a killed writer leaves the last commit whole."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from .store import Connection

WAIT = 20.0
"""Seconds that a writer waits for another one."""

UNWRITABLE = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL})

SCHEMA = (
    """CREATE TABLE IF NOT EXISTS events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        act_key TEXT NOT NULL UNIQUE,
        who TEXT NOT NULL,
        role TEXT NOT NULL,
        thread TEXT NOT NULL,
        text TEXT NOT NULL,
        changes TEXT NOT NULL,
        undoes INTEGER UNIQUE REFERENCES events (id)
    )""",
    "CREATE INDEX IF NOT EXISTS events_of_thread ON events (thread, role, who, id)",
    """CREATE TABLE IF NOT EXISTS assessors (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        name TEXT NOT NULL,
        role TEXT NOT NULL,
        token TEXT NOT NULL
    )""",
    "CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    # Nothing is overwritten, not even by a program that means to.
    """CREATE TRIGGER IF NOT EXISTS events_stay BEFORE UPDATE ON events
       BEGIN SELECT RAISE(ABORT, 'events are never changed'); END""",
    """CREATE TRIGGER IF NOT EXISTS events_remain BEFORE DELETE ON events
       BEGIN SELECT RAISE(ABORT, 'events are never removed'); END""",
)


@dataclass(frozen=True)
class Sqlite:
    """A file beside the project."""

    path: Path
    schema: tuple[str, ...] = SCHEMA
    mark: str = "?"

    @property
    def name(self) -> str:
        return str(self.path)

    def connect(self) -> Connection:
        # A connection serves one request at a time, but not always in the same thread.
        connection = sqlite3.connect(self.path, timeout=WAIT, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
        except sqlite3.Error as error:
            connection.close()
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in UNWRITABLE or not self.path.is_file():
                raise
            return self._connect_to_read()
        except UnicodeDecodeError:  # what SQLite says of a damaged file may hold bytes of it
            connection.close()
            raise sqlite3.DatabaseError("its tables are damaged") from None
        return connection

    def _connect_to_read(self) -> Connection:
        """A store on a disk that cannot be written to can still be read: nobody else changes it either.

        What a log holds that was not taken over yet must not be passed over: SQLite then needs the files beside it.
        """
        log = self.path.with_name(f"{self.path.name}-wal")
        logged = log.is_file() and log.stat().st_size > 0
        address = f"{self.path.resolve().as_uri()}?mode=ro{'' if logged else '&immutable=1'}"
        return sqlite3.connect(address, uri=True, timeout=WAIT, isolation_level=None, check_same_thread=False)

    def alive(self, connection: Connection) -> bool:  # noqa: ARG002  # a file does not go away
        return True

    def begin_writing(self, connection: Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")

    def errors(self) -> tuple[type[Exception], ...]:
        return (sqlite3.Error,)

    def full(self, error: Exception) -> bool:
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL

    def twice(self) -> tuple[type[Exception], ...]:
        return (sqlite3.IntegrityError,)
