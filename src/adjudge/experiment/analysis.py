"""Analyse the runs of a plan: scores, intervals, tests, sensitivity and known-item study of every version,
the first words of documents that hard topics bring up, and where all of it comes from.
"""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..comparison.compare import compare
from ..comparison.cross_tuning import Tuning
from ..comparison.known_item.question_bootstrap import bootstrap
from ..comparison.known_item.ranks import has_known_items, known_item
from ..comparison.known_item.study import Study
from ..comparison.matrix import coverage_by_system, left_out_notes, uncovered_systems
from ..comparison.overview import averages_of, bootstrap_intervals, measure_agreement
from ..comparison.paired import with_enough_samples
from ..comparison.rank_groups import RankGroups, groups_of, rank_groups
from ..comparison.residual_bands import ResidualBands, bands_of, residual_of
from ..comparison.scale.sensitivity import sensitivity
from ..comparison.verdict import Comparison
from ..core.document import Chosen
from ..core.errors import DataError
from ..core.judged import Floats
from ..core.judging import Judging
from ..core.machine import peak_memory
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..core.qrels import Qrels
from ..core.run import Run
from ..core.scores import Scores
from ..evaluation.measuring import measure
from ..evaluation.score_columns import columns
from ..formats.documents import read_documents
from ..formats.documents.produced import MANIFEST, SECONDS
from ..storage.digest import digest_texts
from .completed_runs import EXTERNAL, EXTRACTS, CompletedRuns
from .findings import TUNING, DocumentExtract, Findings, Provenance, StepCost, VersionErrors, VersionFindings
from .inputs import COST, plug_in_contents
from .plan import AnalysisSettings
from .ranked_lists import documents_to_quote, extract_of, grades_of, ranked_lists

Result = TypeVar("Result")
RECALLS = tuple(f"iprec@{level / 10:.1f}" for level in range(11))
STUDIED = 60
"""Systems up to which curves are compared two by two under the bootstrap, which grows with the square."""
FORMAT = 5
"""Version of the findings and of the files made from them; a new one makes them again."""
JUDGED, RETRIEVED = "judged@10", "num_ret"
"""Measured beside those of the plan, for coverage and for the share of unjudged documents."""
COSTS = ((MANIFEST, SECONDS), COST)
"""Files with the time and the memory that it took to make a version."""
LIBRARIES = ("numpy", "polars", "scipy")


def key_of(results: CompletedRuns) -> str:
    """Digest of all that the findings depend on, by content."""
    from .. import __version__

    parts = [FORMAT, __version__, results.title, asdict(results.analysis), results.topics, dict(results.questions)]
    parts += [
        dict(results.inputs),
        dict(results.settings),
        [note.to_json() for note in results.notes],
        results.documents,
    ]
    parts += [{v: {n: [r.checksum, r.system] for n, r in records.items()} for v, records in results.records.items()}]
    parts += [{name: list(rates) for name, rates in results.errors.items()}]
    asked = results.analysis
    plugged = plug_in_contents(*asked.measures, asked.main, *asked.averages, *asked.tests, asked.correction)
    parts += [plugged] if plugged else []
    return digest_texts(json.dumps(parts, sort_keys=True))


def findings_of(results: CompletedRuns, progress: Listener = SILENT) -> Findings:
    """Analyse all versions; takes seconds, and is the same however the results came about."""
    began, judgments, first = time.perf_counter(), results.judgments(), results.reference
    with progress.work("analysis", total=len(results.runs), unit="versions") as step:
        versions = {}
        for name, paths in results.runs.items():
            runs = {label: results.run(name, label) for label in paths}
            versions[name] = analyse_version(
                name,
                runs,
                judgments,
                results.analysis,
                documents=results.documents,
                errors=results.errors.get(name),
                progress=step.inside,
            )
            step.advance()
        versions = {name: versions[name] for name in sorted(versions, key=lambda name: name != first)}
    findings = Findings(
        title=results.title or "Experiment",
        versions=versions,
        questions=results.questions,
        relevant=_relevant(judgments.rows(), results.analysis),
        documents=results.documents,
        provenance=provenance(results),
        grades=grades_of(judgments, dict.fromkeys(topic for part in versions.values() for topic in part.lists)),
        level=results.analysis.level,
        runs=results.run_paths,
        notes=results.notes,
        tuning=tuning_of(results),
    )
    with progress.work("look_up_documents"):
        extracts, notes = _extracts(results, documents_to_quote(findings))
    steps = (*_steps(results), StepCost("analysis", round(time.perf_counter() - began, 3), peak_memory()))
    return replace(
        findings,
        provenance=replace(findings.provenance, steps=steps),
        extracts=extracts,
        notes=(*findings.notes, *notes),
    )


def tuning_of(results: CompletedRuns) -> Tuning | None:
    """What tuning came to, if these results are of tuning."""
    if "tune" not in results.settings:
        return None
    path = results.folder / TUNING
    try:
        return Tuning.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError):
        raise DataError(f"{path}: missing or damaged: tune again") from None


