"""Evaluate runs: from runs and judgments to scores, for ``adjudge.measure`` and the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core.arguments import is_file, is_frame, wrong_type
from ..core.coverage import Coverage, coverage_of
from ..core.english import some
from ..core.errors import AdjudgeError, DataError, SpecError, UnknownNameError
from ..core.judged import JudgedRun, judge
from ..core.judging import USUAL, Judging
from ..core.kernel import on_threads
from ..core.likes import CollapseLike, Measures, QrelsLike, RunsLike, SpansLike, SubtopicsLike
from ..core.measure import Measure, TextMeasure, measures
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..core.qrels import Qrels
from ..core.run import Run
from ..core.scores import Column, Scores
from ..core.strings import encode
from ..formats.chunks import read_collapse
from ..formats.qrels import read_qrels
from ..formats.raw_file import fold_word
from ..formats.run_collections import expand_runs
from ..formats.runs import read_run
from ..formats.source import Source
from .judged_files import judge_file
from .score_columns import DEFAULT, columns, distinct_names
from .score_notes import all_notes, judging_notes

if TYPE_CHECKING:
    from ..core.span_judgments import SpanQrels


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
    on_error: str = "raise",
    progress: Listener = SILENT,
) -> Scores:
    """Evaluate runs: the value of each measure for each run on each topic.

    Args:
        qrels: the relevance judgments: a path, a pandas or polars frame, {topic: {document: grade}}, or a Qrels;
            measures of diversity take subtopic judgments, those of passages judgments of spans.
        runs: a run (a path, a frame, {topic: {document: score}} or a Run), a list of them, {name: run}, or a frame in
            which a column run or system distinguishes several. A path may be that of a folder, a tar or a zip of runs,
            or a pattern such as ``runs/*.gz``; they are called after their files.
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
        on_error: what happens if some of several runs cannot be read or judged: ``raise``, or ``note``, which leaves
            them out and says so in the notes.
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

    if on_error not in {"raise", "note"}:
        raise SpecError(f"on_error must be raise or note, not {on_error!r}")
    left_out: list[Note] = []
    skipped = left_out if on_error == "note" else None
    systems, results = judge_each(judgments, runs, work, asked, spans=by_spans, progress=progress, left_out=skipped)
    scores = assemble(judgments, systems, results, [column for column, _ in wanted])
    return replace(scores, notes=(*left_out, *scores.notes)) if left_out else scores


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
    if spans is None and judging.collapse is None:
        judged = judge_file(source, judgments, name, judging)
        if judged is not None and (welcome or len(judged.topics) > len(judged.missing) * judging.complete):
            return judged
    run = read_run(source, name=name, chunks=judging.collapse is not None, spans=spans is not None)
    if not run.topics and not judging.complete:
        raise DataError(f"{run.name}: retrieved nothing (--complete counts topics without documents)")
    if run.topics and not welcome and not any(topic in judgments.position for topic in run.topics):
        ours, theirs = some(run.topics), some(judgments.topics)
        raise DataError(f"{run.name}: no topic in common with the judgments: the run has {ours}, they have {theirs}")
    if tied := run.tied_topics:
        run = replace(run, notes=(*run.notes, Note.of("topics_all_tied", run.name, topics=tied)))
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
    left_out: list[Note] | None = None,
) -> tuple[list[str], list[Any]]:
    """Read and judge runs, and do ``work`` on each while it is at hand: their names, all different, and the results.

    A run without a topic in common with the judgments is refused unless ``unrelated`` ones are accepted, as they are by
    default where judged topics without documents count. With ``spans`` the run is one of passages, judged by these, and
    ``judgments`` are the spans as documents. All runs are tried before one that is refused is an error, which names the
    others too; with a list ``left_out`` they become notes in it, and the rest goes on.
    """
    named = list(named_runs(runs))
    if not named:
        raise SpecError("no run to measure")

    _ = judgments.index  # made once, before the threads share it
    with progress.work("judge", total=len(named), unit="runs") as step:

        def result_of(item: tuple[str | None, Any]) -> tuple[str, Any]:
            name, source = item
            try:
                judged = judged_run(source, judgments, name, judging, unrelated=unrelated, spans=spans)
            except AdjudgeError as error:
                return "", error
            result = work(judged)
            step.advance(name=judged.name)
            return judged.name, result

        results = on_threads(result_of, named)
    errors = [error for _, error in results if isinstance(error, AdjudgeError)]
    if errors and (left_out is None or len(errors) == len(named)):
        raise refusal(errors, len(named))
    if errors and left_out is not None:
        left_out += [Note.of("run_left_out", why=str(error)) for error in errors]
    judged_ones = [(name, source, value) for (name, value), (_, source) in zip(results, named, strict=True)
                   if not isinstance(value, AdjudgeError)]  # fmt: skip
    names = distinct_names([name for name, _, _ in judged_ones], [source for _, source, _ in judged_ones])
    return names, [value for _, _, value in judged_ones]


MOST_ERRORS = 5
"""Runs that cannot be read are named up to so many."""


def refusal(errors: Sequence[AdjudgeError], runs: int) -> AdjudgeError:
    """The error itself if there is one; one that names them all if there are several."""
    if len(errors) == 1:
        return errors[0]
    said = "; ".join(str(error)[:300] for error in errors[:MOST_ERRORS])
    more = f"; and {len(errors) - MOST_ERRORS} more" if len(errors) > MOST_ERRORS else ""
    return DataError(f"{len(errors)} of {runs} runs cannot be evaluated: {said}{more}")


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
    if isinstance(runs, list | tuple) and not isinstance(runs, Source):
        return [pair for run in runs for pair in _behind(run)]
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
    return _behind(runs)


def _behind(run: Any) -> list[tuple[str | None, Any]]:
    """One run, or those of a folder, a pattern or an archive."""
    several = None if isinstance(run, Run | Mapping | Source) or is_frame(run) else expand_runs(run)
    if several is None:
        return [(None, run)]
    return [each if isinstance(each, tuple) and not isinstance(each, Source) else (None, each) for each in several]


SEVERAL = ("run", "runid", "system", "tag")
"""Columns of a frame that tell the rows of several runs apart."""


def _is_ranking(value: Any) -> bool:
    """Check that this is {document: score}, so that what holds it is one run and not a collection of runs."""
    return isinstance(value, Mapping) and not any(isinstance(inner, Mapping) for inner in value.values())


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
