"""The mean of a measure over topics from samples of their pools, and the moments of its error.

A measure of a topic is a numerator over a denominator. The numerator is a sum over relevant documents (precision, DCG,
RBP, recall, nDCG) or over pairs of them (average precision: the sum over pairs of 1 / the lower rank). Drawn documents
and pairs count 1 / the probability with which they were drawn, so that the numerator is unbiased (Horvitz, Thompson).
Sums have no denominator. Those of the others come from unseen_relevance.py.

The variance of the mean over topics and its third moment come from sample_errors.py. The interval is a score interval:
the variance belongs to the value that is tested, not to the estimate, which makes it longer on the side where more
would have been found. It is widened by Student's t only as far as the variance is uncertain for other reasons.

Papers: Horvitz, Thompson (JASA 1952); Särndal, Swensson, Wretman, Model assisted survey sampling (1992), chapter 5, for
influences; Wilson (JASA 1927) for score intervals; Hall (Annals of Statistics 1992) on skewness.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .sample_errors import Moments, SampleError
from .sampled_cells import CellSample, MeasureParts
from .unseen_relevance import RelevanceModel

Floats = npt.NDArray[np.float64]


def interval(found: Moments, confidence: float) -> tuple[Floats, Floats]:
    """Where the mean lies: values whose own variance makes the estimate likely."""
    from scipy.special import stdtrit

    reach = stdtrit(np.maximum(found.freedom, 1.0), 0.5 + confidence / 2) ** 2
    skew = np.divide(found.third, found.variance, out=np.zeros_like(found.third), where=found.variance > 0)
    middle = found.value + reach * skew / 2
    half = np.sqrt((reach * skew / 2) ** 2 + reach * found.variance)
    return middle - half, middle + half


def moments(topics: Sequence[CellSample], shape: MeasureParts, model: RelevanceModel | None = None) -> Moments:
    """Estimate the mean over topics in every sample. A model that was made of these topics need not be made again."""
    grades = np.unique(np.concatenate([topic.grade for topic in topics]))
    levels = [int(grade) for grade in grades if float(shape.gain(np.array([grade]))[0]) > 0]
    empty = np.zeros(len(topics[0].taken))
    if not levels:
        return Moments(empty, empty, empty, empty, np.zeros((len(topics), len(empty))))
    model = RelevanceModel.of(topics) if model is None else model
    return SampleError(model, shape, levels, _usual_gain(topics, shape, levels)).moments()


def _usual_gain(topics: Sequence[CellSample], shape: MeasureParts, levels: Sequence[int]) -> float:
    """The gain of the relevant documents that were drawn: the root of its mean square."""
    total = count = 0.0
    for topic in topics:
        relevant = topic.grade >= levels[0]
        times = topic.drawn[:, relevant].sum(axis=0)
        total += float((times * shape.gain(topic.grade[relevant]) ** 2).sum())
        count += float(times.sum())
    return math.sqrt(total / count) if count else 1.0
