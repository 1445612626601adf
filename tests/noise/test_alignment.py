from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.noise.alignment import (
    LONG,
    Alignment,
    Region,
    _increasing,
    _trusted_anchors,
    align,
    distance,
    pieces,
    plain,
    rules_of,
    with_context,
)

TEXT = st.text(alphabet="abcrnm e\né𝔸", max_size=30)


def levenshtein(a: str, b: str) -> int:
    """The definition, row by row."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (x != y))
    return row[-1]


def rebuilt(alignment: Alignment) -> str:
    """The observed text from the true one and the stretches."""
    written, at = [], 0
    for region in alignment.regions:
        written += [alignment.true[at : region.start], alignment.observed[region.begin : region.stop]]
        at = region.end
    return "".join([*written, alignment.true[at:]])


@given(TEXT, TEXT)
def test_alignment_has_the_fewest_edits_and_leads_from_one_text_to_the_other(true: str, observed: str) -> None:
    found = align(true, observed)
    assert (found.true, found.observed) == (plain(true), plain(observed))
    assert found.edits == levenshtein(found.true, found.observed) == distance(found.true, found.observed)
    assert rebuilt(found) == found.observed
    for left, right in zip(found.regions, found.regions[1:], strict=False):
        assert left.end < right.start
        assert left.stop < right.begin


def test_white_space_is_one_blank_and_case_counts_unless_asked() -> None:
    assert plain(" a\t\n b\x0cC ") == "a b C"
    assert align("A  b", "a\nb").edits == 1
    assert align("A  b", "a\nb", case=False).edits == 0


def test_neighbouring_edits_are_one_error() -> None:
    assert list(align("modern farm corn", "modem fann com").errors()) == [("rn", "m"), ("rm", "nn"), ("rn", "m")]
    assert list(align("", "ab").errors()) == [("", "ab")]
    assert list(align("ab", "").errors()) == [("ab", "")]
    assert align("", "").regions == ()


def test_insertions_and_deletions_take_a_neighbour_along() -> None:
    def rule(true: str, observed: str) -> tuple[str, str]:
        found = align(true, observed)
        return with_context(found.true, found.observed, found.regions[0])

    assert rule("the lab", "th lab") == ("he", "h")
    assert rule("the lab", "he lab") == ("th", "h")
    assert rule("the lab", "thelab") == ("e ", "e")
    assert rule("a b", "a bx") == ("b", "bx")
    assert rule("ab", "xab") == ("a", "xa")
    assert rule("a lab", "a xlab") == ("l", "xl")
    assert with_context("", "x", Region(0, 0, 0, 1, 1)) == ("", "x")


def test_long_errors_are_no_rules() -> None:
    assert list(rules_of(align("abcdef xyz", "abWWWWf xyz"))) == []
    assert list(rules_of(align("abcdef xyz", "abcd?f xyz"))) == [("e", "?")]


def noisy(text: str, rate: float, seed: int) -> str:
    rnd = random.Random(seed)
    return "".join(c if rnd.random() > rate else rnd.choice(["", "x", c + "y"]) for c in text)


def prose(size: int, seed: int) -> str:
    rnd = random.Random(seed)
    words = ["".join(rnd.choices("etaoinshrdlu", k=rnd.randint(1, 9))) for _ in range(4000)]
    return " ".join(rnd.choice(words) for _ in range(size // 6))[:size].strip()


@pytest.mark.parametrize("rate", [0.05, 0.2])
def test_a_long_text_is_cut_and_loses_next_to_nothing(rate: float) -> None:
    true = prose(120_000, 1)
    observed = plain(noisy(true, rate, 2))
    parts = pieces(true, observed)
    assert len(parts) > 10
    assert max(end - start for start, end, _, _ in parts) < LONG
    found = align(true, observed)
    assert rebuilt(found) == found.observed
    exact = distance(true[:40_000], observed[:40_000])
    cut = sum(distance(true[a:b], observed[c:d]) for a, b, c, d in pieces(true[:40_000], observed[:40_000], long=5000))
    assert exact <= cut <= exact * 1.002


@given(TEXT, TEXT, st.integers(2, 12))
def test_pieces_cover_both_texts_in_order(true: str, observed: str, long: int) -> None:
    true, observed = true * 3, observed * 3
    parts = pieces(true, observed, long=long, piece=3)
    assert "".join(true[a:b] for a, b, _, _ in parts) == true
    assert "".join(observed[c:d] for _, _, c, d in parts) == observed
    assert all((b - a) * (d - c) <= (long + 2) ** 2 for a, b, c, d in parts)


def test_a_lost_page_does_not_disturb_the_rest() -> None:
    true = prose(150_000, 3)
    observed = true[:60_000] + true[65_000:]
    assert 5000 <= align(true, observed).edits <= 5100


def test_texts_with_nothing_in_common_are_cut_evenly() -> None:
    parts = pieces("a" * 130_000, "b" * 120_000)
    assert [part[0] for part in parts] == sorted({part[0] for part in parts})
    assert max((b - a) * (d - c) for a, b, c, d in parts) <= LONG * LONG
    assert distance("a" * 130_000, "b" * 120_000) == 130_000


@given(st.lists(st.integers(0, 20), max_size=9, unique=True))
def test_the_longest_common_order_is_found(y: list[int]) -> None:
    def longest(rest: list[int], last: int) -> int:
        if not rest:
            return 0
        without = longest(rest[1:], last)
        return max(without, 1 + longest(rest[1:], rest[0])) if rest[0] > last else without

    chain = _increasing(list(range(len(y))), y)
    assert len(chain) == longest(y, -1)
    assert all(y[a] == b for a, b in chain)
    assert chain == sorted(chain)
    assert [b for _, b in chain] == sorted(b for _, b in chain)


def test_an_anchor_that_strays_is_not_trusted() -> None:
    straight = [(k * 100, k * 101) for k in range(10)]
    assert _trusted_anchors(straight) == straight[1:-1]
    strayed = [*straight[:5], (450, 404 + 1), *straight[5:]]
    assert (450, 405) not in _trusted_anchors(strayed)
    assert _trusted_anchors([]) == [] == _trusted_anchors(straight[:2])


def test_a_guess_at_the_number_of_edits_does_not_change_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts that repeat themselves have no anchors and are laid side by side in long pieces."""
    true = plain("the committee may amend the modern rules of the corn program " * 100)
    for rate in (0.01, 0.05, 0.4):
        observed = plain(noisy(true, rate, 7))
        monkeypatch.setattr("adjudge.noise.alignment.HINTED", 10**9)
        exact = distance(true, observed)
        monkeypatch.setattr("adjudge.noise.alignment.HINTED", 1000)
        assert distance(true, observed) == exact
        found = align(true, observed)
        assert found.edits == exact
        assert rebuilt(found) == observed
