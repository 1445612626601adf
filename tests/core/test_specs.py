"""Spec strings, the registries, and the conformance of every component in them."""

from __future__ import annotations

import pkgutil
import re
import subprocess
import sys
from dataclasses import FrozenInstanceError, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge
from adjudge.comparison.paired import PairedTest, corrections, paired_tests
from adjudge.components import registries
from adjudge.core.average import Average, averages
from adjudge.core.errors import ConflictError, SpecError
from adjudge.core.measure import OTHER_NAMES, Measure, MeasureRegistry, measures
from adjudge.core.registry import Registry
from adjudge.core.spec import Component, parameters
from adjudge.correlation.coefficient import Coefficient, coefficients
from adjudge.formats.documents.layout import Layout
from adjudge.index.predictor import Predictor, predictors
from adjudge.noise.engines.engine import engines
from adjudge.systems.system import System, systems
from adjudge.terms.linguistic_filter import linguistic_filters
from adjudge.text.tagging.tagger import taggers
from adjudge.text.token_filter import filters
from adjudge.text.tokenizer import tokenizers
from adjudge.weighting.scheme import Weighting, weightings
from slow import DEFINITIONS

COMPONENTS: list[type[Component]] = [cls for registry in registries() for cls in registry.all()]


@pytest.mark.parametrize("cls", COMPONENTS, ids=lambda cls: cls.name)
def test_a_component_explains_itself(cls: type[Component]) -> None:
    text = cls.__doc__ or ""
    assert re.fullmatch(r"[^\n]{20,118}[.?]", cls.summary()), "the first line is the definition, one sentence"
    argued = issubclass(cls, Measure | Coefficient | PairedTest | Weighting | System | Predictor)
    undefined = ("No value:", "Paper:") if argued else ()
    formula = () if issubclass(cls, Layout) else ("Formula:",)
    for part in (*formula, "Example:", *undefined):
        assert part in text, f"{cls.name} does not say its {part}"
    for field in parameters(cls):
        declared = [base.__doc__ or "" for base in cls.__mro__ if field.name in vars(base).get("__annotations__", {})]
        assert any(f"``{field.name}``" in doc for doc in (text, *declared)), f"{cls.name} does not explain {field.name}"


ELSEWHERE: dict[str, Any] = {
    "gm": averages,
    "tau_ap_b(sign=true)": coefficients,
    "rbo(p=0.95, ties=w)": coefficients,
    "weighted_tau(weigher=quadratic, product=true)": coefficients,
    "wilcoxon(zeros=pratt)": paired_tests,
    "tukey(samples=500)": paired_tests,
    "holm": corrections,
    "standard(dashes=true)": tokenizers,
    "ngrams(n=3, pad=blank, cross=true)": filters,
    "bm25(k1=1.2, b=0.75, form=robertson)": weightings,
    "lexicon(own, participles=false)": taggers,
    "open(prepositions=[of, in])": linguistic_filters,
    "technical_terms(boost=3, weighting=bm25(k1=1.2, b=0.75))": systems,
    "tesseract(mode=legacy)": engines,
    "gmu(drop=0, feedback=true)": systems,
    "eth(n=4, slots=true)": systems,
    "fusion(of=[gmu961, ETHFR94N], method=combmnz)": systems,
    "scq(by=max)": predictors,
}


@pytest.mark.parametrize("spec", [*DEFINITIONS, "relstring@5", "ndcg(gains=[1:3, 2:9.5])", *ELSEWHERE])
def test_specs_round_trip(spec: str) -> None:
    registry = ELSEWHERE.get(spec, measures)
    made = registry.parse(spec)
    assert registry.parse(str(made)) == made
    assert hash(registry.parse(str(made))) == hash(made)
    assert str(registry.parse(str(made))) == str(made)
    with pytest.raises(FrozenInstanceError):
        made.k = 3


@given(st.integers(1, 10**6), st.floats(0.001, 0.999), st.integers(1, 9))
def test_specs_with_parameters_round_trip(k: int, p: float, top: int) -> None:
    for spec in (f"ndcg@{k}", f"rbp(p={p!r}, top={top})", f"err@{k}(top={top})", f"iprec@{p!r}", f"set_f({p!r})"):
        made = measures.parse(spec)
        assert measures.parse(str(made)) == made


