"""Commands under a limit of memory (``ulimit -v``): libraries that would hang or fall apart are not loaded.

OpenBLAS, which numpy and scipy bring along, asks for its buffers without end where there is no room for them, and a
library that could be loaded only in part fails later with any error. Under a limit the room is looked at first, and a
command ends with one line instead.
"""

from __future__ import annotations

import mmap
import os
import sys

ROOM = {
    "numpy._core._multiarray_umath": 160 << 20,
    "scipy.linalg": 160 << 20,
    "scipy.special": 160 << 20,
    "polars": 256 << 20,
}
"""Bytes that must be free before a module is loaded."""
LITTLE = 256 << 20
"""Where less is free, an error of a library is one of memory: the largest takes that much."""
MODEST = {
    "OPENBLAS_NUM_THREADS": "1",
    "POLARS_MAX_THREADS": "1",
    "_RJEM_MALLOC_CONF": "background_thread:false",
}
"""One thread for each library: every further one reserves a hundred megabytes, and the process ends if it cannot."""


def room() -> int | None:
    """How many bytes more this process may have, by the limit of its address space; None if there is none."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return None
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    try:
        with open("/proc/self/statm", "rb") as file:
            return max(0, limit - int(file.read().split()[0]) * mmap.PAGESIZE)
    except (OSError, ValueError, IndexError):
        return None


class _RoomFinder:
    """Stands before the finders of modules, finds none, and refuses those for which there is no room."""

    def find_spec(self, name: str, *_: object) -> None:
        if name in ROOM and (free := room()) is not None and free < ROOM[name]:
            raise MemoryError


def watch_memory() -> None:
    """Look before libraries are loaded, if this process is under a limit; nothing otherwise."""
    if room() is not None and not any(isinstance(finder, _RoomFinder) for finder in sys.meta_path):
        for name, value in MODEST.items():
            os.environ.setdefault(name, value)
        sys.meta_path.insert(0, _RoomFinder())


def is_scarce() -> bool:
    """Whether there is so little room left that an error of a library comes from that."""
    free = room()
    return free is not None and free < LITTLE
