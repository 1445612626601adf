"""Taggers: golden sentences, conformance, batches, capitals, hostile tokens, what is missing."""

from __future__ import annotations

import pickle
import re
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.errors import DataError, MissingExtraError, SpecError
from adjudge.core.spec import parameters
from adjudge.text.splitting import number_types, offsets_of
from adjudge.text.tagging import lexicons, rules
from adjudge.text.tagging.breaks import breaks_of
from adjudge.text.tagging.capitals import in_capitals, shapes_of
from adjudge.text.tagging.classes import BITS, TAGS, Class, penn, profile
from adjudge.text.tagging.closed import CLOSED
from adjudge.text.tagging.guessing import guess
from adjudge.text.tagging.tagger import LETTERS, Tag, Tags, letters, taggers
from adjudge.text.tagging.taggers.lexicon import LexiconTagger
from adjudge.text.tokenizers.standard import StandardTokenizer
from adjudge.text.tokenizers.words import WordTokenizer
from adjudge.text.tokens import Tokens

SPECS = [
    "lexicon",
    "lexicon(own)",
    "lexicon(textblob)",
    "lexicon(participles=false)",
    "gruut",
    "gruut(participles=false)",
]
WORDS = """the a of smooth bounded manifold set maps Map US NATO THE let we Given closed is spaces acting solving prime
x A I 3.14 12 p-group calabi-yau Euler's almost to that even running UPPER CASE WORDS, ( . ; ? --"""
PIECES = [*WORDS.split(), "\n\n"]


def needed(spec: str) -> str:
    """The spec; the test is skipped where the package behind it is not installed."""
    if not taggers.parse(spec).available():
        pytest.skip(f"{spec} is not installed")
    return spec


def tagged(spec: str, *texts: str) -> str:
    tokens = StandardTokenizer(dashes=True)(texts, spans=True)
    return letters(taggers.parse(needed(spec))(tokens, breaks_of(texts, tokens)))


def of_words(*texts: list[str]) -> Tokens:
    types, ids = number_types([word for text in texts for word in text], sum(map(len, texts)))
    offsets = offsets_of([len(text) for text in texts])
    return Tokens(types, ids, offsets)


# Golden sentences


@pytest.mark.parametrize("spec", ["lexicon", "gruut"])
def test_the_example_of_the_docstring(spec: str) -> None:
    assert tagged(spec, "The function maps a compact set to a bounded set") == "DNVDANXDAN"


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("Let M be a smooth Riemannian manifold.", "VXVDAAN"),
        ("a function of bounded variation", "DNPAN"),
        ("The sequence is bounded by the norm of x.", "DNVAPDNPX"),
        ("the integral of a real function", "DNPDAN"),
        ("Set the value to 3.14", "VDNXM"),
        ("They set theory aside", "XVNR"),
        ("trees store keys", "NVN"),
        ("an almost bounded operator", "DRAN"),
        ("Calabi-Yau manifolds and finite-dimensional spaces", "NNXAN"),
        ("a left-handed coordinate system", "DANN"),
        ("Euler's formula", "NN"),
        ("nonabelian pseudoconvexity", "AN"),
        ("", ""),
    ],
)
def test_golden(text: str, tags: str) -> None:
    assert tagged("lexicon", text) == tags


def sentences(name: str) -> tuple[list[str], Tags]:
    lines = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(" | ") for line in lines if not line.startswith("#")]
    return [text for text, _ in pairs], np.array([LETTERS.index(tag) for _, tags in pairs for tag in tags], np.uint8)


def spans(tags: Tags, tokens: Tokens, breaks: Tags) -> set[tuple[int, int]]:
    """Maximal runs of [AN]+N, by their first and last token."""
    starts = set(tokens.offsets.tolist()) | set(np.flatnonzero(breaks).tolist())
    text = "".join("|" * (i in starts) + letter for i, letter in enumerate(letters(tags)))
    before = np.cumsum([letter == "|" for letter in text])
    return {(m.start() - before[m.start()], m.end() - before[m.start()]) for m in re.finditer("[AN]+N", text)}


