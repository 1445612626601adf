"""The compiled loops (``native/``), and threads for them; elsewhere the same loops are there in Python.

Where no compiler was at hand when the package was installed, Python does the work; ``ADJUDGE_KERNEL=python`` in the
environment asks for that.
"""

from __future__ import annotations

import os
from importlib import import_module

from .machine import cores

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    T = TypeVar("T")


def _load() -> Any:
    """The compiled module, None where it was not built or Python is asked for."""
    if os.environ.get("ADJUDGE_KERNEL") == "python":
        return None
    try:
        return import_module("adjudge._native")
    except ImportError:
        return None


compiled: Any = _load()


def native(job: str) -> Any:
    """The compiled loops of a job, which is a file in ``native/``; None where Python is to do it."""
    return None if compiled is None else getattr(compiled, job)


THREADS = min(cores(), 8)


def together(work: Callable[[int], T], parts: int, *, arrays: bool = True) -> list[T]:
    """``[work(0), work(1), …]``, each part in a thread of its own: the compiled loops run outside the interpreter.

    ``arrays`` says whether the work may use numpy, which is then loaded before."""
    if parts == 1:
        return [work(0)]
    import threading

    if arrays:
        from .deferred import load

        load("numpy")
    results: list[Any] = [None] * parts
    failures: list[BaseException] = []

    def run(part: int) -> None:
        try:
            results[part] = work(part)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(part,)) for part in range(1, parts)]
    for thread in threads:
        thread.start()
    run(0)
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return results


def slots_for(rows: int) -> int:
    """The size of the hash table for so many documents: the power of two that it fills half at most."""
    return max(2, 1 << (2 * rows - 1).bit_length()) if rows else 2


def parts_for(size: int, worthwhile: int) -> int:
    """How many threads pay off for so much work; the Python fallback gains nothing from them."""
    return 1 if compiled is None else max(1, min(THREADS, size // worthwhile))


def on_threads(work: Callable[[Any], T], items: Sequence[Any]) -> list[T]:
    """``[work(item) …]``, some at a time."""
    if len(items) < 2:
        return [work(item) for item in items]
    from concurrent.futures import ThreadPoolExecutor

    from .deferred import load

    load("numpy")
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(work, items))
