"""Energy that the processors of this machine use, where Linux tells it: RAPL's counters below /sys/class/powercap.

The counters are of whole processor packages, so of all that runs on the machine. On many machines only root may read
them, and virtual machines have none; then nothing is known, and nothing is said.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

POWERCAP = Path("/sys/class/powercap")
EVERY = 30.0
"""Seconds between two looks: a counter starts anew after some minutes of full load, and must not do so twice unseen."""


class EnergyMeter:
    """Measures time and energy while a ``with`` block runs.

    >>> with EnergyMeter(Path("/nowhere")) as meter:
    ...     pass
    >>> meter.joules is None
    True
    """

    def __init__(self, root: Path = POWERCAP, every: float = EVERY) -> None:
        self.zones = packages(root)
        self.every = every
        self._total = 0
        self._last: dict[Path, int] = {}
        self._lost = False
        self._lock = threading.Lock()
        self._end = threading.Event()
        self.seconds = 0.0
        self._began = time.perf_counter()
        self._watch: threading.Thread | None = None

    @property
    def joules(self) -> float | None:
        """What was used so far; None where the machine does not tell."""
        return None if not self._last or self._lost else self._total / 1e6

    def __enter__(self) -> Self:
        self._began = time.perf_counter()
        self.look()
        if self._last:
            self._watch = threading.Thread(target=self._look_again, daemon=True)
            self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self._began
        self._end.set()
        if self._watch is not None:
            self._watch.join()
        self.look()

    def _look_again(self) -> None:
        while not self._end.wait(self.every):
            self.look()

    def look(self) -> None:
        """Read the counters and add what they grew by."""
        with self._lock:
            for zone in self.zones:
                now = _number(zone / "energy_uj")
                if now is None:
                    self._lost = self._lost or zone in self._last
                    continue
                before = self._last.get(zone, now)
                if now < before:  # it started anew
                    before -= (_number(zone / "max_energy_range_uj") or before) + 1
                self._total += now - before
                self._last[zone] = now


def packages(root: Path = POWERCAP) -> list[Path]:
    """The zones that are processor packages; cores and memory controllers within them are counted there."""
    try:
        names = sorted(name for name in os.listdir(root) if name.count(":") == 1 and "rapl" in name)
    except OSError:
        return []
    named = {root / name: _text(root / name / "name") for name in names}
    return [zone for zone, name in named.items() if name.startswith("package")]


def _text(path: Path) -> str:
    with suppress(OSError):
        return path.read_text(encoding="utf-8", errors="replace").strip()
    return ""


def _number(path: Path) -> int | None:
    text = _text(path)
    return int(text) if text.isdigit() else None
