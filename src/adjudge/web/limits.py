"""Rate limits: so many at once, then so many a second."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

MOST_KEYS = 10_000


class Bucket:
    """A bucket of tokens for every key; the keys that were used longest ago are forgotten first."""

    def __init__(self, burst: float, a_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst, self.a_second, self.clock = burst, a_second, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, key: str, number: int = 1) -> float:
        """Take one; 0 if there was one, otherwise the seconds until there will be. To take none is to look."""
        at = self.clock()
        with self._lock:
            level, since = self._levels.pop(key, (self.burst, at))
            level = min(self.burst, level + (at - since) * self.a_second)
            short = 1 - level
            self._levels[key] = (level if short > 0 else level - number, at)
            while len(self._levels) > MOST_KEYS:
                self._levels.popitem(last=False)
        return max(0.0, short / self.a_second) if short > 0 else 0.0
