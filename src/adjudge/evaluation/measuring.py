"""Evaluate runs: from runs and judgments to scores, for ``adjudge.measure`` and the command line."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core.coverage import Coverage, coverage_of
from ..core.english import some
from ..core.errors import ConflictError, DataError, SpecError, UnknownNameError, did_you_mean
from ..core.judged import JudgedRun, judge
from ..core.judging import USUAL, Judging
from ..core.kernel import on_threads
from ..core.likes import (
    CollapseLike,
    Measures,
    QrelsLike,
    RunsLike,
    SpansLike,
    SubtopicsLike,
    is_file,
    is_frame,
    listed,
    wrong_type,
)
from ..core.measure import GEOMETRIC_MEAN, Measure, TextMeasure, measures
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..core.qrels import Qrels
from ..core.run import Run
from ..core.scores import Column, Scores
from ..core.strings import encode
from ..formats.chunks import read_collapse
from ..formats.qrels import read_qrels
from ..formats.runs import read_run
from ..formats.source import Source, fold_word

if TYPE_CHECKING:
    from ..core.span_judgments import SpanQrels
    from .small_runs import SmallRun

DEFAULT = ("ap", "ndcg@10", "p@10", "rr", "bpref", "recall@1000")
"""What is measured when nobody says what."""


def measure(
    qrels: QrelsLike | SubtopicsLike | SpansLike,
    runs: RunsLike,
    measures: Measures = DEFAULT,
    *,
    level: int = USUAL.level,
    depth: int | None = USUAL.depth,
    judged_only: bool = USUAL.judged_only,
    complete: bool = USUAL.complete,
    trec_version: int = USUAL.trec_version,
    collection_size: int = USUAL.collection_size,
    collapse: CollapseLike | None = USUAL.collapse,
    judging: Judging | None = None,
    names: str | None = None,
    progress: Listener = SILENT,
) -> Scores:
    """Evaluate runs: the value of each measure for each run on each topic.

    Args:
        qrels: the relevance judgments: a path, a pandas or polars frame, {topic: {document: grade}}, or a Qrels;
            measures of diversity take subtopic judgments, those of passages judgments of spans.
        runs: a run (a path, a frame, {topic: {document: score}} or a Run), a list of them, {name: run}, or a frame in
            which a column run or system distinguishes several.
        measures: specs such as ``["ap", "ndcg@10"]``, or one of them.
        level: the lowest grade that counts as relevant.
        depth: only the first so many documents of a topic count.
        judged_only: drop unjudged documents first.
        complete: count judged topics that a run left out, as 0.
        trec_version: 9 compares the scores of documents as 32-bit floats, as trec_eval 9 did.
        collection_size: how many documents there are, for the measures that ask for it.
        collapse: how lines for chunks become documents, as :func:`read_collapse` takes it:
            ``{"keep": "max", "separator": "#"}``.
        judging: all of these together, instead of one by one.
        names: the program whose names of measures are meant: ir_measures, ranx, trec_eval, pytrec_eval, ndeval or
            cwl_eval; without it a name that has two meanings is refused.
        progress: hears of every run that is done.

    >>> scores = measure({"q": {"a": 1, "b": 0}}, {"mine": {"q": {"a": 2.0, "b": 1.0}}}, ["ap", "p@5"])
    >>> scores.mean()
    {'mine': {'ap': 1.0, 'p@5': 0.2}}
    """
    wanted = columns(measures, names)
    parts = read_collapse(collapse)
    asked = Judging(level, depth, judged_only, complete, trec_version, collection_size, parts).unless(judging)
    components = [m for _, m in wanted]
    by_spans: SpanQrels | None = None
    kind = judged_by(wanted)
    given = read_judgments(qrels, kind)
    judgments: Qrels
    if kind == "subtopics":
        from ..core.subtopics import JudgedSubtopics

        judgments = given.documents

        def work(judged: Any) -> Measured:
            seen = JudgedSubtopics.of(judged, given)
            return measure_run(seen.plain, components, seen)

    elif kind == "spans":
        by_spans, judgments = given, given.spans

        def work(judged: Any) -> Measured:
            return measure_run(judged.plain, components, judged)

    else:
        judgments = given

        def work(judged: Any) -> Measured:
            return measure_run(judged, components)

    systems, results = judge_each(judgments, runs, work, asked, spans=by_spans, progress=progress)
    return assemble(judgments, systems, results, [column for column, _ in wanted])


NEEDED = {"qrels": "plain ones", "subtopics": "subtopic judgments", "spans": "judgments of spans"}
"""Judgments that measures need, as an error message calls them."""


def read_judgments(given: Any, kind: str) -> Any:
    """Judgments of the kind that measures need."""
    if kind == "subtopics":
        from ..formats.subtopics import read_subtopics

        return read_subtopics(given)
    if kind == "spans":
        from ..formats.spans import read_spans

        return read_spans(given)
    return read_qrels(given)


def judged_by(wanted: Sequence[tuple[Column, Measure]]) -> str:
    """The kind of judgments that measures need; an error if they need several."""
    needed = {component.judged_by: column.name for column, component in wanted}
    for kind in ("subtopics", "spans"):
        if kind in needed and len(needed) > 1:
            other, name = next((other, name) for other, name in needed.items() if other != kind)
            both = f"{needed[kind]} needs {NEEDED[kind]} and {name} {NEEDED.get(other, 'preferences')}"
            raise SpecError(f"{both}: measure them one after the other")
    return next(iter(needed))


class Measured(NamedTuple):
    """Values of one run (topics × measures), texts of measures that have no number, and notes."""

    topics: tuple[str, ...]
    values: np.ndarray[Any, Any]
    texts: dict[str, Any]
    without_relevant: tuple[str, ...] = ()
    """Topics without a relevant document."""
    notes: tuple[Note, ...] = ()
    coverage: Coverage | None = None


def measure_run(judged: JudgedRun, components: Sequence[Measure], seen: Any = None) -> Measured:
    """One run by all measures; ``seen`` is what they see of it, if that is not the judged run itself."""
    values, texts = values_of(judged if seen is None else seen, components)
    without_relevant = tuple(
        t for t, R in zip(judged.topics, judged.num_rel, strict=True) if not R and t not in judged.missing
    )
    notes = (*judging_notes(judged), *_condensed_notes(judged, components))
    return Measured(judged.topics, values, texts, without_relevant, notes, coverage_of(judged))


def judged_run(
    source: Any,
    judgments: Qrels,
    name: str | None = None,
    judging: Judging = USUAL,
    *,
    unrelated: bool | None = None,
    spans: SpanQrels | None = None,
) -> Any:
    """One run, read and judged; see :func:`judge_each` for ``unrelated`` and ``spans``."""
    welcome = judging.complete if unrelated is None else unrelated
    run = read_run(source, name=name, chunks=judging.collapse is not None, spans=spans is not None)
    if not run.topics and not judging.complete:
        raise DataError(f"{run.name}: retrieved nothing (--complete counts topics without documents)")
    if run.topics and not welcome and not any(topic in judgments.position for topic in run.topics):
        ours, theirs = some(run.topics), some(judgments.topics)
        raise DataError(f"{run.name}: no topic in common with the judgments: the run has {ours}, they have {theirs}")
    if spans is None:
        return judge(run, judgments, judging)
    from ..core.span_judgments import judge_spans

    if judging.collapse is not None:
        raise SpecError("passages are judged by spans as they are, and collapse makes documents of them: give one")
    return judge_spans(run, spans, judging)


def judge_each(
    judgments: Qrels,
    runs: Any,
    work: Callable[[Any], Any],
    judging: Judging = USUAL,
    *,
    unrelated: bool | None = None,
    spans: SpanQrels | None = None,
    progress: Listener = SILENT,
) -> tuple[list[str], list[Any]]:
    """Read and judge runs, and do ``work`` on each while it is at hand: their names, all different, and the results.

    A run without a topic in common with the judgments is refused unless ``unrelated`` ones are accepted, as they are by
    default where judged topics without documents count. With ``spans`` the run is one of passages, judged by these, and
    ``judgments`` are the spans as documents.
    """
    named = list(named_runs(runs))
    if not named:
        raise SpecError("no run to measure")

    _ = judgments.index  # made once, before the threads share it
    with progress.work("judge", total=len(named), unit="runs") as step:

        def result_of(item: tuple[str | None, Any]) -> tuple[str, Any]:
            name, source = item
            judged = judged_run(source, judgments, name, judging, unrelated=unrelated, spans=spans)
            result = work(judged)
            step.advance(name=judged.name)
            return judged.name, result

        results = on_threads(result_of, named)
    return distinct_names([name for name, _ in results], [source for _, source in named]), [
        value for _, value in results
    ]


def columns(specs: Sequence[str] | str, names: str | None = None) -> list[tuple[Column, Measure]]:
    """The columns that spec strings ask for, each once; ``names`` is the program whose names they are."""
    asked = listed(specs)
    if not asked:
        raise SpecError("no measure was named")
    by_spec: dict[str, tuple[Column, Measure]] = {}
    for spec in asked:
        if names is None:
            by_spec.setdefault(spec, measures.column(spec))
        else:
            for column, component in _columns_in(spec, names):
                by_spec.setdefault(column.name, (column, component))
    return list(by_spec.values())


def _columns_in(spec: str, names: str) -> list[tuple[Column, Measure]]:
    """The columns that a name asks for in a dialect: several for trec_eval's ``P`` or ``official``."""
    from ..core.dialects import DIALECTS, TREC

    if names not in DIALECTS:
        raise SpecError(
            f"no names of {names!r}{did_you_mean(names, list(DIALECTS))}: they are of {', '.join(DIALECTS)}"
        )
    if names not in TREC:
        return [measures.column(spec, names)]
    from .trec_lines import named_columns

    return named_columns(spec, 9 if names == "pytrec_eval" else 10) or [measures.column(spec)]


