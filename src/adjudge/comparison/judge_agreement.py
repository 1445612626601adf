"""Judge against judge: how far two or more sets of judgments agree, and what that does to the ranking of systems.

Everything is counted topic by topic, so that intervals can be had by drawing topics again. Works on any judgments: of
people, of a crowd, of a language model, of one judge twice.

Papers: Cohen (1960, 1968) for kappa and weighted kappa; Krippendorff, Computing Krippendorff's alpha-reliability
(2011); Fleiss, Levin, Paik, Statistical methods for rates and proportions (2003), chapter 18, for agreement by grade;
Voorhees, Variations in relevance judgments and the measurement of retrieval effectiveness (IP&M 2000) for overlap and
rankings under other judges.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import combinations
from typing import Any

import numpy as np

from ..core.errors import DataError, SpecError
from ..core.judged import Floats, Ints
from ..core.judging import USUAL, Judging
from ..core.qrels import Qrels
from ..core.result import Result
from ..core.scores import Scores
from ..correlation.uncertainty import Correlation, Ranked, correlate_columns
from ..evaluation.measuring import measure as measure_runs
from ..formats.qrels import read_qrels

WEIGHTS = ("none", "linear", "quadratic")
SCALES = ("nominal", "ordinal", "interval")
COEFFICIENTS = ("tau_b", "tau_ap_b")


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval over topics."""

    value: float
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True)
class TopicAgreement:
    """Two judges on one topic."""

    topic: str
    common: int
    """Documents that both judged."""
    agreement: float
    """The share of them with the same grade."""
    overlap: float
    """Documents that both call relevant, over those that one of them does; NaN if there are none."""
    kappa: float
    """Cohen's kappa; NaN where there is nothing to differ in."""


@dataclass(frozen=True)
class JudgePair:
    """Two judges on the documents that both judged."""

    a: str
    b: str
    topics: int
    """In which both judged a common document."""
    common: int
    """Documents of a topic that both judged."""
    only_a: int
    only_b: int
    confusion: tuple[tuple[int, ...], ...]
    """By grade of a (rows) and of b (columns), in the order of the grades of the comparison."""
    agreement: Estimate
    """The share of common documents with the same grade."""
    overlap: Estimate
    """Documents that both call relevant, over those that one of them does."""
    kappa: Mapping[str, Estimate]
    """Cohen's kappa by weights: none, linear, quadratic."""
    by_grade: Mapping[int, float]
    """By grade, of the documents to which one of the two gives it, how often the other does too (specific agreement:
    twice the documents with this grade by both, over those by a and those by b); NaN if neither gives it."""
    by_topic: tuple[TopicAgreement, ...]
    """Topics with documents that both judged, those of least agreement first."""


@dataclass(frozen=True)
class RankingChange:
    """Two judges, and the order in which their judgments put the systems."""

    a: str
    b: str
    correlations: tuple[Correlation, ...]
    """tau_b and tau_ap_b between the two orders, with intervals over topics."""
    means: Mapping[str, tuple[float, float]]
    """By system, the mean of the measure under each judge."""
    ranks: Mapping[str, tuple[int, int]]
    """By system, its rank under each judge; equal means share the best of their ranks."""
    topics: Mapping[str, float]
    """By topic, the mean over systems of |value under b − value under a|: which topics decide."""

    favour: Estimate | None = None
    """How much more b gives than a to the systems of the group than to the others; None without a group."""
    alone: int = 0
    """Documents of these topics that only one of the two judged: they make a difference too, beside the grades."""

    def gain(self, system: str) -> int:
        """Ranks that a system gains from a to b."""
        before, after = self.ranks[system]
        return before - after


