"""Samples corrected by topics that were judged whole: unbiased over all draws, intervals that hold, and bad input."""

from __future__ import annotations

import json
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.comparison.drawn_topics import corrected, finite_mean, likely_figures
from adjudge.comparison.measure_parts import estimable, shape_of
from adjudge.comparison.sample_errors import Moments
from adjudge.comparison.sample_means import moments
from adjudge.comparison.sampled_estimates import cell_samples, ranks_of
from adjudge.core.errors import DataError, SpecError
from adjudge.core.sampled import SampledQrels
from adjudge.evaluation.judgment_sets import sample_qrels
from adjudge.report.pool_tables import estimates_text
from recorder import Recorder

QUOTIENTS = ["ap", "ndcg", "ndcg@2(gains=exp)", "recall@2"]
GRADES = {"1": [1, 0, 2, 0], "2": [0, 2, 1, 1], "3": [0, 0, 0, 0]}
CLAIMS = {"1": [1, 1, 0, 0], "2": [0, 1, 1, 0], "3": [0, 1, 0, 1]}
RANKED = {"1": "cabd", "2": "bad", "3": "abcd"}


def tables(grades: dict[str, list[int]]) -> dict[str, dict[str, int]]:
    return {topic: dict(zip("abcd", own, strict=True)) for topic, own in grades.items()}


RUN = {"run": {t: {d: 9.0 - place for place, d in enumerate(own)} for t, own in RANKED.items()}}


@pytest.mark.parametrize("helped", [False, True])
def test_every_measure_is_unbiased_over_all_samples_and_all_whole_topics(helped: bool) -> None:
    """All 27 samples of three topics (the first document is judged, one of the others drawn), all pairs of topics."""
    people = tables(GRADES)
    specs = [*QUOTIENTS, "p@3"]
    truth = adjudge.measure(people, RUN, specs, complete=True).mean()["run"]
    read = adjudge.read_qrels(people)
    found: dict[str, list[tuple[float, ...]]] = {spec: [] for spec in specs}
    for drawn in product(range(1, 4), repeat=3):
        grades = np.full(12, -1, np.int32)
        for t, d in enumerate(drawn):
            for row in (4 * t, 4 * t + d):
                grades[row] = read.grades[row]
        strata = np.tile(np.array([0, 1, 1, 1], np.int32), 3)
        sample = SampledQrels.of_rows(read.topics, read.offsets, read.documents, grades, strata)
        for topics in combinations(people, 2):
            whole = {topic: people[topic] for topic in topics}
            result = adjudge.estimate(sample, RUN, specs, machine=tables(CLAIMS) if helped else None, whole=whole)
            for own in result.rows:
                people_alone = own.human if helped else own.estimate
                assert people_alone is not None
                assert own.sample is not None
                found[own.measure].append((own.estimate.value, people_alone.value, own.sample.value))
    for spec, each in found.items():
        values = np.array(each)
        assert len(values) == 27 * 3
        assert values[:, :2].mean(axis=0) == pytest.approx(truth[spec], abs=1e-12)
        if spec in QUOTIENTS:
            assert abs(values[:, 2].mean() - truth[spec]) > 1e-4  # what the topics are good for


def test_with_all_topics_judged_whole_nothing_is_left_to_chance() -> None:
    people = tables(GRADES)
    sample = sample_qrels(adjudge.read_qrels(people), 0.5, np.random.default_rng(0))
    heard = Recorder()
    result = adjudge.estimate(sample, RUN, "ap", whole=people, progress=heard)
    (row,) = result.rows
    assert row.estimate.value == pytest.approx(adjudge.measure(people, RUN, "ap", complete=True).mean()["run"]["ap"])
    assert row.estimate.low == pytest.approx(row.estimate.high)
    assert result.notes == ()


