"""Names of measures as other programs write them."""

from __future__ import annotations

import re

import pytest

import adjudge
from adjudge.core.dialects import BY_NAME, CWL_EVAL, DIALECTS, READERS, read_name
from adjudge.core.errors import SpecError
from adjudge.core.measure import MEANT_ELSEWHERE, MeasureRegistry, measures
from adjudge.core.registry import Registry
from adjudge.evaluation.score_columns import columns

QRELS = {"q": {"a": 1, "b": 2, "c": 0, "e": 1}, "r": {"a": 1}}
RUN = {"q": {"c": 5.0, "u": 4.0, "a": 3.0, "b": 2.0, "v": 1.0}, "r": {"b": 2.0, "a": 1.0}}

SAME_EVERYWHERE = {
    "P(rel=2)@5": "p@5(rel=2)",
    "Precision@5": "p@5",
    "P(cutoff=5)": "p@5",
    "R(judged_only=True, rel=2)@100": "recall@100(judged_only=true, rel=2)",
    "Recall@10": "recall@10",
    "AP(judged_only=True)": "ap(judged_only=true)",
    "MAP(rel=2)@100": "ap@100(rel=2)",
    "MRR@10": "rr@10",
    "nDCG(dcg='exp-log2')@10": "ndcg@10(gains=exp)",
    'nDCG(dcg="log2")@10': "ndcg@10",
    "NDCG(gains={0: 0, 1: 3}, judged_only=True)@10": "ndcg@10(gains=[0:0, 1:3], judged_only=true)",
    "Rprec(rel=2)": "rprec(rel=2)",
    "RPrec": "rprec",
    "BPref": "bpref",
    "infAP(rel=2)": "infap(rel=2)",
    "SetP(relative=True, rel=2)": "set_relative_p(rel=2)",
    "SetRelP": "set_relative_p",
    "SetAP": "set_map",
    "SetR": "set_recall",
    "SetF": "set_f",
    "SetF(rel=2)": "set_f(rel=2)",
    "SetF(beta=1.0)": "set_f(beta=1)",
    "Success(rel=2)@5": "success@5(rel=2)",
    "NumQ": "num_q",
    "NumRel(rel=2)": "num_rel(rel=2)",
    "NumRet": "num_ret",
    "NumRet(rel=2)": "num_rel_ret(rel=2)",
    "NumRelRet": "num_rel_ret",
    "Judged@10": "judged@10",
    "RBP(rel=1, p=0.8)": "rbp(p=0.8, rel=1)",
    "RBP(rel=1, p=0.8)@10": "rbp(p=0.8, cutoff=10, rel=1)",
    "hits": "num_rel_ret",
    "hits@10": "num_rel_ret@10",
    "hit_rate@5": "success@5",
    "hit_rate": "success@1000000000",
    "precision": "set_p",
    "precision@10-l2": "p@10(rel=2)",
    "recall-l2": "set_recall(rel=2)",
    "recall@10-l2": "recall@10(rel=2)",
    "f1": "set_f",
    "f1@10": "set_f@10",
    "f1@10-l2": "set_f@10(rel=2)",
    "r-precision": "rprec",
    "mrr": "rr",
    "mrr-l2": "rr(rel=2)",
    "map@10": "ap@10",
    "map-l3": "ap(rel=3)",
    "ndcg@10-l2": "ndcg@10(rel=2)",
    "ndcg_burges@10": "ndcg@10(gains=exp)",
    "dcg_burges": "dcg(gains=exp)",
    "bpref-l2": "bpref(rel=2)",
    "rbp.95": "rbp(p=0.95, scaled=false)",
    "rbp.95-l2": "rbp(p=0.95, scaled=false, rel=2)",
}

REFUSED = {
    "ERR@20": ("err@20", "err@20(top=4)"),
    "IPrec@0.1": ("iprec@0.1", "iprec@0.1(rounding=up)"),
    "Accuracy@10": ("accuracy@10", "accuracy@10(missing=skip)"),
    "RBP(p=0.8)": ("rbp(p=0.8, rel=1)", "rbp(p=0.8)"),
    "RBP(rel=1)": ("rbp(rel=1)", "rbp(p=0.8, rel=1)"),
    "SetF(beta=2)": ("set_f(beta=2)", "set_f(x=2)"),
    "recall": ("set_recall", "recall@k"),
    "rbp@95": ("rbp(p=0.95, scaled=false)", "rbp(cutoff=95)"),
}

IN_DIALECT = {
    ("ir_measures", "ERR@20"): "err@20(top=4)",
    ("ir_measures", "IPrec@0.1"): "iprec@0.1(rounding=up)",
    ("ir_measures", "IPrec(recall=0.1, rel=2)"): "iprec@0.1(rounding=up, rel=2)",
    ("ir_measures", "RBP(rel=2)"): "rbp(p=0.8, rel=2)",
    ("ir_measures", "SetF(beta=2)"): "set_f(x=2)",
    ("ir_measures", "ap(tail=worst)"): "ap(tail=worst)",
    ("ranx", "recall"): "set_recall",
    ("ranx", "rbp@95"): "rbp(p=0.95, scaled=false)",
    ("ranx", "ERR_of_nobody"): None,
    ("trec_eval", "iprec_at_recall_0.10"): "iprec@0.1",
    ("pytrec_eval", "iprec_at_recall_0.10"): "iprec@0.1(rounding=up)",
    ("pytrec_eval", "11pt_avg"): "eleven_point(rounding=up)",
    ("trec_eval", "ndcg_cut_10"): "ndcg@10",
    ("trec_eval", "set_F_2"): "set_f(x=2)",
    ("trec_eval", "ndcg.1=3,2=9"): "ndcg(gains=[1:3, 2:9])",
}


