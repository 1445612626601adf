"""What measures of novelty share: a document counts less for a subtopic, the more were seen for it before."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core.judged import Floats, Ints, ratio
from ..core.subtopics import Covered, JudgedSubtopics
from ._gains import log2_of

Discount = Callable[[Ints], Floats]


def by_logarithm(rank: Ints) -> Floats:
    return np.asarray(1.0 / log2_of(rank + 1))


def by_rank(rank: Ints) -> Floats:
    return np.asarray(1.0 / rank)


def novelty(judged: JudgedSubtopics, covered: Covered, alpha: float, discount: Discount) -> Floats:
    """Σ discount(r) Σ_s (1 − α)^n of each topic, n documents above being relevant for the same subtopic s."""
    worth = (1.0 - alpha) ** covered.seen.astype(float)
    return judged.sum(covered.topic, worth * discount(covered.rank))


def share_of_best(judged: JudgedSubtopics, level: int, alpha: float, k: int, discount: Discount) -> Floats:
    """Novelty of the first k documents as a share of what k documents could gain that are about every subtopic."""
    ranks = np.arange(1, min(k, _LONGEST) + 1)
    best = float(np.sum((1.0 - alpha) ** (ranks - 1.0) * discount(ranks)))
    gained = novelty(judged, judged.covered(level).within(k), alpha, discount)
    return ratio(gained, judged.num_subtopics(level) * best)


def share_of_ideal(judged: JudgedSubtopics, level: int, alpha: float, k: int, discount: Discount) -> Floats:
    """Novelty of the first k documents as a share of that of the ideal ranking."""
    gained = novelty(judged, judged.covered(level).within(k), alpha, discount)
    return ratio(gained, novelty(judged, judged.ideal(level, alpha, k), alpha, discount))


_LONGEST = 1 << 20