@pytest.mark.parametrize(
    ("spec", "name", "accuracy", "f1"),
    [
        ("lexicon", "tagged_sentences", 0.97, 0.93),
        ("lexicon", "tagged_sentences_held_out", 0.95, 0.91),
        ("lexicon(textblob)", "tagged_sentences_held_out", 0.95, 0.91),
        ("lexicon(own)", "tagged_sentences_held_out", 0.82, 0.65),
        ("gruut", "tagged_sentences", 0.92, 0.86),
        ("gruut", "tagged_sentences_held_out", 0.88, 0.82),
    ],
)
def test_sentences_tagged_by_hand(spec: str, name: str, accuracy: float, f1: float) -> None:
    texts, gold = sentences(name)
    tokens = StandardTokenizer(dashes=True)(texts, spans=True)
    assert len(tokens.ids) == len(gold)
    breaks = breaks_of(texts, tokens)
    ours = taggers.parse(needed(spec))(tokens, breaks)
    assert np.mean(ours == gold) > accuracy
    true, found = spans(gold, tokens, breaks), spans(ours, tokens, breaks)
    assert 2 * len(true & found) / (len(true) + len(found)) > f1


# What every tagger is


@pytest.mark.parametrize("name", taggers.names)
def test_a_tagger_explains_itself(name: str) -> None:
    cls = taggers.get(name)
    assert re.fullmatch(r"[^\n]{20,118}[.?]", cls.summary())
    for part in ("Formula:", "Parameters:", "Paper:", "Example:"):
        assert part in (cls.__doc__ or "")
    for field in parameters(cls):
        assert f"``{field.name}``" in (cls.__doc__ or "")


@pytest.mark.parametrize("spec", SPECS)
def test_specs_round_trip_and_taggers_travel(spec: str) -> None:
    made = taggers.parse(spec)
    assert taggers.parse(str(made)) == made
    needed(spec)
    before = made(of_words(["the", "set"]))
    again = pickle.loads(pickle.dumps(made))  # noqa: S301  our own
    assert again == made
    assert again(of_words(["the", "set"])).tolist() == before.tolist()
    assert re.search(r"\d|own", made.version())


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("lexikon", "no tagger 'lexikon', did you mean lexicon?"),
        ("lexicon(brown)", "source must be topia, textblob or own, not brown"),
        ("lexicon(participles=3)", "participles must be true or false, not 3"),
        ("gruut(participles=maybe)", "participles must be true or false, not maybe"),
        ("gruut(source=x)", "gruut has no parameter 'source'"),
    ],
)
def test_wrong_specs(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=re.escape(message)):
        taggers.parse(spec)


@pytest.mark.parametrize("spec", SPECS)
def test_nothing_has_no_tags(spec: str) -> None:
    tagger = taggers.parse(needed(spec))
    for texts in ([], [""], ["", " \n", ""]):
        tokens = StandardTokenizer()(texts, spans=True)
        tags = tagger(tokens, breaks_of(texts, tokens))
        assert tags.shape == (0,)
        assert tags.dtype == np.uint8


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join), max_size=5))
def test_tags_do_not_depend_on_the_batch(spec: str, texts: list[str]) -> None:
    whole = tagged(spec, *texts)
    assert whole == "".join(tagged(spec, text) for text in texts)
    assert whole == tagged(spec, *texts, *texts)[len(whole) :]


@pytest.mark.parametrize("spec", ["lexicon", "gruut"])
@pytest.mark.parametrize(
    "text",
    [
        "the department of energy gives notice of a public hearing",
        "smooth manifolds and vector bundles on complex surfaces",
    ],
)
def test_capitals_are_read_as_small_letters(spec: str, text: str) -> None:
    assert tagged(spec, text.upper()) == tagged(spec, text)


def test_acronyms_are_names_and_function_words_are_not() -> None:
    assert tagged("lexicon", "The rule OF the EPA and NATO") == "DNPDNXN"
    assert tagged("lexicon", "We met THE agent") == "XVDN"


