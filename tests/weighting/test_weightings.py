"""Weightings against their slow definitions, the worked examples, and the rules every weighting keeps."""

from __future__ import annotations

import re
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adjudge.core.errors import SpecError
from adjudge.index.searching import Searcher
from adjudge.weighting.lucene_classic import decode, encode
from adjudge.weighting.scheme import Clause, Statistics, TermCounts, weightings
from slow_weightings import LIMITS, SCHEMES, Slow, indexed

WORDS = "abcdef"
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=8)
QUERIES = st.lists(st.sampled_from(WORDS + "z"), min_size=1, max_size=6)
EXAMPLE = ["a b a", "b c", "c c c d"]


@pytest.mark.slow
@given(texts=TEXTS, query=QUERIES)
@example(texts=["a", "a", "a b"], query=["a", "b"])
@example(texts=[""], query=["a"])
@example(texts=["a b", "c"], query=["a", "a", "z"])
def test_scores_are_those_of_the_definition(texts: list[str], query: list[str]) -> None:
    slow = Slow(texts)
    with indexed(texts) as index:
        for spec, definition in SCHEMES.items():
            searcher = Searcher(index, spec)
            hits = dict(searcher.search([" ".join(query)])[0])
            factors = {
                t: searcher.weighting.query(
                    searcher.statistics, Clause(TermCounts(slow.df[t], slow.cf[t]), query.count(t))
                )
                for t in query
                if slow.df[t]
            }
            matching = [d for d in range(len(texts)) if any(factors[t] for t in slow.found(query, d))]
            assert set(hits) == {f"d{d}" for d in matching}, spec
            for d in matching:
                assert hits[f"d{d}"] == pytest.approx(definition(slow, query, d), rel=1e-12, abs=1e-12), spec
                explanation = searcher.explain(" ".join(query), f"d{d}")
                assert explanation.value == pytest.approx(hits[f"d{d}"], rel=1e-12, abs=1e-12)
                assert sum(part.value for part in explanation.parts) == pytest.approx(explanation.value, abs=1e-12)
                for part in explanation.parts:
                    if part.combine == "product":
                        assert np.prod([p.value for p in part.parts]) == pytest.approx(part.value, abs=1e-12)
            for d in set(range(len(texts))) - set(matching):
                assert searcher.explain(" ".join(query), f"d{d}").value == 0


@pytest.mark.parametrize(
    ("query", "scores"),
    [("a b", [1.099631, 0.181168]), ("a b b", [1.202098, 0.417957])],
)
def test_lucene_classic_on_the_worked_example(query: str, scores: list[float]) -> None:
    with indexed(EXAMPLE) as index:
        hits = Searcher(index, "lucene_classic").search([query])[0]
        assert list(hits.ids) == ["d0", "d1"]
        assert hits.scores.tolist() == pytest.approx(scores, abs=1e-6)
        explanation = Searcher(index, "lucene_classic").explain("a b", "d0")
        assert {round(value, 6) for _, what, value in explanation.lines() if what == "query norm"} == {0.579739}


def test_norms_of_lucene() -> None:
    lengths = np.arange(1, 4097)
    norms = decode(encode(lengths))
    limits = np.array(list(LIMITS))
    assert norms.tolist() == np.array(list(LIMITS.values()))[np.searchsorted(limits, lengths)].tolist()
    assert encode(np.array([0])).tolist() == [255]
    assert decode(np.array([0, 255], np.uint8)).tolist() == [0.0, 7516192768.0]


def test_figures_that_a_live_lucene_explained() -> None:
    weighting = weightings.parse("lucene_classic")
    statistics = Statistics(np.zeros(44218, np.int64), np.zeros(44218, np.int64))
    idf = weighting.query(statistics, Clause(TermCounts(32, 40))) ** 0.5
    assert idf == pytest.approx(8.200379, abs=1e-6)
    assert weighting.query(statistics, Clause(TermCounts(5, 5))) ** 0.5 == pytest.approx(9.905128, abs=1e-6)
    norm = decode(encode(np.array([2])))
    field_weight = float(weighting.document(statistics, TermCounts(32, 40), np.ones(1), norm)[0]) * idf
    assert field_weight == pytest.approx(5.125237, abs=1e-6)
    assert idf * 0.06894257 == pytest.approx(0.56535524, abs=1e-7)
    assert field_weight * idf * 0.06894257 == pytest.approx(2.8975797, abs=1e-6)


