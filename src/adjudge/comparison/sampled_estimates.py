"""Mean measures from few judgments, with intervals: of a random sample of the pool, or of some of the topics.

Two designs, and a machine that judged everything may help in both:

- People judged a random sample of the documents of each topic, with known strata (:func:`estimate_from_sample`). What
  is estimated is the mean over these topics as if people had judged the whole pool. Some topics, drawn at random, may
  be judged whole beside that: what the figures from the samples lack there corrects them (drawn_topics.py).
- People judged some of the topics, chosen at random, and a machine all of them (:func:`estimate_from_topics`). What is
  estimated is the mean over all these topics as if people had judged them all: the machine's mean, plus the mean
  difference between people and machine where both judged. That holds for every measure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.english import quantity
from ..core.errors import DataError, SpecError
from ..core.judged import judge
from ..core.judging import USUAL, Judging
from ..core.measure import SAMPLED, Measure, measures
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
from .drawn_topics import FEWEST_DIFFERING, corrected, finite_mean, whole_judgments, whole_values
from .extended_infap import extended_infap
from .judge_agreement import Estimate
from .measure_parts import QUOTIENTS, estimable, shape_of
from .measure_ranges import beyond, cut
from .sample_errors import Moments
from .sample_means import interval, moments
from .sampled_cells import UNRANKED, CellSample
from .unseen_relevance import RelevanceModel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
ROUNDING = 1e-9
"""Errors below it come from rounding: everything that counts was judged."""
DEFAULT = ("ap", "ndcg@10", "p@10")
FEWEST_RELEVANT = 10
"""Relevant documents that were drawn, over all topics, below which quotients are little more than the prior."""
SPARSE = "FR94 with topics of TREC Robust 2004"
HELD = {
    ("ap", False): (92, 100, SPARSE),
    ("ndcg", False): (90, 100, "Cranfield"),
    ("recall", False): (93, 100, SPARSE),
    ("ap", True): (92, 100, "TREC-COVID"),
    ("ndcg", True): (93, 100, "Cranfield"),
    ("recall", True): (95, 100, "TREC-COVID"),
}
"""In how many of 100 samples intervals of 95 % held the truth, by measure and whether a machine helped (docs/pools.md).

