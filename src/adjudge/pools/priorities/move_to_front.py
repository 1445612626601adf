"""Move-to-front pooling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.spec import require
from ..pooled_pairs import TopicPool
from ..priority import ArmOrder, Floats, Priority

FORMS = ("stepwise", "original")


@dataclass(frozen=True)
class MoveToFront(Priority):
    """Move-to-front: stay with a run while its documents are relevant; one that is not puts the run behind the others.

    Formula: all runs begin with the same priority; the run with the highest gives its next document; a document that
    is not relevant lowers the priority of its run by 1. Equal runs come in a random order. In the ``original`` form a
    relevant document also sets the priority of its run to the highest there is, and when a run comes to a document that
    was judged before, for another run, it rises or falls by it in the same way.

    Parameters: ``form``: stepwise (the default), as Losada, Parapar and Barreiro have it, or original, as Cormack,
    Palmer and Clarke do (their local one: every topic by itself).

    Paper: Cormack, Palmer, Clarke, Efficient construction of large test collections (SIGIR 1998); the stepwise form by
    Losada, Parapar, Barreiro (IP&M 2017).

    Example: run A gives two relevant documents and one that is not: then it is the turn of run B.
    """

    name: ClassVar[str] = "move_to_front"

    form: str = "stepwise"

    def __post_init__(self) -> None:
        require(self, "form", self.form in FORMS, f"be one of {', '.join(FORMS)}")

    def begin(self, topic: TopicPool) -> ArmOrder:
        return _Fronts(topic) if self.form == "original" else _Priorities(topic)


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


class _Fronts(_Priorities):
    """A relevant document brings its run to the front, and so does one that was judged for another run."""

    def __init__(self, topic: TopicPool) -> None:
        super().__init__(topic)
        self.lists = [own.tolist() for own in topic.lists]
        self.known: dict[int, bool] = {}
        self.passed = [0] * topic.runs
        """How many documents of each run lie behind it."""
        for run, own in enumerate(self.lists):
            if not own:
                self.priorities[run] = -math.inf

    def reward(self, runs: Sequence[int], relevant: bool) -> None:
        for run in runs:
            if self.passed[run] < len(self.lists[run]):  # one that is through has nothing to bring
                self.priorities[run] = 0.0 if relevant else self.priorities[run] - 1

    def learn(self, pair: int, relevant: bool) -> None:
        self.known[pair] = relevant
        if holders := self.topic.runs_of(pair):
            run = max(holders, key=lambda each: (self.merit(each), self.ties[each]))
            ahead = self.lists[run][self.passed[run] :]
            if pair in ahead:  # what nobody judged on the way is in somebody's hands, or was set aside
                self._go(run, self.passed[run] + ahead.index(pair) + 1)
            else:
                self.reward([run], relevant)
        if not relevant:
            self.ties = self.shuffler.random(self.topic.runs)
        self._go_on()

    def _go(self, run: int, to: int) -> None:
        """Let a run come to a place of its list."""
        for pair in self.lists[run][self.passed[run] : to]:
            if pair in self.known:
                self.reward([run], self.known[pair])
        self.passed[run] = to
        if to == len(self.lists[run]):
            self.priorities[run] = -math.inf

    def _go_on(self) -> None:
        """Let the first run pass what was judged before."""
        while True:
            run = max(range(self.topic.runs), key=lambda each: (self.priorities[each], self.ties[each]))
            own, at = self.lists[run], self.passed[run]
            if at == len(own) or own[at] not in self.known:
                return
            self._go(run, at + 1)
