"""Which component of the systems makes the difference? Analysis of variance with components as factors.

Scores are explained by topics, by the components that systems are made of (analyzer, weighting …) and by interactions
of components. Two errors can judge an effect. The pooled one, of Ferro and Silvello, is all that the model leaves
unexplained; it takes systems that share a component for independent. The error over topics asks whether the effect
would be seen again on other topics: it is how much the effect itself varies from topic to topic, as in an analysis of
repeated measures.

Papers: Ferro, Silvello, A general linear mixed models approach to study system component effects (SIGIR 2016); the
same, Toward an anatomy of IR system component performances (JASIST 2018); Olejnik, Algina, Generalized eta and omega
squared statistics (Psychological Methods 2003); Greenhouse, Geisser, On methods in the analysis of profile data
(Psychometrika 1959).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..core.coverage import Coverage
from ..core.errors import SpecError
from ..core.judged import Floats
from ..core.note import Note
from ..core.result import Result
from ..core.scores import Scores
from .factor_design import ModelTerm, SystemFactor, factors_of, marginal_weights, projections, terms_of
from .matrix import better, complete_matrix, coverage_by_system, covered_systems, left_out_notes
from .paired import paired_tests
from .rank_groups import Bools, compact_letters
from .studentised_range import range_quantile, range_tail
from .verdict import ALPHA

TOPICS, POOLED = "topics", "pooled"
ERRORS = (TOPICS, POOLED)
LARGE, MEDIUM, SMALL = 0.14, 0.06, 0.01
"""From which ω² on an effect is called so."""


@dataclass(frozen=True)
class FactorEffect:
    """What a component, or an interaction of components, does to the scores."""

    factors: tuple[str, ...]
    name: str
    freedom: int
    squares: float
    """Sum of squares, of type III."""
    f: float
    """Mean square over that of the pooled error."""
    p: float
    omega: float
    """Partial ω², the strength of association: the share of the variance that is not of others which it explains."""
    topic_f: float
    """Mean square over that of its interaction with topics."""
    topic_p: float
    """Corrected for unequal covariances by ``epsilon``."""
    epsilon: float
    """Of Greenhouse and Geisser: 1 if all contrasts of the effect vary alike over topics."""

    @property
    def mean_square(self) -> float:
        return self.squares / self.freedom


@dataclass(frozen=True)
class LevelMean:
    """A level of a factor: the mean of its systems, the other factors being equally mixed."""

    factor: str
    level: str
    systems: int
    mean: float
    letters: tuple[str, ...]
    """Levels of a factor that share a letter do not differ significantly."""


@dataclass(frozen=True)
class LevelDifference:
    """Two levels of a factor, the better one first."""

    factor: str
    a: str
    b: str
    difference: float
    low: float
    high: float
    p: float
    """By Tukey's HSD: of all pairs of levels of the factor at once."""


@dataclass(frozen=True)
class FactorEffects(Result):
    """Analysis of variance with topics and components of systems as factors."""

    measure: str
    direction: int
    systems: tuple[str, ...]
    topics: int
    factors: Mapping[str, tuple[str, ...]]
    """The levels of each factor."""
    effects: tuple[FactorEffect, ...]
    """Factors first, then interactions, in the order of the table."""
    topic_squares: float
    topic_freedom: int
    error_squares: float
    """Of the pooled error."""
    error_freedom: int
    total_squares: float
    """Of the values about their mean."""
    error: str
    """What decides: ``topics`` or ``pooled``."""
    levels: tuple[LevelMean, ...]
    """By factor, the best level first."""
    differences: tuple[LevelDifference, ...]
    alpha: float
    coverage: Mapping[str, Coverage] = field(default_factory=dict)
    left_out: Mapping[str, Coverage] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def __getitem__(self, name: str) -> FactorEffect:
        """The effect of a factor, or of an interaction such as ``analyzer × weighting``."""
        for effect in self.effects:
            if name == effect.name:
                return effect
        raise SpecError(f"no effect {name!r}: there are {', '.join(effect.name for effect in self.effects)}")

    def decides(self, effect: FactorEffect) -> float:
        """The p of an effect by the error that decides."""
        return effect.p if self.error == POOLED else effect.topic_p

    def conclusion(self) -> str:
        """Which components matter, the strongest first, in a sentence or two."""
        from ..core.presentation import conclusion_of

        return conclusion_of(self)


