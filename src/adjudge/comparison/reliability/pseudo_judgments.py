"""Ranking systems without judgments: documents of the pool are called relevant at random.

Soboroff, Nicholas & Cahan, Ranking retrieval systems without relevance judgments (SIGIR 2001). The pool of a topic is
what any run has among its first ``depth`` documents. In each trial some of the pool are drawn and taken for relevant,
the rest of it for judged and not relevant; documents outside the pool are unjudged. What a measure says on the average
over many trials shows how much a system finds of what many systems find, which is not how good it is: the best systems,
which find what others do not, come out too low.

Runs are judged once, with the number of a document in the pool for its grade; each trial only puts grades in the place
of the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.english import some
from ...core.errors import DataError, SpecError
from ...core.judged import Floats, Ints, JudgedRun, judge
from ...core.judging import USUAL, Judging
from ...core.kernel import on_threads
from ...core.measure import Measure
from ...core.note import Note
from ...core.progress import SILENT, Listener
from ...core.qrels import Qrels
from ...core.result import Result
from ...core.run import Run
from ...core.scores import Column, Scores
from ...core.strings import encode
from ...evaluation.measuring import measure as measured
from ...evaluation.measuring import named_runs
from ...evaluation.score_columns import columns, distinct_names
from ...formats.qrels import read_qrels
from ...formats.runs import read_run
from .pool import PseudoPool

SHARE, SD = 0.05, 0.03
"""Of the pool that is relevant, mean and standard deviation over topics, where nobody knows better."""


class Prepared(NamedTuple):
    """A run judged once against a pool; each trial only changes what is relevant."""

    judged: JudgedRun
    number: Ints
    """The number in the pool of every entry of the judged run."""
    counted: Ints
    """The topics of the judged run whose judgments count."""
    place: Ints
    """The number in the pool of every topic of the judged run."""

    @classmethod
    def of(cls, run: Run, pool: PseudoPool, numbers: Qrels, judging: Judging) -> Prepared:
        judged = judge(run, numbers, judging)
        position = {topic: i for i, topic in enumerate(pool.topics)}
        place = np.array([position[topic] for topic in judged.topics], np.int64)
        counted, nothing = np.unique(judged.pool_topic), np.zeros(0, np.int64)
        number = judged.grade
        bare = replace(judged, grade=nothing, pool_topic=nothing, pool_grade=nothing, pool_count=nothing)
        return cls(bare, number, counted, place)

    def under(self, drawn: npt.NDArray[np.bool_], relevant: Ints, sizes: Ints) -> JudgedRun:
        """Judge the run again: the documents drawn are relevant, ``relevant`` of them in each topic of the pool."""
        relevant_rows = relevant[self.place[self.counted]]
        counts = np.stack([sizes[self.place[self.counted]] - relevant_rows, relevant_rows], axis=1).reshape(-1)
        with_relevant = counts > 0
        return replace(
            self.judged,
            grade=drawn[self.number].astype(np.int64),
            pool_topic=np.repeat(self.counted, 2)[with_relevant],
            pool_grade=np.tile([0, 1], len(self.counted))[with_relevant],
            pool_count=counts[with_relevant],
            top_grade=1,
        )


@dataclass(frozen=True, eq=False)
class PseudoJudgments(Result):
    """Systems ranked by random judgments, and by real ones where there are any."""

    measure: str
    better: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    pooled: Ints
    """The number of documents in the pool of each topic."""
    share: float
    """Of the pool that is relevant: mean and, next, standard deviation of what was drawn from."""
    sd: float
    per_trial: Floats
    """trials × systems: the figure over topics."""
    truth: Floats | None = None
    """The figures under the real judgments."""
    notes: tuple[Note, ...] = ()

    @property
    def figures(self) -> Floats:
        """The mean over the trials."""
        return np.asarray(self.per_trial.mean(axis=0))

    @property
    def deviations(self) -> Floats:
        """The standard deviation over the trials; NaN after one trial."""
        if len(self.per_trial) < 2:
            return np.full(len(self.systems), np.nan)
        return np.asarray(self.per_trial.std(axis=0, ddof=1))

    @property
    def ranking(self) -> tuple[str, ...]:
        """The systems from best to worst."""
        return tuple(self.systems[s] for s in np.argsort(-self._upward(self.figures), kind="stable"))

    @property
    def ranks(self) -> Ints:
        """The rank of every system, from 1; systems that are level share the better one."""
        return self._ranks(self.figures)

    @property
    def true_ranks(self) -> Ints | None:
        return None if self.truth is None else self._ranks(self.truth)

    def _upward(self, figures: Floats) -> Floats:
        return figures if self.better == "high" else -figures

    def _ranks(self, figures: Floats) -> Ints:
        upward = self._upward(figures)
        return np.asarray(1 + (upward[None, :] > upward[:, None]).sum(axis=1), np.int64)

    def correlation(self, coefficient: str = "tau_b") -> float:
        """Correlation of the two rankings by a coefficient of adjudge.correlation; NaN without real judgments."""
        if self.truth is None:
            return math.nan
        from ... import correlation

        compute: Callable[[Floats, Floats], float] = getattr(correlation, coefficient)
        return compute(self._upward(self.truth), self._upward(self.figures))

    def conclusion(self) -> str:
        """A sentence or two that a person understands."""
        from ...core.presentation import conclusion_of

        return conclusion_of(self)


def pseudo_judgments(
    runs: Any,
    measure: str = "ap",
    *,
    depth: int = 100,
    trials: int = 50,
    share: float | None = None,
    sd: float | None = None,
    like: Any = None,
    duplicates: bool = True,
    judging: Judging = USUAL,
    rng: np.random.Generator,
    progress: Listener = SILENT,
) -> PseudoJudgments:
    """Rank systems by random judgments on the pool of the first ``depth`` documents of their runs.

    In each trial the relevant share of every topic's pool is drawn from a normal distribution with mean ``share`` and
    standard deviation ``sd``; at least one document is relevant, at most the whole pool. Both are by default those of
    the real judgments ``like``, over the topics they have in common with the runs, or 0.05 and 0.03 without them.
    Documents are drawn as often as runs have them, or with ``duplicates=False`` all alike.

    ``runs`` and the way they are judged are as in ``adjudge.measure``; ``judging.level`` is for the real judgments.
    """
    ((column, component),) = columns(measure)
    if not column.better:
        raise SpecError(f"{column.name} is neither good when high nor when low, so no system is ahead by it")
    if trials < 1:
        raise SpecError(f"trials must be at least 1, not {trials}")
    named = list(named_runs(runs))
    if len(named) < 2:
        raise SpecError(f"systems are ranked by what they find together: at least 2 runs, please, not {len(named)}")
    read: list[Run] = on_threads(lambda item: read_run(item[1], name=item[0]), named)
    systems = tuple(distinct_names([run.name for run in read], [source for _, source in named]))
    topics = sorted({topic for run in read for topic in run.topics}, key=encode)
    judgments = None if like is None else read_qrels(like)
    real: Scores | None = None
    if judgments is not None:
        unasked = [topic for topic in judgments.topics if topic not in set(topics)]
        topics = [topic for topic in topics if topic in judgments.position]
        if not topics:
            raise DataError(f"no topic of the runs was judged: the judgments have {some(judgments.topics)}")
        judgments = _only(judgments, topics)
        real = measured(judgments, dict(zip(systems, read, strict=True)), measure, judging=judging)
    _refuse_unrelated_runs(systems, read, topics)
    pool = PseudoPool.of(read, topics, Judging(depth=depth, trec_version=judging.trec_version))
    share, sd = _spread(pool, judgments, judging.level, share, sd)
    numbers = pool.judgments(np.arange(len(pool.documents)))
    by_draw = replace(judging, level=1)
    prepared = [Prepared.of(run, pool, numbers, by_draw) for run in read]
    per_trial = np.empty((trials, len(systems)))
    with progress.work("draw_judgments", column.name, trials, "trials") as step:
        for trial in range(trials):
            drawn = pool.draw(share, sd, duplicates=duplicates, rng=rng)
            values = _values(prepared, pool, component, drawn)
            per_trial[trial] = _figures(values, systems, pool.topics, column)
            step.advance()
    truth, notes = None, _notes(prepared, systems, judging.complete)
    if real is not None:
        places = [real.topics.index(topic) for topic in pool.topics]
        truth, notes = _figures(real.values[:, places, 0], systems, pool.topics, column), list(real.notes)
        if unasked:
            notes.append(Note.of("topics_in_no_run", topics=unasked))
    return PseudoJudgments(
        column.name, column.better, systems, pool.topics, pool.sizes, share, sd, per_trial, truth, tuple(notes)
    )


def _only(judgments: Qrels, topics: Sequence[str]) -> Qrels:
    """The judgments of some topics."""
    wanted = set(topics)
    topic = np.repeat(np.arange(len(judgments.topics)), np.diff(judgments.offsets))
    rows = np.flatnonzero(np.array([t in wanted for t in judgments.topics])[topic])
    place = {t: i for i, t in enumerate(topics)}
    codes = np.array([place.get(t, -1) for t in judgments.topics])[topic[rows]]
    return Qrels.of_codes(codes, topics, judgments.documents.take(rows), judgments.grades[rows])


def _refuse_unrelated_runs(systems: Sequence[str], runs: Sequence[Run], topics: Sequence[str]) -> None:
    """An error unless some topic is in all runs."""
    shared = set(topics)
    for system, run in zip(systems, runs, strict=True):
        if not run.topics:
            raise DataError(f"{system}: retrieved nothing")
        if not shared & set(run.topics):
            raise DataError(
                f"{system}: no topic that all runs before it have: it has {some(run.topics)}, "
                f"they share {some([topic for topic in topics if topic in shared])}"
            )
        shared &= set(run.topics)


def _spread(
    pool: PseudoPool, judgments: Qrels | None, level: int, share: float | None, sd: float | None
) -> tuple[float, float]:
    """Mean and standard deviation of the relevant share of the pool: as given, as in the judgments, or assumed."""
    if judgments is not None and (share is None or sd is None):
        whole = Run(pool.topics, pool.offsets, pool.documents, np.zeros(len(pool.documents)))
        judged = judge(whole, judgments, level=level)
        shares = judged.num_rel_ret / judged.num_ret
        if share is None and not shares.any():
            raise DataError(
                "no document of the pool is relevant by the judgments, so they give no share of it: pass one"
            )
        if sd is None and len(shares) < 2:
            raise DataError("one judged topic does not show how the relevant share of a pool varies: give sd")
        share = float(shares.mean()) if share is None else share
        sd = float(shares.std(ddof=1)) if sd is None else sd
    share, sd = SHARE if share is None else share, SD if sd is None else sd
    if not 0 < share <= 1:
        raise SpecError(f"share must be above 0 and at most 1, not {share:g}")
    if not (math.isfinite(sd) and sd >= 0):
        raise SpecError(f"sd must be 0 or more, not {sd:g}")
    return share, sd


def _values(prepared: Sequence[Prepared], pool: PseudoPool, measure: Measure, drawn: npt.NDArray[np.bool_]) -> Floats:
    """systems × topics under one draw; NaN where a run has nothing for a topic and is not judged complete."""
    relevant = np.bincount(pool.topic[drawn], minlength=len(pool.topics))
    values = np.full((len(prepared), len(pool.topics)), np.nan)
    for row, run in zip(values, prepared, strict=True):
        row[run.place] = measure(run.under(drawn, relevant, pool.sizes))
    return values


def _figures(values: Floats, systems: tuple[str, ...], topics: tuple[str, ...], column: Column) -> Floats:
    """Average each system by the average that goes with the measure."""
    figures = Scores(values[:, :, None], systems, topics, (column,)).average()
    return np.array([figures[system][column.name] for system in systems])


def _notes(prepared: Sequence[Prepared], systems: Sequence[str], complete: bool) -> list[Note]:
    return [
        Note.of("topics_missing", system, topics=run.judged.missing, counted=complete)
        for system, run in zip(systems, prepared, strict=True)
        if run.judged.missing
    ]
