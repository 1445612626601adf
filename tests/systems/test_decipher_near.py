"""Words that stand near each other, the odds of a word that may be there, and how deep strings are looked for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.noise.channel import Channel, Rule
from adjudge.systems.decipher import Decipher
from adjudge.systems.parts.deciphering import closeness, word_forms
from adjudge.systems.parts.deciphering import slow_adding as slow
from adjudge.systems.parts.deciphering.answering import DecipherAnswerer
from adjudge.systems.parts.deciphering.company import company_of, in_company
from adjudge.systems.parts.deciphering.reading import Reading
from adjudge.systems.parts.deciphering.reading_of_version import reading_of
from adjudge.systems.parts.version import Version
from adjudge.text.stopwords import words_of

needs_compiled = pytest.mark.skipif(closeness.compiled is None, reason="the compiled loops were not built")
HALF = 3


@st.composite
def occurrences(draw: st.DrawFn) -> tuple[Any, ...]:
    """Occurrences of some words in some documents."""
    documents, words = draw(st.integers(1, 3)), draw(st.integers(0, 3))
    row = st.tuples(st.integers(0, documents - 1), st.integers(0, 20), st.floats(0, 1, width=16))
    lists = [draw(st.lists(row, max_size=6)) for _ in range(words)]
    flat = [each for some in lists for each in some]
    columns = (np.array([each[k] for each in flat], kind) for k, kind in enumerate((np.int32, np.int32, np.float64)))
    bounds = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    odds = np.array([draw(st.floats(0.5, 99)) for _ in range(words)])
    firsts = 9 * np.arange(documents + 1, dtype=np.int64)
    return *columns, bounds, np.arange(1.0, words + 1), odds, firsts, HALF, draw(st.floats(0, 20))


@needs_compiled
@settings(deadline=None, max_examples=150)
@given(occurrences())
def test_the_compiled_stretches_are_the_slow_ones(given: tuple[Any, ...]) -> None:
    answers = []
    for loops in (closeness.compiled, slow):
        best, where = np.ones(len(given[6]) - 1), np.ones(len(given[6]) - 1, np.int64)
        loops.stretches(*given, best, where)
        answers.append((best.tolist(), where.tolist()))
    assert answers[0] == answers[1]


@settings(deadline=None, max_examples=100)
@given(occurrences())
def test_a_stretch_has_what_stands_in_it(given: tuple[Any, ...]) -> None:
    slots, places, chances, bounds, times, odds, firsts, half, company = given
    best, where = np.zeros(len(firsts) - 1), np.zeros(len(firsts) - 1, np.int64)
    closeness.loops.stretches(*given, best, where)
    word_of = np.repeat(np.arange(len(times)), np.diff(bounds))
    for document in range(len(best)):
        values = []
        for begin in range(-half, 8 * half, half):
            inside = (slots == document) & (places >= begin) & (places < begin + 2 * half)
            alone = [1 - math.prod((1 - chances[inside & (word_of == w)]).tolist()) for w in range(len(times))]
            present = in_company(alone, company)
            values.append(sum(t * math.log(1 + o * p) for t, o, p in zip(times, odds, present, strict=True)))
        assert best[document] == pytest.approx(max(values))
        assert values[int(where[document])] == pytest.approx(max(values))


@needs_compiled
@pytest.mark.parametrize(("place", "half"), [(24, HALF), (-1, HALF), (0, 0)])
def test_places_beyond_the_stretches_are_refused(place: int, half: int) -> None:
    one, longs = np.ones(1), np.array([0, 1])
    given = np.zeros(1, np.int32), np.array([place], np.int32), one, longs, one, one, np.array([0, 9]), half, 1.0
    with pytest.raises(ValueError, match="places"):
        closeness.compiled.stretches(*given, np.zeros(1), np.zeros(1, np.int64))


ERRORS = Channel((Rule("t", "l", 0.4), Rule("s", "_", 0.4)), substitution=0.0001)


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Version:
    """Documents that have the same words, in one place or far apart."""
    rng, common = np.random.default_rng(7), sorted(w for w in words_of("smart") if w.isalpha() and len(w) > 3)
    texts = []
    for number in range(160):
        words = rng.choice(common, 160).tolist()
        if number % 8 == 0:
            words[80:82] = ["timber", "harvest"]
        elif number % 8 == 4:
            words[5], words[150] = "timber", "harvest"
        texts.append(ERRORS.sample(" ".join(words), rng))
    documents = InMemory([Document(f"d{k:03}", text) for k, text in enumerate(texts)])
    return Version("v", documents, tmp_path_factory.mktemp("scanned"))


def ranks(answerer: DecipherAnswerer) -> Mapping[str, int]:
    return {document: rank for rank, (document, _) in enumerate(answerer.search("timber harvest", 200))}


@pytest.mark.slow
def test_words_near_each_other_come_first(scanned: Version) -> None:
    near, far = (Decipher(near=near).answerer(scanned) for near in (True, False))
    together = [f"d{k:03}" for k in range(0, 160, 8)]
    apart = [f"d{k:03}" for k in range(4, 160, 8)]
    found = ranks(near)
    assert max(found[document] for document in together) < min(found[document] for document in apart)
    found = ranks(far)
    assert max(found[document] for document in together) > min(found[document] for document in apart)


def test_explanations_tell_where_words_stand_together(scanned: Version) -> None:
    answerer = Decipher().answerer(scanned)
    for document, score in answerer.search("timber harvest", 40):
        told = answerer.explain("timber harvest", document)
        assert told.value == pytest.approx(score, rel=1e-12)
        assert "near each other, from string" in told.parts[-1].description
    (best, _), *_ = answerer.search("timber harvest", 1)
    near = answerer.explain("timber harvest", best).parts[-1]
    assert near.description == "near each other, from string 61 to 100"
    assert [part.description.split()[0] for part in near.parts] == ["timber", "harvest"]
    without = Decipher(near=False).answerer(scanned).explain("timber harvest", best)
    assert not any("near each other" in part.description for part in without.parts)


def test_only_the_best_documents_are_looked_at(scanned: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    far = [list(Decipher(near=False).answerer(scanned).search("timber harvest", 200))]
    from adjudge.systems.parts.deciphering import answering

    monkeypatch.setattr(answering, "LOOKED_AT", 3)
    answerer = Decipher().answerer(scanned)
    hits = list(answerer.search("timber harvest", 200))
    assert {d for d, _ in hits[:3]} == {d for d, _ in far[0][:3]}
    assert hits[3:] == far[0][3:]
    for document, score in (*hits[:5], hits[-1]):
        assert answerer.explain("timber harvest", document).value == pytest.approx(score, rel=1e-12)


@pytest.mark.slow
def test_an_index_without_places_is_searched_without_them(scanned: Version, tmp_path: Path) -> None:
    plain = Version("v", scanned.documents, tmp_path)
    index = plain.index(reading_of(scanned).index.manifest.analyzer)
    assert not index.manifest.positions
    found = DecipherAnswerer(Reading.learn(index), "bm25(k1=0.9, b=0.4)").search("timber harvest", 50)
    assert list(found) == list(Decipher(near=False).answerer(scanned).search("timber harvest", 50))


def test_scores_are_the_odds_of_words_that_may_be_there(scanned: Version) -> None:
    """The formula of the docstring, by hand."""
    answerer = Decipher(near=False).answerer(scanned)
    reading, index = answerer.reading, answerer.index
    repeats = (1 - reading.wrong) ** 3
    scores = np.zeros(len(index))
    for word in ("timber", "harvest"):
        forms = answerer.forms(word)
        often, absent = np.zeros(len(index)), np.ones(len(index))
        for string, weight in zip(forms.strings.tolist(), forms.weights.tolist(), strict=True):
            documents, tf = index.postings(int(reading.vocabulary.numbers[string]))
            often[documents] += weight * tf
            absent[documents] *= (1 - weight) ** tf
        assert not answerer.broken(word)
        p = 1 - absent
        t = np.where(p > 0, 1 + repeats * (often / np.maximum(p, 1e-300) - 1), 1.0)
        odds = (len(index) - p.sum() + 0.5) / (p.sum() + 0.5) / repeats
        scores += np.log(1 + odds * p) * t / (t + answerer.norms)
    found = answerer.search("timber harvest", 200)
    assert dict(found) == pytest.approx({index.ids[k]: scores[k] for k in np.flatnonzero(scores).tolist()})


@pytest.mark.parametrize(
    ("strings", "least"), [(1, 2e-8), (100_000, 2e-8), (500_000, 5e-7), (10**6, 2e-6), (10**7, 2e-6)]
)
def test_strings_are_looked_for_deeper_where_there_are_fewer(strings: int, least: float) -> None:
    class Known:
        vocabulary = range(strings)

    found = word_forms.least_of(Known(), np.array([3, 8, 9, 30]))  # type: ignore[arg-type]
    assert found.tolist() == pytest.approx([2e-6, 2e-6, least, least])


def test_a_stretch_has_a_word_by_all_its_strings() -> None:
    present = closeness.presence(np.array([0.5, 0.5]))
    value = closeness.value_of(closeness.AskedWord(None, 2, 3.0), present)  # type: ignore[arg-type]
    assert (present, value) == pytest.approx((0.75, 0.5 * 2 * math.log(1 + 3 * 0.75)))


def test_a_doubtful_word_is_believed_among_the_others() -> None:
    # The others have a mean of .5, so the odds of .2 to .8 are six times as high: 1.2 to .8.
    assert in_company([0.2, 1.0, 0.0], 10.0) == pytest.approx([0.6, 1.0, 0.0])
    assert in_company([0.2, 0.0, 0.0], 10.0) == [0.2, 0.0, 0.0]
    assert in_company([0.2, 1.0], 0.0) == [0.2, 1.0]
    assert in_company([0.2], 10.0) == [0.2]


def test_company_counts_by_the_share_of_wrong_words(scanned: Version) -> None:
    answerer = Decipher().answerer(scanned)
    (company,) = answerer.companies
    assert company == company_of(answerer.reading.wrong) > 1
    assert Decipher(company=False).answerer(scanned).companies == [0]
    assert Decipher(belief=0).answerer(scanned).companies == [0]


def test_company_only_adds_to_stretches_with_several_words(scanned: Version) -> None:
    with_it, without = (
        dict(Decipher(company=on).answerer(scanned).search("timber harvest", 200)) for on in (True, False)
    )
    gains = {document: with_it[document] - score for document, score in without.items()}
    assert min(gains.values()) > -1e-9
    assert max(gains.values()) > 0.01
    alone, also = (dict(Decipher(company=on).answerer(scanned).search("timber", 200)) for on in (True, False))
    assert alone == also
