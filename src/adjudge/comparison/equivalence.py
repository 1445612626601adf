"""Does a difference matter? Differences within a region of practical equivalence (ROPE) count as none.

For every pair of systems a method says how far it is better, equivalent or worse: as posterior probabilities, or as p
of three tests.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ..core.coverage import Coverage
from ..core.errors import SpecError
from ..core.judged import Floats, Ints
from ..core.note import Note
from ..core.registry import Registry
from ..core.result import Result
from ..core.scores import Scores
from ..core.spec import Component, is_number
from .compare import ordered_pairs
from .matrix import better, complete_matrix, coverage_by_system, covered_systems, left_out_notes
from .paired import corrections
from .verdict import ALPHA

BETTER, EQUIVALENT, WORSE, UNDECIDED = "better", "equivalent", "worse", "undecided"


class EquivalenceMethod(Component, ABC):
    """Called with values (systems × topics, high ones good), pairs and the half-width of the region.

    Gives pairs × 3: worse, equivalent and better, for the first system of each pair.
    """

    probabilities: ClassVar[bool] = True
    """Whether it gives posterior probabilities, of which a large one decides; otherwise p: a small one does."""

    @abstractmethod
    def __call__(self, values: Floats, pairs: Ints, rope: float, rng: np.random.Generator) -> Floats:
        """Worse, equivalent and better of each pair."""


equivalence_methods: Registry[EquivalenceMethod] = Registry(
    "method of equivalence", "adjudge.comparison.practical", EquivalenceMethod, "equivalence-methods"
)


@dataclass(frozen=True)
class PracticalDifference:
    """Two systems: how far ``a`` is better than ``b``, practically equivalent, or worse."""

    a: str
    b: str
    difference: float
    """Of the means, a − b."""
    worse: float
    """Posterior probabilities, or corrected p."""
    equivalent: float
    better: float
    verdict: str
    """What is decided: ``better``, ``equivalent``, ``worse`` or ``undecided``."""


@dataclass(frozen=True)
class Equivalence(Result):
    """Pairs of systems compared with a region of practical equivalence."""

    measure: str
    method: str
    probabilities: bool
    """Whether the columns are posterior probabilities; otherwise p."""
    rope: float
    alpha: float
    """A verdict takes a probability of 1 − alpha or more, or a p below alpha."""
    correction: str
    topics: int
    systems: tuple[str, ...]
    pairs: tuple[PracticalDifference, ...]
    """The system with the better mean first; or every system against the baselines."""
    coverage: Mapping[str, Coverage] = field(default_factory=dict)
    left_out: Mapping[str, Coverage] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def conclusion(self) -> str:
        """How many pairs are better, equivalent and undecided, in a sentence."""
        from ..core.presentation import conclusion_of

        return conclusion_of(self)


def equivalence(
    scores: Scores,
    measure: str,
    *,
    rope: float = 0.01,
    method: str = "bayesian_signed_rank",
    baselines: Sequence[str] = (),
    correction: str = "holm",
    alpha: float = ALPHA,
    least_coverage: float = 0.0,
    rng: np.random.Generator | None = None,
) -> Equivalence:
    """Say of all pairs of systems, or against baselines, how far one is better, practically equivalent or worse.

    ``rope`` is the largest difference that does not matter. Methods that give p are corrected for the number of pairs,
    each of the three columns by itself.
    """
    if not (is_number(rope) and rope >= 0):
        raise SpecError(f"the region of practical equivalence is a difference of 0 or more, not {rope!r}")
    if not 0 < alpha < 0.5:
        raise SpecError(f"alpha lies between 0 and 0.5, not {alpha}")
    component, corrected = equivalence_methods.parse(method), corrections.parse(correction)
    scores, left_out = covered_systems(scores, least_coverage)
    values, direction = complete_matrix(scores, measure, least=2), better(scores, measure)
    pairs = ordered_pairs(scores.systems, values, baselines, direction)
    draws = np.random.default_rng(0) if rng is None else rng
    columns = component(direction * values, pairs, float(rope), draws)
    if not component.probabilities:
        columns = np.array([corrected(column) for column in columns.T]).T
    means = values.mean(axis=1)
    rows = tuple(
        PracticalDifference(
            a=scores.systems[a],
            b=scores.systems[b],
            difference=float(means[a] - means[b]),
            worse=worse,
            equivalent=equal,
            better=good,
            verdict=_verdict((worse, equal, good), alpha, component.probabilities),
        )
        for (a, b), (worse, equal, good) in zip(pairs.tolist(), columns.tolist(), strict=True)
    )
    return Equivalence(
        measure=measure,
        method=str(component),
        probabilities=component.probabilities,
        rope=float(rope),
        alpha=alpha,
        correction="none" if component.probabilities else str(corrected),
        topics=values.shape[1],
        systems=scores.systems,
        pairs=rows,
        coverage=coverage_by_system(scores),
        left_out=left_out,
        notes=tuple(left_out_notes(left_out, least_coverage)),
    )


def _verdict(row: tuple[float, float, float], alpha: float, probabilities: bool) -> str:
    for name, value in zip((WORSE, EQUIVALENT, BETTER), row, strict=True):
        if value >= 1 - alpha if probabilities else value < alpha:
            return name
    return UNDECIDED
