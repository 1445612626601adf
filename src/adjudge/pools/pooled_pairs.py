"""A pool: the pairs of a topic and a document that some run puts near its top, and which of them are to be judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.columns import read_only
from ..core.errors import DataError, SpecError, UnknownNameError, did_you_mean
from ..core.strings import encode
from ..core.table import Table
from .whole_topics import whole_topics

Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Budget:
    """How many pairs may be judged: of each topic, in all, or as many as there are."""

    per_topic: int | None = None
    total: int | None = None

    def __post_init__(self) -> None:
        for name in ("per_topic", "total"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise SpecError(
                    f"the budget ({name.replace('_', ' ')}) must be a whole number of at least 1, not {value}"
                )

    def shares(self, sizes: Sequence[int]) -> list[int]:
        """How many pairs of each topic may be judged, if the topics have so many.

        A budget in all is shared out evenly; what a small topic does not need goes to the others, and what cannot be
        divided goes to the first ones.

        >>> Budget(total=10).shares([2, 9, 9])
        [2, 4, 4]
        >>> Budget(per_topic=3).shares([2, 9])
        [2, 3]
        """
        limits = [size if self.per_topic is None else min(size, self.per_topic) for size in sizes]
        if self.total is None or sum(limits) <= self.total:
            return limits
        shares, left = [0] * len(limits), self.total
        open_topics = sorted(range(len(limits)), key=lambda t: (limits[t], t))
        for place, topic in enumerate(open_topics):
            shares[topic] = min(limits[topic], left // (len(open_topics) - place))
            left -= shares[topic]
        for topic in range(len(limits)):
            more = min(left, limits[topic] - shares[topic], 1)
            shares[topic] += more
            left -= more
        return shares


@dataclass(frozen=True)
class PooledRun:
    """A run of a pool: its name, where it came from, and a digest by which it is known again."""

    name: str
    source: str = ""
    digest: str = ""
    wave: int = 1
    """1 for the runs that the pool was made of, 2 for those that joined first, and so on."""


@dataclass(frozen=True)
class PoolDefinition:
    """All that a pool was made by, so that it can be made again."""

    pooling: str
    """The spec of the way it was made, ``depth@100``."""
    runs: tuple[PooledRun, ...]
    seed: int = 0
    priority: str = "rank_order"
    """The spec of the order in which it is judged."""
    budget: Budget = Budget()
    documents: str = ""
    """Where the documents are: an index, or files."""
    whole_topics: int = 0
    """How many topics, drawn at random, are judged whole beside the sample of all topics."""


class JudgingPair(NamedTuple):
    """A document of a topic that is to be judged."""

    topic: str
    document: str
    number: int
    """Its row in the pool."""
    stratum: int
    probability: float
    rank: int
    """The best rank that a run gives it."""
    runs: int
    """How many runs have it."""


@dataclass(frozen=True, eq=False, repr=False)
class Pool(Table):
    """Pairs of a topic and a document, grouped by topic; the numbers are the best ranks that runs give.

    All pairs that the runs have down to the depth of the pool are here. Those that are ``drawn`` are to be judged, and
    all others of ``whole_topics``. A pair had the ``probability`` to be drawn: 1 if it is there for sure, 0 if it could
    not be.
    """

    column_name: ClassVar[str] = "best ranks"
    column_type: ClassVar[str | None] = "int32"
    runs: tuple[str, ...] = ()
    list_offsets: Ints = field(default_factory=lambda: np.zeros(1, np.int64))
    """Where the list of run r for topic t begins, at t · runs + r."""
    list_pairs: Shorts = field(default_factory=lambda: np.zeros(0, np.int32))
    """The pairs of the lists, in rank order."""
    strata: Shorts = field(default_factory=lambda: np.zeros(0, np.int32))
    probabilities: Floats = field(default_factory=lambda: np.zeros(0))
    drawn: Flags = field(default_factory=lambda: np.zeros(0, bool))
    definition: PoolDefinition = PoolDefinition("depth@100", ())

    def __post_init__(self) -> None:
        super().__post_init__()
        rows, lists = len(self), len(self.runs) * len(self.topics)
        for name in ("strata", "probabilities", "drawn"):
            if len(getattr(self, name)) != rows:
                raise DataError(f"a pool of {rows:,} pairs has {len(getattr(self, name)):,} {name}")
        whole = len(self.list_offsets) == lists + 1 and self.list_offsets[-1] == len(self.list_pairs)
        if not whole or (len(self.list_pairs) and not 0 <= self.list_pairs.min() <= self.list_pairs.max() < rows):
            raise DataError(f"a pool of {lists:,} lists has lists that are not of its pairs")
        for name in ("list_offsets", "list_pairs", "strata", "probabilities", "drawn"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    def __repr__(self) -> str:
        counts = f"{len(self.topics):,} topics, {int(self.to_judge.sum()):,} of {len(self):,} pairs to judge"
        return f"Pool({self.definition.pooling}: {len(self.runs):,} runs, {counts})"

    def topic_number(self, topic: str) -> int:
        """The place of a topic; an error if the pool has none of that name."""
        if topic not in self.position:
            raise UnknownNameError(f"no topic {topic!r} in the pool{did_you_mean(topic, list(self.topics))}")
        return self.position[topic]

    @cached_property
    def counts(self) -> Shorts:
        """How many runs have each pair."""
        return np.bincount(self.list_pairs, minlength=len(self)).astype(np.int32)

    @cached_property
    def whole_topics(self) -> tuple[str, ...]:
        """The topics that are judged whole."""
        count = self.definition.whole_topics
        return whole_topics(self.pooled_topics, count, self.definition.seed) if count else ()

    @cached_property
    def pooled_topics(self) -> tuple[str, ...]:
        """The topics of which something could be drawn."""
        some = self._by_topic(self.probabilities > 0).tolist()
        return tuple(topic for topic, size in zip(self.topics, some, strict=True) if size)

    @cached_property
    def to_judge(self) -> Flags:
        """Pairs that are to be judged: those that were drawn, and all of the topics that are judged whole."""
        if not self.whole_topics:
            return self.drawn
        chosen = np.zeros(len(self.topics), bool)
        chosen[[self.position[topic] for topic in self.whole_topics]] = True
        return read_only(self.drawn | (np.repeat(chosen, np.diff(self.offsets)) & (self.probabilities > 0)))

    @cached_property
    def sizes(self) -> Ints:
        """How many pairs of each topic are to be judged."""
        return self._by_topic(self.to_judge)

    def shares(self, budget: Budget) -> tuple[Ints, Ints]:
        """How many pairs of each topic's sample a budget has judged, and how many of the topic.

        What a topic that is judged whole has beside its sample comes on top of the budget.
        """
        sample = np.array(budget.shares(self._by_topic(self.drawn).tolist()), np.int64)
        every = sample.copy()
        for topic in self.whole_topics:
            every[self.position[topic]] = self.sizes[self.position[topic]]
        return sample, every

    def _by_topic(self, flags: Flags) -> Ints:
        running = np.concatenate([[0], np.cumsum(flags, dtype=np.int64)])
        return np.asarray(running[self.offsets[1:]] - running[self.offsets[:-1]], np.int64)

    def topic_pool(self, topic: str) -> TopicPool:
        """What there is of one topic."""
        t, width = self.topic_number(topic), len(self.runs)
        first, last = int(self.offsets[t]), int(self.offsets[t + 1])
        bounds = np.asarray(self.list_offsets[t * width : (t + 1) * width + 1])
        lists = np.asarray(self.list_pairs[int(bounds[0]) : int(bounds[-1])]) - first
        return TopicPool(
            topic=topic,
            best=np.asarray(self.numbers[first:last]),
            drawn=np.asarray(self.drawn[first:last]),
            to_judge=np.asarray(self.to_judge[first:last]),
            offsets=bounds - bounds[0],
            pairs=lists,
            first=first,
            seed=self.definition.seed,
        )

    def pair(self, number: int) -> JudgingPair:
        """One pair by its row."""
        t = int(np.searchsorted(self.offsets, number, "right")) - 1
        return JudgingPair(
            self.topics[t],
            self.documents[number],
            number,
            int(self.strata[number]),
            float(self.probabilities[number]),
            int(self.numbers[number]),
            self._holders(t, number),
        )

    def _holders(self, t: int, number: int) -> int:
        """How many runs have a pair; only the lists of its topic are looked at."""
        width = len(self.runs)
        lists = self.list_pairs[int(self.list_offsets[t * width]) : int(self.list_offsets[(t + 1) * width])]
        return int(np.count_nonzero(lists == number))

    def rows_of(self, topic: str) -> Mapping[bytes, int]:
        """{document in bytes: row} of one topic; made when it is first asked for."""
        t = self.topic_number(topic)
        if t not in self._rows:
            first, last = int(self.offsets[t]), int(self.offsets[t + 1])
            self._rows[t] = {encode(text): row for row, text in enumerate(self.documents[first:last], first)}
        return self._rows[t]

    @cached_property
    def _rows(self) -> dict[int, Mapping[bytes, int]]:
        return {}

    def row_of(self, topic: str, document: str) -> int | None:
        """The row of a pair; None if it is not in the pool."""
        return self.rows_of(topic).get(encode(document)) if topic in self.position else None


@dataclass(frozen=True, eq=False)
class TopicPool:
    """The part of a pool that belongs to one topic; pairs are numbered from 0."""

    topic: str
    best: Shorts
    """The best rank of each pair."""
    drawn: Flags
    to_judge: Flags
    """Those that were drawn; all if the topic is judged whole."""
    offsets: Ints
    """Where the list of each run begins."""
    pairs: Shorts
    """The pairs of the lists, in rank order."""
    first: int = 0
    """The row of the first pair in the pool."""
    seed: int = 0

    def __len__(self) -> int:
        return len(self.best)

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(self.offsets) - 1

    @cached_property
    def lists(self) -> tuple[Shorts, ...]:
        """The pairs of each run that are to be judged, in rank order."""
        return tuple(
            own[self.to_judge[own]]
            for own in (self.pairs[int(a) : int(b)] for a, b in zip(self.offsets[:-1], self.offsets[1:], strict=True))
        )

    @cached_property
    def entry_runs(self) -> Ints:
        """The run of each entry of the lists."""
        return np.repeat(np.arange(self.runs), np.diff(self.offsets))

    @cached_property
    def entry_ranks(self) -> Ints:
        """The rank of each entry of the lists."""
        return np.arange(len(self.pairs)) - np.repeat(self.offsets[:-1], np.diff(self.offsets)) + 1

    @cached_property
    def holders(self) -> tuple[Ints, Ints]:
        """Entries of the lists by pair, and where those of each pair begin."""
        order = np.argsort(self.pairs, kind="stable")
        begins = np.searchsorted(self.pairs[order], np.arange(len(self) + 1))
        return order, begins

    def entries_of(self, pair: int) -> Ints:
        """The entries of the lists that are this pair."""
        order, begins = self.holders
        return order[int(begins[pair]) : int(begins[pair + 1])]

    @cached_property
    def _runs_by_pair(self) -> tuple[list[int], list[int]]:
        order, begins = self.holders
        return self.entry_runs[order].tolist(), begins.tolist()

    def runs_of(self, pair: int) -> list[int]:
        """The runs that have a pair; as plain numbers, since it is asked for every judgment that was ever made."""
        runs, begins = self._runs_by_pair
        return runs[begins[pair] : begins[pair + 1]]

    def generator(self, *more: int) -> np.random.Generator:
        """A generator of random numbers for this topic, the same whenever it is asked for."""
        return np.random.default_rng([self.seed, *encode(self.topic), *more])


def empty_columns(rows: int) -> dict[str, Any]:
    """Columns of a pool in which every pair is to be judged."""
    return {"strata": np.zeros(rows, np.int32), "probabilities": np.ones(rows), "drawn": np.ones(rows, bool)}
