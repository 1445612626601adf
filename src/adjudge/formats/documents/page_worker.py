"""Processes that read files of pages, so that a file which ends or holds up its reader costs one line and not the job.

A thread stands before each process and asks for one file at a time. A process that dies or takes too long is ended, its
file is reported, and the next file gets a new one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from ...core.errors import AdjudgeError, DataError
from ...core.machine import end_group
from ...core.worker_pipe import answers, end_worker, receive, send, start_worker
from ...storage.digest import Digest
from .layout import layouts
from .page_text import pack_pages
from .scan_layout import Bytes, ScanLayout

PATIENCE = 300.0
"""Seconds that one file may take, and one more for each megabyte."""
VERSION = "pages 2"
"""Changes when the same bytes are to be read anew, because a layout reads them otherwise."""
PIECE = 1 << 20


class PageFile(NamedTuple):
    """A file of pages that is to be read: its layout, its name for messages, and its path or its bytes."""

    layout: str
    name: str
    path: str | None
    data: bytes = b""

    @property
    def content(self) -> Bytes:
        if self.path is None:
            return Bytes(self.name, lambda: [self.data])
        return Bytes(self.name, lambda: _pieces(str(self.path)), self.path)


class PagesRead(NamedTuple):
    """What came of it: the digest of the content, the pages packed, or why there are none."""

    key: bytes
    packed: bytes
    pages: int
    words: int
    broken: int
    why: str = ""


def _pieces(path: str) -> Any:
    try:
        with open(path, "rb", buffering=0) as file:
            while piece := file.read(PIECE):
                yield piece
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None


def content_key(content: Bytes, reader: str) -> bytes:
    """A digest of the bytes and of what reads them."""
    digest = Digest(f"{VERSION} {reader}\n".encode())
    for piece in content.pieces():
        digest.add(piece)
    return digest.bytes


def read_page_file(file: PageFile) -> PagesRead:
    """Read one file in this process."""
    key = b""
    try:
        layout = layouts.parse(file.layout)
        if not isinstance(layout, ScanLayout):
            raise DataError(f"{file.name}: {layout} is no layout of pages")
        key = content_key(file.content, file.layout)
        pages = [page.settle() for page in layout.pages(file.content)]
        for page in pages:
            page.words = [word.encode("utf-8", "replace").decode() for word in page.words]
        words, broken = sum(len(page.words) for page in pages), sum(page.broken for page in pages)
        return PagesRead(key, pack_pages(pages), len(pages), words, broken)
    except AdjudgeError as error:
        return PagesRead(key, b"", 0, 0, 0, str(error))
    except (MemoryError, RecursionError, OverflowError) as error:
        return PagesRead(key, b"", 0, 0, 0, f"{file.name}: cannot be read: {type(error).__name__}")


class PageProcess:
    """One process, started when it is first asked."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.late = False

    def __call__(self, file: PageFile) -> PagesRead:
        process = self.process or self._start()
        size = len(file.data) if file.path is None else os.path.getsize(file.path) if os.path.exists(file.path) else 0
        self.late = False
        timer = threading.Timer(PATIENCE + size / 1e6, self._give_up)
        timer.daemon = True
        timer.start()
        try:
            send(process.stdin, file)
            answer: PagesRead = receive(process.stdout)
            return answer
        except (EOFError, OSError):
            self.close()
            why = "reading it took too long" if self.late else "it ended the process that read it"
            return PagesRead(b"", b"", 0, 0, 0, f"{file.name}: {why}")
        finally:
            timer.cancel()

    def _start(self) -> subprocess.Popen[bytes]:
        self.process = start_worker(__name__, "serve")
        return self.process

    def _give_up(self) -> None:
        self.late = True
        if self.process is not None:
            with suppress(OSError):
                end_group(self.process)

    def close(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            end_worker(process)


class PageReaders:
    """Some processes, each with a thread; ``submit`` gives a future."""

    def __init__(self, workers: int) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self._own = threading.local()
        self._all: list[PageProcess] = []
        self._pool = ThreadPoolExecutor(workers, "pages")

    def submit(self, file: PageFile) -> Any:
        return self._pool.submit(self._read, file)

    def call(self, work: Callable[[], PagesRead]) -> Any:
        """Have something else done by one of the threads."""
        return self._pool.submit(work)

    def _read(self, file: PageFile) -> PagesRead:
        if not hasattr(self._own, "process"):
            self._own.process = PageProcess()
            self._all.append(self._own.process)
        answer: PagesRead = self._own.process(file)
        return answer

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in self._all:
            process.close()
        self._pool.shutdown(wait=True)


def serve() -> None:
    """The life of a process: read what is asked for until nobody asks."""
    out = answers()
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            send(out, read_page_file(receive(sys.stdin.buffer)))
