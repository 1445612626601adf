"""Spans: the worked example of the specification, the definition, and the compiled loop against it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import slow_track
from adjudge.core.document import Document, InMemory
from adjudge.index.index import Index
from adjudge.systems.parts import spans as module
from adjudge.systems.parts.concepts import BEGINNING, STEM, WORD, Form
from adjudge.systems.parts.spans import ConceptPlaces, find, spans
from adjudge.systems.parts.version import Version
from slow_track import Occurrence

A, B, C = 0, 1, 2
EXAMPLE = [(0, A), (2, B), (5, A), (6, B), (7, C)]


def defined_score(
    occurrences: list[Occurrence],
    shares: list[float],
    decay: float,
    longest: int | None,
    weights: dict[Occurrence, float],
) -> float:
    score = 0.0
    for n in range(1, len({concept for _, concept in occurrences}) + 1):
        for p, q in slow_track.spans(occurrences, n):
            if longest is None or q - p + 1 <= longest:
                within = [weights.get(o, 1.0) for o in set(occurrences) if p <= o[0] <= q]
                score += shares[n - 1] * (q - p + 1) ** -decay * sum(within) / len(within)
    return score


def of(documents: list[list[Occurrence]], weights: list[list[float]] | None = None) -> ConceptPlaces:
    rows = [(d, place, concept) for d, some in enumerate(documents) for place, concept in some]
    columns = np.array(rows, np.int64).reshape(-1, 3)
    flat = None if weights is None else np.array([w for some in weights for w in some], float)
    return ConceptPlaces.of(columns[:, 0], columns[:, 1], columns[:, 2], flat)


def test_the_spans_of_the_specification() -> None:
    assert slow_track.spans(EXAMPLE, 3) == [(5, 7)]
    assert slow_track.spans(EXAMPLE, 2) == [(0, 2), (2, 5), (5, 6), (6, 7)]
    assert of([EXAMPLE]).scores(np.array([0.0, 0, 1])).tolist() == [pytest.approx(0.57735, abs=5e-6)]
    second = 1 / np.sqrt(3) + 1 / 2 + 2 / np.sqrt(2)
    assert of([EXAMPLE]).scores(np.array([0.0, 1, 0])).tolist() == [pytest.approx(second)]


def test_one_concept_scores_its_frequency() -> None:
    assert of([[(3, 0), (9, 0), (4, 0)], [(0, 0)]]).scores(np.ones(1)).tolist() == [3.0, 1.0]


def test_one_place_may_be_two_concepts_and_counts_once_for_each() -> None:
    found = of([[(4, A), (4, B), (4, B)]])
    assert found.places.tolist() == [4, 4]
    assert found.scores(np.array([0.0, 1.0])).tolist() == [1.0]


def test_nothing_found() -> None:
    assert of([]).scores(np.ones(3)).tolist() == []


PLACES = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3)), min_size=1, max_size=12)


@given(PLACES, st.integers(1, 4))
def test_the_sweep_finds_the_spans_of_the_definition(occurrences: list[Occurrence], n: int) -> None:
    ordered = sorted(set(occurrences))
    places, concepts = zip(*ordered, strict=True)
    swept = [(places[left], places[after - 1]) for left, after in spans(places, concepts, n)]
    assert sorted(swept) == slow_track.spans(ordered, n)


@given(
    st.lists(PLACES, min_size=1, max_size=4),
    st.lists(st.floats(0, 2), min_size=4, max_size=4),
    st.floats(0, 2),
    st.none() | st.integers(1, 13),
    st.booleans(),
    st.data(),
)
def test_both_loops_score_as_the_definition(
    documents: list[list[Occurrence]],
    shares: list[float],
    decay: float,
    longest: int | None,
    weighted: bool,
    data: st.DataObject,
) -> None:
    chance = st.sampled_from([1.0, 0.5, 0.125])
    weights = [[data.draw(chance) for _ in some] for some in documents] if weighted else None
    highest: list[dict[Occurrence, float]] = [{} for _ in documents]
    for d, some in enumerate(documents if weighted else []):
        for occurrence, weight in zip(some, (weights or [])[d], strict=True):
            highest[d][occurrence] = max(weight, highest[d].get(occurrence, 0.0))
    expected = [
        defined_score(sorted(set(some)), shares, decay, longest, high)
        for some, high in zip(documents, highest, strict=True)
    ]
    found = of(documents, weights)
    assert found.scores(np.array(shares), decay=decay, longest=longest).tolist() == pytest.approx(expected)
    kept, module.compiled = module.compiled, None
    try:
        assert found.scores(np.array(shares), decay=decay, longest=longest).tolist() == pytest.approx(expected)
    finally:
        module.compiled = kept


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    documents, places, concepts = (rng.integers(0, top, 5000) for top in (300, 4000, 5))
    found = ConceptPlaces.of(documents, places, concepts)
    one = found.scores(np.arange(1, 6) / 5)
    monkeypatch.setattr(module, "WORTHWHILE", 10)
    np.testing.assert_array_equal(found.scores(np.arange(1, 6) / 5), one)


@pytest.mark.skipif(module.compiled is None, reason="the loop is not compiled here")
def test_arrays_that_do_not_fit_together_are_refused() -> None:
    offsets, places, concepts = np.array([0, 2], np.int64), np.array([0, 1], np.int64), np.array([0, 1], np.int32)
    shares, out = np.ones(2), np.zeros(1)
    for wrong in (
        (np.array([0, 3], np.int64), places, concepts, None, shares, 0.5, 0, out, 0, 1),
        (np.array([-1, 2], np.int64), places, concepts, None, shares, 0.5, 0, out, 0, 1),
        (offsets, places, np.array([0, 2], np.int32), None, shares, 0.5, 0, out, 0, 1),
        (offsets, places, np.array([0, -1], np.int32), None, shares, 0.5, 0, out, 0, 1),
        (offsets, places, concepts[:1], None, shares, 0.5, 0, out, 0, 1),
        (offsets, places, concepts, np.ones(2), shares, 0.5, 0, out, 0, 1),
        (offsets, places, concepts, None, shares, 0.5, 0, out, 0, 2),
        (offsets, places, concepts, None, shares, 0.5, 0, np.zeros(2), 0, 1),
        (offsets, places, concepts, None, shares, 0.5, -1, out, 0, 1),
    ):
        with pytest.raises(ValueError, match=r"^score: "):
            module.compiled.score(*wrong)


TEXTS = ["Energy policy of the energy offices", "energies in an office building", "police energetic", ""]


@pytest.fixture
def index(tmp_path: Path) -> Index:
    documents = InMemory(Document(f"d{i}", text) for i, text in enumerate(TEXTS))
    return Version("true", documents, tmp_path).index("words|lower", positions=True)


def places(index: Index, *forms: Form, shortest: int = 3) -> list[tuple[int, int]]:
    found = find(index, [forms], shortest=shortest)
    documents = np.repeat(found.documents, np.diff(found.offsets))
    return list(zip(documents.tolist(), found.places.tolist(), strict=True))


def test_forms_are_found_where_they_stand(index: Index) -> None:
    assert places(index, Form(("energy",), WORD)) == [(0, 0), (0, 4)]
    assert places(index, Form(("energ",), BEGINNING)) == [(0, 0), (0, 4), (1, 0), (2, 1)]
    assert places(index, Form(("energy",), STEM)) == [(0, 0), (0, 4), (1, 0)], "energi begins energies, not energetic"
    assert places(index, Form(("policy",), STEM)) == [(0, 1)], "police has another stem"
    assert places(index, Form(("offices",), STEM)) == [(0, 5), (1, 3)]
    assert places(index, Form(("of",), BEGINNING)) == [(0, 2)], "too short for a beginning"
    assert places(index, Form(("of",), BEGINNING), shortest=2) == [(0, 2), (0, 5), (1, 3)]
    assert places(index, Form(("nowhere",), WORD)) == places(index, Form(("zz",), STEM)) == []


def test_words_side_by_side(index: Index) -> None:
    assert places(index, Form(("energy", "off"), BEGINNING)) == [(0, 4)]
    assert places(index, Form(("of", "the", "energy"), WORD)) == [(0, 2)]
    assert places(index, Form(("energy", "office"), WORD)) == []
    assert places(index, Form(("energy", "nowhere"), WORD)) == []


def test_a_term_of_several_forms_counts_once_for_the_most_probable(index: Index) -> None:
    concept = (Form(("energ",), BEGINNING, 0.25), Form(("energy",), WORD, 1.0))
    found = find(index, [concept], weighted=True)
    assert found.weights is not None
    assert found.weights.tolist() == [1.0, 1.0, 0.25, 0.25]