@dataclass(frozen=True)
class JudgeComparison(Result):
    """How far judges agree, and what it does to systems."""

    judges: tuple[str, ...]
    grades: tuple[int, ...]
    level: int
    pairs: tuple[JudgePair, ...]
    alpha: Mapping[str, Estimate]
    """Krippendorff's alpha of all judges by scale: nominal, ordinal, interval."""
    samples: int
    measure: str = ""
    rankings: tuple[RankingChange, ...] = ()
    """Of each pair of judges, where there are runs."""
    group: tuple[str, ...] = ()
    """The systems that a judge may favour, if that was asked."""
    common: bool = False
    """Whether systems are ranked by the documents alone that both judges of a pair judged."""

    def conclusion(self) -> str:
        """How far the judges agree, and whether they put the systems in the same order."""
        from ..core.presentation import conclusion_of

        return conclusion_of(self)


def compare_judges(
    judges: Mapping[str, Any],
    runs: Any = None,
    measure: str = "ap",
    *,
    group: str | Sequence[str] = (),
    common: bool = False,
    judging: Judging = USUAL,
    samples: int = 1000,
    rng: np.random.Generator | None = None,
) -> JudgeComparison:
    """Compare judgments of the same topics by two judges or more, and the rankings of runs under each of them.

    ``judges`` is {name: judgments}; ``runs`` are as :func:`adjudge.measure` takes them. Documents with a negative grade
    count as not judged. ``group`` is a pattern such as ``llm-*``, or names of systems: whether a judge favours them
    over the others. With ``common`` two judges rank the runs by the documents that both judged, so that nothing but
    their grades makes a difference. ``samples`` of topics make the intervals.
    """
    if len(judges) < 2:
        raise SpecError(f"judges are compared with each other: at least 2 are needed, not {len(judges)}")
    if samples < 1:
        raise SpecError(f"samples must be at least 1, not {samples}")
    draws = np.random.default_rng(0) if rng is None else rng
    read = {name: read_qrels(source) for name, source in judges.items()}
    table = _Table.of(read)
    rankings = () if runs is None else tuple(_rankings(read, runs, measure, group, common, judging, samples, draws))
    chosen = _members(group, list(rankings[0].ranks)) if rankings else ()
    grades = table.grades
    relevant = np.array([grade >= judging.level for grade in grades])
    pairs = tuple(
        _pair(table, names, (a, b), relevant, samples, draws)
        for (a, b) in combinations(range(len(judges)), 2)
        for names in [(table.judges[a], table.judges[b])]
    )
    coincidences = table.coincidences()
    alpha = {scale: _bootstrapped(coincidences, _alpha_of(scale, grades), samples, draws) for scale in SCALES}
    return JudgeComparison(
        judges=table.judges,
        grades=grades,
        level=judging.level,
        pairs=pairs,
        alpha=alpha,
        samples=samples,
        measure="" if runs is None else measure,
        rankings=rankings,
        group=chosen,
        common=common,
    )


