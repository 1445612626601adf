"""Verbs on scores: other averages, comparisons, rank correlation, and how far conclusions can be relied on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..comparison import equivalence as practice
from ..comparison import judge_agreement as agreeing
from ..comparison import rank_groups as ranking
from ..comparison import topic_design as planning
from ..comparison.comparisons import Comparisons, compare_measures
from ..comparison.reliability import discriminative_power as powers
from ..comparison.reliability import pseudo_judgments as pseudo
from ..comparison.reliability import swap_rate as swaps
from ..comparison.scale import halves
from ..comparison.scale import sensitivity as scales
from ..comparison.verdict import ALPHA
from ..core.arguments import is_file, is_frame, listed, type_name
from ..core.average import averages as registered_averages
from ..core.errors import SpecError, WrongTypeError
from ..core.judging import USUAL, Judging
from ..core.likes import Measures, QrelsLike, RunsLike, ScoresLike, Seed, generator_of
from ..core.nuggets import NuggetAssignments
from ..core.progress import SILENT, Listener
from ..core.scores import Scores
from ..correlation.ranking_pairs import DEFAULT, Correlations, Draws, correlate_rankings, correlate_systems
from ..correlation.uncertainty import Ranked
from ..evaluation import averaging
from ..evaluation.averaging import Averages, one_measure, scores_by
from ..evaluation.measuring import name_in
from ..evaluation.score_columns import columns
from ..formats.nuggets import read_nuggets
from ..formats.rankings import read_ranking
from ..formats.scores import read_scores
from ..formats.source import open_source


def nuggets(sources: Any, *, complete: bool = False) -> Scores:
    """Score answers by their nuggets: vital, weighted and all, strict and lenient, as the RAG track of TREC does it.

    Args:
        sources: what :func:`read_nuggets` takes, a list of files, or {system: file}.
        complete: count topics that a system does not answer, as 0.

    >>> good, part = ({"text": text, "importance": "vital", "assignment": how} for text, how in
    ...               (("first", "support"), ("second", "partial_support")))
    >>> nuggets([{"qid": "1", "run_id": "mine", "nuggets": [good, part]}]).mean()["mine"]["vital_score"]
    0.75
    """
    if isinstance(sources, Mapping):
        read = [read_nuggets(source, name=str(name)) for name, source in sources.items()]
    elif isinstance(sources, list | tuple) and not all(isinstance(each, Mapping) for each in sources):
        read = [read_nuggets(source) for source in sources]
    else:
        read = [read_nuggets(sources)]
    return NuggetAssignments.join(read).scores(complete=complete)


def average(
    scores: ScoresLike,
    measures: Measures | None = None,
    by: str | Sequence[str] = averaging.DEFAULT,
    *,
    raw: bool = False,
) -> Averages:
    """Average scores over topics in other ways than the mean: geometric, logit, median, the worst quarter and more.

    Args:
        scores: what :func:`measure` returns, a path, a frame, or {system: {topic: value}}.
        measures: which of the measures; all of them if none are named.
        by: specs of averages or transformations, such as ``["mean", "log(eps=1e-5)", "worst(share=0.25)"]``.
        raw: leave means under a transformation on the transformed scale.

    >>> average({"a": {"1": 0.5, "2": 0.125}}, by=["mean", "gm"])["a", "value", "gm"]
    0.25
    """
    known, names = scores_by(scores, measures)
    return averaging.average(known, names, by, raw=raw)


def compare(
    scores: ScoresLike,
    measures: Measures | None = None,
    *,
    baselines: str | Sequence[str] = (),
    tests: str | Sequence[str] = ("t",),
    correction: str = "holm",
    by: str = "mean",
    confidence: float = 0.95,
    least_coverage: float = 0.0,
    seed: Seed = 0,
) -> Comparisons:
    """Compare systems by paired tests: differences with intervals, effect sizes, raw and corrected p, wins and losses.

    Args:
        scores: what :func:`measure` returns, a path, a frame, or {system: {topic: value}}.
        measures: which of the measures; all of them if none are named.
        baselines: systems that all others are compared with; without any, all pairs are compared.
        tests: specs of paired tests, such as ``["t", "randomisation(samples=100000)"]``; the first one also makes the
            intervals.
        correction: how p is corrected for the number of pairs, within each measure: holm, bh, bonferroni or none.
        by: ``mean``, or a transformation such as ``log(eps=1e-5)`` on whose scale values are compared.
        confidence: of the intervals.
        least_coverage: systems whose runs answer less than this share of the judged topics are left out.
        seed: a whole number or a generator, for tests that draw at random.

    >>> result = compare({"a": {"1": 0.5, "2": 0.4, "3": 0.6}, "b": {"1": 0.1, "2": 0.2, "3": 0.1}})
    >>> [(d.a, d.b, round(d.difference, 3), d.wins) for d in result.differences]
    [('a', 'b', 0.367, 3)]
    """
    known, names = scores_by(scores, measures)
    return compare_measures(
        known,
        names,
        baselines=listed(baselines, "baselines"),
        tests=listed(tests, "tests"),
        correction=correction,
        by=by,
        confidence=confidence,
        least_coverage=least_coverage,
        rng=generator_of(seed),
    )


def correlate(
    x: Any,
    y: Any = None,
    by: str | Sequence[str] = DEFAULT,
    *,
    measures: Measures | None = None,
    averages: str | Sequence[str] = (),
    ranks: bool = False,
    within: float | tuple[float, float] = 0.0,
    resolve: str = "pairs",
    over: str | None = None,
    samples: int | None = None,
    permutations: int | None = None,
    confidence: float = 0.95,
    seed: Seed = 0,
    progress: Listener = SILENT,
) -> Correlations:
    """Correlate rankings: Kendall's tau, AP correlation, rank-biased overlap and others, with ties, intervals and p.

    Args:
        x: a ranking (scores in a list, {item: score}, ids from best to worst, a series of pandas, or a file), or scores
            of several measures, whose rankings of the systems are then correlated with each other.
        y: the second ranking, of the same items; None if ``x`` is a table of scores.
        by: specs of coefficients, such as ``["tau_b", "tau_ap_b", "rbo(p=0.9)"]``.
        measures: which measures of the scores; all of them if none are named.
        averages: how they are averaged, such as ``["mean", "gm"]``; each measure's own average if none are named.
        ranks: numbers are ranks, 1 being the best, and not scores.
        within: items that differ by less are tied.
        resolve: what is made of such ties, which are not transitive: pairs, leader or chain.
        over: what the bootstrap draws: ``topics`` (usual for scores) or ``items``.
        samples: bootstrap samples for the interval, 0 for none; None draws 1000, fewer of many items.
        permutations: random orders for p, 0 for none; None draws 1000, fewer of many items.
        confidence: of the interval.
        seed: a whole number or a generator.
        progress: hears how far it is.

    >>> correlate([3, 2, 1], [3, 1, 2], "tau_b", samples=0, permutations=0).value
    0.33333333333333337
    """
    specs, draws = listed(by, "by"), Draws(within, resolve, samples, permutations, confidence, seed)
    if y is not None:
        first, second = (_ranking(side, name) for side, name in ((x, "x"), (y, "y")))
        return correlate_rankings(first, second, specs, draws, ranks=ranks, progress=progress)
    if not (isinstance(x, Scores | Mapping) or is_frame(x) or is_file(x)):
        raise WrongTypeError(f"x must be scores of several measures if there is no y, not {type_name(x)}")
    known, names = scores_by(x, measures)
    ways: list[str | None] = [str(_parse_average(spec)) for spec in listed(averages, "averages")]
    rankings = [Ranked(name, way) for name in names for way in (ways or [None])]
    return correlate_systems(known, rankings, specs, draws, over=over, progress=progress)


def _parse_average(spec: str) -> Any:
    return registered_averages.parse(spec)


def _ranking(side: Any, name: str) -> Any:
    """A ranking from a file, or as it was given."""
    if isinstance(side, Scores):
        raise WrongTypeError(f"{name} must be a ranking, not scores: give the scores alone to correlate their measures")
    return read_ranking(open_source(side)) if is_file(side) else side


def equivalence(
    scores: ScoresLike,
    measure: str | None = None,
    *,
    rope: float = 0.01,
    method: str = "bayesian_signed_rank",
    baselines: str | Sequence[str] = (),
    correction: str = "holm",
    alpha: float = ALPHA,
    least_coverage: float = 0.0,
    seed: Seed = 0,
) -> practice.Equivalence:
    """Say of pairs of systems how far one is better, practically equivalent or worse.

    Args:
        scores: what :func:`measure` returns, a path, a frame, or {system: {topic: value}}.
        measure: which of the measures; not needed if there is only one.
        rope: the largest difference that does not matter.
        method: ``bayesian_signed_rank``, ``bayesian_t`` or ``tost``.
        baselines: compare every system with these only.
        correction: of methods that give p, for the number of pairs.
        alpha: a verdict takes a probability of 1 − alpha or more, or a p below alpha.
        least_coverage: systems whose runs answer less than this share of the judged topics are left out.
        seed: of what is drawn at random.

    >>> equivalence({"a": {"1": 0.5, "2": 0.4}, "b": {"1": 0.1, "2": 0.0}}, method="bayesian_t").pairs[0].verdict
    'better'
    """
    known, name = one_of(scores, measure)
    return practice.equivalence(
        known,
        name,
        rope=rope,
        method=method,
        baselines=listed(baselines, "baselines"),
        correction=correction,
        alpha=alpha,
        least_coverage=least_coverage,
        rng=generator_of(seed),
    )


def topics_needed(
    scores: ScoresLike | None = None,
    measure: str | None = None,
    *,
    track: str = "",
    variance: float | None = None,
    difference: float = 0.05,
    systems: int | None = None,
    alpha: float = ALPHA,
    power: float = planning.POWER,
    least_coverage: float = 0.0,
) -> planning.TopicDesign:
    """Plan how many topics it takes to find a difference, from a pilot, a known track or a variance.

    Args:
        scores: of a pilot: what :func:`measure` returns, a path, a frame, or {system: {topic: value}}.
        measure: which of the measures of the pilot; not needed if there is only one.
        track: a track of TREC instead of a pilot, such as ``robust2004/ap``.
        variance: a variance of scores without system and topic effects, instead of a pilot.
        difference: the smallest difference of means to find; also the width of an interval.
        systems: how many systems; as many as the pilot has, else 2.
        alpha: the level of the tests.
        power: the probability to find the difference.
        least_coverage: systems whose runs answer less than this share of the judged topics are left out.

    >>> topics_needed(variance=0.02, difference=0.05).by_t
    128
    """
    if sum(given is not None and given != "" for given in (scores, track, variance)) != 1:
        raise SpecError("give one of scores of a pilot, a track and a variance")
    if scores is not None:
        known, name = one_of(scores, measure)
        return planning.design_from_pilot(
            known,
            name,
            systems=systems,
            least_coverage=least_coverage,
            difference=difference,
            alpha=alpha,
            power=power,
        )
    source, of = (track, planning.track_variance(track).variance) if track else ("given", variance)
    return planning.design_topics(
        float(of or 0.0),
        measure=track.partition("/")[2],
        source=source,
        difference=difference,
        systems=systems or 2,
        alpha=alpha,
        power=power,
    )


def compare_judges(
    judges: Mapping[str, QrelsLike],
    runs: RunsLike | None = None,
    measure: str = "ap",
    *,
    group: str | Sequence[str] = (),
    common: bool = False,
    judging: Judging = USUAL,
    samples: int = 1000,
    seed: Seed = 0,
) -> agreeing.JudgeComparison:
    """Compare judges: agreement, kappa and alpha, and how runs are ranked under each of them.

    Args:
        judges: {name: judgments}, two or more: values of adjudge, paths, dicts or frames.
        runs: runs to rank under each judge, as :func:`measure` takes them.
        measure: the measure to rank runs by.
        group: names or patterns (``llm-*``) of systems that a judge may favour over the others.
        common: whether two judges rank runs by the documents alone that both judged, so that only grades differ.
        judging: how runs are judged; its ``level`` also says which grades are relevant.
        samples: samples of topics for the intervals.
        seed: of what is drawn at random.

    >>> compare_judges({"a": {"1": {"x": 1, "y": 0}}, "b": {"1": {"x": 1, "y": 0}}}).pairs[0].kappa["none"].value
    1.0
    """
    rng = generator_of(seed)
    return agreeing.compare_judges(
        judges, runs, measure, group=group, common=common, judging=judging, samples=samples, rng=rng
    )


def rank_groups(
    scores: ScoresLike,
    measure: str | None = None,
    *,
    test: str = "t",
    correction: str = "holm",
    alpha: float = ALPHA,
    samples: int = ranking.SAMPLES,
    least_coverage: float = 0.0,
    seed: Seed = 0,
) -> ranking.RankGroups:
    """Rank systems by a measure, with groups that do not differ significantly and intervals of their ranks.

    Args:
        scores: what :func:`measure` returns, a path, a frame, or {system: {topic: value}}.
        measure: which of the measures; not needed if there is only one.
        test: the paired test of all pairs, such as ``t``, ``randomisation`` or ``tukey``.
        correction: what is done to p for the number of pairs; ``tukey`` needs none.
        alpha: the level of the decisions; intervals hold the true ranks with 1 − alpha.
        samples: samples of topics for the bootstrap intervals.
        least_coverage: systems whose runs answer less than this share of the judged topics are left out.
        seed: of what is drawn at random.

    >>> rank_groups({"a": {"1": 0.5, "2": 0.4}, "b": {"1": 0.1, "2": 0.0}}).best
    ('a',)
    """
    known, name = one_of(scores, measure)
    return ranking.rank_groups(
        known,
        name,
        test=test,
        correction=correction,
        alpha=alpha,
        samples=samples,
        least_coverage=least_coverage,
        rng=generator_of(seed),
    )


def sensitivity(
    scores: ScoresLike, measure: str | None = None, *, steps: int = 20, least_coverage: float = 0.0
) -> scales.Sensitivity:
    """Try many transformations of the scale, and say which pairs of systems change places under one of them.

    Args:
        scores: what :func:`measure` returns, a path, a frame, or {system: {topic: value}}.
        measure: which of the measures; not needed if there is only one.
        steps: steps of a power to the unit.
        least_coverage: systems whose runs answer less than this share of the judged topics are left out.

    >>> sensitivity({"a": {"1": 0.5, "2": 0.4}, "b": {"1": 0.1, "2": 0.2}}).stable
    1
    """
    known, name = one_of(scores, measure)
    return scales.sensitivity(known, name, steps=steps, least_coverage=least_coverage)


def boost_halves(
    scores: ScoresLike, boost: float, measure: str | None = None, by: str | Sequence[str] = halves.USUAL
) -> halves.BoostedHalves:
    """Show what each average makes of a boost to the lower or to the upper half of the topics.

    Args:
        scores: what :func:`measure` returns, a path, a frame, or {system: {topic: value}}.
        boost: what is added to the values.
        measure: which of the measures; not needed if there is only one.
        by: the averages.

    >>> boost_halves({"a": {"1": 0.5, "2": 0.1}}, 0.1, by="mean").rows["a"][0].low
    0.35
    """
    known, name = one_of(scores, measure)
    return halves.boost_halves(known, name, boost, listed(by, "by"))


def swap_rate(
    scores: ScoresLike,
    measure: str | None = None,
    *,
    sizes: Sequence[int] | None = None,
    trials: int = 1000,
    width: float = 0.01,
    bins: int = 21,
    least_coverage: float = 0.0,
    seed: Seed = 0,
    progress: Listener = SILENT,
) -> swaps.SwapRate:
    """Estimate how often other topics would reverse the order of two systems, by topic-set size and difference.

    Args:
        scores: what :func:`measure` returns, a path, a frame, or {system: {topic: value}}.
        measure: which of the measures; not needed if there is only one.
        sizes: numbers of topics in a set; 1, 5, 10 … and half of all if none are named.
        trials: pairs of topic sets that are drawn for each size.
        width: the width of a bin of differences.
        bins: how many bins there are, the last of which is open.
        least_coverage: systems whose runs answer less than this share of the judged topics are left out.
        seed: a whole number or a generator.
        progress: hears how far it is.

    >>> values = {s: {str(t): (t * k) % 7 / 7 for t in range(8)} for s, k in (("a", 2), ("b", 3))}
    >>> swap_rate(values, trials=50).sizes
    (1, 4)
    """
    known, name = one_of(scores, measure)
    return swaps.swap_rate(
        known,
        name,
        sizes=sizes,
        trials=trials,
        width=width,
        bins=bins,
        least_coverage=least_coverage,
        rng=generator_of(seed),
        progress=progress,
    )


def discriminative_power(
    scores: ScoresLike,
    measures: Measures | None = None,
    *,
    alpha: float = 0.05,
    test: str = "bootstrap(samples=1000)",
    least_coverage: float = 0.0,
    seed: Seed = 0,
    progress: Listener = SILENT,
) -> powers.DiscriminativePowers:
    """Count the pairs of systems that each measure finds to differ, and the difference that this takes.

    Args:
        scores: what :func:`measure` returns, a path, a frame, or {system: {topic: value}}.
        measures: which of the measures; all of them if none are named.
        alpha: p below it is significant.
        test: the spec of a paired test.
        least_coverage: systems whose runs answer less than this share of the judged topics are left out.
        seed: a whole number or a generator.
        progress: hears of every measure.

    >>> values = {"a": {str(t): 0.9 for t in range(5)}, "b": {str(t): 0.1 * t for t in range(5)}}
    >>> discriminative_power(values, test="t")[0].significant
    1
    """
    known, names = scores_by(scores, measures)
    return powers.discriminative_power(
        known,
        names,
        alpha=alpha,
        test=test,
        least_coverage=least_coverage,
        rng=generator_of(seed),
        progress=progress,
    )


def pseudo_judgments(
    runs: RunsLike,
    measure: str = "ap",
    *,
    qrels: QrelsLike | None = None,
    depth: int = 100,
    trials: int = 50,
    share: float | None = None,
    sd: float | None = None,
    distinct: bool = False,
    level: int = USUAL.level,
    judged_only: bool = USUAL.judged_only,
    complete: bool = USUAL.complete,
    seed: Seed = 0,
    progress: Listener = SILENT,
) -> pseudo.PseudoJudgments:
    """Rank systems without judgments: random documents of the pool are taken for relevant, many times.

    Args:
        runs: at least two runs, as :func:`measure` takes them.
        measure: the spec of a measure.
        qrels: real judgments, to learn the share of relevant documents from and to compare the ranking with.
        depth: how many documents of each run are in the pool.
        trials: how often judgments are drawn.
        share: the share of the pool that is relevant; as in ``qrels``, or 0.05.
        sd: the standard deviation of that share over topics; as in ``qrels``, or 0.03.
        distinct: draw all documents alike, however many runs have them.
        level: the lowest grade of ``qrels`` that counts as relevant.
        judged_only: drop unjudged documents first.
        complete: count topics for which a run has nothing, as 0.
        seed: a whole number or a generator.
        progress: hears of every trial.

    >>> runs = {name: {"1": {d: 1.0 / i for i, d in enumerate(order, 1)}} for name, order in (("a", "xy"), ("b", "yz"))}
    >>> len(pseudo_judgments(runs, share=0.5, sd=0, trials=5).per_trial)
    5
    """
    if len(columns(measure)) != 1:
        raise SpecError("one measure at a time, please")
    return pseudo.pseudo_judgments(
        runs,
        measure,
        depth=depth,
        trials=trials,
        share=share,
        sd=sd,
        like=qrels,
        duplicates=not distinct,
        judging=Judging(level=level, judged_only=judged_only, complete=complete),
        rng=generator_of(seed),
        progress=progress,
    )


def one_of(scores: ScoresLike, measure: str | None) -> tuple[Scores, str]:
    """Scores, and the measure that is meant: the one that was named, or the only one."""
    if measure is not None and not isinstance(measure, str):
        raise WrongTypeError(f"measure must be one string such as 'ap', not {type_name(measure)}")
    if measure is None:
        known = read_scores(scores)
        return known, one_measure(known.measures)
    known = read_scores(scores, measure=measure)
    return known, name_in(known, "the scores", measure)
