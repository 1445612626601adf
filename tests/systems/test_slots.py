"""Slots: Myers' bit vectors against Sellers' recurrence, and the worked examples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.systems.parts import slots
from adjudge.systems.parts.flat import flatten, pattern

EXAMPLE = "the Chevrolet and the Chevro1et and chcvrolet, chevrlet; xxchevrolet ChevroIett"


def counted(text: bytes, term: bytes, *, share: float = 0.2, unit: str = "runs") -> int:
    characters = np.frombuffer(text, np.uint8)
    return int(slots.count(characters, np.array([0]), np.array([len(text)]), term, share=share, unit=unit)[0])


def test_edits_allowed() -> None:
    assert [slots.most_edits(n) for n in (1, 5, 6, 10, 11, 15, 16, 20)] == [0, 0, 1, 1, 2, 2, 3, 3]


def test_the_example_of_the_specification() -> None:
    text, term = flatten(EXAMPLE), pattern(" chevrolet")
    assert len(slots.end_positions(text, term, 1)) == 8
    assert counted(text, term) == 6
    assert counted(text, term, unit="windows") == 5
    assert counted(text, term, unit="words") == 5, "xxchevrolet does not begin with the term, the others do"


@given(
    text=st.text("ab ", max_size=60),
    term=st.text("ab ", min_size=1, max_size=12),
    share=st.sampled_from([0.1, 0.2, 0.35]),
    unit=st.sampled_from(slots.UNITS),
)
def test_the_compiled_count_is_that_of_the_definition(text: str, term: str, share: float, unit: str) -> None:
    edits = slots.most_edits(len(term), share)
    expected = slots.COUNTERS[unit](text.encode(), term.encode(), edits)
    assert counted(text.encode(), term.encode(), share=share, unit=unit) == expected


def test_the_length_that_counts_may_be_another_than_that_of_the_term() -> None:
    text, one = flatten("so1ar and soiar"), np.array([0])
    where = np.frombuffer(text, np.uint8), one, np.array([len(text)])
    assert slots.count(*where, pattern(" solar"), length=6).tolist() == [2]
    assert slots.count(*where, pattern(" solar"), length=5).tolist() == [0], "five characters allow no edit"


@given(data=st.data(), edits=st.integers(0, 5))
def test_what_is_looked_at_around_pieces_only_is_all_there_is(data: st.DataObject, edits: int) -> None:
    """Terms with some of their characters wrong, one after the other and into each other."""
    if slots.compiled is None:
        pytest.skip("no compiled loop")
    term = data.draw(
        st.binary(min_size=1, max_size=24).filter(bool) | st.text("ab ", min_size=1, max_size=24).map(str.encode)
    )
    near = st.lists(
        st.tuples(st.integers(0, len(term)), st.sampled_from([b"", b"a", b" ", b"xy"]), st.integers(0, 2)), max_size=3
    )

    def spoilt(changes: list[tuple[int, bytes, int]]) -> bytes:
        made = term
        for place, put, taken in changes:
            made = made[:place] + put + made[place + taken :]
        return made

    pieces = data.draw(st.lists(near.map(spoilt) | st.binary(max_size=9), max_size=6))
    text, out = b"".join(pieces), np.zeros(1, np.int64)
    ends = np.array([len(text)])
    for unit in slots.UNITS:
        number = slots.UNITS.index(unit)
        slots.compiled.count(np.frombuffer(text, np.uint8), np.zeros(1, np.int64), ends, term, edits, number, out)
        assert out[0] == slots.COUNTERS[unit](text, term, edits)


@given(text=st.text("abc", max_size=30), term=st.text("abc", min_size=1, max_size=8), edits=st.integers(0, 3))
def test_an_end_position_has_a_substring_near_enough(text: str, term: str, edits: int) -> None:
    ends = slots.end_positions(text.encode(), term.encode(), edits)
    for i in range(len(text)):
        near = any(slots.distance(text[j : i + 1].encode(), term.encode()) <= edits for j in range(i + 2))
        assert (i in ends) == near


def test_texts_are_counted_one_by_one_and_a_match_does_not_reach_into_the_next() -> None:
    characters = np.frombuffer(b" red red blue r|ed", np.uint8)
    found = slots.count(characters, np.array([0, 8, 15]), np.array([8, 15, 18]), b"red")
    assert found.tolist() == [2, 0, 0]


def test_long_terms_are_cut_at_64_characters() -> None:
    assert counted(b"x" * 64, b"x" * 100, unit="windows") == 1


def test_texts_outside_of_the_array_are_refused() -> None:
    if slots.compiled is None:
        pytest.skip("no compiled loop")
    with pytest.raises(ValueError, match="inside the array"):
        slots.count(np.zeros(3, np.uint8), np.array([0]), np.array([9]), b"a")


def test_a_unit_that_there_is_not_is_refused() -> None:
    if slots.compiled is None:
        pytest.skip("no compiled loop")
    arrays = np.zeros(3, np.uint8), np.array([0]), np.array([3])
    with pytest.raises(ValueError, match="there is no unit 3"):
        slots.compiled.count(*arrays, b"a", 0, 3, np.zeros(1, np.int64))


def test_regression_through_the_origin() -> None:
    assert slots.regression([2, 0, 1, 4], [1, 0, 1, 2]) == pytest.approx(11 / 21)
    assert slots.regression([0, 0], [0, 3]) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The  red\n\tfox ", b" the red fox"),
        (" \n", b""),
        ("", b""),
        ("caf\u00c9 \u65e5", b" caf\xe9 \x00"),
        ("a\x00b", b" a b"),
    ],
)
def test_flattened(text: str, expected: bytes) -> None:
    assert flatten(text) == expected


def test_a_character_beyond_a_byte_matches_nothing() -> None:
    assert counted(flatten("日本"), pattern(" 日本")) == 0
