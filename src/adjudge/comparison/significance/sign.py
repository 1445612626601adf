"""The sign test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.judged import Floats, Ints
from ..paired import PairedTest, by_differences


@dataclass(frozen=True)
class SignTest(PairedTest):
    """The sign test: does one system win on more topics than a coin would let it? Topics without a difference drop out.

    Formula: p = min(1, 2 P(B ≤ min(wins, losses))), B binomial with wins + losses trials and probability 1/2.

    No value: no difference on any topic gives p = 1.

    Paper: Arbuthnott (1710); Dixon & Mood (1946).

    Example: 8 wins, 2 losses: 2 (1 + 10 + 45)/1024 = 0.109.
    """

    name: ClassVar[str] = "sign"
    aliases: ClassVar[tuple[str, ...]] = ("sign_test",)

    def favours(self, values: Floats, pairs: Ints) -> Ints:
        return by_differences(values, pairs, lambda gaps: np.sign(np.sign(gaps).sum(axis=1))).astype(np.int64)

    def p(self, values: Floats, pairs: Ints, rng: np.random.Generator) -> Floats:
        del rng
        from scipy.special import bdtr

        def p_of(gaps: Floats) -> Floats:
            wins, losses = (gaps > 0).sum(axis=1), (gaps < 0).sum(axis=1)
            p = 2 * bdtr(np.minimum(wins, losses).astype(float), wins + losses, 0.5)
            return np.asarray(np.minimum(1.0, p))

        return by_differences(values, pairs, p_of)
