from __future__ import annotations

import math
import random

import numpy as np
import pytest

from adjudge.core.errors import DataError, SpecError
from adjudge.noise.alignment import align
from adjudge.noise.channel import Bursts, Channel, Rule, learn, uniform
from adjudge.noise.channel.fit import cut
from adjudge.noise.error_rates import error_rates

EXAMPLE = [
    ("modern farm corn", "modem fann com"),
    ("burn the corner", "bum the comer"),
    ("in the lab in it", "1n thc lab in it"),
    ("storm warn", "storm wam"),
]


def prose(size: int, seed: int) -> str:
    rnd = random.Random(seed)
    words = ["".join(rnd.choices("etaoinshrdlumcf", k=rnd.randint(1, 9))) for _ in range(500)]
    return " ".join(rnd.choice(words) for _ in range(size // 6))


def test_the_worked_example_of_characteristic_errors() -> None:
    channel = learn(EXAMPLE, bursts=False)
    seen = {(rule.source, rule.target): (rule.seen, rule.probability) for rule in channel.errors}
    assert seen == {
        ("rn", "m"): (5, 1.0),
        ("rm", "nn"): (1, 0.5),
        ("i", "1"): (1, pytest.approx(1 / 3)),
        ("e", "c"): (1, 0.25),
    }
    assert channel.characteristic() == (Rule("rn", "m", 1.0, 5),)
    assert [variant for variant, _ in channel.corruptions("corn")] == ["com", "corn"]


TRUE_CHANNEL = Channel(
    (
        Rule("rn", "m", 0.2),
        Rule("m", "rn", 0.1),
        Rule("e", "c", 0.05),
        Rule("li", "h", 0.1),
        Rule("h", "li", 0.05),
        Rule(" ", "", 0.02),
        Rule("", " ", 0.005),
        Rule("t", "", 0.01),
    ),
    "".join(sorted("etaoinshrdlumcf ")),
    0.001,
    0.0005,
    0.0005,
)


def test_a_known_channel_is_found_again() -> None:
    texts = [prose(20_000, seed) for seed in range(6)]
    rng = np.random.default_rng(1)
    pairs = [(text, TRUE_CHANNEL.sample(text, rng)) for text in texts]
    channel = learn(pairs, bursts=False)
    found = {(rule.source, rule.target): rule.probability for rule in channel.rules}
    for rule in TRUE_CHANNEL.rules:
        assert found[rule.source, rule.target] == pytest.approx(rule.probability, rel=0.2, abs=0.002), rule
    fresh = prose(20_000, 9)
    test = [(fresh, TRUE_CHANNEL.sample(fresh, rng))]
    best, mine = TRUE_CHANNEL.bits_per_character(test), channel.bits_per_character(test)
    blind = uniform(error_rates(test).total_cer, channel.alphabet).bits_per_character(test)
    assert best < mine < best * 1.03
    assert blind > 1.5 * mine


def test_rounds_of_expectation_maximisation_raise_the_likelihood() -> None:
    rng = np.random.default_rng(2)
    pairs = [(text, TRUE_CHANNEL.sample(text, rng)) for text in [prose(20_000, 1)]]
    bits = [learn(pairs, em_rounds=rounds, bursts=False).bits_per_character(pairs) for rounds in (0, 1, 3)]
    assert bits[0] > bits[1] > bits[2]


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.05, 0.2])
def test_simulated_text_has_the_error_rate_and_the_intact_words_of_the_real_one(rate: float) -> None:
    bursts = Bursts(2000, (0.8, 1.2), (0.1, 0.5, 3.0), (0.4, 0.4, 0.2))
    real = Channel(TRUE_CHANNEL.rules, TRUE_CHANNEL.alphabet, 0.01, 0.005, 0.005, bursts=bursts)
    rng = np.random.default_rng(3)
    texts = [prose(10_000, seed) for seed in range(7)]
    pairs = [(text, real.sample(text, rng, rate)) for text in texts]
    channel = learn(pairs)
    mine = error_rates([(text, channel.sample(text, rng)) for text in texts])
    truth = error_rates(pairs)
    assert mine.total_cer == pytest.approx(truth.total_cer, rel=0.1)
    assert mine.intact_share == pytest.approx(truth.intact_share, abs=0.03)
    other = error_rates([(text, channel.sample(text, rng, rate / 2)) for text in texts])
    assert other.total_cer == pytest.approx(rate / 2, rel=0.15)
    assert learn(pairs[:1]) == learn(pairs[:1])


def test_bits_of_a_text_without_errors_are_few_and_of_none_undefined() -> None:
    assert 0 < TRUE_CHANNEL.bits_per_character([("the land", "the land")]) < 1
    assert math.isnan(TRUE_CHANNEL.bits_per_character([]))


def test_texts_are_cut_for_scoring_where_they_agree() -> None:
    true = prose(5000, 4)
    observed = TRUE_CHANNEL.sample(true, np.random.default_rng(5))
    alignment = align(true, observed)
    parts = list(cut(alignment))
    assert "".join(a for a, _ in parts) == alignment.true
    assert "".join(b for _, b in parts) == alignment.observed
    assert len(parts) > 20
    assert max(len(a) for a, _ in parts) < 500
    whole = -TRUE_CHANNEL.log_probability(alignment.observed[:2000], alignment.true[:2000])
    assert whole > 0
    short = align(true[:1500], TRUE_CHANNEL.sample(true[:1500], np.random.default_rng(6)))
    pieces = sum(TRUE_CHANNEL.log_probability(b, a) for a, b in cut(short))
    assert pieces == pytest.approx(TRUE_CHANNEL.log_probability(short.observed, short.true), rel=0.01)


def test_unknown_and_rare_characters_do_not_stop_the_learning() -> None:
    many = "".join(chr(0x4E00 + k) for k in range(400)) + "𝔸𝔹 "
    channel = learn([(many * 3 + "modern corn", many * 3 + "modem com"), ("a𝔸b", "ab𝔹")], bursts=False)
    assert len(channel.alphabet) == 255
    assert channel.substitution > 0
    assert math.isfinite(channel.log_probability("𝔹一", "𝔸丁"))


def test_nothing_to_learn_from() -> None:
    for pairs in ([], [("", "x")], [("abc", "abc")]):
        with pytest.raises(DataError, match="nothing to learn from"):
            learn(pairs)
    with pytest.raises(DataError, match="nothing in common"):
        learn([("modern corn " * 9, "")])
    with pytest.raises(SpecError, match="rounds"):
        learn(EXAMPLE, em_rounds=-1)


@pytest.mark.parametrize("pair", [("a", "b"), ("a", ""), ("a", "aa"), ("ab", "ba"), ("abc def", "xyz")])
def test_a_text_of_one_word_makes_a_channel_that_works(pair: tuple[str, str]) -> None:
    channel = learn([pair])
    assert max(channel.bursts.words) < 1e4
    assert len(channel.sample(pair[0] * 50, np.random.default_rng(1))) < 500


def test_pages_that_were_not_read_are_counted() -> None:
    lost = prose(500, 1)
    channel = learn([("modern corn " + lost, "modem com"), ("burn", "bum")], bursts=False)
    assert channel.about["skipped"] == 2, "what is lost stands on both sides of a few letters that agree by chance"
    assert "skipped" not in learn(EXAMPLE, bursts=False).about
