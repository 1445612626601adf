"""decipher: letters of old print, rules of spelling, corrected pages, clean text, confidences, errors both ways."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError
from adjudge.core.scanned_page import ScannedPage
from adjudge.index.index import Index
from adjudge.noise.channel import Channel, Rule
from adjudge.systems.decipher import Decipher
from adjudge.systems.parts.deciphering.aids import LearningAids, word_pairs
from adjudge.systems.parts.deciphering.both_ways import both_ways
from adjudge.systems.parts.deciphering.counting import edged
from adjudge.systems.parts.deciphering.known_pairs import KnownPairs
from adjudge.systems.parts.deciphering.observed_strings import CAPITALS, FINALS
from adjudge.systems.parts.deciphering.own_errors import LOUDEST, ROUNDS, SUPPORT
from adjudge.systems.parts.deciphering.reading import CLEAN, Learning, Reading
from adjudge.systems.parts.deciphering.spelling import read_spelling
from adjudge.systems.parts.deciphering.word_forms import spellings
from adjudge.systems.parts.version import Aids, Pair, Version
from adjudge.text.analyzer import Analyzer

ALPHABET = "".join(sorted({*CAPITALS, *CAPITALS.lower(), *FINALS}))


def chances_of(channel: Channel) -> dict[tuple[str, str], float]:
    return {(rule.source, rule.target): rule.probability for rule in channel.rules}


def version(folder: Path, *texts: str) -> Version:
    return Version("made", InMemory([Document(f"d{k}", text) for k, text in enumerate(texts)]), folder)


def found(system: Decipher, of: Version, question: str, aids: Aids | None = None) -> list[str]:
    return list(system.answerer(of, aids).search(question, 10).ids)


def test_letters_of_old_print_are_those_of_today(tmp_path: Path) -> None:
    assert Analyzer.parse("words|lower|letterforms").terms("Daſs ﬁnden fuͤr für x² é") == [
        *("dass", "finden", "für", "für", "x²", "é")
    ]
    of = version(tmp_path, "die Gesellſchaft", "der Staat", "ein Haus")
    assert found(Decipher(), of, "gesellschaft") == found(Decipher(), of, "geſellſchaft") == ["d0"]


def test_first_and_last_letters_are_letters_of_their_own() -> None:
    assert edged("das") == "D" + "a" + FINALS[ord("s") - ord("a")]
    assert edged("ß") == "ß"
    assert edged("a") == "A"
    assert edged("über") == "übe" + FINALS[ord("r") - ord("a")]


# -- old spelling -----------------------------------------------------------------------------------------------------


def test_words_are_spelled_by_rules() -> None:
    assert spellings("teil", (("t", "th"), ("ei", "ey")))[:3] == ["teil", "theil", "teyl"]
    assert "theyl" in spellings("teil", (("t", "th"), ("ei", "ey")))
    assert spellings("teil", ()) == ["teil"]
    assert len(spellings("tttttttttttt", (("t", "th"),))) == 8


def test_questions_in_the_spelling_of_today_find_the_old_one(tmp_path: Path) -> None:
    rules = tmp_path / "rules.tsv"
    rules.write_text("# reform of 1901\nt\tth\nei\tey  # sein\n", encoding="utf-8")
    assert read_spelling(rules) == (("t", "th"), ("ei", "ey"))
    of = version(tmp_path / "made", *["der theil ist da wohl"] * 3, *["das ende naht hier"] * 3)
    of = replace(of, home=tmp_path)
    told = Decipher(belief=1, spelling="rules.tsv", grams=False).answerer(of)
    assert {o.string for o in told.observed_strings("teil")} == {"theil"}
    assert set(told.search("teil").ids) == {"d0", "d1", "d2"}


@pytest.mark.parametrize(
    ("content", "why"), [("t th\n", ":1: a rule is"), ("", "holds no rule"), ("a\tb\n\tth\n", ":2: a rule is")]
)
def test_rules_that_are_none_are_told(content: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "rules.tsv").write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=why):
        Decipher(spelling="rules.tsv").check(tmp_path)
    with pytest.raises(DataError, match="cannot be read"):
        Decipher(spelling="no.tsv").check(tmp_path)


# -- aids -------------------------------------------------------------------------------------------------------------


def test_words_of_corrected_pages_are_paired_with_what_they_became() -> None:
    assert word_pairs("Dieſe Sonne ſcheint, und", "biefe S onne fcheint unb") == [
        ("diese", "biefe"), ("scheint", "fcheint"), ("und", "unb"),
    ]  # fmt: skip
    assert word_pairs("", "") == []


def test_pairs_teach_the_channel() -> None:
    pairs = {(f"{a}s{b}", f"{a}f{b}"): 6.0 for a in "abcdek" for b in "tekln"}
    pairs |= {(f"{a}s{b}", f"{a}s{b}"): 4.0 for a in "abcdek" for b in "tekln"}
    known = KnownPairs.of(pairs, ALPHABET, LOUDEST)
    chances = chances_of(known.channel(ALPHABET, ROUNDS, SUPPORT))
    assert chances["s", "f"] == pytest.approx(0.6, abs=0.05)
    assert known.wrong == pytest.approx(0.6)
    assert KnownPairs.of({("日", "月"): 1.0}, ALPHABET, LOUDEST).wrong == 0


def noisy() -> tuple[list[str], list[str]]:
    """Pages whose s is always read as q and d mostly as b, and what they truly say."""
    rng = np.random.default_rng(5)
    syllables = [a + b for a in "bdfghklmnprstw" for b in ("a", "e", "i", "o", "u", "an", "er")]
    words = ["".join(rng.choice(syllables, int(rng.integers(2, 5)))) for _ in range(400)]
    true = [" ".join(rng.choice(words, 60)) for _ in range(80)]
    return ["".join("b" if c == "d" and rng.random() < 0.7 else "q" if c == "s" else c for c in t) for t in true], true


def test_corrected_pages_and_clean_text_tell_what_the_text_does_not(tmp_path: Path) -> None:
    observed, true = noisy()
    of = version(tmp_path, *observed, "eine walbinqel im meer")
    aligned = Aids(aligned=[Pair(a, b) for a, b in zip(true[:10], observed[:10], strict=True)])
    outside = Aids(outside=InMemory([Document(str(k), text) for k, text in enumerate(true)]))
    answerer = Decipher(aids=True).answerer(of, aligned)
    chances = {(rule.source, rule.target): rule.probability for rule in answerer.reading.channel.rules}
    assert chances["s", "q"] > 0.5
    assert next(iter(answerer.search("waldinsel").ids)) == f"d{len(observed)}"
    read = {o.string: o.probability for o in answerer.observed_strings("waldinsel")}
    assert read["walbinqel"] > 0.5
    answerer = Decipher(aids=True).answerer(of, outside)
    chances = {(rule.source, rule.target): rule.probability for rule in answerer.reading.channel.rules}
    assert chances["d", "b"] > 0.3 > chances.get(("b", "d"), 0.0)
    assert Decipher().uses == ()
    assert Decipher(aids=True).uses == ("aligned", "outside")


def index_of(folder: Path, texts: list[str]) -> Index:
    return version(folder, *texts).index("chunks|lower|letterforms", positions=True)


def test_how_much_is_wrong_is_what_the_text_lets_guess_whatever_aids_tell(tmp_path: Path) -> None:
    observed, true = noisy()
    rng = np.random.default_rng(6)
    observed = ["".join(rng.choice([*"aeknrt"]) if c != " " and rng.random() < 0.1 else c for c in t) for t in observed]
    index = index_of(tmp_path, observed)
    pairs = {pair: 1.0 for a, b in zip(true[:10], observed[:10], strict=True) for pair in word_pairs(a, b)}
    words = dict.fromkeys(" ".join(true).split(), 1 / 400)
    alone = Reading.learn(index, Learning())
    assert not alone.figures.clean
    assert Reading.learn(index, Learning(), LearningAids({}, words)).wrong == alone.wrong
    by_pairs = Reading.learn(index, Learning(), LearningAids(pairs))
    told = sum(times for (word, string), times in pairs.items() if word != string) / sum(pairs.values())
    assert abs(by_pairs.wrong - alone.wrong) < 0.1 < told - by_pairs.wrong


def test_a_text_that_shows_nothing_is_as_wrong_as_aids_tell(tmp_path: Path) -> None:
    _, true = noisy()
    index = index_of(tmp_path, true)
    assert Reading.learn(index, Learning()).figures.clean
    pairs = {("daner", "baner"): 30.0, ("kelo", "kelo"): 70.0}
    told = Reading.learn(index, Learning(), LearningAids(pairs))
    assert told.wrong == pytest.approx(0.3)
    assert told.figures.neighbours == CLEAN
    little = Reading.learn(index, Learning(), LearningAids({("daner", "baner"): 1.0, ("kelo", "kelo"): 99.0}))
    assert little.figures.clean


def test_a_few_known_pairs_do_not_take_the_place_of_what_the_text_shows(tmp_path: Path) -> None:
    observed, _ = noisy()
    index = index_of(tmp_path, observed)
    told = chances_of(Reading.learn(index, Learning(both=False), LearningAids({("meer", "neer"): 3.0})).channel)
    alone = chances_of(Reading.learn(index, Learning(both=False)).channel)
    assert alone["d", "b"] > 0.1
    assert told["d", "b"] > 0.5 * alone["d", "b"]
    assert told["M", "n"] > 0.05 > alone.get(("M", "n"), 0.0)


def test_aids_are_kept_apart(tmp_path: Path) -> None:
    observed, true = noisy()
    aids = Aids(aligned=[Pair(true[0], observed[0])])
    some = LearningAids.of(aids, ())
    assert some
    assert not LearningAids()
    assert str(some) != str(LearningAids()) == "none"
    of = version(tmp_path, *observed)
    Decipher(aids=True).prepare(of, aids)
    Decipher(aids=True).prepare(of, Aids())
    assert len([path for path in tmp_path.glob("reading-*") if path.is_dir()]) == 2


# -- confidences ------------------------------------------------------------------------------------------------------


def scanned(number: int, text: str, doubted: str) -> Document:
    """A page whose engine doubted one word."""
    starts, ends, sure, at = [], [], [], 0
    for word in text.split():
        starts.append(at)
        ends.append(at + len(word))
        sure.append(20 if word == doubted else 95)
        at += len(word) + 1
    boxes = np.zeros((len(starts), 4), np.int32)
    page = ScannedPage("1", "", 100, 100, np.array(starts), np.array(ends), boxes, np.array(sure, np.uint8))
    return Document(f"d{number}", text, pages=(page,))


def chances_of_gardon(texts: list[str], doubted: str, folder: Path) -> tuple[float, float]:
    """That gardon is garden, where the engine doubted one word: as it counts, and as if nothing were known of it."""
    of = Version("v", InMemory([scanned(n, text, doubted) for n, text in enumerate(texts)]), folder)
    chances = []
    for heard in (True, False):
        answerer = Decipher(belief=1, least=0, certainty=heard).answerer(of)
        chances.append({o.string: o.probability for o in answerer.observed_strings("garden")}.get("gardon", 0.0))
    return chances[0], chances[1]


def test_a_string_that_the_engine_doubted_is_a_misreading_the_sooner(tmp_path: Path) -> None:
    misread = ["the gorden wos very green amd quiet todoy", "the gerdan wos vary graen and quiat today"] * 6
    texts = ["the garden was very green and quiet today"] * 12 + misread + ["a gardon is to be sold"] * 2
    doubted, without = chances_of_gardon(texts, "gardon", tmp_path / "doubted")
    trusted, as_before = chances_of_gardon(texts, "sold", tmp_path / "trusted")
    assert doubted > without > trusted
    assert without == as_before


def test_where_nothing_is_wrong_what_the_engine_doubted_does_not_count(tmp_path: Path) -> None:
    texts = ["the garden was very green and quiet today"] * 12 + ["a gardon is to be sold"] * 2
    doubted, without = chances_of_gardon(texts, "gardon", tmp_path)
    assert doubted == pytest.approx(without, rel=0.02)


# -- errors in both directions ----------------------------------------------------------------------------------------


def test_errors_are_gone_through_in_both_directions() -> None:
    # j was taken for what is read as f, s and j; that s is read as f follows.
    channel = Channel((Rule("j", "f", 0.6, 600.0), Rule("j", "s", 0.2, 200.0), Rule("a", "o", 0.1, 100.0)), ALPHABET)
    both = {(rule.source, rule.target): rule.probability for rule in both_ways(channel).rules}
    assert both["s", "f"] > 0.3
    assert both["f", "j"] > 0.05
    assert both["o", "a"] > 0.3
    assert sum(p for (source, _), p in both.items() if source == "j") <= 0.98 + 1e-9
    assert both["a", "o"] == pytest.approx(0.1, abs=0.03)
