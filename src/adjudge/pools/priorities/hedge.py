"""Hedge: on-line learning over runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.spec import is_number, require
from ..pooled_pairs import TopicPool
from ..priority import Flags, Priority, TopicOrder


@dataclass(frozen=True)
class Hedge(Priority):
    """Hedge: runs are experts with weights, and the document that the trusted ones rank highest is next.

    Formula: a run that has a document at rank r of a list of Z loses ± ln(Z / r) / 2, a gain if the document is
    relevant; its weight is multiplied by ``beta`` to the power of the loss. The document with the largest sum of
    weight · ln(Z / r) / 2 over the runs that have it is next; Z is one more than the longest list of the topic.

    Parameters: ``beta`` in (0, 1) (0.1), how fast weights change.

    Paper: Aslam, Pavlu, Savell, A unified model for metasearch, pooling, and system evaluation (CIKM 2003).

    Example: runs a b and c b, Z = 3: b has 2 · ln(3/2)/2 = 0.41 and a has ln(3)/2 = 0.55, so that a is next; if it is
    not relevant, the weight of its run becomes 0.1^0.55 = 0.28, and c is next.
    """

    name: ClassVar[str] = "hedge"

    beta: float = 0.1

    def __post_init__(self) -> None:
        require(self, "beta", is_number(self.beta) and 0 < self.beta < 1, "lie between 0 and 1")

    def begin(self, topic: TopicPool) -> TopicOrder:
        return _Experts(topic, self.beta)


class _Experts(TopicOrder):
    def __init__(self, topic: TopicPool, beta: float) -> None:
        self.topic = topic
        longest = int(np.diff(topic.offsets).max(initial=0)) + 1
        self.losses = 0.5 * np.log(longest / topic.entry_ranks)
        self.logs = np.zeros(topic.runs)
        self.rate = float(np.log(beta))

    def next(self, open_pairs: Flags) -> int:
        weights = np.exp(self.logs - self.logs.max(initial=0.0))
        votes = np.bincount(
            self.topic.pairs, weights=weights[self.topic.entry_runs] * self.losses, minlength=len(self.topic)
        )
        votes[~open_pairs] = -1.0
        return int(np.argmax(votes))

    def learn(self, pair: int, relevant: bool) -> None:
        entries = self.topic.entries_of(pair)
        sign = -1.0 if relevant else 1.0
        self.logs[self.topic.entry_runs[entries]] += self.rate * sign * self.losses[entries]
