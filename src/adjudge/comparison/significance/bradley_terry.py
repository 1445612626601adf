"""Bradley and Terry's model of wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.judged import Floats, Ints
from ...core.spec import is_number, require
from ..paired import PairedTest, differences

ROUNDS = 200
EXACT = 1e-10


@dataclass(frozen=True)
class BradleyTerryTest(PairedTest):
    """Bradley and Terry's model: does one system win more topics than another, given the wins of all systems?

    Formula: P(i beats j on a topic) = 1/(1 + exp(λ_j − λ_i)); λ by maximum likelihood from the wins of all pairs, a tie
    half a win for both; p of Wald's test of λ_i = λ_j. Topics count once for every pair, so p are too small where the
    same topics decide many pairs: take them as a description, and a paired test for a decision.

    Parameters: ``prior`` wins that every system is given over every other one beforehand (0.5), without which a system
    that never wins has no finite strength.

    No value: no difference on any topic gives p = 1.

    Paper: Bradley & Terry (1952); Hunter, MM algorithms for generalized Bradley-Terry models (2004).

    Example: two systems, 7 wins against 3, prior 0: λ_1 − λ_2 = ln(7/3) = 0.847, standard error √(1/7 + 1/3) = 0.690,
    p = 0.220.
    """

    name: ClassVar[str] = "bradley_terry"

    prior: float = 0.5

    def __post_init__(self) -> None:
        require(self, "prior", is_number(self.prior) and 0 <= self.prior <= 1000, "be a number from 0 to 1000")

    def favours(self, values: Floats, pairs: Ints) -> Ints:
        strengths, _ = self.fit(values)
        return np.sign(np.round(strengths[pairs[:, 0]] - strengths[pairs[:, 1]], 9)).astype(np.int64)

    def p(self, values: Floats, pairs: Ints, rng: np.random.Generator) -> Floats:
        del rng
        from scipy.special import ndtr

        strengths, covariance = self.fit(values)
        a, b = pairs.T
        variance = covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
        gap = np.abs(strengths[a] - strengths[b])
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.where(gap > 1e-9, gap / np.sqrt(variance), 0.0)
        return np.asarray(np.minimum(1.0, 2 * ndtr(-np.nan_to_num(z, posinf=np.inf))))

    def fit(self, values: Floats) -> tuple[Floats, Floats]:
        """Strengths that sum to 0, and their covariance."""
        wins = win_matrix(values) + self.prior * (1 - np.eye(len(values)))
        return fit_strengths(wins)


def win_matrix(values: Floats) -> Floats:
    """systems × systems: on how many topics the row is above the column, ties counted half."""
    count = len(values)
    wins = np.zeros((count, count))
    pairs = np.array(np.triu_indices(count, 1)).T
    for part, gaps in differences(values, pairs):
        a, b = pairs[part].T
        ties = (gaps == 0).sum(axis=1) / 2
        wins[a, b], wins[b, a] = (gaps > 0).sum(axis=1) + ties, (gaps < 0).sum(axis=1) + ties
    return wins


def fit_strengths(wins: Floats) -> tuple[Floats, Floats]:
    """Newton's method for the likelihood of Bradley and Terry; strengths are kept finite by a bound of 30."""
    count = len(wins)
    games = wins + wins.T
    strengths = np.zeros(count)
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        slope = (wins - games * chance).sum(axis=1)
        weight = games * chance * (1 - chance)
        information = np.diag(weight.sum(axis=1)) - weight
        step = np.linalg.lstsq(information + 1.0 / count, slope, rcond=None)[0]
        step *= min(1.0, 2.0 / max(1e-300, float(np.abs(step).max())))
        strengths = np.clip(strengths + step, -30.0, 30.0)
        strengths -= strengths.mean()
        if float(np.abs(step).max()) < EXACT:
            break
    chance = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    weight = games * chance * (1 - chance)
    return strengths, np.asarray(np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight), np.float64)