def name_in(scores: Scores, source: str, name: str) -> str:
    """The measure as the scores call it: perhaps under another of its names."""
    if name not in scores.measures:
        meant = str(measures.parse(name))
        name = next((column.name for column in scores.columns if column.measure == meant), name)
    if name not in scores.measures:
        raise UnknownNameError(f"no measure {name!r} in {source}, it has {', '.join(scores.measures)}")
    return name


def values_of(judged: JudgedRun, wanted: Sequence[Measure]) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
    """topics × measures, and the texts of those that have no number."""
    values = np.empty((len(judged.topics), len(wanted)))
    texts: dict[str, Any] = {}
    done: dict[Measure, int] = {}
    for m, component in enumerate(wanted):
        if component in done:
            values[:, m] = values[:, done[component]]
        else:
            values[:, m] = component(judged)
            done[component] = m
        if isinstance(component, TextMeasure):
            texts[str(component)] = component.texts(judged)
    return values, texts


def named_runs(runs: Any) -> Iterable[tuple[str | None, Any]]:
    """(name or None, run) of whatever was given as runs."""
    if isinstance(runs, Mapping) and runs and all(not _is_ranking(value) for value in runs.values()):
        return [(str(name), run) for name, run in runs.items()]
    if isinstance(runs, list | tuple):
        return [(None, run) for run in runs]
    if is_frame(runs) and (tag := next((c for c in runs.columns if fold_word(str(c)) in SEVERAL), None)) is not None:
        names = list(dict.fromkeys(runs[tag].to_list()))
        if len(names) > 1:
            rows = {name: runs[tag] == name for name in names}
            return [
                (str(name), runs.filter(own) if hasattr(runs, "filter") and not hasattr(runs, "loc") else runs[own])
                for name, own in rows.items()
            ]
    if not (isinstance(runs, Run | Mapping | Source) or is_file(runs) or is_frame(runs)):
        raise wrong_type("runs", runs)
    return [(None, runs)]