def analyse_version(
    version: str,
    runs: Mapping[str, Run],
    judgments: Qrels,
    settings: AnalysisSettings,
    *,
    documents: int = 0,
    errors: VersionErrors | None = None,
    progress: Listener = SILENT,
) -> VersionFindings:
    """All that is concluded about one version; ``documents`` is how many were searched, 0 if nobody knows."""
    single = has_known_items(judgments, settings.level)
    wanted, main = settings.measures_for(single)
    with progress.work("measure", version) as step:
        residuals = {} if single else _residuals([main, *wanted], settings.judging)
        names = [*wanted, *RECALLS, JUDGED, RETRIEVED, *residuals.values()]
        both = measure(judgments, dict(runs), names, judging=settings.judging, progress=step.inside)
    scores, precision, answered, unjudged = _split_columns(both, list(dict.fromkeys(wanted)))
    empty = {name for name, run in runs.items() if not len(run)}
    notes = [note for note in scores.notes if note.kind != "topics_missing" or note.subject not in empty]
    absent = [name for name in settings.baselines if name not in scores.systems]
    if absent:
        others = len(settings.baselines) - len(absent)
        notes.append(Note.of("baselines_absent", version, baselines=absent, others=others))
    left_out = uncovered_systems(coverage_by_system(scores), settings.least_coverage)
    notes += left_out_notes(left_out, settings.least_coverage)
    with progress.work("compare", version):
        comparison = _attempt(lambda: _compare(scores, main, settings), version, notes)
    with progress.work("rescale", version):
        least = settings.least_coverage
        moved = _attempt(lambda: sensitivity(scores, main, least_coverage=least), version, notes)
    with progress.work("sample_topics", version) as step:
        study = _study(judgments, runs, settings, documents, step.inside) if single else None
    part = VersionFindings(
        version=version,
        scores=scores,
        main=main,
        figures=averages_of(scores, settings.averages),
        intervals=bootstrap_intervals(scores, np.random.default_rng(settings.seed), settings.samples),
        comparison=comparison,
        sensitivity=moved,
        study=study,
        precision=precision,
        agreement=measure_agreement(scores.of_systems([s for s in scores.systems if s not in left_out])),
        errors=errors,
        groups=_groups(comparison, scores, main, settings),
        bands=_bands(both, residuals, left_out),
        left_out=left_out,
        answered=answered,
        unjudged=unjudged,
        notes=tuple(dict.fromkeys(notes)),
    )
    return replace(part, lists=ranked_lists(part, runs))


def _split_columns(both: Scores, wanted: Sequence[str]) -> tuple[Scores, Floats, tuple[int, ...], tuple[float, ...]]:
    """The measures of the plan; then for each system precision at recall, topics answered, and unjudged share."""
    place = {column.name: m for m, column in enumerate(both.columns)}  # a point of the curve may be one of the plan's
    own = [place[name] for name in wanted]
    columns = tuple(both.columns[m] for m in own)
    texts = {spec: strings for spec, strings in both.texts.items() if spec in {column.measure for column in columns}}
    scores = Scores(both.values[:, :, own], both.systems, both.topics, columns, texts, both.notes, both.coverage)
    precision = np.asarray(both.values[:, :, [place[name] for name in RECALLS]].mean(axis=1))
    answered = both.values[:, :, place[RETRIEVED]] > 0
    judged = np.where(answered, both.values[:, :, place[JUDGED]], 0.0)
    counts = answered.sum(axis=1)
    with np.errstate(invalid="ignore"):
        unjudged = 1 - judged.sum(axis=1) / counts
    return scores, precision, tuple(counts.tolist()), tuple(unjudged.tolist())


def _residuals(wanted: Sequence[str], judging: Judging) -> dict[str, str]:
    """By measure, for those that have one: the spec of its residual."""
    found = {}
    for column, component in columns(wanted):
        residual = residual_of(component, judging) if column.average == "mean" else None
        if residual is not None:
            found[column.name] = str(residual)
    return found


def _bands(both: Scores, residuals: Mapping[str, str], left_out: Container[str]) -> tuple[ResidualBands, ...]:
    """How far unjudged documents could raise the figures of the systems on which there is a verdict."""
    place = {column.name: m for m, column in enumerate(both.columns)}
    rows = [s for s, system in enumerate(both.systems) if system not in left_out]
    systems, values = [both.systems[s] for s in rows], both.values[rows]
    found = (
        bands_of(name, systems, values[:, :, place[name]], values[:, :, place[residual]])
        for name, residual in residuals.items()
    )
    return tuple(bands for bands in found if bands is not None)


def _attempt(work: Callable[[], Result], version: str, notes: list[Note]) -> Result | None:
    """Try an analysis; None and a note if the scores are not fit for it, with one system only for example."""
    try:
        return work()
    except DataError as error:
        notes.append(Note.of("comparison_impossible", version, why=str(error)))
        return None


