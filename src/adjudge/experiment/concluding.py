"""From the results of a plan to its findings: every version analysed."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..core.document import Chosen
from ..core.errors import DataError
from ..core.machine import peak_memory
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..formats.documents import read_documents
from ..storage.digest import digest_texts
from .analysis import AnalysisSettings, finding
from .completed_runs import CompletedRuns
from .external import EXTERNAL
from .findings import Findings, Provenance, StepCost, VersionFindings

FORMAT = 2
"""Of findings and what is written of them; another one makes them anew."""
NAMED = 10
"""Relevant documents of a topic that are named."""
HARD = 12
"""Topics of a version whose documents are shown with their first words."""
EXTRACTS = 600
EXTRACT = 240
"""Documents, and characters of each."""
COSTS = (("manifest.json", "seconds"), ("cost.json", "megabytes"))
"""Where the time and the memory that a made version took are told."""
LIBRARIES = ("numpy", "polars", "scipy")


def key_of(results: CompletedRuns) -> str:
    """What the findings depend on, by content."""
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
    return digest_texts(json.dumps(parts, sort_keys=True))


def findings_of(results: CompletedRuns, progress: Listener = SILENT) -> Findings:
    """Analyse all versions; takes seconds, and is the same however the results came about."""
    began, judgments, first = time.perf_counter(), results.judgments(), results.reference
    with progress.work("analysis", total=len(results.runs), unit="versions") as step:
        versions = {}
        for name, paths in results.runs.items():
            runs = {label: results.run(name, label) for label in paths}
            versions[name] = finding(
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
        relevant = _relevant(judgments.rows(), results.analysis)
        with step.inside.work("look_up_documents"):
            extracts, notes = _extracts(results, versions, relevant)
    steps = (*_steps(results), StepCost("analysis", round(time.perf_counter() - began, 3), peak_memory()))
    return Findings(
        title=results.title or "Experiment",
        versions=versions,
        questions=results.questions,
        relevant=relevant,
        documents=results.documents,
        provenance=replace(provenance(results), steps=steps),
        extracts=extracts,
        notes=(*results.notes, *notes),
    )


def _relevant(rows: Iterator[tuple[str, str, Any]], settings: AnalysisSettings) -> dict[str, tuple[str, ...]]:
    graded: dict[str, list[tuple[int, str]]] = {}
    for topic, document, grade in rows:
        if grade >= settings.level:
            graded.setdefault(topic, []).append((-int(grade), document))
    return {topic: tuple(document for _, document in sorted(pairs)[:NAMED]) for topic, pairs in graded.items()}


def _extracts(
    results: CompletedRuns, versions: Mapping[str, VersionFindings], relevant: Mapping[str, Sequence[str]]
) -> tuple[dict[str, str], list[Note]]:
    """The first words of the documents that hard topics bring up, as the true version has them, or why not."""
    first = results.reference
    if first not in results.places:
        return {}, []
    wanted: dict[str, None] = {}
    for findings in versions.values():
        for t in findings.hardest[:HARD]:
            wanted |= dict.fromkeys(relevant.get(findings.scores.topics[t], ())[:1])
            wanted |= dict.fromkeys(row[t] for row in findings.first if row[t])
    shown = frozenset(list(wanted)[:EXTRACTS])
    try:
        documents = Chosen(read_documents(results.places[first]), shown.__contains__)
        return {d.id: " ".join(d.text[: 4 * EXTRACT].split())[:EXTRACT] for d in documents}, []
    except DataError as error:  # they may be gone when the page is made again
        return {}, [Note.of("extracts_absent", first, why=str(error))]


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
    return Provenance(software, results.settings, results.inputs, systems)


def _steps(results: CompletedRuns) -> Iterator[StepCost]:
    for name, place in results.places.items():
        if isinstance(results.settings["versions"].get(name), dict):
            seconds, memory = (_told(place.parent / file, what) for file, what in COSTS)
            yield StepCost(f"version {name}", seconds, memory)
    for name, records in results.records.items():
        for label, record in records.items():
            if record.system != EXTERNAL:
                yield StepCost(f"{label} on {name}", round(record.prepared + record.answered, 3), record.memory)


def _told(path: Path, what: str) -> float:
    """A figure in a file beside a made version, 0 if it is gone."""
    try:
        return float(json.loads(path.read_text(encoding="utf-8")).get(what, 0.0))
    except (OSError, ValueError, TypeError):
        return 0.0
