"""trec_eval 9.0.8's own code, through pytrec_eval, on random runs: every measure, to the last digits."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import adjudge
from slow import near
from strategies import Nested, qrels, runs

pytrec_eval = pytest.importorskip("pytrec_eval")

CUTOFFS = (1, 2, 3, 5, 10, 100)
NAMES = [
    *("map", "recip_rank", "Rprec", "bpref", "infAP", "ndcg", "ndcg_rel", "Rndcg", "binG", "G", "11pt_avg", "utility"),
    *("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret", "num_q"),
    *("set_P", "set_recall", "set_F", "set_map", "set_relative_P"),
    *(f"{m}_{k}" for m in ("P", "recall", "ndcg_cut", "map_cut", "relative_P", "success") for k in CUTOFFS),
    *(f"iprec_at_recall_{r / 10:.2f}" for r in range(11)),
    *(f"Rprec_mult_{r / 10:.2f}" for r in range(2, 21, 2)),
]


def peer_names() -> set[str]:
    bases: dict[str, list[str]] = {}
    for name in NAMES:
        base, _, tail = name.rpartition("_")
        if base and tail.replace(".", "").isdigit():
            bases.setdefault(base, []).append(tail)
        else:
            bases.setdefault(name, [])
    return {base + ("." + ",".join(tails) if tails else "") for base, tails in bases.items()}


PEER = peer_names()


def comparable(judgments: Nested, run: Nested, level: int) -> bool:
    """trec_eval writes and reads outside its table of grades, and may die, when a topic has no grade of at least
    level - 1; the slow definitions cover those cases."""
    return bool(set(judgments) & set(run)) and all(max(g.values()) >= level - 1 for g in judgments.values())


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(qrels, runs, st.integers(1, 3), st.booleans())
def test_every_measure_on_random_runs(judgments: Nested, run: Nested, level: int, judged_only: bool) -> None:
    assume(comparable(judgments, run, level))
    evaluator = pytrec_eval.RelevanceEvaluator(
        {t: {d: int(g) for d, g in docs.items()} for t, docs in judgments.items()},
        PEER,
        relevance_level=level,
        judged_docs_only_flag=judged_only,
    )
    theirs = evaluator.evaluate(run)
    scores = adjudge.measure(judgments, {"x": run}, NAMES, level=level, judged_only=judged_only, trec_version=9)
    ours = scores.per_topic("x")
    assert set(ours) == set(theirs)
    for topic, row in theirs.items():
        for name in NAMES:
            if not math.isnan(row[name]):  # its 0 / 0
                assert near(ours[topic][name], row[name], 1e-13, 1e-15), (ours[topic][name], row[name], topic, name)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(qrels, runs)
def test_sums_are_added_up_in_the_same_order(judgments: Nested, run: Nested) -> None:
    """Where a measure is a plain sum over ranks the very last bit agrees, so no printed digit can differ."""
    assume(comparable(judgments, run, 1))
    names = ["map", "ndcg", "bpref", "infAP", "binG", "recip_rank"]
    evaluator = pytrec_eval.RelevanceEvaluator(
        {t: {d: int(g) for d, g in docs.items()} for t, docs in judgments.items()}, set(names)
    )
    theirs = evaluator.evaluate(run)
    ours = adjudge.measure(judgments, {"x": run}, names, trec_version=9).per_topic("x")
    for topic, row in theirs.items():
        for name in names:
            assert ours[topic][name] == row[name], (topic, name)
