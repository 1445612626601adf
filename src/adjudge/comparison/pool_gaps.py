"""What a pool lacks: documents that nobody judged, what a run owes to having been pooled, and ranks that could be.

Papers: Zobel, How reliable are the results of large-scale information retrieval experiments? (SIGIR 1998), for
leaving out what one run alone contributed; Buckley, Dimmick, Soboroff, Voorhees (2007) for groups; Moffat, Zobel
(TOIS 2008) for residuals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import DataError, SpecError
from ..core.judged import judge
from ..core.judging import USUAL, Judging
from ..core.measure import measures
from ..core.progress import SILENT, Listener
from ..core.qrels import Qrels
from ..core.result import Result
from ..core.run import Run
from ..evaluation.measuring import named_runs
from ..evaluation.score_columns import distinct_names
from ..formats.qrels import read_qrels
from ..formats.runs import read_run
from .residual_bands import possible_ranks, residual_of

Floats = npt.NDArray[np.float64]
DEPTHS = (10, 100)


@dataclass(frozen=True)
class RunGap:
    """A run, what of it was not judged, and what becomes of it without its own contribution."""

    run: str
    group: str
    value: float
    """The mean of the measure."""
    rank: int
    unjudged: Mapping[int, float]
    """The share of unjudged documents among the first k, by k."""
    unique: int
    """Judged documents down to the depth of the pool that no other group has."""
    unique_relevant: int
    value_without: float
    """The mean of the measure if these had not been judged."""
    rank_without: int
    """The rank of the run if these had not been judged, all other runs being measured without them too."""
    high: float = math.nan
    """The mean if all that nobody judged were as good as can be; NaN where the measure has no residual."""
    best_rank: int = 0
    worst_rank: int = 0
    """Between these the rank can lie, whatever the unjudged documents are; 0 where there is no residual."""

    @property
    def fall(self) -> int:
        """Ranks lost without the documents that only this group has."""
        return self.rank_without - self.rank


@dataclass(frozen=True)
class PoolGaps(Result):
    """What a pool lacks, run by run, the best first."""

    measure: str
    depth: int
    """How far down the runs were pooled."""
    rows: tuple[RunGap, ...]
    topics: int
    judged: int
    grouped: bool
    """Whether runs are left out by groups."""
    residual: bool
    """Whether the measure says how much higher it could be."""

    def conclusion(self) -> str:
        """How much was not judged, who depends on having been pooled, and which ranks are sure."""
        from ..core.presentation import conclusion_of

        return conclusion_of(self)


def find_gaps(
    qrels: Any,
    runs: Any,
    measure: str = "ap",
    *,
    depth: int = 100,
    depths: Sequence[int] = DEPTHS,
    groups: Mapping[str, str] | None = None,
    judging: Judging = USUAL,
    progress: Listener = SILENT,
) -> PoolGaps:
    """Find what judgments lack for some runs; ``groups`` is {group: pattern of names}, each run its own without it."""
    judgments = read_qrels(qrels)
    named = list(named_runs(runs))
    read = [read_run(source, name=name) for name, source in named]
    names = distinct_names([run.name for run in read], [source for _, source in named])
    if len(names) < 2:
        raise SpecError("what one run contributes is seen beside others: at least two runs are needed")
    of_group = _groups(names, groups or {})
    component = measures.parse(measure)
    asked, residual = replace(judging, complete=True), residual_of(component, judging)
    values = np.array([_mean(judge(run, judgments, asked), component) for run in read])
    holders = _holders(judgments, read, [of_group[name] for name in names], depth)
    rows: list[RunGap] = []
    better = -1.0 if component.better == "low" else 1.0
    ranks = _ranks(better * values)
    highs, possible = np.full(len(read), math.nan), None
    if residual is not None:
        highs = values + np.maximum([_mean(judge(run, judgments, asked), residual) for run in read], 0.0)
        possible = possible_ranks(values, highs)
    with progress.work("leave_out", total=len(set(of_group.values())), unit="groups") as step:
        without: dict[str, tuple[int, int, Floats]] = {}
        for number, group in enumerate(dict.fromkeys(of_group.values())):
            own = holders == number
            relevant = int((own & (judgments.grades >= max(1, judging.level))).sum())
            kept = without_judgments(judgments, own)
            changed = np.array([_mean(judge(run, kept, asked), component) for run in read]) if own.any() else values
            without[group] = int(own.sum()), relevant, changed
            step.advance(name=group)
    for r, name in enumerate(names):
        unique, relevant, changed = without[of_group[name]]
        rows.append(
            RunGap(
                run=name,
                group=of_group[name],
                value=float(values[r]),
                rank=int(ranks[r]),
                unjudged={k: _unjudged(read[r], judgments, k) for k in depths},
                unique=unique,
                unique_relevant=relevant,
                value_without=float(changed[r]),
                rank_without=int(_ranks(better * changed)[r]),
                high=float(highs[r]),
                best_rank=int(possible.best[r]) if possible else 0,
                worst_rank=int(possible.worst[r]) if possible else 0,
            )
        )
    rows.sort(key=lambda row: (row.rank, row.run))
    return PoolGaps(
        measure=measure,
        depth=depth,
        rows=tuple(rows),
        topics=len(judgments.topics),
        judged=int((judgments.grades >= 0).sum()),
        grouped=bool(groups),
        residual=residual is not None,
    )


def _groups(names: Sequence[str], groups: Mapping[str, str]) -> dict[str, str]:
    """The group of each run; a run that no pattern matches is its own."""
    of_group: dict[str, str] = {}
    for name in names:
        own = [group for group, pattern in groups.items() if fnmatchcase(name, pattern)]
        if len(own) > 1:
            raise SpecError(f"the run {name} is in two groups, {own[0]} and {own[1]}")
        of_group[name] = own[0] if own else name
    unused = [group for group in groups if group not in of_group.values()]
    if unused:
        raise SpecError(f"no run is in the group {unused[0]} ({groups[unused[0]]})")
    return of_group


def _mean(judged: Any, component: Any) -> float:
    return float(np.mean(component(judged)))


def _ranks(values: Floats) -> npt.NDArray[np.int64]:
    return np.asarray(1 + (values[None, :] > values[:, None] + 1e-12).sum(axis=1))


def _holders(judgments: Qrels, runs: Sequence[Run], groups: Sequence[str], depth: int) -> npt.NDArray[np.int64]:
    """For each judgment the number of the only group that has the document down to the depth; −1 if none or several."""
    numbered = Qrels(
        judgments.topics, judgments.offsets, judgments.documents, np.arange(len(judgments), dtype=np.int32)
    )
    holder = np.full(len(judgments), -2, np.int64)
    place = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    for run, group in zip(runs, groups, strict=True):
        if not any(topic in judgments.position for topic in run.topics):
            raise DataError(f"{run.name}: no topic in common with the judgments")
        judged = judge(run, numbered, depth=depth)
        rows = judged.grade
        holder[rows] = np.where((holder[rows] == -2) | (holder[rows] == place[group]), place[group], -1)
    return np.where((holder == -2) | (judgments.grades < 0), -1, holder)


def without_judgments(judgments: Qrels, gone: npt.NDArray[np.bool_]) -> Qrels:
    """The judgments without some of them; topics stay, even if nothing of them is left."""
    kept = np.flatnonzero(~gone)
    topic = np.repeat(np.arange(len(judgments.topics)), np.diff(judgments.offsets))[kept]
    return Qrels.of_codes(topic, judgments.topics, judgments.documents.take(kept), judgments.grades[kept])


def _unjudged(run: Run, judgments: Qrels, k: int) -> float:
    """The share of the first k documents of the judged topics that nobody judged."""
    judged = judge(run, judgments, depth=k)
    seen, shown = int((judged.grade >= 0).sum()), int(judged.num_ret.sum())
    return 1 - seen / shown if shown else math.nan
