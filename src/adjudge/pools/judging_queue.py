"""Which pair is judged next: a pool, its priority and its budget, and the judgments as they come in.

A topic costs nothing before it is asked for: its order is made then, from the judgments that were heard of it. So a
queue of millions of pairs begins at once, and an undo is the judgments of one topic heard again without one of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import SpecError
from ..core.qrels import Qrels
from .pooled_pairs import Budget, JudgingPair, Pool, TopicPool
from .priority import TopicOrder, priorities

SET_ASIDE = -1
"""The grade of a pair that nobody could judge: it is not asked for again, and does not count."""


@dataclass(frozen=True)
class QueueProgress:
    """How far the judging of a topic is."""

    topic: str
    judged: int
    relevant: int
    set_aside: int
    budget: int
    """How many pairs of the topic are to be judged."""

    @property
    def left(self) -> int:
        """How many pairs are still to be judged."""
        return max(0, self.budget - self.judged)


@dataclass(eq=False)
class _Topic:
    """A topic of which something was asked or heard."""

    pool: TopicPool
    grades: dict[int, int] = field(default_factory=dict)
    """JudgingPair and grade, in the order of the judgments."""
    order: TopicOrder | None = None
    """None before it is asked for, and after a judgment was taken back."""

    def __post_init__(self) -> None:
        self.open = self.pool.to_judge.copy()


class JudgingQueue:
    """Hands out the pairs of a pool in the order of its priority, and hears judgments.

    The sample of all topics comes first, and then the rest of those that are judged whole.

    >>> from adjudge.pools.pool_making import make_pool
    >>> pool = make_pool([("a", {"1": {"x": 3.0, "y": 2.0}}), ("b", {"1": {"z": 3.0, "x": 2.0}})], "depth@2")
    >>> queue = JudgingQueue(pool, "rank_order")
    >>> queue.next().document
    'x'
    >>> queue.judge("1", "x", 1)
    True
    >>> queue.next("1").document, queue.progress("1").left
    ('z', 2)
    """

    def __init__(
        self, pool: Pool, priority: str | None = None, budget: Budget | None = None, *, level: int = 1
    ) -> None:
        self.pool, self.level = pool, level
        self.priority = priorities.parse(pool.definition.priority if priority is None else priority)
        self.budget = pool.definition.budget if budget is None else budget
        self.sample_shares, self.shares = pool.shares(self.budget)
        """How many pairs of each topic are to be judged: of its sample, and in all."""
        self.judged, self.relevant, self.aside = (np.zeros(len(pool.topics), np.int64) for _ in range(3))
        """Pairs of each topic that have a grade, that are relevant, and that nobody could judge."""
        self._whole = np.array([topic in pool.whole_topics for topic in pool.topics], bool)
        self._sampled, self._sample_aside = (np.zeros(len(pool.topics), np.int64) for _ in range(2))
        """Pairs that count for the sample, of a topic that is judged whole those that were drawn: that have a grade,
        and that nobody could judge."""
        self._topics: dict[int, _Topic] = {}

    def judge(self, topic: str, document: str, grade: int) -> bool:
        """Hear a judgment; a negative grade sets the pair aside. False if the pair is not one of the pool's.

        A pair that was judged before gets the new grade.
        """
        row = self.pool.row_of(topic, document)
        if row is None:
            return False
        state = self._state(self.pool.position[topic])
        pair = row - state.pool.first
        if pair in state.grades:
            self._forget(state, pair)
        state.grades[pair] = grade
        state.open[pair] = False
        self._count(state, pair, grade, 1)
        if state.order is not None and grade >= 0:
            state.order.learn(pair, grade >= self.level)
        return True

    def judge_all(self, judgments: Qrels) -> int:
        """Hear judgments in the order of their rows; how many were not of the pool."""
        return sum(not self.judge(topic, document, int(grade)) for topic, document, grade in judgments.rows())

    def take_back(self, topic: str, document: str) -> bool:
        """Forget a judgment; False if there is none."""
        row = self.pool.row_of(topic, document)
        if row is None:
            return False
        state = self._state(self.pool.position[topic])
        if row - state.pool.first not in state.grades:
            return False
        self._forget(state, row - state.pool.first)
        return True

    def next(
        self,
        topic: str | None = None,
        busy: Collection[tuple[str, str]] = (),
        closed: Mapping[str, npt.NDArray[np.bool_]] | None = None,
    ) -> JudgingPair | None:
        """The pair to judge next, of a topic or of the topic that is least done; None if the budget is spent.

        Pairs that are ``busy``, (topic, document), are in the hands of somebody: they are not given again, and count
        as if they were judged. Pairs that are ``closed``, a flag for each pair of a topic, are for others.
        """
        in_hands: dict[int, list[int]] = {}
        for name, document in busy:
            row = self.pool.row_of(name, document)
            if row is not None:
                in_hands.setdefault(self.pool.position[name], []).append(row)
        one = None if topic is None else self.pool.topic_number(topic)
        for rest in (False, True):
            for place in self._least_done(in_hands, rest) if one is None else [one]:
                own = (closed or {}).get(self.pool.topics[place])
                pair = self._next_of(place, in_hands.get(place, []), own, rest)
                if pair is not None:
                    return pair
        return None

    def done(self, topic: str) -> tuple[bool, float]:
        """Whether the sample of a topic is judged, and how much of what is to be judged then: what is least is next."""
        place = self.pool.topic_number(topic)
        settled = self._sampled[place] + self._sample_aside[place]
        sampled = bool(self._whole[place] and settled >= self.sample_shares[place])
        judged, share = (self.judged, self.shares) if sampled else (self._sampled, self.sample_shares)
        return sampled, float(judged[place]) / max(1, int(share[place]))

    def progress(self, topic: str) -> QueueProgress:
        """How far a topic is."""
        place = self.pool.topic_number(topic)
        counts = (self.judged[place], self.relevant[place], self.aside[place], self.shares[place])
        return QueueProgress(topic, *map(int, counts))

    def grades(self, topic: str) -> Mapping[str, int]:
        """{document: grade} of a topic, in the order of the judgments."""
        place = self.pool.topic_number(topic)
        if place not in self._topics:
            return {}
        state = self._topics[place]
        return {self.pool.documents[state.pool.first + pair]: grade for pair, grade in state.grades.items()}

    def _state(self, place: int) -> _Topic:
        if place not in self._topics:
            self._topics[place] = _Topic(self.pool.topic_pool(self.pool.topics[place]))
        return self._topics[place]

    def _forget(self, state: _Topic, pair: int) -> None:
        grade = state.grades.pop(pair)
        state.open[pair] = state.pool.to_judge[pair]
        state.order = None
        self._count(state, pair, grade, -1)

    def _count(self, state: _Topic, pair: int, grade: int, by: int) -> None:
        place = self.pool.position[state.pool.topic]
        self.judged[place] += by * (grade >= 0)
        inside = self._in_sample(place, state.pool.first + pair)
        self._sampled[place] += by * (grade >= 0 and inside)
        self._sample_aside[place] += by * (grade < 0 and inside)
        self.relevant[place] += by * (grade >= self.level)
        self.aside[place] += by * (grade < 0)

    def _in_sample(self, place: int, row: int) -> bool:
        """Whether a pair counts for the sample of its topic, of which others than those drawn may be judged too."""
        return not self._whole[place] or bool(self.pool.drawn[row])

    def _least_done(self, in_hands: Mapping[int, list[int]], rest: bool) -> Iterator[int]:
        done = (self.judged if rest else self._sampled).astype(float)
        wanted = np.where(self._whole, self.shares, 0) if rest else self.sample_shares
        for place, rows in in_hands.items():
            done[place] += sum(rest or self._in_sample(place, row) for row in rows)
        share: Any = np.divide(done, wanted, out=np.full(len(done), np.inf), where=wanted > 0)
        for place in np.argsort(share, kind="stable").tolist():
            if share[place] < 1:
                yield place

    def _next_of(
        self, place: int, rows: list[int], closed: npt.NDArray[np.bool_] | None, rest: bool
    ) -> JudgingPair | None:
        """The next pair of a topic's sample, or of the ``rest`` if it is judged whole."""
        if rest and not self._whole[place]:
            return None
        judged, wanted = (self.judged, self.shares) if rest else (self._sampled, self.sample_shares)
        busy = len(rows) if rest else sum(self._in_sample(place, row) for row in rows)
        if judged[place] + busy >= wanted[place]:
            return None
        state = self._state(place)
        open_pairs: npt.NDArray[np.bool_] = state.open if rest else state.open & state.pool.drawn
        if rows:
            open_pairs = open_pairs.copy()
            open_pairs[np.array(rows) - state.pool.first] = False
        if closed is not None:
            open_pairs = open_pairs & ~closed
        if not open_pairs.any():
            return None
        if state.order is None:
            state.order = self.priority.begin(state.pool)
            for pair, grade in state.grades.items():
                if grade >= 0:
                    state.order.learn(pair, grade >= self.level)
        return self.pool.pair(state.pool.first + state.order.next(open_pairs))


def replay(pool: Pool, judgments: Qrels, priority: str, *, level: int = 1) -> dict[str, npt.NDArray[np.int32]]:
    """The rows of the pool in the order in which a priority would have had them judged, with these judgments.

    Topic by topic, for simulations; a pair without a judgment counts as not relevant.
    """
    component = priorities.parse(priority)
    orders: dict[str, npt.NDArray[np.int32]] = {}
    if level < 0:
        raise SpecError(f"level must be 0 or more, not {level}")
    grades = judgments.to_dict()
    for topic in pool.topics:
        part = pool.topic_pool(topic)
        known = grades.get(topic, {})
        ids = pool.documents[part.first : part.first + len(part)]
        relevant = [known.get(document, -1) >= level for document in ids]
        order, open_pairs = component.begin(part), part.to_judge.copy()
        rows = np.empty(int(open_pairs.sum()), np.int32)
        for place in range(len(rows)):
            pair = order.next(open_pairs)
            open_pairs[pair] = False
            order.learn(pair, relevant[pair])
            rows[place] = part.first + pair
        orders[topic] = rows
    return orders
