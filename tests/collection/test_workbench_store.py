"""The store of the workbench: nothing is lost, nothing is overwritten, whoever writes at the same time or is killed."""

from __future__ import annotations

import itertools
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from adjudge.collection.workbench.events import CLEAR, NOTE, YES, Act, Item, ItemChange
from adjudge.collection.workbench.store.open_store import open_store
from adjudge.collection.workbench.store.store import Store, token_hash
from adjudge.core.errors import ConflictError, DataError, SpecError
from workbench_project import MARKS

NUMBERS = itertools.count()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.database)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty store of either kind."""
    if request.param == "sqlite":
        return str(tmp_path / "store.sqlite")
    import psycopg

    server: str = request.getfixturevalue("postgresql")
    name = f"bench{next(NUMBERS)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.replace("/postgres", f"/{name}")


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with open_store(url) as opened:
        yield opened


def act(key: str, who: str = "ann", value: str | None = YES, role: str = "assessor", **more: Any) -> Act:
    changes = () if "undoes" in more else (ItemChange(Item(CLEAR), value),)
    return Act(key, who, role, more.pop("thread", "1"), "text", changes, **more)


def test_events_come_back_as_they_were(store: Store, url: str) -> None:
    first = store.append(act("a"))
    second = store.append(act("b", "bob", None))
    assert first.id < second.id
    assert first.at < second.at
    assert store.events() == [first, second]
    assert store.events(after=first.id) == [second]
    with open_store(url) as again:
        assert again.events() == [first, second]


def test_the_same_act_is_kept_once(store: Store) -> None:
    first = store.append(act("a"))
    assert store.append(act("a")) == first
    assert store.append(act("a"), newest=0) == first
    assert store.events() == [first]
    with pytest.raises(ConflictError, match="another act has this key"):
        store.append(act("a", value="no"))
    assert store.events() == [first]


def test_who_has_not_seen_the_newest_is_refused(store: Store) -> None:
    first = store.append(act("a", role="adjudicator"))
    with pytest.raises(ConflictError, match="changed meanwhile"):
        store.append(act("b", "bob", role="adjudicator"), newest=0)
    store.append(act("b", "bob"), newest=0)  # another sheet
    store.append(act("c", role="adjudicator", thread="2"), newest=0)  # another thread
    assert store.append(act("d", "bob", role="adjudicator"), newest=first.id).id > first.id


def test_an_event_is_undone_once(store: Store) -> None:
    first = store.append(act("a"))
    undoing = store.append(act("b", undoes=first.id))
    with pytest.raises(ConflictError, match="already"):
        store.append(act("c", undoes=first.id))
    assert store.append(act("d", undoes=undoing.id)).act.undoes == undoing.id
    with pytest.raises((ConflictError, DataError)):
        store.append(act("e", undoes=10**9))
    assert len(store.events()) == 3


def test_events_cannot_be_changed_or_removed(store: Store, url: str) -> None:
    store.append(act("a"))
    for statement in ("UPDATE events SET who = 'eve'", "DELETE FROM events", "DELETE FROM events WHERE id = 1"):
        connection = store.database.connect()
        with pytest.raises(store.database.errors(), match="events are never"):
            connection.execute(statement)
        connection.close()
    assert [event.act.who for event in store.events()] == ["ann"]


def test_metacharacters_are_only_characters(store: Store) -> None:
    changes = (
        ItemChange(Item(NOTE), MARKS),
        ItemChange(Item("totality", 0, 1, MARKS), MARKS),
        ItemChange(Item(MARKS), MARKS),
    )
    made = store.append(Act(MARKS, MARKS, "assessor", MARKS, MARKS, changes))
    assert store.events() == [made]
    assert store.append(Act(MARKS, MARKS, "assessor", MARKS, MARKS, changes)) == made
    with pytest.raises(DataError, match="NUL"):
        store.append(act("x", "a\x00b"))
    with pytest.raises(DataError, match="role"):
        store.append(act("x", role="root"))
    assert len(store.events()) == 1


def test_tokens_are_told_once_and_kept_as_hashes(store: Store) -> None:
    token = store.add_assessor("Ada Lovelace", "adjudicator")
    assert len(token) > 40
    assert store.who_has(token) == store.assessors()["Ada Lovelace"]
    assert store.assessors()["Ada Lovelace"].token == token_hash(token)
    assert token not in repr(store.assessors())
    assert store.who_has("") is None
    assert store.who_has("adj_") is None
    assert store.who_has(token_hash(token)) is None
    other = store.add_assessor("  Ada   Lovelace ", "assessor")
    assert store.who_has(token) is None
    assert store.who_has(other) is not None
    store.remove_assessor("Ada Lovelace")
    assert store.who_has(other) is None
    assert store.who_has("") is None  # those without access have no hash, and nothing matches it
    with pytest.raises(DataError, match="no assessor 'Ada Lovelace'"):
        store.remove_assessor("Ada Lovelace")
    for name in ("", "  ", "x" * 65, "a\x00b", "a\nb\x1b"):
        with pytest.raises(DataError, match="name"):
            store.add_assessor(name, "assessor")
    with pytest.raises(DataError, match="role"):
        store.add_assessor("Eve", "root")


def test_another_version_is_refused(store: Store, url: str) -> None:
    connection = store.database.connect()
    connection.execute("UPDATE settings SET value = '2' WHERE name = 'version'")
    connection.commit()
    connection.close()
    with pytest.raises(DataError, match="version 2; this adjudge knows version 1"):
        open_store(url)


def test_a_closed_store_says_so(url: str) -> None:
    store = open_store(url)
    store.close()
    with pytest.raises(DataError, match="closed"):
        store.events()


def test_many_threads_share_a_store(store: Store) -> None:
    def write(name: str) -> None:
        for n in range(10):
            store.append(act(f"{name}-{n}", name))
            store.events()

    threads = [threading.Thread(target=write, args=(f"t{n}",)) for n in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert {event.act.key for event in store.events()} == {f"t{n}-{m}" for n in range(6) for m in range(10)}


def test_a_server_that_was_started_anew(store: Store, url: str) -> None:
    if "://" not in url:
        pytest.skip("a file has no server")
    import psycopg

    store.append(act("a"))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    store.append(act("b"))
    assert [event.act.key for event in store.events()] == ["a", "b"]


WRITER = """
import sys
from adjudge.collection.workbench.events import *
from adjudge.collection.workbench.store.open_store import open_store
url, who, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open_store(url) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    for n in range(number):
        changes = (ItemChange(Item(NOTE), f"{who} {n} " + "x" * 500), ItemChange(Item(CLEAR), YES))
        made = store.append(Act(f"{who}-{n}", who, "assessor", "1", "text", changes))
        print(made.id, made.act.key, flush=True)