def collection(topics: int, seed: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    people: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for t in map(str, range(topics)):
        quality = rng.normal(size=40) + 0.3 * rng.normal()
        people[t] = {f"d{d}": int(np.digitize(quality[d], [0.7, 1.4])) for d in range(40)}
        run[t] = {f"d{d}": float(q) for d, q in enumerate(quality + 0.8 * rng.normal(size=40))}
    return people, run


@pytest.mark.parametrize("spec", ["ap", "ndcg@10", "recall@20", "p@10"])
def test_intervals_hold_and_nothing_is_biased_by_simulation(spec: str) -> None:
    """500 samples of 30 topics, 10 of them judged whole: bias and coverage within 3.5 standard errors."""
    from dataclasses import replace

    people, run = collection(30, 3)
    read = adjudge.read_qrels(people)
    rng, samples, count = np.random.default_rng(21), 500, 10
    whole = sample_qrels(read, 1.0, rng)
    human = np.asarray(whole.grades, np.int64)
    scores = adjudge.measure(people, {"run": run}, [spec])
    truth = scores.values[0, [scores.topics.index(topic) for topic in people], 0]
    topics: list[Any] = []
    for topic in cell_samples(whole, ranks_of(adjudge.read_run(run), whole), human, None):
        own = human[40 * len(topics) : 40 * len(topics) + 40]
        keys = rng.random((samples, 40))
        drawn = keys <= np.sort(keys, axis=1)[:, [11]]
        places = np.flatnonzero(own > 0)
        topics.append(replace(topic, taken=drawn.sum(axis=1, keepdims=True).astype(float), cell=topic.pool_cell[places],
                              grade=own[places], said=np.zeros(len(places), np.int64), rank=topic.pool_rank[places],
                              drawn=drawn[:, places].astype(float)))  # fmt: skip
    found = moments(topics, shape_of(estimable(spec), 1))
    estimates = []
    for s in range(samples):
        one = Moments(*(each[..., s : s + 1] for each in found))
        places = rng.permutation(30)[:count]
        estimates.append(corrected(one, places.tolist(), truth[places], 0.95)[0])
    values = np.array([(each.value, each.low, each.high) for each in estimates]).T
    error = values[0].mean() - truth.mean()
    assert abs(error) < 3.5 * values[0].std() / samples**0.5
    held = ((values[1] <= truth.mean()) & (truth.mean() <= values[2])).mean()
    assert abs(held - 0.95) < 3.5 * (0.95 * 0.05 / samples) ** 0.5 + 0.005  # Student's t is not exact


def test_figures_are_drawn_to_their_mean_as_far_as_they_are_chance() -> None:
    each = np.array([[0.2], [0.4], [0.6], [0.8]])
    mean, between = 0.5, float(each.var(ddof=1))

    def figures(variance: float) -> Any:
        found = Moments(each.mean(axis=0), np.array([variance / 4]), np.zeros(1), np.ones(1), each)
        return likely_figures(found)

    assert figures(0.0) == pytest.approx(each)
    assert figures(between / 4) == pytest.approx(mean + 0.75 * (each - mean))
    assert figures(2 * between) == pytest.approx(np.full((4, 1), mean))


def test_the_interval_is_students_for_a_finite_population() -> None:
    found = finite_mean(np.array([0.1, 0.3, 0.2]), 0.5, 12, 0.95)
    reach = 4.302652729911275 * (0.01 * (1 - 3 / 12) / 3) ** 0.5
    assert (found.value, found.low, found.high) == pytest.approx((0.7, 0.7 - reach, 0.7 + reach))


def test_what_is_said_of_an_estimate() -> None:
    people, run = collection(12, 4)
    machine = {topic: {d: min(1, grade) for d, grade in own.items()} for topic, own in people.items()}
    sample = sample_qrels(adjudge.read_qrels(people), 0.3, np.random.default_rng(1))
    whole = {topic: people[topic] for topic in list(people)[:6]}
    result = adjudge.estimate(sample, {"run": run}, ["ap", "p@10"], whole=whole)
    assert (result.whole_topics, result.topics, result.by_model, result.notes) == (6, 12, (), ())
    judged = 6 * 40 + 6 * 12
    assert result.judged_pairs == judged
    assert result.conclusion() == (
        f"Estimated from a sample of 12 topics, 6 of them judged whole: {judged} judgments of a pool of 480 documents;"
        " intervals of 95% are over other samples like this one."
    )
    assert estimates_text(result, "table").split("\n")[0].split() == [
        "system",
        "measure",
        "estimate",
        "sample",
        "alone",
    ]
    assert result.to_polars().columns[-3:] == ["sample", "sample_low", "sample_high"]
    assert json.loads(estimates_text(result, "json"))["rows"][0]["sample"]["value"] > 0
    helped = adjudge.estimate(sample, {"run": run}, "ap", whole=whole, machine=machine)
    assert "sample alone  " in estimates_text(helped, "table")
    assert helped.to_polars().columns[-1] == "machine"
    assert adjudge.estimate(sample, {"run": run}, "ap").to_polars().columns[-1] == "high"


def test_few_topics_have_a_note() -> None:
    people, run = collection(12, 4)
    sample = sample_qrels(adjudge.read_qrels(people), 0.3, np.random.default_rng(1))
    three = {topic: people[topic] for topic in list(people)[:3]}
    heard = Recorder()
    result = adjudge.estimate(sample, {"run": run}, ["ap", "p@10"], whole=three, progress=heard)
    assert [(note.kind, note["count"]) for note, _ in heard.notes] == [("few_whole_topics", 3)]
    assert result.notes == ()


def test_few_topics_on_which_the_sample_is_wrong_have_a_note() -> None:
    """All documents of ten topics are judged, and a third of the others: the spread that is seen may be of none."""
    people, run = collection(12, 4)
    read, third = adjudge.read_qrels(people), sample_qrels(adjudge.read_qrels(people), 0.3, np.random.default_rng(1))
    grades = np.where(np.arange(len(read)) < 10 * 40, read.grades, third.grades).astype(np.int32)
    sample = SampledQrels.of_rows(read.topics, read.offsets, read.documents, grades, third.strata)
    six = {topic: people[topic] for topic in list(people)[5:11]}
    (note,) = adjudge.estimate(sample, {"run": run}, "ap", whole=six).notes
    assert str(note) == (
        "run: by ap the figures from the sample are wrong on 1 topic that was judged whole:"
        " the interval holds less often than it says"
    )
    exact = sample_qrels(adjudge.read_qrels(people), 1.0, np.random.default_rng(1))
    assert adjudge.estimate(exact, {"run": run}, "ap", whole=six).notes == ()


def test_an_estimate_beyond_the_measure_is_noted() -> None:
    """The sample misses what the run has at the top in one topic of three, and that one is judged whole."""
    people = {str(t): {f"d{d}": int(d == 0) for d in range(6)} for t in range(9)}
    run = {topic: {f"d{d}": float(-d) for d in range(6)} for topic in people}
    read = adjudge.read_qrels(people)
    grades = np.asarray(read.grades, np.int32).copy()
    for t in range(9):
        grades[6 * t + (2 if t < 3 else 4) : 6 * t + 6] = -1
        if t < 3:
            grades[6 * t], grades[6 * t + 2] = -1, 0
    sample = SampledQrels.of_rows(read.topics, read.offsets, read.documents, grades, np.ones(54, np.int32))
    result = adjudge.estimate(sample, {"run": run}, "p@1", whole={t: people[t] for t in "012"})
    (beyond,) = (note for note in result.notes if note.kind == "corrected_beyond")
    assert str(beyond).startswith("run: the estimate of p@1, ")
    assert str(beyond).endswith("few topics that were judged whole count for all")
    assert result.rows[0].estimate.high == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"1": None, "2": None}, r"^1 topic judged whole: at least 2 are needed$"),
        ({"9": {"a": 1}}, r"^topic 9 was judged whole and is not in the sample$"),
        ({"2": {"a": 0, "b": 2}}, r"^topic 2 is not judged whole: 2 of 4 pooled documents have no grade, such as c$"),
        ({"2": {"a": 0, "b": 2, "c": -1, "d": 1}}, "topic 2 is not judged whole: 1 of 4 pooled documents has no grade"),
        ({"2": {"a": 1, "b": 2, "c": 1, "d": 1}}, "document a of topic 2 has grade 0 in the sample and 1 in the judgm"),
    ],
)
def test_judgments_of_whole_topics_that_are_not(change: dict[str, Any], says: str) -> None:
    people = tables(GRADES)
    sample = sample_qrels(adjudge.read_qrels(people), 1.0, np.random.default_rng(0))
    whole = {topic: own for topic, own in (people | change).items() if own is not None}
    with pytest.raises(DataError, match=says):
        adjudge.estimate(sample, RUN, "ap", whole=whole)


