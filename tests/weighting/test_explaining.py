"""What every weighting keeps at the limits of its parameters: finite scores, one order, explanations that add up."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudge.index.feedback import feedback
from adjudge.index.searching import Searcher
from adjudge.weighting.scheme import weightings
from slow_weightings import PLAIN, indexed

LIMITS = [
    *("bm25(k1=0)", "bm25(b=0)", "bm25(b=1)", "bm25(k1=1e9, b=1)", "bm25(k1=0, b=1, form=robertson)"),
    *("bm25(k3=0)", "bm25(form=robertson, k3=7)", "bm25(k3=1e9)", "lucene_classic", "cosine"),
    *("pivoted(0)", "pivoted", "pivoted(1)", "dirichlet(1e-9)", "dirichlet", "dirichlet(1e15)"),
    *("jelinek_mercer(1e-9)", "jelinek_mercer", "jelinek_mercer(0.9999999999999999)"),
]
WORDS = "abcdef"
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=8)
WEIGHTS = st.sampled_from([1.0, 2.0, 0.4, 0.0, -1.0, -7.0, 1e-200, 1e15, -1e15, 3.5])
QUERIES = st.lists(st.sampled_from(WORDS + "z"), max_size=8).map(" ".join) | st.dictionaries(
    st.sampled_from(WORDS + "z"), WEIGHTS, max_size=4
)


def test_every_weighting_is_here() -> None:
    assert {spec.partition("(")[0] for spec in LIMITS} == set(weightings.names)


@pytest.mark.slow
@given(texts=TEXTS, query=QUERIES)
@example(texts=["a b", "c"], query={"a": -7.0})
@example(texts=["a b", "c"], query={"a": 1e-200})
@example(texts=["a b", "c", "a"], query={"a": 1e15, "b": -1e15})
@settings(max_examples=60)
def test_explanations_are_the_scores(texts: list[str], query: str | dict[str, float]) -> None:
    with indexed(texts) as index, warnings.catch_warnings():
        warnings.simplefilter("error")
        for spec in LIMITS:
            searcher = Searcher(index, spec)
            hits = searcher.search([query])[0]
            assert np.isfinite(hits.scores).all(), spec
            rows = list(hits)
            assert rows == sorted(rows, key=lambda row: (row[1], row[0]), reverse=True)
            for k in range(1, len(rows) + 2):
                assert list(searcher.search([query], k=k)[0]) == rows[:k], "a cut between ties is where it would be"
            scores = dict(rows)
            for d in range(len(texts)):
                told = searcher.explain(query, f"d{d}")
                size = sum(abs(part.value) for part in told.parts)
                assert told.value == pytest.approx(scores.get(f"d{d}", 0.0), rel=1e-12, abs=1e-12 * size), spec
                assert told.value == pytest.approx(sum(part.value for part in told.parts), abs=1e-12 * size)
                if f"d{d}" not in scores:
                    assert told.parts == ()
                    assert "no term" in told.description


# Feedback adds to a weight, so one at the very limit would go beyond it.
BELOW = QUERIES.filter(lambda query: isinstance(query, str) or all(abs(w) < 1e15 for w in query.values()))


@pytest.mark.slow
@given(texts=TEXTS, query=BELOW, documents=st.integers(1, 10), terms=st.integers(1, 10), new_only=st.booleans())
@settings(max_examples=60)
def test_feedback_at_its_limits(
    texts: list[str], query: str | dict[str, float], documents: int, terms: int, new_only: bool
) -> None:
    """No hits, fewer hits than asked for, all terms in the query already."""
    with indexed(texts) as index:
        for spec in ("cosine", "bm25", "dirichlet"):
            searcher = Searcher(index, spec)
            hits = searcher.search([query])[0]
            start = searcher.parse(query).weights()
            for weigh in ("constant", "frequency", "rocchio"):
                made = feedback(searcher, hits, query, documents=documents, terms=terms, weigh=weigh, new_only=new_only)
                assert len(made) <= len(start) + terms
                assert list(made)[: len(start)] == list(start)
                assert all(np.isfinite(weight) for weight in made.values())
                if new_only:
                    assert all(made[term] == weight for term, weight in start.items())
                believed = [n for n, score in hits if score > 0 or spec == "dirichlet"][:documents]
                seen = {word for name in believed for word in texts[int(name[1:])].split()}
                assert set(made) - set(start) <= seen
                searcher.search([made])


@pytest.mark.slow
def test_a_query_of_ten_thousand_terms() -> None:
    words = [f"w{i}" for i in range(10_000)]
    texts = [" ".join(words[i::3]) for i in range(3)] + ["w1 w1", ""]
    with indexed(texts) as index:
        for spec in weightings.names:
            searcher = Searcher(index, spec)
            hits = searcher.search([" ".join(words)])[0]
            assert len(hits) == 4
            name, score = list(hits)[1]
            assert searcher.explain(" ".join(words), name).value == pytest.approx(score, rel=1e-9)


def test_one_document_and_an_empty_query() -> None:
    for text in ("a", "", "a a a"):
        with indexed([text], PLAIN) as index:
            for spec in LIMITS:
                searcher = Searcher(index, spec)
                found = searcher.search(["a", "", "b"])
                assert [len(hits) for hits in found[1:]] == [0, 0]
                assert len(found[0]) == (bool(text) and spec.partition("(")[0] not in {"cosine", "pivoted"})
                assert searcher.explain("", "d0").description == "d0 is not found: no term is left in the query"
