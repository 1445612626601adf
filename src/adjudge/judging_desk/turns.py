"""Who judges which pair next: the order of the pool, second judgments that are due, and what others have in hand."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .judgment_book import JudgmentBook, PairKey

LASTS = 15 * 60.0
"""Seconds after which a pair that somebody has on the screen may be given to others."""


@dataclass(frozen=True)
class InHand:
    """A pair on somebody's screen."""

    pair: PairKey
    since: float


class Turns:
    """Gives people pairs; what is on a screen is given to nobody else for a while. Only judgments are kept for good."""

    def __init__(self, book: JudgmentBook, clock: Callable[[], float] = time.monotonic) -> None:
        self.book, self.clock = book, clock
        self._hands: dict[str, InHand] = {}
        self._later: dict[str, dict[PairKey, None]] = {}
        self._flags: dict[PairKey, npt.NDArray[np.bool_]] = {}
        """(assessor, topic): documents that are for others. Neither pool nor rules change while a desk is open."""
        self._lock = threading.Lock()

    def take(self, who: str, pair: PairKey) -> None:
        """Somebody looks at a pair."""
        with self._lock:
            before = self._hands.get(who)
            if before is None or before.pair != pair:
                self._hands[who] = InHand(pair, self.clock())

    def seconds(self, who: str, pair: PairKey) -> float | None:
        """How long somebody has looked at a pair; the next look begins anew."""
        with self._lock:
            held = self._hands.get(who)
            if held is None or held.pair != pair:
                return None
            del self._hands[who]
        return self.clock() - held.since

    def later(self, who: str, pair: PairKey) -> None:
        """Let somebody have a pair after all others."""
        self._later.setdefault(who, {})[pair] = None
        with self._lock:
            self._hands.pop(who, None)

    def busy(self, who: str, gone: Collection[str] = ()) -> list[PairKey]:
        """What others look at; those who are gone look at nothing."""
        now = self.clock()
        with self._lock:
            held = list(self._hands.items())
        return [hand.pair for name, hand in held if name != who and name not in gone and now - hand.since < LASTS]

    def next(self, who: str, topic: str | None = None, gone: Collection[str] = ()) -> PairKey | None:
        """The pair that somebody judges next: of the topic at hand first, then of that of the own ones least done."""
        busy = self.busy(who, gone)
        later = self._later.get(who, {})
        with self.book.lock:
            pair = self._next(who, topic, [*busy, *later])
            if pair is None and later:
                later.clear()
                pair = self._next(who, topic, busy)
        return pair

    def _next(self, who: str, topic: str | None, busy: list[PairKey]) -> PairKey | None:
        book, taken = self.book, set(busy)
        mine = book.rules.own_topics(who, book.pool.topics)
        occupied = {own for own, _ in busy}
        queue = book.queue

        def done(own: str) -> tuple[bool, bool, bool, float]:
            sampled, share = queue.done(own)
            return sampled, own != topic, own in occupied, share

        for own in sorted(mine, key=done):
            pair = self._second(who, own, taken)
            if pair is None:
                first = queue.next(own, [each for each in busy if each[0] == own], self._closed(who, own))
                pair = None if first is None else (first.topic, first.document)
            if pair is not None:
                return pair
        for other in sorted(set(book.pool.topics) - set(mine)):
            if (pair := self._second(who, other, taken)) is not None:
                return pair
        return None

    def _closed(self, who: str, topic: str) -> Mapping[str, npt.NDArray[np.bool_]] | None:
        """The documents of a topic that are not for somebody to begin; None if no pair is for anybody in particular."""
        rules, pool = self.book.rules, self.book.pool
        if not rules.pairs.people:
            return None
        if (who, topic) not in self._flags:
            first, last = (int(pool.offsets[pool.position[topic] + step]) for step in (0, 1))
            begins = rules.begins(who, topic)
            self._flags[who, topic] = np.array([not begins(each) for each in pool.documents[first:last]], bool)
        return {topic: self._flags[who, topic]}

    def _second(self, who: str, topic: str, taken: set[PairKey]) -> PairKey | None:
        """A pair that others have judged and that somebody else is to judge too."""
        for document in list(self.book.waiting[topic]):
            pair = (topic, document)
            if pair not in taken and who not in self.book.people(pair) and self.book.rules.may_judge(who, *pair):
                return pair
        return None
