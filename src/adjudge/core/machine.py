"""The machine that this process runs on: its cores, and the memory that was used."""

from __future__ import annotations

import os
import sys
from contextlib import suppress


def cores() -> int:
    """How many cores this process may use, which can be fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def peak_memory() -> int:
    """Megabytes that this process, or the largest that it started, had at most; 0 where the system does not say."""
    try:
        import resource
    except ImportError:  # not on Windows
        return _status_peak() // 1024
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // unit
    if status := _status_peak():  # the number above counts what the parent had when it started this process
        own = status // 1024
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // unit)


def _status_peak() -> int:
    """Kilobytes that this process had at most, as Linux says; 0 elsewhere."""
    with suppress(OSError, ValueError), open("/proc/self/status", encoding="utf-8") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0