@pytest.mark.parametrize(
    ("other", "canonical"),
    [
        ("map", "ap"),
        ("MAP", "ap"),
        ("MAP@100", "ap@100"),
        ("map_cut_10", "ap@10"),
        ("P_10", "p@10"),
        ("P@10", "p@10"),
        ("precision@5", "p@5"),
        ("recip_rank", "rr"),
        ("MRR@10", "rr@10"),
        ("nDCG@10", "ndcg@10"),
        ("ndcg_cut_10", "ndcg@10"),
        ("ndcg_cut.10", "ndcg@10"),
        ("recall_1000", "recall@1000"),
        ("R@100", "recall@100"),
        ("iprec_at_recall_0.10", "iprec@0.1"),
        ("Rprec", "rprec"),
        ("Rprec_mult_1.20", "rprec(multiple=1.2)"),
        ("11pt", "eleven_point"),
        ("11pt_avg", "eleven_point"),
        ("infAP", "infap"),
        ("binG", "bing"),
        ("G", "g"),
        ("rbp_resid", "rbp_residual(tail=unjudged)"),
        ("set_f(2)", "set_f(x=2)"),
        ("rbp(0.5)", "rbp(p=0.5)"),
        ("utility([1, -2, 0, 0])", "utility(prices=[1, -2, 0, 0])"),
        ("unj_5", "unj@5"),
        ("Judged@10", "judged@10"),
        ("SetP", "set_p"),
        ("hit_rate@5", "success@5"),
        ("P(rel=2)@5", "p@5(rel=2)"),
        ("AP(judged_only=True)", "ap(judged_only=true)"),
        ("ap(rel=2, cutoff=10)", "ap@10(rel=2)"),
        ("nDCG( gains={0: 0, 1:1,2: 9.5} )@10", "ndcg@10(gains=[0:0, 1:1, 2:9.5])"),
        ("ndcg(gains='exp')@10", "ndcg@10(gains=exp)"),
        ("rbp(0.5, cutoff=20)", "rbp(p=0.5, cutoff=20)"),
    ],
)
def test_other_names(other: str, canonical: str) -> None:
    assert str(measures.parse(other)) == canonical
    assert str(MeasureRegistry("measure", "adjudge.measures", Measure).parse(other)) == canonical


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("app", "no measure 'app', did you mean ap"),
        ("ndgc@10", "did you mean ndcg"),
        ("zzzzz", "no measure 'zzzzz'"),
        ("ndcg_cut", "needs a number, as in ndcg_cut_5"),
        ("Rprec_mult", "needs a number, as in Rprec_mult_0.2"),
        ("p", "incomplete: write p@k"),
        ("p@0", "k must be a whole number of documents, 1 or more, not 0"),
        ("p@1.5", "k must be a whole number"),
        ("p@x", "k must be a whole number"),
        ("rbp(p=2)", "p must lie between 0 and 1, not 2"),
        ("rbp(q=2)", "has no parameter 'q', it has p, top"),
        ("rbp(p=0.1, p=0.2)", "at character 12: p is given twice"),
        ("rbp(0.1, p=0.2)", "gives p twice"),
        ("bpref@5", "takes no cutoff"),
        ("num_q(3)", "takes its parameters by name: none"),
        ("bpref(3)", "takes its parameters by name: judged_only, cutoff, rel"),
        ("bpref@5", "write bpref(cutoff=5)"),
        ("bpref(cutoff=0)", "cutoff must be a whole number of documents, 1 or more, not 0"),
        ("p@5(cutoff=3)", "gives its cutoff twice"),
        ("p@5(rel=2)@3", "at character 11: the cutoff is given twice"),
        ("p(rel=2)@", "at character 10: a cutoff expected, and here it ends"),
        ("p@5(rel=x)", "rel must be a grade, a whole number from 0 on, not x"),
        ("p@5(rel=true)", "rel must be a grade"),
        ("p@5(judged_only=2)", "judged_only must be true or false, not 2"),
        ("judged@5(judged_only=true)", "judged has no parameter 'judged_only'"),
        ("ndcg(gains={1})", "a pair such as 1:3 expected"),
        ("ndcg(gains={1:3 2:9})", "at character 17: , or } expected, not '2'"),
        ("ndcg@5(gains=[1:])", "gains must be grade, exp or pairs"),
        ("rbp(top=2, rel=1)", "top must not be given beside rel"),
        ("set_f(beta=2, x=3)", "x must not be given beside beta"),
        ("iprec@0.5(rounding=down)", "rounding must be judged, half or up"),
        ("iprec@1.5", "recall between 0 and 1"),
        ("ndcg(gains=log)", "gains must be grade, exp or pairs"),
        ("utility(prices=[1, 2])", "four numbers"),
        ("err@10(top=0)", "top must be a grade"),
        ("ap@", "at character 4: a cutoff expected, and here it ends"),
        ("", "at character 1: a name expected, and here it ends"),
        ("ap)", "at character 3: the end expected, not ')'"),
        ("set_f(x=-1)", "x must be 0 or more"),
        ("rank(miss=0)", "miss must be a whole number"),
        ("rprec(multiple=0)", "multiple must be above 0"),
        ("eleven_point(recalls=2)", "list of recalls"),
        ("rbp_residual(tail=no)", "always or unjudged"),
    ],
)
def test_wrong_specs(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=re.escape(message)):
        measures.parse(spec)


