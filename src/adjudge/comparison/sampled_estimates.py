"""Mean measures from few judgments, with intervals: of a random sample of the pool, or of some of the topics.

Two designs, and a machine that judged everything may help in both:

- People judged a random sample of the documents of each topic, with known strata (:func:`estimate_from_sample`). What
  is estimated is the mean over these topics as if people had judged the whole pool.
- People judged some of the topics, chosen at random, and a machine all of them (:func:`estimate_from_topics`). What is
  estimated is the mean over all these topics as if people had judged them all: the machine's mean, plus the mean
  difference between people and machine where both judged. That holds for every measure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import DataError, SpecError
from ..core.judged import judge
from ..core.judging import USUAL, Judging
from ..core.measure import Measure, measures
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..core.qrels import Qrels
from ..core.result import Result
from ..core.run import Run
from ..core.sampled import SampledQrels
from ..evaluation.measuring import measure as measure_runs
from ..evaluation.measuring import named_runs
from ..evaluation.score_columns import distinct_names
from ..formats.qrels import read_qrels
from ..formats.runs import read_run
from .filled_judgments import fill
from .filled_measures import average_precision_of, ndcg_of, recall_of
from .judge_agreement import Estimate
from .sample_totals import UNRANKED, SampledTopic, TopicEstimate

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
XINFAP = "xinfap"
SUMS, QUOTIENTS = ("p", "dcg", "rbp"), ("recall", "ap", "ndcg")
"""Measures that are sums over documents, and those that are quotients of sums."""
ESTIMATED = ("p@k", "recall@k", "ap", "ndcg", "dcg", "rbp(top=…) or rbp(rel=…)", XINFAP)
ROUNDING = 1e-9
"""Errors below it come from rounding: everything that counts was judged."""
DEFAULT = ("ap", "ndcg@10", "p@10")
SEED = 20_260
"""Of the draws that complete judgments: the same sample has the same estimate."""
FEWEST_RELEVANT = 10
"""Relevant documents that were drawn, over all topics, below which quotients are little more than the prior."""
HELD = {"ap": (76, 92), "ndcg": (90, 97), "recall": (88, 93)}
"""In how many of 100 samples of TREC-COVID intervals of 95 % held the truth, by measure (docs/pools.md)."""
FEWEST_DIFFERING = 5
"""Topics on which people and machine must differ for an interval to hold as often as it says."""


@dataclass(frozen=True)
class MeasureEstimate:
    """The mean of a measure for one system."""

    system: str
    measure: str
    estimate: Estimate
    """From people, and from the machine where there is one."""
    human: Estimate | None = None
    """From people alone, where there is a machine."""
    machine: float = math.nan
    """From the machine alone; it has no interval that would be honest."""

    @property
    def bias(self) -> float:
        """What the machine alone has too much."""
        return self.machine - self.estimate.value


@dataclass(frozen=True)
class Estimates(Result):
    """Estimated means, and what they were estimated from."""

    design: str
    """documents, if a sample of the pool was judged; topics, if some of the topics were."""
    rows: tuple[MeasureEstimate, ...]
    topics: int
    judged_topics: int
    pairs: int
    """Documents of the pool, over all topics."""
    judged_pairs: int
    """Of which so many were judged by people."""
    confidence: float
    machine: bool
    """Whether a machine judged too."""
    by_model: tuple[str, ...] = ()
    """Measures whose estimates and intervals come from a model that fills in what was not drawn."""
    notes: tuple[Note, ...] = ()
    """How often the intervals of these held where the truth is known."""

    def conclusion(self) -> str:
        """What was estimated from what, and what the machine judge would have changed."""
        from ..core.presentation import conclusion_of

        return conclusion_of(self)

    def of(self, system: str, measure: str) -> MeasureEstimate:
        """The estimate for a system and a measure."""
        for row in self.rows:
            if (row.system, row.measure) == (system, measure):
                return row
        raise DataError(f"no estimate of {measure} for {system}")


def estimate_from_sample(
    sample: SampledQrels,
    runs: Any,
    specs: Sequence[str] = DEFAULT,
    *,
    machine: Any = None,
    judging: Judging = USUAL,
    confidence: float = 0.95,
    progress: Listener = SILENT,
) -> Estimates:
    """Estimate mean measures from a random sample of the pool, with the help of a machine that judged all of it."""
    components = {spec: None if spec == XINFAP else _component(spec) for spec in specs}
    if machine is not None and XINFAP in components:
        raise SpecError(f"{XINFAP} has no use for a machine: leave one of them out")
    predictions = None if machine is None else _aligned(sample, read_qrels(machine))
    drawn = int(((sample.grades >= max(1, judging.level)) & (sample.probabilities < 1)).sum())
    part_judged = bool((sample.probabilities < 1).any())
    if part_judged and drawn < FEWEST_RELEVANT and any(each and each.name in QUOTIENTS for each in components.values()):
        progress.note(Note.of("thin_sample", count=drawn, least=FEWEST_RELEVANT))
    named = list(named_runs(runs))
    read = [read_run(source, name=name) for name, source in named]
    names = distinct_names([run.name for run in read], [source for _, source in named])
    rows: list[MeasureEstimate] = []
    with progress.work("estimate", total=len(read), unit="runs") as step:
        for name, run in zip(names, read, strict=True):
            rows += _of_run(name, run, sample, predictions, components, judging, confidence)
            step.advance(name=name)
    by_model = {s: each.name for s, each in components.items() if part_judged and each and each.name in QUOTIENTS}
    return Estimates(
        design="documents",
        rows=tuple(rows),
        topics=len(sample.topics),
        judged_topics=len(sample.topics),
        pairs=len(sample),
        judged_pairs=int((sample.grades >= 0).sum()),
        confidence=confidence,
        machine=machine is not None,
        by_model=tuple(by_model),
        notes=tuple(_experience(spec, name, machine is not None) for spec, name in by_model.items()),
    )


def _experience(spec: str, name: str, machine: bool) -> Note:
    """How often intervals of a measure held where the truth is known."""
    least, most = HELD[name]
    return Note.of("intervals_by_model", spec, least=least, most=most, promised=95, machine=machine)


def _component(spec: str) -> Measure:
    component = measures.parse(spec)
    given = vars(component) if hasattr(component, "__dict__") else {}
    odd = given.get("judged_only") or given.get("cutoff") is not None or given.get("tail", "zero") != "zero"
    if component.name == "rbp":
        odd = odd or not component.scaled or (component.rel is None and component.top is None)  # type: ignore[attr-defined]
    odd = odd or not isinstance(given.get("gains", "grade"), str)
    if component.name not in (*SUMS, *QUOTIENTS) or odd:
        raise SpecError(f"{spec} cannot be estimated from a sample of documents: only {', '.join(ESTIMATED)} can")
    return component


def _aligned(sample: SampledQrels, machine: Qrels) -> Ints:
    """The machine's grade of each row of the sample; 0 where it has none."""
    known = machine.to_dict()
    if not any(topic in known for topic in sample.topics):
        raise DataError("the machine judged no topic of the sample")
    return np.fromiter(
        (max(0, known.get(topic, {}).get(document, 0)) for topic, document, _ in sample.rows()), np.int64, len(sample)
    )


