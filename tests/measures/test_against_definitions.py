"""Every measure of the registry against its definition written slowly, on random judged runs of every kind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge
from adjudge.core.measure import TextMeasure, measures
from slow import DEFINITIONS, Case, Ranking
from strategies import Nested, qrels, runs


def slow_cases(
    judgments: Nested,
    run: Nested,
    *,
    level: int,
    depth: int | None,
    judged_only: bool,
    complete: bool,
    version: int,
    size: int,
) -> dict[str, Case]:
    """What judging does, the long way round."""
    cases = {}
    for topic, grades in judgments.items():
        if topic not in run and not complete:
            continue
        retrieved = run.get(topic, {})
        compared = {d: float(np.float32(s)) if version == 9 else s for d, s in retrieved.items()}
        order = sorted(retrieved, key=lambda d: (compared[d], d.encode()), reverse=True)[:depth]
        ranking: Ranking = [None if d not in grades else max(-1, int(grades[d])) for d in order]
        if judged_only:
            ranking = [g for g in ranking if g is not None and g >= 0]
        pool = [int(g) for g in grades.values() if g >= 0]
        if version == 9 and topic not in run:
            pool = []
        top = max(0, *(int(g) for docs in judgments.values() for g in docs.values()))
        cases[topic] = Case(ranking, pool, level, version, size, top)
    return cases


@settings(max_examples=300, deadline=None)
@given(
    qrels,
    runs,
    st.integers(1, 4),
    st.one_of(st.none(), st.integers(1, 8)),
    st.booleans(),
    st.booleans(),
    st.sampled_from([9, 10]),
)
def test_every_measure(
    judgments: Nested, run: Nested, level: int, depth: int | None, judged_only: bool, complete: bool, version: int
) -> None:
    cases = slow_cases(
        judgments, run, level=level, depth=depth, judged_only=judged_only, complete=complete, version=version, size=1000
    )
    if not cases or not (complete or set(judgments) & set(run)):
        return
    scores = adjudge.measure(
        *(judgments, {"x": run}, list(DEFINITIONS)),
        level=level,
        depth=depth,
        judged_only=judged_only,
        complete=complete,
        trec_version=version,
        collection_size=1000,
    )
    assert list(scores.topics) == sorted(cases, key=str.encode)
    for topic, case in cases.items():
        for spec, definition in DEFINITIONS.items():
            found = scores["x", topic, spec]
            assert found == pytest.approx(definition(case), rel=1e-12, abs=1e-12), (spec, topic, case)


@given(qrels, runs, st.integers(1, 15))
def test_relstring(judgments: Nested, run: Nested, k: int) -> None:
    if not set(judgments) & set(run):
        return
    options = {"level": 1, "depth": None, "judged_only": False, "complete": False, "version": 10, "size": 0}
    cases = slow_cases(judgments, run, **options)  # type: ignore[arg-type]
    scores = adjudge.measure(judgments, {"x": run}, [f"relstring@{k}"])
    for t, topic in enumerate(scores.topics):
        signs = ["-" if g is None else "." if g < 0 else str(g) for g in cases[topic].ranking[:k]]
        assert scores.texts[f"relstring@{k}"][0, t] == "".join(signs)


def test_every_measure_of_the_registry_has_a_slow_definition() -> None:
    covered = {measures.parse(spec).name for spec in DEFINITIONS}
    numeric = {
        cls.name
        for cls in measures.all()
        if not issubclass(cls, TextMeasure) and getattr(cls, "judged_by", "qrels") == "qrels"
    }
    assert covered == numeric


def test_figures_never_leave_their_range() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        docs = [f"d{i}" for i in range(40)]
        judgments = {"t": {d: int(g) for d, g in zip(docs, rng.integers(0, 5, 40), strict=True)}}
        run = {"t": {d: float(s) for d, s in zip(docs, rng.random(40), strict=True)}}
        scores = adjudge.measure(
            judgments, {"x": run}, ["rbp", "err", "ndcg", "ndcg@5(gains=exp)", "ap", "bpref", "infap"]
        )
        assert np.all((scores.values >= 0) & (scores.values <= 1 + 1e-12))
