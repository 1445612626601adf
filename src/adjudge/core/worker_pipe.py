"""Python processes of our own that get work through one pipe and give results back through another."""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import sys
from contextlib import suppress
from typing import IO, Any

from .errors import DataError
from .machine import end_group

LENGTH = struct.Struct("<Q")


def start_worker(module: str, function: str, **environment: str) -> subprocess.Popen[bytes]:
    """A process that calls a function of a module; it reads its standard input until nobody asks any more.

    ``environment`` has variables that it is to have beside those of this process.
    """
    path = [str(entry) for entry in sys.path]
    code = f"import sys; sys.path[:] = {path!r}; from {module} import {function}; {function}()"
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=pipe,
            stdout=pipe,
            start_new_session=True,
            env=os.environ | environment,
        )
    except OSError as error:
        raise DataError(f"a worker process could not start: {error.strerror}") from None


def end_worker(process: subprocess.Popen[bytes]) -> None:
    """End a worker and those that it started, and let go of its pipes."""
    with suppress(OSError):
        end_group(process)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def answers() -> IO[bytes]:
    """In a worker: where its results go. What libraries print goes nowhere, since it is no result."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return out


def send(stream: IO[bytes] | None, what: object) -> None:
    """Write something into a pipe; an EOFError if it is closed."""
    if stream is None:
        raise EOFError
    raw = pickle.dumps(what, pickle.HIGHEST_PROTOCOL)
    stream.write(LENGTH.pack(len(raw)))
    stream.write(raw)
    stream.flush()


def receive(stream: IO[bytes] | None) -> Any:
    """What was sent through a pipe; an EOFError if the other side is gone."""
    head = stream.read(LENGTH.size) if stream is not None else b""
    raw = stream.read(LENGTH.unpack(head)[0]) if stream is not None and len(head) == LENGTH.size else b""
    if not raw:
        raise EOFError
    return pickle.loads(raw)  # noqa: S301  from a process of our own
