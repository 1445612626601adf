"""Prediction before retrieval of which system will do well: predictors against reciprocal ranks.

Kantor & Voorhees, The TREC-5 Confusion Track (2000), section 4, think of assigning systems to questions, should it be
known beforehand on which of them each does well. A predictor gives a figure for each question. Two things are asked of
it: whether it correlates with the reciprocal rank of a system, or with the difference between two systems; and whether
choosing between two systems by it, on questions that had no part in making the rule, gives more than the better of them
always does.

There are many such questions to ask and few topics to answer them with, so every p is corrected by Holm's procedure
for all of its kind, and the number of comparisons is part of the result.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from statistics import NormalDist

import numpy as np

from ...core.english import some
from ...core.errors import DataError, SpecError
from ...core.judged import Floats, Ints
from ...core.note import Note
from ...core.progress import SILENT, Listener
from ...core.result import Result
from ..corrections.holm import Holm
from ..significance.randomisation import RandomisationTest
from ..verdict import ALPHA
from . import association
from .choosing import choose_by_figure
from .ranks import KnownItem

FEWEST = 3
"""Questions: with fewer no correlation can be significant."""


@dataclass(frozen=True)
class Link:
    """Correlation of a predictor with the reciprocal rank of a system, or with its lead over another one."""

    predictor: str
    system: str
    against: str
    """The other system if it is the difference that is predicted, else nothing."""
    tau: float
    """tau_b over the questions; NaN if the predictor or the outcome is the same for all of them."""
    low: float
    high: float
    raw: float
    """p by permutation."""
    p: float
    """The same corrected for all links."""

    @property
    def outcome(self) -> str:
        return f"{self.system} − {self.against}" if self.against else self.system


@dataclass(frozen=True)
class Choice:
    """One of two systems chosen for each question by a predictor, the rule learned from the other questions."""

    predictor: str
    better: str
    """Of the two systems, that with the higher mean reciprocal rank over all questions: who always takes it has an
    advantage over the rule, which does not see the question that it is for."""
    other: str
    always: float
    """The mean reciprocal rank of the better system."""
    chosen: float
    """That of the choice."""
    oracle: float
    """That of the best possible choice."""
    switched: int
    """Questions for which the other system was chosen."""
    raw: float
    """p of the randomisation test of the choice against the better system, rules taken as given."""
    p: float
    """The same corrected for all choices."""


@dataclass(frozen=True, eq=False)
class Prediction(Result):
    """Results of predictors for some systems on some questions."""

    item: KnownItem
    predictors: tuple[str, ...]
    values: Floats
    """predictors × questions."""
    links: tuple[Link, ...]
    choices: tuple[Choice, ...]
    permutations: int
    samples: int
    confidence: float
    notes: tuple[Note, ...] = ()

    @cached_property
    def best_choice(self) -> Choice | None:
        """The choice that gains most over the better system of its pair."""
        return max(self.choices, key=lambda choice: choice.chosen - choice.always, default=None)

    @cached_property
    def detectable(self) -> float:
        """About how large a tau_b must be to be significant, with so many questions and as many correlations.

        After the normal approximation without ties, with variance 2 (2n + 5) / (9n (n − 1)), at ALPHA over all links.
        """
        size, count = len(self.item.questions), max(1, len(self.links))
        variance = 2 * (2 * size + 5) / (9 * size * (size - 1))
        return min(1.0, NormalDist().inv_cdf(1 - ALPHA / (2 * count)) * math.sqrt(variance))

    def conclusion(self) -> str:
        """A sentence or two that a person understands."""
        from ...core.presentation import conclusion_of

        return conclusion_of(self)


def predict(
    item: KnownItem,
    values: Mapping[str, Sequence[float] | Floats],
    rng: np.random.Generator,
    *,
    permutations: int = 20_000,
    samples: int = 1000,
    confidence: float = 0.95,
    progress: Listener = SILENT,
) -> Prediction:
    """Hold figures of predictors, one for each question of ``item``, against what the systems did.

    Questions for which a predictor has no value are left out for all of them, so that they can be compared.
    """
    if not values:
        raise SpecError("no predictor was named")
    if not 0 < confidence < 1:
        raise SpecError(f"the confidence of an interval lies between 0 and 1, not {confidence}")
    names = tuple(values)
    for name, row in values.items():
        if len(row) != len(item.questions):
            raise DataError(f"{name} has values for {len(row)} questions, not for {len(item.questions)}")
    figures = np.array([np.asarray(row, np.float64) for row in values.values()])
    fine = np.isfinite(figures).all(axis=0)
    notes: list[Note] = []
    if not fine.all():
        lacking = [item.questions[q] for q in np.flatnonzero(~fine)]
        blind = [name for name, row in zip(names, figures, strict=True) if not np.isfinite(row).all()]
        notes.append(Note.of("questions_without_value", topics=lacking, predictors=blind))
    if np.count_nonzero(fine) < FEWEST:
        raise DataError(f"prediction needs at least {FEWEST} questions with a value of every predictor")
    item, figures = only(item, np.flatnonzero(fine)), figures[:, fine]
    for name, row in zip(names, figures, strict=True):
        if row.min() == row.max():
            notes.append(Note.of("predictor_constant", name))
    links = _links(item, names, figures, rng, permutations, samples, confidence, progress)
    least = min(1.0, 2 * len(links) / (permutations + 1))
    if permutations and least > ALPHA:
        notes.append(Note.of("permutations_few", permutations=permutations, correlations=len(links), least=least))
    choices = _choices(item, names, figures, rng, permutations)
    return Prediction(item, names, figures, links, choices, permutations, samples, confidence, tuple(notes))


def keep_asked(item: KnownItem, queries: dict[str, str], source: str) -> KnownItem:
    """The questions of which the text is known; a note says which are left out."""
    known = [q for q, question in enumerate(item.questions) if question in queries]
    unknown = [question for question in item.questions if question not in queries]
    if not known:
        raise DataError(f"{source}: has no topic that is judged: the judgments have {some(item.questions)}")
    if not unknown:
        return item
    without = Note.of("questions_without_text", source, topics=unknown)
    return replace(only(item, np.array(known, np.int64)), notes=(*item.notes, without))


def only(item: KnownItem, questions: Ints) -> KnownItem:
    """The same systems on some of the questions."""
    questions_left = tuple(item.questions[q] for q in questions.tolist())
    return replace(item, questions=questions_left, ranks=item.ranks[:, questions], lengths=item.lengths[:, questions])


def pairs_of(item: KnownItem) -> list[tuple[int, int]]:
    """Every pair of systems, the better first."""
    return [(b, a) if item.mrr[b] > item.mrr[a] else (a, b) for a, b in combinations(range(len(item.systems)), 2)]


def _links(
    item: KnownItem,
    names: Sequence[str],
    figures: Floats,
    rng: np.random.Generator,
    permutations: int,
    samples: int,
    confidence: float,
    progress: Listener,
) -> tuple[Link, ...]:
    values, pairs = item.reciprocal_ranks, pairs_of(item)
    gaps = np.array([values[a] - values[b] for a, b in pairs]).reshape(len(pairs), values.shape[1])
    outcomes = np.concatenate([values, np.round(gaps, 12)])  # 1 − 1/2 and 1/2 − 0 are equal
    links = association.associations(
        figures, outcomes, rng, permutations=permutations, samples=samples, confidence=confidence, progress=progress
    )
    corrected = holm(links.p)
    labels = [(system, "") for system in item.systems] + [(item.systems[a], item.systems[b]) for a, b in pairs]
    return tuple(
        Link(name, system, against, *(float(column[f, o]) for column in (*links, corrected)))
        for o, (system, against) in enumerate(labels)
        for f, name in enumerate(names)
    )


def holm(p: Floats) -> Floats:
    """Corrected for all that have a value."""
    corrected = np.full(p.shape, np.nan)
    has = ~np.isnan(p)
    corrected[has] = Holm()(p[has])
    return corrected


def _choices(
    item: KnownItem, names: Sequence[str], figures: Floats, rng: np.random.Generator, permutations: int
) -> tuple[Choice, ...]:
    values, pairs = item.reciprocal_ranks, np.array(pairs_of(item), np.int64).reshape(-1, 2)
    if not len(pairs):
        return ()
    first, second = values[pairs[:, 0]], values[pairs[:, 1]]
    picks = np.array([choose_by_figure(figure, first - second) for figure in figures])
    got = np.where(picks, first, second).reshape(-1, values.shape[1])
    raw = np.full(len(got), np.nan)
    if permutations:
        rows = np.concatenate([values, got])
        asked = np.stack([np.arange(len(got)) + len(values), np.tile(pairs[:, 0], len(names))], axis=1)
        raw = RandomisationTest(permutations)(rows, asked, rng)
    columns = (got.mean(axis=1), np.count_nonzero(~picks.reshape(got.shape), axis=1), raw, holm(raw))
    oracle = np.maximum(first, second).mean(axis=1)
    choices = []
    for row, (mean, switched, p_raw, p) in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        f, pair = divmod(row, len(pairs))
        a, b = pairs[pair].tolist()
        two = item.systems[a], item.systems[b], float(item.mrr[a])
        choices.append(Choice(names[f], *two, mean, float(oracle[pair]), switched, p_raw, p))
    return tuple(
        sorted(choices, key=lambda choice: (item.systems.index(choice.better), item.systems.index(choice.other)))
    )
