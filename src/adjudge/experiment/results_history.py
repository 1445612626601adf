"""Several folders of results, one after the other: the history of a figure, what changed, and whether it matters."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..comparison.matrix import better, coverage_by_system, uncovered_systems
from ..comparison.overview import bootstrap_intervals
from ..comparison.paired import corrections, differences, paired_tests
from ..comparison.verdict import ALPHA
from ..core.coverage import Coverage
from ..core.errors import DataError, SpecError, did_you_mean
from ..core.judged import Floats
from ..core.note import Note
from ..core.result import Plottable
from ..core.scores import Scores
from .completed_runs import CompletedRuns
from .system_factors import scores_of_results

TEST, CORRECTION = "t", "holm"
SAMPLES = 1000
"""Of topics, for the intervals of figures."""
LOSERS = 5
"""Topics that are named because a system loses most there."""


@dataclass(frozen=True, eq=False)
class ResultsEntry:
    """One folder of results."""

    label: str
    """The end of its path that no other folder has."""
    folder: str
    title: str
    version: str
    """Of the documents."""
    topics: int
    documents: int
    scores: Scores
    """Of the measure that the history is of."""
    intervals: Floats
    """systems × 2."""
    specs: Mapping[str, str]
    """Of each system; ``run`` for those made elsewhere."""
    checksums: Mapping[str, str]
    settings: Mapping[str, str]
    """Of the plan, by name as in TOML."""
    inputs: Mapping[str, str]
    """Digests of what was read."""
    software: str

    @property
    def figures(self) -> dict[str, float]:
        """The mean of each system."""
        return dict(zip(self.scores.systems, self.scores.values[:, :, 0].mean(axis=1).tolist(), strict=True))

    @property
    def coverage(self) -> dict[str, Coverage]:
        return coverage_by_system(self.scores)


class PlanChange(NamedTuple):
    """Something that differs between two plans; what is not there is empty."""

    kind: str
    """``setting``, ``system``, ``input`` or ``software``."""
    name: str
    before: str
    after: str


@dataclass(frozen=True)
class SystemChange:
    """A system that two folders have: its figures on the topics that both have, and whether they differ."""

    system: str
    before: float
    after: float
    low: float
    high: float
    p: float
    """Corrected for the number of systems."""
    wins: int
    losses: int
    same_run: bool
    """Whether the run is the same file."""
    verdict: str
    """``better``, ``worse``, ``same`` if no topic differs, or ``undecided``."""
    losers: tuple[tuple[str, float], ...] = ()
    """Topics on which it loses most, with what it loses."""

    @property
    def difference(self) -> float:
        return self.after - self.before


@dataclass(frozen=True)
class ResultsStep:
    """From one folder of results to another."""

    before: str
    after: str
    changes: tuple[PlanChange, ...]
    topics: int
    """Topics that both have."""
    only_before: int
    only_after: int
    systems: tuple[SystemChange, ...]
    left_out: tuple[str, ...] = ()
    """Systems of both that have no verdict, because a run answers too few topics."""


@dataclass(frozen=True, eq=False)
class ResultsHistory(Plottable):
    """Folders of results in the order in which they were given."""

    measure: str
    direction: int
    entries: tuple[ResultsEntry, ...]
    steps: tuple[ResultsStep, ...]
    """From each folder to the next; the last one is of the two that were asked for."""
    alpha: float = ALPHA
    notes: tuple[Note, ...] = field(default=())

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, those of the last folder first and best first."""
        last = self.entries[-1].figures
        order = sorted(last, key=lambda name: -self.direction * last[name])
        return tuple(dict.fromkeys([*order, *(name for entry in reversed(self.entries) for name in entry.figures)]))

    def conclusion(self) -> str:
        """What the last step changed, in a sentence or two."""
        from ..core.presentation import conclusion_of

        return conclusion_of(self)


