"""The weighting ``lucene_classic`` beside the real Lucene 4.10 with DefaultSimilarity: scores, order, explanation."""

from __future__ import annotations

import re
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
from lucene import Lucene

pytestmark = pytest.mark.lucene

CLOSE = 1e-6
ANALYZER = "standard|lower"


def searcher_of(texts: dict[str, str], folder: Path) -> Searcher:
    documents = InMemory(Document(key, text) for key, text in texts.items())
    return Searcher(build(documents, folder / "index", analyzer=ANALYZER), "lucene_classic")


def agree(ours: Sequence[tuple[str, float]], lucene: Sequence[tuple[str, float]]) -> None:
    """The same documents with the same scores, in an order that Lucene's scores allow."""
    theirs = dict(lucene)
    assert {key for key, _ in ours} == set(theirs)
    scores, sorted_scores = np.array([score for _, score in ours]), np.array([score for _, score in lucene])
    same = np.array([theirs[key] for key, _ in ours])  # Lucene's scores in our order
    np.testing.assert_allclose(scores, same, rtol=CLOSE)
    np.testing.assert_allclose(scores, sorted_scores, rtol=CLOSE)
    assert (same[1:] <= same[:-1] * (1 + CLOSE)).all()


def compare(texts: dict[str, str], queries: Sequence[str], folder: Path) -> None:
    searcher, oracle = searcher_of(texts, folder), Lucene(texts.items())
    depth = len(texts)
    found = searcher.search(queries, k=depth)
    for query, hits in zip(queries, found, strict=True):
        agree(list(hits), oracle.search(query, depth))


def test_worked_example(tmp_path: Path) -> None:
    texts = {"d1": "a b a", "d2": "b c", "d3": "c c c d"}
    oracle = Lucene(texts.items())
    assert dict(oracle.search("a b")) == pytest.approx({"d1": 1.099631, "d2": 0.181168}, abs=1e-6)
    assert dict(oracle.search("a b b")) == pytest.approx({"d1": 1.202098, "d2": 0.417957}, abs=1e-6)
    compare(texts, ["a b", "a b b", "c", "d d d a", "a unknown", "unknown", ""], tmp_path)


WORDS = st.sampled_from(list("abcdefgh"))
TEXTS = st.lists(st.lists(WORDS, max_size=30), min_size=1, max_size=12)


@given(TEXTS, st.lists(st.lists(WORDS | st.just("unknown"), max_size=8), min_size=1, max_size=4))
@settings(max_examples=60)
def test_random_words(documents: list[list[str]], queries: list[list[str]]) -> None:
    texts = {f"d{i}": " ".join(words) for i, words in enumerate(documents)}
    with tempfile.TemporaryDirectory() as folder:
        compare(texts, [" ".join(words) for words in queries], Path(folder))


@given(st.lists(st.text(max_size=60), min_size=1, max_size=8), st.text(max_size=30))
@settings(max_examples=60)
def test_random_ascii_text(documents: list[str], query: str) -> None:
    plain = [text.encode("ascii", "replace").decode() for text in [*documents, query]]
    with tempfile.TemporaryDirectory() as folder:
        compare({f"d{i}": text for i, text in enumerate(plain[:-1])}, plain, Path(folder))


def test_every_length_up_to_5000_and_skewed_words(tmp_path: Path) -> None:
    """Lengths that the one-byte norm keeps apart or not, frequencies from 1 to thousands."""
    rng = np.random.default_rng(1996)
    lengths = [*range(1, 700, 7), *range(700, 5000, 150)]
    texts = {f"d{n:04d}": " ".join(f"w{w}" for w in rng.zipf(1.3, n) % 5000) for n in lengths}
    queries = [" ".join(f"w{w}" for w in rng.zipf(1.2, n) % 5000) for n in range(1, 40)]
    compare(texts, queries, tmp_path)


@pytest.fixture(scope="module")
def cranfield(classic_collections: Path) -> tuple[dict[str, str], list[str]]:
    folder = classic_collections / "cran"
    texts = {document.id: document.text for document in read_documents(folder / "cran.all.1400")}
    return texts, [topic.title for topic in read_smart_topics(folder / "cran.qry")]


def test_cranfield(cranfield: tuple[dict[str, str], list[str]], tmp_path: Path) -> None:
    texts, queries = cranfield
    assert (len(texts), len(queries)) == (1400, 225)
    compare(texts, queries, tmp_path)


def test_a_cut_ranking_has_the_same_scores(cranfield: tuple[dict[str, str], list[str]], tmp_path: Path) -> None:
    texts, queries = cranfield
    searcher, oracle = searcher_of(texts, tmp_path), Lucene(texts.items())
    for query, hits in zip(queries[:50], searcher.search(queries[:50], k=10), strict=True):
        assert hits.scores.tolist() == pytest.approx([score for _, score in oracle.search(query, 10)], rel=CLOSE)


FIGURE = r"([\d.E+-]+) = "


def clauses_of(said: str) -> dict[str, list[dict[str, float]]]:
    """What Lucene's explanation says of each clause that occurs: its score before coordination, and what it is of."""
    found: dict[str, list[dict[str, float]]] = {}
    for block in re.split(r"\n\s*(?=[\d.E+-]+ = \(MATCH\) weight\()", f"\n{said}")[1:]:
        term = re.search(r"weight\(text:(.*?) in \d+\)", block)
        figures = {
            name: float(match[1]) if (match := re.search(FIGURE + pattern, block)) else 1.0  # 1 is not printed
            for name, pattern in {
                "score": r"\(MATCH\) weight",
                "tf": r"tf\(freq",
                "idf": r"idf\(",
                "norm": r"fieldNorm",
                "query norm": r"queryNorm",
            }.items()
        }
        found.setdefault(term[1] if term else "", []).append(figures)
    return found


def test_explanations_have_the_same_figures(cranfield: tuple[dict[str, str], list[str]], tmp_path: Path) -> None:
    """Term by term: frequency, idf, norms and coordination, not their product alone."""
    texts, queries = cranfield
    searcher, oracle = searcher_of(texts, tmp_path), Lucene(texts.items())
    compared = 0
    for query in queries[:20]:
        ranking = oracle.search(query, len(texts))
        for document, score in [*ranking[:3], ranking[len(ranking) // 2], ranking[-1]]:
            said, ours = oracle.explain(query, document), searcher.explain(query, document)
            assert ours.value == pytest.approx(score, rel=CLOSE)
            clauses = clauses_of(said)
            parts = {part.description.removeprefix("the term "): part for part in ours.parts}
            assert set(parts) == set(clauses)
            coord = re.search(r"coord\((\d+)/(\d+)\)", said)
            for term, part in parts.items():
                asked, found, norm, coordination = part.parts
                one, times = clauses[term][0], len(clauses[term])
                scale = int(coord[1]) / int(coord[2]) if coord else 1.0
                assert asked.value == pytest.approx(times * one["idf"] ** 2, rel=CLOSE)
                assert found.value == pytest.approx(one["tf"] * one["norm"], rel=CLOSE)
                assert norm.value == pytest.approx(one["query norm"], rel=CLOSE)
                assert coordination.value == pytest.approx(scale, rel=CLOSE)
                assert part.value == pytest.approx(times * one["score"] * scale, rel=CLOSE)
                compared += 1
    assert compared > 500