SEVERAL = ("run", "runid", "system", "tag")
"""Columns of a frame that tell the rows of several runs apart."""


def _is_ranking(value: Any) -> bool:
    """Check that this is {document: score}, so that what holds it is one run and not a collection of runs."""
    return isinstance(value, Mapping) and not any(isinstance(inner, Mapping) for inner in value.values())


def distinct_names(names: list[str], sources: list[Any]) -> list[str]:
    """Runs that have the same tag go by their paths."""
    twice = {name for name, times in Counter(names).items() if times > 1}
    distinct = [
        os.fspath(source) if name in twice and isinstance(source, str | os.PathLike) else name
        for name, source in zip(names, sources, strict=True)
    ]
    same = next((name for name, times in Counter(distinct).items() if times > 1), None)
    if same is not None:
        raise ConflictError(f"two runs are named {same!r}: give names, {{name: run}}")
    return distinct


def assemble(judgments: Qrels, systems: list[str], results: Sequence[Measured], wanted: list[Column]) -> Scores:
    """The scores of many runs as one value, with all there is to know about them."""
    topics = sorted({topic for result in results for topic in result.topics}, key=encode)
    place = {topic: i for i, topic in enumerate(topics)}
    values = np.full((len(systems), len(topics), len(wanted)), np.nan)
    texts: dict[str, Any] = {}
    for s, result in enumerate(results):
        rows = np.fromiter((place[topic] for topic in result.topics), np.int64, len(result.topics))
        values[s, rows] = result.values
        for spec, strings in result.texts.items():
            texts.setdefault(spec, np.full((len(systems), len(topics)), "", object))[s, rows] = strings
    notes = all_notes(judgments.repeated, wanted, [r.without_relevant for r in results], [r.notes for r in results])
    covered = tuple(result.coverage for result in results if result.coverage is not None)
    coverage = covered if len(covered) == len(systems) else ()
    return Scores(values, tuple(systems), tuple(topics), tuple(wanted), texts, tuple(notes), coverage)


