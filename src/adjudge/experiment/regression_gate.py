"""A run against its baseline, which may be a run, a table of scores or the results folder of an experiment."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..comparison.noninferiority import POWER, GuardResult, Tolerances, guard_scores, join_systems
from ..comparison.verdict import ALPHA
from ..core.arguments import listed
from ..core.errors import DataError, SpecError, did_you_mean
from ..core.judging import USUAL, Judging
from ..core.likes import Measures, QrelsLike, Seed, SpansLike, SubtopicsLike, generator_of
from ..core.run import Run
from ..core.scores import Scores
from ..evaluation.measuring import judged_by, measure, name_in, read_judgments
from ..evaluation.score_columns import columns
from ..formats.runs import read_run
from ..formats.scores import holds_scores, read_scores
from .completed_runs import CompletedRuns


def guard(
    qrels: QrelsLike | SubtopicsLike | SpansLike | None,
    baseline: Any,
    run: Any,
    measures: Measures = "ap",
    *,
    tolerance: Tolerances = 0.0,
    test: str = "t",
    correction: str = "holm",
    alpha: float = ALPHA,
    power: float = POWER,
    system: str = "",
    version: str = "",
    common: bool = False,
    least_coverage: float = 0.0,
    judging: Judging = USUAL,
    seed: Seed = 0,
) -> GuardResult:
    """Test whether a run is worse than its baseline by more than is tolerated.

    Args:
        qrels: the judgments; may be None if baseline and run are tables of scores.
        baseline: a run, a table of scores (a path or a Scores) or the folder of results that ``adjudge run`` writes.
        run: what is compared with it, as one of these too.
        measures: specs such as ``["ndcg@10", "rr"]``, or one of them.
        tolerance: an amount (0.01), a share of the baseline's mean ("2%"), or one of these for each measure,
            {"ndcg@10": 0.01, "rr": "5%"}.
        test: a paired test, taken one-sided.
        correction: how p is corrected for several measures.
        alpha: the level of the test.
        power: for the number of topics that a decision would take.
        system: which one is meant where a table or folder has several.
        version: the version of the corpus that is meant.
        common: allow tables that lack topics which the baseline has. Else every judged topic counts; a run that has no
            document for it gets what that is worth.
        least_coverage: a run that answers less than this share of the judged topics gets no verdict.
        judging: how runs are judged: level, depth and so on.
        seed: a whole number or a generator, for tests that draw at random.

    >>> qrels = {topic: {"a": 1, "b": 0} for topic in "123"}
    >>> good, bad = ({topic: ranking for topic in "123"} for ranking in ({"a": 2, "b": 1}, {"a": 1, "b": 2}))
    >>> guard(qrels, good, bad, "ap", tolerance=0.05).verdict
    'fail'
    """
    names = listed(measures)
    judgments = None if qrels is None else read_judgments(qrels, judged_by(columns(names)))
    before, now = (
        _Side(source, otherwise).scores(judgments, names, judging, system, version)
        for source, otherwise in ((baseline, "baseline"), (run, "run"))
    )
    joined = join_systems(before, now, names, common=common)
    return guard_scores(
        joined.scores,
        names,
        tolerance=tolerance,
        test=test,
        correction=correction,
        alpha=alpha,
        power=power,
        least_coverage=least_coverage,
        rng=generator_of(seed),
        coverage=joined.coverage,
        notes=tuple(dict.fromkeys((*before.notes, *now.notes, *joined.notes))),
    )


class _Side:
    """One side of the gate: a run or its baseline."""

    def __init__(self, source: Any, otherwise: str) -> None:
        self.source, self.otherwise = source, otherwise
        self.path = os.fspath(source) if isinstance(source, str | os.PathLike) else None

    @property
    def label(self) -> str:
        return self.path or self.otherwise

    def scores(self, judgments: Any, names: list[str], judging: Judging, system: str, version: str) -> Scores:
        """The measures of one system, under the names that were asked for."""
        if isinstance(self.source, Scores):
            return self._of_table(self.source, names, system)
        if self.path is not None and os.path.isdir(self.path):
            documents = replace(judging, collapse=None)  # kept runs have no chunks
            return self._measured(self._of_folder(system, version), judgments, names, documents)
        if self.path is not None and self.path != "-" and holds_scores(self.path):
            measure_name = names[0] if len(names) == 1 else None
            return self._of_table(read_scores(self.path, measure=measure_name), names, system)
        spans = type(judgments).__name__ == "SpanQrels"
        run = read_run(self.source, chunks=judging.collapse is not None, spans=spans)
        if not isinstance(self.source, Run) and self.path is None:
            run = replace(run, name=self.otherwise if run.name == "run" else run.name)
        return self._measured(run, judgments, names, judging)

    def _measured(self, run: Run, judgments: Any, names: list[str], judging: Judging) -> Scores:
        if judgments is None:
            raise SpecError(f"{self.label}: judgments are needed to measure a run: give QRELS before the baseline")
        columns(names)
        return measure(judgments, {run.name: run}, names, judging=replace(judging, complete=True))

    def _of_table(self, table: Scores, names: list[str], system: str) -> Scores:
        chosen = self._choose("system", system, table.systems)
        place = table.systems.index(chosen)
        own = [table.measures.index(name_in(table, self.label, name)) for name in names]
        named = tuple(table.columns[m]._replace(name=name) for m, name in zip(own, names, strict=True))
        values, coverage = table.values[place : place + 1][:, :, own], table.coverage[place : place + 1]
        return Scores(values, (chosen,), table.topics, named, coverage=coverage)

    def _of_folder(self, system: str, version: str) -> Run:
        results = CompletedRuns.load(Path(self.label))
        chosen = self._choose("version", version, list(results.runs)) if version else results.reference
        return results.run(chosen, self._choose("system", system, list(results.runs[chosen])))

    def _choose(self, kind: str, wanted: str, known: Sequence[str]) -> str:
        if wanted in known:
            return wanted
        if wanted and (len(known) > 1 or kind == "version"):
            raise SpecError(f"{self.label}: no {kind} {wanted!r} there{did_you_mean(wanted, list(known))}")
        if len(known) > 1:
            raise DataError(f"{self.label}: has {len(known)} {kind}s, say which with --{kind}: {', '.join(known[:10])}")
        return known[0]
