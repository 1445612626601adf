"""Texts, lists and parameters as nobody should give them."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import adjudge.text.token_filter as filter_module
from adjudge.core.errors import DataError, SpecError
from adjudge.text import splitting
from adjudge.text.analyzer import Analyzer
from adjudge.text.filters.ngrams import NgramFilter
from adjudge.text.filters.ocr import OcrFilter
from adjudge.text.filters.stop import StopFilter
from adjudge.text.many_batches import ManyBatches
from adjudge.text.stemming import languages, stems_of
from adjudge.text.stopwords import words_of
from adjudge.text.tokenizers.ngrams import NgramTokenizer
from adjudge.text.tokenizers.words import WordTokenizer
from adjudge.text.tokens import Tokens
from lucene import java

TEXTS = st.lists(
    st.one_of(
        st.text(st.sampled_from("aZ0_'.:- \nßé\u0301\u00ad😀𝒳日한ก\x00\ud800"), max_size=30), st.text(max_size=20)
    ),
    max_size=5,
)
SPECS = [
    "words", "standard", "standard(dashes=true)", "standard(longest=3)", "ngrams(3)", "ngrams(2, squeeze=false)",
    "words|lower|stop|porter", "standard|fold|lower|ocr|snowball(turkish)|length(min=2)",
    "words|ngrams(3)|porter|lower",
    "words|fold|ngrams(2, cross=true)",
    "words|lower", "chunks(letters=[95, 176])|lower|letterforms", "standard(longest=3)|letterforms|lower",
]  # fmt: skip


def lists_of(tokens: Tokens) -> list[list[str]]:
    return [tokens.of(i) for i in range(len(tokens))]


@given(TEXTS, st.sampled_from(SPECS))
def test_neither_batches_nor_the_kernel_nor_memory_change_anything(texts: list[str], spec: str) -> None:
    analyzer = Analyzer.parse(spec)
    first = analyzer(texts, spans=True)
    again = analyzer(texts)
    assert lists_of(first) == lists_of(again) == [analyzer.terms(text) for text in texts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(splitting, "compiled", None)
        patch.setattr(filter_module, "MOST_KEPT", 2)
        slow = Analyzer.parse(spec)
        assert lists_of(slow(texts)) == lists_of(slow(texts)) == lists_of(first)
        spanned = slow(texts, spans=True)
    assert spanned.spans is not None
    assert first.spans is not None
    assert np.array_equal(spanned.spans, first.spans)
    assert np.array_equal(spanned.places, again.places)


@given(st.lists(TEXTS, max_size=4), st.sampled_from(SPECS), st.booleans())
def test_many_batches_are_as_one_after_the_other(batches: list[list[str]], spec: str, spans: bool) -> None:
    analyzer = Analyzer.parse(spec)
    many = ManyBatches(analyzer)
    for texts in batches:
        tokens, alone = many(texts, spans=spans), analyzer(texts, spans=spans)
        assert lists_of(tokens) == lists_of(alone)
        assert len(set(tokens.types)) == len(tokens.types), "no two types are one term"
        assert np.array_equal(tokens.places, alone.places)
        assert not spans or np.array_equal(tokens.spans, alone.spans)  # type: ignore[arg-type]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filter_module, "MOST_CHARACTERS", 100)
    analyzer = Analyzer.parse("words|lower|ngrams(4)")
    for n in range(50):
        assert analyzer.terms("A" * 30 + str(n))[0] == "_aaa"
    (chain,) = analyzer.chains
    assert isinstance(chain, filter_module.Chain)
    assert len(chain._images) <= 3
    (grams,) = NgramFilter(4)(["a" * 1000])
    assert len({id(gram) for gram in grams}) == 3, "equal grams are one string"


def test_words_of_which_nothing_is_left() -> None:
    """Snowball's Porter takes the s off a word s; what comes after it must not meet an empty word."""
    assert Analyzer.parse("words|porter").terms("o's cats") == ["o", "s", "cat"]
    assert Analyzer.parse("words|porter|length(min=1)").terms("o's") == ["o", "s"]
    for language in languages():
        assert all(stems_of(["s", "'s", "'", "m'", "a", "é"], language))
    assert Analyzer.parse("ngrams(3)|porter").terms("ab\ud800") == ["_ab", "ab\ud800", "b\ud800_"]


def test_folding_leaves_hangul_whole() -> None:
    assert Analyzer.parse("words|fold").terms("한국어 ｶﾞ") == ["한국어", "カ"]


