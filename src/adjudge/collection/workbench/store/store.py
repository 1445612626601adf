"""The store: events and assessors, appended to and never changed.

The statements are few and plain, so they are written once in SQL that both databases take; what differs is in a
``Database``: how to connect, how parameters are marked, how a writer makes others wait. Writers take turns, so the
numbers of events grow in the order in which they are committed, and who reads all after the last number misses none.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Protocol

from ....core.errors import ConflictError, DataError
from ....storage.digest import sha256
from ..events import ASSESSOR, ROLES, Act, Event, UnreadableError, check_name, from_json, to_json

VERSION = "1"
TEXTS = (str,) * 7
"""What the columns of an event hold, from ``at`` to ``changes``."""

BY_KEY = "SELECT id, at, act_key, who, role, thread, text, changes, undoes FROM events WHERE act_key = ?"
AFTER = "SELECT id, at, act_key, who, role, thread, text, changes, undoes FROM events WHERE id > ? ORDER BY id"
INSERT = """INSERT INTO events (at, act_key, who, role, thread, text, changes, undoes)
VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"""
NEWEST = "SELECT COALESCE(MAX(id), 0) FROM events WHERE thread = ? AND role = ?"
NEWEST_OF = f"{NEWEST} AND who = ?"
SET_VERSION = "INSERT INTO settings (name, value) VALUES ('version', ?) ON CONFLICT (name) DO NOTHING"
GET_VERSION = "SELECT value FROM settings WHERE name = 'version'"


class Connection(Protocol):
    """What sqlite3 and psycopg have in common."""

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Any: ...
    def commit(self) -> None: ...
    def rollback(self) -> None: ...
    def close(self) -> None: ...


class Database(Protocol):
    """Where connections come from and how this database differs from the other."""

    @property
    def name(self) -> str: ...
    @property
    def mark(self) -> str: ...
    @property
    def schema(self) -> tuple[str, ...]: ...
    def connect(self) -> Connection: ...
    def alive(self, connection: Connection) -> bool: ...
    def begin_writing(self, connection: Connection) -> None: ...
    def errors(self) -> tuple[type[Exception], ...]: ...
    def twice(self) -> tuple[type[Exception], ...]: ...
    def full(self, error: Exception) -> bool: ...


class StoreError(DataError):
    """The database does not answer, or not as it should."""

    full = False
    """Whether it is because a disk is full."""


@dataclass(frozen=True)
class Assessor:
    """A person who may sign in with a token."""

    name: str
    role: str
    token: str
    """The hash of the token; nothing if access was taken away."""
    at: str


@dataclass(frozen=True)
class BadEvent:
    """An event that somebody else wrote, or an older version of this program: it is set aside, and nothing else is."""

    id: int
    fields: tuple[str, ...]
    """Time, key, who, role, thread, text and changes, as they stand there."""
    why: str


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


class Store:
    """Events and assessors in a database. All methods may be called from several threads at a time."""

    def __init__(self, database: Database, clock: Callable[[], str] = now) -> None:
        self.database = database
        self._clock = clock
        self._idle: list[Connection] = []
        self._closed = False

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def time(self) -> str:
        """What time it is, as events have it."""
        return self._clock()

    def close(self) -> None:
        self._closed = True
        while self._idle:
            self._idle.pop().close()

    def prepare(self) -> None:
        """Make the tables where there are none; refuse a store of another version."""
        version = self._version()
        if version is None:  # who may not make tables can still use those that are there
            with self._writing() as connection:
                for statement in self.database.schema:
                    connection.execute(statement)
                self._run(connection, SET_VERSION, VERSION)
            version = self._version()
        if version != VERSION:
            raise DataError(f"{self.database.name}: a store of version {version}; this adjudge knows version {VERSION}")

    def _version(self) -> str | None:
        try:
            with self._reading() as connection:
                row = self._run(connection, GET_VERSION).fetchone()
        except DataError:
            return None
        return None if row is None else str(row[0])

    def append(self, act: Act, newest: int | None = None) -> Event:
        """Keep an act and give it its number. The same act twice is kept once, and the first one is given back.

        ``newest`` is the last event that who acts has seen of this sheet: a ConflictError tells that there are newer.
        """
        row = (self._clock(), act.key, act.who, act.role, act.thread, act.text, to_json(act.changes), act.undoes)
        _refuse_nul(row)
        try:  # what could not be read again must not be kept
            _event((1 if act.undoes is None else act.undoes + 1, *row))
        except UnreadableError as error:
            raise DataError(f"it cannot be kept: {error}") from None
        with self._writing() as connection:
            same = self._run(connection, BY_KEY, act.key).fetchone()
            if same is not None:
                return self._same(_event(same), act)
            if newest is not None and (last := self._newest(connection, act)) > newest:
                raise ConflictError(f"thread {act.thread} was changed meanwhile (event {last})")
            inserted = self._run(connection, INSERT, *row).fetchone()
        return Event(int(inserted[0]), row[0], act)

    def _same(self, event: Event, act: Act) -> Event:
        if event.act != act:
            raise ConflictError("another act has this key")
        return event

    def _newest(self, connection: Connection, act: Act) -> int:
        if act.role == ASSESSOR:
            return int(self._run(connection, NEWEST_OF, act.thread, act.role, act.who).fetchone()[0])
        return int(self._run(connection, NEWEST, act.thread, act.role).fetchone()[0])

    def events(self, after: int = 0) -> list[Event]:
        """Events with a greater number, in order, but for those that cannot be read."""
        return self.read(after)[0]

    def read(self, after: int = 0) -> tuple[list[Event], list[BadEvent]]:
        """Events with a greater number, in order, and those that were set aside because they cannot be read."""
        with self._reading() as connection:
            rows = self._run(connection, AFTER, after).fetchall()
        events: list[Event] = []
        bad: list[BadEvent] = []
        for row in rows:
            try:
                events.append(_event(row))
            except UnreadableError as error:
                bad.append(BadEvent(int(row[0]), tuple(map(str, row[1:8])), str(error)))
        return events, bad

    def add_assessor(self, name: str, role: str) -> str:
        """A new token for a person, shown only once: the store keeps its hash. An older token stops working."""
        if role not in ROLES:
            raise DataError(f"a role is {' or '.join(ROLES)}, not {role!r}")
        token = f"adj_{secrets.token_urlsafe(32)}"
        self._write_assessor(check_name(name), role, token_hash(token))
        return token

    def remove_assessor(self, name: str) -> None:
        """Take access away; what the person decided stays."""
        known = self.assessors().get(check_name(name))
        if known is None or not known.token:
            raise DataError(f"no assessor {name!r} with a token in {self.database.name}")
        self._write_assessor(known.name, known.role, "")

    def _write_assessor(self, name: str, role: str, token: str) -> None:
        with self._writing() as connection:
            sql = "INSERT INTO assessors (at, name, role, token) VALUES (?, ?, ?, ?)"
            self._run(connection, sql, self._clock(), name, role, token)

    def assessors(self) -> dict[str, Assessor]:
        """{name: assessor}, as the last word on each has it; those without access too."""
        with self._reading() as connection:
            rows = self._run(connection, "SELECT name, role, token, at FROM assessors ORDER BY id").fetchall()
        return {row[0]: Assessor(*row) for row in rows}

    def who_has(self, token: str) -> Assessor | None:
        """The assessor with this token, if access stands."""
        wanted = token_hash(token)
        return next(
            (assessor for assessor in self.assessors().values() if secrets.compare_digest(assessor.token, wanted)), None
        )

    def _run(self, connection: Connection, sql: str, *parameters: Any) -> Any:
        return connection.execute(sql.replace("?", self.database.mark), parameters)

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        if self._closed:
            raise StoreError(f"{self.database.name}: the store is closed")
        connection: Connection | None = None
        try:
            connection = self._waiting() or self.database.connect()
            yield connection
        except self.database.twice():
            _give_up(connection)
            raise ConflictError("somebody has done this already") from None
        except self.database.errors() as error:
            _give_up(connection)
            first = (str(error).splitlines() or [type(error).__name__])[0]
            failure = StoreError(f"{self.database.name}: {first}")
            failure.full = self.database.full(error)
            raise failure from None
        except BaseException:
            _give_up(connection)
            raise
        else:
            self._idle.append(connection)

    def _waiting(self) -> Connection | None:
        """A connection that was used before and still works: a server may have been started anew since."""
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return None
            if self.database.alive(connection):
                return connection
            connection.close()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._connection() as connection:
            yield connection
            connection.rollback()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._connection() as connection:
            self.database.begin_writing(connection)
            yield connection
            connection.commit()


def _event(row: Sequence[Any]) -> Event:
    """A row as an event; an UnreadableError if it is none."""
    number, at, key, who, role, thread, text, changes, undoes = row
    # One comparison for all of them: this is done a million times when a large project is opened.
    if (type(at), type(key), type(who), type(role), type(thread), type(text), type(changes)) != TEXTS:
        raise UnreadableError("a field is not text")
    if role not in ROLES:
        raise UnreadableError(f"a role is {' or '.join(ROLES)}, not {role!r}")
    if undoes is not None and not (isinstance(undoes, int) and undoes < number):
        raise UnreadableError(f"it undoes {undoes!r}, which is not before it")
    return Event(int(number), at, Act(key, who, role, thread, text, from_json(changes), undoes))


def _give_up(connection: Connection | None) -> None:
    """A connection on which anything failed is not used again; closing it rolls back what was begun."""
    if connection is not None:
        connection.close()


def _refuse_nul(row: Sequence[Any]) -> None:
    if any(isinstance(value, str) and "\x00" in value for value in row):
        raise DataError("a NUL character cannot be stored")


def token_hash(token: str) -> str:
    """Tokens are 256 random bits, so a plain hash cannot be turned round by guessing."""
    return sha256(token.encode("utf-8", "surrogatepass")).hex()