def ranks_of(run: Run, pool: Qrels) -> Ints:
    """The rank that a run gives to each row of a pool; UNRANKED where it did not retrieve the document."""
    numbered = Qrels(pool.topics, pool.offsets, pool.documents, np.arange(len(pool), dtype=np.int32))
    judged = judge(run, numbered)
    ranks = np.full(len(pool), UNRANKED, np.int64)
    ranks[judged.grade] = judged.rank
    return ranks


def _of_run(
    name: str,
    run: Run,
    sample: SampledQrels,
    predictions: Ints | None,
    components: Mapping[str, Measure | None],
    judging: Judging,
    confidence: float,
) -> list[MeasureEstimate]:
    ranks = ranks_of(run, sample)
    if (ranks == UNRANKED).all():
        raise DataError(f"{name}: no document of the sampled pool: is it a run of these topics?")
    parts = list(_topics(sample, predictions, ranks))
    rows = []
    labels = [sample.strata[int(a) : int(b)] for a, b in zip(sample.offsets[:-1], sample.offsets[1:], strict=True)]
    world = SampledWorld(parts, labels)
    alone = SampledWorld([replace(part, machine=np.zeros_like(part.machine)) for part in parts], labels)
    believed = SampledWorld(
        [replace(part, human=part.machine, sampled=np.ones(len(part.sampled), bool)) for part in parts], labels
    )
    for spec, component in components.items():
        if component is None:
            values = [part.xinfap(judging.level) for part in parts]
            rows.append(MeasureEstimate(name, spec, Estimate(float(np.mean([each.value for each in values])))))
        elif predictions is None:
            rows.append(MeasureEstimate(name, spec, world.mean(component, judging.level, confidence)))
        else:
            both, human, machine = (
                each.mean(component, judging.level, confidence) for each in (world, alone, believed)
            )
            rows.append(MeasureEstimate(name, spec, both, human, machine.value))
    return rows


