"""What must hold of every measure, whatever its definition: bounds, and that a better ranking is never worse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge
from adjudge.core.measure import measures

BOUNDED = (
    *(
        "ap",
        "ap@5",
        "p@5",
        "recall@5",
        "rr",
        "success@3",
        "rprec",
        "bpref",
        "iprec@0.3",
        "eleven_point",
        "ndcg",
        "ndcg@5",
    ),
    *(
        "ndcg@5(gains=exp)",
        "ndcg(rel=2)",
        "err",
        "err@5(top=4)",
        "nerr",
        "nerr@4",
        "rbp",
        "rbp(rel=1)",
        "compat",
        "accuracy",
    ),
    *("compat(p=0.7, normalize=false)", "set_p", "set_recall", "set_f", "set_f@5", "set_f(beta=2)", "set_map"),
    *(
        "set_relative_p",
        "relative_p@5",
        "bing",
        "ndcg_rel",
        "rndcg",
        "cwl_p@5",
        "cwl_rbp",
        "cwl_rr",
        "cwl_ap",
        "sdcg@5",
    ),
    *("inst", "inst(T=3)", "insq", "bpm@5", "bpm@5(hb=0.5, hc=0.5)", "tbg", "u_measure(L=20)", "nerr8@5", "nerr9@5"),
    *("nerr10", "nerr11", "ift", "ift(A=0.3)"),
)
MONOTONE = (
    *(
        "ap",
        "ap@5",
        "p@5",
        "recall@5",
        "rr",
        "success@3",
        "rprec",
        "bpref",
        "iprec@0.3",
        "eleven_point",
        "ndcg",
        "ndcg@5",
    ),
    *("dcg", "dcg@5(gains=exp)", "ndcg(rel=2)", "err", "nerr", "rbp", "rbp(rel=1)", "rbp(scaled=false)", "accuracy"),
    *(
        "set_f@5",
        "relative_p@5",
        "bing",
        "cwl_p@5",
        "cwl_rbp",
        "cwl_rr",
        "cwl_ap",
        "sdcg@5",
        "insq",
        "inst(T=3)",
        "tbg",
    ),
    *("u_measure(L=20)", "num_rel_ret@5", "compat(p=0.7, normalize=false)"),
)
"""bpm, nerr8 and their like may lose by a swap: a reader who is satisfied earlier also stops earlier."""


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from([None, 0, 0, 1, 2, 3]), min_size=2, max_size=12), st.integers(0, 3), st.data())
def test_bounds_and_swaps(grades: list[int | None], missed: int, data: st.DataObject) -> None:
    """A relevant document changes places with the one above it that is not relevant: nothing gets worse."""
    judged = {f"d{i}": grade for i, grade in enumerate(grades) if grade is not None}
    judged |= {f"m{i}": 1 for i in range(missed)}
    if not judged:
        return
    order = [f"d{i}" for i in range(len(grades))]
    bounded = adjudge.measure({"q": judged}, {"x": {"q": scores_of(order)}}, BOUNDED)
    assert np.all((bounded.values >= -1e-12) & (bounded.values <= 1 + 1e-12))
    places = [i for i in range(1, len(grades)) if (grades[i] or 0) > 0 and not grades[i - 1]]
    if not places:
        return
    place = data.draw(st.sampled_from(places))
    better = [*order[: place - 1], order[place], order[place - 1], *order[place + 1 :]]
    runs = {"before": {"q": scores_of(order)}, "after": {"q": scores_of(better)}}
    scores = adjudge.measure({"q": judged}, runs, MONOTONE)
    before, after = scores.values[:, 0, :]
    worse = [name for name, b, a in zip(MONOTONE, before, after, strict=True) if a < b - 1e-12]
    assert not worse, (grades, place)


def scores_of(order: list[str]) -> dict[str, float]:
    return {document: float(len(order) - i) for i, document in enumerate(order)}


def test_the_ideal_ranking_has_the_highest_value() -> None:
    judged = {f"d{i}": grade for i, grade in enumerate([3, 2, 2, 1, 0])}
    ideal = {"x": {"q": scores_of(list(judged))}}
    normalised = ["ap", "rr", "rprec", "bpref", "ndcg", "ndcg@3(gains=exp)", "nerr", "compat", "accuracy", "recall@5"]
    assert all(
        value == pytest.approx(1) for value in adjudge.measure({"q": judged}, ideal, normalised).mean()["x"].values()
    )


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("inst(gains=[1:0.5])", "inst: no gain for grade 2, which judgments have: write gains=\\[1:0.5, 2:…\\]"),
        ("inst(costs=[1:0.5, 2:1])", "inst: no cost for grade 0"),
    ],
)
def test_a_grade_without_a_gain_is_refused(spec: str, message: str) -> None:
    with pytest.raises(adjudge.DataError, match=message):
        adjudge.measure({"q": {"a": 2, "b": 0}}, {"q": {"a": 1.0}}, spec)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("inst(gains=[1:2])", "gains must have values between 0 and 1"),
        ("inst(gains=[1:])", "gains must be pairs such as"),
        ("inst(max_rel=0)", "max_rel must be a grade above min_rel"),
        ("inst(figure=gain)", "figure must be one of eu, etu, ec, etc, ed"),
        ("inst(T=0)", "T must be above 0"),
        ("inst(depth=0)", "depth must be a number of ranks"),
        ("bpm", "write bpm@k"),
        ("bpm@0", "k must be"),
        ("cwl_rbp(p=1)", "p must lie between 0 and 1"),
        ("compat(normalize=2)", "normalize must be true or false"),
        ("accuracy(missing=no)", "missing must be zero or skip"),
        ("inst(max_cost=0)", "max_cost must be above 0"),
    ],
)
def test_bad_parameters(spec: str, message: str) -> None:
    with pytest.raises(adjudge.SpecError, match=message):
        measures.parse(spec)


def test_a_condensed_list_tells_how_much_was_passed_over() -> None:
    run = {"q": {"u": 3.0, "a": 2.0, "v": 1.0}}
    scores = adjudge.measure({"q": {"a": 1}}, {"mine": run}, ["p@2(judged_only=true)", "ap(judged_only=true)", "ap"])
    assert [str(note) for note in scores.notes] == [
        "mine: nobody judged 66.7% of the documents; measures with judged_only pass over them",
        "mine: nobody judged 50.0% of the first 2 documents; measures with judged_only pass over them",
    ]
    assert not adjudge.measure({"q": {"a": 1}}, {"mine": run}, ["ap"]).notes


def test_a_cost_is_neither_good_nor_bad() -> None:
    columns = [
        measures.column(spec)[0] for spec in ("inst", "inst(figure=etu)", "inst(figure=ec)", "inst(residual=true)")
    ]
    assert [column.better for column in columns] == ["high", "high", "", ""]


def test_user_models_agree_with_cwl_eval() -> None:
    pytest.importorskip("cwl")
    import logging

    from cwl.ruler import cwl_ruler
    from cwl.ruler.ranking import Ranking

    logging.getLogger("cwl").disabled = True
    rng = np.random.default_rng(3)
    names = ["INSTCWLMetric(2.0)", "INSQCWLMetric(1.5)", "BPMCWLMetric(1.2, 8)", "NDCGCWLMetric(10)", "RRCWLMetric()"]
    names += [
        "APCWLMetric()",
        "RBPCWLMetric(0.97)",
        "PrecisionCWLMetric(5)",
        "TBGCWLMetric(20.0)",
        "NERReq9CWLMetric(7)",
    ]
    for _ in range(2):
        grades = rng.choice([-1, 0, 1, 2], 30)
        judged = {f"d{i:02}": int(g) for i, g in enumerate(grades) if g >= 0}
        run = scores_of([f"d{i:02}" for i in range(30)])
        ours = adjudge.measure({"q": judged | {"m": 2}}, {"x": {"q": run}}, names, names="cwl_eval").mean()["x"]
        for name in names:
            numbers = [float(n) if "." in n else int(n) for n in name.partition("(")[2][:-1].split(",") if n]
            gains = np.where(grades < 0, np.nan, grades / 2)
            metric = getattr(cwl_ruler, name.partition("(")[0])(*numbers)
            theirs = metric.measure(Ranking("q", list(gains), [np.nan] * 30))
            assert ours[name] == pytest.approx(theirs, rel=1e-12, abs=1e-12), name
