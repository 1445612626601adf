"""A gate for changes of a system: is the run worse than its baseline by more than is tolerated?

With d the mean over topics of run − baseline (the sign reversed where low values are good) and δ the tolerance, one
test asks whether d > −δ, another whether d < −δ. If the first is significant the run passes, if the second is, it
fails; otherwise the topics are too few, and the gate says how many it would take.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..core.coverage import Coverage
from ..core.errors import DataError, SpecError, did_you_mean
from ..core.judged import Floats
from ..core.note import Note
from ..core.result import Result
from ..core.scores import Scores
from .gains import TopicGain
from .matrix import better, complete_matrix, coverage_by_system, uncovered_systems
from .paired import PairedTest, corrections, paired_tests
from .power import detectable_margin, topics_for
from .verdict import ALPHA

PASS, FAIL, UNDECIDED = "pass", "fail", "undecided"
EXIT_CODES = {PASS: 0, FAIL: 1, UNDECIDED: 3}
POWER = 0.8


class Tolerance(NamedTuple):
    """Tolerated loss of a run: an amount of the measure, or a share of the baseline's mean."""

    amount: float
    relative: bool = False

    @classmethod
    def parse(cls, given: float | str) -> Tolerance:
        """Parse a number, or a text such as ``0.01`` or ``2%``.

        >>> Tolerance.parse("0.01"), Tolerance.parse("2%")
        (Tolerance(amount=0.01, relative=False), Tolerance(amount=0.02, relative=True))
        """
        text = str(given).strip()
        try:
            number = float(text.removesuffix("%").strip())
        except ValueError:
            number = math.nan
        if isinstance(given, bool) or not 0 <= number < math.inf:
            raise SpecError(f"a tolerance is a number such as 0.01 or a share such as 2%, 0 or more, not {given!r}")
        return cls(number / 100, True) if text.endswith("%") else cls(number)

    def of(self, figure: float) -> float:
        """The amount that is tolerated where the baseline has this figure."""
        return self.amount * abs(figure) if self.relative else self.amount


Tolerances = float | str | Mapping[str, float | str]
"""One tolerance for all measures, or one for each; under the name ``""`` the one of all others."""


@dataclass(frozen=True)
class GuardedMeasure:
    """One measure of the run beside that of the baseline."""

    measure: str
    direction: int
    """+1 if high values are good, −1 if low ones are."""
    baseline: float
    """The mean over the topics that both have."""
    run: float
    difference: float
    """run − baseline."""
    low: float
    """Bounds of the difference, one-sided each: 1 − alpha of such bounds lie on the right side of the truth."""
    high: float
    spread: float
    """Standard deviation of the differences over topics."""
    tolerance: float
    """How much worse the run may be, in the measure's own unit."""
    p_not_worse: float
    """One-sided p of the test that the run is not worse by the tolerance or more: small lets it pass."""
    p_worse: float
    """One-sided p of the test that it is worse by more than the tolerance, as it is."""
    p_worse_corrected: float
    """The same, corrected for the number of measures: small lets it fail."""
    verdict: str
    """``pass``, ``fail`` or ``undecided``."""
    wins: int
    ties: int
    losses: int
    topics_needed: int | None
    """Topics that would decide with the difference and spread seen here; None if decided, or if no number would do."""
    topics_if_equal: int | None
    """Topics with which a run that is as good as the baseline would pass; None with a tolerance of 0."""
    detectable: float
    """A loss beyond the tolerance that would be found with these topics and the given power."""
    topics: tuple[TopicGain, ...]
    """The value of every topic, of the baseline and of the run."""

    @property
    def gain(self) -> float:
        """Gain of the run: the difference, with the sign reversed where low values are good."""
        return self.direction * self.difference

    @property
    def worst_gain(self) -> float:
        """The one-sided bound below which the gain is not."""
        return min(self.direction * self.low, self.direction * self.high)

    def most_lost(self, most: int) -> list[TopicGain]:
        """The topics that lose most by the run, the worst first."""
        order = sorted(self.topics, key=lambda topic: self.direction * topic.difference)
        return [topic for topic in order if self.direction * topic.difference < 0][:most]


