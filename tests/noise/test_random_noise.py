from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.document import Document
from adjudge.core.errors import SpecError
from adjudge.noise.error_rates import cer, error_rates
from adjudge.noise.random_noise import RandomNoise

TEXT = "the quick brown fox jumps over the lazy dog and runs away; " * 800


def test_the_rate_is_the_expected_number_of_edits() -> None:
    for rate in (0.1, 0.2):
        read = RandomNoise(rate).degrade(Document("FR1", TEXT)).text
        assert cer(TEXT, read) == pytest.approx(rate, rel=0.07)


def test_each_kind_of_error_alone() -> None:
    rng = np.random.default_rng(1)
    longer = RandomNoise(0.1, 1, 0, 0).sample(TEXT, rng)
    shorter = RandomNoise(0.1, 0, 1, 0).sample(TEXT, rng)
    other = RandomNoise(0.1, 0, 0, 1).sample(TEXT, rng)
    assert len(longer) - len(TEXT) == pytest.approx(0.1 * len(TEXT), rel=0.06)
    assert len(TEXT) - len(shorter) == pytest.approx(0.1 * len(TEXT), rel=0.06)
    assert len(other) == len(TEXT)
    assert sum(a != b for a, b in zip(TEXT, other, strict=True)) == pytest.approx(0.1 * len(TEXT), rel=0.06)


def test_a_substitute_is_drawn_evenly_and_never_the_same() -> None:
    noise = RandomNoise(1.0, 0, 0, 1, letters="abcd")
    for letter in "abd?":
        read = noise.sample(letter * 30_000, np.random.default_rng(2))
        others = [x for x in "abcd" if x != letter]
        assert set(read) == set(others)
        for x in others:
            assert read.count(x) == pytest.approx(30_000 / len(others), rel=0.05)


@given(st.text(max_size=30), st.integers(0, 5))
def test_any_text_passes(text: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    assert RandomNoise(0.0).sample(text, rng) == text
    assert RandomNoise(1.0, 0, 1, 0).sample(text, rng) == "".join(c for c in text if c in "\t\n\x0b\x0c\r")
    assert len(RandomNoise(1.0, 1, 0, 0).sample(text, rng)) == len(text) * 2 - sum(c in "\t\n\x0b\x0c\r" for c in text)


def test_a_document_depends_on_seed_and_id_only() -> None:
    noise = RandomNoise(0.2, seed=3)
    first = noise.degrade(Document("FR1", TEXT))
    assert pickle.loads(pickle.dumps(noise)).degrade(Document("FR1", TEXT)) == first  # noqa: S301
    assert noise.degrade(Document("FR2", TEXT)).text != first.text
    assert RandomNoise(0.2, seed=4).degrade(Document("FR1", TEXT)).text != first.text
    assert first.text.count("\n") == 0
    assert json.loads(json.dumps(noise.settings)) == noise.settings


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"rate": 1.1}, "between 0 and 1"),
        ({"rate": float("nan")}, "between 0 and 1"),
        ({"rate": 0.1, "insert": 0.5}, "add up to 1"),
        ({"rate": 0.1, "insert": -1.0, "delete": 1.0, "substitute": 1.0}, "add up to 1"),
        ({"rate": 0.1, "letters": "a"}, "two or more"),
        ({"rate": 0.1, "seed": -1}, "seed"),
    ],
)
def test_what_cannot_be_is_refused(arguments: dict[str, object], why: str) -> None:
    with pytest.raises(SpecError, match=why):
        RandomNoise(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("rate", [0.05, 0.2])
def test_words_of_six_letters_survive_as_the_track_could_expect(rate: float) -> None:
    """At a character error rate of 20 % only 26 % of them do, at 5 % 74 %: 20 % is no word error rate (errata)."""
    words = 8000
    text = "modern\n" * words
    noise = RandomNoise(rate, insert=0, delete=0, substitute=1)
    read = noise.sample(text, np.random.default_rng(2))
    expected = (1 - rate) ** 6
    intact = error_rates([(text, read)]).intact_share
    assert abs(intact - expected) < 4 * math.sqrt(expected * (1 - expected) / words)
