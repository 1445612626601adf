"""The Confusion Track done again: every system on the true and the degraded versions of a corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..comparison.known_item.ranks import KnownItem, has_known_items
from ..comparison.known_item.study import Study
from ..comparison.verdict import Comparison
from ..core.errors import DataError, SpecError
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..core.result import Result
from ..formats.qrels import read_qrels
from ..formats.writing import write
from ..systems.system import TRACK
from .analysis import findings_of
from .cell import RunRecord
from .completed_runs import lock_results, slug
from .plan import AnalysisSettings, Plan
from .running import Reporter, conclude, run_in

VERSIONS = ("true", "5 %", "20 %")
"""Those of the track, as they are called if there are three and nobody names them."""


@dataclass(frozen=True)
class TrackVersion:
    """Findings on one version."""

    study: Study
    comparison: Comparison | None
    """None if there is one system only."""
    records: Mapping[str, RunRecord]

    @property
    def item(self) -> KnownItem:
        return self.study.item


@dataclass(frozen=True)
class Track(Result):
    """All versions by name, and what a reader should know."""

    versions: Mapping[str, TrackVersion]
    notes: tuple[Note, ...]


TrackReporter = Callable[[Track, Mapping[str, str]], Mapping[str, bytes]]
"""Turns a track into files by their paths in the folder of results; it gets the folder of each version by name."""


def track_plan(
    versions: Sequence[str],
    topics: str,
    judgments: str,
    *,
    names: Sequence[str] = (),
    systems: Sequence[str] = (),
    outside: str = "",
    samples: int = 1000,
    **settings: Any,
) -> tuple[Plan, list[Note]]:
    """The plan, and notes on systems that it leaves out; ``settings`` are further ones of the plan.

    Systems are those of the track unless some are named; CLARIT's need clean text that is not searched.
    """
    if not versions:
        raise SpecError("at least one version of the documents, topics and judgments are needed")
    usual = VERSIONS if len(versions) == 3 else ("true", *(f"version {i + 1}" for i in range(1, len(versions))))
    names = names or usual
    if len(names) != len(versions) or len(set(names)) != len(names):
        raise SpecError(f"{len(versions)} versions need as many different names, not {', '.join(names)}")
    wanted, left_out = list(systems or TRACK), list[Note]()
    if not outside and not systems:
        lexical = [name for name in wanted if TRACK[name].startswith("clarit")]
        wanted = [name for name in wanted if name not in lexical]
        left_out.append(Note.of("systems_without_option", systems=lexical, option="--outside DOCS"))
    plan = Plan(
        topics,
        judgments,
        dict(zip(names, versions, strict=True)),
        tuple(wanted),
        outside=outside,
        title="Confusion",
        analysis=AnalysisSettings(tests=("randomisation",), samples=samples),
        **settings,
    )
    if not has_known_items(read_qrels(judgments)):
        why = "a known item is one relevant document for each question; adjudge run takes any judgments"
        raise DataError(f"{judgments}: {why}")
    return plan, left_out


def conduct_track(
    plan: Plan,
    folder: str | Path,
    reporter: Reporter,
    track_reporter: TrackReporter,
    *,
    notes: Sequence[Note] = (),
    workers: int = 1,
    progress: Listener = SILENT,
) -> Track:
    """Run the plan, and write what is written of any plan and what is written of a track."""
    place = Path(folder)
    with lock_results(place):
        results = run_in(plan, place, workers=workers, progress=progress)
        execution = conclude(replace(results, notes=(*notes, *results.notes)), reporter, progress)
        findings = execution.findings or findings_of(execution.results, progress)
        versions = {
            name: TrackVersion(part.study, part.comparison, results.records[name])
            for name, part in findings.versions.items()
            if part.study is not None
        }
        track = Track(versions, findings.notes)
        for name, data in track_reporter(track, {name: slug(name) for name in versions}).items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            write(place / name, data)
    return track