@pytest.mark.parametrize("spec", SPECS)
def test_tagging_without_breaks_takes_a_text_as_a_sentence(spec: str) -> None:
    tokens = of_words(["The", "set", "is", "closed"], [], ["It", "holds"])
    tags = taggers.parse(needed(spec))(tokens)
    assert tags.tolist() == taggers.parse(spec)(tokens, np.array([2, 0, 0, 0, 2, 0], np.uint8)).tolist()


def test_breaks_must_be_as_many_as_tokens() -> None:
    with pytest.raises(DataError, match="2 tokens need as many breaks, not 1"):
        taggers.parse("lexicon(own)")(of_words(["a", "b"]), np.zeros(1, np.uint8))


def test_breaks_that_were_passed_in_stay_as_they_are() -> None:
    breaks = np.zeros(2, np.uint8)
    taggers.parse("lexicon(own)")(of_words(["a", "b"]), breaks)
    assert breaks.tolist() == [0, 0]


HOSTILE = [
    "",
    "\0",
    "\ud800",
    "é" * 5,
    "e\u0301",
    "''",
    "-",
    "--",
    "a-",
    "-a",
    "\u2212",
    "😀",
    "٣",
    "ⅷ",
    "x" * 100_000,
    "ﬁ",
]
HOSTILE += [
    "İ",
    "ß",
    "ǅ",
    "'s",
    "’",
    "S'",
    "A" * 61,
    "1" * 10_000,
    "1e999",
    "²",
    "-" * 1000,
    "a-" * 500,
    "un" * 40,
    "\u202e",
]


@pytest.mark.parametrize("spec", SPECS)
def test_hostile_tokens(spec: str) -> None:
    tokens = of_words(HOSTILE, HOSTILE[::-1], ["the", *HOSTILE, "set"])
    tags = taggers.parse(needed(spec))(tokens)
    assert len(tags) == len(tokens.ids)
    assert tags.max() < len(Tag)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=70))
def test_any_word_gets_a_profile(word: str) -> None:
    assert guess(word, CLOSED.get) & 31 in TAGS_OF_CLASSES
    assert len(taggers.parse("lexicon(own)")(of_words([word, word.upper(), word]))) == 3


TAGS_OF_CLASSES = set(range(len(TAGS)))


@pytest.mark.parametrize("spec", ["lexicon", "gruut"])
def test_letters_are_no_words(spec: str) -> None:
    assert {tagged(spec, "Let x and y and Z be given")[i] for i in (1, 3, 5)} == {"X"}


def test_other_tokenizers_will_do() -> None:
    tokens = WordTokenizer()(["Euler's p-group"], spans=True)
    assert letters(taggers.parse(needed("lexicon"))(tokens, breaks_of(["Euler's p-group"], tokens))) == "NXXN"


# What is missing


@pytest.mark.parametrize(("spec", "package"), [("lexicon", "topia.termextract"), ("gruut", "gruut-lang-en")])
def test_what_is_missing_is_named(spec: str, package: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def absent(name: str) -> Any:
        raise metadata.PackageNotFoundError(name)

    lexicons.entries.cache_clear()
    monkeypatch.setattr(metadata, "distribution", absent)
    tagger = taggers.parse(spec)
    assert not tagger.available()
    with pytest.raises(MissingExtraError, match=re.escape(f"pip install {package}")):
        tagger(of_words(["a"]))

    class Emptied:
        version = "9"

        def locate_file(self, name: str) -> Path:
            return tmp_path / name

    monkeypatch.setattr(metadata, "distribution", lambda name: Emptied())
    with pytest.raises(MissingExtraError, match="force-reinstall"):
        taggers.parse(spec).version()


def test_a_lexicon_that_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "lexicon").write_bytes(b";;; words\n\xff\n")
    monkeypatch.setattr(lexicons, "locate_lexicon", lambda source: (str(tmp_path / "lexicon"), "1"))
    lexicons.entries.cache_clear()
    with pytest.raises(DataError, match="no lexicon"):
        lexicons.entries("topia")
    lexicons.entries.cache_clear()


# The rules and their two readers