@dataclass(frozen=True, eq=False)
class SampledWorld:
    """The sampled pools of all topics, as one run ranks them."""

    parts: Sequence[SampledTopic]
    labels: Sequence[npt.NDArray[np.integer]]
    """The strata of the documents by their names, which topics share."""

    @cached_property
    def filled(self) -> list[npt.NDArray[np.int16]]:
        """Complete judgments, many times over; the same whenever they are asked for."""
        return fill(self.parts, self.labels, np.random.default_rng(SEED))

    def mean(self, component: Any, level: int, confidence: float) -> Estimate:
        """The mean of a measure over topics with its interval."""
        if component.name in SUMS:
            return _mean([_estimate(part, component, level) for part in self.parts], confidence)
        both = zip(self.filled, self.parts, strict=True)
        values = np.stack([_measured(own, part, component, level) for own, part in both], axis=1)
        return _filled_mean(values, confidence)


def _filled_mean(values: Floats, confidence: float) -> Estimate:
    """The mean over draws and topics; the spread of the draws is what is not known, and few topics say less of it."""
    means = values.mean(axis=1)
    value, error = float(means.mean()), float(means.std(ddof=1))
    if error <= ROUNDING * max(1.0, abs(value)):
        return Estimate(value, value - error - ROUNDING, value + error + ROUNDING)
    reach = student_quantile(0.5 + confidence / 2, max(1.0, values.shape[1] - 1.0)) * error
    return Estimate(value, value - reach, value + reach)


def _measured(grades: npt.NDArray[np.int16], part: SampledTopic, component: Any, level: int) -> Floats:
    """A quotient on a topic, for each of the completed judgments."""
    if component.name == "ndcg":
        return ndcg_of(grades, part.rank, _gain_of(component), _discount, component.k)
    least = max(1, level if component.rel is None else component.rel)
    if component.name == "recall":
        return recall_of(grades >= least, part.rank, component.k)
    return average_precision_of(grades >= least, part.rank, component.k)


def _topics(sample: SampledQrels, predictions: Ints | None, ranks: Ints) -> Any:
    for t in range(len(sample.topics)):
        rows = slice(int(sample.offsets[t]), int(sample.offsets[t + 1]))
        grades = np.asarray(sample.grades[rows], np.int64)
        _, strata = np.unique(sample.strata[rows], return_inverse=True)
        machine = np.zeros(len(grades), np.int64) if predictions is None else predictions[rows]
        yield SampledTopic(strata.ravel(), grades >= 0, np.maximum(grades, 0), machine, ranks[rows])


def _estimate(part: SampledTopic, component: Any, level: int) -> TopicEstimate:
    """The estimate of a sum over documents on a topic."""
    least = level if getattr(component, "rel", None) is None else component.rel

    def relevant(grades: Ints) -> Floats:
        return (grades >= max(1, least)).astype(float)

    k: Any = getattr(component, "k", None)
    limit = UNRANKED - 1 if k is None else k
    inside = part.rank <= limit
    if component.name == "p":
        return part.linear(relevant, inside / k)
    if component.name == "rbp":
        seen = part.rank < UNRANKED
        weight = np.where(seen, (1 - component.p) * component.p ** (np.where(seen, part.rank, 1) - 1.0), 0.0)
        if component.rel is not None or component.top == 0:
            return part.linear(relevant, weight)
        return part.linear(lambda grades: np.minimum(np.maximum(grades, 0) / component.top, 1.0), weight)
    gain = _gain_of(component)
    return part.linear(gain, np.where(inside, _discount(np.where(inside, part.rank, 1).astype(float)), 0.0))


