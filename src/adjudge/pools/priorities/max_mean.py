"""A bandit that takes the run with the best mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..pooled_pairs import TopicPool
from ..priority import ArmOrder, BetaArms, Floats, Priority, check_bandit


@dataclass(frozen=True)
class MaxMean(Priority):
    """Bayesian bandit MM: the next document of the run whose documents were relevant most often so far.

    Formula: each run has a Beta(1 + r, 1 + n − r) of its n judged documents, r of them relevant; the run with the
    highest mean (1 + r) / (2 + n) is next. r and n are multiplied by ``rate`` before a judgment is added.

    Parameters: ``rate`` in [0, 1]: 1 (the default) counts all judgments alike, below 1 is the non-stationary MM-NS, in
    which 0 counts the last one only. ``credit``: chosen, a judgment counts for the run that gave the document, or all,
    for every run that has it.

    Paper: Losada, Parapar, Barreiro, Multi-armed bandits for adjudicating documents in pooling-based evaluation of
    information retrieval systems (IP&M 2017).

    Example: run A gave 3 relevant documents of 4, run B 1 of 1: A has 4/6 and B 2/3, both the same; a run of which
    nothing is known has 1/2.
    """

    name: ClassVar[str] = "max_mean"
    aliases: ClassVar[tuple[str, ...]] = ("mm",)

    rate: float = 1.0
    credit: str = "chosen"

    def __post_init__(self) -> None:
        check_bandit(self, self.rate, self.credit)

    def begin(self, topic: TopicPool) -> ArmOrder:
        return _Means(topic, self.rate, self.credit)


class _Means(BetaArms):
    def merits(self) -> Floats:
        return self.alpha / (self.alpha + self.beta)

    def merit(self, run: int) -> float:
        alpha = 1 + self.relevant[run]
        return alpha / (alpha + (1 + self.judged[run] - self.relevant[run]))