@pytest.mark.slow
def test_a_word_of_twenty_million_letters() -> None:
    n = 20_000_000
    for spec, size in (("words", 1), ("standard", -(-n // 255))):
        assert len(Analyzer.parse(spec)(["a" * n]).ids) == size
    assert len(Analyzer.parse("standard")(["é" * 5_000_000]).ids) == -(-5_000_000 // 255)


# parameters


@given(st.characters())
def test_pads_can_be_written_or_are_refused(pad: str) -> None:
    for kind in (NgramFilter, NgramTokenizer):
        try:
            part = kind(4, pad)
        except SpecError:
            continue
        whole = Analyzer(part) if isinstance(part, NgramTokenizer) else Analyzer(WordTokenizer(), (part,))
        assert Analyzer.parse(str(whole)) == whole


@given(st.lists(st.text(max_size=3), min_size=2, max_size=3, unique=True))
@example(["'", "0"])  # an apostrophe in one part of the spec, and one in the next
def test_classes_can_be_written_or_are_refused(forms: list[str]) -> None:
    try:
        part = OcrFilter(("/".join(forms),))
    except SpecError:
        return
    whole = Analyzer(WordTokenizer(), (part, part))
    assert Analyzer.parse(str(whole)) == whole


@pytest.mark.parametrize("pad", ["7", "٣", "\r", "\u2028", "\x00", "\ud800", "ab", "|"])
def test_pads_that_no_spec_can_hold(pad: str) -> None:
    with pytest.raises(SpecError, match="pad must be one character"):
        NgramFilter(4, pad)


@pytest.mark.slow
@pytest.mark.parametrize("n", [0, 101, 10**9, True, "4"])
def test_lengths_of_grams(n: int) -> None:
    for kind in (NgramFilter, NgramTokenizer):
        with pytest.raises(SpecError, match="n must be a whole number from 1 to 100"):
            kind(n)
    assert Analyzer.parse("ngrams(100)").terms("ab" * 60)[0] == "_" + "ab" * 49 + "a"


# stop lists


@pytest.mark.lucene
def test_the_list_is_lucenes_own() -> None:
    words = java().JClass("org.apache.lucene.analysis.standard.StandardAnalyzer").STOP_WORDS_SET
    array = java().JArray(java().JChar)
    assert len(words) == len(words_of("lucene"))
    assert {str(java().JString(array(word))) for word in words} == words_of("lucene")


def test_a_list_that_changes_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "own.txt"
    path.write_text("\ufeffred\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    analyzer = Analyzer.parse("words|stop(./own.txt)|lower")
    spec = str(analyzer)
    assert spec.startswith(f"words|stop({path}, digest=x")
    monkeypatch.chdir("/")
    assert Analyzer.parse(spec) == pickle.loads(pickle.dumps(analyzer)) == analyzer  # noqa: S301 - made here
    path.write_text("# the same words\r\nred\r\n", "utf-8")
    assert Analyzer.parse(spec) == analyzer
    path.write_text("blue\n", "utf-8")
    assert analyzer.terms("red blue") == ["blue"], "an analyzer stays what it is"
    assert Analyzer.parse(f"words|stop({path})") != analyzer
    with pytest.raises(DataError, match="not the stop words that the analyzer was made with"):
        Analyzer.parse(spec)
    path.unlink()
    with pytest.raises(DataError, match="cannot be read as a stop list"):
        Analyzer.parse(spec)
    with pytest.raises(SpecError, match="digest must be left out with a list by name"):
        Analyzer.parse("words|stop(smart, digest=x1)")


def test_paths_with_signs_that_have_a_meaning_in_specs(tmp_path: Path) -> None:
    for name in ("a,b.txt", "a=b.txt", "a(b.txt", "a|b].txt", 'a "b" \\.txt', "a b.txt"):
        (tmp_path / name).write_text("red\n", "utf-8")
        stop = StopFilter(str(tmp_path / name))
        analyzer = Analyzer.parse(f"words|{stop}|porter")
        assert Analyzer.parse(str(analyzer)) == analyzer
        assert analyzer.terms("red balloon") == ["balloon"]
    plain = tmp_path / "a b.txt"
    assert str(StopFilter(str(plain))).startswith(f"stop({plain}, digest=x"), "as it always was in manifests of indexes"
    with pytest.raises(DataError, match="cannot be read as a stop list"):
        StopFilter("./a\0b")
