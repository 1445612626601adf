"""Ranking without judgments, against real judgments made for every trial."""

from __future__ import annotations

import math
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import adjudge
from adjudge.comparison.reliability.pool import PseudoPool
from adjudge.comparison.reliability.pseudo_judgments import pseudo_judgments
from adjudge.core.errors import ConflictError, DataError, SpecError
from adjudge.core.judging import Judging
from adjudge.core.strings import Strings
from recorder import Recorder
from strategies import Nested
from strategies import qrels as any_qrels
from strategies import runs as any_run

MEASURES = [
    "ap",
    "ndcg@5",
    "p@3",
    "rr",
    "bpref",
    "infap",
    "rbp",
    "err@4",
    "rprec",
    "recall@3",
    "rndcg",
    "gm_map",
    "rank",
]


def first_slowly(ranking: dict[str, float], depth: int, single: bool) -> list[str]:
    def key(document: str) -> tuple[float, bytes]:
        score = float(np.float32(ranking[document])) if single else ranking[document]
        return score, document.encode()

    return sorted(ranking, key=key, reverse=True)[:depth]


def pool_slowly(runs: dict[str, Nested], depth: int, single: bool) -> dict[str, dict[str, int]]:
    pool: dict[str, dict[str, int]] = {}
    for run in runs.values():
        for topic, ranking in run.items():
            for document in first_slowly(ranking, depth, single):
                own = pool.setdefault(topic, {})
                own[document] = own.get(document, 0) + 1
    return pool


def as_dict(pool: PseudoPool) -> dict[str, dict[str, int]]:
    columns = zip(pool.topic.tolist(), pool.documents, pool.votes.tolist(), strict=True)
    made: dict[str, dict[str, int]] = {}
    for topic, document, votes in columns:
        made.setdefault(pool.topics[topic], {})[document] = votes
    return made


def shared(runs: dict[str, Nested]) -> bool:
    return bool(set.intersection(*(set(run) for run in runs.values())))


several = st.lists(any_run, min_size=2, max_size=4).map(lambda made: {f"s{i}": run for i, run in enumerate(made)})


@pytest.mark.slow
@settings(max_examples=80)
@given(several, st.integers(1, 12), st.sampled_from([9, 10]))
def test_the_pool(runs: dict[str, Nested], depth: int, version: int) -> None:
    topics = sorted({topic for run in runs.values() for topic in run}, key=str.encode)
    pool = PseudoPool.of(
        [adjudge.read_run(run) for run in runs.values()], topics, Judging(depth=depth, trec_version=version)
    )
    assert as_dict(pool) == pool_slowly(runs, depth, version == 9)
    assert list(as_dict(pool)) == topics
    some = PseudoPool.of(
        [adjudge.read_run(run) for run in runs.values()], topics[:1], Judging(depth=depth, trec_version=version)
    )
    assert as_dict(some) == {topics[0]: as_dict(pool)[topics[0]]}


