"""Verbs on verdicts: which components make the difference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..comparison import factor_effects as components_as_factors
from ..comparison.verdict import ALPHA
from ..core.likes import FileLike, Frame, ScoresLike
from ..experiment.system_factors import read_system_factors
from .score_verbs import one_of

FactorsLike = FileLike | Mapping[str, Mapping[str, Any]] | Frame
"""The components of systems: a table with a column system, a results folder, or {system: {factor: level}}."""


def factor_effects(
    scores: ScoresLike,
    measure: str | None = None,
    *,
    factors: FactorsLike | None = None,
    interactions: int = 2,
    error: str = components_as_factors.TOPICS,
    alpha: float = ALPHA,
    least_coverage: float = 0.0,
) -> components_as_factors.FactorEffects:
    """Analyse which components of systems make the difference: analysis of variance with components as factors.

    Args:
        scores: what :func:`measure` returns, a path, a frame, or {system: {topic: value}}.
        measure: which of the measures; not needed if there is only one.
        factors: the components of each system: {system: {factor: level}}, a frame or file with a column ``system``, or
            the folder of an experiment; without any the names of the systems are specs such as ``bm25(k1=0.9)``.
        interactions: the most factors of an interaction, 1 for none.
        error: ``topics``, how much an effect varies over topics, or ``pooled``, all that the model does not explain.
        alpha: the level of the decisions.
        least_coverage: systems whose runs answer less than this share of the judged topics are left out.

    >>> values = {"bm25(k1=0.6)": {"1": 0.5, "2": 0.4, "3": 0.6}, "bm25(k1=1.2)": {"1": 0.1, "2": 0.2, "3": 0.1}}
    >>> factor_effects(values)["k1"].freedom
    1
    """
    known, name = one_of(scores, measure)
    return components_as_factors.factor_effects(
        known,
        name,
        read_system_factors(factors, known.systems),
        interactions=interactions,
        error=error,
        alpha=alpha,
        least_coverage=least_coverage,
    )
