"""Searching: order, ties, depth, notes, runs, weighted queries, feedback."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError, SpecError
from adjudge.core.run import Run
from adjudge.index import accumulation, searching
from adjudge.index.accumulation import Impacts, accumulate, best, compiled
from adjudge.index.building import build
from adjudge.index.feedback import feedback
from adjudge.index.query import Query
from adjudge.index.searching import Searcher
from recorder import Recorder
from slow_weightings import PLAIN, SCHEMES, indexed

SOLAR = ["solar power florida", "solar eclipse", "power plant florida florida", "coupon bonds"]
GRAMS = "words|lower|ngrams(4, pad=_)"


@given(
    st.lists(
        st.tuples(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0]), st.integers()), min_size=1, unique_by=lambda r: r[1]
    ),
    st.integers(1, 12),
)
def test_best_is_the_sorted_list_cut(rows: list[tuple[float, int]], k: int) -> None:
    scores = np.array([score for score, _ in rows])
    order = sorted(range(len(rows)), key=lambda i: rows[i][1])
    ranks = np.empty(len(rows), np.int32)
    ranks[order] = np.arange(len(rows))
    wanted = sorted(range(len(rows)), key=lambda i: (-rows[i][0], -rows[i][1]))[:k]
    for kernel in (compiled, None):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(accumulation, "compiled", kernel)
            assert best(scores, np.arange(len(rows)), ranks, k).tolist() == wanted


@given(
    st.lists(
        st.tuples(
            st.dictionaries(st.integers(0, 9), st.sampled_from([-1.0, 0.0, 0.5, 3.0, 1e-200]), min_size=1),
            st.sampled_from([-2.0, 0.25, 1.0, 1e-200]),
            st.integers(1, 3),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_accumulate_is_the_plain_loop(rows: list[tuple[dict[int, float], float, int]]) -> None:
    terms, sums, overlaps = [], dict.fromkeys(range(10), 0.0), dict.fromkeys(range(10), 0)
    for weights, factor, clauses in rows:
        documents = np.array(sorted(weights), np.int32)
        values = np.array([weights[d] for d in documents.tolist()])
        terms.append(Impacts(documents, values, bool(values.min() > 1e-100), factor, clauses))
        for d in documents.tolist():
            sums[d] += weights[d] * factor
            overlaps[d] += clauses
    wanted = [d for d in range(10) if overlaps[d]]
    for counted, kernel in itertools.product((True, False), (compiled, None)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(accumulation, "compiled", kernel)
            found, scores, overlap = accumulate(10, terms, counted=counted)
        assert found.tolist() == wanted
        assert scores.tolist() == [sums[d] for d in wanted]
        assert overlap.tolist() == ([overlaps[d] for d in wanted] if counted else [])


def test_sums_of_documents_that_lie_far_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents are added up range by range; these stand at the ends of ranges, and some ranges have none."""
    places = [0, 1, 4095, 4096, 8191, 40_959, 40_960, 49_999]
    whole = np.array(places, np.int32)
    terms = [Impacts(whole[a::2].copy(), np.arange(1.0, len(whole[a::2]) + 1), True, 0.1, a + 1) for a in (0, 1)]
    terms.append(Impacts(whole[2:6].copy(), np.full(4, 0.3), True, 0.7, 4))
    quick = accumulate(50_000, terms, counted=True)
    monkeypatch.setattr(accumulation, "compiled", None)
    assert [column.tolist() for column in quick] == [
        column.tolist() for column in accumulate(50_000, terms, counted=True)
    ]
    assert quick[0].tolist() == places


@pytest.mark.skipif(compiled is None, reason="no compiled kernel")
def test_documents_that_fall_are_refused() -> None:
    for wrong in ([2, 1], [1, 1], [-1, 0], [0, 3]):
        term = Impacts(np.array(wrong, np.int32), np.ones(2), True, 1.0, 1)
        with pytest.raises(ValueError, match="documents"):
            accumulate(3, [term], counted=False)


@pytest.mark.parametrize("high_at_samples", [True, False])
def test_the_best_of_many_may_all_lie_between_the_samples(high_at_samples: bool) -> None:
    every = np.arange(4000)
    scores = np.where((every % 16 == 0) == high_at_samples, 5.0 + every % 40, 1.0)
    ranks = np.random.default_rng(3).permutation(4000).astype(np.int32)
    for k in (1, 10, 200, 3999, 4000):
        wanted = sorted(range(4000), key=lambda i: (-scores[i], -ranks[i]))[:k]
        assert best(scores, every, ranks, k).tolist() == wanted


def test_ties_go_by_id_the_highest_first_at_any_depth(tmp_path: Path) -> None:
    documents = InMemory(Document(name, text) for name, text in [("b", "x"), ("é", "x"), ("a", "x"), ("c", "x x x")])
    for spec in SCHEMES:
        if spec in {"cosine", "pivoted", "pivoted(slope=1)"}:
            continue  # a term in all documents finds nothing there
        searcher = Searcher(build(documents, tmp_path, analyzer=PLAIN), spec)
        whole = [name for name, _ in searcher.search(["x"])[0]]
        assert [name for name in whole if name != "c"] == ["é", "b", "a"]
        for k in range(1, 5):
            assert list(searcher.search(["x"], k=k)[0].ids) == whole[:k]