@dataclass(frozen=True, eq=False)
class _Table:
    """judges × documents of topics: the number of the grade, −1 where a judge has none."""

    judges: tuple[str, ...]
    grades: tuple[int, ...]
    marks: Ints
    topic: Ints
    """The number of the topic of each document."""
    topics: tuple[str, ...]

    @classmethod
    def of(cls, read: Mapping[str, Qrels]) -> _Table:
        names, keys, values = tuple(read), list[Any](), list[Any]()
        for qrels in read.values():
            rows = [(topic, document, int(grade)) for topic, document, grade in qrels.rows() if grade >= 0]
            keys.append([(topic, document) for topic, document, _ in rows])
            values.append([grade for *_, grade in rows])
        place = {key: i for i, key in enumerate(sorted({key for own in keys for key in own}))}
        grades = tuple(sorted({grade for own in values for grade in own}))
        number = {grade: g for g, grade in enumerate(grades)}
        marks = np.full((len(names), len(place)), -1, np.int64)
        for j, (own, graded) in enumerate(zip(keys, values, strict=True)):
            marks[j, [place[key] for key in own]] = [number[grade] for grade in graded]
        topics = tuple(dict.fromkeys(topic for topic, _ in place))
        of_topic = {topic: t for t, topic in enumerate(topics)}
        topic = np.fromiter((of_topic[topic] for topic, _ in place), np.int64, len(place))
        return cls(names, grades, marks, topic, topics)

    def confusions(self, a: int, b: int) -> Ints:
        """topics × grades × grades of the documents that both judged."""
        size = len(self.grades)
        both = (self.marks[a] >= 0) & (self.marks[b] >= 0)
        key = (self.topic[both] * size + self.marks[a, both]) * size + self.marks[b, both]
        return np.bincount(key, minlength=len(self.topics) * size * size).reshape(len(self.topics), size, size)

    def coincidences(self) -> Floats:
        """topics × grades × grades: Krippendorff's coincidence matrices."""
        size = len(self.grades)
        counts = np.stack([(self.marks == g).sum(axis=0) for g in range(size)], axis=1).astype(float)
        total = counts.sum(axis=1)
        paired = total > 1
        counts, total, topic = counts[paired], total[paired], self.topic[paired]
        pairs = counts[:, :, None] * counts[:, None, :]
        pairs[:, np.arange(size), np.arange(size)] -= counts
        pairs /= (total - 1)[:, None, None]
        result = np.zeros((len(self.topics), size, size))
        np.add.at(result, topic, pairs)
        return result


def _pair(
    table: _Table,
    names: tuple[str, str],
    places: tuple[int, int],
    relevant: Any,
    samples: int,
    rng: np.random.Generator,
) -> JudgePair:
    a, b = places
    confusion = table.confusions(a, b)
    whole = confusion.sum(axis=0)
    if not whole.sum():
        raise DataError(f"{names[0]} and {names[1]} judged no document of a topic in common")
    judged = table.marks[[a, b]] >= 0
    figures: dict[str, Callable[[Floats], float]] = {
        "agreement": lambda m: float(np.trace(m) / m.sum()),
        "overlap": lambda m: _overlap(m, relevant),
        **{weights: (lambda m, w=weights: weighted_kappa(m, w)) for weights in WEIGHTS},  # type: ignore[misc]
    }
    found = {name: _bootstrapped(confusion, figure, samples, rng) for name, figure in figures.items()}
    return JudgePair(
        a=names[0],
        b=names[1],
        topics=int((confusion.sum(axis=(1, 2)) > 0).sum()),
        common=int(whole.sum()),
        only_a=int((judged[0] & ~judged[1]).sum()),
        only_b=int((judged[1] & ~judged[0]).sum()),
        confusion=tuple(tuple(row) for row in whole.tolist()),
        agreement=found["agreement"],
        overlap=found["overlap"],
        kappa={weights: found[weights] for weights in WEIGHTS},
        by_grade=dict(zip(table.grades, specific_agreement(whole), strict=True)),
        by_topic=_by_topic(table.topics, confusion, relevant),
    )


def specific_agreement(confusion: Floats) -> list[float]:
    """For each grade, how often one of two judges gives it where the other does (Fleiss, Levin, Paik 2003, ch. 18).

    >>> specific_agreement(np.array([[20, 5, 0], [15, 10, 0], [0, 0, 0]]))
    [0.6666666666666666, 0.5, nan]
    """
    same, given = 2 * confusion.diagonal(), confusion.sum(axis=0) + confusion.sum(axis=1)
    return [float(n / of) if of else math.nan for n, of in zip(same, given, strict=True)]


def _by_topic(topics: Sequence[str], confusions: Ints, relevant: Any) -> tuple[TopicAgreement, ...]:
    found = [
        TopicAgreement(
            topic, int(m.sum()), float(np.trace(m) / m.sum()), _overlap(m, relevant), weighted_kappa(m.astype(float))
        )
        for topic, m in zip(topics, confusions, strict=True)
        if m.any()
    ]
    return tuple(sorted(found, key=lambda each: each.agreement))


