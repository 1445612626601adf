"""The weighting ``bm25`` in the form of Lucene beside bm25s (method lucene), given the same terms."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.formats.classic_collections import read_smart_topics
from adjudge.formats.documents import read_documents
from adjudge.index.building import build
from adjudge.index.searching import Searcher
from adjudge.text.analyzer import Analyzer

bm25s = pytest.importorskip("bm25s", reason="bm25s is not installed")

CLOSE = 1e-5


def compare(texts: dict[str, str], queries: Sequence[str], folder: Path, analyzer: str, k1: float, b: float) -> None:
    documents = InMemory(Document(key, text) for key, text in texts.items())
    searcher = Searcher(build(documents, folder / "index", analyzer=analyzer), f"bm25(k1={k1}, b={b})")
    analyze, ids = Analyzer.parse(analyzer), list(texts)
    terms = [analyze.terms(text) for text in texts.values()]
    known = {term for document in terms for term in document}
    peer = bm25s.BM25(method="lucene", k1=k1, b=b, dtype="float64")
    if known:
        peer.index(terms, show_progress=False)
    for query, hits in zip(queries, searcher.search(queries, k=len(ids)), strict=True):
        words = [word for word in analyze.terms(query) if word in known]
        scores = peer.get_scores(words) if words else np.zeros(len(ids))
        theirs = {ids[i]: float(scores[i]) for i in np.flatnonzero(scores)}
        ours = dict(hits)
        assert set(ours) == set(theirs)
        same = np.array([theirs[key] for key in ours])  # theirs in our order
        np.testing.assert_allclose(np.array(list(ours.values())), same, rtol=CLOSE)
        assert (same[1:] <= same[:-1] * (1 + CLOSE)).all()


WORDS = st.sampled_from(list("abcdefgh"))
TEXTS = st.lists(st.lists(WORDS, max_size=30), min_size=1, max_size=12)
QUERIES = st.lists(st.lists(WORDS | st.just("unknown"), max_size=8), min_size=1, max_size=4)


@pytest.mark.slow
@given(TEXTS, QUERIES, st.sampled_from([0.5, 0.9, 1.2, 2.0]), st.sampled_from([0.0, 0.4, 0.75, 1.0]))
@settings(max_examples=60)
def test_random_words(documents: list[list[str]], queries: list[list[str]], k1: float, b: float) -> None:
    texts = {f"d{i}": " ".join(words) for i, words in enumerate(documents)}
    with tempfile.TemporaryDirectory() as folder:
        compare(texts, [" ".join(words) for words in queries], Path(folder), "standard|lower", k1, b)


def test_skewed_lengths_and_words(tmp_path: Path) -> None:
    rng = np.random.default_rng(1994)
    texts = {f"d{n:04d}": " ".join(f"w{w}" for w in rng.zipf(1.3, n) % 5000) for n in range(1, 2000, 11)}
    queries = [" ".join(f"w{w}" for w in rng.zipf(1.2, n) % 5000) for n in range(1, 40)]
    compare(texts, queries, tmp_path, "standard|lower", 0.9, 0.4)


@pytest.mark.parametrize("analyzer", ["standard|lower", "words|lower|stop(smart)|porter"])
def test_cranfield(classic_collections: Path, tmp_path: Path, analyzer: str) -> None:
    folder = classic_collections / "cran"
    texts = {document.id: document.text for document in read_documents(folder / "cran.all.1400")}
    queries = [topic.title for topic in read_smart_topics(folder / "cran.qry")]
    compare(texts, queries, tmp_path, analyzer, 1.2, 0.75)
