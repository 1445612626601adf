"""A bandit that draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..pooled_pairs import TopicPool
from ..priority import ArmOrder, BetaArms, Floats, Priority, check_bandit


@dataclass(frozen=True)
class Thompson(Priority):
    """Thompson sampling: runs are tried as often as they are likely to be the best one, by what was judged so far.

    Formula: each run has a Beta(1 + r, 1 + n − r) of its n judged documents, r of them relevant; after each judgment a
    number is drawn from each, and the run with the highest is next. r and n are multiplied by ``rate`` before a
    judgment is added.

    Parameters: ``rate`` in [0, 1]: 1 (the default) counts all judgments alike, 0 the last one only. ``credit``: chosen,
    a judgment counts for the run that gave the document, or all, for every run that has it.

    Paper: Losada, Parapar, Barreiro, Feeling lucky? Multi-armed bandits for ordering judgements in pooling-based
    evaluation (SAC 2016), and IP&M 2017.

    Example: of two runs, one with 9 relevant documents of 10 and one with 1 of 10, the second is tried about once in
    10,000 times.
    """

    name: ClassVar[str] = "thompson"
    aliases: ClassVar[tuple[str, ...]] = ("ts",)

    rate: float = 1.0
    credit: str = "chosen"

    def __post_init__(self) -> None:
        check_bandit(self, self.rate, self.credit)

    def begin(self, topic: TopicPool) -> ArmOrder:
        return _Draws(topic, self.rate, self.credit)


class _Draws(BetaArms):
    def __init__(self, topic: TopicPool, rate: float, credit: str) -> None:
        super().__init__(topic, rate, credit)
        self.rng = topic.generator(2)
        self.drawn = self.rng.beta(self.alpha, self.beta)

    def merits(self) -> Floats:
        return np.asarray(self.drawn)

    def merit(self, run: int) -> float:
        return float(self.drawn[run])

    def reward(self, runs: Sequence[int], relevant: bool) -> None:
        super().reward(runs, relevant)
        self.drawn = self.rng.beta(self.alpha, self.beta)
