"""C-value: the published example, our own, and the algorithm written slowly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import SpecError
from adjudge.terms import tally
from adjudge.terms.cvalue import c_values, inner
from slow_terms import slow_c_values


def values_of(frequencies: dict[tuple[str, ...], int], least: float = 0.0) -> dict[tuple[str, ...], float]:
    words: dict[str, int] = {}
    rows = [[words.setdefault(word, len(words)) for word in term] for term in frequencies]
    width = max(map(len, rows), default=1)
    array = np.array([row + [-1] * (width - len(row)) for row in rows], np.int32).reshape(-1, width)
    found = c_values(array, np.array(list(frequencies.values()), np.int64), least=least)
    return dict(zip(frequencies, found.tolist(), strict=True))


def test_the_published_example() -> None:
    found = values_of(
        {
            ("adenoid", "cystic", "basal", "cell", "carcinoma"): 5,
            ("cystic", "basal", "cell", "carcinoma"): 11,
            ("ulcerated", "basal", "cell", "carcinoma"): 7,
            ("recurrent", "basal", "cell", "carcinoma"): 5,
            ("circumscribed", "basal", "cell", "carcinoma"): 3,
            ("basal", "cell", "carcinoma"): 984,
        }
    )
    assert list(found.values()) == pytest.approx([11.6096, 12, 14, 10, 6, 1551.3613], abs=5e-5)


def test_our_example() -> None:
    found = values_of(
        {
            ("smooth", "riemannian", "manifold"): 3,
            ("compact", "riemannian", "manifold"): 2,
            ("riemannian", "manifold"): 10,
            ("smooth", "manifold"): 4,
        }
    )
    assert list(found.values()) == pytest.approx([4.7549, 3.1699, 7.5, 4], abs=5e-5)


terms = st.lists(st.sampled_from("abc"), min_size=2, max_size=6).map(tuple)


@given(st.dictionaries(terms, st.integers(1, 20), max_size=25), st.sampled_from([0.0, -5.0, 3.0, 12.0]))
def test_against_the_algorithm_written_slowly(frequencies: dict[tuple[str, ...], int], least: float) -> None:
    wanted = slow_c_values(frequencies, least)
    assert values_of(frequencies, least) == pytest.approx(wanted, rel=1e-12, abs=1e-9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tally, "compiled", None)
        assert values_of(frequencies, least) == pytest.approx(wanted, rel=1e-12, abs=1e-9)


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=1, max_size=10, unique=True), st.integers(1, 3))
def test_parts_of_terms_are_told_whether_they_are_candidates_or_not(
    terms: list[tuple[int, ...]], shortest: int
) -> None:
    singular = np.array([0, 1, 2, 2], np.int32)  # 3 is the plural of 2
    independent = np.arange(1.0, len(terms) + 1)
    wanted: dict[tuple[int, ...], list[float]] = {}
    for term, own in zip(terms, independent.tolist(), strict=True):
        parts = {term[i : i + n] for n in range(shortest, 4) for i in range(5 - n)}
        for part in {(*part[:-1], int(singular[part[-1]])) for part in parts}:
            before = wanted.get(part, [0.0, 0.0])
            wanted[part] = [before[0] + own, before[1] + 1]
    rows, *raised = inner(np.array(terms, np.int32), 4, independent, singular, shortest)
    found = {
        tuple(w for w in row if w >= 0): [float(t), float(c)] for row, t, c in zip(rows.tolist(), *raised, strict=True)
    }
    assert found == wanted


def test_a_sequence_that_stands_twice_in_a_term_is_one_inner_term() -> None:
    assert values_of({("a", "b", "a", "b"): 4, ("a", "b"): 10})[("a", "b")] == 6


def test_the_last_word_of_an_inner_term_counts_in_the_singular() -> None:
    # 0 systems, 1 theory, 2 linear, 3 system: "linear systems theory" holds the class "linear system"
    rows = np.array([[2, 0, 1], [2, 3, -1]], np.int32)
    singular = np.array([3, 1, 2, 3], np.int32)
    frequencies = np.array([4, 10])
    assert c_values(rows, frequencies, singular=singular).tolist() == pytest.approx([4 * np.log2(3), 6])
    assert c_values(rows, frequencies).tolist() == pytest.approx([4 * np.log2(3), 10])


def test_single_words_have_a_value_if_they_are_asked_for() -> None:
    rows = np.array([[0, 1], [1, -1]], np.int32)
    assert c_values(rows, np.array([4, 10])).tolist() == [4, 0]
    assert c_values(rows, np.array([4, 10]), single_words=True).tolist() == pytest.approx([4 * np.log2(3), 6])


def test_nothing_has_no_values_and_nan_is_no_bound() -> None:
    assert len(c_values(np.zeros((0, 3), np.int32), np.zeros(0, np.int64))) == 0
    with pytest.raises(SpecError, match="must be a number, not nan"):
        c_values(np.zeros((0, 3), np.int32), np.zeros(0, np.int64), least=float("nan"))
