"""Runs evaluated as the program trec_eval does it: the values and figures behind the lines that it prints."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..core.average import averages
from ..core.errors import ConflictError, DataError, SpecError, at
from ..core.judged import Floats, judge
from ..core.judging import USUAL, Judging
from ..core.likes import PathLike, QrelsLike, RunLike
from ..core.presentation import trec_text_of
from ..core.result import Result
from ..core.strings import decode
from ..formats.qrels import read_qrels
from ..formats.runs import read_run
from ..formats.source import open_source
from .measuring import values_of
from .trec_lines import Line, requested_lines

MISSING = -1_000_000.0
"""What trec_eval prints for a measure and topic that the reference of z-scores does not have."""


@dataclass(frozen=True)
class TrecEvaluation(Result):
    """topics × lines."""

    run: str
    topics: tuple[str, ...]
    lines: tuple[Line, ...]
    values: Floats
    texts: dict[int, Any] = field(default_factory=dict)
    unprinted: frozenset[str] = frozenset()
    """Topics that count in the summary but are not shown one by one: as trec_eval 9 does with -c."""
    standardised: bool = False
    """Values are deviations from the means of other runs, and those of geometric means logarithms already."""

    def text(self, *, per_topic: bool = False, summary: bool = True) -> str:
        """The lines that trec_eval prints, of each topic if wanted, and of all together."""
        return trec_text_of(self, per_topic=per_topic, summary=summary)

    @property
    def rows(self) -> list[list[float]]:
        """The values of each topic, line by line."""
        rows: list[list[float]] = self.values.tolist()
        return rows

    def figure(self, i: int) -> float:
        """The figure over the topics of a line."""
        average = self.lines[i].average
        if average == "gm" and self.standardised:
            return float(np.exp(averages.parse("mean")(self.values[:, i])))
        return float(averages.parse(average)(self.values[:, i]))


def evaluate(
    qrels: QrelsLike,
    run: RunLike,
    measures: Sequence[str] = ("official",),
    judging: Judging = USUAL,
    *,
    judged_by: str = "qrels",
    topic: str | None = None,
    zscores: PathLike | None = None,
) -> TrecEvaluation:
    """Evaluate a run by measures that are named as in ``-m``: ``P.5,10``, ``ndcg_cut``, or sets such as ``all_trec``.

    ``judged_by`` is what the judgments are: qrels, prefs, qrels_prefs or qrels_jg. ``topic`` is the only one that
    counts; ``zscores`` a file of means and deviations on which the values are put.
    """
    lines = requested_lines(measures, judging.trec_version)
    for line in lines:
        wanted = "qrels_jg" if line.grouped else getattr(line.measure, "judged_by", "qrels")
        fits = judged_by == wanted or (wanted == "prefs" and judged_by == "qrels_prefs")
        if line.measure is not None and line.name != "num_q" and not fits:
            raise SpecError(f"trec_eval: {line.name} needs -R {wanted}")
    if judged_by == "qrels":
        result = _from_qrels(qrels, run, lines, judging)
    elif judged_by == "qrels_jg":
        result = _from_groups(qrels, run, lines, judging)
    else:
        result = _from_preferences(qrels, run, lines, judged_by, judging)
    if topic is not None:
        result = _only(result, topic)
    if not result.topics:
        raise DataError(f"{_called(run, 'run')}: no topic in common with {_called(qrels, 'qrels')}")
    return result if zscores is None else _standardise(result, read_zscores(zscores))


def _called(source: object, otherwise: str) -> str:
    return os.fspath(source) if isinstance(source, str | os.PathLike) else otherwise


def _from_qrels(qrels: QrelsLike, run: RunLike, lines: list[Line], judging: Judging) -> TrecEvaluation:
    judged = judge(read_run(run), read_qrels(qrels), judging)
    measured = [i for i, line in enumerate(lines) if line.measure is not None]
    values = np.zeros((len(judged.topics), len(lines)))
    values[:, measured], described = values_of(judged, [line.measure for line in lines if line.measure is not None])
    texts = {i: described[str(lines[i].measure)] for i in measured if lines[i].text}
    hidden = frozenset(judged.missing) if judging.trec_version == 9 else frozenset()
    return TrecEvaluation(judged.name, judged.topics, tuple(lines), values, texts, hidden)


def _from_groups(qrels: QrelsLike, run: RunLike, lines: list[Line], judging: Judging) -> TrecEvaluation:
    from ..core.groups import average_over_groups
    from ..formats.preferences import read_judgment_groups

    loaded, groups = read_run(run), read_judgment_groups(qrels)
    topics: tuple[str, ...] = ()
    columns: list[Any] = []
    for line in lines:
        if line.grouped and line.measure is not None:
            topics, values = average_over_groups(loaded, groups, line.measure, judging)
            columns.append(values)
        else:
            columns.append(None)
    ones = np.ones(len(topics))
    return TrecEvaluation(
        loaded.name, topics, tuple(lines), np.column_stack([ones if c is None else c for c in columns])
    )


def _from_preferences(
    qrels: QrelsLike, run: RunLike, lines: list[Line], layout: str, judging: Judging
) -> TrecEvaluation:
    from ..core.preferences import judge_preferences
    from ..formats.preferences import read_preferences

    preferences = read_preferences(qrels, layout=layout)
    judged = judge_preferences(read_run(run), preferences, judging)
    values = np.ones((len(judged.topics), len(lines)))
    for i, line in enumerate(lines):
        if line.measure is not None and line.name != "num_q":
            values[:, i] = line.measure(judged)  # type: ignore[arg-type]
    return TrecEvaluation(judged.name, judged.topics, tuple(lines), values)


def _only(result: TrecEvaluation, topic: str) -> TrecEvaluation:
    places = [t for t, name in enumerate(result.topics) if name == topic]
    texts = {i: [strings[t] for t in places] for i, strings in result.texts.items()}
    names = tuple(result.topics[t] for t in places)
    return TrecEvaluation(result.run, names, result.lines, result.values[places], texts, result.unprinted)


def read_zscores(path: PathLike) -> dict[tuple[str, str], tuple[float, float]]:
    """{(topic, measure): (mean, standard deviation)} from lines ``topic measure mean deviation``."""
    source = open_source(path)
    standards: dict[tuple[str, str], tuple[float, float]] = {}
    for number, line in enumerate(source.whole().split(b"\n"), 1):
        fields = [decode(word) for word in line.split()]
        if not fields:
            continue
        try:
            topic, measure, mean, deviation = fields
            standard = float(mean), float(deviation)
        except ValueError:
            raise DataError(at(source.name, number, "expected topic, measure, mean and deviation", line)) from None
        if standards.setdefault((topic, measure), standard) != standard:
            raise ConflictError(
                at(source.name, number, f"{measure} of topic {topic} had another standard before", line)
            )
    return standards


def _standardise(result: TrecEvaluation, reference: dict[tuple[str, str], tuple[float, float]]) -> TrecEvaluation:
    values = result.values.copy()
    for i, line in enumerate(result.lines):
        if line.name in {"num_q", "runid"}:
            continue
        raw = np.log(np.maximum(values[:, i], 1e-5)) if line.average == "gm" else values[:, i].copy()
        for t, topic in enumerate(result.topics):
            mean, deviation = reference.get((topic, line.label), (np.nan, np.nan))
            if deviation:
                score = (raw[t] - mean) / deviation
                values[t, i] = MISSING if np.isnan(score) else score
            else:
                values[t, i] = 0.0 if raw[t] == mean else MISSING
    return replace(result, values=values, standardised=True)