def test_queries_that_find_nothing_say_why() -> None:
    with indexed(["a b", "a c"], "words|lower|stop(smart)|porter") as index:
        searcher = Searcher(index)
        empty, stopped, unknown = searcher.search(["", "the of and", "zebra unicorn"])
        assert [len(hits) for hits in (empty, stopped, unknown)] == [0, 0, 0]
        assert str(empty.note) == str(stopped.note) == "no term is left in the query"
        assert str(unknown.note) == "no term of the query is indexed: zebra, unicorn"
    with indexed(["x y", "x z"]) as index:
        weightless = Searcher(index, "cosine").search(["x"])[0].note
        assert str(weightless) == "every term of the query has weight 0 under cosine"
        assert "x (weight 0)" in Searcher(index, "cosine").explain("x", "d0").description
        many = Searcher(index).search(["q r s t u v"])[0]
        assert str(many.note) == "no term of the query is indexed: q, r, s, t, u, …"


def test_a_run_has_the_topics_that_find_something() -> None:
    with indexed(SOLAR) as index:
        searcher, heard = Searcher(index), Recorder()
        topics = {"1": "solar florida", "2": "nothing", "3": "bonds"}
        run = searcher.run(topics, k=2, name="mine", progress=heard)
        assert run.name == "mine"
        assert run.topics == ("1", "3")
        assert [str(note) for note, _ in heard.notes] == ["topic 2: no term of the query is indexed: nothing"]
        assert heard.facts("search", "name") == ["1", "2", "3"]
        assert heard.only("search").total == 3
        hits = searcher.search(list(topics.values()), k=2)
        assert run.to_dict() == {"1": dict(hits[0]), "3": dict(hits[2])}
        assert searcher.run({"1": "nothing"}, name="mine") == Run.empty()


def test_one_index_serves_all_weightings_and_orders_of_queries() -> None:
    with indexed(SOLAR) as index:
        for spec in SCHEMES:
            together = Searcher(index, spec).search(["solar", "florida power", "solar"])
            alone = [Searcher(index, spec).search([q])[0] for q in ("solar", "florida power", "solar")]
            assert [list(hits) for hits in together] == [list(hits) for hits in alone]


def test_the_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "CACHE", 3)
    with indexed(["a b c", "a b c", "a d"]) as index:
        searcher = Searcher(index)
        first = [list(hits) for hits in searcher.search(["a", "b", "c", "d"])]
        assert sum(len(kept[0]) for kept in searcher._weights.values()) <= 3
        assert [list(hits) for hits in searcher.search(["a", "b", "c", "d"])] == first
        searcher.search(["a", "b", "a", "d"])
        assert index.number("a") not in searcher._weights or searcher._kept <= 3


def test_weighted_queries() -> None:
    with indexed(["a b a", "b c", "c c c d"]) as index:
        for spec in SCHEMES:
            searcher = Searcher(index, spec)
            words, weights = searcher.search(["a b b", {"a": 1.0, "b": 2.0}])
            if spec == "lucene_classic":  # there a word twice is two clauses, and a weight is a boost
                idf = {"a": 1 + np.log(3 / 2), "b": 1.0}
                norm = 1 / np.sqrt(idf["a"] ** 2 + (2 * idf["b"]) ** 2)
                assert dict(weights)["d1"] == pytest.approx(1 / 2 * norm * 2 * 0.625)
            else:
                assert list(words) == list(weights)
        query = Query.of("a b b", index.analyzer)
        assert query.weights() == {"a": 1, "b": 2}
        assert list(searcher.search([query])[0]) == list(words)
        for wrong, shown in ((float("nan"), "nan"), (1e200, "1e+200"), (10**5000, "inf"), ("x", "'x'"), (None, "None")):
            message = f"the weight of the query term 'a' is {shown}, not a number up to 1e+15"
            with pytest.raises(SpecError, match=re.escape(message)):
                searcher.search([{"a": wrong}])  # type: ignore[dict-item]


def test_wrong_calls() -> None:
    with indexed(["a"]) as index:
        with pytest.raises(SpecError, match="a list of queries"):
            Searcher(index).search("a")
        for k in (0, -1, 1.5):
            with pytest.raises(SpecError, match="k must be a whole number of at least 1"):
                Searcher(index).search(["a"], k=k)  # type: ignore[arg-type]
        with pytest.raises(SpecError, match="no weighting"):
            Searcher(index, "tfidf2")
        with pytest.raises(DataError, match="no document 'd7'"):
            Searcher(index).explain("a", "d7")


def test_an_explanation_reads_as_a_tree() -> None:
    with indexed(["a b a", "b c", "c c c d"]) as index:
        explanation = Searcher(index, "bm25(k1=1, b=0)").explain("a zebra d", "d0")
        assert str(explanation).splitlines() == [
            "0.653886  score of d0 under bm25(k1=1, b=0); not found: zebra (not indexed), d",
            "  0.653886  the term a",
            "    0.980829  weight in the query: df 1, cf 2, in the query 1",
            "    0.666667  weight in the document: tf 2, length 3",
        ]
        tree = explanation.to_dict()
        assert tree["combine"] == "sum"
        leaf = tree["parts"][0]["parts"][0]
        assert set(leaf) == {"description", "value"}
        assert leaf["value"] == pytest.approx(0.980829, abs=1e-6)