def factor_effects(
    scores: Scores,
    measure: str,
    table: Mapping[str, Mapping[str, str]],
    *,
    interactions: int = 2,
    error: str = TOPICS,
    alpha: float = ALPHA,
    least_coverage: float = 0.0,
) -> FactorEffects:
    """Analyse which components of the systems make the difference.

    ``table`` has the level of each factor by system; ``interactions`` is the most factors of an interaction, 1 for
    none. ``error`` says what an effect has to be larger than to be significant, for its p and for Tukey's test of its
    levels: how much it varies over ``topics``, or all that the model does not explain, ``pooled``.
    """
    if error not in ERRORS:
        raise SpecError(f"the error of an effect is {' or '.join(ERRORS)}, not {error!r}")
    if not 0 < alpha < 1:
        raise SpecError(f"alpha lies between 0 and 1, not {alpha}")
    scores, left_out = covered_systems(scores, least_coverage)
    values, direction = complete_matrix(scores, measure, least=2), better(scores, measure)
    factors, notes = factors_of(scores.systems, {name: row for name, row in table.items() if name not in left_out})
    terms, dropped = terms_of(factors, interactions)
    model = _Model(values, terms)
    levels, differences = [], []
    for each in factors:
        means, pairs = _levels(model, each, direction, error, alpha)
        levels += means
        differences += pairs
    return FactorEffects(
        measure=measure,
        direction=direction,
        systems=scores.systems,
        topics=values.shape[1],
        factors={each.name: each.levels for each in factors},
        effects=model.effects(),
        topic_squares=model.topic_squares,
        topic_freedom=values.shape[1] - 1,
        error_squares=model.error_squares,
        error_freedom=model.error_freedom,
        total_squares=model.total,
        error=error,
        levels=tuple(levels),
        differences=tuple(differences),
        alpha=alpha,
        coverage=coverage_by_system(scores),
        left_out=left_out,
        notes=(*left_out_notes(left_out, least_coverage), *notes, *dropped),
    )


class _Model:
    """Topic effects and terms of components fitted to values (systems × topics).

    Every system has a value on every topic, so topics are orthogonal to components, and all sums of squares of
    components are those of the means of systems, times the number of topics.
    """

    def __init__(self, values: Floats, terms: Sequence[ModelTerm]) -> None:
        self.values, self.terms = values, terms
        systems, topics = values.shape
        self.bases = list(projections(terms))
        centred = values - values.mean()
        self.total = float((centred**2).sum())
        self.topic_squares = systems * float((centred.mean(axis=0) ** 2).sum())
        matrix = np.hstack([np.ones((systems, 1)), *(term.columns for term in terms)])
        basis = np.linalg.qr(matrix)[0]
        means = values.mean(axis=1) - values.mean()
        explained = basis @ (basis.T @ means)
        rest = values - values.mean(axis=0) - explained[:, None]
        self.error_squares = float((rest**2).sum())
        self.error_freedom = systems * topics - topics - (matrix.shape[1] - 1)
        self.tiny = 1e-20 * max(1e-300, float((values**2).sum()))

    @property
    def error_square(self) -> float:
        """Mean square of the pooled error."""
        return float(self.error_squares / self.error_freedom)

    def effects(self) -> tuple[FactorEffect, ...]:
        return tuple(self._effect(term, basis) for term, basis in zip(self.terms, self.bases, strict=True))

    def _effect(self, term: ModelTerm, basis: Floats) -> FactorEffect:
        topics, freedom = self.values.shape[1], basis.shape[1]
        along = basis.T @ self.values  # degrees of freedom × topics
        middle = along.mean(axis=1)
        squares = topics * float((middle**2).sum())
        f = self._ratio(squares / freedom, self.error_square)
        over = along - middle[:, None]
        covariance = over @ over.T / (topics - 1)
        epsilon = _epsilon(covariance)
        topic_f = self._ratio(squares / freedom, float(np.trace(covariance)) / freedom)
        corrected = freedom * epsilon
        gain = freedom * (f - 1)
        return FactorEffect(
            factors=term.factors,
            name=term.name,
            freedom=freedom,
            squares=squares,
            f=f,
            p=_tail(f, freedom, self.error_freedom),
            omega=1.0 if math.isinf(f) else gain / (gain + self.values.size) if not math.isnan(f) else math.nan,
            topic_f=topic_f,
            topic_p=_tail(topic_f, corrected, corrected * (topics - 1)),
            epsilon=epsilon,
        )

    def _ratio(self, square: float, error: float) -> float:
        """F; NaN where there is neither an effect nor an error."""
        if error <= self.tiny:
            return math.nan if square <= self.tiny else math.inf
        return square / error