def test_profiles() -> None:
    assert penn("NN VB|VBP") == profile(Class.NOUN, Class.BASE) == Class.NOUN | 0b101 << BITS
    assert penn("NNS") >> BITS == 1
    assert [TAGS[each] for each in Class][:2] == [Tag.N, Tag.A]
    assert len(TAGS) == len(Class) == rules.BEFORE


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("12", Class.NUMBER),
        ("1,000.5", Class.NUMBER),
        ("XIV", Class.NUMBER),
        ("3rd", Class.ADJECTIVE),
        ("n-th", Class.ADJECTIVE),
        ("quasiconformal", Class.ADJECTIVE),
        ("hypergraphness", Class.NOUN),
        ("foobarly", Class.ADVERB),
        ("foobaring", Class.ING),
        ("foobared", Class.PAST),
        ("foobars", Class.PLURAL),
        ("foobarize", Class.BASE),
        ("Foobarian", Class.ADJECTIVE),
        ("Foobar", Class.NOUN),
        ("p-adic", Class.ADJECTIVE),
        ("low-foobar", Class.NOUN),
        ("--", Class.OTHER),
        ("x1", Class.OTHER),
        ("H2O", Class.NOUN),
    ],
)
def test_guesses(word: str, expected: int) -> None:
    assert guess(word, CLOSED.get) & 31 == expected


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_the_walk_in_c_is_the_walk_in_python(data: st.DataObject) -> None:
    if rules.compiled is None:
        pytest.skip("the extension was not built")
    reader = LexiconTagger("own")._reader
    tokens = of_words(
        data.draw(st.lists(st.sampled_from([w for w in PIECES if w[:1].isalnum()]), min_size=1, max_size=30))
    )
    breaks = np.array(
        data.draw(st.lists(st.integers(0, 2), min_size=len(tokens.ids), max_size=len(tokens.ids))), np.uint8
    )
    rows, shapes = reader.of(tokens.types)
    slow = np.empty(len(tokens.ids), np.uint8)
    rules.walk_in_python(tokens.ids, rows, shapes, breaks, reader.rules, np.array(TAGS, np.uint8), slow)
    assert rules.walk(tokens.ids, rows, shapes, breaks, reader.rules).tolist() == slow.tolist()


def test_the_walk_refuses_what_does_not_fit() -> None:
    if rules.compiled is None:
        pytest.skip("the extension was not built")
    reader = LexiconTagger("own")._reader
    rows, shapes = reader.of(["a", "b"])
    tags, out = np.array(TAGS, np.uint8), np.empty(1, np.uint8)
    for number in (7, -1):
        with pytest.raises(ValueError, match="walk: ids: not all within 0 and 1"):
            rules.compiled.walk(
                *(np.array([number], np.int32), rows, shapes, np.zeros(1, np.uint8)),
                *(reader.rules.table, reader.rules.after, tags, out),
            )
    with pytest.raises(ValueError, match="walk: ids: 2 items, not 1"):
        rules.compiled.walk(
            *(np.zeros(2, np.int32), rows, shapes, np.zeros(1, np.uint8)),
            *(reader.rules.table, reader.rules.after, tags, out),
        )


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["THE", "EPA", "rule", "A", "12", "Of"]), st.integers(0, 2)), max_size=20))
def test_sentences_in_capitals(pairs: list[tuple[str, int]]) -> None:
    words, breaks = [word for word, _ in pairs], [2, *(each for _, each in pairs[1:])][: len(pairs)]
    tokens = of_words(words)
    ours = in_capitals(tokens.ids, shapes_of(tokens.types), np.array(breaks, np.uint8)).tolist()
    slow: list[bool] = []
    at = 0
    while at < len(words):
        end = next((i for i in range(at + 1, len(words)) if breaks[i] == 2), len(words))
        long = [word for word in words[at:end] if len(word) > 1 and word[0].isalpha()]
        loud = [word for word in long if word == word.upper()]
        slow += [len(loud) >= 3 and len(loud) / len(long) >= 0.6] * (end - at)
        at = end
    assert ours == slow