def results_history(
    folders: Sequence[str | os.PathLike[str]],
    measure: str = "",
    *,
    version: str = "",
    pair: Sequence[str] = (),
    alpha: float = ALPHA,
    least_coverage: float = 0.0,
    seed: int = 0,
) -> ResultsHistory:
    """Put folders of results one after the other: figures of a measure, what changed in the plan, and tests.

    ``measure`` is the main one of the last folder if none is named. ``pair`` names two folders, by the end of their
    paths, to compare; without it each is compared with the next.
    """
    paths = [os.fspath(folder) for folder in folders]
    if len(paths) < 2:
        raise SpecError("a history is of two folders of results or more")
    resolved = [os.path.realpath(path) for path in paths]
    for n, path in enumerate(resolved):
        if path in resolved[:n]:
            raise SpecError(f"{paths[n]}: is given twice")
    wanted = measure or scores_of_results(paths[-1], version=version).measures[0]
    rng = np.random.default_rng(seed)
    labels = distinct_ends(resolved)
    entries = tuple(_entry(path, label, wanted, version, rng) for path, label in zip(paths, labels, strict=True))
    direction = better(entries[-1].scores, entries[-1].scores.measures[0])
    chosen = [_chosen(name, entries) for name in pair]
    if pair and len(set(chosen)) != 2:
        raise SpecError(f"two folders are compared, not {' and '.join(pair)}")
    couples = [(chosen[0], chosen[1])] if pair else list(pairwise(range(len(entries))))
    steps = tuple(_step(entries[a], entries[b], direction, alpha, least_coverage) for a, b in couples)
    notes = tuple(dict.fromkeys(note.pass_on(entry.label) for entry in entries for note in entry.scores.notes))
    return ResultsHistory(wanted, direction, entries, steps, alpha, notes)


def distinct_ends(paths: Sequence[str]) -> list[str]:
    """The shortest ends of paths that tell them apart.

    >>> distinct_ends(["/a/1/results", "/a/2/results"])
    ['1/results', '2/results']
    """
    parts = [Path(path).parts for path in paths]
    for count in range(1, max(map(len, parts)) + 1):
        ends = [Path(*own[-count:]).as_posix() for own in parts]
        if len(set(ends)) == len(ends):
            return ends
    return [str(path) for path in paths]


def _chosen(name: str, entries: Sequence[ResultsEntry]) -> int:
    wanted = name.rstrip("/")
    for n, entry in enumerate(entries):
        if wanted in {entry.label, entry.folder.rstrip("/")}:
            return n
    labels = [entry.label for entry in entries]
    raise SpecError(f"no folder {name!r} among {', '.join(labels)}{did_you_mean(name, labels)}")


def _entry(path: str, label: str, measure: str, version: str, rng: np.random.Generator) -> ResultsEntry:
    completed = CompletedRuns.load(path)
    scores = scores_of_results(path, [measure], version)
    records = completed.records[version or completed.reference]
    values = bootstrap_intervals(scores, rng, SAMPLES) if len(scores.topics) > 1 else None
    intervals = np.full((len(scores.systems), 2), np.nan) if values is None else np.asarray(values[:, 0])
    return ResultsEntry(
        label=label,
        folder=path,
        title=completed.title,
        version=version or completed.reference,
        topics=len(scores.topics),
        documents=completed.documents,
        scores=scores,
        intervals=intervals,
        specs={name: record.system for name, record in records.items()},
        checksums={name: record.checksum for name, record in records.items()},
        settings=dict(flat_settings(completed.settings)),
        inputs=dict(completed.inputs),
        software=next((record.adjudge for record in records.values() if record.adjudge), ""),
    )


def flat_settings(
    plan: Mapping[str, Any], before: str = "", show: Callable[[Any], str] = str
) -> Iterator[tuple[str, str]]:
    """Settings within settings, named as in TOML; ``show`` makes texts of what a list has."""
    for key, value in plan.items():
        name = f"{before}{key}"
        if isinstance(value, Mapping):
            yield from flat_settings(value, f"{name}.", show)
        elif isinstance(value, list | tuple) and any(isinstance(each, Mapping) for each in value):
            for number, each in enumerate(value, 1):
                yield from flat_settings({str(number): each}, f"{name}.", show)
        elif isinstance(value, list | tuple):
            yield name, ", ".join(map(show, value))
        else:
            yield name, str(value).lower() if isinstance(value, bool) else str(value)


