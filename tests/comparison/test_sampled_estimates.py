"""Estimates from samples: equal to the measures if all is judged, unbiased by simulation, infAP as trec_eval has it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.comparison.sample_totals import SampledTopic
from adjudge.comparison.sampled_estimates import _component, _estimate, _mean
from adjudge.core.errors import DataError, SpecError
from adjudge.core.sampled import SampledQrels
from adjudge.evaluation.judgment_sets import sample_qrels
from recorder import Recorder

SPECS = ["p@5", "p@20", "recall@20", "ap", "ap@10", "ndcg@10", "ndcg", "ndcg@5(gains=exp)", "dcg@20"]
SPECS += ["rbp(p=0.8, rel=1)", "rbp(p=0.5, top=2)", "rbp(top=0)"]
TOPICS, POOL, SAMPLES = 6, 60, 80


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


def draw(rng: np.random.Generator, strata: Any, share: float) -> Any:
    drawn = np.zeros(len(strata), bool)
    for stratum, own in ((0, 1.0), (1, share)):
        rows = np.flatnonzero(strata == stratum)
        drawn[rng.choice(rows, max(2, round(own * len(rows))), replace=False)] = True
    return drawn


@pytest.mark.parametrize("helped", [False, True])
def test_sums_are_unbiased_and_their_intervals_hold(helped: bool) -> None:
    """Some samples of a known truth; experiments/pool_estimates.py draws 10,000."""
    people, machine, runs = world(4)
    specs = ["p@20", "dcg@20", "rbp(p=0.8, rel=1)"]
    truth = adjudge.measure(people, {"good": runs["good"]}, specs).mean()["good"]
    rng = np.random.default_rng(8)
    values: dict[str, list[float]] = {spec: [] for spec in specs}
    topics = []
    for t in people:
        order = sorted(runs["good"][t], key=lambda d: -runs["good"][t][d])
        rank = np.array([order.index(f"d{d}") + 1 if f"d{d}" in order else 2**62 for d in range(POOL)])
        rank[rank == 2**62] = np.iinfo(np.int64).max
        grades = (np.array([each[t][f"d{d}"] for d in range(POOL)]) for each in (people, machine))
        topics.append((np.where(rank <= 5, 0, 1), rank, *grades))
    hits = dict.fromkeys(specs, 0)
    for _ in range(SAMPLES):
        parts = [
            SampledTopic(strata, draw(rng, strata, 0.3), h, m if helped else np.zeros_like(m), rank)
            for strata, rank, h, m in topics
        ]
        for spec in specs:
            estimate = _mean([_estimate(part, _component(spec), 1) for part in parts], 0.95)
            values[spec].append(estimate.value)
            hits[spec] += estimate.low <= truth[spec] <= estimate.high
    for spec in specs:
        error = np.std(values[spec]) / SAMPLES**0.5
        assert abs(np.mean(values[spec]) - truth[spec]) < 3.5 * error
        assert 0.87 <= hits[spec] / SAMPLES <= 1


@pytest.mark.slow
@pytest.mark.parametrize("helped", [False, True])
def test_quotients_are_nearly_unbiased_and_their_intervals_hold(helped: bool) -> None:
    """A third of the documents, forty times; experiments/pool_estimates.py draws 10,000."""
    people, machine, runs = world(4)
    specs = ["ap", "ndcg@10", "recall@20"]
    truth = adjudge.measure(people, {"good": runs["good"]}, specs).mean()["good"]
    values: dict[str, list[float]] = {spec: [] for spec in specs}
    hits = dict.fromkeys(specs, 0)
    for seed in range(40):
        sample = sample_qrels(adjudge.read_qrels(people), 0.3, np.random.default_rng(seed))
        result = adjudge.estimate(sample, {"good": runs["good"]}, specs, machine=machine if helped else None)
        for row in result.rows:
            values[row.measure].append(row.estimate.value)
            hits[row.measure] += row.estimate.low <= truth[row.measure] <= row.estimate.high
    for spec in specs:
        assert abs(np.mean(values[spec]) - truth[spec]) < 0.06
        assert hits[spec] >= 34
    again = adjudge.estimate(sample, {"good": runs["good"]}, specs, machine=machine if helped else None)
    assert again == result


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
    with pytest.raises(DataError, match="judged 1 topics in common"):
        adjudge.estimate({"0": people["0"]}, runs, "ap", machine=machine)
    with pytest.raises(DataError, match="no document of the sampled pool"):
        adjudge.estimate(sample, {"other": {"99": {"q": 1.0}}}, "p@5")


def test_intervals_from_the_model_say_how_often_they_held() -> None:
    """Beside every estimate that comes from the model, in text and JSON; none where all was judged, or for sums."""
    import json

    from adjudge.report.pool_tables import estimates_text

    people, _, runs = world()
    half = sample_qrels(adjudge.read_qrels(people), 0.5, np.random.default_rng(0))
    result = adjudge.estimate(half, runs, ["p@5", "ap", "recall@20"])
    facts = json.loads(estimates_text(result, "json"))["notes"]
    assert [(note["kind"], note["measure"], note["least"], note["most"]) for note in facts] == [
        ("intervals_by_model", "ap", 76, 92),
        ("intervals_by_model", "recall@20", 88, 93),
    ]
    assert "ap: intervals of 95% from this model held the truth in 76 to 92 of 100" in estimates_text(result, "table")
    assert adjudge.estimate(half, runs, ["p@5"]).notes == ()