At least and at most, over the collections and designs that were tried, and where it was least.
"""


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
    sample: Estimate | None = None
    """From the sample alone, where topics that were judged whole correct it."""

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
    whole_topics: int = 0
    """Topics of a sample that were judged whole too."""

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
    whole: Any = None,
    judging: Judging = USUAL,
    confidence: float = 0.95,
    progress: Listener = SILENT,
) -> Estimates:
    """Estimate mean measures from a random sample of the pool.

    A machine that judged all of it may help, and topics that were judged ``whole`` correct what the sample says.
    """
    components = {spec: None if spec == SAMPLED else estimable(spec) for spec in specs}
    for name, given in (("a machine", machine), ("topics judged whole", whole)):
        if given is not None and SAMPLED in components:
            raise SpecError(f"{SAMPLED} has no use for {name}: leave one of them out")
    _refuse_judged_only(sample)
    entire = None if whole is None else whole_judgments(sample, read_qrels(whole), progress)
    if entire is not None and len(entire.topics) < min(FEWEST_DIFFERING, len(sample.topics)):
        progress.note(Note.of("few_whole_topics", count=len(entire.topics), least=FEWEST_DIFFERING))
    machine = None if machine is None else read_qrels(machine)
    predictions = None if machine is None else _aligned(sample, machine)
    drawn = int(((sample.grades >= max(1, judging.level)) & (sample.probabilities < 1)).sum())
    part_judged = bool((sample.probabilities < 1).any())
    if part_judged and drawn < FEWEST_RELEVANT and any(each and each.name in QUOTIENTS for each in components.values()):
        progress.note(Note.of("thin_sample", count=drawn, least=FEWEST_RELEVANT))
    named = list(named_runs(runs))
    read = [read_run(source, name=name) for name, source in named]
    names = distinct_names([run.name for run in read], [source for _, source in named])
    rows: list[MeasureEstimate] = []
    notes = _silences(sample, machine)
    with progress.work("estimate", total=len(read), unit="runs") as step:
        for name, run in zip(names, read, strict=True):
            found, said = _of_run(name, run, sample, predictions, components, judging, confidence, entire)
            rows, notes = rows + found, notes + said
            step.advance(name=name)
    by_model = {
        spec: each.name
        for spec, each in components.items()
        if part_judged and entire is None and each and each.name in QUOTIENTS
    }
    return Estimates(
        design="documents",
        rows=tuple(rows),
        topics=len(sample.topics),
        judged_topics=len(sample.topics),
        pairs=len(sample),
        judged_pairs=_judged(sample, entire),
        confidence=confidence,
        machine=machine is not None,
        by_model=tuple(by_model),
        notes=(*notes, *(_experience(spec, name, machine is not None) for spec, name in by_model.items())),
        whole_topics=0 if entire is None else len(entire.topics),
    )


def _judged(sample: SampledQrels, entire: Qrels | None) -> int:
    """How many documents people judged, those of whole topics included."""
    if entire is None:
        return int((sample.grades >= 0).sum())
    others = [rows for topic, rows in zip(sample.topics, _rows(sample), strict=True) if topic not in entire.position]
    return len(entire) + sum(int((sample.grades[rows] >= 0).sum()) for rows in others)


def _refuse_judged_only(sample: SampledQrels) -> None:
    """An error if strata have documents that were drawn alone: how many others there are, and where, is not known."""
    if len(sample) and (sample.grades >= 0).all() and (sample.probabilities < 1).any():
        raise DataError(
            "the sample has documents that were drawn and not the others of the pool, which an estimate wants too:"
            " give it in the form sample_eval"
        )


def _silences(sample: SampledQrels, machine: Any) -> list[Note]:
    """How much of the pool a machine did not judge."""
    if machine is None:
        return []
    known = machine.to_dict()
    missing = sum(document not in known.get(topic, {}) for topic, document, _ in sample.rows())
    return [Note.of("machine_silent", "machine", count=missing, whole=len(sample))] if missing else []


def _experience(spec: str, name: str, helped: bool) -> Note:
    """How often intervals of a measure held where the truth is known."""
    least, most, where = HELD[name, helped]
    return Note.of("intervals_by_model", spec, least=least, most=most, promised=95, where=where)


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
    entire: Qrels | None,
) -> tuple[list[MeasureEstimate], list[Note]]:
    ranks = ranks_of(run, sample)
    if (ranks == UNRANKED).all():
        raise DataError(f"{name}: no document of the sampled pool: is it a run of these topics?")
    grades = np.asarray(sample.grades, np.int64)
    by_whom = [cell_samples(sample, ranks, grades, predictions)]
    if predictions is not None:  # people alone, the machine alone
        by_whom += [cell_samples(sample, ranks, each, None) for each in (grades, predictions)]
    rows, notes = [], []
    models = [RelevanceModel.of(topics) for topics in by_whom]
    for spec, component in components.items():
        if component is None:
            rows.append(MeasureEstimate(name, spec, Estimate(_extended(sample, ranks, judging.level))))
            continue
        shape = shape_of(component, judging.level)
        found = [moments(model.topics, shape, model) for model in models]
        value, *others = (_mean(each, confidence) for each in found)
        alone = None
        if entire is not None:
            alone, values = cut(value, component), whole_values(run, entire, spec, judging)
            places = [sample.position[topic] for topic in entire.topics]
            fixed = [corrected(each, places, values, confidence) for each in found[:2]]
            value, others = fixed[0][0], [*(each for each, _ in fixed[1:]), *others[1:]]
            wrong = fixed[0][1]
            if wrong is not None and wrong < FEWEST_DIFFERING <= len(places):
                notes.append(Note.of("few_topics_corrected", name, measure=spec, count=wrong))
        notes += beyond(name, spec, value, component, corrected=entire is not None)
        rows.append(MeasureEstimate(name, spec, cut(value, component), sample=alone))
        if others:
            human, machine = others
            rows[-1] = replace(rows[-1], human=cut(human, component), machine=machine.value)
    return rows, notes


def _mean(found: Moments, confidence: float) -> Estimate:
    low, high = interval(found, confidence)
    rounding = ROUNDING * max(1.0, abs(float(found.value[0])))
    return Estimate(float(found.value[0]), float(low[0]) - rounding, float(high[0]) + rounding)


def _extended(sample: SampledQrels, ranks: Ints, level: int) -> float:
    values = []
    for rows in _rows(sample):
        grades = np.asarray(sample.grades[rows], np.int64)
        _, strata = np.unique(sample.strata[rows], return_inverse=True)
        values.append(extended_infap(strata.ravel(), grades >= 0, np.maximum(grades, 0), ranks[rows], level))
    return float(np.mean(values))


def _rows(sample: Qrels) -> list[slice]:
    return [slice(int(a), int(b)) for a, b in zip(sample.offsets[:-1], sample.offsets[1:], strict=True)]


def cell_samples(sample: SampledQrels, ranks: Ints, grades: Ints, machine: Ints | None) -> list[CellSample]:
    """The sample as one run ranks it, topic by topic; a grade below 0 is a document that was not judged."""
    said = np.zeros(len(sample), np.int64) if machine is None else machine
    labels = np.stack([np.asarray(sample.strata, np.int64), said])
    known, kinds = np.unique(labels, axis=1, return_inverse=True)
    kinds = kinds.ravel()
    found = []
    for rows in _rows(sample):
        classes, cell = np.unique(kinds[rows], return_inverse=True)
        cell, drawn = cell.ravel(), grades[rows] >= 0
        places = np.flatnonzero((grades[rows] > 0) | (said[rows] > 0))
        found.append(
            CellSample(
                classes=classes,
                strata=known[0, classes],
                size=np.bincount(cell, minlength=len(classes)).astype(float),
                taken=np.bincount(cell[drawn], minlength=len(classes)).astype(float)[None, :],
                cell=cell[places],
                grade=np.maximum(grades[rows][places], 0),
                said=said[rows][places],
                rank=ranks[rows][places],
                drawn=drawn[places].astype(float)[None, :],
                pool_cell=cell,
                pool_rank=ranks[rows],
            )
        )
    return found


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
        raise DataError(f"people and machine judged {quantity(len(both), 'topic')} in common: at least 2 are needed")
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
            component = measures.parse(column.name)
            own, other = by_people.values[s, :, m], by_machine.values[s, :, m]
            differ = int((own != other[place]).sum())
            if differ < FEWEST_DIFFERING and count < whole:
                progress.note(Note.of("few_topics_differ", system, measure=column.name, count=differ))
            rows.append(
                MeasureEstimate(
                    system,
                    column.name,
                    cut(finite_mean(own - other[place], float(other.mean()), whole, confidence), component),
                    cut(finite_mean(own, 0.0, whole, confidence), component),
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
