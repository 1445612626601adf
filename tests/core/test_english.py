"""Numbers and names inside a sentence."""

from __future__ import annotations

import doctest

import pytest

from adjudge.core import english


def test_examples() -> None:
    assert doctest.testmod(english).failed == 0


@pytest.mark.parametrize(
    ("names", "most", "text"),
    [
        ([], 0, ""),
        (["A"], 1, "A"),
        (["A", "B"], 1, "A and 1 more"),
        (["A", "B", "C"], 3, "A, B and C"),
        ([*"ABCD"], 3, "A, B, C and 1 more"),
    ],
)
def test_lists_name_the_first_and_count_the_rest(names: list[str], most: int, text: str) -> None:
    assert english.listing(names, most) == text
