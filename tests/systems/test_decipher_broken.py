"""decipher: words in two strings, against their definition; grammar at the ends of words is no error."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.noise.channel import Channel, Rule
from adjudge.systems.decipher import Decipher
from adjudge.systems.parts.deciphering import broken_words as loops_of_halves
from adjudge.systems.parts.deciphering import own_errors
from adjudge.systems.parts.deciphering import slow_deciphering as slow
from adjudge.systems.parts.deciphering.broken_words import COMPANY, LIKELY, BrokenWord, broken_words
from adjudge.systems.parts.deciphering.observed_strings import FINALS, PLAIN
from adjudge.systems.parts.deciphering.own_errors import without_endings
from adjudge.systems.parts.deciphering.reading import Learning, Reading
from adjudge.systems.parts.version import Version

FILLER = ["corn", "wheat", "barley", "meadow", "orchard", "plough", "harvest", "furrow"]
PIECES = ["propor", "tion", "pro", "portion", "proportion", "corn", "wheat"]


def version(texts: list[str], folder: Path) -> Version:
    return Version("v", InMemory([Document(f"d{k:03}", text) for k, text in enumerate(texts)]), folder)


def defined(texts: list[list[str]], word: str) -> dict[tuple[str, str], dict[int, tuple[int, float]]]:
    """What :func:`broken_words` finds, by its definition: documents with how often and how probably."""
    counts = Counter(string for text in texts for string in text)
    whole, found = sum(map(len, texts)), {}
    for at in range(2, len(word) - 1):
        halves = word[:at], word[at:]
        if not all(counts[half] for half in halves):
            continue
        rare, other = sorted(halves, key=lambda half: (counts[half], half != halves[0]))
        having = [k for k, text in enumerate(texts) if rare in text]
        chance = {k: 1 - math.exp(-COMPANY * counts[other] * len(texts[k]) / whole) for k in having}
        both = [k for k in having if other in texts[k]]
        share = (len(both) - sum(chance.values())) / (len(having) + 1)
        if share <= 0:
            continue
        rows = {k: share / (share + (1 - share) * chance[k]) for k in both}
        likely = {k: p for k, p in rows.items() if p >= LIKELY}
        if likely:
            found[halves] = {k: (min(texts[k].count(rare), texts[k].count(other)), p) for k, p in likely.items()}
    return found


def as_rows(found: list[BrokenWord]) -> dict[tuple[str, str], dict[int, tuple[int, float]]]:
    columns = ((each.halves, zip(each.documents, each.occurrences, each.chances, strict=True)) for each in found)
    return {halves: {int(k): (int(times), float(p)) for k, times, p in rows} for halves, rows in columns}


@settings(max_examples=8)
@given(st.lists(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12), min_size=1, max_size=12))
def test_broken_words_are_what_they_are_defined_as(texts: list[list[str]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        made = version([" ".join(text) for text in texts], Path(folder))
        reading = Reading.learn(made.index("chunks|lower|letterforms"), Learning())
        found, wanted = as_rows(broken_words(reading, ["proportion"])[0]), defined(texts, "proportion")
    assert found.keys() == wanted.keys()
    for halves, rows in wanted.items():
        assert found[halves].keys() == rows.keys()
        for document, (times, chance) in rows.items():
            assert found[halves][document][0] == times
            assert found[halves][document][1] == pytest.approx(chance, rel=1e-9)


@st.composite
def meetings(draw: st.DrawFn) -> tuple[Any, ...]:
    """Some strings with their documents, pairs of them, and the lengths of documents, some of which are empty."""
    many = draw(st.integers(1, 30))
    rows = st.dictionaries(st.integers(0, many - 1), st.integers(1, 4), max_size=many)
    lists = [sorted(draw(rows).items()) for _ in range(draw(st.integers(2, 4)))]
    flat = [each for some in lists for each in some]
    columns = (np.array([each[k] for each in flat], np.int32) for k in (0, 1))
    string = st.integers(0, len(lists) - 1)
    pairs = draw(st.lists(st.tuples(string, string).filter(lambda both: both[0] != both[1]), max_size=4))
    lengths = np.array(draw(st.lists(st.integers(0, 40), min_size=many, max_size=many)), np.float64)
    offsets = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    rates = 2.0, draw(st.sampled_from([1.0, 100.0, 3000.0])), draw(st.sampled_from([0.0, 0.2, 0.9]))
    both = (np.array([pair[k] for pair in pairs], np.int64) for k in (0, 1))
    return *columns, offsets, *both, lengths, *rates


@pytest.mark.slow
@pytest.mark.skipif(loops_of_halves.compiled is None, reason="the compiled loops were not built")
@settings(deadline=None, max_examples=200)
@given(meetings())
def test_the_compiled_halves_are_the_slow_ones(given: tuple[Any, ...]) -> None:
    assert loops_of_halves.compiled.meet(*given) == slow.meet(*given)


def field(k: int) -> str:
    """Some text of a farmer, longer than the pieces of words in it."""
    return " ".join(FILLER[(k * j + j) % len(FILLER)] for j in range(3, 40))


@pytest.fixture(scope="module")
def cut(tmp_path_factory: pytest.TempPathFactory) -> Version:
    texts = [field(k) for k in range(60)]
    texts[7] += " in pro- portion to the rest"
    texts[8] += " a portion of it"
    texts[9] += " in proportion"
    return version(texts, tmp_path_factory.mktemp("cut"))


def test_a_word_in_two_strings_is_found_explained_and_marked(cut: Version) -> None:
    answerer = Decipher(belief=1.0).answerer(cut)
    ids = list(answerer.search("proportion").ids)
    assert ids[:2] == ["d009", "d007"]
    explained = answerer.explain("proportion", "d007")
    assert explained.value == pytest.approx(dict(answerer.search("proportion"))["d007"])
    word, near = explained.parts
    assert sum(part.value for part in word.parts) + near.value == pytest.approx(explained.value)
    assert any(part.description.startswith("pro portion read as proportion with probability 0.") for part in word.parts)
    halves = {taken.string: taken for taken in answerer.observed_strings("proportion")}
    assert halves["pro"].probability > halves["portion"].probability >= 0.2  # one portion of two is a half
    assert (halves["pro"].word, halves["pro"].occurrences) == ("proportion", 1)


def test_a_word_in_two_strings_counts_near_the_others(cut: Version) -> None:
    answerer = Decipher(belief=1.0).answerer(cut)
    near = answerer.explain("rest proportion", "d007").parts[-1]
    assert near.description.startswith("near each other")
    told = {part.description.split()[0]: float(dict(part.facts)["probability"]) for part in near.parts}
    (pair,) = (pair for pair in answerer.broken("proportion") if pair.halves == ("pro", "portion"))
    # There is company: the odds grow, so the probability is no less than that of the pair.
    assert 1.0 >= told["proportion"] >= float(pair.chances[0]) > 0.2
    assert told["rest"] == pytest.approx(1.0)
    alone = Decipher(belief=1.0, broken=False).answerer(cut).explain("rest proportion", "d007").parts[-1]
    assert "proportion" not in {part.description.split()[0] for part in alone.parts}


def test_broken_words_can_be_left_out(cut: Version) -> None:
    without = Decipher(belief=1.0, broken=False).answerer(cut)
    assert without.broken("proportion") == []
    assert "pro" not in {taken.string for taken in without.observed_strings("proportion")}
    assert Decipher(belief=0.0).answerer(cut).broken("proportion") == []  # bm25 knows of no halves


@pytest.mark.parametrize("word", ["corns", "portio", "1994199", "barleycorn"])
def test_what_is_no_broken_word(word: str, cut: Version) -> None:
    assert broken_words(Decipher().answerer(cut).reading, [word]) == [[]]


def test_errors_at_the_end_of_words_are_no_more_probable_than_inside() -> None:
    last = FINALS[ord("n") - ord("a")]
    rules = (
        *(Rule("n", "u", 0.1), Rule(last, "u", 0.3), Rule(last, "m", 0.2), Rule(last, "n", 0.4)),
        *(Rule("N", "u", 0.4), Rule("e" + last, "m", 0.2), Rule("en", "m", 0.05), Rule("", "i", 0.01)),
    )
    held = without_endings(Channel(rules, "Naeimnu" + last))
    wanted = [0.1, 0.1, None, 0.4, 0.4, 0.05, 0.05, 0.01]  # no n inside words became an m
    assert {(rule.source, rule.target): rule.probability for rule in held.rules} == {
        (rule.source, rule.target): most for rule, most in zip(rules, wanted, strict=True) if most
    }


def test_inflection_is_not_learned_as_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stems = ["karmandil", "soltrebug", "brendovak", "wiskulepp", "plamterod", "trugoshif", "zwecknahl", "modraxtup"]
    stems += ["fendimor", "hulvestak", "ginpolert", "dastrimun", "obenwirt", "quastelin", "ruppidan", "jochfetor"]
    ends = ["", "e", "en", "er"]

    def text(k: int) -> str:
        return " ".join(stem + (ends[(k + j) % 4] if (k + 3 * j) % 5 < 2 else "en") for j, stem in enumerate(stems))

    index = version([text(k) for k in range(60)], tmp_path).index("chunks|lower|letterforms")
    reading = Reading.learn(index, Learning(both=False))
    assert reading.wrong < 0.02
    last = [rule for rule in reading.channel.rules if set(FINALS) & set(rule.source)]
    assert last
    assert all(rule.source.translate(PLAIN) == rule.target for rule in last)
    monkeypatch.setattr(own_errors, "without_endings", lambda channel: channel)
    assert Reading.learn(index, Learning(both=False)).wrong > 0.5  # which is what it is good for
