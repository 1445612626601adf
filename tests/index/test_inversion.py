"""Inverting a batch, small and so large that numbers need eight bytes, against counting."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.index import inversion, varbyte
from adjudge.index.inversion import InvertedBatch, invert, together
from adjudge.text.tokens import Tokens

Found = dict[int, dict[int, list[int]]]


def tokens_of(texts: list[list[int]], types: int) -> Tokens:
    offsets = np.cumsum([0, *map(len, texts)]).astype(np.int64)
    ids = np.array([t for text in texts for t in text], np.int32)
    places = np.array([2 * p for text in texts for p in range(len(text))], np.int32)
    return Tokens([str(t) for t in range(types)], ids, offsets, places)


def counted(texts: list[list[int]], terms: np.ndarray, first: int) -> Found:
    found: Found = defaultdict(lambda: defaultdict(list))
    for d, text in enumerate(texts):
        for place, t in enumerate(text):
            found[int(terms[t])][first + d].append(2 * place)
    return found


def read(batch: InvertedBatch) -> Found:
    runs, found = batch.runs, Found()
    posting = byte = 0
    for term, df, cf, width in zip(runs.terms.tolist(), runs.df.tolist(), runs.cf, runs.width.tolist(), strict=True):
        gaps = varbyte.decode(runs.positions[byte : byte + width]).tolist()
        assert len(gaps) == cf
        found[term] = {}
        for i in range(posting, posting + df):
            own = [gaps.pop(0) for _ in range(int(runs.tf[i]))]
            found[term][int(runs.documents[i])] = np.cumsum(own).tolist()
        posting, byte = posting + df, byte + width
    return found


def both_ways(
    tokens: Tokens, terms: np.ndarray, first: int, positions: bool, certainty: np.ndarray | None = None
) -> InvertedBatch:
    """What the loop makes of a batch, which is the same as without it."""
    batch = invert(tokens, terms, first, positions=positions, certainty=certainty)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inversion, "loops", None)
        slow = invert(tokens, terms, first, positions=positions, certainty=certainty)
    columns = [(one.dtype, one.tolist()) for one in vars(batch.runs).values()]
    assert columns == [(one.dtype, one.tolist()) for one in vars(slow.runs).values()]
    for name in ("lengths", "distinct", "large"):
        assert getattr(batch, name).tolist() == getattr(slow, name).tolist()
    return batch


@given(st.lists(st.lists(st.integers(0, 4), max_size=9), min_size=1, max_size=6), st.permutations([3, 7, 11, 12, 40]))
def test_a_small_batch(texts: list[list[int]], terms: list[int]) -> None:
    numbers = np.array(terms)
    for positions in (True, False):
        batch = both_ways(tokens_of(texts, 5), numbers, 100, positions=positions)
        wanted = counted(texts, numbers, 100)
        if positions:
            assert read(batch) == wanted
        assert dict(zip(batch.runs.terms.tolist(), batch.runs.df.tolist(), strict=True)) == {
            term: len(documents) for term, documents in wanted.items()
        }
        assert batch.lengths.tolist() == [len(text) for text in texts]
        assert batch.distinct.tolist() == [len(set(text)) for text in texts]
        assert (np.diff(batch.runs.documents)[np.diff(np.repeat(batch.runs.terms, batch.runs.df)) == 0] > 0).all()


@pytest.mark.parametrize("positions", [True, False])
def test_a_batch_with_more_pairs_than_four_bytes_count(positions: bool) -> None:
    size = 70_000
    texts: list[list[int]] = [[] for _ in range(size)]
    texts[0], texts[-1] = [size - 1, 0, size - 1], [0, size - 1, 5]
    terms = np.arange(size)
    batch = both_ways(tokens_of(texts, size), terms, 0, positions=positions)
    wanted = counted(texts, terms, 0)
    postings = list(zip(np.repeat(batch.runs.terms, batch.runs.df), batch.runs.documents, batch.runs.tf, strict=True))
    assert postings == [(t, d, len(wanted[t][d])) for t in sorted(wanted) for d in sorted(wanted[t])]
    if positions:
        assert read(batch) == wanted


@pytest.mark.parametrize("positions", [True, False])
def test_frequencies_gaps_and_certainty_of_long_texts(positions: bool) -> None:
    texts = [[0] * 300 + [1] + [0] * 20_000 + [1] * 254, [], [1] * 255 + [2]]
    tokens = tokens_of(texts, 4)
    sure = np.arange(len(tokens.ids)).astype(np.uint8)
    batch = both_ways(tokens, np.array([5, 2, 9, 1]), 7, positions, sure)
    assert sorted(batch.large.tolist()) == [[2, 7, 255], [2, 9, 255], [5, 7, 20_300]]
    assert batch.distinct.tolist() == [2, 0, 2]


def test_places_that_descend() -> None:
    tokens = Tokens(["a", "b"], np.array([0, 1, 0], np.int32), np.array([0, 3]), np.array([5, 1, 2], np.int32))
    assert read(both_ways(tokens, np.array([0, 1]), 0, positions=True)) == {0: {0: [2, 5]}, 1: {0: [1]}}


def test_two_types_that_are_one_term() -> None:
    batch = invert(tokens_of([[0, 1, 2], [1]], 3), np.array([9, 4, 9]), 0, positions=True)
    assert read(batch) == {9: {0: [0, 4]}, 4: {0: [2], 1: [0]}}
    assert batch.distinct.tolist() == [2, 1]


@pytest.mark.parametrize("kernel", [True, False])
@given(
    batches=st.lists(st.lists(st.lists(st.integers(0, 4), max_size=9), min_size=1, max_size=4), min_size=1, max_size=4),
    place=st.permutations(range(5)),
)
def test_parts_are_put_together(kernel: bool, batches: list[list[list[int]]], place: list[int]) -> None:
    texts = [text for batch in batches for text in batch]
    firsts = np.cumsum([0, *map(len, batches)]).tolist()
    terms = np.arange(5)
    parts = [
        invert(tokens_of(some, 5), terms, first, positions=True)
        for some, first in zip(batches, firsts[:-1], strict=True)
    ]
    with pytest.MonkeyPatch.context() as patch:
        if not kernel:
            patch.setattr(inversion, "compiled", None)
        whole = together([part.runs for part in parts], np.array(place), 5)
    order = np.argsort(place)
    assert (whole.terms[whole.df > 0] == order[whole.df > 0]).all()
    found = read(InvertedBatch(replace(whole, terms=order), np.zeros(0), np.zeros(0), np.zeros((0, 3))))
    assert {term: documents for term, documents in found.items() if documents} == counted(texts, terms, 0)
