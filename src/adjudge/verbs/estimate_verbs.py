"""Verbs on what few judgments say: what the pool lacks, and estimates from samples or with a machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..comparison.pool_gaps import DEPTHS, PoolGaps, find_gaps
from ..comparison.sampled_estimates import DEFAULT, Estimates, estimate_from_sample, estimate_from_topics
from ..core.arguments import is_file, listed
from ..core.english import quantity
from ..core.errors import DataError, SpecError
from ..core.judging import USUAL, Judging
from ..core.likes import QrelsLike, RunsLike
from ..core.progress import SILENT, Listener
from ..core.qrels import Qrels
from ..core.sampled import SampledQrels
from ..formats.qrels import read_qrels
from ..formats.sampled_qrels import looks_sampled, read_sampled_qrels
from ..formats.source import Source, open_source


def pool_gaps(
    qrels: QrelsLike,
    runs: RunsLike,
    measure: str = "ap",
    *,
    depth: int = 100,
    depths: Sequence[int] = DEPTHS,
    groups: Mapping[str, str] | None = None,
    level: int = USUAL.level,
    progress: Listener = SILENT,
) -> PoolGaps:
    """Show what judgments lack: unjudged documents, what runs lose if they had not been pooled, ranks that could be.

    Args:
        qrels: the judgments.
        runs: two runs or more, as :func:`measure` takes them.
        measure: by which runs are ranked; rbp and the C/W/L measures have residuals, which make bands and ranges.
        depth: how far down the runs were pooled.
        depths: where the share of unjudged documents is looked at.
        groups: {group: pattern of names of runs}, which are left out together; each run its own without it.
        level: the lowest grade that counts as relevant.
        progress: hears how far it is.

    >>> runs = {"a": {"1": {"x": 2.0, "y": 1.0}}, "b": {"1": {"z": 2.0, "y": 1.0}}}
    >>> pool_gaps({"1": {"x": 1, "y": 1}}, runs).rows[0].rank_without
    1
    """
    judging = replace(USUAL, level=level)
    return find_gaps(
        qrels, runs, measure, depth=depth, depths=depths, groups=groups, judging=judging, progress=progress
    )


def estimate(
    qrels: QrelsLike | SampledQrels,
    runs: RunsLike,
    measures: str | Sequence[str] = DEFAULT,
    *,
    machine: QrelsLike | None = None,
    whole: QrelsLike | None = None,
    level: int = USUAL.level,
    confidence: float = 0.95,
    progress: Listener = SILENT,
) -> Estimates:
    """Estimate mean measures from few judgments, with intervals; a machine that judged more may help.

    Args:
        qrels: judgments of a random sample of the pool in five columns (:func:`pool_export`); or, with a machine, plain
            judgments of some of the topics, which were chosen at random.
        runs: runs, as :func:`measure` takes them.
        measures: specs of measures. From a sample of documents: p@k, recall@k, ap, ndcg, dcg, rbp and, without a
            machine, xinfap; from some of the topics: all that are means.
        machine: judgments of a machine: of the whole pool, or of all topics.
        whole: beside a sample of documents, judgments of topics of which all of the pool was judged; they must have
            been drawn at random (``whole_topics`` of :func:`pool`). They make ap, ndcg and recall unbiased.
        level: the lowest grade that counts as relevant.
        confidence: of the intervals.
        progress: hears how far it is.

    >>> human = {"1": {"x": 1}, "2": {"y": 0, "x": 1}}
    >>> machine = {"1": {"x": 1}, "2": {"y": 1, "x": 1}, "3": {"x": 0, "y": 1}}
    >>> runs = {"a": {t: {"x": 2.0, "y": 1.0} for t in "123"}}
    >>> round(estimate(human, runs, "p@2", machine=machine).rows[0].estimate.value, 3)
    0.417
    """
    if not 0 < confidence < 1:
        raise SpecError(f"confidence must lie between 0 and 1, not {confidence}")
    judging = Judging(level=level)
    specs = listed(measures)
    given: Any = open_source(qrels) if is_file(qrels) else qrels  # opened once: it may be a pipe
    if isinstance(given, SampledQrels) or (
        isinstance(given, Source) and looks_sampled(given, expected=machine is None)
    ):
        sample = read_sampled_qrels(given)
        return estimate_from_sample(
            sample, runs, specs, machine=machine, whole=whole, judging=judging, confidence=confidence, progress=progress
        )
    if whole is not None:
        raise SpecError("topics judged whole go with a sample of documents, in five columns")
    if machine is None:
        name = f"{given.name}: " if isinstance(given, Source) else ""
        why = "plain judgments have no strata: give a sample in five columns, or the judgments of a machine"
        raise SpecError(f"{name}{why}")
    people, predicted = read_qrels(given), read_qrels(machine)
    _refuse_strangers(people, predicted)
    return estimate_from_topics(
        people, predicted, runs, specs, judging=judging, confidence=confidence, progress=progress
    )


def _refuse_strangers(people: Qrels, machine: Qrels) -> None:
    """An error if a machine judged the same topics and no document that people judged: it judged something else."""
    both = [topic for topic in people.topics if topic in machine.position]
    theirs = machine.to_dict()
    mine = people.to_dict()
    if both and not any(mine[topic].keys() & theirs[topic].keys() for topic in both):
        raise DataError(
            f"people and machine judged {quantity(len(both), 'topic')} in common and no document of"
            f" {'it' if len(both) == 1 else 'them'}: these are judgments of another collection"
        )