def _changes(before: ResultsEntry, after: ResultsEntry) -> Iterator[PlanChange]:
    told = {"systems", "title"}
    own = [{k: v for k, v in entry.settings.items() if k.partition(".")[0] not in told} for entry in (before, after)]
    for kind, x, y in (
        ("system", before.specs, after.specs),
        ("setting", own[0], own[1]),
        ("input", before.inputs, after.inputs),
        ("software", {"adjudge": before.software}, {"adjudge": after.software}),
    ):
        for name in dict.fromkeys([*x, *y]):
            if x.get(name, "") != y.get(name, ""):
                yield PlanChange(kind, name, x.get(name, ""), y.get(name, ""))


def _step(before: ResultsEntry, after: ResultsEntry, direction: int, alpha: float, least: float) -> ResultsStep:
    old, new = set(before.scores.topics), set(after.scores.topics)
    topics = [topic for topic in after.scores.topics if topic in old]
    common = [name for name in after.scores.systems if name in set(before.scores.systems)]
    uncovered = uncovered_systems(before.coverage, least).keys() | uncovered_systems(after.coverage, least).keys()
    compared = [name for name in common if name not in uncovered]
    return ResultsStep(
        before=before.label,
        after=after.label,
        changes=tuple(_changes(before, after)),
        topics=len(topics),
        only_before=len(old - new),
        only_after=len(new - old),
        systems=tuple(_compared(before, after, compared, topics, direction, alpha)) if topics else (),
        left_out=tuple(name for name in common if name in uncovered),
    )


def _compared(
    before: ResultsEntry,
    after: ResultsEntry,
    systems: Sequence[str],
    topics: Sequence[str],
    direction: int,
    alpha: float,
) -> Iterator[SystemChange]:
    if not systems:
        return
    blocks = [_block(entry.scores, systems, topics) for entry in (after, before)]
    values, count = np.concatenate(blocks), len(systems)
    pairs = np.array([(s, s + count) for s in range(count)])
    p, low, high = np.ones(count), np.full(count, np.nan), np.full(count, np.nan)
    if len(topics) > 1:
        raw, low, high = paired_tests.parse(TEST).with_interval(values, pairs, 1 - alpha, np.random.default_rng(0))
        p = corrections.parse(CORRECTION)(raw)
    gaps = np.concatenate([part for _, part in differences(values, pairs)])
    for s, name in enumerate(systems):
        good = direction * gaps[s]
        wins, losses = int((good > 0).sum()), int((good < 0).sum())
        decided = "better" if good.mean() > 0 else "worse"
        worst = np.argsort(good, kind="stable")[:LOSERS].tolist()
        yield SystemChange(
            system=name,
            before=float(blocks[1][s].mean()),
            after=float(blocks[0][s].mean()),
            low=float(low[s]),
            high=float(high[s]),
            p=float(p[s]),
            wins=wins,
            losses=losses,
            same_run=bool(before.checksums.get(name)) and before.checksums[name] == after.checksums.get(name),
            verdict="same" if not wins + losses else decided if p[s] < alpha else "undecided",
            losers=tuple((topics[t], float(gaps[s, t])) for t in worst if good[t] < 0),
        )


def _block(scores: Scores, systems: Sequence[str], topics: Sequence[str]) -> Floats:
    rows = [scores.systems.index(name) for name in systems]
    columns = [scores.topics.index(topic) for topic in topics]
    values: Floats = scores.values[np.ix_(rows, columns, [0])][:, :, 0]
    if np.isnan(values).any():
        raise DataError(f"{scores.measures[0]} has no value on some topics, so it has no history: take another measure")
    return values
