"""What the passes over a dump keep: small sets in memory, posts and comments of candidates in a temporary database."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

from ...core.errors import DataError
from ...formats.writing import csv_cell
from ...storage.access import writing
from ...storage.replace import NewFile, scratch_file

BITS = 512
QUESTION, ANSWER, COMMENT = 1, 2, 3


class Ids:
    """A set of whole numbers in a bit each where they lie close, as ids do: a hundred million take 40 MB."""

    def __init__(self) -> None:
        self._blocks: dict[int, bytearray] = {}
        self.size = 0

    def add(self, id_: int) -> bool:
        """Whether it is new."""
        block, bit = divmod(id_, BITS)
        bits = self._blocks.get(block)
        if bits is None:
            bits = self._blocks[block] = bytearray(BITS // 8)
        place, mask = bit >> 3, 1 << (bit & 7)
        if bits[place] & mask:
            return False
        bits[place] |= mask
        self.size += 1
        return True

    def __contains__(self, id_: int) -> bool:
        bits = self._blocks.get(id_ // BITS)
        return bits is not None and bool(bits[(id_ % BITS) >> 3] & (1 << (id_ & 7)))


class Losses:
    """All that was not taken, as a CSV file that takes its place when all is done: nothing is lost silently."""

    HEADER = ("kind", "thread", "place", "what")

    def __init__(self, path: Path) -> None:
        self.path = path
        self.counts: Counter[str] = Counter()
        with writing(path):
            self._new = NewFile(path, durable=False)
        self._file = io.TextIOWrapper(self._new.file, encoding="utf-8", errors="replace", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow(self.HEADER)

    def __enter__(self) -> Losses:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                with writing(self.path):
                    self._file.flush()
                    self._new.commit()
        finally:
            self._new.abandon()

    def add(self, kind: str, what: str, *, thread: int | str = "", place: str = "") -> None:
        self.counts[kind] += 1
        printable = "".join(c if c.isprintable() else "\ufffd" for c in what[:500])
        with writing(self.path):
            self._writer.writerow([csv_cell(cell) for cell in (kind, thread, place, printable)])


class Spill:
    """Records by the thread they belong to, on disk."""

    def __init__(self, folder: Path) -> None:
        self._stack = ExitStack()
        self._path = self._stack.enter_context(scratch_file(folder / "spill"))
        self._base = sqlite3.connect(self._path, isolation_level=None)
        try:
            self._lay_out()
        except sqlite3.Error as error:  # a full disk, say
            self._base.close()
            self._stack.close()
            raise DataError(f"{folder}: cannot be written: {error}") from None

    def _lay_out(self) -> None:
        self._base.execute("PRAGMA journal_mode=OFF")
        self._base.execute("PRAGMA synchronous=OFF")
        self._base.execute("PRAGMA cache_size=-32000")
        self._base.execute("CREATE TABLE cited (thread INTEGER PRIMARY KEY, answer INTEGER, citations TEXT)")
        self._base.execute(
            "CREATE TABLE record (kind INTEGER, id INTEGER, thread INTEGER, json TEXT, PRIMARY KEY (kind, id))"
            " WITHOUT ROWID"
        )
        self._base.execute("CREATE TABLE fact (thread INTEGER, name TEXT, value TEXT)")

    def __enter__(self) -> Spill:
        self._base.execute("BEGIN")
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._base.close()
        self._stack.close()

    def _run(self, statement: str, values: tuple[Any, ...]) -> sqlite3.Cursor:
        try:
            return self._base.execute(statement, values)
        except sqlite3.OperationalError as error:  # a full disk
            raise DataError(f"{self._path}: {error}") from None

    def cite(self, thread: int, answer: int, citations: list[dict[str, Any]]) -> bool:
        """Remember what an answer cites; False if the thread has one already."""
        cursor = self._run("INSERT OR IGNORE INTO cited VALUES (?, ?, ?)", (thread, answer, json.dumps(citations)))
        return cursor.rowcount == 1

    def add(self, kind: int, id_: int, thread: int, record: dict[str, Any]) -> bool:
        """Keep a record; False if there is one of this kind with this id."""
        cursor = self._run("INSERT OR IGNORE INTO record VALUES (?, ?, ?, ?)", (kind, id_, thread, json.dumps(record)))
        return cursor.rowcount == 1

    def fact(self, thread: int, name: str, value: str) -> None:
        self._run("INSERT INTO fact VALUES (?, ?, ?)", (thread, name, value))

    def thread_of(self, post: int) -> int:
        row = self._run("SELECT thread FROM record WHERE kind IN (1, 2) AND id = ?", (post,)).fetchone()
        return 0 if row is None else int(row[0])

    def index(self) -> None:
        self._run("CREATE INDEX by_thread ON record (thread)", ())
        self._run("CREATE INDEX facts_by_thread ON fact (thread)", ())

    def threads(self) -> Iterator[tuple[int, int, list[dict[str, Any]]]]:
        """(thread, accepted answer, citations) by thread."""
        for thread, answer, cited in self._run("SELECT * FROM cited ORDER BY thread", ()):
            yield thread, answer, json.loads(cited)

    def records(self, thread: int) -> Iterator[tuple[int, dict[str, Any]]]:
        """(kind, record) of a thread, by kind and id."""
        asked = "SELECT kind, json FROM record WHERE thread = ? ORDER BY kind, id"
        for kind, record in self._run(asked, (thread,)):
            yield kind, json.loads(record)

    def facts(self, thread: int) -> list[tuple[str, str]]:
        return list(self._run("SELECT name, value FROM fact WHERE thread = ? ORDER BY rowid", (thread,)))