@dataclass(frozen=True)
class GuardResult(Result):
    """The verdict of a gate on a run, and the evidence for it."""

    baseline: str
    run: str
    verdict: str
    """``fail`` if a measure fails, ``pass`` if all pass, otherwise ``undecided``."""
    topics: int
    test: str
    correction: str
    alpha: float
    power: float
    measures: tuple[GuardedMeasure, ...]
    coverage: Mapping[str, Coverage]
    """What the judgments cover of the baseline and of the run, where they are runs."""
    left_out: tuple[str, ...] = ()
    """Which of the two answers too few of the judged topics for any verdict; then no measure is compared."""
    notes: tuple[Note, ...] = ()

    @property
    def passed(self) -> bool:
        return self.verdict == PASS

    @property
    def exit_code(self) -> int:
        """0 if the run passes, 1 if it fails, 3 if the topics are too few to decide."""
        return EXIT_CODES[self.verdict]

    def conclusion(self) -> str:
        """The verdict in a few sentences."""
        from ..core.presentation import conclusion_of

        return conclusion_of(self)


def guard_scores(
    scores: Scores,
    measures: Sequence[str],
    *,
    tolerance: Tolerances = 0.0,
    test: str = "t",
    correction: str = "holm",
    alpha: float = ALPHA,
    power: float = POWER,
    least_coverage: float = 0.0,
    rng: np.random.Generator | None = None,
    coverage: Mapping[str, Coverage] | None = None,
    notes: Sequence[Note] = (),
) -> GuardResult:
    """Compare the second system of the scores with the first, its baseline, on every measure.

    There is no verdict if one of them is a run that answers no judged topic, or less than a share of them. ``coverage``
    is that of the scores unless it is given.
    """
    baseline, run = scores.systems
    component, corrected = paired_tests.parse(test), corrections.parse(correction)
    for name, value, high in (("alpha", alpha, 0.5), ("power", power, 1.0)):
        if not 0 < value < high:
            raise SpecError(f"{name} lies between 0 and {high:g}, not {value}")
    allowed = tolerances_of(tolerance, measures)
    covered = coverage_by_system(scores) if coverage is None else coverage
    left_out = tuple(uncovered_systems(covered, least_coverage))
    compared = [] if left_out else measures
    seed = 0 if rng is None else int(rng.integers(2**63))
    tested = [
        _Tested.of(scores, name, allowed[name], component, alpha, np.random.default_rng(seed)) for name in compared
    ]
    p_worse = corrected(np.array([each.p_worse for each in tested]))
    guarded = tuple(
        each.guarded(p, alpha, power, scores.topics) for each, p in zip(tested, p_worse.tolist(), strict=True)
    )
    verdicts = {each.verdict for each in guarded}
    return GuardResult(
        baseline=baseline,
        run=run,
        verdict=FAIL if FAIL in verdicts else PASS if verdicts == {PASS} else UNDECIDED,
        topics=len(scores.topics),
        test=str(component),
        correction=str(corrected),
        alpha=alpha,
        power=power,
        measures=guarded,
        coverage=dict(covered),
        left_out=left_out,
        notes=tuple(notes),
    )


def tolerances_of(given: Tolerances, measures: Sequence[str]) -> dict[str, Tolerance]:
    """The tolerance of each measure."""
    if not isinstance(given, Mapping):
        return dict.fromkeys(measures, Tolerance.parse(given))
    for name in given:
        if name and name not in measures:
            raise SpecError(f"a tolerance for {name!r}, which is not measured{did_you_mean(name, list(measures))}")
    return {name: Tolerance.parse(given.get(name, given.get("", 0.0))) for name in measures}


