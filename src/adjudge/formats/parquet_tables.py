"""Tables in Parquet files, which may be damaged.

The library that reads them panics on some damaged files, which is no Exception of Python, and works without end on
others. Both are one line here: the call is made in a thread of its own, with a limit on the time that it may take. Some
end the whole process; a file whose sizes and counts do not fit together (parquet_structure.py) is read by a process of
its own first (parquet_probe.py).
"""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from ..core.errors import AdjudgeError, DataError
from .source import Source

T = TypeVar("T")

PATIENCE = 6.0
"""Seconds of processor time that any file may take."""
PACE = 2_000_000
"""Bytes for which there is a second more; a good file has forty times as many read."""
STILL = 10.0
"""Seconds without any work at all after which nothing more is waited for; more where the patience is longer."""


def read_parquet(source: Source, what: str = "Parquet") -> Any:
    """The frame in a Parquet file; one line if there is none."""
    raw = bytes(source.text)
    refuse_deadly(raw, source.name, what)
    import polars as pl

    return contained(lambda: pl.read_parquet(io.BytesIO(raw)), source.name, len(raw), what)


def refuse_deadly(raw: bytes, name: str, what: str = "Parquet") -> None:
    """An error if a file ends the process that reads it; one that is laid out well is not tried in another first."""
    from .parquet_probe import survives
    from .parquet_structure import is_plausible

    if is_plausible(raw):
        return

    if not survives(raw, PATIENCE + len(raw) / PACE):
        raise DataError(f"{name}: not readable as {what}: damaged so that it ends or stops the program that reads it")


def contained(call: Callable[[], T], name: str, size: int, what: str = "Parquet") -> T:
    """What a call into the library gives; a DataError if it panics, fails or does not end in time."""
    outcome: list[T] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(call())
        except BaseException as error:  # a panic is no Exception
            failure.append(error)

    thread = threading.Thread(
        target=work, name="adjudge-parquet", daemon=True
    )  # one that never ends must not be waited for
    thread.start()
    thread.join(0.5)
    if thread.is_alive():
        _wait(thread, PATIENCE + size / PACE)
    if failure:
        if isinstance(failure[0], AdjudgeError | KeyboardInterrupt | SystemExit):
            raise failure[0]
        raise DataError(f"{name}: not readable as {what}: {first_line(failure[0])}") from None
    if not outcome:
        raise DataError(f"{name}: not readable as {what}: damaged so that reading it does not end")
    return outcome[0]


def _wait(thread: threading.Thread, limit: float) -> None:
    """Wait until a thread has ended or has used up its processor time; on a busy machine the clock says little."""
    used, last = time.process_time(), time.monotonic()
    seen = used
    while thread.is_alive() and time.process_time() - used < limit:
        thread.join(0.1)
        if time.process_time() - seen > 0.02:
            seen, last = time.process_time(), time.monotonic()
        elif time.monotonic() - last > STILL * limit / PATIENCE:
            return


def first_line(error: BaseException) -> str:
    """The first line of what a library says, its name if it says nothing."""
    return (str(error).splitlines() or [type(error).__name__])[0] or type(error).__name__
