"""Move-to-front pooling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..pooled_pairs import TopicPool
from ..priority import ArmOrder, Floats, Priority


@dataclass(frozen=True)
class MoveToFront(Priority):
    """Move-to-front: stay with a run while its documents are relevant; one that is not puts the run behind the others.

    Formula: all runs begin with the same priority; the run with the highest gives its next document; a document that
    is not relevant lowers the priority of its run by 1. Equal runs come in a random order.

    Paper: Cormack, Palmer, Clarke, Efficient construction of large test collections (SIGIR 1998), in the form of
    Losada, Parapar, Barreiro (IP&M 2017).

    Example: run A gives two relevant documents and one that is not: then it is the turn of run B.
    """

    name: ClassVar[str] = "move_to_front"

    def begin(self, topic: TopicPool) -> ArmOrder:
        return _Priorities(topic)


class _Priorities(ArmOrder):
    def __init__(self, topic: TopicPool) -> None:
        super().__init__(topic)
        self.priorities = [0.0] * topic.runs

    def merits(self) -> Floats:
        return np.array(self.priorities)

    def merit(self, run: int) -> float:
        return self.priorities[run]

    def reward(self, runs: Sequence[int], relevant: bool) -> None:
        for run in runs:
            self.priorities[run] -= not relevant
