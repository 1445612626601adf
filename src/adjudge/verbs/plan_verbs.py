"""Verbs that plan what is to be judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ..comparison.judging_plan import DepthPlan, JudgingPlan
from ..comparison.pool_gaps import without_judgments
from ..comparison.topic_design import POWER, design_from_pilot
from ..comparison.verdict import ALPHA
from ..core.errors import DataError, SpecError
from ..core.judging import USUAL, Judging
from ..core.likes import QrelsLike, RunsLike
from ..core.progress import SILENT, Listener
from ..core.qrels import Qrels
from ..evaluation.measuring import measure as measure_runs
from ..evaluation.measuring import named_runs
from ..formats.qrels import read_qrels
from ..formats.runs import read_run
from ..pools.pool_making import make_pool
from ..pools.pooled_pairs import Pool

MOST_DEPTH = 32_000
"""Ranks of a pool are short numbers."""


def judgments_needed(
    qrels: QrelsLike,
    runs: RunsLike,
    measure: str = "ap",
    depths: Sequence[int] = (10, 30, 100),
    *,
    difference: float = 0.05,
    systems: int | None = None,
    alpha: float = ALPHA,
    power: float = POWER,
    judging: Judging = USUAL,
    least_coverage: float = 0.0,
    progress: Listener = SILENT,
) -> JudgingPlan:
    """Plan topics × judgments: how many topics and how many judgments a difference takes, by the depth of the pool.

    Args:
        qrels: judgments of a pilot.
        runs: two runs or more of the pilot, as :func:`measure` takes them.
        measure: the measure.
        depths: how far down runs are pooled.
        difference: the smallest difference of means to find; also the width of an interval.
        systems: how many systems; as many as the pilot has if None.
        alpha: the level of the tests.
        power: the probability to find the difference.
        judging: how runs are judged.
        least_coverage: systems whose runs answer less than this share of the judged topics are left out.
        progress: hears how far it is.

    >>> runs = {"a": {t: {"x": 3.0, "y": 2.0} for t in "123"}, "b": {t: {"y": 3.0, "z": 2.0} for t in "123"}}
    >>> qrels = {"1": {"x": 1, "y": 0, "z": 1}, "2": {"x": 0, "y": 1, "z": 0}, "3": {"x": 1, "y": 1, "z": 0}}
    >>> [(row.depth, row.judgments) for row in judgments_needed(qrels, runs, "p@2", depths=[1, 2]).rows]
    [(1, 2.0), (2, 3.0)]
    """
    wanted = sorted(set(depths))
    if not wanted or wanted[0] < 1 or wanted[-1] > MOST_DEPTH:
        raise SpecError(
            f"depths are whole numbers from 1 to {MOST_DEPTH:,}, not {', '.join(map(str, depths)) or 'none'}"
        )
    judgments = read_qrels(qrels)
    read = [read_run(source, name=name) for name, source in named_runs(runs)]
    pool = make_pool([(run.name, run) for run in read], f"depth@{wanted[-1]}", topics=judgments.topics)
    ranks = _best_ranks(pool, judgments)
    settings = {"difference": difference, "alpha": alpha, "power": power}
    rows = []
    with progress.work("measure", total=len(wanted), unit="depths") as step:
        for k in wanted:
            size, known = int((pool.numbers <= k).sum()), without_judgments(judgments, ranks > k)
            scores = measure_runs(known, read, measure, judging=replace(judging, complete=True))
            try:
                design = design_from_pilot(
                    scores, scores.measures[0], systems=systems, least_coverage=least_coverage, **settings
                )
            except DataError as error:
                raise DataError(f"pool to depth {k}: {error}") from None
            judged = int((known.grades >= 0).sum())
            rows.append(DepthPlan(k, size / len(judgments.topics), 1 - judged / size if size else 0.0, design))
            step.advance(name=str(k))
    return JudgingPlan(tuple(rows))


def _best_ranks(pool: Pool, judgments: Qrels) -> npt.NDArray[np.float64]:
    """For each judgment the best rank that a run gives to its document; infinite if none has it so far up."""
    rows = [pool.row_of(topic, document) for topic, document, _ in judgments.rows()]
    return np.array([np.inf if row is None else float(pool.numbers[row]) for row in rows])
