"""Describe scores before any test: averages, intervals, agreement of measures, the documents ranked first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..core.average import averages
from ..core.judged import Floats
from ..core.run import Run
from ..core.scores import Scores
from ..core.strings import encode
from .significance.bootstrap import counts, studentised


def averages_of(scores: Scores, wanted: Sequence[str]) -> dict[str, Floats]:
    """Every average of every measure; NaN where values lie outside what an average is defined for."""
    averaged = {}
    for spec in dict.fromkeys(("mean", *wanted)):
        average = averages.parse(spec)
        figures = np.full((len(scores.systems), len(scores.columns)), np.nan)
        for m, column in enumerate(scores.columns):
            values = scores.values[:, :, m]
            # A measure that is itself an average over topics, gm_map say, has no other one.
            own = spec == "mean" and column.is_average
            taken = averages.parse(column.average) if own else average
            if not taken.outside(values).any() and not np.isnan(values).all(axis=1).any():
                figures[:, m] = taken(values)
        averaged[spec] = figures
    return averaged


def bootstrap_intervals(scores: Scores, rng: np.random.Generator, samples: int, confidence: float = 0.95) -> Floats:
    """systems × measures × 2: studentised intervals of the mean over samples of topics, drawn with replacement."""
    systems, topics, measures = scores.values.shape
    ends_of = np.full((systems, measures, 2), np.nan)
    if topics < 2:
        return ends_of
    drawn = counts(rng, samples, topics)
    for m, first in enumerate(_first_equals(scores.values)):
        if first < m:
            ends_of[:, m] = ends_of[:, first]
            continue
        ends_of[:, m] = np.stack(studentised(scores.values[:, :, m], drawn, confidence), axis=1)
    return ends_of


def _first_equals(values: Floats) -> list[int]:
    """For each measure the first one with the same values: with one relevant document per topic there are many."""
    seen: dict[bytes, int] = {}
    return [seen.setdefault(values[..., m].tobytes(), m) for m in range(values.shape[-1])]


def measure_agreement(scores: Scores) -> Floats:
    """measures × measures: tau_b between the orders that their means put the systems in; NaN where one has none."""
    from ..correlation import tau_b

    ways = {"high": 1.0, "low": -1.0}
    means = scores.values.mean(axis=1)
    count = len(scores.columns)
    matrix = np.full((count, count), np.nan)
    means = means * np.array([ways.get(column.better, np.nan) for column in scores.columns])
    firsts = _first_equals(means)
    for a in range(count):
        for b in range(a, count):
            x, y = means[:, a], means[:, b]
            if (firsts[a], firsts[b]) != (a, b):  # the same two columns came before
                matrix[a, b] = matrix[b, a] = matrix[firsts[a], firsts[b]]
            elif len(x) > 1 and np.isfinite(x).all() and np.isfinite(y).all():
                matrix[a, b] = matrix[b, a] = tau_b(x, y)
    return matrix


def first_documents(run: Run, topics: Sequence[str], depth: int) -> Iterator[tuple[str, ...]]:
    """The documents that a run ranks first for each topic, in the order in which they are judged.

    Among equal scores the id that is later in byte order comes first, as in ``core/judged.py``.
    """
    for topic in topics:
        place = run.position.get(topic)
        low, high = (0, 0) if place is None else run.offsets[place : place + 2].tolist()
        scores = run.scores[low:high]
        if len(scores) > depth:
            least = np.partition(scores, len(scores) - depth)[len(scores) - depth]
            rows = np.flatnonzero(scores >= least)
        else:
            rows = np.arange(len(scores))
        ranked = [(float(scores[row]), encode(run.documents[low + int(row)]), low + int(row)) for row in rows]
        yield tuple(run.documents[row] for _, _, row in sorted(ranked, reverse=True)[:depth])
