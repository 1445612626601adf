"""What a priority is: it says which pair of a topic is judged next, and learns from every judgment.

What it says depends on the judgments that it heard, in their order, and on nothing else: whoever hears the same
judgments again, after a restart or an undo, says the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..core.registry import Registry
from ..core.spec import Component, is_number, require
from .pooled_pairs import TopicPool

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

CREDITS = ("chosen", "all")


class TopicOrder(ABC):
    """The order of one topic as far as its judgments are known; pairs are numbered as in the topic's pool."""

    @abstractmethod
    def next(self, open_pairs: Flags) -> int:
        """The pair to judge next among those that are open, of which there is one at least."""

    def learn(self, pair: int, relevant: bool) -> None:  # noqa: B027  an order that is fixed has nothing to learn
        """Hear a judgment."""


class FixedOrder(TopicOrder):
    """An order that no judgment changes."""

    def __init__(self, order: npt.NDArray[np.integer]) -> None:
        self.order = order

    def next(self, open_pairs: Flags) -> int:
        return int(self.order[int(np.argmax(open_pairs[self.order]))])


class ArmOrder(TopicOrder):
    """Runs as the arms of a bandit: the best of them gives its first open document.

    A judgment goes to the best run that has the document, which is the one that gave it if nothing was judged in
    between, or to all that have it.
    """

    def __init__(self, topic: TopicPool, credit: str = "chosen") -> None:
        self.topic, self.credit = topic, credit
        self.shuffler = topic.generator()
        self.ties = self.shuffler.random(topic.runs)
        """Equally good runs come in the order of these, which is another one after a document that is not relevant."""

    @abstractmethod
    def merits(self) -> Floats:
        """How good each run is thought to be."""

    @abstractmethod
    def merit(self, run: int) -> float:
        """How good one run is thought to be."""

    @abstractmethod
    def reward(self, runs: Sequence[int], relevant: bool) -> None:
        """Let some runs have a judgment."""

    def next(self, open_pairs: Flags) -> int:
        for run in np.lexsort((self.ties, self.merits()))[::-1].tolist():
            own = self.topic.lists[run]
            is_open = open_pairs[own]
            if is_open.any():
                return int(own[int(np.argmax(is_open))])
        return int(np.argmax(open_pairs))

    def learn(self, pair: int, relevant: bool) -> None:
        runs = self.topic.runs_of(pair)
        if len(runs) > 1 and self.credit == "chosen":
            runs = [max(runs, key=lambda run: (self.merit(run), self.ties[run]))]
        self.reward(runs, relevant)
        if not relevant:
            self.ties = self.shuffler.random(self.topic.runs)


class BetaArms(ArmOrder):
    """Arms with a Beta distribution each: 1 + relevant documents, 1 + others; a ``rate`` below 1 forgets older ones."""

    def __init__(self, topic: TopicPool, rate: float, credit: str) -> None:
        super().__init__(topic, credit)
        self.rate = rate
        self.relevant, self.judged = [0.0] * topic.runs, [0.0] * topic.runs

    def reward(self, runs: Sequence[int], relevant: bool) -> None:
        for run in runs:
            self.relevant[run] = self.rate * self.relevant[run] + relevant
            self.judged[run] = self.rate * self.judged[run] + 1

    @property
    def alpha(self) -> Floats:
        return 1 + np.array(self.relevant)

    @property
    def beta(self) -> Floats:
        return np.asarray(1 + np.array(self.judged) - np.array(self.relevant))


@dataclass(frozen=True)
class Priority(Component, ABC):
    """An order in which a pool is judged."""

    @abstractmethod
    def begin(self, topic: TopicPool) -> TopicOrder:
        """The order of a topic before anything of it was judged."""


def check_bandit(component: Priority, rate: object, credit: object) -> None:
    """Refuse parameters of a bandit that mean nothing."""
    require(component, "rate", is_number(rate) and 0 <= rate <= 1, "lie in [0, 1]")  # type: ignore[operator]
    require(component, "credit", credit in CREDITS, f"be one of {', '.join(CREDITS)}")


priorities: Registry[Priority] = Registry("priority", "adjudge.pools.priorities", Priority, "priorities")