class _Tested(NamedTuple):
    """A measure with its one-sided p; those of being worse still have to be corrected."""

    measure: str
    direction: int
    baseline: Floats
    run: Floats
    tolerance: float
    p_not_worse: float
    p_worse: float
    bounds: tuple[float, float]
    """Of the gain."""

    @classmethod
    def of(
        cls,
        scores: Scores,
        measure: str,
        tolerance: Tolerance,
        test: PairedTest,
        alpha: float,
        rng: np.random.Generator,
    ) -> _Tested:
        values, direction = complete_matrix(scores, measure, least=2), better(scores, measure)
        baseline, run = values
        allowed = tolerance.of(float(baseline.mean()))
        shifted = np.array([direction * run + allowed, direction * baseline])
        pairs = np.array([[0, 1]])
        p, low, high = (float(each[0]) for each in test.with_interval(shifted, pairs, 1 - 2 * alpha, rng))
        favours = int(test.favours(shifted, pairs)[0])
        likely, unlikely = p / 2, 1 - p / 2
        not_worse, worse = (likely, unlikely) if favours > 0 else (unlikely, likely) if favours < 0 else (0.5, 0.5)
        bounds = (low - allowed, high - allowed)
        return cls(measure, direction, baseline, run, allowed, not_worse, worse, bounds)

    def guarded(self, p_worse: float, alpha: float, power: float, names: Sequence[str]) -> GuardedMeasure:
        gaps = self.direction * (self.run - self.baseline)
        same = bool((self.run == self.baseline).all())
        gain, spread = float(gaps.mean()), 0.0 if bool((gaps == gaps[0]).all()) else float(gaps.std(ddof=1))
        verdict = PASS if same or self.p_not_worse < alpha else FAIL if p_worse < alpha else UNDECIDED
        beyond = gain + self.tolerance
        needed = topics_for(abs(beyond), spread, alpha, power) if verdict == UNDECIDED else None
        low, high = sorted(self.direction * bound for bound in self.bounds)
        won, lost = int((gaps > 0).sum()), int((gaps < 0).sum())
        both = zip(names, self.baseline.tolist(), self.run.tolist(), strict=True)
        return GuardedMeasure(
            measure=self.measure,
            direction=self.direction,
            baseline=float(self.baseline.mean()),
            run=float(self.run.mean()),
            difference=self.direction * gain + 0.0,
            low=low,
            high=high,
            spread=spread,
            tolerance=self.tolerance,
            p_not_worse=self.p_not_worse,
            p_worse=self.p_worse,
            p_worse_corrected=p_worse,
            verdict=verdict,
            wins=won,
            ties=len(gaps) - won - lost,
            losses=lost,
            topics_needed=None if needed is None else max(needed, len(gaps) + 1),
            topics_if_equal=topics_for(self.tolerance, spread, alpha, power),
            detectable=detectable_margin(spread, len(gaps), alpha, power),
            topics=tuple(TopicGain(*each) for each in both),
        )


class PairedSystems(NamedTuple):
    """A baseline and a run in one table of scores."""

    scores: Scores
    coverage: dict[str, Coverage]
    notes: tuple[Note, ...]
    """On topics that only one of them has."""


def join_systems(baseline: Scores, run: Scores, measures: Sequence[str], *, common: bool) -> PairedSystems:
    """The scores of both as one table over the topics that both have.

    A topic that the run lacks may be one on which it broke down, so it is an error unless ``common`` topics will do.
    """
    notes: list[Note] = []
    known_before, known_now = (_known_topics(scores, measures) for scores in (baseline, run))
    lacking = [topic for topic in baseline.topics if topic in known_before - known_now]
    if lacking and not common:
        more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
        what = f"{run.systems[0]} has no value on topic {lacking[0]}{more}, which {baseline.systems[0]} has"
        raise DataError(f"{what}: --common compares on the topics that both have")
    for scores, alone in ((baseline, known_before - known_now), (run, known_now - known_before)):
        if rest := [topic for topic in scores.topics if topic in alone]:
            notes.append(Note.of("topics_of_one_only", scores.systems[0], topics=rest))
    topics = [topic for topic in run.topics if topic in known_before & known_now]
    if not topics:
        raise DataError(f"{baseline.systems[0]} and {run.systems[0]} have no topic in common")
    values = np.concatenate([_block(scores, topics, measures) for scores in (baseline, run)])
    columns = tuple(next(c for c in run.columns if c.name == name) for name in measures)
    names = (baseline.systems[0], run.systems[0])
    if names[0] == names[1]:
        names = f"{names[0]} (baseline)", f"{names[1]} (run)"
    covered = {name: scores.coverage[0] for name, scores in zip(names, (baseline, run), strict=True) if scores.coverage}
    return PairedSystems(Scores(values, names, tuple(topics), columns), covered, tuple(notes))


def _known_topics(scores: Scores, measures: Sequence[str]) -> set[str]:
    places = [scores.measures.index(name) for name in measures]
    known = ~np.isnan(scores.values[0][:, places]).any(axis=1)
    return {topic for topic, here in zip(scores.topics, known.tolist(), strict=True) if here}


def _block(scores: Scores, topics: Sequence[str], measures: Sequence[str]) -> Any:
    place = {topic: t for t, topic in enumerate(scores.topics)}
    rows = [place[topic] for topic in topics]
    columns = [scores.measures.index(name) for name in measures]
    return scores.values[:1][:, rows][:, :, columns]
