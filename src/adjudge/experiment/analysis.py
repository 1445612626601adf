"""From runs to findings: scores, intervals, tests, sensitivity and known-item study of every version."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from typing import TypeVar

import numpy as np

from ..comparison.compare import compare
from ..comparison.known_item.question_bootstrap import bootstrap
from ..comparison.known_item.ranks import known_item
from ..comparison.known_item.study import Study
from ..comparison.paired import corrections, paired_tests
from ..comparison.scale.sensitivity import sensitivity
from ..comparison.significance.bootstrap import counts
from ..comparison.verdict import ALPHA, Comparison
from ..core.average import averages
from ..core.errors import DataError, SpecError, did_you_mean
from ..core.judged import Floats
from ..core.judging import Judging
from ..core.measure import TextMeasure
from ..core.measure import measures as registered
from ..core.note import Note
from ..core.preferences import PreferenceMeasure
from ..core.progress import SILENT, Listener
from ..core.qrels import Qrels
from ..core.run import Run
from ..core.scores import Scores
from ..core.strings import encode
from ..evaluation.measuring import columns, measure
from .findings import VersionErrors, VersionFindings

Made = TypeVar("Made")
RECALLS = tuple(f"iprec@{level / 10:.1f}" for level in range(11))
KNOWN_ITEM = ("rr", "success@1", "success@10", "recall@100", "recall@1000", "ndcg@10", "rank")
AD_HOC = ("ap", "ndcg@10", "p@10", "rr", "rprec", "bpref", "recall@100", "recall@1000")
"""What is measured when a plan does not say: with one relevant document a topic, and with more."""
ALL = "all"
PLACES = {"iprec": "0.5"}
AVERAGES = ("gm", "median", "worst")
MOST_SAMPLES = 1_000_000
"""Of a test; of topics, which are held in memory together, fewer."""
MOST_DRAWN = 100_000
STUDIED = 60
"""Systems up to which curves are compared two by two under the bootstrap, which grows with the square."""


@dataclass(frozen=True)
class AnalysisSettings:
    """How runs are measured and compared; empty ones are chosen by what the judgments are."""

    measures: tuple[str, ...] = ()
    main: str = ""
    """The measure on which systems are compared: the first if none is named."""
    averages: tuple[str, ...] = AVERAGES
    baselines: tuple[str, ...] = ()
    tests: tuple[str, ...] = ("randomisation", "t", "wilcoxon")
    correction: str = "holm"
    samples: int = 1000
    level: int = 1
    depth: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        if ALL in self.measures:
            wide = [name for asked in self.measures for name in (every_measure() if asked == ALL else (asked,))]
            object.__setattr__(self, "measures", tuple(dict.fromkeys(wide)))
        asked = columns(self.measures) if self.measures else []
        names = [column.name for column, _ in asked]
        if self.main and names and self.main not in names:
            raise SpecError(f"main: no {self.main!r} among the measures{did_you_mean(self.main, names)}")
        for column, component in asked:
            if isinstance(component, TextMeasure):
                raise SpecError(f"measures: {column.name} is text, and numbers are compared")
            if isinstance(component, PreferenceMeasure):
                raise SpecError(f"measures: {column.name} is measured on preferences, and a plan has judgments")
        main = columns([self.main])[0][0] if self.main else asked[0][0] if asked else None
        if main is not None and (not main.better or main.average not in {"mean", "sum"}):
            why = "is no mean over topics" if main.better else "is neither good when high nor when low"
            raise SpecError(f"main: {main.name} {why}: systems cannot be compared by it")
        for name, least in (("samples", 39), ("level", 0)):
            if getattr(self, name) < least:
                raise SpecError(f"{name} must be at least {least}, not {getattr(self, name)}")
        if self.samples > MOST_DRAWN:
            raise SpecError(f"samples must be at most {MOST_DRAWN}, not {self.samples}")
        if not self.tests:
            raise SpecError("tests: no test asked for")
        for spec in self.averages:
            averages.parse(spec)
        for spec in self.tests:
            paired_tests.parse(spec)
        corrections.parse(self.correction)

    def chosen(self, single: bool) -> tuple[tuple[str, ...], str]:
        """The measures, and the main one."""
        measures = self.measures or (KNOWN_ITEM if single else AD_HOC)
        main = self.main or measures[0]
        return (measures if main in measures else (main, *measures)), main


def every_measure() -> list[str]:
    """All measures that compare runs, those that need a place at 10 and interpolated precision at recall 0.5."""
    specs = []
    for kind in registered.all():
        if kind.better and not issubclass(kind, PreferenceMeasure):
            needs = any(f.name == "k" and f.default is MISSING for f in fields(kind))  # type: ignore[arg-type]
            specs.append(kind.name + (f"@{PLACES.get(kind.name, '10')}" if needs else ""))
    return specs


def has_known_items(judgments: Qrels, level: int = 1) -> bool:
    """Whether every topic has exactly one relevant document."""
    topic = np.repeat(np.arange(len(judgments.topics)), np.diff(judgments.offsets))
    relevant = np.bincount(topic[judgments.grades >= level], minlength=len(judgments.topics))
    return bool((relevant == 1).all())


def finding(
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
    wanted, main = settings.chosen(single)
    judging = Judging(level=settings.level, complete=True)
    with progress.work("measure", version) as step:
        names = [*wanted, *RECALLS]
        both = measure(judgments, dict(runs), names, judging=judging, progress=step.inside)
    scores, precision = _parted(both, list(dict.fromkeys(wanted)))
    empty = {name for name, run in runs.items() if not len(run)}
    notes = [note for note in scores.notes if note.kind != "topics_missing" or note.subject not in empty]
    absent = [name for name in settings.baselines if name not in scores.systems]
    if absent:
        others = len(settings.baselines) - len(absent)
        notes.append(Note.of("baselines_absent", version, baselines=absent, others=others))
    with progress.work("compare", version):
        comparison = _tried(lambda: _compared(scores, main, settings), version, notes)
    with progress.work("rescale", version):
        moved = _tried(lambda: sensitivity(scores, main), version, notes)
    with progress.work("sample_topics", version) as step:
        study = _study(judgments, runs, settings, documents, step.inside) if single else None
    return VersionFindings(
        version=version,
        scores=scores,
        main=main,
        figures=_figures(scores, settings.averages),
        intervals=intervals(scores, np.random.default_rng(settings.seed), settings.samples),
        comparison=comparison,
        sensitivity=moved,
        study=study,
        precision=precision,
        agreement=agreement(scores),
        first=tuple(tuple(first_of(runs[name], scores.topics)) for name in scores.systems),
        errors=errors,
        notes=tuple(dict.fromkeys(notes)),
    )


def _parted(both: Scores, wanted: Sequence[str]) -> tuple[Scores, Floats]:
    """The measures of the plan, and the curve of precision over recall of each system."""
    place = {column.name: m for m, column in enumerate(both.columns)}  # a point of the curve may be one of the plan's
    own = [place[name] for name in wanted]
    columns = tuple(both.columns[m] for m in own)
    texts = {spec: strings for spec, strings in both.texts.items() if spec in {column.measure for column in columns}}
    scores = Scores(both.values[:, :, own], both.systems, both.topics, columns, texts, both.notes)
    return scores, np.asarray(both.values[:, :, [place[name] for name in RECALLS]].mean(axis=1))


def _tried(work: Callable[[], Made], version: str, notes: list[Note]) -> Made | None:
    """What comes of it; None and a note if the scores are not fit for it, one system only, say."""
    try:
        return work()
    except DataError as error:
        notes.append(Note.of("comparison_impossible", version, why=str(error)))
        return None


def _compared(scores: Scores, main: str, settings: AnalysisSettings) -> Comparison:
    baselines = [name for name in settings.baselines if name in scores.systems]
    count = len(scores.systems)
    return compare(
        scores,
        main,
        baselines=baselines,
        tests=[enough(test, count * (len(baselines) or count / 2)) for test in settings.tests],
        correction=settings.correction,
        rng=np.random.default_rng(settings.seed),
    )


def enough(spec: str, pairs: float) -> str:
    """The test with so many samples that a correction for all pairs leaves something to find, unless it says its own.

    The smallest p that N samples can give is 1/(N + 1), and corrections multiply it by the number of pairs.
    """
    test = paired_tests.parse(spec)
    usual = getattr(type(test), "samples", None)
    if test.familywise or usual is None or getattr(test, "samples", None) != usual:
        return spec
    wanted = min(math.ceil(2 * pairs / ALPHA / 10_000) * 10_000, MOST_SAMPLES)
    return str(replace(test, samples=wanted)) if wanted > usual else spec  # type: ignore[type-var]


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


def _figures(scores: Scores, wanted: Sequence[str]) -> dict[str, Floats]:
    """Every average of every measure; NaN where values lie outside what an average is defined for."""
    averaged = {}
    for spec in dict.fromkeys(("mean", *wanted)):
        average = averages.parse(spec)
        figures = np.full((len(scores.systems), len(scores.columns)), np.nan)
        for m, column in enumerate(scores.columns):
            values = scores.values[:, :, m]
            # A measure that is itself an average over topics, gm_map say, has no other one.
            own = spec == "mean" and column.average not in {"mean", "sum"}
            taken = averages.parse(column.average) if own else average
            if not taken.outside(values).any() and not np.isnan(values).all(axis=1).any():
                figures[:, m] = taken(values)
        averaged[spec] = figures
    return averaged


def intervals(scores: Scores, rng: np.random.Generator, samples: int, level: float = 0.95) -> Floats:
    """systems × measures × 2: percentiles of the mean over samples of topics, drawn with replacement."""
    systems, topics, measures = scores.values.shape
    ends_of = np.full((systems, measures, 2), np.nan)
    if topics < 2:
        return ends_of
    drawn = counts(rng, samples, topics) / topics
    ends = [(1 - level) / 2, (1 + level) / 2]
    for m in range(measures):
        ends_of[:, m] = np.quantile(drawn @ scores.values[:, :, m].T, ends, axis=0).T
    return ends_of


def agreement(scores: Scores) -> Floats:
    """measures × measures: tau_b between the orders that their means put the systems in; NaN where one has none."""
    from ..correlation import tau_b

    ways = {"high": 1.0, "low": -1.0}
    means = scores.values.mean(axis=1)
    count = len(scores.columns)
    matrix = np.full((count, count), np.nan)
    signs = [ways.get(column.better, np.nan) for column in scores.columns]
    for a in range(count):
        for b in range(a, count):
            x, y = signs[a] * means[:, a], signs[b] * means[:, b]
            if len(x) > 1 and np.isfinite(x).all() and np.isfinite(y).all():
                matrix[a, b] = matrix[b, a] = tau_b(x, y)
    return matrix


def first_of(run: Run, topics: Sequence[str]) -> Iterator[str]:
    """The document that a run puts first for each topic, as it is judged: of equal scores the greatest id; or ""."""
    for topic in topics:
        place = run.position.get(topic)
        low, high = (0, 0) if place is None else run.offsets[place : place + 2].tolist()
        scores = run.scores[low:high]
        ahead = np.flatnonzero(scores == scores.max(initial=-np.inf)) + low
        yield max((run.documents[int(row)] for row in ahead), key=encode, default="")
