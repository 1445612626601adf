"""Weights of bm25 by one loop: those of its definition, to the last bit, whichever way they are made."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.index import index as index_module
from adjudge.index import saturation, searching
from adjudge.index.accumulation import blocks_of
from adjudge.index.packed_postings import pack
from adjudge.index.saturation import LengthNorms, PackedTerm, numbered_lengths, saturated, weigh_packed
from adjudge.index.searching import Searcher
from adjudge.weighting.bm25 import BM25
from adjudge.weighting.scheme import Floats, Integers, Statistics
from slow_weightings import indexed


class Plain(BM25):
    """The same weighting, which does not say that its norms follow from lengths."""

    def norms(self, statistics: Statistics) -> Floats:
        return BM25.length_norms(self, statistics, statistics.lengths)

    def length_norms(self, statistics: Statistics, lengths: Integers) -> Floats:
        return None  # type: ignore[return-value]


@given(st.integers(0, 2**32), st.sampled_from([1, 127, 128, 129, 700]), st.booleans())
def test_loop_and_numpy_agree(seed: int, df: int, compiled: bool) -> None:
    rng = np.random.default_rng(seed)
    documents = np.sort(rng.choice(2000, df, replace=False)).astype(np.int32)
    tf, lengths = rng.integers(1, 50, df).astype(np.int32), rng.integers(0, 300, 2000).astype(np.uint16)
    norms = rng.random(300) * 3
    expected = tf.astype(np.float64) / (tf + norms[lengths[documents]])
    with pytest.MonkeyPatch.context() as patch:
        if not compiled:
            patch.setattr(saturation, "weighing", None)
        weights, least, (lasts, most) = saturated(documents, tf, LengthNorms.of(lengths, norms))
    assert weights.tobytes() == expected.tobytes()
    assert least == expected.min()
    for found, wanted in zip((lasts, most), blocks_of(documents, expected), strict=True):
        assert found.tolist() == wanted.tolist()


@pytest.mark.skipif(saturation.weighing is None, reason="there is no loop")
@given(
    st.integers(0, 2**32),
    st.sampled_from([1, 127, 128, 129, 700]),
    st.sampled_from([1, 2, 50, 100_000]),
    st.sampled_from([10, 256, 257, 300]),
)
def test_packed_postings_are_weighed_as_others(seed: int, df: int, most: int, known: int) -> None:
    rng = np.random.default_rng(seed)
    documents = np.sort(rng.choice(2000, df, replace=False)).astype(np.int32)
    tf, lengths = rng.integers(1, most + 1, df).astype(np.int32), rng.integers(0, 300, 2000).astype(np.uint16)
    by = LengthNorms.of(lengths % known, rng.random(known) * 3)
    raw, ends = pack(documents, tf, np.array([0, df]))
    data = np.concatenate([np.full(3, 255, np.uint8), raw, np.zeros(int(rng.integers(0, 9)), np.uint8)])
    term = PackedTerm(data, 3, 3 + int(ends[-1]), df)
    found, weights, least, blocks, total = weigh_packed(term, by)
    expected, lowest, wanted = saturated(documents, tf, by)
    assert found.tolist() == documents.tolist()
    assert weights.tobytes() == expected.tobytes()
    assert (least, total) == (lowest, int(tf.sum()))
    assert [column.tolist() for column in blocks] == [column.tolist() for column in wanted]
    for wrong in (term._replace(end=term.end - 1), term._replace(postings=df + 128), term._replace(begin=2)):
        with pytest.raises(ValueError, match=r"^weigh: "):
            weigh_packed(wrong, by)


@pytest.mark.skipif(saturation.weighing is None, reason="there is no loop")
def test_what_the_loop_refuses() -> None:
    lengths, norms = np.array([0, 1, 2], np.uint16), np.ones(2)
    tf = np.ones(2, np.int32)
    with pytest.raises(ValueError, match="one has no norm"):
        saturated(np.array([0, 2], np.int32), tf, LengthNorms.of(lengths, norms))
    with pytest.raises(ValueError, match="do not ascend"):
        saturated(np.array([1, 0], np.int32), tf, LengthNorms.of(lengths, norms))


@given(
    st.lists(st.integers(0, 600) | st.sampled_from([255, 256, 5_000_000]), min_size=1),
    st.sampled_from([2, 300, 1 << 16]),
)
def test_numbers_of_lengths(lengths: list[int], most: int) -> None:
    given_lengths = np.array(lengths, np.uint32)
    distinct, numbers = numbered_lengths(given_lengths, most)
    assert distinct[numbers].tolist() == lengths
    assert len(distinct) <= max(256, most, len(set(lengths)))
    norms = LengthNorms.of(numbers, np.zeros(len(distinct)))
    if len(distinct) <= 1 << 16:
        assert norms.lengths.tolist() == numbers.tolist()


@pytest.mark.parametrize("most", [1 << 16, 5, 2])
def test_lengths_of_every_kind_give_the_same_hits(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Norms are looked up by length, by the number of the length among those that occur, or are not looked up."""
    monkeypatch.setattr(searching, "LENGTHS", most)
    with indexed(["a b a", "b c", "", "c c c d a b a b c d", "a"]) as index:
        searcher, plain = Searcher(index, BM25()), Searcher(index, Plain())
        assert (searcher.length_norms is None) == (most == 2)
        assert plain.length_norms is None
        for one, other in zip(*(s.search(["a b", "c", "d a"]) for s in (searcher, plain)), strict=True):
            assert one.documents.tolist() == other.documents.tolist()
            assert one.scores.tobytes() == other.scores.tobytes()


@pytest.mark.skipif(saturation.weighing is None, reason="there is no loop")
def test_hits_are_the_same_without_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    with indexed([f"{'a ' * (n % 3)}{'b ' * (n % 5)}c d{n % 7}" for n in range(300)]) as index:
        quick = Searcher(index).search(["a b", "c d3", "d1"])
        monkeypatch.setattr(index_module, "weighing", None)
        monkeypatch.setattr(saturation, "weighing", None)
        for one, other in zip(quick, Searcher(index).search(["a b", "c d3", "d1"]), strict=True):
            assert one.documents.tolist() == other.documents.tolist()
            assert one.scores.tobytes() == other.scores.tobytes()


def test_terms_with_many_postings_are_weighed_on_several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "LARGE", 1)
    texts = [f"{'a ' * (n % 3)}{'b ' * (n % 5)}c d{n % 7}" for n in range(50)]
    with indexed(texts) as index:
        searcher = Searcher(index)
        queries = ["a b c", "d1 d2 a", "d3 x"]
        together = searcher.search(queries)
        monkeypatch.setattr(searching, "LARGE", 1 << 40)
        for one, other in zip(together, Searcher(index).search(queries), strict=True):
            assert one.documents.tolist() == other.documents.tolist()
            assert one.scores.tobytes() == other.scores.tobytes()
