"""The journal of a job: what is finished, written as it finishes, so that a killed job goes on where it was.

A record is its length, a checksum and the packed result of one document. A job that was killed while it wrote leaves a
torn record at the end; whoever opens the journal next cuts it off. Only the journal's own process writes to it.
"""

from __future__ import annotations

import json
import os
import struct
import time
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..core.errors import DataError
from ..core.note import Note
from ..storage.access import read_at, write_at
from ..storage.digest import crc32
from ..storage.zstd import pack, unpack
from .degrader import Degraded

HEAD = struct.Struct("<III")
"""Length of the packed bytes, their checksum, and the number of the document."""
SYNCED = 5.0
"""Seconds between waits for the disk: a power failure costs so much, a kill costs nothing that was written."""


class DamagedJournalError(DataError):
    """A record that was whole is not whole any more."""


class Finished(NamedTuple):
    """One document that is done, by its number in the corpus, and the seconds that it took a worker."""

    number: int
    result: Degraded
    seconds: float


class Journal:
    """Records on disk, and where each document's is; texts are not kept in memory."""

    def __init__(self, path: Path, documents: int) -> None:
        self.path = path
        self.places = array("q", [-1]) * documents
        """By number: where its record begins, -1 if it is not done."""
        self.finished = self.pages = self.failed = 0
        self.dropped = 0
        """Bytes of torn records that were cut off."""
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        self._synced = time.monotonic()
        try:
            self._end = self._whole()
            self.dropped = os.fstat(self._file).st_size - self._end
            if self.dropped:
                os.ftruncate(self._file, self._end)
        except BaseException:
            os.close(self._file)
            raise

    def _whole(self) -> int:
        """Go through all records; the place behind the last one that is whole."""
        at = 0
        while (packed := self._read_record(at)) is not None:
            number, raw = packed
            if number >= len(self.places):
                raise DamagedJournalError(f"{self.path}: a document {number} that the corpus has not: start anew")
            try:
                done = _unpack(raw)
            except (ValueError, TypeError):  # whole, and not as it is written now
                raise DamagedJournalError(f"{self.path}: written by another release: start anew") from None
            self._count(number, at, done)
            at += HEAD.size + len(raw)
        return at

    def _read_record(self, at: int) -> tuple[int, bytes] | None:
        head = read_at(self._file, HEAD.size, at)
        if len(head) < HEAD.size:
            return None
        length, crc, number = HEAD.unpack(head)
        size = os.fstat(self._file).st_size
        if length > size - at - HEAD.size:
            return None
        raw = read_at(self._file, length, at + HEAD.size)
        return (number, raw) if _sum(number, raw) == crc else None

    def _count(self, number: int, at: int, done: Finished) -> None:
        if self.places[number] < 0:
            self.places[number] = at
            self.finished += 1
            self.pages += done.result.pages
            self.failed += len(done.result.failures)

    def append(self, done: Finished) -> None:
        """Write one record, whole; what a full disk left of it is cut off again."""
        if self.places[done.number] >= 0:
            return
        raw = _pack(done)
        record = memoryview(HEAD.pack(len(raw), _sum(done.number, raw), done.number) + raw)
        at = self._end
        try:
            while record:
                written = write_at(self._file, record, at)
                record, at = record[written:], at + written
            if time.monotonic() - self._synced > SYNCED:
                self.sync()
        except OSError:
            os.ftruncate(self._file, self._end)
            raise
        self._count(done.number, self._end, done)
        self._end = at

    def sync(self) -> None:
        os.fsync(self._file)
        self._synced = time.monotonic()

    def __iter__(self) -> Iterator[Finished]:
        """All finished documents, in the order of the corpus."""
        for number, at in enumerate(self.places):
            if at >= 0:
                packed = self._read_record(at)
                if packed is None or packed[0] != number:
                    raise DamagedJournalError(f"{self.path}: damaged at byte {at}: start anew with --restart")
                yield _unpack(packed[1])

    def close(self) -> None:
        os.close(self._file)


def _sum(number: int, raw: bytes) -> int:
    return crc32(raw, number)


def _pack(done: Finished) -> bytes:
    id_, text, pages, failures, notes = done.result
    fields = [done.number, done.seconds, id_, text, pages, list(failures)]
    fields.append([[note.to_json(), times] for note, times in notes.items()])
    return pack(json.dumps(fields).encode(), 1, checksum=False)


def _unpack(raw: bytes) -> Finished:
    number, seconds, id_, text, pages, failures, notes = json.loads(unpack(raw))
    counts = {Note.from_json(note): times for note, times in notes}
    return Finished(number, Degraded(id_, text, pages, tuple(failures), counts), seconds)