# -- feedback ---------------------------------------------------------------------------------------------------------


def test_feedback_of_gmu() -> None:
    with indexed(SOLAR, GRAMS) as index:
        searcher = Searcher(index, "cosine")
        query = feedback(searcher, searcher.search(["solar"])[0], "solar", documents=2, terms=3)
        assert query == {"_sol": 1, "sola": 1, "olar": 1, "lar_": 1, "_ecl": 0.4, "clip": 0.4, "ecli": 0.4}
        scores = dict(searcher.search([query])[0])
        assert [round(scores.get(f"d{i}", 0), 4) for i in range(4)] == [0.4394, 0.6835, 0, 0]


def test_feedback_may_add_to_the_query_and_leave_terms_out() -> None:
    with indexed(SOLAR) as index:
        searcher = Searcher(index, "cosine")
        hits = searcher.search(["eclipse"])[0]
        assert feedback(searcher, hits, documents=1, terms=9) == {"eclipse": 0.4, "solar": 0.4}
        assert feedback(searcher, hits, "solar", documents=1, terms=9) == {"solar": 1, "eclipse": 0.4}
        both = feedback(searcher, hits, {"solar": 2.0}, documents=1, terms=9, new_only=False)
        assert both == {"solar": 2.4, "eclipse": 0.4}
        without = Searcher(index, "cosine", without=["eclipse"])
        assert feedback(without, hits, "solar", documents=1) == {"solar": 1}


def test_choices_and_weights_of_feedback() -> None:
    texts = ["q a a a", "q b", "q b c", "z", "y"]
    with indexed(texts) as index:
        searcher = Searcher(index, "bm25")
        hits = searcher.search(["q"])[0]
        assert len(hits) == 3
        idf = {"a": np.log(5), "b": np.log(5 / 2), "c": np.log(5)}
        assert list(feedback(searcher, hits, "q", terms=3)) == ["q", "a", "b", "c"]
        assert 3 * idf["a"] > 2 * idf["b"] > idf["c"]
        assert list(feedback(searcher, hits, "q", terms=3, choose="df_idf")) == ["q", "b", "a", "c"]
        assert feedback(searcher, hits, "q", terms=1, weigh="frequency") == {"q": 1, "a": pytest.approx(1.2)}
        mean = {}
        for word in "abc":
            parts = []
            for text in texts[:3]:
                words = text.split()
                vector = {w: words.count(w) * np.log(5 / {"q": 3, "a": 1, "b": 2, "c": 1}[w]) for w in words}
                parts.append(vector.get(word, 0) / np.sqrt(sum(v * v for v in vector.values())))
            mean[word] = sum(parts) / 3
        made = feedback(searcher, hits, "q", terms=3, choose="rocchio", weigh="rocchio", weight=0.5)
        order = sorted(mean, key=lambda w: -mean[w])
        assert list(made) == ["q", *order]
        assert [made[w] for w in order] == pytest.approx([0.5 * mean[w] / mean[order[0]] for w in order])


def test_feedback_from_likelihoods_and_from_nothing() -> None:
    with indexed(SOLAR) as index:
        for spec in ("dirichlet", "jelinek_mercer"):
            searcher = Searcher(index, spec)
            hits = searcher.search(["solar"])[0]
            assert (hits.scores < 0).all()
            assert "eclipse" in feedback(searcher, hits, "solar")
        assert feedback(searcher, searcher.search(["zebra"])[0], "zebra") == {"zebra": 1}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"documents": 0}, "at least one document"),
        ({"terms": -1}, "at least one document and one term, not 10 and -1"),
        ({"weight": float("inf")}, "must be a number"),
        ({"choose": "idf"}, "feedback knows n_idf, df_idf, rocchio, not 'idf'"),
        ({"weigh": "rochio"}, "did you mean rocchio?"),
    ],
)
def test_wrong_feedback(given: dict[str, object], message: str) -> None:
    with indexed(["a"]) as index:
        searcher = Searcher(index)
        with pytest.raises(SpecError, match=re.escape(message)):
            feedback(searcher, searcher.search(["a"])[0], "a", **given)  # type: ignore[arg-type]


def test_many_queries_are_answered_as_one_by_one() -> None:
    texts = [" ".join(f"w{(i * j) % 13}" for j in range(1, 1 + i % 9)) for i in range(200)]
    with indexed(texts) as index:
        queries = [f"w{i % 13} w{(i * 5) % 13}" for i in range(100)]
        for spec in ("bm25", "lucene_classic", "dirichlet"):
            together = Searcher(index, spec).search(queries, k=20)
            alone = Searcher(index, spec)
            for query, hits in zip(queries, together, strict=True):
                assert list(hits) == list(alone.search([query], k=20)[0])
