"""Documents that cannot be among the best are left out: what is found is the same to the last bit, ties included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.index import accumulation
from adjudge.index.accumulation import (
    Impacts,
    PackedImpacts,
    PackedQuery,
    Scratch,
    WeightedQuery,
    answers,
    blocks_of,
    pruned_answers,
)
from adjudge.index.packed_postings import pack
from adjudge.index.saturation import LengthNorms, PackedTerm, outline, weigh_packed
from adjudge.index.searching import Searcher
from adjudge.weighting.scheme import weightings
from slow_weightings import indexed

pytestmark = pytest.mark.skipif(accumulation.pruning is None, reason="there is only one way")


@st.composite
def questions(draw: st.DrawFn) -> tuple[int, list[WeightedQuery], int]:
    """Queries over up to some windows of documents, with weights of which many are equal or nearly so."""
    documents = draw(st.sampled_from([1, 7, 300, 4096, 4097, 13_000]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    queries = []
    for _ in range(draw(st.integers(1, 3))):
        terms = []
        for _ in range(draw(st.integers(1, 6))):
            df = 1 + int(rng.integers(documents) * draw(st.sampled_from([0.01, 0.3, 1.0])))
            some = np.sort(rng.choice(documents, df, replace=False)).astype(np.int32)
            few = draw(st.sampled_from([1, 3, 1000]))
            unit = draw(st.sampled_from([0.1, 1.0, 1 / 3, 1e-9]))
            weights = rng.integers(1, few + 1, df).astype(np.float64) * unit
            factor = draw(st.sampled_from([0.1, 1.0, 2.7, 1e6]))
            terms.append(Impacts(some, weights, True, factor, 1, blocks_of(some, weights)))
        part, norm = draw(st.sampled_from([0.0, -3.5, 0.1])), draw(st.sampled_from([1.0, 0.3, 1e-7]))
        queries.append(WeightedQuery(terms, part, norm))
    return documents, queries, min(documents, draw(st.sampled_from([1, 2, 10, 100, 5000])))


def as_lists(found: Any) -> list[Any]:
    return [(documents.tolist(), scores.tolist()) for documents, scores in found]


@settings(deadline=None, max_examples=120)
@given(questions(), st.integers(0, 2**32))
def test_what_is_found_is_what_all_sums_give(question: tuple[int, list[WeightedQuery], int], seed: int) -> None:
    documents, queries, k = question
    ranks = np.random.default_rng(seed).permutation(documents).astype(np.int32)
    every = answers(Scratch(documents), queries, ranks, k)
    assert as_lists(pruned_answers(queries, ranks, k)) == as_lists(every)


@st.composite
def packed_questions(draw: st.DrawFn) -> tuple[LengthNorms, list[tuple[WeightedQuery, PackedQuery]], int]:
    """Queries of terms that are packed, and the same unpacked, over documents with few or many different lengths."""
    documents = draw(st.sampled_from([1, 300, 4097, 20_000]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    known = draw(st.sampled_from([1, 40, 400]))
    by = LengthNorms.of(rng.integers(0, known, documents), rng.random(known) * draw(st.sampled_from([0.5, 4.0])))
    queries = []
    for _ in range(draw(st.integers(1, 3))):
        unpacked, packed = list[Impacts](), list[PackedImpacts]()
        for _ in range(draw(st.integers(1, 6))):
            df = 1 + int(rng.integers(documents) * draw(st.sampled_from([0.01, 0.3, 1.0])))
            some = np.sort(rng.choice(documents, df, replace=False)).astype(np.int32)
            tf = np.minimum(rng.geometric(draw(st.sampled_from([0.2, 0.9, 1.0])), df), 300).astype(np.int32)
            raw, ends = pack(some, tf, np.array([0, df]))
            data = np.concatenate([np.full(5, 7, np.uint8), raw, np.full(draw(st.sampled_from([0, 9])), 7, np.uint8)])
            term = PackedTerm(data, 5, 5 + int(ends[-1]), df)
            factor = draw(st.sampled_from([0.1, 1.0, 2.7]))
            found, weights, _, blocks, _ = weigh_packed(term, by)
            unpacked.append(Impacts(found, weights, True, factor, 1, blocks))
            packed.append(PackedImpacts(outline(term, by)[0], True, factor, 1))
        part, norm = draw(st.sampled_from([0.0, -3.5, 0.1])), draw(st.sampled_from([1.0, 0.3]))
        queries.append((WeightedQuery(unpacked, part, norm), PackedQuery(packed, part, norm)))
    return by, queries, min(documents, draw(st.sampled_from([1, 2, 10, 100])))


@settings(deadline=None, max_examples=60)
@given(packed_questions(), st.integers(0, 2**32))
def test_packed_postings_give_the_same(
    question: tuple[LengthNorms, list[tuple[WeightedQuery, PackedQuery]], int], seed: int
) -> None:
    by, queries, k = question
    documents = len(by.lengths)
    ranks = np.random.default_rng(seed).permutation(documents).astype(np.int32)
    every = answers(Scratch(documents), [whole for whole, _ in queries], ranks, k)
    assert as_lists(pruned_answers([packed for _, packed in queries], ranks, k, by)) == as_lists(every)


def test_bytes_that_changed_are_refused() -> None:
    rng = np.random.default_rng(1)
    some = np.sort(rng.choice(20_000, 3000, replace=False)).astype(np.int32)
    raw, ends = pack(some, np.ones(3000, np.int32), np.array([0, 3000]))
    data, by = raw.copy(), LengthNorms.of(np.zeros(20_000, np.int64), np.ones(1))
    query = PackedQuery(
        [PackedImpacts(outline(PackedTerm(data, 0, int(ends[-1]), 3000), by)[0], True, 1.0, 1)], 0.0, 1.0
    )
    data[:] = 255 - data
    with pytest.raises(ValueError, match="no postings of so many documents"):
        pruned_answers([query], np.arange(20_000, dtype=np.int32), 10, by)
    with pytest.raises(ValueError, match="need the lengths of documents"):
        pruned_answers([query], np.arange(20_000, dtype=np.int32), 10)


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.lists(st.sampled_from("abcdefg"), max_size=9).map(" ".join), min_size=1, max_size=40),
    st.lists(st.text("abcdefgx ", max_size=8), min_size=1, max_size=5),
    st.integers(1, 12),
)
def test_every_weighting_finds_the_same(texts: list[str], asked: list[str], k: int) -> None:
    with indexed(texts) as index:
        for name in weightings.names:
            found = []
            for pruned in (False, True):
                searcher = Searcher(index, name, pruned=pruned)
                assert searcher.pruned == (pruned and searcher.weighting.bounded)
                found.append(as_lists((hits.documents, hits.scores) for hits in searcher.search(asked, k)))
            assert found[0] == found[1]


def test_weightings_that_allow_no_bound_say_so() -> None:
    unbounded = {name for name in weightings.names if not weightings.parse(name).bounded}
    assert unbounded == {"dirichlet", "lucene_classic"}


@pytest.mark.parametrize("documents", [[3, 1], [1, 1], [-1, 2], [1, 5000]])
def test_documents_that_do_not_ascend_are_refused(documents: list[int]) -> None:
    some, weights = np.array(documents, np.int32), np.ones(2)
    if documents[0] >= documents[1]:
        with pytest.raises(ValueError, match="do not ascend"):
            blocks_of(some, weights)
        return
    query = WeightedQuery([Impacts(some, weights, True, 1.0, 1, blocks_of(some, weights))], 0.0, 1.0)
    with pytest.raises(ValueError, match="do not ascend below 5000"):
        pruned_answers([query], np.arange(5000, dtype=np.int32), 1)


def test_blocks_that_are_not_those_of_the_documents_are_refused() -> None:
    some, weights = np.arange(300, dtype=np.int32), np.ones(300)
    lasts, most = blocks_of(some, weights)
    for wrong in (lasts + np.int32(1), lasts[::-1].copy()):
        query = WeightedQuery([Impacts(some, weights, True, 1.0, 1, (wrong, most))], 0.0, 1.0)
        with pytest.raises(ValueError, match="not the last document of a block"):
            pruned_answers([query], np.arange(300, dtype=np.int32), 1)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32), st.integers(1, 400))
def test_documents_out_of_order_inside_a_block_harm_nobody(seed: int, k: int) -> None:
    """Nobody looks at all of them for each query: what is found is wrong, and all of it lies in the arrays."""
    rng = np.random.default_rng(seed)
    terms = []
    for _ in range(3):
        some = np.sort(rng.choice(20_000, 1000, replace=False)).astype(np.int32)
        weights = rng.random(1000) + 0.1
        blocks = blocks_of(some, weights)
        keep = np.r_[0, np.arange(127, 1000, 128), 999]
        changed = rng.integers(-(2**31), 2**31 - 1, 1000).astype(np.int32)
        changed[keep] = some[keep]
        terms.append(Impacts(changed, weights, True, 1.0, 1, blocks))
    found = pruned_answers([WeightedQuery(terms, 0.0, 1.0)], np.arange(20_000, dtype=np.int32), k)
    assert all(0 <= document < 20_000 for documents, _ in found for document in documents.tolist())


def test_few_documents_are_looked_at_all() -> None:
    with indexed(["a b", "b"]) as index:
        assert not Searcher(index).pruned