def _gain_of(component: Any) -> Any:
    rel = 0 if component.rel is None else component.rel

    def gain(grades: Ints) -> Floats:
        known = np.where(grades >= rel, np.maximum(grades, 0), 0)
        return np.exp2(known) - 1.0 if component.gains == "exp" else known.astype(float)

    return gain


def _discount(ranks: Floats) -> Floats:
    return np.asarray(1 / np.log2(ranks + 1))


def _mean(values: Sequence[TopicEstimate], confidence: float) -> Estimate:
    """The mean over topics with its interval; topics were sampled independently of each other."""
    value = float(np.mean([each.value for each in values]))
    variances = np.array([each.variance for each in values])
    error = math.sqrt(float(variances.sum())) / len(values)
    if error <= ROUNDING * max(1.0, abs(value)):
        return Estimate(value, value - error - ROUNDING, value + error + ROUNDING)
    # Few topics with a variance of their own make the interval wider: Satterthwaite's degrees of freedom.
    freedom = float(variances.sum() ** 2 / (variances**2).sum()) * 2
    reach = student_quantile(0.5 + confidence / 2, max(1.0, freedom)) * error
    return Estimate(value, value - reach, value + reach)


def estimate_from_topics(
    human: Any,
    machine: Any,
    runs: Any,
    specs: Sequence[str] = DEFAULT,
    *,
    judging: Judging = USUAL,
    confidence: float = 0.95,
    progress: Listener = SILENT,
) -> Estimates:
    """Estimate mean measures from topics that people judged, and from all topics as a machine judged them."""
    people, predicted = read_qrels(human), read_qrels(machine)
    both = [topic for topic in people.topics if topic in predicted.position]
    if len(both) < 2:
        raise DataError(f"people and machine judged {len(both)} topics in common: at least 2 are needed")
    if len(both) < len(people.topics):
        missing = len(people.topics) - len(both)
        raise DataError(
            f"the machine did not judge {missing:,} of the {len(people.topics):,} topics that people judged"
        )
    complete = replace(judging, complete=True)
    by_people = measure_runs(people, runs, specs, judging=complete, progress=progress)
    by_machine = measure_runs(predicted, runs, specs, judging=complete, progress=progress)
    place = [by_machine.topics.index(topic) for topic in by_people.topics]
    count, whole = len(by_people.topics), len(by_machine.topics)
    rows = []
    for s, system in enumerate(by_people.systems):
        for m, column in enumerate(by_people.columns):
            if column.average != "mean":
                raise SpecError(f"{column.name} is no mean over topics: its average is {column.average}")
            own, other = by_people.values[s, :, m], by_machine.values[s, :, m]
            differ = int((own != other[place]).sum())
            if differ < FEWEST_DIFFERING and count < whole:
                progress.note(Note.of("few_topics_differ", system, measure=column.name, count=differ))
            rows.append(
                MeasureEstimate(
                    system,
                    column.name,
                    _finite_mean(own - other[place], float(other.mean()), whole, confidence),
                    _finite_mean(own, 0.0, whole, confidence),
                    float(other.mean()),
                )
            )
    return Estimates(
        design="topics",
        rows=tuple(rows),
        topics=whole,
        judged_topics=count,
        pairs=len(predicted),
        judged_pairs=int((people.grades >= 0).sum()),
        confidence=confidence,
        machine=True,
    )


def student_quantile(probability: float, freedom: float) -> float:
    """A quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, probability))


def _finite_mean(values: Floats, start: float, whole: int, confidence: float) -> Estimate:
    """start + the mean over all topics, of which some were drawn at random."""
    count = len(values)
    mean = start + float(values.mean())
    spread = float(values.var(ddof=1)) * (1 - count / whole) / count
    reach = student_quantile(0.5 + confidence / 2, count - 1.0) * math.sqrt(spread)
    return Estimate(mean, mean - reach, mean + reach)