def _compare(scores: Scores, main: str, settings: AnalysisSettings) -> Comparison:
    left_out = uncovered_systems(coverage_by_system(scores), settings.least_coverage)
    baselines = [name for name in settings.baselines if name in scores.systems and name not in left_out]
    count = len(scores.systems)
    return compare(
        scores,
        main,
        baselines=baselines,
        tests=[with_enough_samples(test, count * (len(baselines) or count / 2)) for test in settings.tests],
        correction=settings.correction,
        rng=np.random.default_rng(settings.seed),
        least_coverage=settings.least_coverage,
    )


def _groups(comparison: Comparison | None, scores: Scores, main: str, settings: AnalysisSettings) -> RankGroups | None:
    """Groups and ranks from the pairs that were compared, or from t tests of all pairs if that was with baselines."""
    if comparison is None:
        return None
    rng = np.random.default_rng(settings.seed)
    if comparison.baselines:
        return rank_groups(
            scores, main, correction=settings.correction, least_coverage=settings.least_coverage, rng=rng
        )
    return groups_of(comparison, scores.of_systems(comparison.systems), rng=rng)


def _study(
    judgments: Qrels, runs: Mapping[str, Run], settings: AnalysisSettings, documents: int, progress: Listener
) -> Study:
    length = min(settings.depth, documents or settings.depth)  # who has read everything has nothing more to read
    item = known_item(judgments, dict(runs), depth=settings.depth, length=length, level=settings.level)
    drawn = None
    if len(item.systems) <= STUDIED:
        rng = np.random.default_rng(settings.seed)
        drawn = bootstrap(item, rng, samples=settings.samples, progress=progress)
    return Study(item, bootstrap=drawn, seed=settings.seed)


def _relevant(rows: Iterator[tuple[str, str, Any]], settings: AnalysisSettings) -> dict[str, tuple[str, ...]]:
    """All relevant documents of each topic, the highest grade first."""
    graded: dict[str, list[tuple[int, str]]] = {}
    for topic, document, grade in rows:
        if grade >= settings.level:
            graded.setdefault(topic, []).append((-int(grade), document))
    return {topic: tuple(document for _, document in sorted(pairs)) for topic, pairs in graded.items()}


def _extracts(results: CompletedRuns, wanted: Sequence[str]) -> tuple[dict[str, DocumentExtract], list[Note]]:
    """Titles and first words of documents as the clean version has them, or why there are none."""
    first = results.reference
    shown = frozenset(wanted)
    if first not in results.places:
        kept = _kept_extracts(results.folder / EXTRACTS, shown)
        lacking = not kept and first in results.settings.get("versions", {})
        why = "the documents are not in the folder of the results"
        return kept, [Note.of("extracts_absent", first, why=why)] if lacking else []
    try:
        documents = Chosen(read_documents(results.places[first]), shown.__contains__)
        return {document.id: extract_of(document) for document in documents}, []
    except DataError as error:  # the documents may be gone when the page is made again
        place = results.places[first]
        return {}, [Note.of("extracts_absent", first, why=str(error).replace(str(place), place.name))]


def _kept_extracts(path: Path, shown: frozenset[str]) -> dict[str, DocumentExtract]:
    """Those that were written when the documents were at hand; none if there are none, or if they are damaged."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return {name: DocumentExtract(str(title), str(text)) for name, (title, text) in kept.items() if name in shown}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def provenance(results: CompletedRuns) -> Provenance:
    """Versions, settings, digests; all but the steps."""
    from .. import __version__

    software = {"adjudge": __version__, "Python": platform.python_version(), "platform": platform.platform()}
    for name in LIBRARIES:
        try:
            software[name] = version(name)
        except PackageNotFoundError:
            continue
    systems = {name: record.system for records in results.records.values() for name, record in records.items()}
    metadata = {
        f"{name} on {version_name}": record.metadata
        for version_name, records in results.records.items()
        for name, record in records.items()
        if record.metadata
    }
    return Provenance(software, results.settings, results.inputs, systems, metadata=metadata)


def _steps(results: CompletedRuns) -> Iterator[StepCost]:
    for name, place in results.places.items():
        if isinstance(results.settings["versions"].get(name), dict):
            seconds, memory = (_figure_in(place.parent / file, what) for file, what in COSTS)
            yield StepCost(f"version {name}", seconds, memory)
    for name, records in results.records.items():
        for label, record in records.items():
            if record.system != EXTERNAL:
                seconds = round(record.prepared + record.answered, 3)
                yield StepCost(f"{label} on {name}", seconds, record.memory, record.energy)


def _figure_in(path: Path, what: str) -> float:
    """A figure in a file beside a made version, 0 if it is gone."""
    try:
        return float(json.loads(path.read_text(encoding="utf-8")).get(what, 0.0))
    except (OSError, ValueError, TypeError):
        return 0.0
