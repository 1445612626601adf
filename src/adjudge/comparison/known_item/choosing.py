"""Choosing one of two systems for each question by a figure that is known beforehand, tried on questions left out.

The rule is one threshold: one system where the figure is above it, the other where it is not, or one system always.
It is learned from all questions but one, and applied to that one, in turn.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.judged import Floats

NEGLIGIBLE = 1e-9
"""A threshold must gain more than this in the sum of reciprocal ranks; what is less is rounding."""


def choose_by_figure(figure: Floats, gains: Floats) -> npt.NDArray[np.bool_]:
    """pairs × questions: whether the first system of each pair is chosen for a question by what the others teach.

    ``gains`` is pairs × questions: by how much the first system's reciprocal rank is above the second's. Of all rules,
    the one with the largest sum over the other questions is taken: always the better system, unless a threshold is
    better still; of equally good ones the first system above the threshold before the first below it, then the lowest
    threshold. Thresholds lie halfway between neighbouring figures. If systems are level, the first is chosen.
    """
    order = np.argsort(figure, kind="stable")
    figure, gains = figure[order], gains[:, order]
    best = np.empty(gains.shape, np.bool_)
    for q in range(len(figure)):
        others = np.delete(figure, q)
        best[:, order[q]] = _choose_by_rules(others, np.delete(gains, q, axis=1), float(figure[q]))
    return best


def _choose_by_rules(figures: Floats, gains: Floats, asked: float) -> npt.NDArray[np.bool_]:
    """The choice for a figure by rules learned from others, which come in ascending order."""
    total = gains.sum(axis=1)
    always = total >= -NEGLIGIBLE
    cuts = np.flatnonzero(figures[1:] > figures[:-1])
    if not len(cuts):
        return np.asarray(always)
    thresholds = figures[cuts] + (figures[cuts + 1] - figures[cuts]) / 2
    under = np.cumsum(gains, axis=1)[:, cuts]
    rules = np.concatenate([total[:, None] - under, under], axis=1)  # first system above, first system below
    best = np.argmax(rules > rules.max(axis=1, keepdims=True) - NEGLIGIBLE, axis=1)
    better = rules[np.arange(len(rules)), best] > np.maximum(total, 0.0) + NEGLIGIBLE
    first_above = best < len(cuts)
    is_above = asked > thresholds[best % len(cuts)]
    return np.asarray(np.where(better, is_above == first_above, always))
