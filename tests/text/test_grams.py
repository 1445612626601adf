"""n-grams: the examples of the literature, and their definitions written slowly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge.text.grams as module
from adjudge.text.analyzer import Analyzer
from adjudge.text.grams import sliding

TEXTS = st.lists(st.one_of(st.text("ab _", max_size=12), st.text(max_size=12)), max_size=6)


def slow(text: str, n: int) -> list[str]:
    if not text:
        return []
    return [text[i : i + n] for i in range(len(text) - n + 1)] if len(text) >= n else [text]


@pytest.fixture(params=[1 << 25, 40], ids=["table", "sorted"])
def table(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways of numbering: with tables, and by sorting if the tables would be too large."""
    monkeypatch.setattr(module, "LARGEST_TABLE", request.param)


@pytest.mark.usefixtures("table")
def test_sliding_by_definition() -> None:
    @given(TEXTS, st.integers(1, 7))
    def holds(texts: list[str], n: int) -> None:
        grams = sliding(texts, n)
        types, ids, offsets = grams.types, grams.ids, grams.offsets
        found = [[types[i] for i in ids[offsets[t] : offsets[t + 1]]] for t in range(len(texts))]
        assert found == [slow(text, n) for text in texts]
        assert len(set(types)) == len(types)
        assert set(ids.tolist()) == set(range(len(types)))
        assert ids.dtype == np.int32
        assert np.count_nonzero(grams.begins) == len(ids)

    holds()


@given(TEXTS, st.integers(1, 6), st.sampled_from(["_", "blank", "none"]))
def test_inside_words_by_definition(texts: list[str], n: int, pad: str) -> None:
    grams = Analyzer.parse(f"words|ngrams({n}, pad={pad})")(texts)
    mark = {"_": "_", "blank": " ", "none": ""}[pad]
    words = [Analyzer.parse("words").terms(text) for text in texts]
    for i, own in enumerate(words):
        assert grams.of(i) == [gram for word in own for gram in slow(mark + word + mark, n)]
        places = grams.places[grams.offsets[i] : grams.offsets[i + 1]].tolist()
        assert places == [place for place, word in enumerate(own) for _ in slow(mark + word + mark, n)]


@given(TEXTS, st.integers(1, 6), st.sampled_from(["_", "blank", "none"]))
def test_across_words_by_definition(texts: list[str], n: int, pad: str) -> None:
    spec = f"words|lower|stop(smart)|ngrams({n}, pad={pad}, cross=true)"
    mark = {"_": "_", "blank": " ", "none": ""}[pad]
    grams = Analyzer.parse(spec)(texts, spans=True)
    words = Analyzer.parse("words|lower|stop(smart)")(texts, spans=True)
    assert grams.spans is not None
    assert words.spans is not None
    for i in range(len(texts)):
        line, first, last = "", [], []
        begin, end = words.offsets[i], words.offsets[i + 1]
        for j, word in enumerate(words.of(i), begin):
            line += mark + word
            first += [j] * len(mark + word)
            last += [max(j - 1, begin)] * len(mark) + [j] * len(word)
        if line:
            line, first, last = line + mark, first + [end - 1] * len(mark), last + [end - 1] * len(mark)
        own = slice(grams.offsets[i], grams.offsets[i + 1])
        assert grams.of(i) == slow(line, n)
        starts = range(len(grams.of(i)))
        assert grams.places[own].tolist() == [words.places[first[s]] for s in starts]
        ends = [min(s + n, len(line)) - 1 for s in starts]
        assert grams.spans[own, 0].tolist() == [words.spans[first[s], 0] for s in starts]
        assert grams.spans[own, 1].tolist() == [
            words.spans[max(first[s], last[e]), 1] for s, e in zip(starts, ends, strict=True)
        ]


@given(TEXTS, st.integers(1, 6), st.booleans())
def test_over_the_text_by_definition(texts: list[str], n: int, squeeze: bool) -> None:
    grams = Analyzer.parse(f"ngrams({n}, pad=~, squeeze={str(squeeze).lower()})")(texts, spans=True)
    assert grams.spans is not None
    for i, text in enumerate(texts):
        words = text.split()
        line = "".join("~" if c.isspace() else c for c in text)
        if squeeze:
            line = "~" + "~".join(words) + "~" if words else ""
        assert grams.of(i) == slow(line, n)
        spans = grams.spans[grams.offsets[i] : grams.offsets[i + 1]].tolist()
        for gram, (begin, end) in zip(grams.of(i), spans, strict=True):
            assert 0 <= begin <= end <= len(text)
            assert text[begin:end].split() == gram.replace("~", " ").split() or "~" in text


def test_the_examples() -> None:
    inside = Analyzer.parse("words|lower|stop(smart)|ngrams(4, pad=_)")
    assert inside.terms("the red") == ["_red", "red_"]
    assert inside.terms("Red balloon") == ["_red", "red_", "_bal", "ball", "allo", "lloo", "loon", "oon_"]
    assert Analyzer.parse("words|ngrams(4)").terms("a") == ["_a_"]
    cross = Analyzer.parse("words|ngrams(4, cross=true)").terms("red balloon")
    assert [gram for gram in cross if gram not in inside.terms("red balloon")] == ["ed_b", "d_ba"]
    blanks = Analyzer.parse("words|lower|stop(smart)|ngrams(3, pad=blank, cross=true)")
    assert blanks.terms("the Red\n of  car") == [" re", "red", "ed ", "d c", " ca", "car", "ar "]
    assert Analyzer.parse("ngrams(4, pad=_)").terms("red  car") == ["_red", "red_", "ed_c", "d_ca", "_car", "car_"]
    assert Analyzer.parse("ngrams(4)").terms(" \n") == []


def test_grams_of_small_collections() -> None:
    """The most frequent grams of the example in the description of GMU's system: ties in alphabetical order."""
    texts = ["solar power florida", "solar eclipse", "power plant florida florida", "coupon bonds"]
    tokens = Analyzer.parse("words|ngrams(4)")(texts)
    counts: dict[str, int] = {}
    for i in range(len(texts)):
        for gram in tokens.of(i):
            counts[gram] = counts.get(gram, 0) + 1
    assert sorted(counts, key=lambda gram: (-counts[gram], gram))[:2] == ["_flo", "flor"]
    # Two documents of the description of ETH's system: 6 distinct grams each.
    two = Analyzer.parse("words|ngrams(4)")(["aaaa bbbb", "aaaa aaaa aaaa cccc"])
    assert [len(set(two.of(i))) for i in range(2)] == [6, 6]
