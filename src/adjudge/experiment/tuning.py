"""Tuning a system of a plan: every setting is run once over all topics, and chosen by folds of the topics afterwards.

    RESULTS/
      trials/          the results of all settings, kept by content as those of any plan: a kill costs those under way
      runs/VERSION/    the default, other systems of the plan, and for each measure trained on a run in which every
                       topic is answered by the setting that was chosen without it
      tuning.json      all that comparison/cross_tuning.py says of it

A sequential search is guided by scores, so each fold has a search of its own, which sees the scores of the other folds
only. All searches go on side by side and share what was run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..comparison.cross_tuning import Tuning, check_folds, cross_tune, deal
from ..comparison.known_item.ranks import has_known_items
from ..core.average import averages
from ..core.errors import AdjudgeError, DataError, SpecError
from ..core.judging import Judging
from ..core.progress import SILENT, Listener
from ..core.run import Run
from ..core.scores import Scores
from ..evaluation.measuring import measure
from ..evaluation.score_columns import columns
from ..formats.writing import write
from ..storage.digest import digest_texts
from ..systems.parts.own_live import LiveSystem
from ..systems.system import System, find_system
from .cell import RunRecord
from .completed_runs import CompletedRuns, keep_run, kept_paths, lock_results
from .findings import TUNING
from .inputs import lay_out_collection
from .named_systems import KINDS, OWN, grid_of_spec, own_spec, point_text
from .parameter_search import Point, SequentialSearches, fixed_points
from .plan import Plan
from .running import CellFailure, Execution, Reporter, check_files, conclude, run_in
from .tune_settings import TUNED, TuneSettings

FAILED = -1e9
"""What a setting that failed is worth to a search."""


@dataclass
class Tunable:
    """The system that is tuned: for every point of its parameters a system with a name."""

    label: str
    tune: TuneSettings
    spec: Any
    """A spec, a table, or code of this process."""
    systems: dict[str, System] = field(default_factory=dict)
    """All settings so far, by name."""
    points: dict[str, Point] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: Plan, tune: TuneSettings) -> Tunable:
        given = tune.system
        if isinstance(given, str):
            labelled = plan.systems if isinstance(plan.systems, Mapping) else {}
            return cls(given, tune, labelled.get(given, given))
        if isinstance(given, Mapping):
            kinds = [kind for kind in KINDS if kind in given]
            if len(kinds) != 1:
                raise SpecError(f"tune: system: give one of {', '.join(KINDS)}, not {' and '.join(kinds) or 'none'}")
            of = given[kinds[0]]
            if kinds[0] == "python" and not isinstance(of, str):
                return cls(_name_of(of), tune, given)
            words = of if isinstance(of, list | tuple) else str(of).replace(":", " ").split()
            name = words[-1] if kinds[0] == "python" else Path(str(words[0])).name
            return cls(str(of) if kinds[0] == "system" else name, tune, given)
        return cls(_name_of(given), tune, {"python": given})

    @property
    def default(self) -> str:
        """The name of the default."""
        return self.add(self.tune.default, self.label)

    def add(self, point: Point, name: str = "") -> str:
        """The name of the setting at a point; the same system has one name."""
        system = self._system(point)
        text = str(system)
        known = self._names.get(text)
        if known is None:
            known = self._names[text] = name or f"{self.label}({point_text(point)})"
            self.systems[known] = system
        if point or known not in self.points:
            self.points[known] = dict(point)
        return known

    def _system(self, point: Point) -> System:
        try:
            if isinstance(self.spec, str):
                (_, spec), *more = grid_of_spec(self.spec, point)
                if more:
                    raise SpecError(f"{self.spec} is a grid: name the parameters in [tune.parameters]")
                return find_system(spec)
            kind = next(kind for kind in KINDS if kind in self.spec)
            of, rest = self.spec[kind], {name: v for name, v in self.spec.items() if name not in KINDS}
            if kind == "system":
                (_, spec), *_ = grid_of_spec(of, {**rest, **point})
                return find_system(spec)
            options: dict[str, Any] = {
                name: tuple(v) if isinstance(v, list) else v for name, v in rest.items() if name in OWN
            }
            settings = {name: v for name, v in rest.items() if name not in OWN} | dict(point)
            if kind == "python" and not isinstance(of, str):
                options.pop("reads", None)
                return LiveSystem(of, settings, **options)
            return find_system(own_spec(kind, of, settings, options))
        except AdjudgeError as error:
            raise type(error)(f"tune: {error}") from None


def _name_of(code: Any) -> str:
    return str(getattr(code, "__name__", None) or type(code).__name__).strip("<>")


@dataclass
class Trials:
    """The settings that were run, and what they scored."""

    base: Plan
    folder: Path
    measures: Sequence[str]
    workers: int
    progress: Listener
    results: CompletedRuns | None = None
    scores: dict[str, Scores] = field(default_factory=dict)
    runs: dict[str, Path] = field(default_factory=dict)
    records: dict[str, RunRecord] = field(default_factory=dict)
    failures: list[CellFailure] = field(default_factory=list)

    def run(self, systems: Mapping[str, System]) -> None:
        """Run settings that were not run yet, and score them."""
        new = {name: system for name, system in systems.items() if name not in self.scores and not self._failed(name)}
        if not new:
            return
        live = {name: system for name, system in new.items() if isinstance(system, LiveSystem)}
        specs = {name: str(system) for name, system in new.items() if name not in live}
        plan = replace(self.base, systems=specs, live=live)
        failures: list[CellFailure] = []
        results = run_in(plan, self.folder, workers=self.workers, progress=self.progress, failures=failures)
        self.failures += failures
        version = next(iter(results.runs))
        judging = Judging(level=results.analysis.level, complete=True)
        judgments, done = results.judgments(), list(results.runs[version])
        for name in done:
            scored = measure(judgments, {name: results.run(version, name)}, self.measures, judging=judging)
            self.scores[name] = scored
            self.runs[name], self.records[name] = results.runs[version][name], results.records[version][name]
        self.results = self.results or results

    def _failed(self, name: str) -> bool:
        return any(failure.system == name for failure in self.failures)

    def table(self, names: Iterable[str]) -> Scores:
        """The scores of some settings as one value."""
        parts = [self.scores[name] for name in names if name in self.scores]
        first = parts[0]
        values = np.concatenate([part.values for part in parts])
        notes = tuple(dict.fromkeys(note for part in parts for note in part.notes))
        return Scores(values, tuple(part.systems[0] for part in parts), first.topics, first.columns, notes=notes)


def conduct_tuning(
    plan: Plan, folder: str | Path, reporter: Reporter, *, workers: int = 1, progress: Listener = SILENT
) -> Execution:
    """Tune the system that a plan names, analyse what came of it and write what the reporter makes of that."""
    place = Path(folder)
    with lock_results(place):
        results, failures = tune_in(plan, place, workers=workers, progress=progress)
        return replace(conclude(results, reporter, progress), failures=tuple(failures))


def tune_in(
    plan: Plan, folder: Path, *, workers: int = 1, progress: Listener = SILENT
) -> tuple[CompletedRuns, list[CellFailure]]:
    """As :func:`conduct_tuning` but for the analysis, in a folder that the caller has locked."""
    tune = plan.tune
    if tune is None:
        raise SpecError("there is nothing to tune in this plan: it has no table [tune]")
    if len(plan.versions) != 1:
        raise SpecError("a system is tuned on one version of the documents: name it as documents")
    check_files(plan, folder)
    plan = lay_out_collection(plan, folder / "trials")
    tunable = Tunable.of(plan, tune)
    wanted, trained = _measures(plan, tune)
    base = replace(plan, tune=None, runs={}, analysis=replace(plan.analysis, baselines=(), measures=(), main=""))
    trials = Trials(base, folder / "trials", list(dict.fromkeys((*trained, *wanted))), workers, progress)
    default = tunable.default
    others = {name: s for name, s in plan.systems_by_name.items() if name != default}
    trials.run(tunable.systems | others)
    if default not in trials.scores:
        why = next((failure.why for failure in trials.failures if failure.system == default), "")
        raise DataError(f"{default} failed as it is by default, so there is nothing to compare with: {why}")
    check_folds(tune.folds, len(trials.scores[default].topics))
    if tune.search == "sequential":
        allowed = _search(tunable, trials, trained, plan.seed)
    else:
        for point in fixed_points(tune.parameters, tune.search, tune.trials, plan.seed):
            tunable.add(point)
        trials.run(tunable.systems)
        allowed = None
    tried = [name for name in tunable.systems if name in trials.scores]
    if len(tried) < 2:
        raise DataError(f"no setting of {tunable.label} but the default gave a run, so there is nothing to choose from")
    tuning = cross_tune(
        trials.table(tried),
        default,
        trained,
        wanted,
        folds=tune.folds,
        seed=plan.seed,
        splits=tune.splits,
        samples=plan.analysis.samples,
        system=tunable.label,
        points=[tunable.points[name] for name in tried],
        allowed=None if allowed is None else allowed(tried),
        search=tune.search,
    )
    return _keep(plan, folder, tunable.label, tuning, trials, [default, *others]), trials.failures


def _measures(plan: Plan, tune: TuneSettings) -> tuple[list[str], list[str]]:
    """The measures that are reported, and those that are trained on."""
    from ..formats.qrels import read_qrels

    single = has_known_items(read_qrels(plan.path(plan.judgments)), plan.analysis.level)
    measures, main = plan.settings.measures_for(single)
    trained = list(tune.train or (main,))
    names = [column.name for column, _ in columns(trained)]
    reported = [column.name for column, _ in columns(list(measures))]
    return list(dict.fromkeys((*reported, *names))), names


def _search(tunable: Tunable, trials: Trials, trained: Sequence[str], seed: int) -> Any:
    """Let a search for each measure and fold, and one for all topics, go on side by side; who saw which setting."""
    tune, default = tunable.tune, tunable.default
    first = trials.scores[default]
    fold = deal(len(first.topics), tune.folds, seed)
    masks = [*(fold != f for f in range(tune.folds)), np.ones(len(fold), bool)]
    places = [(t, f) for t in range(len(trained)) for f in range(len(masks))]
    searches = SequentialSearches(tune.parameters, len(places), seed)
    seen: dict[tuple[int, int], set[str]] = {place: {default} for place in places}

    def worth(name: str, t: int, f: int) -> float:
        if name not in trials.scores:
            return FAILED
        scores = trials.scores[name]
        m = scores.measures.index(trained[t])
        column = scores.columns[m]
        figure = float(averages.parse(column.average)(scores.values[:, masks[f], m])[0])
        return (-figure if column.better == "low" else figure) if np.isfinite(figure) else FAILED

    with trials.progress.work("tune", total=tune.trials, unit="trials") as step:
        for _ in range(tune.trials):
            names = [tunable.add(point) for point in searches.ask()]
            trials.run({name: tunable.systems[name] for name in names})
            searches.tell([worth(name, *place) for name, place in zip(names, places, strict=True)])
            for name, place in zip(names, places, strict=True):
                seen[place].add(name)
            step.advance()

    def allowed(tried: Sequence[str]) -> Any:
        rows = [[[name in seen[t, f] for name in tried] for f in range(len(masks))] for t in range(len(trained))]
        return np.array(rows, bool)

    return allowed


def _keep(plan: Plan, folder: Path, label: str, tuning: Tuning, trials: Trials, shown: Sequence[str]) -> CompletedRuns:
    """Write the runs that are compared, and what is known of the tuning."""
    if trials.results is None:
        raise DataError("no setting was run")
    results = trials.results
    version = next(iter(results.runs))
    made = {name: (_read(trials, name), trials.records[name].system) for name in shown if name in trials.records}
    for t, measure_name in enumerate(tuning.train):
        chosen = [tuning.settings[s] for s in tuning.chosen[t].tolist()]
        stitched = stitch({name: _read(trials, name) for name in set(chosen)}, chosen, tuning)
        made[f"{label} {TUNED} {measure_name}"] = stitched, f"{label}, {tuning.folds} folds: {'; '.join(chosen)}"
    paths, records = dict[str, Path](), dict[str, RunRecord]()
    for name, (run, system) in made.items():
        path, record_path = kept_paths(folder, version, name)
        key = digest_texts(system, *(trials.records[s].checksum for s in sorted(trials.records)))
        records[name] = keep_run(run, name, system, version, key, path, record_path)
        paths[name] = path
    write(folder / TUNING, (json.dumps(tuning.to_dict(), indent=1) + "\n").encode())
    analysis = replace(plan.settings, baselines=plan.analysis.baselines or (tuning.settings[tuning.default],))
    contents = [f"{name} {record.checksum}" for name, record in sorted(trials.records.items())]
    kept = replace(
        results,
        folder=folder,
        title=plan.title or f"Tuning {label}",
        analysis=analysis,
        settings=plan.to_json(),
        runs={version: paths},
        records={version: records},
        inputs={**results.inputs, "trials": digest_texts(*contents)},
    )
    kept.keep(results.judgments())
    return kept


def _read(trials: Trials, name: str) -> Run:
    from ..formats.runs import read_run

    return read_run(trials.runs[name]) if trials.records[name].retrieved else Run.empty(name)


def stitch(runs: Mapping[str, Run], chosen: Sequence[str], tuning: Tuning) -> Run:
    """The run in which every topic is answered by the setting that was chosen for its fold."""
    topics: list[str] = []
    documents: list[str] = []
    scores: list[float] = []
    for topic, fold in zip(tuning.topics, tuning.fold, strict=True):
        run = runs[chosen[fold]]
        place = run.position.get(topic)
        if place is None:
            continue
        rows = np.arange(int(run.offsets[place]), int(run.offsets[place + 1]))
        topics += [topic] * len(rows)
        documents += list(run.documents.take(rows))
        scores += run.scores[rows].tolist()
    return Run.of_columns(topics, documents, np.array(scores)) if topics else Run.empty()
