"""Tokenizers: known examples, and the rules of UAX#29 written slowly."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import uax29
from adjudge.core.errors import SpecError
from adjudge.core.spec import parameters
from adjudge.text.analyzer import Analyzer
from adjudge.text.splitting import compiled
from adjudge.text.tokenizer import RuleTokenizer, tokenizers
from adjudge.text.tokens import Tokens

TEXTS = st.lists(
    st.one_of(
        st.text("aZ09_'.:,;- \n/", max_size=40),
        st.text(st.characters(max_codepoint=127), max_size=40),
        st.builds("".join, st.lists(st.sampled_from(["non-trivial", "u.s.a", "3.14", "__", "x_1", " ", "--", "'s"]))),
    ),
    max_size=6,
)


def spans_of(tokens: Tokens) -> list[list[tuple[int, int]]]:
    assert tokens.spans is not None
    rows = [(begin, end) for begin, end in tokens.spans.tolist()]
    bounds = tokens.offsets.tolist()
    return [rows[bounds[i] : bounds[i + 1]] for i in range(len(tokens))]


def check(tokens: Tokens, texts: list[str], expected: list[list[tuple[int, int]]]) -> None:
    assert spans_of(tokens) == expected
    for i, text in enumerate(texts):
        assert tokens.of(i) == [text[begin:end] for begin, end in expected[i]]
    assert tokens.places.tolist() == [place for spans in expected for place in range(len(spans))]
    assert len(set(tokens.types)) == len(tokens.types), "every type once"
    assert tokens.ids.dtype == tokens.places.dtype == np.int32
    assert set(tokens.ids.tolist()) == set(range(len(tokens.types))), "every type is used"


@given(TEXTS)
def test_words_by_definition(texts: list[str]) -> None:
    check(Analyzer.parse("words")(texts, spans=True), texts, [uax29.words(text) for text in texts])


@given(TEXTS, st.booleans(), st.sampled_from([1, 2, 3, 7, 255]))
def test_standard_by_definition(texts: list[str], dashes: bool, longest: int) -> None:
    analyzer = Analyzer.parse(f"standard(dashes={str(dashes).lower()}, longest={longest})")
    check(analyzer(texts, spans=True), texts, [uax29.standard(text, dashes, longest) for text in texts])


@given(TEXTS, st.sampled_from(["words", "standard", "standard(dashes=true, longest=9)", "ngrams(3)"]))
def test_spans_change_nothing_else(texts: list[str], spec: str) -> None:
    analyzer = Analyzer.parse(spec)
    with_spans, without = analyzer(texts, spans=True), analyzer(texts)
    assert without.spans is None
    assert [with_spans.of(i) for i in range(len(texts))] == [without.of(i) for i in range(len(texts))]
    assert np.array_equal(with_spans.places, without.places)
    assert np.array_equal(with_spans.offsets, without.offsets)


@given(TEXTS, st.sampled_from(["words", "standard", "standard(dashes=true)"]))
def test_the_patterns_for_all_of_unicode_agree_in_ascii(texts: list[str], spec: str) -> None:
    analyzer = Analyzer.parse(spec)
    plain, other = analyzer(texts), analyzer([text + " é" for text in texts])
    assert [[*plain.of(i), "é"] for i in range(len(texts))] == [other.of(i) for i in range(len(texts))]


@given(
    st.text("aZ09_'.:,;- \n\x7f\x1féß\u0301\u00ad\u200d\u00a0\u2028א\"中あア한ก", max_size=30),
    st.sampled_from(["words", "standard", "standard(dashes=true)"]),
)
def test_cutting_a_text_where_ascii_ends_changes_nothing(text: str, spec: str) -> None:
    tokenizer = Analyzer.parse(spec).tokenizer
    assert isinstance(tokenizer, RuleTokenizer)
    whole = [match.span() for match in tokenizer.rule().for_unicode.finditer(text)]
    tokens = tokenizer([text], spans=True)
    assert spans_of(tokens) == [whole]
    assert tokens.of(0) == tokenizer([text]).of(0) == [text[begin:end] for begin, end in whole]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("O'Reilly's x_1, Calabi-Yau", "O Reilly s x 1 Calabi Yau"),
        ("Ångström’s naïve Σίσυφος №5 ½", "Ångström s naïve Σίσυφος 5 ½"),
        ("re\u0301sume\u0301", "re\u0301sume\u0301"),
        ("हिन्दी में", "हिन्दी में"),
        ("", ""),
        (" _ -- ", ""),
    ],
)
def test_words(text: str, expected: str) -> None:
    assert Analyzer.parse("words").terms(text) == expected.split()


@pytest.mark.parametrize(
    ("text", "expected", "dashes"),
    [
        ("o'reilly's", "o'reilly's", None),
        ("u.s.a.", "u.s.a", None),
        ("riemannian_manifold", "riemannian_manifold", None),
        ("3.14 1,000,000 3;4 1.a a.1", "3.14 1,000,000 3;4 1 a a 1", None),
        ("a:b 1:2 a,b", "a:b 1 2 a b", None),
        ("__ _x_ a__b", "_x_ a__b", None),
        ("don’t 'quoted' ``x''", "don’t quoted x", None),
        ("calabi-yau p-adic", "calabi yau p adic", "calabi-yau p-adic"),
        ("2-dimensional 1-2", "2 dimensional 1 2", "2-dimensional 1-2"),
        ("non--trivial -x- a- -b", "non trivial x a b", None),
        ("calabi\u2010yau a\u2011b a\u2013b", "calabi yau a b a b", "calabi\u2010yau a\u2011b a b"),
        ("x_-y a.-b", "x_ y a b", None),
        ("état-major", "état major", "état-major"),
    ],
)
def test_standard(text: str, expected: str, dashes: str | None) -> None:
    assert Analyzer.parse("standard").terms(text) == expected.split()
    assert Analyzer.parse("standard(dashes=true)").terms(text) == (expected if dashes is None else dashes).split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("日本語テスト", ["日", "本", "語", "テスト"]),
        ("ひらがな", ["ひ", "ら", "が", "な"]),
        ("한국어 abc한", ["한국어", "abc한"]),
        ("ภาษาไทย", ["ภาษาไทย"]),
        ("צה\"ל ג'", ['צה"ל', "ג'"]),
        ("Caf\u0065\u0301 a\u00adb a\u200db", ["Caf\u0065\u0301", "a\u00adb", "a\u200db"]),
        ("a\u202fb ¸ \u2640 😀", ["a", "b"]),
        ("l\u00b7l a‿b ٣٫١٤", ["l\u00b7l", "a‿b", "٣٫١٤"]),
        ("Ⓐb Ａ１", ["Ⓐb", "Ａ１"]),
    ],
)
def test_standard_in_other_scripts_as_lucene_4_10_has_it(text: str, expected: list[str]) -> None:
    assert Analyzer.parse("standard").terms(text) == expected


def test_long_tokens_are_cut_as_lucene_cuts_them() -> None:
    standard = Analyzer.parse("standard")
    assert [len(term) for term in standard.terms("a" * 600 + " b")] == [255, 255, 90, 1]
    assert standard.terms("a" * 254 + "'bc") == ["a" * 254, "bc"], "the scanner did not see that a letter follows"
    assert standard.terms("_" * 300 + "ab") == ["_" * 254 + "a", "b"]
    tokens = standard(["x " + "a" * 300, "y"], spans=True)
    assert tokens.places.tolist() == [0, 1, 2, 0]
    assert spans_of(tokens) == [[(0, 1), (2, 257), (257, 302)], [(0, 1)]]


@pytest.mark.slow
def test_long_runs_take_no_quadratic_time() -> None:
    n = 200_000
    for text in [
        "_" * n,
        "_" * n + "a",
        "'" * n,
        "a." * n,
        "-" * n,
        "é" + "_" * n,
        "é" + "\u0301" * n,
        "a" * n + "é",
        "a é" * n,
    ]:
        for spec in ("words", "standard", "standard(dashes=true)"):
            assert len(Analyzer.parse(spec)([text]).ids) >= 0


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("standard(dashes=2)", "standard: dashes must be true or false, not 2"),
        ("standard(longest=0)", "standard: longest must be a whole number, 1 or more, not 0"),
        ("standart", "no tokenizer 'standart', did you mean standard?"),
        ("words(3)", "tokenizer 'words(3)': words takes its parameters by name: none"),
        ("ngrams(0)", "ngrams: n must be a whole number from 1 to 100, not 0"),
        ("ngrams(4, pad=ab)", "ngrams: pad must be one character, blank, not ab"),
        ("ngrams(4, pad=none)", "ngrams: pad must be one character, blank, not None"),
        ("ngrams(4, squeeze=1)", "ngrams: squeeze must be true or false, not 1"),
    ],
)
def test_errors(spec: str, message: str) -> None:
    with pytest.raises(SpecError) as error:
        Analyzer.parse(spec)
    assert str(error.value) == message


@pytest.mark.parametrize("cls", tokenizers.all(), ids=lambda cls: cls.name)
def test_a_tokenizer_explains_itself(cls: type) -> None:
    text = cls.__doc__ or ""
    assert 20 <= len(text.partition("\n")[0]) <= 118
    assert text.partition("\n")[0].endswith(".")
    assert "Formula:" in text
    assert "Example:" in text
    assert all(f"``{field.name}``" in text for field in parameters(cls))


@pytest.mark.parametrize(
    "spec",
    ["words", "standard", "standard(dashes=true)", "chunks", "chunks(letters=[45, 95])", "chunks(letters=[39, 233])"],
)
@given(
    texts=st.lists(
        st.text(st.sampled_from("ab1 .,'-_é ñ\u2010\u3042\n’§\u0301\U0001f600\U00010400\x00"), max_size=40), max_size=6
    )
)
def test_places_in_mixed_text_are_those_that_the_patterns_find(spec: str, texts: list[str]) -> None:
    if compiled is None:
        pytest.skip("without the kernel there is nothing to compare")
    fast = Analyzer.parse(spec)(texts, spans=True)
    with patch("adjudge.text.splitting.compiled", None):
        slow = Analyzer.parse(spec)(texts, spans=True)
    assert fast.spans is not None
    assert slow.spans is not None
    assert [fast.of(i) for i in range(len(texts))] == [slow.of(i) for i in range(len(texts))]
    assert fast.spans.tolist() == slow.spans.tolist()
    assert fast.places.tolist() == slow.places.tolist()