@pytest.mark.parametrize(("name", "spec"), SAME_EVERYWHERE.items())
def test_a_name_with_one_meaning_is_understood(name: str, spec: str) -> None:
    assert str(measures.parse(name)) == spec


@pytest.mark.parametrize(("name", "ways"), REFUSED.items())
def test_a_name_with_two_meanings_is_refused_with_both_spellings(name: str, ways: tuple[str, ...]) -> None:
    with pytest.raises(SpecError) as refused:
        measures.parse(name)
    for way in ways:
        assert way in str(refused.value)
        if "@k" not in way:
            assert str(measures.parse(way)) == way, "what is proposed can be written"


@pytest.mark.parametrize(("asked", "spec"), IN_DIALECT.items())
def test_a_dialect_decides(asked: tuple[str, str], spec: str | None) -> None:
    dialect, name = asked
    if spec is None:
        with pytest.raises(SpecError, match="no measure"):
            columns(name, dialect)
    else:
        ((column, measure),) = columns(name, dialect)
        assert (str(measure), column.measure) == (spec, spec)


def test_names_of_trec_eval_may_be_several_measures() -> None:
    assert [c.name for c, _ in columns(["P.5,10", "map", "success"], "trec_eval")] == [
        *("P_5", "P_10", "map", "success_1", "success_5", "success_10")
    ]
    assert len(columns("recall", "pytrec_eval")) == 9
    official = columns("official", "trec_eval")
    assert [c.average for c, _ in official if c.name in {"gm_map", "num_rel"}] == ["sum", "gm(floor=1e-05)"]


def test_figures_are_averaged_as_their_program_does() -> None:
    scores = adjudge.measure(QRELS, RUN, ["hits", "NumRelRet"])
    assert list(scores.summary()["run"].values()) == [1.5, 3.0]


def test_values_by_names_of_a_program() -> None:
    scores = adjudge.measure(QRELS, {"x": RUN}, ["ERR@20", "IPrec@0.4", "nDCG@10"], names="ir_measures")
    assert scores.measures == ("ERR@20", "IPrec@0.4", "nDCG@10")
    assert scores["x", "q", "ERR@20"] == pytest.approx((1 / 16) / 3 + (15 / 16) * (3 / 16) / 4)


def test_a_program_that_nobody_knows() -> None:
    with pytest.raises(SpecError, match=re.escape("no names of 'irmeasures', did you mean ir_measures")):
        adjudge.measure(QRELS, RUN, ["ap"], names="irmeasures")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nDCG(dcg='ln')@10", "dcg of ir_measures is exp-log2 or log2, not ln"),
        ("SetF(gamma=2)", "SetF of ir_measures has no parameter 'gamma', it has beta"),
        ("P(cutoff=5)@10", "gives its cutoff twice"),
        ("RBP(p=0.8)", "has no value in ir_measures without rel"),
    ],
)
def test_mistakes_in_a_dialect(name: str, message: str) -> None:
    with pytest.raises(SpecError, match=re.escape(message)):
        measures.parse(name, "ir_measures")


def test_the_list_of_names_with_another_meaning_is_what_the_tables_say() -> None:
    """A name alone, and with each parameter that both take, is read by us and by the other program."""
    registry = MeasureRegistry("measure", "adjudge.measures", measures.base)
    values = {
        "rel": "2",
        "judged_only": "true",
        "p": "0.7",
        "beta": "2",
        "alpha": "0.3",
        "T": "2",
        "normalize": "false",
    }
    found = set()
    for name, peer in BY_NAME["ir_measures"].items():
        forms = ["", *(f"({key}={values[key]})" for key in peer.fields() if key in values)]
        for form in [f"{name}{form}{at}" for form in forms for at in ("", "@0.5", "@5")]:
            try:
                ours = Registry.parse(registry, form)
                theirs = read_name("ir_measures", form)
            except SpecError as error:
                found |= {name} if "has no value in ir_measures" in str(error) else set()
                continue
            if theirs is not None and Registry.parse(registry, theirs.spec) != ours:
                found.add(name)
    assert found == MEANT_ELSEWHERE


def test_every_name_in_the_tables_can_be_measured() -> None:
    for dialect, table in BY_NAME.items():
        for name in table:
            at = {"IPrec": "@0.5", "rbp": ".9"}.get(name, "@5")
            more = "(rel=1)" if name == "RBP" else ""
            readings = [reading for text in (name + more, name + more + at) if (reading := _try(dialect, text))]
            assert readings, f"{name} of {dialect}"
    for _, cls, _, ours in CWL_EVAL:
        numbers = {"PrecisionCWLMetric": "10", "NDCGCWLMetric": "10"}.get(cls, "1,5,0.5,0.5,0.5,0.5")
        meant = read_name("cwl_eval", f"{cls}({','.join(numbers.split(',')[: ours.count('{')])})")
        assert meant is not None, cls
    assert set(READERS) < set(DIALECTS)


def _try(dialect: str, text: str) -> str:
    try:
        meant = read_name(dialect, text)
        return "" if meant is None else str(Registry.parse(measures, meant.spec))
    except SpecError:
        return ""