def test_judgments_outside_the_pool_are_left_out_with_a_note() -> None:
    people = tables(GRADES)
    sample = sample_qrels(adjudge.read_qrels(people), 0.5, np.random.default_rng(0))
    more = {topic: {**own, "e": 1, "f": 0} for topic, own in people.items()}
    heard = Recorder()
    result = adjudge.estimate(sample, RUN, "ap", whole=more, progress=heard)
    assert result.rows == adjudge.estimate(sample, RUN, "ap", whole=people).rows
    assert [(note.kind, note["count"]) for note, _ in heard.notes if note.kind == "judgments_outside_pool"] == [
        ("judgments_outside_pool", 6)
    ]


def test_what_topics_judged_whole_do_not_go_with() -> None:
    people = tables(GRADES)
    sample = sample_qrels(adjudge.read_qrels(people), 0.5, np.random.default_rng(0))
    with pytest.raises(SpecError, match="xinfap has no use for topics judged whole"):
        adjudge.estimate(sample, RUN, "xinfap", whole=people)
    with pytest.raises(SpecError, match="topics judged whole go with a sample of documents"):
        adjudge.estimate(people, RUN, "ap", machine=people, whole=people)


def test_a_sample_without_the_rest_of_its_pool_is_refused(tmp_path: Any) -> None:
    """Its strata would be taken for whole ones, and figures would be a fraction of what they are."""
    people, run = collection(5, 4)
    sample = sample_qrels(adjudge.read_qrels(people), 0.3, np.random.default_rng(1))
    adjudge.write_sampled_qrels(sample, tmp_path / "p.txt", "statap")
    with pytest.raises(DataError, match=r"and not the others of the pool, .* in the form sample_eval$"):
        adjudge.estimate(tmp_path / "p.txt", {"run": run}, "p@5")