def test_a_registry_finds_files_and_refuses_disorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "zoo"
    package.mkdir()
    (package / "__init__.py").touch()
    head = "from dataclasses import dataclass\nfrom typing import ClassVar\nfrom adjudge.core.average import Average\n"
    body = (
        "@dataclass(frozen=True)\nclass {0}(Average):\n    'x'\n    name: ClassVar[str] = '{1}'\n    __call__ = None\n"
    )
    (package / "cat.py").write_text(head + body.format("Cat", "cat"))
    (package / "dog.py").write_text(head + body.format("Dog", "wolf"))
    (package / "two.py").write_text(head + body.format("One", "two") + body.format("Two", "two"))
    (package / "_hidden.py").write_text("raise RuntimeError")
    monkeypatch.syspath_prepend(tmp_path)
    zoo: Registry[Average] = Registry("animal", "zoo", Average)
    assert zoo.names == ["cat", "dog", "two"]
    assert str(zoo.parse("cat")) == "cat"
    with pytest.raises(ConflictError, match="file and name must agree"):
        zoo.get("dog")
    with pytest.raises(ConflictError, match="must hold one animal, not 2"):
        zoo.get("two")
    with pytest.raises(SpecError, match="no animal 'cta', did you mean cat"):
        zoo.parse("cta")


def test_no_registry_is_missing_from_the_list() -> None:
    there = set()
    for module in pkgutil.walk_packages(adjudge.__path__, "adjudge."):
        if module.name != "adjudge.__main__" and not module.name.endswith("._tesserocr"):
            there |= {value for value in vars(import_module(module.name)).values() if isinstance(value, Registry)}
    assert there == set(registries())
    assert len(registries()) == len(there) == len({registry.package for registry in there})


def test_the_table_of_other_names_is_what_measures_declare() -> None:
    declared = {
        other.lower(): cls.name
        for cls in measures.all()
        for other in (*(use.name for use in cls.trec_eval), *cls.aliases)
        if other.lower() != cls.name
    }
    assert declared == OTHER_NAMES


def test_a_name_that_the_table_does_not_have_is_found_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("map", "MRR", "iprec_at_recall", "R"):
        known = measures.find(name)
        with monkeypatch.context() as patch:
            patch.delitem(OTHER_NAMES, name.lower())
            assert measures.find(name) == known is not None


def test_another_name_is_found_without_importing_all_measures() -> None:
    code = "import sys; from adjudge.core.measure import measures as m; [m.column(s) for s in sys.argv[1:]]; "
    code += "print(sum(n.startswith('adjudge.measures.') and '._' not in n for n in sys.modules))"
    command = [sys.executable, "-c", code, "map", "P_10", "recip_rank", "ndcg_cut_10", "gm_map", "Rprec", "num_q"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "6"


def test_two_measures_cannot_claim_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Thief(Measure):
        name: ClassVar[str] = "thief"
        aliases: ClassVar[tuple[str, ...]] = ("MRR",)

    registry = MeasureRegistry("measure", "adjudge.measures", Measure)
    monkeypatch.setattr(registry, "all", lambda: [*measures.all(), Thief])
    with pytest.raises(ConflictError, match="both rr and thief claim"):
        registry.known_as  # noqa: B018
    monkeypatch.setattr(Thief, "aliases", ("AP",))
    with pytest.raises(ConflictError, match="thief claims the name 'ap'"):
        registry.known_as  # noqa: B018


def test_a_number_that_no_double_holds_is_refused() -> None:
    with pytest.raises(SpecError, match="k1 must lie in"):
        weightings.parse(f"bm25(k1=1{'0' * 400})")
