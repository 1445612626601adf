"""Strings near the other words of a question, which are weighed however badly they were read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError
from adjudge.noise.channel import Channel, Rule
from adjudge.report.search_results import found_by
from adjudge.systems.decipher import Decipher
from adjudge.systems.parts.deciphering import closer_look, slow_closer
from adjudge.systems.parts.deciphering.answering import DecipherAnswerer
from adjudge.systems.parts.deciphering.document_strings import DocumentStrings, in_order
from adjudge.systems.parts.deciphering.observed_strings import ObservedVocabulary
from adjudge.systems.parts.deciphering.reach_walk import ReplacementTables
from adjudge.systems.parts.version import Version
from adjudge.text.stopwords import words_of

needs_compiled = pytest.mark.skipif(closer_look.compiled is None, reason="the compiled loops were not built")
KINDS = closer_look.KINDS


def channel(alphabet: str, rate: float = 0.01) -> Channel:
    rules = (
        *(Rule("t", "l", 0.4), Rule("s", "_", 0.3), Rule("rn", "m", 0.2), Rule("m", "rn", 0.1)),
        *(Rule("e", "", 0.05), Rule("", "i", 0.02), Rule("st", "", 0.03), Rule("a", "ci_", 0.04), Rule("T", "t", 0.9)),
    )
    return Channel(rules, alphabet, rate, rate, rate)


def vocabulary(words: list[str]) -> ObservedVocabulary:
    raw = sorted({word.encode() for word in [*words, "_"]})
    offsets = np.concatenate([[0], np.cumsum([len(word) for word in raw])]).astype(np.int64)
    return ObservedVocabulary.of(b"".join(raw), offsets, np.ones(len(raw)))


letters = st.text("tlsernmai_", min_size=1, max_size=7)


@st.composite
def windows(draw: st.DrawFn) -> tuple[Any, ...]:
    """Words, strings that they may have become, and windows of these."""
    words = draw(st.lists(letters, min_size=1, max_size=3))
    edits = [(i, lost, more) for i in (0, 1, 3) for lost in (0, 1, 2) for more in ("", "l", "_", "rn")]
    forms = [word[:i] + more + word[i + lost :] for word in words for i, lost, more in edits]
    known = vocabulary([*draw(st.lists(letters, max_size=12)), *words, *filter(None, forms)])
    tables = ReplacementTables.of(channel(known.alphabet, draw(st.sampled_from([1e-2, 1e-4]))))
    coded = [tables.encode(word) for word in words]
    size = len(known)
    token = st.integers(-1, size - 1)
    rows = draw(st.lists(st.lists(token, max_size=9), max_size=3))
    told = [sorted(draw(st.sets(st.integers(0, size - 1), max_size=4))) for _ in words]
    weights = [draw(st.floats(0, 1, width=16)) for some in told for _ in some]
    expected = [draw(st.sampled_from([0.0, 0.5, 30.0])) for _ in words]
    otherwise = np.array([draw(st.sampled_from([1e-9, 1e-4, 0.5, 40.0])) for _ in range(size)], np.float32)

    def bounds(some: list[Any]) -> Any:
        return np.cumsum([0, *map(len, some)]).astype(np.int64)

    return (
        *(known.letters, known.offsets, otherwise, *tables.buffers),
        *(np.frombuffer(b"".join(coded), np.uint8), bounds(coded), np.array(expected)),
        *(np.array([s for some in told for s in some], np.int32), np.array(weights, np.float64), bounds(told)),
        *(np.array([t + 1 for row in rows for t in row], np.uint8), np.arange(-1, size, dtype=np.int32)),
        *(bounds(rows)[:-1], bounds(rows)[:-1], bounds(rows)[1:]),
        *(1, len(known.alphabet) + 1, 1e-4, draw(st.sampled_from([0.0, 0.02])), 5000.0),
    )


@needs_compiled
@settings(deadline=None, max_examples=200)
@given(windows())
def test_the_compiled_look_is_the_slow_one(given: tuple[Any, ...]) -> None:
    fast, slow = (loops.look(*given) for loops in (closer_look.compiled, slow_closer))
    for ours, by_hand, kind in zip(fast, slow, KINDS, strict=True):
        assert np.frombuffer(ours, kind) == pytest.approx(np.frombuffer(by_hand, kind), rel=1e-9)


@settings(deadline=None, max_examples=60)
@given(word=letters, string=letters)
def test_what_is_followed_is_what_the_channel_says(word: str, string: str) -> None:
    known = vocabulary([word, string])
    errors = channel(known.alphabet)
    tables = ReplacementTables.of(errors)
    buffers = [np.asarray(column) for column in tables.buffers]
    buffers[0], buffers[1] = buffers[0].reshape(256, 256), buffers[1].reshape(3, 256)
    ours = slow_closer._Word(tables.encode(word), tuple(buffers)).chance(tables.encode(string), 1e-12)
    wanted = float(np.exp(errors.log_probability(string, word)))
    assert ours <= wanted * (1 + 1e-9)
    if wanted > 1e-4:
        assert ours == pytest.approx(wanted, rel=0.02)


@needs_compiled
@pytest.mark.parametrize(
    ("place", "value"),
    [
        (13, np.array([-1.0])),  # expected less than never
        (15, np.array([2.0])),  # no probability
        (17, np.array([99, 0], np.uint8)),  # no string
        (18, np.array([99], np.int32)),  # none of the vocabulary
        (19, np.array([1], np.int64)),  # a window before its document
        (21, np.array([3], np.int64)),  # beyond all documents
        (22, 3),  # bytes that are missing
        (26, 0.0),  # no text
    ],
)
def test_the_compiled_look_refuses_what_does_not_fit(place: int, value: Any) -> None:
    known = vocabulary(["tale"])
    tables = ReplacementTables.of(channel(known.alphabet))
    whole = np.array([0, 1], np.int64)
    given = [
        *(known.letters, known.offsets, np.ones(len(known), np.float32), *tables.buffers),
        *(np.frombuffer(tables.encode("tale"), np.uint8), np.array([0, 4], np.int64), np.ones(1)),
        *(np.zeros(1, np.int32), np.ones(1), whole, np.zeros(2, np.uint8), np.zeros(1, np.int32)),
        *(np.zeros(1, np.int64), np.zeros(1, np.int64), np.array([2], np.int64)),
        *(1, len(known.alphabet) + 1, 1e-4, 0.02, 100.0),
    ]
    closer_look.compiled.look(*given)
    given[place] = value
    with pytest.raises(ValueError, match="look"):
        closer_look.compiled.look(*given)


# -- in a scanned text ------------------------------------------------------------------------------------------------

ERRORS = Channel(
    (Rule("t", "l", 0.5), Rule("s", "_", 0.5), Rule("e", "c", 0.3), Rule("n", "u", 0.3)),
    "abcdefghijklmnopqrstuvwxyz_ ",
    *(0.05, 0.01, 0.01),
)
GARBLED = {10: "harxcsq", 18: "har vest", 26: "hqrvcsk"}
"""The second word of the question in some documents that have the first one as well."""


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Version:
    """Documents of which twenty have both words of a question, three of them garbled in ways that nobody learned."""
    rng, common = np.random.default_rng(11), sorted(w for w in words_of("smart") if w.isalpha() and len(w) > 3)
    texts = []
    for number in range(160):
        words = [ERRORS.sample(word, rng) for word in rng.choice(common, 90).tolist()]
        if number % 8 == 2:
            words[40:42] = ["timber", GARBLED.get(number, ERRORS.sample("harvest", rng))]
        elif number % 16 == 4:
            words[40] = "timber"
        texts.append(" ".join(words))
    documents = InMemory([Document(f"d{k:03}", text) for k, text in enumerate(texts)])
    return Version("v", documents, tmp_path_factory.mktemp("scanned"))


QUESTION = "timber harvest"


def test_the_order_of_strings_is_that_of_the_text(scanned: Version) -> None:
    index = Decipher().answerer(scanned).index
    order = DocumentStrings(index, in_order(index))
    for number, document in enumerate(scanned.documents):
        assert [index.name(term) for term in order.terms(number, -5, 10_000)] == index.analyzer.terms(document.text)
    some = order.stretches(np.array([3, 0]), np.array([88, 200]), np.array([95, 300]))
    length = int(index.statistics.lengths[3])
    assert (some.ends - some.begins).tolist() == [max(min(95, length) - 88, 0), 0]


def test_the_order_is_the_same_however_many_terms_are_taken_at_a_time(
    scanned: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    from adjudge.systems.parts.deciphering import document_strings

    index = Decipher().answerer(scanned).index
    whole = in_order(index)
    monkeypatch.setattr(document_strings, "TOGETHER", 7)
    assert np.array_equal(in_order(index), whole)


def test_a_document_with_a_string_that_the_index_does_not_have_is_damage(scanned: Version) -> None:
    index = Decipher().answerer(scanned).index
    order = DocumentStrings(index, np.full_like(in_order(index), 255))
    with pytest.raises(DataError, match="a string that the index does not have"):
        order.terms(0, 0, 1)


def test_garbled_words_near_the_others_are_found(scanned: Version) -> None:
    near, without = (Decipher(closer=closer).answerer(scanned) for closer in (True, False))
    assert near.closer is not None
    assert without.closer is None
    for number, name in GARBLED.items():
        with_it, before = (
            [document for document, _ in each.search(QUESTION, 200)].index(f"d{number:03}") for each in (near, without)
        )
        assert with_it <= before, name
        told = near.explain(QUESTION, f"d{number:03}")
        assert told.parts[-1].description.startswith("near each other")
        read = [part.description for word in told.parts[-1].parts for part in word.parts]
        assert any(line.startswith(f"{name} read as harvest with probability") for line in read)


def test_explanations_add_up(scanned: Version) -> None:
    answerer = Decipher().answerer(scanned)
    for document, score in answerer.search(QUESTION, 60):
        told = answerer.explain(QUESTION, document)
        assert told.value == pytest.approx(score, rel=1e-12)
        for word in told.parts[-1].parts:
            if word.parts:
                assert sum(part.value for part in word.parts) == pytest.approx(word.value)


def test_snippets_mark_what_only_a_closer_look_found(scanned: Version) -> None:
    answerer = Decipher().answerer(scanned)
    hits = answerer.search(QUESTION, 60)
    names = list(answerer.index.ids)
    taken = answerer.observed_near(QUESTION, [names.index("d026"), names.index("d001")])
    assert [(each.string, each.word) for each in taken[0]] == [("hqrvcsk", "harvest")]
    assert taken[1] == []
    if not answerer.index.manifest.texts:  # an index of an experiment has none: what is marked is said all the same
        assert len(found_by(answerer, "decipher", QUESTION, hits)) == len(hits)


@pytest.mark.parametrize("question", ["", "...", "zzzzqqqqxxxx"])
def test_a_question_that_finds_nothing_is_not_looked_at_closer(scanned: Version, question: str) -> None:
    hits = Decipher().answerer(scanned).search(question, 100)
    assert len(hits) == 0
    assert hits.note is not None


def collection(folder: Path, texts: list[str]) -> Version:
    return Version("v", InMemory([Document(f"d{k:03}", text) for k, text in enumerate(texts)]), folder)


def scanned_words(rng: np.random.Generator, size: int = 90) -> list[str]:
    common = sorted(w for w in words_of("smart") if w.isalpha() and len(w) > 3)
    return [ERRORS.sample(word, rng) for word in rng.choice(common, size).tolist()]


@pytest.mark.slow
def test_a_clean_group_does_not_switch_it_off(tmp_path: Path) -> None:
    rng = np.random.default_rng(11)
    syllables = ["ka", "lo", "mi", "tu", "pe", "zo", "ra", "vi", "shu", "dro", "ben", "gor"]
    other = sorted({"".join(rng.choice(syllables, 3)) for _ in range(400)})
    texts = []
    for number in range(320):
        words = scanned_words(rng, 120) if number % 2 else rng.choice(other, 120).tolist()
        if number % 16 == 3:
            words[40:42] = ["timber", "hqrvcsk" if number == 35 else "harvest"]
        texts.append(" ".join(words))
    rows = [Document(f"d{k:03}", text, fields=(("language", str(k % 2)),)) for k, text in enumerate(texts)]
    version = Version("v", InMemory(rows), tmp_path)
    near, without = (Decipher(closer=closer, by="language").answerer(version) for closer in (True, False))
    assert set(near.beliefs.tolist()) == {0.0, 1.0}
    assert dict(near.search(QUESTION, 300))["d035"] > dict(without.search(QUESTION, 300))["d035"]
    assert near.explain(QUESTION, "d035").value == pytest.approx(dict(near.search(QUESTION, 300))["d035"])


def test_a_string_that_is_another_word_of_the_question_stays_that(scanned: Version) -> None:
    answerer = Decipher().answerer(scanned)
    question = f"{QUESTION} harness"
    hits = answerer.search(question, 60)
    for number, (document, score) in zip(hits.documents.tolist(), hits, strict=True):
        told = answerer.explain(question, document)
        assert told.value == pytest.approx(score)
        taken = {each.string for each in answerer.observed_strings(question)}
        assert not taken & {each.string for each in answerer.observed_near(question, [number])[0]}


def planted(folder: Path, phrase: Callable[[int], list[str]]) -> Version:
    """Scanned words with a phrase in some documents."""
    rng, texts = np.random.default_rng(3), []
    for number in range(160):
        words, strings = scanned_words(rng), phrase(number)
        words[40 : 40 + len(strings)] = strings
        texts.append(" ".join(words))
    return collection(folder, texts)


@pytest.mark.slow
def test_halves_that_are_not_side_by_side_count_in_what_was_looked_at(tmp_path: Path) -> None:
    phrases = {2: ["timber", "harvest"], 10: ["timber", "harvest"], 6: ["timber", "har", "vest"]}
    version = planted(tmp_path, lambda number: (phrases | {14: ["timber", "har", "xx", "vest"]}).get(number % 16, []))
    near, without = (dict(Decipher(closer=closer).answerer(version).search(QUESTION, 200)) for closer in (True, False))
    assert Decipher().answerer(version).broken("harvest")
    assert all(near[document] >= without[document] - 0.01 for document in without)


@pytest.mark.slow
def test_the_order_of_words_does_not_matter(tmp_path: Path) -> None:
    phrases = {2: ["timber", "harvest"], 4: ["timber", "in", "vest"], 6: ["timber", "har", "vest"]}
    version = planted(tmp_path, lambda number: phrases.get(number % 8, []))
    answerer = Decipher(stop=None).answerer(version)
    first, again = (dict(answerer.search(f"timber {words}", 200)) for words in ("invest harvest", "harvest invest"))
    assert first == pytest.approx(again, rel=1e-12)


@pytest.mark.slow
def test_two_strings_are_marked_together(tmp_path: Path) -> None:
    answerer = Decipher().answerer(collection(tmp_path, [*_pairs()]))
    near = answerer.observed_near("timber industry", [10])[0]
    assert ("in dqstrg", "industry") in {(each.string, each.word) for each in near}
    assert "in" not in {each.string for each in near}


def _pairs() -> Iterator[str]:
    rng = np.random.default_rng(3)
    for number in range(160):
        words = scanned_words(rng)
        if number % 8 == 2:
            words[40:42] = ["timber", *(["in", "dqstrg"] if number == 10 else [ERRORS.sample("industry", rng)])]
            words[10] = words[70] = "in"
        yield " ".join(words)


def test_only_so_many_searches_are_made(scanned: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    every = dict(Decipher().answerer(scanned).search(QUESTION, 200))
    plain = dict(Decipher(closer=False).answerer(scanned).search(QUESTION, 200))
    monkeypatch.setattr(closer_look, "SEARCHES", 1)
    few = dict(Decipher().answerer(scanned).search(QUESTION, 200))
    assert few.keys() == plain.keys() == every.keys()
    gained = [document for document in few if few[document] > plain[document] + 1e-9]
    assert len(gained) <= 1


def test_the_order_is_kept_and_read_again(scanned: Version) -> None:
    first, again = (list(Decipher().answerer(scanned).search(QUESTION, 50)) for _ in range(2))
    assert first == again
    reading = Decipher().answerer(scanned).reading
    assert reading.order is not None
    assert np.array_equal(reading.order, in_order(reading.index))


def test_there_is_no_closer_look_where_little_is_wrong(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    common = sorted(w for w in words_of("smart") if w.isalpha() and len(w) > 3)
    texts = (" ".join(rng.choice(common, 60).tolist()) for _ in range(40))
    version = Version("clean", InMemory([Document(f"d{k}", text) for k, text in enumerate(texts)]), tmp_path)
    answerer = Decipher().answerer(version)
    assert isinstance(answerer, DecipherAnswerer)
    assert answerer.closer is None
    assert answerer.reading.order is None
