"""A process beside this one that reads Parquet files first, so that one which ends its reader does not end us.

The library aborts the whole process where a damaged file asks for more memory than there is, and no exception can be
caught. The process is started when the first file is read that is not laid out well (parquet_structure.py), and stays
until we end; a file that it survives is then read here.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
from contextlib import suppress

LARGEST = 64 << 20
"""Larger files are read at once: to read them twice takes too long."""

WORKER = """
import io, struct, sys
import polars as pl
try:
    import resource
except ImportError:
    resource = None
given, answer = sys.stdin.buffer, sys.stdout.buffer
while len(head := given.read(16)) == 16:
    size, seconds = struct.unpack("<QQ", head)
    data = given.read(size)
    if resource is not None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        limit = int(used.ru_utime + used.ru_stime + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        pl.read_parquet(io.BytesIO(data))
    except BaseException:
        pass
    answer.write(b".")
    answer.flush()
"""


class _Probe:
    """The process, started when it is first needed and again after it has ended over a file."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def survives(self, data: bytes, seconds: float) -> bool:
        """Whether a reader is still there after it has read a file; True if there can be no other process."""
        with self._lock:
            process = self._start()
            if process is None or process.stdin is None or process.stdout is None:
                return True
            try:
                process.stdin.write(len(data).to_bytes(8, "little") + max(1, int(seconds)).to_bytes(8, "little"))
                process.stdin.write(data)
                process.stdin.flush()
                answered = process.stdout.read(1) == b"."
            except OSError:
                answered = False
            if not answered:
                self._end()
            return answered

    def _start(self) -> subprocess.Popen[bytes] | None:
        if self._owner != os.getpid():  # after a fork the process is that of our parent
            self._process, self._owner = None, os.getpid()
        if self._process is None and sys.executable:
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-c", WORKER],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env={**os.environ, "POLARS_MAX_THREADS": "1"},
                )
            except OSError:
                return None
            atexit.register(self._end)
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None or self._owner != os.getpid():
            return
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        process.kill()
        process.wait()


_PROBE = _Probe()


def survives(data: bytes, seconds: float) -> bool:
    """Whether a process can read a Parquet file, well or badly, and still be there."""
    return len(data) > LARGEST or _PROBE.survives(data, seconds)
