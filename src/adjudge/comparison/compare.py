"""Compare systems two by two: which is better, by how much, and how sure that is."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence

import numpy as np

from ..core.average import Transformation, TransformedMean, averages
from ..core.errors import DataError, SpecError, did_you_mean
from ..core.judged import Floats, Ints
from ..core.note import Note
from ..core.scores import Scores
from .matrix import better, complete_matrix, coverage_by_system, covered_systems, left_out_notes
from .paired import Correction, PairedTest, by_differences, corrections, paired_tests
from .verdict import ALPHA, Apart, Comparison, Difference


def compare(
    scores: Scores,
    measure: str,
    *,
    baselines: Sequence[str] = (),
    tests: Sequence[str] = ("t",),
    correction: str = "holm",
    by: str = "mean",
    confidence: float = 0.95,
    rng: np.random.Generator | None = None,
    least_coverage: float = 0.0,
) -> Comparison:
    """Compare all pairs of systems, or every system with each of the baselines.

    ``tests`` are specs such as ``t``, ``wilcoxon(zeros=pratt)``, ``randomisation(samples=100000)``, ``tukey``; the
    first also makes the intervals. ``by`` is ``mean`` or a transformation, such as ``log(eps=1e-5)``, on whose scale
    values are compared. Tests that draw at random take everything from ``rng``: the same seed gives the same p on any
    number of cores. A system whose run answers no judged topic, or less than the share ``least_coverage`` of them, is
    left out, because its figures say nothing of it.
    """
    scores, left_out = covered_systems(scores, least_coverage)
    for baseline in baselines:
        if baseline in left_out:
            few = left_out[baseline]
            raise DataError(f"the baseline {baseline} answers {few.answered} of {few.topics} judged topics: no verdict")
    values = complete_matrix(scores, measure, least=2)
    direction = better(scores, measure)
    if not 0 < confidence < 1:
        raise SpecError(f"the confidence of an interval lies between 0 and 1, not {confidence}")
    if not tests:
        raise SpecError("no test was named")
    components = list({str(test): test for test in map(paired_tests.parse, tests)}.values())
    corrected = corrections.parse(correction)
    pairs = _pairs(scores.systems, baselines)
    scale = _scale(by)
    figures = np.asarray(averages.parse("mean")(values) if scale is None else _figures(scores, scale, values))
    compared = values if scale is None else scale.fit(values).forward(values)
    if not baselines:
        pairs = _better_first(compared, pairs, direction)
    own = [component.generator(copy.deepcopy(rng)) for component in components]  # no test depends on those before it
    first, low, high = components[0].with_interval(compared, pairs, confidence, own[0])
    raw = [first, *(test(compared, pairs, draws) for test, draws in zip(components[1:], own[1:], strict=True))]
    favours = np.array([direction * component.favours(compared, pairs) for component in components])
    due = [corrections.parse("none") if component.familywise else corrected for component in components]
    p = [correct(own) for correct, own in zip(due, raw, strict=True)]
    columns = (np.array(raw).T, np.array(p).T, favours.T)
    differences = _differences(scores.systems, compared, pairs, direction, (low, high), columns)
    return Comparison(
        measure=measure,
        scale="mean" if scale is None else str(scale),
        direction=direction,
        systems=scores.systems,
        topics=values.shape[1],
        figures=figures,
        baselines=tuple(dict.fromkeys(baselines)),
        tests=tuple(str(component) for component in components),
        corrections=tuple(str(correct) for correct in due),
        confidence=confidence,
        differences=differences,
        apart=_apart(scores, values, direction, baselines),
        notes=(*left_out_notes(left_out, least_coverage), *_notes(components, due, len(pairs), values.shape[1])),
        coverage=coverage_by_system(scores),
        left_out=left_out,
    )


def _notes(components: Sequence[PairedTest], due: Sequence[Correction], pairs: int, topics: int) -> Iterator[Note]:
    """Tests that could not have found anything: a p from samples has a smallest value, and corrections multiply it."""
    for test, correction in zip(components, due, strict=True):
        least = pairs * test.least_p(topics)
        if str(correction) in {"holm", "bonferroni"} and least >= ALPHA:
            enough = math.ceil(20 * pairs / 1000) * 1000
            facts = {"pairs": pairs, "correction": str(correction), "least": min(1.0, least), "enough": enough}
            yield Note.of("samples_few", str(test), **facts)


def _scale(by: str) -> Transformation | None:
    average = averages.parse(by)
    if isinstance(average, TransformedMean):
        return average.transformation
    if str(average) != "mean":
        raise SpecError(f"paired tests compare means: by mean or a transformation such as log, not {average}")
    return None


def _figures(scores: Scores, scale: Transformation, values: Floats) -> Floats:
    average = TransformedMean(scale)
    wrong = np.argwhere(average.outside(values))
    if len(wrong):
        s, t = wrong[0].tolist()
        where = f"{scores.systems[s]} on topic {scores.topics[t]} is {values[s, t]:g}"
        raise DataError(f"values under {average} must {average.domain()}: {where}")
    return average(values)


def ordered_pairs(systems: tuple[str, ...], values: Floats, baselines: Sequence[str], direction: int) -> Ints:
    """All pairs of systems with the better one first, or every system with each of the baselines."""
    pairs = _pairs(systems, baselines)
    return pairs if baselines else _better_first(values, pairs, direction)


def _pairs(systems: tuple[str, ...], baselines: Sequence[str]) -> Ints:
    place = {system: i for i, system in enumerate(systems)}
    for baseline in baselines:
        if baseline not in place:
            raise SpecError(f"no system {baseline!r} to take as baseline{did_you_mean(baseline, list(place))}")
    if not baselines:
        return np.array(np.triu_indices(len(systems), 1)).T
    chosen: dict[frozenset[int], tuple[int, int]] = {}
    for baseline in baselines:
        for other in range(len(systems)):
            if other != place[baseline]:
                chosen.setdefault(frozenset((other, place[baseline])), (other, place[baseline]))
    return np.array(list(chosen.values()))


def _better_first(values: Floats, pairs: Ints, direction: int) -> Ints:
    means = direction * values.mean(axis=1)
    turn = means[pairs[:, 0]] < means[pairs[:, 1]]
    return np.where(turn[:, None], pairs[:, ::-1], pairs)


def _differences(
    systems: tuple[str, ...],
    values: Floats,
    pairs: Ints,
    direction: int,
    bounds: tuple[Floats, Floats],
    tested: tuple[Floats, Floats, Ints],
) -> tuple[Difference, ...]:
    def row(gaps: Floats) -> Floats:
        mean, spread = gaps.mean(axis=1), gaps.std(axis=1, ddof=1)
        spread[(gaps == gaps[:, :1]).all(axis=1)] = np.nan
        won, lost = (direction * gaps > 0).sum(axis=1), (direction * gaps < 0).sum(axis=1)
        return np.array([mean, mean / spread, won, gaps.shape[1] - won - lost, lost])

    mean, effect, won, level, lost = by_differences(values, pairs, row).tolist()
    low, high = (bound.tolist() for bound in bounds)
    means = -direction * values.mean(axis=1)
    order = np.lexsort((means[pairs[:, 1]], means[pairs[:, 0]])).tolist()
    rows = pairs.tolist()
    own, corrected, favours = (column.tolist() for column in tested)
    return tuple(
        Difference(
            a=systems[rows[i][0]],
            b=systems[rows[i][1]],
            difference=mean[i],
            low=low[i],
            high=high[i],
            effect=effect[i],
            wins=int(won[i]),
            ties=int(level[i]),
            losses=int(lost[i]),
            raw=tuple(own[i]),
            p=tuple(corrected[i]),
            favours=tuple(favours[i]),
        )
        for i in order
    )


def _apart(scores: Scores, values: Floats, direction: int, baselines: Sequence[str]) -> tuple[Apart, ...]:
    """Topics by how far the best system is from the worst; with one baseline, by how far any system is from it."""
    good = direction * values
    best, worst = good.argmax(axis=0), good.argmin(axis=0)
    if len(set(baselines)) == 1:
        base = scores.systems.index(baselines[0])
        up, down = good.max(axis=0) - good[base], good[base] - good.min(axis=0)
        best, worst = np.where(up >= down, best, base), np.where(up >= down, base, worst)
    topics = np.arange(values.shape[1])
    gaps = good[best, topics] - good[worst, topics]
    return tuple(
        Apart(
            scores.topics[t],
            scores.systems[best[t]],
            float(values[best[t], t]),
            scores.systems[worst[t]],
            float(values[worst[t], t]),
        )
        for t in np.argsort(-gaps, kind="stable").tolist()
    )
