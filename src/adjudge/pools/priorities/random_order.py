"""At random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..pooled_pairs import TopicPool
from ..priority import FixedOrder, Priority


@dataclass(frozen=True)
class RandomOrder(Priority):
    """Documents at random, in an order that the seed of the pool decides; what is judged so far is a random sample.

    Formula: every order is equally likely; the same seed gives the same.

    Paper: the baseline of Losada, Parapar, Barreiro (IP&M 2017).

    Example: of 1,000 documents, the first 100 are a simple random sample.
    """

    name: ClassVar[str] = "random_order"

    def begin(self, topic: TopicPool) -> FixedOrder:
        return FixedOrder(topic.generator(1).permutation(len(topic)))