@pytest.mark.slow
@settings(max_examples=120)
@given(
    several,
    st.integers(1, 12),
    st.sampled_from(MEASURES),
    st.fixed_dictionaries(
        {}, optional={"complete": st.just(True), "judged_only": st.just(True), "trec_version": st.just(9)}
    ),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_against_real_judgments_in_every_trial(
    runs: dict[str, Nested], depth: int, measure: str, judging: dict[str, Any], duplicates: bool, seed: int
) -> None:
    assume(shared(runs))
    parameters: dict[str, Any] = {"share": 0.3, "sd": 0.3}
    result = pseudo_judgments(
        runs,
        measure,
        depth=depth,
        trials=3,
        duplicates=duplicates,
        rng=np.random.default_rng(seed),
        **parameters,
        judging=Judging(**judging),
    )
    topics = sorted({topic for run in runs.values() for topic in run}, key=str.encode)
    version = judging.get("trec_version", 10)
    pool = PseudoPool.of(
        [adjudge.read_run(run) for run in runs.values()], topics, Judging(depth=depth, trec_version=version)
    )
    rng = np.random.default_rng(seed)
    assert result.topics == pool.topics
    for trial in range(3):
        drawn = pool.draw(0.3, 0.3, duplicates=duplicates, rng=rng).tolist()
        rows = zip(pool.topic.tolist(), pool.documents, drawn, strict=True)
        judgments: dict[str, dict[str, int]] = {topic: {} for topic in topics}
        for topic, document, relevant in rows:
            judgments[topics[topic]][document] = int(relevant)
        assert all(sum(grades.values()) >= 1 for grades in judgments.values())
        scores = adjudge.measure(judgments, runs, [measure], **judging)
        figures = [scores.summary()[system][measure] for system in scores.systems]
        assert result.per_trial[trial].tolist() == figures, "to the last bit"
    assert result.systems == scores.systems
    assert result.figures == pytest.approx(result.per_trial.sum(axis=0) / 3)


@pytest.mark.slow
def test_documents_are_drawn_as_often_as_runs_have_them() -> None:
    """Two of four without putting back, against the probabilities of all sequences of draws."""
    votes = np.array([5, 2, 2, 1])
    pool = PseudoPool(("q",), np.array([4]), Strings.of(list("abcd")), votes)
    rng = np.random.default_rng(0)
    trials = 20_000
    for duplicates, weights in ((True, votes / 10), (False, np.full(4, 0.25))):
        expected = np.zeros(4)
        for first, second in permutations(range(4), 2):
            chance = weights[first] * weights[second] / (1 - weights[first])
            expected[[first, second]] += chance
        drawn = sum(pool.draw(0.5, 0.0, duplicates=duplicates, rng=rng).astype(int) for _ in range(trials))
        assert drawn / trials == pytest.approx(expected, abs=0.012)


def test_how_many_are_drawn() -> None:
    pool = PseudoPool(("p", "q"), np.array([200, 3]), Strings.of([f"d{i}" for i in range(203)]), np.ones(203, np.int64))
    rng = np.random.default_rng(0)
    counts = np.array([np.bincount(pool.topic[pool.draw(0.3, 0.1, duplicates=True, rng=rng)]) for _ in range(2000)])
    assert counts[:, 0].mean() == pytest.approx(60, abs=1.5)
    assert counts[:, 0].std() == pytest.approx(20, abs=1.5)
    assert set(counts[:, 1].tolist()) <= {1, 2}, "at least one, whatever the share"
    wild = np.array([np.bincount(pool.topic[pool.draw(0.5, 9.0, duplicates=True, rng=rng)]) for _ in range(200)])
    assert (wild.min(axis=0).tolist(), wild.max(axis=0).tolist()) == ([1, 1], [200, 3])


RUNS: dict[str, Nested] = {
    "good": {"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"a": 3.0, "b": 2.0}},
    "same": {"1": {"a": 3.0, "b": 2.0, "d": 1.0}, "2": {"a": 3.0, "c": 2.0}},
    "odd": {"1": {"x": 3.0, "y": 2.0, "a": 1.0}, "2": {"x": 3.0, "a": 2.0}},
}
QRELS = {"1": {"a": 2, "x": 0, "b": 1, "never": 1}, "2": {"a": 1}, "3": {"a": 1}}


def test_like_real_judgments() -> None:
    result = pseudo_judgments(RUNS, like=QRELS, depth=2, rng=np.random.default_rng(0))
    assert result.pooled.tolist() == [4, 4], "a b x y and a b c x"
    shares = [2 / 4, 1 / 4]
    assert (result.share, result.sd) == pytest.approx((np.mean(shares), np.std(shares, ddof=1)))
    real = adjudge.measure(QRELS, RUNS, "ap").mean()
    assert result.truth is not None
    assert result.truth.tolist() == [real[system]["ap"] for system in RUNS]
    assert result.true_ranks is not None
    assert result.true_ranks.tolist() == [1, 1, 3], "those that are level share the better rank"
    assert result.ranking[-1] == "odd"
    assert result.ranks[2] == 3
    assert "no judgment" not in " ".join(map(str, result.notes))
    assert (
        pseudo_judgments(RUNS, like=QRELS, judging=Judging(level=2), depth=2, rng=np.random.default_rng(0)).share
        == 0.125
    )
    given = pseudo_judgments(RUNS, like=QRELS, share=0.2, sd=0.0, rng=np.random.default_rng(0))
    assert (given.share, given.sd) == (0.2, 0.0)
    complete = pseudo_judgments(RUNS, like=QRELS, judging=Judging(complete=True), rng=np.random.default_rng(0))
    assert complete.truth is not None
    assert complete.truth.tolist() == result.truth.tolist(), "a topic that no run has tells nothing"


def test_correlation_with_the_truth() -> None:
    from scipy.stats import kendalltau

    result = pseudo_judgments(RUNS, like=QRELS, depth=3, rng=np.random.default_rng(0))
    assert result.correlation() == pytest.approx(kendalltau(result.truth, result.figures).statistic)
    assert result.conclusion().startswith(
        f"Kendall's tau_b with the ranking under the judgments is {result.correlation():.3f}"
    )
    low = pseudo_judgments(RUNS, "rank", like=QRELS, depth=3, rng=np.random.default_rng(0))
    assert low.ranking[-1] == "odd", "the rank of the first relevant document is good when low"
    assert low.correlation() == pytest.approx(kendalltau(low.truth, low.figures).statistic)
    alone = pseudo_judgments(RUNS, rng=np.random.default_rng(0))
    assert (alone.share, alone.sd, alone.truth, alone.true_ranks) == (0.05, 0.03, None, None)
    assert math.isnan(alone.correlation())


def test_the_order_of_the_runs_does_not_matter() -> None:
    result = pseudo_judgments(RUNS, rng=np.random.default_rng(5))
    turned = pseudo_judgments(dict(reversed(RUNS.items())), rng=np.random.default_rng(5))
    assert turned.systems == tuple(reversed(result.systems))
    assert np.array_equal(turned.per_trial[:, ::-1], result.per_trial)
    assert np.isnan(pseudo_judgments(RUNS, trials=1, rng=np.random.default_rng(5)).deviations).all()
    assert result.deviations == pytest.approx(np.std(result.per_trial, axis=0, ddof=1))


def test_topics_that_only_some_runs_have() -> None:
    runs = {**RUNS, "short": {"1": {"a": 1.0}}}
    heard = Recorder()
    result = pseudo_judgments(runs, trials=4, rng=np.random.default_rng(0), progress=heard)
    assert tuple(map(str, result.notes)) == ("short: retrieved nothing for topic 2, skipped (--complete counts 0)",)
    assert heard.counts("draw_judgments") == [1, 2, 3, 4]
    complete = pseudo_judgments(runs, trials=4, judging=Judging(complete=True), rng=np.random.default_rng(0))
    assert tuple(map(str, complete.notes)) == ("short: retrieved nothing for topic 2, counted as 0",)
    assert complete.per_trial[:, 3] == pytest.approx(result.per_trial[:, 3] / 2)
    extra = {**RUNS, "more": {"1": {"a": 1.0}, "2": {"a": 1.0}, "9": {"a": 1.0}}}
    judged = pseudo_judgments(extra, like=QRELS, rng=np.random.default_rng(0))
    assert judged.topics == ("1", "2")
    assert "more: no judgment for topic 9, skipped" in map(str, judged.notes)


@pytest.mark.slow
@settings(max_examples=30)
@given(several, any_qrels, st.integers(0, 2**32 - 1))
def test_truth_is_what_measure_says(runs: dict[str, Nested], judgments: Nested, seed: int) -> None:
    assume(bool(set.intersection(*(set(run) for run in runs.values())) & set(judgments)))
    result = pseudo_judgments(runs, like=judgments, share=0.2, sd=0.1, trials=2, rng=np.random.default_rng(seed))
    real = adjudge.measure(judgments, runs, "ap").mean()
    assert result.truth is not None
    assert dict(zip(result.systems, result.truth.tolist(), strict=True)) == {s: real[s]["ap"] for s in runs}


@pytest.mark.parametrize(
    ("runs", "options", "message"),
    [
        ({"one": RUNS["good"]}, {}, "at least 2 runs, please, not 1"),
        (
            {"a": {"1": {"x": 1.0}}, "b": {"2": {"x": 1.0}}},
            {},
            "b: no topic that all runs before it have: it has topic 2, they share topic 1",
        ),
        (RUNS, {"measure": "num_ret"}, "num_ret is neither good when high nor when low"),
        (RUNS, {"measure": "app"}, "no measure 'app', did you mean"),
        (RUNS, {"trials": 0}, "trials must be at least 1, not 0"),
        (RUNS, {"depth": 0}, "depth must be at least 1"),
        (RUNS, {"share": 0.0}, "share must be above 0 and at most 1, not 0"),
        (RUNS, {"share": math.nan}, "share must be above 0 and at most 1, not nan"),
        (RUNS, {"sd": -0.1}, "sd must be 0 or more, not -0.1"),
        (RUNS, {"like": {"1": {"a": 1}}}, "one judged topic does not show"),
        (RUNS, {"like": {"1": {"q": 1}, "2": {"a": 0}}}, "no document of the pool is relevant by the judgments"),
        (RUNS, {"like": {"7": {"a": 1}}}, "no topic of the runs was judged"),
        (
            RUNS,
            {"like": {"7": {"a": 1}}, "judging": Judging(complete=True)},
            "no topic of the runs was judged: the judgments have topic 7",
        ),
    ],
)
def test_bad_input(runs: dict[str, Nested], options: dict[str, Any], message: str) -> None:
    with pytest.raises((DataError, SpecError), match=message):
        pseudo_judgments(runs, rng=np.random.default_rng(0), **options)


def test_runs_of_one_name() -> None:
    with pytest.raises(ConflictError, match="two runs are named 'run'"):
        pseudo_judgments([RUNS["good"], RUNS["odd"]], rng=np.random.default_rng(0))


def test_trec_covid(trec_covid: Path) -> None:
    """Without judgments most pairs of the 36 runs are in the right order, if documents count as often as found."""
    runs = sorted((trec_covid / "runs").iterdir())
    qrels = trec_covid / "qrels.covid-round1.txt"
    result = pseudo_judgments(runs, like=qrels, rng=np.random.default_rng(0))
    assert len(result.systems) == 36
    assert len(result.topics) == 30
    assert (result.share, result.sd) == pytest.approx((0.0418, 0.0221), abs=5e-5)
    assert result.correlation() == pytest.approx(0.80, abs=0.03)
    distinct = pseudo_judgments(runs, like=qrels, duplicates=False, rng=np.random.default_rng(0))
    assert distinct.correlation() == pytest.approx(0.50, abs=0.06)
