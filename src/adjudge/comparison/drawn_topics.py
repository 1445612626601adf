"""Means over all topics of which some, drawn at random, were judged whole.

Of every topic there is a figure that may be wrong: a machine's, or one from a sample of its documents. What it lacks on
the drawn topics is what it lacks on average, so that the mean of all figures plus the mean lack is unbiased, whatever
the figures are (Särndal, Swensson, Wretman 1992, chapter 6), as long as they do not depend on which topics were drawn.
Given the figures, the drawn topics are a simple random sample of a finite population, and the interval is Student's.

Without such topics nothing is unbiased for ap, ndcg and recall: over all samples of m of the n documents of a topic,
the mean of a statistic is a polynomial of degree m at most in what each document is, relevant (1) or not (0), and a
share of the relevant documents is one of degree n (docs/pools.md).

Figures that come from small samples differ from topic to topic by chance more than topics do. They are drawn to their
mean as far as that is so (Efron, Morris, JASA 1975); this depends on the samples alone, and so it biases nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ..core.english import quantity
from ..core.errors import DataError
from ..core.judging import Judging
from ..core.note import Note
from ..core.progress import Listener
from ..core.qrels import Qrels
from ..core.run import Run
from ..core.sampled import SampledQrels
from ..evaluation.measuring import measure as measure_runs
from ..formats.qrels import read_qrels
from .judge_agreement import Estimate
from .sample_errors import Moments

Floats = npt.NDArray[np.float64]
FEWEST = 2
"""Topics that must be judged whole: one has no spread."""
FEWEST_DIFFERING = 5
"""Drawn topics on which figures must be wrong for an interval to hold as often as it says."""

SAME = 1e-12
"""Below it figures differ by rounding."""


def student_quantile(probability: float, freedom: float) -> float:
    """A quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, probability))


def finite_mean(values: Floats, start: float, whole: int, confidence: float) -> Estimate:
    """start + the mean over all topics, of which some were drawn at random."""
    count = len(values)
    mean = start + float(values.mean())
    spread = float(values.var(ddof=1)) * (1 - count / whole) / count
    reach = student_quantile(0.5 + confidence / 2, count - 1.0) * math.sqrt(spread)
    return Estimate(mean, mean - reach, mean + reach)


def likely_figures(found: Moments) -> Floats:
    """Topics × samples: figures drawn to their mean, as far as they differ from it by the chance of the sample."""
    each, count = found.by_topic, len(found.by_topic)
    mean = each.mean(axis=0)
    if count < 2:
        return each
    between, within = each.var(axis=0, ddof=1), found.variance * count
    real = np.divide(between - within, between, out=np.ones_like(between), where=between > 0)
    return np.asarray(mean + np.clip(real, 0.0, 1.0) * (each - mean))


def whole_judgments(sample: SampledQrels, given: Qrels, progress: Listener) -> Qrels:
    """Judgments of the topics that were judged whole, of the pool of a sample; an error if something is missing."""
    strange = [topic for topic in given.topics if topic not in sample.position]
    if strange:
        raise DataError(f"topic {strange[0]} was judged whole and is not in the sample")
    if len(given.topics) < FEWEST:
        raise DataError(f"{quantity(len(given.topics), 'topic')} judged whole: at least {FEWEST} are needed")
    known, kept = given.to_dict(), {}
    outside = 0
    for topic in given.topics:
        own, rows = known[topic], slice(*sample.offsets[sample.position[topic] :][:2].tolist())
        pool = dict(zip(sample.documents[rows], sample.grades[rows].tolist(), strict=True))
        missing = [document for document in pool if own.get(document, -1) < 0]
        if missing:
            raise DataError(
                f"topic {topic} is not judged whole: {len(missing):,} of {quantity(len(pool), 'pooled document')}"
                f" {'has' if len(missing) == 1 else 'have'} no grade, such as {missing[0]}"
            )
        for document, grade in pool.items():
            if grade >= 0 and grade != own[document]:
                raise DataError(
                    f"document {document} of topic {topic} has grade {grade} in the sample and {own[document]} in the"
                    " judgments of whole topics"
                )
        kept[topic] = {document: own[document] for document in pool}
        outside += len(own) - len(pool)
    if outside:
        progress.note(Note.of("judgments_outside_pool", "topics judged whole", count=outside))
    return read_qrels(kept)


def whole_values(run: Run, given: Qrels, spec: str, judging: Judging) -> Floats:
    """A measure on each topic that was judged whole."""
    scores = measure_runs(given, {run.name: run}, [spec], judging=replace(judging, complete=True))
    return np.asarray(scores.values[0, [scores.topics.index(topic) for topic in given.topics], 0])


def corrected(found: Moments, places: Sequence[int], values: Floats, confidence: float) -> tuple[Estimate, int | None]:
    """The mean of figures from one sample, corrected by the topics at these places, and on how many it was wrong.

    None if nothing hangs on that: all topics were judged whole, or all documents that count.
    """
    figures, chosen = likely_figures(found)[:, 0], list(places)
    estimate = finite_mean(values - figures[chosen], float(figures.mean()), len(figures), confidence)
    sure = len(chosen) == len(figures) or not found.variance[0]
    return estimate, None if sure else int((abs(values - found.by_topic[chosen, 0]) > SAME).sum())
