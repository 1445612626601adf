"""A file of records by key, which only grows: what took long to make and may be made again.

A record is its length, a checksum, its key and its bytes. A process that was killed while it wrote leaves a torn record
at the end, which is cut off by whoever opens the file next. One process writes at a time.
"""

from __future__ import annotations

import os
import struct
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from ..core.errors import ConflictError
from .access import read_at, write_at, writing
from .digest import WHOLE, crc32
from .lock import release, take

MAGIC = b"adjudge records 1\n"
HEAD = struct.Struct(f"<II{WHOLE}s")
SYNCED = 5.0
"""Seconds between waits for the disk."""
PIECE = 1 << 24


class RecordStore:
    """``with RecordStore(path) as store: store.put(key, b"…"); store.get(key)``; keys are digests of 16 bytes."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.places: dict[bytes, tuple[int, int]] = {}
        """Where the bytes of each record are, and how many."""
        with writing(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
            self._lock: int | None = None
            try:
                self._lock = take(self.path)
                self._end = self._read_heads()
                os.ftruncate(self._file, self._end)
            except ConflictError:
                self.close()
                raise
            except BlockingIOError:
                os.close(self._file)
                raise ConflictError(f"{self.path}: another job is writing it") from None
            except BaseException:
                self.close()
                raise
        self._synced = time.monotonic()

    def _read_heads(self) -> int:
        """Go through all records; the place behind the last whole one. A file of somebody else is left alone."""
        size = os.fstat(self._file).st_size
        head = read_at(self._file, len(MAGIC), 0)
        if head != MAGIC:
            if not MAGIC.startswith(head):
                raise ConflictError(f"{self.path}: another file is in the place where pages are kept: move it away")
            write_at(self._file, MAGIC, 0)
            return len(MAGIC)
        at = len(MAGIC)
        buffer, base = b"", at
        while at + HEAD.size <= size:
            if at + HEAD.size > base + len(buffer):
                buffer, base = read_at(self._file, PIECE, at), at
            length, crc, key = HEAD.unpack_from(buffer, at - base)
            end = at + HEAD.size + length
            if end > size:
                break
            if end > base + len(buffer):
                buffer, base = read_at(self._file, max(PIECE, HEAD.size + length), at), at
            begin = at - base + HEAD.size
            if crc32(buffer[begin : begin + length], crc32(key)) != crc:
                break
            self.places[key] = (at + HEAD.size, length)
            at = end
        return at

    def __len__(self) -> int:
        return len(self.places)

    def __contains__(self, key: bytes) -> bool:
        return key in self.places

    def get(self, key: bytes) -> bytes | None:
        """The bytes of a record; None if there is none."""
        place = self.places.get(key)
        return None if place is None else read_at(self._file, place[1], place[0])

    def put(self, key: bytes, value: bytes) -> None:
        """Write a record; what a full disk left of it is cut off again."""
        at = self._end
        record = memoryview(HEAD.pack(len(value), crc32(value, crc32(key)), key) + value)
        with writing(self.path):
            try:
                while record:
                    written = write_at(self._file, record, at)
                    record, at = record[written:], at + written
                if time.monotonic() - self._synced > SYNCED:
                    self.sync()
            except OSError:
                os.ftruncate(self._file, self._end)
                raise
        self.places[key] = (self._end + HEAD.size, len(value))
        self._end = at

    def sync(self) -> None:
        os.fsync(self._file)
        self._synced = time.monotonic()

    def close(self) -> None:
        release(self._lock)
        self._lock = None
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
