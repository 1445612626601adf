"""Every measure of the registry against its definition written slowly, on random judged runs of every kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge
from adjudge.core.measure import RankedMeasure, RelevanceMeasure, TextMeasure, TruncatedMeasure, measures
from adjudge.measures._gains import Gained
from slow import DEFINITIONS, Case, Ranking, condensed, cut, keep, near
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


@pytest.mark.slow
@settings(max_examples=3 * settings().max_examples, deadline=None)
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
            found, expected = scores["x", topic, spec], definition(case)
            assert near(found, expected, 1e-12, 1e-12), (found, expected, spec, topic, case)


def with_parameters(spec: str, **more: object) -> str:
    """A spec with further parameters."""
    added = ", ".join(f"{key}={str(value).lower()}" for key, value in more.items())
    return f"{spec.removesuffix(')')}, {added})" if spec.endswith(")") else f"{spec}({added})"


def _of_changed(definition: Callable[[Case], float], change: Callable[[Case], Case], case: Case) -> float:
    return definition(change(case))


@cache
def views_of(rel: int, depth: int) -> dict[str, tuple[str, Callable[[Case], float]]]:
    """Every definition on every view that its measure can be asked for: spec, and the slow way to its value."""
    found: dict[str, tuple[str, Callable[[Case], float]]] = {}
    for spec, definition in DEFINITIONS.items():
        measure = measures.parse(spec)
        forms: dict[str, tuple[dict[str, object], Callable[[Case], Case]]] = {}
        if isinstance(measure, RankedMeasure):
            forms["judged"] = {"judged_only": True}, condensed
        if isinstance(measure, RelevanceMeasure):
            forms["rel"] = {"rel": rel}, lambda c: replace(c, level=rel)
            forms["both"] = {"rel": rel, "judged_only": True}, lambda c: condensed(replace(c, level=rel))
        if isinstance(measure, Gained):
            forms["kept"] = {"rel": rel}, lambda c: keep(c, rel)
        if isinstance(measure, TruncatedMeasure):
            forms["cut"] = {"cutoff": depth}, lambda c: cut(c, depth)
            forms["cut judged"] = {"cutoff": depth, "judged_only": True}, lambda c: cut(condensed(c), depth)
        for form, (more, change) in forms.items():
            if any(f"{key}=" in spec for key in more):
                continue
            if "gains=[0:" not in spec or form != "kept":  # a slow ranking cannot drop a grade that has a gain at 0
                found[f"{form} {spec}"] = with_parameters(spec, **more), partial(_of_changed, definition, change)
    return found


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(qrels, runs, st.integers(1, 3), st.integers(1, 6), st.integers(1, 4), st.booleans(), st.sampled_from([9, 10]))
def test_every_measure_on_every_view(
    judgments: Nested, run: Nested, level: int, depth: int, rel: int, judged_only: bool, version: int
) -> None:
    options = {"level": level, "depth": 8, "judged_only": judged_only, "complete": False}
    cases = slow_cases(judgments, run, **options, version=version, size=1000)  # type: ignore[arg-type]
    if not cases:
        return
    views = views_of(rel, depth)
    specs = [spec for spec, _ in views.values()]
    scores = adjudge.measure(
        judgments,
        {"x": run},
        specs,
        **options,  # type: ignore[arg-type]
        trec_version=version,
        collection_size=1000,
    )
    for topic, case in cases.items():
        for spec, slow in views.values():
            found, expected = scores["x", topic, spec], slow(case)
            assert near(found, expected, 1e-11, 1e-11), (found, expected, spec, topic, case)


@settings(max_examples=25, deadline=None)
@given(qrels, runs, st.integers(1, 4))
def test_a_level_is_the_level_of_the_judged_run(judgments: Nested, run: Nested, rel: int) -> None:
    if not set(judgments) & set(run):
        return
    specs = [s for s in DEFINITIONS if isinstance(measures.parse(s), RelevanceMeasure)]
    by_parameter = adjudge.measure(judgments, {"x": run}, [with_parameters(s, rel=rel) for s in specs])
    by_judging = adjudge.measure(judgments, {"x": run}, specs, level=rel)
    assert np.array_equal(by_parameter.values, by_judging.values, equal_nan=True)


@settings(max_examples=25, deadline=None)
@given(qrels, runs)
def test_judged_only_is_a_run_without_its_unjudged_documents(judgments: Nested, run: Nested) -> None:
    left = {
        topic: {d: s for d, s in ranking.items() if judgments.get(topic, {}).get(d, -1) >= 0}
        for topic, ranking in run.items()
    }
    left = {topic: ranking for topic, ranking in left.items() if ranking}
    if not set(judgments) & set(left):
        return
    specs = [s for s in DEFINITIONS if isinstance(measures.parse(s), RankedMeasure)]
    condensed_scores = adjudge.measure(
        judgments, {"x": {t: run[t] for t in left}}, [with_parameters(s, judged_only=True) for s in specs]
    )
    of_left = adjudge.measure(judgments, {"x": left}, specs)
    assert np.array_equal(condensed_scores.values, of_left.values, equal_nan=True)


def test_a_view_is_made_once_and_shares_what_it_can() -> None:
    judged = adjudge.judge(
        adjudge.read_run({"q": {"a": 3, "u": 2, "b": 1}}), adjudge.read_qrels({"q": {"a": 1, "b": 2}})
    )
    assert judged.view() is judged
    assert judged.view(1) is judged
    higher = judged.view(2)
    assert higher is judged.view(2)
    assert higher.grade is judged.grade
    assert higher.level == 2
    assert higher.num_rel.tolist() == [1]
    assert judged.view(2, True).rank.tolist() == [1, 2]
    assert judged.view(None, True).view(None, True).rank.tolist() == [1, 2]
    assert judged.view(2, True, 1).num_ret.tolist() == [1]
    assert judged.rank.tolist() == [1, 3]


@pytest.mark.slow
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
