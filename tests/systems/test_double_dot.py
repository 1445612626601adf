"""Double-dot grams: the worked example of the specification, and the compiled loop against the slow definition."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.systems.parts import double_dot
from adjudge.systems.parts.content import content_words
from adjudge.systems.parts.double_dot import CentrePattern, DoubleDots, grams, matches, patterns, slow_counts

BALLOON = ["red", "balloon"]
LINES = {"the red balloon": (19, 18), "the rcd balloon": (17, 16), "tbe red bal1oon": (6, 6)}
LINES |= {"nothing here": (1, 1), "red red": (6, 3)}

needs_kernel = pytest.mark.skipif(double_dot.compiled is None, reason="the loop is not compiled here")


def test_grams_do_not_cross_words() -> None:
    assert grams(BALLOON) == ["red", "ballo", "alloo", "lloon"]
    assert grams(["red", "red", "ballo"]) == ["red", "ballo"]
    assert grams([]) == []


def test_every_character_of_a_gram_is_replaced_in_turn() -> None:
    assert len(patterns(BALLOON)) == 18
    of_ballo = [("", "allo"), ("b", "llo"), ("ba", "lo"), ("bal", "o"), ("ball", "")]
    assert patterns(["ballo"]) == of_ballo
    assert patterns(["7"]) == [], "a pattern without a letter would match everywhere"
    assert patterns(["red", "ballo"], least=3) == of_ballo


@pytest.mark.parametrize("line", LINES)
def test_the_lines_of_the_specification(line: str) -> None:
    dots = DoubleDots.of([patterns(BALLOON)])
    for binary, expected in enumerate(LINES[line]):
        sums, lines = dots.count([line], binary=bool(binary))
        assert (int(sums[0, 0]), int(lines[0])) == (expected, 1)
        slow, _ = slow_counts(dots.questions, [line], binary=bool(binary))
        assert int(slow[0, 0]) == expected


def test_matches_are_what_regular_expressions_find() -> None:
    line = "the red balloon lloon bbaalloonn"
    for before, after in patterns(BALLOON):
        wanted = re.compile(f"(?={before}.{{0,2}}{after})") if before and after else re.compile(f"(?={before}{after})")
        assert matches(line, CentrePattern(before, after)) == len(wanted.findall(line))


def test_the_gap_does_not_cross_a_line_and_blank_lines_do_not_count() -> None:
    dots = DoubleDots.of([[CentrePattern("ab", "cd")]])
    sums, lines = dots.count(["ab\ncd", "ab cd", "ab\r\n \t\nx\n", "", "\n\n", "abx\ncd", "ab", "a"])
    assert sums[:, 0].tolist() == [0, 1, 0, 0, 0, 0, 0, 0]
    assert lines.tolist() == [2, 1, 2, 0, 0, 2, 1, 1]


def test_case_is_ignored_letter_by_letter() -> None:
    dots = DoubleDots.of([patterns(["élan"])])
    sums, _ = dots.count(["ÉLAN", "élan", "elan", "\u0130élan\u0130", "𝒜élan"])
    assert sums[:, 0].tolist() == [4, 4, 1, 4, 4]


def test_questions_without_patterns_and_no_texts() -> None:
    assert DoubleDots.of([[], patterns(["red"])]).count(["red"])[0].tolist() == [[0, 3]]
    assert DoubleDots.of([]).count(["red"])[0].shape == (1, 0)
    assert DoubleDots.of([patterns(["red"])]).count([])[0].shape == (0, 1)


def test_a_pattern_of_two_grams_counts_twice() -> None:
    dots = DoubleDots.of([patterns(["red", "rad"])])
    assert dots.questions[0][CentrePattern("r", "d")] == 2
    assert dots.count(["r d"])[0].tolist() == [[2]]


@pytest.mark.slow
def test_more_letters_than_a_byte_tells_apart() -> None:
    many = [chr(0x4E00 + i) for i in range(300)]
    questions = [patterns(["".join(many[i : i + 5])]) for i in range(0, 300, 5)] + [patterns(["".join(many)])]
    dots = DoubleDots.of([*questions, patterns(["red"])])
    texts = ["".join(many[:20]), "".join(many[200:210]) + " red", "\n".join(many[250:])]
    expected = slow_counts(dots.questions, texts)
    assert [column.tolist() for column in dots.count(texts)] == [column.tolist() for column in expected]
    assert len(dots.groups) == 4, "two alphabets for the short questions, none for the long one"


WORDS = st.lists(st.text("abc", min_size=1, max_size=8), max_size=4)
TEXTS = st.lists(st.text("abcABC \n.\t\u0130é", max_size=60), max_size=4)


@needs_kernel
@given(st.lists(WORDS, min_size=1, max_size=3), TEXTS, st.integers(2, 9), st.integers(0, 8), st.booleans())
def test_the_kernel_counts_as_the_definition(
    words: list[list[str]], texts: list[str], n: int, gap: int, binary: bool
) -> None:
    dots = DoubleDots.of([patterns(some, n) for some in words], gap)
    sums, lines = dots.count(texts, binary=binary)
    slow_sums, slow_lines = slow_counts(dots.questions, texts, gap=gap, binary=binary)
    np.testing.assert_array_equal(sums, slow_sums)
    np.testing.assert_array_equal(lines, slow_lines)


def test_without_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(double_dot, "compiled", None)
    assert DoubleDots.of([patterns(BALLOON)]).count(["The red balloon"])[0].tolist() == [[19]]


@needs_kernel
def test_tables_that_do_not_fit_together_are_refused() -> None:
    dots = DoubleDots.of([patterns(BALLOON)])
    tables = dots.groups[0][1]
    assert tables is not None
    sums, lines = np.zeros((1, 1), np.int64), np.zeros(1, np.int64)
    for i, table in enumerate(tables):
        for wrong in (table[:-1], np.zeros(0, table.dtype), np.full_like(table, 200)):
            broken = (*tables[:i], np.ascontiguousarray(wrong), *tables[i + 1 :])
            if i in {0, 6} and wrong.shape == table.shape:
                continue  # other codes and other numbers of times are tables too
            if i == 1 and wrong.shape == table.shape:
                continue
            with pytest.raises((ValueError, TypeError)):
                double_dot.compiled.count(("the red balloon",), broken, 2, False, sums, lines)
    with pytest.raises(ValueError, match="lines: 1 items, not 2"):
        double_dot.compiled.count(("a", "b"), tables, 2, False, sums, lines)
    with pytest.raises(TypeError):
        double_dot.compiled.count((b"a",), tables, 2, False, sums, lines)


def test_content_words_know_apostrophes() -> None:
    assert content_words("Don't sell the farmer's Red balloon, the red one!") == ["sell", "farmer", "red", "balloon"]
    assert content_words("It isn’t what they've been doing.") == []
    assert Counter(content_words("U.S. oil, x_1 Oil")) == Counter(["oil", "1"])