def all_notes(
    repeated: int,
    wanted: Iterable[Column],
    without_relevant: Iterable[Sequence[str]],
    notes: Iterable[Sequence[Note]],
) -> Iterable[Note]:
    """Collect the notes on measures, judgments and runs, the last two given run by run."""
    for column in wanted:
        if column.average == GEOMETRIC_MEAN:
            yield Note.of("geometric_mean", column.name, average=column.average)
    if repeated:
        yield Note.of("judgments_repeated", count=repeated)
    without = dict.fromkeys(topic for topics in without_relevant for topic in topics)
    if without:
        yield Note.of("topics_without_relevant", topics=list(without))
    for own in notes:
        yield from own


def _condensed_notes(run: JudgedRun, components: Sequence[Measure]) -> Iterable[Note]:
    """Of measures that pass over unjudged documents: how much of the ranking that is."""
    if run.judging.judged_only:
        return
    asked = [m for m in components if getattr(m, "judged_only", False)]
    depths = {getattr(m, "k", None) or getattr(m, "cutoff", None) for m in asked}
    for depth in sorted((d for d in depths if d is None or isinstance(d, int)), key=lambda d: d or 0):
        shown = run.num_ret if depth is None else np.minimum(run.num_ret, depth)
        near = (run.grade >= 0) & (run.rank <= (depth or np.inf))
        total = int(shown.sum())
        share = 1.0 - int(near.sum()) / total if total else 0.0
        yield Note.of("unjudged_passed_over", run.name, share=share, depth=depth)


def judging_notes(run: JudgedRun | SmallRun) -> Iterable[Note]:
    yield from run.notes
    if run.without_judgments:
        yield Note.of("topics_unjudged", run.name, topics=run.without_judgments)
    if run.missing:
        yield Note.of("topics_missing", run.name, topics=run.missing, counted=run.missing[0] in run.topics)
