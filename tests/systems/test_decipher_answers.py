"""decipher: loops against their definition, clean text as bm25 reads it, documents that differ, parts taken away."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError, SpecError
from adjudge.index import term_places
from adjudge.noise.channel import Channel, Rule
from adjudge.systems.decipher import Decipher
from adjudge.systems.parts.deciphering import (
    adding_up,
    answering,
    closeness,
    likeness,
    slow_adding,
    word_forms,
    word_postings,
    word_reading,
)
from adjudge.systems.parts.deciphering import slow_deciphering as slow
from adjudge.systems.parts.deciphering.likeness import StringGrams
from adjudge.systems.parts.deciphering.observed_strings import ObservedVocabulary, Stems
from adjudge.systems.parts.deciphering.reading import TextFigures
from adjudge.systems.parts.deciphering.reading_of_version import reading_of
from adjudge.systems.parts.version import Version
from adjudge.systems.system import systems
from adjudge.text.stopwords import words_of

needs_compiled = pytest.mark.skipif(word_forms.compiled is None, reason="the compiled loops were not built")
QUESTIONS = (
    *("solar energy panels", "theft of automobiles", "parrot breeding programs, a program to breed"),
    *("timber harvest permits 1994", "railroad safety inspection of the railroads", "following currently"),
)
TOPICS = {str(k): question for k, question in enumerate(QUESTIONS, 1)}
ERRORS = Channel((Rule("t", "l", 0.8), Rule("s", "_", 0.8), Rule("rr", "_", 0.7)), substitution=0.0001)


def texts(rng: np.random.Generator) -> list[str]:
    """Texts about one thing each among common words."""
    common = sorted(word for word in words_of("smart") if word.isalpha() and len(word) > 1)
    weights = 1 / np.arange(1, len(common) + 1)
    made = []
    for number in range(200):
        words = list(rng.permutation(common)[:30]) + list(rng.choice(common, 90, p=weights / weights.sum()))
        words += list(TOPICS.values())[number % len(TOPICS)].split() * int(rng.integers(1, 4))
        made.append(" ".join(rng.permutation(words).tolist()))
    return made


def version(folder: Path, *, noisy: range) -> Version:
    """The texts, those with these numbers as a bad engine reads them."""
    rng = np.random.default_rng(3)
    documents = (ERRORS.sample(text, rng) if k in noisy else text for k, text in enumerate(texts(rng)))
    return Version("v", InMemory([Document(f"d{k:03}", text) for k, text in enumerate(documents)]), folder)


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Version:
    return version(tmp_path_factory.mktemp("clean"), noisy=range(0))


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Version:
    return version(tmp_path_factory.mktemp("mixed"), noisy=range(100, 200))


KINDS = (np.int32, np.uint8, np.uint8, np.int64)


def vocabulary(words: list[str]) -> ObservedVocabulary:
    raw = sorted({word.encode() for word in words})
    offsets = np.concatenate([[0], np.cumsum([len(word) for word in raw])]).astype(np.int64)
    return ObservedVocabulary.of(b"".join(raw), offsets, np.ones(len(raw)))


def rows(spec: str, of: Version) -> list[tuple[str, str, float]]:
    return [(t, d, float(s)) for t, d, s in systems.parse(spec).run(of, TOPICS, k=1000).rows()]


# -- the loops --------------------------------------------------------------------------------------------------------


@st.composite
def postings(draw: st.DrawFn) -> tuple[Any, ...]:
    documents = draw(st.integers(1, 6))
    lists = draw(st.lists(st.sets(st.integers(0, documents - 1)), min_size=1, max_size=5))
    flat = np.array([d for each in lists for d in sorted(each)], np.int32)
    tf = np.array(draw(st.lists(st.integers(1, 300), min_size=len(flat), max_size=len(flat))), np.int32)
    ends = np.cumsum([len(each) for each in lists]).astype(np.int64)
    begins = ends - [len(each) for each in lists]
    share = st.floats(0, 1, width=16)
    exact = np.array([float(draw(st.booleans())) for _ in lists])
    weights = np.array([draw(share) for _ in lists])
    beliefs = np.array([draw(share) for _ in range(documents)])
    return flat, tf, begins, ends, exact, weights, beliefs


@needs_compiled
@settings(deadline=None, max_examples=150)
@given(postings(), st.floats(0.1, 9), st.booleans())
def test_the_compiled_loops_add_up_as_the_slow_ones(given: tuple[Any, ...], factor: float, doubtful: bool) -> None:
    documents = len(given[-1])
    norms, answers = np.linspace(0, 2, documents), []
    for loops in (word_forms.compiled, slow_adding):
        sums, found = np.zeros(documents), np.zeros(documents, np.int32)
        scores, every = np.zeros(documents), np.zeros(documents, np.int32)
        scores[0] = 1.0
        absent = np.ones(documents)
        many, df, present = loops.gather(*given, sums, absent, found)
        expected, missing, order = sums.tolist(), absent.tolist(), found[:many].tolist()
        gathered = sums, absent, found, many, norms
        if doubtful:
            all_found = loops.add_doubtful(*gathered, 2, factor, 0.4, scores, every, 0)
        else:
            all_found = loops.add(*gathered, factor, scores, every, 0)
        assert not sums.any()
        assert (absent == 1).all()
        answers.append((expected, missing, order, df, present, scores.tolist(), every[:all_found].tolist()))
    assert answers[0] == answers[1]


@st.composite
def questions(draw: st.DrawFn) -> tuple[Any, ...]:
    """Postings of strings, some of which make up a word, with pairs of strings and groups of documents."""
    flat, tf, begins, ends, exact, weights, beliefs = draw(postings())
    size, strings = len(beliefs), len(begins)
    cuts = sorted(draw(st.lists(st.integers(0, strings), max_size=3)))
    words = np.array([0, *cuts, strings], np.int64)
    pairs = draw(st.lists(st.sets(st.integers(0, size - 1)), max_size=4))
    more = np.array([d for each in pairs for d in sorted(each)], np.int64)
    share = st.floats(0, 3, width=16)
    expected = np.array([draw(share) for _ in more])
    bounds = np.cumsum([0, *(len(each) for each in pairs)]).astype(np.int64)
    inner = sorted(draw(st.lists(st.integers(0, len(pairs)), min_size=len(words) - 2, max_size=len(words) - 2)))
    times = np.array([float(draw(st.integers(1, 3))) for _ in words[1:]])
    groups = draw(st.none() | st.lists(st.integers(0, 1), min_size=size, max_size=size))
    own = beliefs if draw(st.booleans()) else beliefs[:1].copy()
    asked = np.array([0, *inner, len(pairs)], np.int64), times, np.array([0.4, 0.9])
    lists_of = flat, tf, np.append(begins, ends[-1]), words, exact, weights, own, more, expected, bounds, *asked
    return *lists_of, None if groups is None else np.array(groups, np.uint8), draw(st.floats(0.1, 1)), size


def room_for(given: tuple[Any, ...], size: int) -> tuple[Any, ...]:
    words, most = len(given[11]), len(given[0]) + len(given[7])
    sums = np.linspace(0, 2, size), np.zeros(size), np.ones(size), np.zeros(size, np.int32), np.zeros(size)
    return *sums, np.zeros(size, np.int32), np.zeros(words), np.zeros(words + 1, np.int64), *gifts(most)


def gifts(most: int) -> tuple[Any, ...]:
    return np.zeros(most, np.int32), np.zeros(most)


@needs_compiled
@settings(deadline=None, max_examples=150)
@given(questions())
def test_a_question_is_added_up_as_by_the_slow_loop(question: tuple[Any, ...]) -> None:
    *given, size = question
    answers = []
    for loops in (word_forms.compiled, slow_adding):
        room = room_for(tuple(given), size)
        many = loops.ask(*given, *room)
        _, sums, absent, _, scores, every, present, bounds, to, values = room
        assert not sums.any()
        assert (absent == 1).all()
        some = slice(0, int(bounds[-1]))
        columns = scores, every[:many], present, bounds, to[some], values[some]
        answers.append([column.tolist() for column in columns])
        if (given[11] == 1).all():
            again, all_again = np.zeros(size), np.zeros(size, np.int32)
            assert loops.give(to[some], values[some], again, all_again) == many
            assert again.tolist() == scores.tolist()
            assert all_again[:many].tolist() == every[:many].tolist()
    assert answers[0] == answers[1]


@needs_compiled
def test_a_question_with_a_document_that_is_not_there() -> None:
    one, size = np.ones(1), 3
    lists_of = np.array([1, 7], np.int32), np.ones(2, np.int32), np.array([0, 1, 2]), np.array([0, 1, 2])
    none = np.zeros(0, np.int64), np.zeros(0), np.zeros(1, np.int64), np.zeros(3, np.int64)
    given = *lists_of, np.ones(2), np.ones(2), one, *none, np.ones(2), one, None, 1.0
    for loops in (word_forms.compiled, slow_adding):
        room = room_for(given, size)
        with pytest.raises(IndexError, match="not there"):
            loops.ask(*given, *room)
        assert not room[1].any()
        assert not room[4].any()
        assert (room[2] == 1).all()


@settings(deadline=None, max_examples=50)
@given(postings())
def test_expected_frequencies_are_what_they_are_defined_as(given: tuple[Any, ...]) -> None:
    flat, tf, begins, ends, exact, weights, beliefs = given
    sums, found = np.zeros(len(beliefs)), np.zeros(len(beliefs), np.int32)
    absent = np.ones(len(beliefs))
    many, df, present = word_forms.loops.gather(*given, sums, absent, found)
    true, missing = np.zeros(len(beliefs)), np.ones(len(beliefs))
    for k in range(len(begins)):
        for p in range(int(begins[k]), int(ends[k])):
            times = int(tf[p])
            chance = exact[k] * (1 - beliefs[flat[p]]) + weights[k] * beliefs[flat[p]]
            true[flat[p]] += times * chance
            missing[flat[p]] *= (1 - chance) ** times
    assert sums == pytest.approx(true)
    assert absent == pytest.approx(missing)
    assert present == pytest.approx((1 - missing).sum())
    assert sorted(found[:many].tolist()) == np.flatnonzero(true).tolist()
    assert df == pytest.approx(np.minimum(true, 1).sum())


@needs_compiled
@settings(deadline=None, max_examples=150)
@given(
    strings=st.lists(st.text("abcd", min_size=1, max_size=9), min_size=1, max_size=30),
    words=st.lists(st.text("abcde", min_size=1, max_size=8), min_size=1, max_size=3),
    least=st.integers(1, 4),
    loose=st.integers(0, 3),
    lengths=st.tuples(st.integers(0, 9), st.integers(0, 9)),
    together=st.booleans(),
)
def test_the_compiled_nearness_is_the_slow_one(
    strings: list[str], words: list[str], least: int, loose: int, lengths: tuple[int, int], together: bool
) -> None:
    known = vocabulary(strings)
    grams = [loops.grams(known.letters, known.offsets) for loops in (likeness.compiled, slow)]
    assert grams[0] == grams[1]
    coded = [known.encode(word) for word in words]
    offsets = np.concatenate([[0], np.cumsum([len(word) for word in coded])]).astype(np.int64)
    each = [np.full(len(words), value, np.uint8) for value in (least, 2, loose, *lengths, together)]
    answers = []
    for loops in (likeness.compiled, slow):
        room = np.zeros(len(known), np.uint8)
        joined = np.frombuffer(b"".join(coded), np.uint8)
        raw = loops.near(known.letters, known.offsets, *StringGrams.of(known), joined, offsets, *each, room)
        assert not room.any()
        parts = [np.frombuffer(part, kind).tolist() for part, kind in zip(raw, KINDS, strict=True)]
        rows = iter(zip(*parts[:3], strict=True))
        answers.append([sorted(next(rows) for _ in range(many)) for many in parts[3]])
    # What is sure to share too few grams is not counted to the end; so nothing is said of it.
    assert answers[0] == answers[1]


@st.composite
def found(draw: st.DrawFn) -> tuple[Any, ...]:
    """Strings of a vocabulary that were found for some words: by likeness, by the channel, and by stems."""
    known = vocabulary(draw(st.lists(st.text("ab12", min_size=1, max_size=7), min_size=1, max_size=400)))
    size, words = len(known), draw(st.integers(0, 3))
    lists = [[draw(st.sets(st.integers(0, size - 1))) for _ in range(words)] for _ in range(3)]
    near, reached, family = (np.array([s for each in some for s in each], np.int32) for some in lists)
    bounds = [np.cumsum([0, *map(len, some)]).astype(np.int64) for some in lists]
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    kinds = rng.choice(np.array([0, 1, 2, 3, 253, 254, 255], np.uint8), len(near))
    shared, glued = rng.integers(0, 9, len(near)).astype(np.uint8), rng.random(len(near)) * (kinds > 253)
    text = known.letters, known.offsets, known.marks("12").astype(np.uint8)
    figures = rng.integers(1, 99, size).astype(np.float64), (rng.random(size) ** 9).astype(np.float32)
    itself = rng.integers(-1, size, words)
    of_words = rng.integers(1, 9, words), rng.integers(0, 2, words).astype(np.uint8), rng.choice([0.0, 0.2], words)
    lists_of = (
        near,
        kinds,
        shared,
        bounds[0],
        glued,
        reached,
        rng.random(len(reached)) ** 6,
        bounds[1],
        family,
        bounds[2],
    )
    floors, constants = rng.choice([0.0, 0.02, 0.5], words), (1.5, 0.5, 0.3, 4)
    return *text, *figures, *lists_of, itself, *of_words, floors, word_forms.BY_EDITS, *constants


@needs_compiled
@settings(deadline=None, max_examples=200)
@given(found())
def test_strings_are_weighed_to_the_bit_as_without_a_compiler(given: tuple[Any, ...]) -> None:
    assert word_forms.compiled_forms.weigh(*given) == slow.weigh(*given)


@needs_compiled
@pytest.mark.parametrize("strings", [7, 8, 129, 1001])
def test_sums_over_many_strings_are_those_of_numpy(strings: int) -> None:
    known = vocabulary([f"{k:04}" for k in range(strings)])
    rng, every = np.random.default_rng(strings), np.arange(strings, dtype=np.int32)
    figures = 1e3 * rng.random(strings), rng.random(strings).astype(np.float32)
    nothing, none, one = np.zeros(0, np.int32), np.zeros(2, np.int64), np.ones(1)
    like = nothing, np.zeros(0, np.uint8), np.zeros(0, np.uint8), none, np.zeros(0)
    lists = every, rng.random(strings), np.array([0, strings]), nothing, none
    word = np.array([-1]), np.array([4]), np.zeros(1, np.uint8), 0 * one, 0 * one, word_forms.BY_EDITS
    given = known.letters, known.offsets, known.marks("").astype(np.uint8), *figures, *like, *lists, *word
    assert word_forms.compiled_forms.weigh(*given, 1.5, 0.5, 0.3, 4) == slow.weigh(*given, 1.5, 0.5, 0.3, 4)


def test_strings_near_a_word_are_within_its_edits_or_joined_with_it() -> None:
    known = vocabulary(["government", "goverment", "govornmont", "ofgovernment", "governmentof", "governor", "tent"])
    like = likeness.near(known, StringGrams.of(known), ["government"], joined=True)
    found = dict(zip(known.texts(like.string), like.kind.tolist(), strict=True))
    assert found == {"government": 0, "goverment": 1, "govornmont": 2, "ofgovernment": 2, "governmentof": 2}
    like = likeness.near(known, StringGrams.of(known), ["governor"], 1)
    assert known.texts(like.string) == ["governor"]


def test_strings_of_any_length_are_found_that_begin_or_end_with_a_word() -> None:
    strings = ["theft", "theftofmotorvehicles", "preventionoftheft", "antitheftlaws", "thefttheft", "motor"]
    known = vocabulary(strings)
    like = likeness.near(known, StringGrams.of(known), ["theft"], joined=True)
    found = dict(zip(known.texts(like.string), like.kind.tolist(), strict=True))
    begins, ends = likeness.BEGINS, likeness.ENDS
    assert found == {"theft": 0, "theftofmotorvehicles": begins, "preventionoftheft": ends, "thefttheft": begins}
    assert known.texts(likeness.near(known, StringGrams.of(known), ["theft"]).string) == ["theft"]


@pytest.mark.slow
@needs_compiled
@settings(deadline=None, max_examples=80)
@given(strings=st.lists(st.text("abcé1", min_size=1, max_size=7), min_size=1, max_size=20))
def test_unknown_words_are_expected_to_the_bit_as_without_a_compiler(strings: list[str]) -> None:
    known = vocabulary(strings)
    counts = np.array([1.0 + k % 3 for k in range(len(known))])
    fast = likeness.unknown(known, counts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(likeness, "following", slow)
        assert likeness.unknown(known, counts).tolist() == fast.tolist()


def test_an_unknown_word_is_expected_as_its_characters_follow_each_other() -> None:
    known = vocabulary(["banana", "bandana", "canal", "xqzv", "banal"])
    expected = dict(zip(known.texts(np.arange(5)), likeness.unknown(known, np.ones(5)).tolist(), strict=True))
    assert expected["banal"] > expected["xqzv"] > 0
    assert sum(expected.values()) < 5
    assert len(likeness.unknown(vocabulary([]), np.zeros(0))) == 0


@needs_compiled
def test_the_compiled_loops_refuse_what_does_not_fit() -> None:
    flat, one = np.array([0, 7], np.int32), np.ones(1)
    tf, begins, ends = np.ones(2, np.int32), np.array([0]), np.array([2])
    sums, absent, found = np.zeros(3), np.ones(3), np.zeros(3, np.int32)
    with pytest.raises(IndexError, match="not there"):
        word_forms.compiled.gather(flat, tf, begins, ends, one, 0.5 * one, np.ones(3), sums, absent, found)
    assert not sums.any()
    assert (absent == 1).all()
    for broken in (np.array([3]), np.array([-1])):
        with pytest.raises(ValueError, match="postings that are not there"):
            word_forms.compiled.gather(flat, tf, begins, broken, one, one, np.ones(3), sums, absent, found)
    with pytest.raises(ValueError, match="from 0 to 4"):
        word_forms.compiled.add(sums, absent, found, 4, np.ones(3), 1.0, np.zeros(3), found, 0)
    known = vocabulary(["abc", "abd"])
    grams, word = StringGrams.of(known), np.frombuffer(known.encode("abc"), np.uint8)
    ends, small, room = np.array([0, 3]), np.ones(1, np.uint8), np.zeros(2, np.uint8)
    for offsets, room_of in ((np.array([0, 4]), room), (np.array([0, 0]), room), (ends, np.zeros(3, np.uint8))):
        with pytest.raises(ValueError, match="near"):
            likeness.compiled.near(
                *(known.letters, known.offsets, *grams, word, offsets, *[small] * 6, room_of),
            )


@pytest.mark.slow
def test_searching_without_a_compiler_is_the_same(mixed: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    fast = rows("decipher", mixed)
    monkeypatch.setattr(likeness, "loops", slow)
    for module in (word_forms, adding_up, closeness):
        monkeypatch.setattr(module, "loops", slow_adding)
    monkeypatch.setattr(term_places, "compiled", None)
    monkeypatch.setattr(likeness, "following", slow)
    monkeypatch.setattr(word_forms, "loops_of_forms", slow)
    by_hand = rows("decipher", mixed)
    assert [row[:2] for row in fast] == [row[:2] for row in by_hand]
    assert [row[2] for row in fast] == pytest.approx([row[2] for row in by_hand])


def test_questions_together_are_answered_as_one_by_one(mixed: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = [*TOPICS.values(), "", "of the", *TOPICS.values()]
    alone = [list(Decipher().answerer(mixed).search(question, 20)) for question in questions]
    for together, remembered in ((1, 4000), (3, 4000), (32, 2)):
        monkeypatch.setattr(answering, "TOGETHER", together)
        monkeypatch.setattr(word_reading, "CACHE", remembered)
        monkeypatch.setattr(word_postings, "CACHE", 10 * remembered)
        assert [list(hits) for hits in Decipher().answerer(mixed).search_all(questions, 20)] == alone


def test_postings_that_point_outside_are_told(mixed: Version) -> None:
    answerer = Decipher().answerer(mixed)
    arrays = answerer.reading.index.arrays
    arrays["postings"] = np.full_like(arrays["postings"], 31)
    with pytest.raises(DataError, match="damaged"):
        answerer.search("theft")


# -- clean text, and text that is partly clean ------------------------------------------------------------------------


def test_clean_text_is_searched_as_by_bm25(clean: Version) -> None:
    assert reading_of(clean).figures.clean
    assert rows("decipher", clean) == rows("bm25", clean)
    assert rows("decipher(belief=0.0)", clean) == rows("bm25", clean)


def test_scanned_documents_are_found_among_clean_ones(mixed: Version) -> None:
    assert not reading_of(mixed).figures.clean
    found = [d for t, d, _ in rows("decipher", mixed) if t == "2"]
    assert len({"d001", "d007", "d103", "d109"} & set(found)) == 4


def test_a_text_without_words_is_clean() -> None:
    assert TextFigures(0.0, float("nan")).clean
    assert TextFigures(0.0, 0.0001).clean
    assert not TextFigures(0.0, 0.001).clean


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        # German without English words; letters with marks; more letters than are told apart; letters beyond 16 bits
        "der die das ein eine einen einer und oder nicht mit von vom zum zur bei nach aus dem den des wir ihr sie ist",
        " ".join(
            unicodedata.normalize("NFD", w) for w in ("für", "über", "schön", "größe", "hören", "fühlen", "Bücher")
        ),
        "किताब दिल्ली पुस्तकें नदी पर्वत हिन्दी भाषा में लिखा हुआ",
        " ".join(chr(0x4E00 + 7 * k) + chr(0x4E00 + 5 * k) for k in range(400)),
        "𐌰𐌱𐌲 𐌳𐌴𐌲 𐌰𐌱 𐌲𐌳𐌴 𐌴𐌴𐌰",
        # signs between words that are known and between words that are not
        r"\alpha\beta \gamma\delta \foot\note \some\thing \any\body x=y key=value let=ter",
    ],
)
def test_other_languages_and_signs_are_searched_as_by_bm25(words: str, tmp_path: Path) -> None:
    rng, chosen = np.random.default_rng(5), words.split()
    english = texts(np.random.default_rng(3))[:40]
    made = [" ".join(rng.choice(chosen, 30).tolist()) for _ in range(120)]
    if words.startswith("\\"):
        made = [f"{one} {text}" for one, text in zip(made, 3 * english, strict=True)]
    of = Version("v", InMemory([Document(f"d{k:03}", text) for k, text in enumerate(made)]), tmp_path)
    topics = {str(k): f"{one} {other}" for k, (one, other) in enumerate(pairwise(chosen[:40]))}
    found = [list(systems.parse(spec).run(of, topics, k=1000).rows()) for spec in ("decipher", "bm25")]
    assert len(found[0])
    assert found[0] == found[1]


def test_explanations_add_up_where_documents_are_believed_in_part(mixed: Version) -> None:
    for belief in (None, 0.5):
        answerer = Decipher(belief=belief).answerer(mixed)
        for question in TOPICS.values():
            for document, score in list(answerer.search(question, 200))[::20]:
                told = answerer.explain(question, document)
                assert told.value == pytest.approx(score, rel=1e-12)
                for part in told.parts:
                    assert sum(string.value for string in part.parts) == pytest.approx(part.value)


def test_strings_are_found_by_their_stems() -> None:
    raw = sorted(word.encode() for word in ("panel", "panels", "solar", "1990s", "1990"))
    offsets = np.concatenate([[0], np.cumsum([len(word) for word in raw])]).astype(np.int64)
    known = ObservedVocabulary.of(b"".join(raw), offsets, np.ones(len(raw)))
    stems = Stems.of(known.texts, np.ones(len(known), np.bool_))
    panels, years, none = stems.having(["panel", "1990", "lunar"], known.texts)
    assert list(panels.values()) == ["panel", "panels"]
    assert list(years.values()) == ["1990", "1990s"]
    assert none == {}
    assert stems.having([], known.texts) == []


# -- parts taken away -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        *("decipher(channel=rate)", "decipher(signs=false)", "decipher(joined=false)"),
        *("decipher(stems=false)", "decipher(belief=1)", "decipher(belief=0)"),
        *("decipher(grams=false)", "decipher(both=false)", "decipher(certainty=false)", "decipher(aids=true)"),
        "decipher(near=false)",
    ],
)
def test_parts_can_be_taken_away(spec: str, mixed: Version, tmp_path: Path) -> None:
    system = systems.parse(spec)
    assert str(system) == spec
    assert {t for t, _, _ in rows(spec, mixed)} >= {"1", "2", "3", "4", "5"}
    empty = Version("empty", InMemory([Document("1", "")]), tmp_path)
    assert isinstance(system, Decipher)
    assert not len(system.answerer(empty).search("theft"))


def test_stems_may_be_told_apart(mixed: Version) -> None:
    found = [Decipher(stems=stems).answerer(mixed).observed_strings("inspection") for stems in (True, False)]
    with_stems, without = ({o.string: o.probability for o in observed} for observed in found)
    assert with_stems["inspection"] == without["inspection"] == 1
    question = "railroads and the railroad, railroads"
    assert Decipher(stems=False).answerer(mixed).words(question) == {"railroads": 2, "railroad": 1}
    assert Decipher().answerer(mixed).words(question) == {"railroads": 3}


@pytest.mark.parametrize(
    "wrong", ["belief=2", "belief=x", "channel=true", "signs=1", "stems=no", "joined=3", "aids=2", "spelling=1"]
)
def test_wrong_parts_are_refused(wrong: str) -> None:
    with pytest.raises(SpecError):
        systems.parse(f"decipher({wrong})")
