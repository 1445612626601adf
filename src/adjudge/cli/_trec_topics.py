"""Values and figures behind the lines of the trec_eval command."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..core.average import averages
from ..core.errors import SpecError
from ..core.judged import Floats, judge
from ..formats.qrels import read_qrels
from ..formats.runs import read_run
from ..judging import values_of
from ._trec_measures import Line


@dataclass(frozen=True)
class Evaluation:
    """topics × lines."""

    run: str
    topics: tuple[str, ...]
    lines: tuple[Line, ...]
    values: Floats
    texts: dict[int, Any] = field(default_factory=dict)
    unprinted: frozenset[str] = frozenset()
    """Topics that count in the summary but are not shown one by one: as trec_eval 9 does with -c."""
    transformed: bool = False
    """The values of geometric means are logarithms already."""

    def figure(self, i: int) -> float:
        average = self.lines[i].average
        if average == "gm" and self.transformed:
            return float(np.exp(averages.parse("mean")(self.values[:, i])))
        return float(averages.parse(average)(self.values[:, i]))


def evaluated(
    qrels: str, run: str, lines: list[Line], *, judged_by: str, only: str | None, **options: Any
) -> Evaluation:
    for line in lines:
        wanted = "qrels_jg" if line.grouped else getattr(line.measure, "judged_by", "qrels")
        fits = judged_by == wanted or (wanted == "prefs" and judged_by == "qrels_prefs")
        if line.measure is not None and line.name != "num_q" and not fits:
            raise SpecError(f"trec_eval: {line.name} needs -R {wanted}")
    if judged_by == "qrels":
        result = _from_qrels(qrels, run, lines, options)
    elif judged_by == "qrels_jg":
        result = _from_groups(qrels, run, lines, options)
    else:
        result = _from_preferences(qrels, run, lines, judged_by, options)
    return result if only is None else _only(result, only)


def _from_qrels(qrels: str, run: str, lines: list[Line], options: dict[str, Any]) -> Evaluation:
    judged = judge(read_run(run), read_qrels(qrels), **options)
    measured = [i for i, line in enumerate(lines) if line.measure is not None]
    values = np.zeros((len(judged.topics), len(lines)))
    values[:, measured], described = values_of(judged, [line.measure for line in lines if line.measure is not None])
    texts = {i: described[str(lines[i].measure)] for i in measured if lines[i].text}
    hidden = frozenset(judged.missing) if judged.trec_version == 9 else frozenset()
    return Evaluation(judged.name, judged.topics, tuple(lines), values, texts, hidden)


def _from_groups(qrels: str, run: str, lines: list[Line], options: dict[str, Any]) -> Evaluation:
    from ..core.groups import average_over_groups
    from ..formats.preferences import read_judgment_groups

    loaded, groups = read_run(run), read_judgment_groups(qrels)
    topics: tuple[str, ...] = ()
    columns: list[Any] = []
    for line in lines:
        if line.grouped and line.measure is not None:
            topics, values = average_over_groups(loaded, groups, line.measure, **options)
            columns.append(values)
        else:
            columns.append(None)
    ones = np.ones(len(topics))
    return Evaluation(loaded.name, topics, tuple(lines), np.column_stack([ones if c is None else c for c in columns]))


def _from_preferences(qrels: str, run: str, lines: list[Line], layout: str, options: dict[str, Any]) -> Evaluation:
    from ..core.preferences import judge_preferences
    from ..formats.preferences import read_preferences

    preferences = read_preferences(qrels, layout=layout)
    judged = judge_preferences(read_run(run), preferences, depth=options["depth"], complete=options["complete"])
    values = np.ones((len(judged.topics), len(lines)))
    for i, line in enumerate(lines):
        if line.measure is not None and line.name != "num_q":
            values[:, i] = line.measure(judged)  # type: ignore[arg-type]
    return Evaluation(judged.name, judged.topics, tuple(lines), values)


def _only(result: Evaluation, topic: str) -> Evaluation:
    kept = [t for t, name in enumerate(result.topics) if name == topic]
    texts = {i: [strings[t] for t in kept] for i, strings in result.texts.items()}
    names = tuple(result.topics[t] for t in kept)
    return Evaluation(result.run, names, result.lines, result.values[kept], texts, result.unprinted)