def _overlap(confusion: Floats, relevant: Any) -> float:
    both = confusion[np.ix_(relevant, relevant)].sum()
    either = confusion.sum() - confusion[np.ix_(~relevant, ~relevant)].sum()
    return float(both / either) if either else math.nan


def weighted_kappa(confusion: Floats, weights: str = "none") -> float:
    """Cohen's kappa of a table of two judges; grades are taken to be equally far apart by linear and quadratic weights.

    >>> round(weighted_kappa(np.array([[20, 5], [10, 15]])), 2)
    0.4
    """
    size, total = len(confusion), confusion.sum()
    apart = np.abs(np.arange(size)[:, None] - np.arange(size)[None, :]).astype(float)
    cost = (apart > 0) * 1.0 if weights == "none" else apart if weights == "linear" else apart**2
    expected = np.outer(confusion.sum(axis=1), confusion.sum(axis=0)) / total
    chance = float((cost * expected).sum())
    return 1 - float((cost * confusion).sum()) / chance if chance else math.nan


def _alpha_of(scale: str, grades: Sequence[int]) -> Callable[[Floats], float]:
    return lambda coincidences: krippendorff_alpha(coincidences, scale, grades)


def krippendorff_alpha(coincidences: Floats, scale: str, grades: Sequence[int]) -> float:
    """Krippendorff's alpha of a matrix of coincidences; NaN if there is nothing to differ in."""
    margins = coincidences.sum(axis=1)
    total = margins.sum()
    if scale == "nominal":
        cost = 1.0 - np.eye(len(grades))
    elif scale == "interval":
        values = np.array(grades, float)
        cost = (values[:, None] - values[None, :]) ** 2
    else:
        upto = np.cumsum(margins)
        middle = upto - margins / 2
        cost = (middle[:, None] - middle[None, :]) ** 2
    expected = float((cost * np.outer(margins, margins)).sum())
    if not expected:
        return math.nan
    return float(1 - (total - 1) * float((cost * coincidences).sum()) / expected)


def _bootstrapped(by_topic: Any, figure: Callable[[Floats], float], samples: int, rng: np.random.Generator) -> Estimate:
    """A figure of sums over topics, with percentiles over topics drawn again."""
    value = figure(by_topic.sum(axis=0))
    count = len(by_topic)
    if count < 2 or math.isnan(value):
        return Estimate(value)
    drawn = rng.multinomial(count, np.full(count, 1 / count), samples)
    sums = np.tensordot(drawn, by_topic, axes=1)
    values = np.array([figure(each) for each in sums if each.sum()])
    values = values[~np.isnan(values)]
    if not len(values):
        return Estimate(value)
    low, high = np.quantile(values, [0.025, 0.975]).tolist()
    return Estimate(value, low, high)


def _rankings(
    read: Mapping[str, Qrels],
    runs: Any,
    measure: str,
    group: str | Sequence[str],
    common: bool,
    judging: Judging,
    samples: int,
    rng: np.random.Generator,
) -> list[RankingChange]:
    """Rankings under each pair of judges, on the topics that both judged."""

    def scored(qrels: Qrels) -> Scores:
        return measure_runs(qrels, runs, [measure], judging=_complete(judging))

    whole = {} if common else {name: scored(qrels) for name, qrels in read.items()}
    changes = []
    for a, b in combinations(read, 2):
        both = [scored(each) for each in _in_common(a, b, read)] if common else [whole[a], whole[b]]
        change = _change(a, b, both[0], both[1], _members(group, both[0].systems), samples, rng)
        changes.append(change if common else replace(change, alone=_judged_alone(a, b, read, change.topics)))
    return changes


def _graded(qrels: Qrels) -> dict[tuple[str, str], int]:
    return {(topic, document): int(grade) for topic, document, grade in qrels.rows() if grade >= 0}


