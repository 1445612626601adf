"""Components of systems as factors of a design: levels, terms with their interactions, what of them is estimable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..core.english import listing
from ..core.errors import DataError, SpecError
from ..core.judged import Floats
from ..core.note import Note

CROSS = " × "
"""Between the factors of an interaction."""
SHARP = 1e-9
"""Relative: singular values below it count as zero."""


class SystemFactor(NamedTuple):
    """A component in which systems differ: its levels, and the level of each system."""

    name: str
    levels: tuple[str, ...]
    places: tuple[int, ...]
    """Of each system, the number of its level."""

    def contrasts(self) -> Floats:
        """systems × (levels − 1), sum to zero over the levels: −1 in every column for the last level."""
        codes = np.vstack([np.eye(len(self.levels) - 1), -np.ones(len(self.levels) - 1)])
        return np.asarray(codes[list(self.places)])


class ModelTerm(NamedTuple):
    """A factor, or the interaction of some: the columns that stand for it in the linear model."""

    factors: tuple[str, ...]
    columns: Floats

    @property
    def name(self) -> str:
        return CROSS.join(self.factors)


def factors_of(systems: Sequence[str], table: Mapping[str, Mapping[str, str]]) -> tuple[list[SystemFactor], list[Note]]:
    """The factors in which the systems differ; notes on columns in which they do not, and on rows of no system."""
    missing = [system for system in systems if system not in table]
    if missing:
        raise DataError(f"the factors of {listing(missing, 3)} are not given")
    names = list(dict.fromkeys(name for system in systems for name in table[system]))
    factors, constant = [], []
    for name in names:
        lacking = [system for system in systems if not table[system].get(name, "")]
        if lacking:
            raise DataError(f"{listing(lacking, 3)} has no {name}: every system needs a level of each factor")
        given = [table[system][name] for system in systems]
        levels = tuple(sorted(set(given), key=_level_order))
        if len(levels) < 2:
            constant.append(name)
            continue
        place = {level: i for i, level in enumerate(levels)}
        factors.append(SystemFactor(name, levels, tuple(place[level] for level in given)))
    if not factors:
        raise DataError("the systems do not differ in any factor: there is nothing to analyse")
    notes = [Note.of("factor_constant", name, level=table[systems[0]][name]) for name in constant]
    unused = [name for name in table if name not in set(systems)]
    return factors, [*notes, *([Note.of("factors_unused", systems=unused)] if unused else [])]


def _level_order(level: str) -> tuple[int, float, str]:
    """Numbers by size, then words."""
    try:
        return 0, float(level), level
    except ValueError:
        return 1, 0.0, level


def terms_of(factors: Sequence[SystemFactor], interactions: int) -> tuple[list[ModelTerm], list[Note]]:
    """Factors, then their interactions up to so many factors, as far as the systems can tell them apart.

    An interaction is in the model if systems have all combinations of its levels. Factors that vary together are an
    error, because no figure could be given to either.
    """
    if interactions < 1:
        raise SpecError(f"interactions are of 1 or more factors (1: none), not {interactions}")
    terms = [ModelTerm((factor.name,), factor.contrasts()) for factor in factors]
    _refuse_confounded(terms)
    notes = []
    for order in range(2, min(interactions, len(factors)) + 1):
        for chosen in combinations(factors, order):
            term = ModelTerm(tuple(factor.name for factor in chosen), _products(chosen))
            combined = set(zip(*(factor.places for factor in chosen), strict=True))
            whole = len(combined) == int(np.prod([len(factor.levels) for factor in chosen]))
            if whole and _rank([*terms, term]) == 1 + sum(t.columns.shape[1] for t in [*terms, term]):
                terms.append(term)
            else:
                notes.append(Note.of("interaction_not_estimable", term.name, combinations=len(combined)))
    return terms, notes


def _products(factors: Sequence[SystemFactor]) -> Floats:
    columns = np.ones((len(factors[0].places), 1))
    for factor in factors:
        columns = (columns[:, :, None] * factor.contrasts()[:, None, :]).reshape(len(columns), -1)
    return columns


def _rank(terms: Sequence[ModelTerm]) -> int:
    return int(np.linalg.matrix_rank(model_matrix(terms), tol=SHARP * len(terms[0].columns)))


def model_matrix(terms: Sequence[ModelTerm]) -> Floats:
    """systems × parameters, the mean first."""
    return np.hstack([np.ones((len(terms[0].columns), 1)), *(term.columns for term in terms)])


def _refuse_confounded(terms: Sequence[ModelTerm]) -> None:
    for upto in range(1, len(terms) + 1):
        known = terms[:upto]
        if _rank(known) < 1 + sum(term.columns.shape[1] for term in known):
            before = [term.name for term in known[:-1]]
            together = f"{known[-1].name} varies together with {listing(before)}"
            raise DataError(f"{together}: no two systems differ in one of them only, so take one out")


def projections(terms: Sequence[ModelTerm]) -> Iterator[Floats]:
    """For each term an orthonormal basis (systems × its degrees of freedom) of what no other term explains.

    Sums of squares along it are of type III: a term given all others.
    """
    for term in terms:
        rest = model_matrix([other for other in terms if other is not term]) if len(terms) > 1 else _mean(term)
        basis, _ = np.linalg.qr(rest)
        own = term.columns - basis @ (basis.T @ term.columns)
        yield np.linalg.qr(own)[0]


def _mean(term: ModelTerm) -> Floats:
    return np.ones((len(term.columns), 1))


def marginal_weights(terms: Sequence[ModelTerm], factor: SystemFactor) -> Floats:
    """levels × systems: what makes the mean of each level, other factors being equally mixed, of values of systems."""
    matrix = model_matrix(terms)
    inverse = np.linalg.pinv(matrix)
    start = 1 + next(
        sum(other.columns.shape[1] for other in terms[:t])
        for t, term in enumerate(terms)
        if term.factors == (factor.name,)
    )
    codes = np.vstack([np.eye(len(factor.levels) - 1), -np.ones(len(factor.levels) - 1)])
    return np.asarray(inverse[:1] + codes @ inverse[start : start + len(factor.levels) - 1])
