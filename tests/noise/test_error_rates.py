from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import ConflictError, SpecError
from adjudge.noise.alignment import align, plain
from adjudge.noise.error_rates import (
    WORD,
    ErrorCounter,
    cer,
    character_errors,
    confusions,
    error_rates,
    intact_words,
    wer,
    word_errors,
)
from noise.test_alignment import levenshtein

WORDS = st.lists(st.sampled_from(["the", "red", "balloon", "rcd", "bal", "loon", "a"]), max_size=8)


def test_worked_examples() -> None:
    assert cer("abcd", "abxd") == 0.25
    assert cer("modern", "modem") == 2 / 6
    assert cer("abc", "") == 1.0
    assert cer("a", "bcd") == 3.0
    assert math.isnan(cer("", ""))
    assert math.isnan(cer(" \n", "x"))
    assert cer("a  b", "a\nb") == 0.0
    assert cer("AB", "ab") == 1.0
    assert cer("AB", "ab", case=False) == 0.0
    assert wer("The red", "the red", case=False) == 0.0
    assert math.isnan(wer("", "x"))
    assert character_errors("abcd", "abxd") == (1, 4)


@given(WORDS, WORDS)
def test_words_are_counted_as_characters_are(true: list[str], observed: list[str]) -> None:
    names: dict[str, str] = {}
    first, second = ("".join(names.setdefault(w, chr(97 + len(names))) for w in text) for text in (true, observed))
    assert word_errors(" ".join(true), "\n".join(observed)) == (levenshtein(first, second), len(true))


def test_many_different_words_pass_over_the_surrogates() -> None:
    true = " ".join(map(str, range(60_000)))
    assert word_errors(true, true.replace("59000", "x")) == (1, 60_000)


@pytest.mark.parametrize(
    ("true", "observed", "intact"),
    [
        ("the red balloon", "the red balloon", "111"),
        ("the red balloon", "the rcd balloon", "101"),
        ("the red balloon", "thered balloon", "001"),
        ("the red balloon", "the red bal loon", "110"),
        ("the red balloon", "the big red balloon", "111"),
        ("the red balloon", "the xred balloon", "101"),
        ("the red balloon", "", "000"),
        ("the red balloon", "balloon", "001"),
    ],
)
def test_intact_words(true: str, observed: str, intact: str) -> None:
    assert "".join("01"[int(flag)] for flag in intact_words(align(true, observed)).intact) == intact


@given(st.text(alphabet="ab ,", max_size=20), st.text(alphabet="ab ,", max_size=20))
def test_an_intact_word_stands_in_the_observed_text(true: str, observed: str) -> None:
    alignment = align(true, observed)
    words = intact_words(alignment)
    assert len(words.starts) == len(true.split())
    survived = [alignment.true[a:b] for a, b, ok in zip(*words, strict=True) if ok]
    left = plain(observed).split()
    for word in survived:
        left.remove(word)
    if true.split() == observed.split():
        assert words.intact.all()


def test_words_that_are_asked_for_are_found_behind_punctuation() -> None:
    alignment = align("(Solar) power, solar.", "(Solar) powcr, soIar.")
    assert intact_words(alignment, WORD).intact.tolist() == [True, False, False]
    rates = error_rates([("(Solar) power, solar.", "(Solar) powcr, soIar.")], asked=["SOLAR", "wind"])
    assert (rates.asked.tolist(), rates.asked_intact.tolist()) == ([2], [1])
    assert rates.asked_share == 0.5
    assert math.isnan(error_rates([("a", "a")]).asked_share)


def test_totals_weigh_documents_by_their_length() -> None:
    rates = error_rates([("abcdefghij", "abcdefghiX"), ("ab", "XY"), ("", "x")])
    assert rates.cer[:2].tolist() == [0.1, 1.0]
    assert math.isnan(rates.cer[2])
    assert rates.total_cer == (1 + 2 + 1) / 12
    assert rates.total_wer == 3 / 2
    assert rates.intact_share == 0.0
    assert math.isnan(error_rates([]).total_cer)


def test_the_interval_is_the_bootstrap_of_the_ratio_of_sums() -> None:
    rng = np.random.default_rng(5)
    pairs = [
        ("a" * n, "a" * (n - k) + "b" * k)
        for n, k in zip(rng.integers(20, 60, 40), rng.integers(0, 9, 40), strict=True)
    ]
    rates = error_rates(pairs)
    low, high = rates.interval(np.random.default_rng(1))
    assert low < rates.total_cer < high
    # the delta method's standard error of a ratio of sums
    e, n, r = rates.edits, rates.characters, rates.total_cer
    error = np.sqrt(((e - r * n) ** 2).sum()) / n.sum()
    assert (high - low) / (2 * 1.96) == pytest.approx(error, rel=0.1)
    assert rates.interval(np.random.default_rng(1)) == (low, high)
    assert all(math.isnan(v) for v in error_rates(pairs[:1]).interval(np.random.default_rng(1)))
    low, high = rates.interval(np.random.default_rng(1), of="wer")
    assert low < rates.total_wer < high
    with pytest.raises(SpecError, match="no interval of 'wordy'"):
        rates.interval(np.random.default_rng(1), of="wordy")
    with pytest.raises(SpecError, match="between 0 and 1"):
        rates.interval(np.random.default_rng(1), confidence=95)


def test_confusions_are_counted_with_an_example() -> None:
    found = confusions([("modern corn the", "modem com thc"), ("burn", "bum")])
    assert [(c.source, c.target, c.count, c.share) for c in found] == [("rn", "m", 3, 0.75), ("e", "c", 1, 0.25)]
    assert (found[0].example, found[0].example_read) == ("modern", "modem")
    assert confusions([("abcdefgh", "aXXXXXgh")]) == []
    counter = ErrorCounter()
    counter.add("lost", "a page that was not read " * 400, "")
    assert (counter.regions, len(counter.counts), len(counter.examples)) == (1, 0, 0), "long errors are not kept"


def test_a_document_is_counted_once() -> None:
    counter = ErrorCounter()
    counter.add("FR1", "a", "a")
    with pytest.raises(ConflictError, match="FR1 is there twice"):
        counter.add("FR1", "a", "a")
    assert counter.rates().ids == ("FR1",)
