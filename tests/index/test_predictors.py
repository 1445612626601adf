"""Query performance predictors, by the examples of their docstrings and by slow definitions."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError, SpecError
from adjudge.core.spec import parameters
from adjudge.index.building import build
from adjudge.index.index import Index
from adjudge.index.predictor import DEFAULT, Predictor, QueryTerms, predictors

TEXTS = ["a b a", "b c", "c c c d"]
MU = 2000.0


def index_of(folder: Path, texts: list[str] = TEXTS) -> Index:
    return build(InMemory(Document(f"d{i}", t) for i, t in enumerate(texts)), folder / "index", analyzer="words")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return index_of(tmp_path_factory.mktemp("predictors"))


def value(index: Index, spec: str, query: str) -> float:
    made = predictors.parse(spec)(QueryTerms.of([query], index))
    assert made.shape == (1,)
    return float(made[0])


@pytest.mark.parametrize(
    ("spec", "query", "expected"),
    [
        ("length", "a b zz a", 4),
        ("idf", "a b", 0.752039),
        ("idf(max)", "a b", 1.098612),
        ("idf(sum)", "a a b", 2 * 1.098612 + 0.405465),
        ("scq", "a b", 3.898615),
        ("scq(by=mean)", "a b", 1.949308),
        ("scq(by=max)", "a b", 2.347200),
        ("scs", "a a b", 1.251629),
        ("ictf", "a d", 2.669925),
        ("wig", "a", 0.002991),
        ("nqc", "b", 0.000166),
    ],
)
def test_worked_examples(index: Index, spec: str, query: str, expected: float) -> None:
    assert value(index, spec, query) == pytest.approx(expected, abs=1e-6)


def slowly(spec: str, query: list[str]) -> float:
    """The formulas, word by word, over the three documents."""
    documents = [text.split() for text in TEXTS]
    words = [word for document in documents for word in document]
    cf, n, tokens = Counter(words), len(documents), len(words)
    df = Counter(word for document in documents for word in set(document))
    known = [word for word in query if cf[word]]
    if spec == "length":
        return len(query)
    if not known:
        return math.nan
    name, _, by = spec.rstrip(")").partition("(by=")
    if name in {"idf", "scq"}:
        idf = [math.log(n / df[w]) for w in known]
        scq = [(1 + math.log(cf[w])) * math.log(1 + n / df[w]) for w in known]
        values = idf if name == "idf" else scq
        return {"sum": sum(values), "mean": sum(values) / len(values), "max": max(values)}[by]
    if name == "scs":
        share = {w: known.count(w) / len(known) for w in known}
        return sum(p * math.log2(p / (cf[w] / tokens)) for w, p in share.items())
    if name == "ictf":
        return sum(math.log2(tokens / cf[w]) for w in known) / len(known)
    scores = sorted(
        (
            sum(math.log((d.count(w) + MU * cf[w] / tokens) / (len(d) + MU)) for w in known)
            for d in documents
            if set(d) & set(known)
        ),
        reverse=True,
    )
    whole = sum(math.log(cf[w] / tokens) for w in known)
    if name == "wig":
        return sum(s - whole for s in scores[:5]) / len(scores[:5]) / math.sqrt(len(known))
    mean = sum(scores[:100]) / len(scores[:100])
    return math.sqrt(sum((s - mean) ** 2 for s in scores[:100]) / len(scores[:100])) / abs(whole)


@given(st.lists(st.lists(st.sampled_from(["a", "b", "c", "d", "zz", "y"]), max_size=6), min_size=1, max_size=5))
def test_predictors_are_their_definitions(index: Index, queries: list[list[str]]) -> None:
    asked = QueryTerms.of([" ".join(query) for query in queries], index)
    for spec in (*DEFAULT, "idf(by=sum)"):
        expected = [slowly(spec, query) for query in queries]
        assert predictors.parse(spec)(asked) == pytest.approx(expected, nan_ok=True, abs=1e-12)


def test_the_definitions_are_all(index: Index) -> None:
    assert {predictors.parse(spec).name for spec in DEFAULT} == set(predictors.names)


def test_how_many_documents_are_looked_at(index: Index) -> None:
    best = value(index, "wig(documents=1)", "c")
    assert best > value(index, "wig", "c")
    assert value(index, "nqc(documents=1)", "c") == 0


def test_a_query_without_an_indexed_word_has_no_value(index: Index) -> None:
    for query in ("zz y", ""):
        for spec in DEFAULT[1:]:
            assert math.isnan(value(index, spec, query))
    assert value(index, "length", "zz y") == 2
    assert value(index, "length", "") == 0


def test_a_collection_of_one_word_has_no_commitment(tmp_path: Path) -> None:
    single = index_of(tmp_path, ["a a"])
    assert math.isnan(value(single, "nqc", "a"))
    assert value(single, "wig", "a") == pytest.approx(0)
    assert value(single, "scs", "a") == 0
    assert value(single, "idf", "a") == 0


def test_an_index_without_terms_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="has no terms"):
        QueryTerms.of(["a"], index_of(tmp_path, [""]))


def test_no_queries(index: Index) -> None:
    asked = QueryTerms.of([], index)
    for spec in DEFAULT:
        assert predictors.parse(spec)(asked).shape == (0,)


@pytest.mark.parametrize("spec", [*DEFAULT, "wig(documents=10)"])
def test_specs_round_trip(spec: str) -> None:
    made = predictors.parse(spec)
    assert str(made) == spec
    assert predictors.parse(str(made)) == made


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("idf(by=median)", "by must be sum, mean or max, not median"),
        ("scq(3)", "by must be sum, mean or max, not 3"),
        ("wig(documents=0)", "documents must be a whole number, 1 or more"),
        ("nqc(documents=1.5)", "documents must be a whole number, 1 or more"),
        ("clarity", "no predictor 'clarity'"),
        ("scs@3", "takes no cutoff"),
    ],
)
def test_wrong_specs(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        predictors.parse(spec)


@pytest.mark.parametrize("cls", predictors.all(), ids=lambda cls: cls.name)
def test_a_predictor_explains_itself(cls: type[Predictor]) -> None:
    text = cls.__doc__ or ""
    assert re.fullmatch(r"[^\n]{20,118}[.?]", cls.summary())
    for part in ("Formula:", "Parameters:", "No value:", "Paper:", "Example:"):
        assert part in text
    for field in parameters(cls):
        assert f"``{field.name}``" in text


def test_values_are_doubles(index: Index) -> None:
    for spec in DEFAULT:
        assert predictors.parse(spec)(QueryTerms.of(["a", "b c"], index)).dtype == np.float64