def _judged_alone(a: str, b: str, read: Mapping[str, Qrels], topics: Collection[str]) -> int:
    return sum(topic in topics for topic, _ in _graded(read[a]).keys() ^ _graded(read[b]).keys())


def _in_common(a: str, b: str, read: Mapping[str, Qrels]) -> tuple[Qrels, Qrels]:
    """What two judges say of the documents that both judged."""
    first, second = _graded(read[a]), _graded(read[b])
    keys = [key for key in first if key in second]
    if not keys:
        raise DataError(f"{a} and {b} judged no document of a topic in common")
    topics, documents = [topic for topic, _ in keys], [document for _, document in keys]

    def of(own: Mapping[tuple[str, str], int], name: str) -> Qrels:
        return Qrels.of_columns(topics, documents, np.array([own[key] for key in keys]), name)

    return of(first, a), of(second, b)


def _members(group: str | Sequence[str], systems: Sequence[str]) -> tuple[str, ...]:
    """The systems that a pattern matches, or that are named."""
    if not group:
        return ()
    patterns = [group] if isinstance(group, str) else list(group)
    members = tuple(s for s in systems if any(fnmatchcase(s, pattern) for pattern in patterns))
    if not members or len(members) == len(systems):
        which = "all systems are" if members else "no system is"
        raise SpecError(f"{which} in the group {', '.join(patterns)}: a group is favoured over others")
    return members


def _complete(judging: Judging) -> Judging:
    return replace(judging, complete=True)


def _change(
    a: str,
    b: str,
    before: Scores,
    after: Scores,
    members: Sequence[str],
    samples: int,
    rng: np.random.Generator,
) -> RankingChange:
    topics = [topic for topic in before.topics if topic in set(after.topics)]
    if not topics:
        raise DataError(f"{a} and {b} judged no topic in common")
    blocks = [scores.values[:, [scores.topics.index(t) for t in topics], :] for scores in (before, after)]
    column = before.columns[0]
    columns = tuple(column._replace(name=name) for name in (a, b))
    both = Scores(np.concatenate(blocks, axis=2), before.systems, tuple(topics), columns)
    correlations = tuple(
        correlate_columns(both, Ranked(a), Ranked(b), by, samples=samples, rng=rng)
        for by in (COEFFICIENTS if len(before.systems) > 1 else ())
    )
    means = both.values.mean(axis=1)
    good = means if column.better != "low" else -means
    ranks = 1 + (good[None, :, :] > good[:, None, :] + 1e-12).sum(axis=1)
    moved = np.abs(both.values[:, :, 1] - both.values[:, :, 0]).mean(axis=0)
    order = np.argsort(-moved, kind="stable").tolist()
    return RankingChange(
        a=a,
        b=b,
        correlations=correlations,
        means={s: (float(x), float(y)) for s, (x, y) in zip(before.systems, means.tolist(), strict=True)},
        ranks={s: (int(x), int(y)) for s, (x, y) in zip(before.systems, ranks.tolist(), strict=True)},
        topics={topics[t]: float(moved[t]) for t in order},
        favour=_favour(both, members, column.better, samples, rng) if members else None,
    )


def _favour(both: Scores, members: Sequence[str], better: str, samples: int, rng: np.random.Generator) -> Estimate:
    """The gain from the first judge to the second of the members, less that of the others, over topics."""
    inside = np.array([system in members for system in both.systems])
    gains = (both.values[:, :, 1] - both.values[:, :, 0]) * (-1 if better == "low" else 1)
    per_topic = gains[inside].mean(axis=0) - gains[~inside].mean(axis=0)
    count = len(per_topic)
    if count < 2:
        return Estimate(float(per_topic.mean()))
    drawn = rng.multinomial(count, np.full(count, 1 / count), samples) @ per_topic / count
    low, high = np.quantile(drawn, [0.025, 0.975]).tolist()
    return Estimate(float(per_topic.mean()), low, high)
