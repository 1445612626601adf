"""Values that were made last, so that they need not be made again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Recent(Generic[Value]):
    """What was made last, so that it need not be made again; ``weigh`` says how much one takes of the room."""

    def __init__(self, room: float, weigh: Callable[[Value], float] = lambda _: 1.0) -> None:
        self.room, self.weigh = room, weigh
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._taken = 0.0

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """What is kept under a key, made now if it is not."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = make()
        with self._lock:
            if key not in self._values:
                self._values[key] = value
                self._taken += self.weigh(value)
            while self._taken > self.room and len(self._values) > 1:
                self._taken -= self.weigh(self._values.popitem(last=False)[1])
        return value
