"""What Java, and what lies between it and Python, says past us: kept in a file, or kept back."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def silent() -> Iterator[None]:
    """Without the tracebacks of what lies between Python and Java: an error is one line."""
    import logging
    import socketserver

    def others(record: logging.LogRecord) -> bool:
        return "py4j" not in record.pathname

    former = socketserver.BaseServer.handle_error

    def handle(server: Any, *about: Any) -> None:
        if not type(server).__module__.startswith("pyspark"):
            former(server, *about)

    root = logging.getLogger()  # py4j has loggers and does not use them for this
    root.addFilter(others)
    socketserver.BaseServer.handle_error = handle  # type: ignore[assignment,method-assign]
    try:
        yield
    finally:
        root.removeFilter(others)
        socketserver.BaseServer.handle_error = former  # type: ignore[method-assign]


@contextmanager
def redirect_output(log: Path) -> Iterator[None]:
    """What Java, which is started now, says for the rest of its life goes into a file."""
    if sys.stderr is not None:
        sys.stderr.flush()
    try:
        former = os.dup(2)
    except OSError:  # it is closed
        former = os.open(os.devnull, os.O_WRONLY)
    try:
        with log.open("ab") as file:
            os.dup2(file.fileno(), 2)
        yield
    finally:
        os.dup2(former, 2)
        os.close(former)