"""


def writer(url: str, who: str, number: int) -> subprocess.Popen[str]:
    made = subprocess.Popen(
        [sys.executable, "-c", WRITER, url, who, str(number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert made.stdout is not None
    assert made.stdout.readline() == "ready\n"
    return made


def begin(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


@pytest.mark.slow
def test_processes_that_write_at_once_lose_nothing(url: str) -> None:
    names = ("ann", "bob", "cid", "dee")
    processes = [writer(url, name, 60) for name in names]
    for process in processes:
        begin(process)
    with open_store(url) as store:
        after, seen = 0, []
        while any(process.poll() is None for process in processes) or store.events(after):
            for event in store.events(after):  # who reads on from the last number misses none
                after = event.id
                seen.append(event)
        told = [line.split() for process in processes for line in process.communicate()[0].splitlines()]
        assert all(process.returncode == 0 for process in processes)
        assert seen == store.events()
    assert {event.act.key for event in seen} == {f"{name}-{n}" for name in names for n in range(60)}
    assert {(str(event.id), event.act.key) for event in seen} == {(number, key) for number, key in told}
    for name in names:
        assert [e.act.key for e in seen if e.act.who == name] == [f"{name}-{n}" for n in range(60)]


@pytest.mark.parametrize("wait", [3, 17, 40])
def test_a_writer_that_is_killed_loses_nothing_that_it_told(url: str, wait: int) -> None:
    process, other = writer(url, "ann", 100_000), writer(url, "bob", 40)
    assert process.stdout is not None
    begin(process)
    begin(other)
    told = [process.stdout.readline().split()[1] for _ in range(wait)]
    os.kill(process.pid, signal.SIGKILL)
    rest = process.stdout.read()  # not communicate(), which forgets what was read ahead
    process.communicate()
    told += [line.split()[1] for line in rest.splitlines(keepends=True) if line.endswith("\n") and " " in line]
    assert process.returncode == -signal.SIGKILL
    other.communicate()
    assert other.returncode == 0
    with open_store(url) as store:
        events = store.events()
        mine = [event.act.key for event in events if event.act.who == "ann"]
        assert mine[: len(told)] == told
        assert len(mine) - len(told) <= 1  # committed, but not told any more
        assert [e.act.key for e in events if e.act.who == "bob"] == [f"bob-{n}" for n in range(40)]
        assert all(len(event.act.changes) == 2 for event in events)  # an act is whole or not there
        # who was cut off sends the last act again: it is there once
        retried = store.append(Act(mine[-1], "ann", "assessor", "1", "text", events_of(events, mine[-1])))
        assert [event.act.key for event in store.events()].count(mine[-1]) == 1
        assert retried in store.events()
    if "://" not in url:
        with closing(sqlite3.connect(url)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def events_of(events: list[Any], key: str) -> tuple[ItemChange, ...]:
    return next(event.act.changes for event in events if event.act.key == key)


def test_a_writer_waits_for_another(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with open_store(str(path)) as store:
        holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        holder.execute("BEGIN IMMEDIATE")
        threading.Timer(0.5, holder.rollback).start()
        begun = time.monotonic()
        store.append(act("a"))
        assert time.monotonic() - begun > 0.3
        assert store.events()
        holder.close()


def test_what_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="not mysql://"):
        open_store("mysql://localhost/x")
    with pytest.raises(DataError, match="no such folder"):
        open_store(str(tmp_path / "missing" / "store.sqlite"))
    with pytest.raises(DataError, match="no decisions yet"):
        open_store(str(tmp_path / "store.sqlite"), create=False)
    assert not (tmp_path / "store.sqlite").exists()
    (tmp_path / "text").write_text("not a database, only text that is long enough to be looked at" * 50)
    with pytest.raises(DataError, match="not a database"):
        open_store(str(tmp_path / "text"))
    with pytest.raises(DataError, match="unable to open"):
        open_store(str(tmp_path))
    with open_store(f"sqlite:///{tmp_path}/other.sqlite") as store:
        assert store.database.name == f"{tmp_path}/other.sqlite"


def test_damaged_tables_whose_bytes_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with open_store(str(path)) as opened:
        opened.append(act("a"))
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE events", b"CREATE \xbcABLE events"))
    with pytest.raises(DataError, match=r"store\.sqlite: its tables are damaged$"):
        open_store(str(path))


def test_nobody_waits_for_ever(store: Store, url: str) -> None:
    if not url.startswith("postgresql"):
        pytest.skip("SQLite has its own wait")
    connection = store.database.connect()
    wait = connection.execute("SHOW lock_timeout").fetchone()[0]
    idle = connection.execute("SHOW idle_in_transaction_session_timeout").fetchone()[0]
    connection.close()
    assert (wait, idle) == ("20s", "1min")


def test_a_password_is_never_shown() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(DataError) as failed:
        open_store("postgresql://ann:secret@127.0.0.1:1/none")
    assert "secret" not in str(failed.value)
    assert "postgresql://127.0.0.1/none" in str(failed.value)


@pytest.mark.parametrize(
    "changes",
    [
        "{",
        "[[]]",
        "5",
        '[["label", 1, 0, "", "query x"]]',
        '[["label", 1, 0, "", 5]]',
        '[["label", "1", 0, "", "prelude"]]',
        '[[["label"], 1, 0, "", "prelude"]]',
        '[["note", 0, 0, 7, "red"]]',
    ],
)
def test_a_store_that_somebody_else_wrote_into(tmp_path: Path, changes: str) -> None:
    path = tmp_path / "store.sqlite"
    with open_store(str(path)) as store, closing(sqlite3.connect(path)) as other:
        other.execute(
            "INSERT INTO events (at, act_key, who, role, thread, text, changes) VALUES ('', 'k', '', ?, '', '', ?)",
            ("assessor", changes),
        )
        other.commit()
        good = store.append(act("a"))
        assert store.events() == [good]
        (bad,) = store.read()[1]
        assert (bad.id, bad.fields[1], bad.fields[6]) == (1, "k", changes)
        assert "cannot be read" in bad.why or "a role is" in bad.why
