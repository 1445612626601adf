"""The machine that this process runs on: its cores, the memory that was used, and how processes are ended there."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from .child_process import SessionLeader


OWN_VARIABLES: dict[str, str] = {}
"""Variables of the environment that a command has set for itself; programs that it starts have their own ways."""


def cores() -> int:
    """How many cores this process may use, which can be fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class uncollected:  # noqa: N801  it reads as a word of the with statement
    """While millions of records are read nothing is garbage: to look for some would take as long as the reading."""

    def __enter__(self) -> None:
        self._was = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._was:
            gc.enable()


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
    from contextlib import suppress

    with suppress(OSError, ValueError), open("/proc/self/status", encoding="utf-8") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


def end_group(process: SessionLeader) -> None:
    """End a process that was started with a session of its own, and those that it started.

    Windows has no groups of processes: there those that it started end by themselves, when their standard input does.
    """
    if not hasattr(os, "killpg"):
        process.kill()
        return
    import signal

    os.killpg(process.pid, signal.SIGKILL)


def end_own_group() -> NoReturn:
    """End this process at once, and those that it started, without a word."""
    if hasattr(os, "killpg"):
        import signal
        from contextlib import suppress

        with suppress(OSError):
            os.killpg(0, signal.SIGKILL)
    os._exit(1)


def platform_facts() -> dict[str, Any]:
    """Hardware, operating system and Python, as far as the machine tells them."""
    import platform

    cpu = {
        "model": _first_value("/proc/cpuinfo", "model name", ":") or platform.processor(),
        "architecture": platform.machine(),
        "operation mode": platform.architecture()[0].replace("bit", "-bit"),
        "number of cores": os.cpu_count() or 1,
    }
    ram = _first_value("/proc/meminfo", "MemTotal", ":").split()
    hardware: dict[str, Any] = {"cpu": {name: value for name, value in cpu.items() if value}}
    if ram and ram[0].isdigit():
        hardware["ram"] = f"{int(ram[0]) / 2**20:.2f} GB"
    distribution = _first_value("/etc/os-release", "PRETTY_NAME", "=").strip('"')
    system = {"kernel": f"{platform.system()} {platform.release()}".strip(), "distribution": distribution}
    known = {name: value for name, value in system.items() if value}
    return {"hardware": hardware, "operating system": known, "python": platform.python_version()}


def _first_value(path: str, name: str, sign: str) -> str:
    """The value that a file of the system has for a name; empty if there is none."""
    from contextlib import suppress

    with suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            key, found, value = line.partition(sign)
            if found and key.strip() == name:
                return value.strip()
    return ""