def _epsilon(covariance: Floats) -> float:
    total = float((covariance**2).sum())
    return float(np.trace(covariance)) ** 2 / (len(covariance) * total) if total > 0 else 1.0


def _tail(f: float, freedom: float, error_freedom: float) -> float:
    """P(F > f); 1 where there is no difference at all, and without an error 0."""
    from scipy.special import fdtrc

    if math.isnan(f):
        return 1.0
    return 0.0 if math.isinf(f) else float(fdtrc(freedom, error_freedom, f))


def _levels(
    model: _Model, factor: SystemFactor, direction: int, error: str, alpha: float
) -> tuple[list[LevelMean], list[LevelDifference]]:
    """Means of the levels, best first, and Tukey's test of all pairs of them."""
    weights = marginal_weights(model.terms, factor)
    by_topic = weights @ model.values
    means = by_topic.mean(axis=1)
    order = np.argsort(-direction * means, kind="stable")
    pairs = np.array([(order[i], order[j]) for i in range(len(order)) for j in range(i + 1, len(order))])
    if error == TOPICS:
        p, low, high = paired_tests.parse("anova").with_interval(by_topic, pairs, 1 - alpha, np.random.default_rng(0))
    else:
        p, low, high = _pooled_tukey(model, weights, means, pairs, alpha)
    apart: Bools = np.zeros((len(means), len(means)), bool)
    place = {int(level): i for i, level in enumerate(order)}
    for (a, b), each in zip(pairs.tolist(), p.tolist(), strict=True):
        apart[place[a], place[b]] = apart[place[b], place[a]] = each < alpha
    letters = compact_letters(apart)
    counts = np.bincount(factor.places, minlength=len(factor.levels))
    rows = [
        LevelMean(factor.name, factor.levels[level], int(counts[level]), float(means[level]), letters[i])
        for i, level in enumerate(order.tolist())
    ]
    differences = [
        LevelDifference(
            factor.name,
            factor.levels[a],
            factor.levels[b],
            float(means[a] - means[b]),
            float(lo),
            float(hi),
            float(own),
        )
        for (a, b), own, lo, hi in zip(pairs.tolist(), p, low, high, strict=True)
    ]
    return rows, differences


def _pooled_tukey(
    model: _Model, weights: Floats, means: Floats, pairs: np.ndarray, alpha: float
) -> tuple[Floats, Floats, Floats]:
    """Tukey's test, as Kramer has it for levels of unequal numbers, with the pooled error."""
    gaps = means[pairs[:, 0]] - means[pairs[:, 1]]
    contrasts = weights[pairs[:, 0]] - weights[pairs[:, 1]]
    errors = np.sqrt(model.error_square / 2 * (contrasts**2).sum(axis=1) / model.values.shape[1])
    flat = errors**2 <= model.tiny
    q = np.abs(gaps) / np.where(flat, 1.0, errors)
    p = range_tail(q, len(means), model.error_freedom)
    none = np.abs(gaps) <= math.sqrt(model.tiny)
    p = np.where(none, 1.0, np.where(flat, 0.0, p))
    half = errors * range_quantile(1 - alpha, len(means), model.error_freedom)
    return p, gaps - half, gaps + half
