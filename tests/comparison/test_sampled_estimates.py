"""Estimates from samples: equal to the measures if all is judged, unbiased by simulation, infAP as trec_eval has it."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.comparison.judge_agreement import Estimate
from adjudge.comparison.measure_parts import estimable, shape_of
from adjudge.comparison.measure_ranges import cut
from adjudge.comparison.sample_means import interval, moments
from adjudge.comparison.sampled_cells import CellSample, MeasureParts
from adjudge.comparison.sampled_estimates import HELD, cell_samples, ranks_of
from adjudge.comparison.unseen_relevance import Denominator
from adjudge.core.errors import DataError, SpecError
from adjudge.core.measure import SHARE, measures
from adjudge.core.sampled import SampledQrels
from adjudge.evaluation.judgment_sets import sample_qrels
from recorder import Recorder

SPECS = ["p@5", "p@20", "recall@20", "ap", "ap@10", "ndcg@10", "ndcg", "ndcg@5(gains=exp)", "dcg@20"]
SPECS += ["rbp(p=0.8, rel=1)", "rbp(p=0.5, top=2)", "rbp(top=0)"]
TOPICS, POOL = 6, 60


def world(seed: int = 0) -> tuple[Any, Any, Any]:
    """Judgments of people, of a machine that errs, and two runs."""
    rng = np.random.default_rng(seed)
    people: dict[str, dict[str, int]] = {}
    machine: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {"good": {}, "poor": {}}
    for t in map(str, range(TOPICS)):
        quality = rng.normal(size=POOL)
        people[t] = {f"d{d}": int(np.digitize(quality[d], [0.7, 1.4])) for d in range(POOL)}
        seen = quality + rng.normal(size=POOL) * 0.4 + 0.2
        machine[t] = {f"d{d}": int(np.digitize(seen[d], [0.7, 1.4])) for d in range(POOL)}
        for name, noise in (("good", 0.7), ("poor", 2.0)):
            scores = quality + rng.normal(size=POOL) * noise
            runs[name][t] = {f"d{d}": float(scores[d]) for d in range(POOL) if rng.random() < 0.9}
    return people, machine, runs


def whole(people: Any) -> SampledQrels:
    return sample_qrels(adjudge.read_qrels(people), 1.0, np.random.default_rng(0))


def test_with_all_judged_an_estimate_is_the_measure() -> None:
    people, machine, runs = world()
    truth = adjudge.measure(people, runs, SPECS).mean()
    for helper in (None, machine):
        result = adjudge.estimate(whole(people), runs, SPECS, machine=helper)
        for row in result.rows:
            assert row.estimate.value == pytest.approx(truth[row.system][row.measure], abs=1e-12)
            assert row.estimate.high - row.estimate.low < 1e-6


def test_a_machine_alone_is_its_own_measure() -> None:
    people, machine, runs = world()
    alone = adjudge.measure(machine, runs, SPECS).mean()
    for row in adjudge.estimate(whole(people), runs, SPECS, machine=machine).rows:
        assert row.machine == pytest.approx(alone[row.system][row.measure], abs=1e-12)


def test_infap_is_that_of_trec_eval_and_xinfap_extends_it() -> None:
    people, _, runs = world(2)
    sample = sample_qrels(adjudge.read_qrels(people), 0.4, np.random.default_rng(1))
    plain = adjudge.Qrels(sample.topics, sample.offsets, sample.documents, sample.grades)
    expected = adjudge.measure(plain, runs, "infap", complete=True).mean()
    theirs = adjudge.trec_eval(plain, runs["good"], "infAP", complete=True).text().split()[-1]
    assert f"{expected['good']['infap']:.4f}" == theirs
    result = adjudge.estimate(sample, runs, "xinfap")
    for row in result.rows:
        assert row.estimate.value == pytest.approx(expected[row.system]["infap"], abs=1e-12)


def all_samples(people: Any) -> Any:
    """Every way to draw 2 of the last 4 documents of both topics; the first 2 of each are judged."""
    from itertools import combinations, product

    whole = adjudge.read_qrels(people)
    strata = np.tile(np.array([0, 0, 1, 1, 1, 1], np.int32), 2)
    for left in product(combinations(range(2, 6), 2), repeat=2):
        grades = np.asarray(whole.grades, np.int32).copy()
        for t, drawn in enumerate(left):
            for d in set(range(2, 6)) - set(drawn):
                grades[6 * t + d] = -1
        yield SampledQrels.of_rows(whole.topics, whole.offsets, whole.documents, grades, strata)


SMALL = {"1": dict(zip("abcdef", (1, 0, 2, 0, 1, 0))), "2": dict(zip("abcdef", (0, 0, 1, 1, 2, 0)))}  # noqa: B905
CLAIMS = {"1": dict(zip("abcdef", (1, 1, 1, 0, 0, 0))), "2": dict(zip("abcdef", (0, 0, 1, 0, 2, 1)))}  # noqa: B905
ORDER = {"1": dict(zip("cabfed", range(9, 3, -1))), "2": dict(zip("ebacd", range(9, 4, -1)))}  # noqa: B905


@pytest.mark.parametrize("helped", [False, True])
def test_sums_are_unbiased_over_all_samples(helped: bool) -> None:
    """The mean over all 36 samples is the measure, to the last digits, whatever the machine says."""
    specs = ["p@3", "dcg@5", "rbp(p=0.8, rel=1)", "rbp(p=0.5, top=2)"]
    truth = adjudge.measure(SMALL, {"run": ORDER}, specs).mean()["run"]
    found: dict[str, list[float]] = {spec: [] for spec in specs}
    for sample in all_samples(SMALL):
        for row in adjudge.estimate(sample, {"run": ORDER}, specs, machine=CLAIMS if helped else None).rows:
            found[row.measure].append(row.estimate.value)
    for spec in specs:
        assert len(found[spec]) == 36
        assert np.mean(found[spec]) == pytest.approx(truth[spec], abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("helped", [False, True])
def test_the_numerator_of_average_precision_is_unbiased_over_all_samples(helped: bool) -> None:
    """Pairs count by the probability that both were drawn."""
    run = adjudge.read_run(ORDER)
    shape = MeasureParts(lambda grades: (grades > 0).astype(float), lambda ranks: 1 / ranks, pairs=True)
    truth = adjudge.measure(SMALL, {"run": ORDER}, ["ap", "num_rel"])
    wanted = float((truth.values[0, :, 0] * truth.values[0, :, 1]).mean())
    found = []
    for sample in all_samples(SMALL):
        ranks = ranks_of(run, sample)
        said = np.array([g for own in CLAIMS.values() for g in own.values()], np.int64) if helped else None
        topics = cell_samples(sample, ranks, np.asarray(sample.grades, np.int64), said)
        found.append(float(moments(topics, shape).value[0]))
    assert np.mean(found) == pytest.approx(wanted, abs=1e-12)


def test_an_estimate_beyond_the_measure_is_noted() -> None:
    people = {"1": {f"d{d}": int(d < 2) for d in range(20)}}
    run = {"run": {"1": {f"d{d}": float(-d) for d in range(20)}}}
    whole = adjudge.read_qrels(people)
    grades = np.asarray(whole.grades, np.int32).copy()
    grades[10:] = -1
    sample = SampledQrels.of_rows(whole.topics, whole.offsets, whole.documents, grades, np.zeros(20, np.int32))
    (note,) = adjudge.estimate(sample, run, "p@2").notes
    assert (note.kind, note["system"], note["measure"], note["value"], note["limit"]) == (
        *("estimate_beyond", "run", "p@2"),
        *(pytest.approx(2.0), 1.0),
    )


def many(topic: CellSample, human: Any, said: Any, samples: int, rng: np.random.Generator) -> CellSample:
    """A topic in many samples of a third, all documents in one stratum."""
    keys = rng.random((samples, len(human)))
    drawn = keys <= np.sort(keys, axis=1)[:, [len(human) // 3 - 1]]
    places = np.flatnonzero((human > 0) | (said > 0))
    inside = (topic.pool_cell[:, None] == np.arange(len(topic.size))[None, :]).astype(float)
    return replace(
        topic,
        taken=drawn @ inside,
        cell=topic.pool_cell[places],
        grade=human[places],
        said=said[places],
        rank=topic.pool_rank[places],
        drawn=drawn[:, places].astype(float),
    )


@pytest.mark.parametrize("helped", [False, True])
@pytest.mark.parametrize("spec", ["ap", "ndcg@10", "recall@20", "p@20"])
def test_intervals_hold_where_the_truth_is_known(helped: bool, spec: str) -> None:
    """A third of the documents, 100 times; experiments/pool_estimates.py draws thousands."""
    people, machine, runs = world(4)
    truth = adjudge.measure(people, {"good": runs["good"]}, [spec]).mean()["good"][spec]
    sample, rng = whole(people), np.random.default_rng(8)
    ranks, human = ranks_of(adjudge.read_run(runs["good"]), sample), np.asarray(sample.grades, np.int64)
    claims = np.array([machine[t][d] for t, d, _ in sample.rows()], np.int64) * helped
    topics = [
        many(topic, human[a : a + POOL], claims[a : a + POOL], 100, rng)
        for topic, a in zip(cell_samples(sample, ranks, human, claims), range(0, TOPICS * POOL, POOL), strict=True)
    ]
    found = moments(topics, shape_of(estimable(spec), 1))
    low, high = interval(found, 0.95)
    allowed = 0.8 if spec != "p@20" else 3.5 / 100**0.5  # quotients of six topics are not unbiased, sums are
    assert abs(found.value.mean() - truth) < allowed * found.value.std()
    assert 0.9 <= ((low <= truth) & (truth <= high)).mean() <= 1


def test_a_sample_that_is_too_small_says_so() -> None:
    people, machine, runs = world()
    notes = Recorder()
    sample = sample_qrels(adjudge.read_qrels(people), 0.04, np.random.default_rng(1))
    adjudge.estimate(sample, runs, "ap", progress=notes)
    assert [note.kind for note, _ in notes.notes] == ["thin_sample"]
    same = {t: dict(grades) for t, grades in machine.items()}
    adjudge.estimate({t: same[t] for t in "01"}, runs, "p@5", machine=machine, progress=notes)
    assert [note.kind for note, _ in notes.notes[1:]] == ["few_topics_differ"] * 2


def test_every_mean_from_some_topics_is_unbiased() -> None:
    """All 20 ways to judge three of six topics: the mean of the estimates is the truth, for any measure."""
    from itertools import combinations

    people, machine, runs = world(5)
    specs = ["ap", "rr", "err@10", "bpref"]
    truth = adjudge.measure(people, runs, specs).mean()
    found: dict[tuple[str, str], list[float]] = {}
    for chosen in combinations(people, 3):
        result = adjudge.estimate({t: people[t] for t in chosen}, runs, specs, machine=machine)
        for row in result.rows:
            found.setdefault((row.system, row.measure), []).append(row.estimate.value)
    for (system, measure), values in found.items():
        assert np.mean(values) == pytest.approx(truth[system][measure], abs=1e-12)


def test_what_the_machine_would_have_changed() -> None:
    people = {str(t): {"a": 1, "b": 0} for t in range(8)}
    machine = {str(t): {"a": 0, "b": 1} for t in range(16)}
    runs = {"up": {str(t): {"a": 2.0, "b": 1.0} for t in range(16)}, "down": {str(t): {"b": 1.0} for t in range(16)}}
    result = adjudge.estimate(people, runs, "p@1", machine=machine)
    assert result.of("up", "p@1").estimate.value == 1.0
    assert result.of("up", "p@1").machine == 0.0
    assert result.conclusion() == (
        "Estimated from 8 of 16 topics judged by people; intervals of 95% are over other samples like this one. By p@1"
        " the machine judge alone would have understated up by 1.000 (0.000 for 1.000), and 1 other system beyond doubt"
        " too; it would have put down above up."
    )
    assert result.to_polars().columns[-1] == "machine"


def test_samples_as_files(tmp_path: Path) -> None:
    people, _, runs = world()
    sample = adjudge.qrels_sample(people, tmp_path / "s.txt", share=0.5)
    again = adjudge.read_sampled_qrels(tmp_path / "s.txt")
    assert again == sample
    assert again.probabilities.tolist() == sample.probabilities.tolist()
    adjudge.write_sampled_qrels(sample, tmp_path / "p.txt", "statap")
    known = adjudge.read_sampled_qrels(tmp_path / "p.txt")
    assert len(known) == (sample.grades >= 0).sum()
    assert set(known.probabilities) == {0.5}
    one, two = (adjudge.estimate(tmp_path / "s.txt", runs, "p@5"), adjudge.estimate(sample, runs, "p@5"))
    assert one == two


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 0 a 1\n", "s.txt:1: 5 columns expected"),
        ("1 0 a x 1\n", "s.txt:1: the stratum must be a whole number"),
        ("1 0 a 1 1\n1 0 a 1 1\n", "s.txt:2: the pair was on line 1 already"),
        ("1 0 a 1 -1\n", "no document is judged"),
        ("1 a 1 1 0.5\n1 b 1 1 1.5\n", "s.txt:2: the probability must be above 0 and at most 1"),
        ("# nothing\n", "empty"),
    ],
)
def test_bad_samples(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "s.txt").write_text(text)
    with pytest.raises(adjudge.AdjudgeError, match=says):
        adjudge.read_sampled_qrels(tmp_path / "s.txt")


def test_what_cannot_be_estimated() -> None:
    people, machine, runs = world()
    sample = whole(people)
    with pytest.raises(SpecError, match="rr cannot be estimated from a sample of documents"):
        adjudge.estimate(sample, runs, "rr")
    with pytest.raises(SpecError, match=r"rbp\(p=0.8\) cannot be estimated"):
        adjudge.estimate(sample, runs, "rbp(p=0.8)")
    with pytest.raises(SpecError, match="xinfap has no use for a machine"):
        adjudge.estimate(sample, runs, "xinfap", machine=machine)
    with pytest.raises(SpecError, match="plain judgments have no strata"):
        adjudge.estimate(people, runs, "ap")
    with pytest.raises(DataError, match="judged 1 topic in common: at least 2"):
        adjudge.estimate({"0": people["0"]}, runs, "ap", machine=machine)
    with pytest.raises(DataError, match="no document of the sampled pool"):
        adjudge.estimate(sample, {"other": {"99": {"q": 1.0}}}, "p@5")


def test_intervals_from_the_model_say_how_often_they_held() -> None:
    """Beside every estimate that comes from the model, in text and JSON; none where all was judged, or for sums."""
    import json

    from adjudge.report.pool_tables import estimates_text

    people, machine, runs = world()
    half = sample_qrels(adjudge.read_qrels(people), 0.5, np.random.default_rng(0))
    result = adjudge.estimate(half, runs, ["p@5", "ap", "recall@20"])
    facts = json.loads(estimates_text(result, "json"))["notes"]
    assert [(note["kind"], note["measure"], note["least"], note["most"], note["where"]) for note in facts] == [
        ("intervals_by_model", "ap", *HELD["ap", False]),
        ("intervals_by_model", "recall@20", *HELD["recall", False]),
    ]
    least, most, where = HELD["ap", False]
    said = f"ap: intervals of 95% from this model held the truth in {least} to {most} of 100 samples"
    assert f"{said} where it is known, least often on {where}" in estimates_text(result, "table")
    helped = adjudge.estimate(half, runs, ["ndcg@10"], machine=machine)
    assert helped.notes[0]["least"] == HELD["ndcg", True][0]
    assert adjudge.estimate(half, runs, ["p@5"]).notes == ()


def stratified(topic: CellSample, human: Any, said: Any, samples: int, rng: np.random.Generator) -> CellSample:
    """A topic in many samples: what the run has among its first 5 judged whole, and a quarter of the rest."""
    strata = (topic.pool_rank > 5).astype(np.int64)
    classes, cell = np.unique(10 * strata + said, return_inverse=True)
    rows = np.flatnonzero(strata)
    drawn = np.ones((samples, len(human)), bool)
    keys = rng.random((samples, len(rows)))
    drawn[:, rows] = keys <= np.sort(keys, axis=1)[:, [len(rows) // 4 - 1]]
    inside = (cell[:, None] == np.arange(len(classes))[None, :]).astype(float)
    places = np.flatnonzero((human > 0) | (said > 0))
    return CellSample(
        classes=classes,
        strata=classes // 10,
        size=inside.sum(axis=0),
        taken=drawn @ inside,
        cell=cell[places],
        grade=human[places],
        said=said[places],
        rank=topic.pool_rank[places],
        drawn=drawn[:, places].astype(float),
        pool_cell=cell,
        pool_rank=topic.pool_rank,
    )


@pytest.mark.parametrize("helped", [False, True])
@pytest.mark.parametrize("spec", ["p@20", "dcg@20", "ap", "ndcg@20", "recall@20"])
def test_errors_are_as_large_as_they_say(helped: bool, spec: str) -> None:
    """A stratified sample again and again: bias against spread, the believed variance against the one there is."""
    people, machine, runs = world(4)
    samples = 400 if spec in ("p@20", "dcg@20") else 80
    truth = adjudge.measure(people, {"good": runs["good"]}, [spec]).mean()["good"][spec]
    sample, rng = whole(people), np.random.default_rng(11)
    ranks, human = ranks_of(adjudge.read_run(runs["good"]), sample), np.asarray(sample.grades, np.int64)
    claims = np.array([machine[t][d] for t, d, _ in sample.rows()], np.int64) * helped
    topics = [
        stratified(topic, human[a : a + POOL], claims[a : a + POOL], samples, rng)
        for topic, a in zip(cell_samples(sample, ranks, human, claims), range(0, TOPICS * POOL, POOL), strict=True)
    ]
    found = moments(topics, shape_of(estimable(spec), 1))
    low, high = interval(found, 0.95)
    bias, held = (found.value.mean() - truth) / found.value.std(), ((low <= truth) & (truth <= high)).mean()
    ratio = found.variance.mean() / found.value.var()
    if spec in ("p@20", "dcg@20"):
        assert abs(bias) < 3.5 / 400**0.5
        assert 0.85 < ratio < 1.6
        assert 0.93 < held < 0.985
    else:  # quotients of six topics are not unbiased, and with a machine their variance is on the safe side
        assert abs(bias) < 0.5
        assert 0.8 < ratio < (5 if helped else 3)  # six topics hardly tell how topics differ
        assert held > 0.89


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["ap", "ndcg@20", "recall@20"])
def test_a_machine_makes_no_quotient_larger_or_smaller(spec: str) -> None:
    """The same samples with and without a machine that claims too much: what differs is chance, and no bias.

    Half of the topics have all relevant documents at the top, and false claims must not make more of them.
    """
    people, _, runs = world(4)
    sample, rng = whole(people), np.random.default_rng(12)
    ranks = ranks_of(adjudge.read_run(runs["good"]), sample)
    even = np.repeat(np.arange(TOPICS) % 2 == 0, POOL)
    human = np.where(even, ranks <= 3, (ranks % 12 == 8)).astype(np.int64)
    claims = np.where(rng.random(len(human)) < 0.15, 1, human)
    found = []
    for said in (claims, np.zeros_like(claims)):
        again = np.random.default_rng(13)
        topics = [
            stratified(topic, human[a : a + POOL], said[a : a + POOL], 400, again)
            for topic, a in zip(cell_samples(sample, ranks, human, said), range(0, TOPICS * POOL, POOL), strict=True)
        ]
        found.append(moments(topics, shape_of(estimable(spec), 1)).value)
    change = found[0] - found[1]
    assert change.std() > 0.001
    assert abs(change.mean()) < 3.5 * change.std() / 400**0.5


def test_intervals_end_where_the_measure_does() -> None:
    """Limits beyond what a measure can be are cut, in both designs; the estimate stays as it is."""
    people, machine, runs = world()
    few = sample_qrels(adjudge.read_qrels(people), 0.15, np.random.default_rng(3))
    specs = ["p@5", "ap", "ndcg@10", "recall@20", "rbp(p=0.8, rel=1)", "dcg@20"]
    for helper in (None, machine):
        for row in adjudge.estimate(few, runs, specs, machine=helper).rows:
            for each in (row.estimate, row.human or row.estimate):
                assert 0 <= each.low <= each.high
                assert each.high <= 1 or row.measure == "dcg@20"
    two = adjudge.estimate({t: people[t] for t in "01"}, runs, ["ap", "rr", "utility"], machine=machine)
    limits = {row.measure: (row.estimate.low, row.estimate.high) for row in two.rows if row.system == "good"}
    assert all(0 <= low <= high <= 1 for name, (low, high) in limits.items() if name != "utility")
    assert limits["utility"][0] < -1 or limits["utility"][1] > 1
    assert cut(Estimate(1.02, 0.9, 1.2), estimable("p@5")) == Estimate(1.02, 0.9, 1.0)


TO_RANK = ("iprec", "judged", "p", "recall", "relative_p", "success", "unj")


def test_measures_that_are_shares_are() -> None:
    people, _, runs = world(3)
    shares = [name for name in measures.names if measures.get(name).limits == SHARE]
    assert len(shares) > 20
    specs = [name for name in shares if name not in TO_RANK]
    specs += ["iprec@0.2", *(f"{name}@7" for name in TO_RANK[1:]), "ndcg@5(gains=exp)", "rbp(p=0.8)"]
    values = adjudge.measure(people, runs, specs).values
    assert values.min() >= 0
    assert values.max() <= 1
    assert {measures.parse(spec).bounds() for spec in specs} == {(0.0, 1.0)}
    assert measures.parse("rbp(scaled=false)").bounds() == measures.parse("dcg@5").bounds() == (0.0, math.inf)


def test_grades_that_were_drawn_are_known_to_a_denominator() -> None:
    """With as many relevant documents as were drawn, 1 / the ideal is that of their own grades; others are averaged."""
    shape = shape_of(estimable("ndcg@10"), 1)
    counts = np.array([[[3.0, 1.0], [1.0, 1.0]]])  # a whole and an open cell; grade 1 and above, 2 and above
    share, strength = np.full((1, 2), 0.4), np.full((1, 2), 5.0)
    known, prior = counts[:, 0], np.full((1, 3), 1 / 3)
    stratum = SimpleNamespace(prior=prior)
    below = Denominator(shape, [1, 2], known, counts, [(share, strength)], np.array([[0.0, 2.0]]), [stratum])  # type: ignore[list-item]
    steps = 1 / np.log2(np.arange(2.0, 8.0))

    def ideal(*grades: int) -> float:
        return float(steps[: len(grades)] @ np.array(grades))

    higher = (1 + 0.4 * 5) / (1 + 5)
    found = below._each(-1, -1)[0]
    assert found[0] == pytest.approx(1 / ideal(2, 1, 1))
    assert found[1] == pytest.approx(1 / ideal(2, 2, 1, 1))
    assert found[2] == pytest.approx(higher / ideal(2, 2, 2, 1, 1) + (1 - higher) / ideal(2, 2, 1, 1, 1))


def test_a_scale_of_forty_grades() -> None:
    """Each grade that is averaged over doubles the work, so that only some are; without a limit this never ends."""
    rng = np.random.default_rng(5)
    people = {str(t): {f"d{n}": int(rng.integers(-20, 40)) for n in range(60)} for t in range(4)}
    people = {topic: {d: max(g, 0) for d, g in graded.items()} for topic, graded in people.items()}
    run = {topic: {d: float(rng.random()) for d in graded} for topic, graded in people.items()}
    sample = sample_qrels(adjudge.read_qrels(people), 0.3, rng)
    (found,) = adjudge.estimate(sample, {"run": run}, ["ndcg@20"]).rows
    assert 0.2 < found.estimate.value < 1.2
    assert found.estimate.low < found.estimate.value < found.estimate.high