def test_cosine_and_pivoted_on_four_grams() -> None:
    texts = ["solar power florida", "solar eclipse", "power plant florida florida", "coupon bonds"]
    with indexed(texts, "words|lower|ngrams(4, pad=_)") as index:
        scores = dict(Searcher(index, "cosine").search(["solar florida"])[0])
        assert [round(scores.get(f"d{i}", 0), 4) for i in range(4)] == [0.8452, 0.2390, 0.5721, 0]
        assert index.most_frequent(2) == ["_flo", "flor"]
    with indexed(["aaaa bbbb", "aaaa aaaa aaaa cccc"], "words|lower|ngrams(4, pad=_)") as index:
        assert index.statistics.average_distinct == 6
        hits = Searcher(index, "pivoted").search(["bbbb"])[0]
        assert dict(hits) == {"d0": pytest.approx(3 * np.log(2) / 6)}


def test_examples_of_the_docstrings() -> None:
    with indexed(EXAMPLE) as index:

        def score(spec: str) -> float:
            return float(Searcher(index, spec).search(["a"])[0].scores[0])

        assert score("bm25(k1=1, b=0)") == pytest.approx(0.653886, abs=1e-6)
        assert score("dirichlet(9)") == pytest.approx(-1.098612, abs=1e-6)
        assert score("jelinek_mercer(0.5)") == pytest.approx(-0.810930, abs=1e-6)
    with indexed(["a b", "b"]) as index:
        assert dict(Searcher(index, "cosine").search(["a"])[0]) == {"d0": pytest.approx(1)}


@pytest.mark.parametrize("name", weightings.names)
def test_conformance(name: str) -> None:
    cls = weightings.get(name)
    weighting = weightings.parse(name)
    assert weightings.parse(str(weighting)) == weighting
    assert hash(weighting) == hash(weightings.parse(name))
    doc = cls.__doc__ or ""
    assert 20 <= len(cls.summary()) <= 118
    assert cls.summary().endswith(".")
    for heading in ("Formula:", "Parameters:", "Example:", "No value:", "Paper:"):
        assert heading in doc
    for each in fields(cls):  # type: ignore[arg-type]
        assert f"``{each.name}``" in doc
    assert name in {spec.partition("(")[0] for spec in SCHEMES}, "the slow definition is missing"


@pytest.mark.parametrize("spec", SCHEMES)
def test_no_document_is_worse_for_another_occurrence(spec: str) -> None:
    """With length, distinct terms and statistics as they are, a higher frequency weighs more."""
    weighting = weightings.parse(spec)
    statistics = Statistics(np.full(9, 50), np.full(9, 20))
    norm = np.full(8, weighting.norms(statistics)[0])
    weights = weighting.document(statistics, TermCounts(3, 12), np.arange(1.0, 9.0), norm)
    assert np.all(np.diff(weights) >= 0)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("bm25(b=2)", "bm25: b must lie in [0, 1], not 2"),
        ("bm25(k1=-1)", "bm25: k1 must lie in [0, 1e9], not -1"),
        ("bm25(form=okapi)", "bm25: form must be lucene or robertson, not okapi"),
        ("bm25(k3=-2)", "k3 must lie in [0, 1e9], or be none"),
        ("bm25(1)", "takes its parameters by name: k1, b, form, k3"),
        ("pivoted(1.5)", "slope must lie in [0, 1]"),
        ("dirichlet(0)", "mu must lie in [1e-9, 1e15]"),
        ("dirichlet(1e-320)", "mu must lie in [1e-9, 1e15]"),
        ("bm25(k1=1e308)", "k1 must lie in [0, 1e9]"),
        ("jelinek_mercer(1)", "lam must lie in [1e-9, 1)"),
        ("jelinek_mercer(0)", "lam must lie in [1e-9, 1)"),
        ("bm52", "no weighting 'bm52', did you mean bm25?"),
        ("cosine(b=1)", "cosine has no parameter 'b'"),
    ],
)
def test_wrong_weightings(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=re.escape(message)):
        weightings.parse(spec)
