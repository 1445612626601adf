"""What stands between tokens."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudge.core.errors import DataError
from adjudge.text.tagging import breaks as module
from adjudge.text.tagging.breaks import breaks_of, gaps_in_python, kind_of_gap
from adjudge.text.tokenizers.ngrams import NgramTokenizer
from adjudge.text.tokenizers.standard import StandardTokenizer
from adjudge.text.tokenizers.words import WordTokenizer
from adjudge.text.tokens import Tokens


def breaks(text: str) -> str:
    tokens = StandardTokenizer(dashes=True)([text], spans=True)
    return "".join(map(str, breaks_of([text], tokens)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one two", "20"),
        ("one, two", "21"),
        ("one. Two", "22"),
        ("one. two", "21"),
        ("one? Two! three", "221"),
        ("n! permutations (of n)", "2110"),
        ("Prop. 3 of Fig. 4", "20000"),
        ("the U.S. Code and the U.S. The end", "20000020"),
        ("by J. Smith. He left", "20020"),
        ("for all x. Then y", "20020"),
        ("one\ntwo", "20"),
        ("compact sets\nLet U be", "20200"),
        ("ON\nTHE RULE in\nBanach", "20000"),
        ("one\n\ntwo", "22"),
        ("one\r\n \t\r\nTwo", "22"),
        ("one\n      two", "20"),
        ("one   two", "21"),
        ("one\ttwo", "21"),
        ("one   \ntwo", "20"),
        ("one ..... two", "21"),
        ("one - two -- three", "211"),
        ("Navier–Stokes and Calabi‐Yau", "2000"),
        ("one—two", "21"),
        ("the manifolds' boundary", "200"),
        ('a "smooth" map', "211"),
        ("end.) Next", "22"),
        ("$x$ and $y$", "211"),
        ("one\u2029two", "22"),
        ("one\u00a0two\u200bthree", "200"),
    ],
)
def test_golden(text: str, expected: str) -> None:
    assert breaks(text) == expected


@settings(max_examples=500, deadline=None)
@given(st.text(st.sampled_from(" \t\n\r.?!,-'’–—\u2029\u2028\x85\xa0(aX1$\ud800"), max_size=14))
@example(".\n")
@example("-   ")
@example("   \n")
def test_gaps_in_c_are_gaps_in_python(gap: str) -> None:
    if module.compiled is None:
        pytest.skip("the extension was not built")
    text = f"x{gap}y"
    spans = np.array([[0, 1], [len(gap) + 1, len(gap) + 2]], np.int32)
    tokens = Tokens(["x", "y"], np.array([0, 1], np.int32), np.array([0, 2]), np.array([0, 1], np.int32), spans)
    slow, fast = np.zeros(2, np.uint8), np.zeros(2, np.uint8)
    gaps_in_python([text], tokens, slow)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    module.compiled.gaps(codes, np.array([0, len(text)]), tokens.offsets, spans, fast)
    assert fast.tolist() == slow.tolist() == [0, kind_of_gap(gap)]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(st.sampled_from("aB.é ,\n-"), max_size=20), max_size=4))
def test_both_ways_give_the_same_breaks(texts: list[str]) -> None:
    tokens = WordTokenizer()(texts, spans=True)
    ours = breaks_of(texts, tokens)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "compiled", None)
        assert breaks_of(texts, tokens).tolist() == ours.tolist()


def test_grams_overlap_and_have_nothing_between_them() -> None:
    tokens = NgramTokenizer(3)(["one two"], spans=True)
    assert set(breaks_of(["one two"], tokens)[1:].tolist()) == {0}


def test_what_breaks_need() -> None:
    with pytest.raises(DataError, match="spans=True"):
        breaks_of(["a b"], WordTokenizer()(["a b"]))
    with pytest.raises(DataError, match="2 texts but tokens of 1"):
        breaks_of(["a b", "c"], WordTokenizer()(["a b"], spans=True))


def test_the_extension_refuses_what_does_not_fit() -> None:
    if module.compiled is None:
        pytest.skip("the extension was not built")
    codes, spans, out = np.zeros(4, np.uint32), np.zeros((1, 2), np.int32), np.zeros(1, np.uint8)
    for ends, offsets in ([0, 9], [0, 1]), ([0, 4], [0, 2]), ([3, 0], [0, 1]), ([0, 4], [-1, 1]):
        with pytest.raises(ValueError, match="do not ascend"):
            module.compiled.gaps(codes, np.array(ends), np.array(offsets), spans, out)
    with pytest.raises(TypeError, match="codes must be an array of uint32"):
        module.compiled.gaps(codes.astype(np.uint8), np.array([0, 4]), np.array([0, 1]), spans, out)


@pytest.mark.parametrize("rubbish", ["." * 200_000, " " * 200_000, "\n" * 200_000, ".\t" * 100_000, "- " * 100_000])
def test_rubbish_between_words_is_read_once(rubbish: str) -> None:
    # What looks at it again from every character would take minutes here.
    assert kind_of_gap(rubbish) in range(6)
