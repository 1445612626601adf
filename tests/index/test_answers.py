"""The loop that answers many queries at once, against the definition: add up, sort by score and id, cut at k."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.index import accumulation
from adjudge.index.accumulation import Impacts, Scratch, WeightedQuery, answers, compiled


def slow(n: int, query: WeightedQuery, ranks: accumulation.Integers, k: int) -> list[tuple[int, float]]:
    sums: dict[int, float] = {}
    for term in query.terms:
        for document, weight in zip(term.documents.tolist(), term.weights.tolist(), strict=True):
            sums[document] = sums.get(document, 0.0) + weight * term.factor
    scores = [(d, (s + query.part) * query.norm) for d, s in sums.items()]
    return sorted(scores, key=lambda pair: (-pair[1], -int(ranks[pair[0]])))[:k]


def asked(rng: np.random.Generator, n: int, terms: int, levels: int, part: float, norm: float) -> WeightedQuery:
    """Few levels of weight make many ties."""
    impacts = []
    for _ in range(terms):
        documents = np.flatnonzero(rng.random(n) < rng.random()).astype(np.int32)
        weights = rng.integers(1, levels + 1, len(documents)) / levels
        impacts.append(Impacts(documents, weights, True, float(rng.integers(1, 4)) / 3, 1))
    return WeightedQuery(impacts, part, norm)


@given(
    seed=st.integers(0, 2**32),
    n=st.integers(1, 700),
    k=st.integers(1, 800),
    terms=st.integers(1, 4),
    levels=st.sampled_from([1, 2, 10**6]),
    part=st.sampled_from([0.0, 1.5, -0.75]),
    norm=st.sampled_from([1.0, 0.1, -2.0]),
)
def test_the_best_are_those_of_the_definition(
    seed: int, n: int, k: int, terms: int, levels: int, part: float, norm: float
) -> None:
    rng = np.random.default_rng(seed)
    queries = [asked(rng, n, terms, levels, part, norm) for _ in range(3)]
    ranks = rng.permutation(n).astype(np.int32)
    scratch = Scratch(n)
    k = min(k, n)
    found = answers(scratch, queries, ranks, k)
    for query, (documents, scores) in zip(queries, found, strict=True):
        assert list(zip(documents.tolist(), scores.tolist(), strict=True)) == slow(n, query, ranks, k)
    assert not scratch.sums.any()


def test_the_high_scores_may_all_lie_between_the_samples() -> None:
    """What every sixteenth document says of the scores is then far too low, or far too high."""
    n, k = 4000, 200
    ranks = np.arange(n, dtype=np.int32)
    every = np.arange(n, dtype=np.int32)
    for high_at_samples in (True, False):
        weights = np.where((every % 16 == 0) == high_at_samples, 5.0 + every, 1.0 + every / n)
        query = WeightedQuery([Impacts(every, weights, True, 1.0, 1)], 0.0, 1.0)
        ((documents, scores),) = answers(Scratch(n), [query], ranks, k)
        assert list(zip(documents.tolist(), scores.tolist(), strict=True)) == slow(n, query, ranks, k)


@pytest.mark.skipif(compiled is None, reason="no compiled kernel")
def test_without_the_kernel_the_answers_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    queries = [asked(rng, 3000, 3, 7, 0.25, 0.3) for _ in range(5)]
    ranks = rng.permutation(3000).astype(np.int32)
    quick = answers(Scratch(3000), queries, ranks, 100)
    monkeypatch.setattr(accumulation, "compiled", None)
    for (documents, scores), (expected, values) in zip(quick, answers(Scratch(3000), queries, ranks, 100), strict=True):
        assert documents.tolist() == expected.tolist()
        assert scores.tolist() == values.tolist()
