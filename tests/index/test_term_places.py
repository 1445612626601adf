"""The places of terms in a few documents are those that they have in all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError
from adjudge.index import term_places
from adjudge.index.building import build
from adjudge.index.index import Index

needs_compiled = pytest.mark.skipif(term_places.compiled is None, reason="the compiled loops were not built")


def made(folder: Path, texts: list[str], *, positions: bool = True) -> Index:
    documents = InMemory([Document(f"d{k}", text) for k, text in enumerate(texts)])
    return build(documents, folder, analyzer="words|lower", positions=positions)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    rng = np.random.default_rng(1)
    texts = [" ".join(rng.choice(["a", "b", "c", "long"], size).tolist()) for size in (5, 0, 400, 30, 9, 1)]
    return made(tmp_path_factory.mktemp("index"), [*texts, "b" + 20_000 * " a" + " long b"])


@settings(deadline=None, max_examples=100)
@given(st.lists(st.integers(0, 3), max_size=5), st.lists(st.integers(0, 6), max_size=7, unique=True), st.booleans())
def test_places_are_those_of_the_text(index: Index, terms: list[int], chosen: list[int], compiled: bool) -> None:
    expected = []
    for k, term in enumerate(terms):
        documents, _ = index.postings(term)
        places, begins = index.positions(term)
        for d, document in enumerate(documents.tolist()):
            if document in chosen:
                expected += [(k, chosen.index(document), p) for p in places[begins[d] : begins[d + 1]].tolist()]
    with pytest.MonkeyPatch.context() as patch:
        if not compiled:
            patch.setattr(term_places, "compiled", None)
        found = index.places_in(np.array(terms, np.int64), np.array(chosen, np.int64))
    assert list(zip(*(column.tolist() for column in found), strict=True)) == expected


@pytest.mark.parametrize("compiled", [pytest.param(True, marks=needs_compiled), False])
def test_other_bytes_than_places_are_told(compiled: bool, monkeypatch: pytest.MonkeyPatch, index: Index) -> None:
    if not compiled:
        monkeypatch.setattr(term_places, "compiled", None)
    postings = index.postings_of(np.array([0]))
    begin, end = index.arrays["position_offsets"][:2].tolist()
    raw, slots = np.array(index.arrays["positions"]), np.arange(len(index), dtype=np.int32)
    for cut in (0, 1, 100):
        with pytest.raises(ValueError, match="other places"):
            term_places.places_in(postings, raw, np.array([begin + cut]), np.array([end - (not cut)]), slots)
    raw[end - 1] |= 128
    with pytest.raises(ValueError, match="other places"):
        term_places.places_in(postings, raw, np.array([begin]), np.array([end]), slots)


def test_an_index_without_places_says_so(tmp_path: Path) -> None:
    index = made(tmp_path, ["a b"], positions=False)
    with pytest.raises(DataError, match="built without positions"):
        index.places_in(np.array([0]), np.array([0]))
