"""Filters: known examples, what they do to places and spans, and what they refuse."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import DataError, SpecError
from adjudge.core.spec import parameters
from adjudge.text.analyzer import Analyzer
from adjudge.text.stopwords import lists, words_of
from adjudge.text.token_filter import Image, filters, map_types

IMAGES = st.one_of(st.none(), st.sampled_from(["x", "y"]), st.lists(st.sampled_from("xyz"), max_size=3).map(tuple))


@given(
    st.lists(st.lists(st.sampled_from("abcdef"), max_size=8), max_size=5),
    st.lists(IMAGES, min_size=6, max_size=6),
)
def test_mapping_types_is_mapping_tokens(texts: list[list[str]], images: list[Image]) -> None:
    tokens = Analyzer.parse("words")([" ".join(text) for text in texts], spans=True)
    image = dict(zip("abcdef", images, strict=True))
    made = map_types(tokens, [image[word] for word in tokens.types])
    assert made.spans is not None
    for i, text in enumerate(texts):
        expected = [
            (term, place, (2 * place, 2 * place + 1))
            for place, word in enumerate(text)
            for term in ((image[word],) if isinstance(image[word], str) else image[word] or ())
        ]
        own = slice(made.offsets[i], made.offsets[i + 1])
        spans = [tuple(span) for span in made.spans[own].tolist()]
        assert list(zip(made.of(i), made.places[own].tolist(), spans, strict=True)) == expected
    assert len(set(made.types)) == len(made.types)


def test_smart_has_571_entries_and_570_words() -> None:
    lines = (files("adjudge.text.stopwords") / "smart.txt").read_text("utf-8").split("\n")[:-1]
    assert len(lines) == 571
    assert [word for word, n in Counter(lines).items() if n > 1] == ["would"]
    assert len(words_of("smart")) == 570
    assert sum("'" in line for line in lines) == 47
    assert {"a", "zero", "t", "uucp", "thanx"} <= words_of("smart")


def test_the_other_lists() -> None:
    assert lists() == ["lucene", "smart"]
    assert len(words_of("lucene")) == 33
    assert len(words_of("lucene")) == 33


def test_stop() -> None:
    tokens = Analyzer.parse("words|lower|stop(smart)")(["A list of the Words", "the"])
    assert tokens.of(0) == ["list", "words"]
    assert tokens.places.tolist() == [1, 4]
    assert tokens.offsets.tolist() == [0, 2, 2]
    assert tokens.types == ["list", "words"]
    assert Analyzer.parse("standard|lower|stop(smart)").terms("I don't, don’t go") == []
    assert Analyzer.parse("words|lower|stop").terms("I don't go") == ["don"]
    assert Analyzer.parse("words|lower|stop(lucene)").terms("the list of from") == ["list", "from"]


def test_stop_words_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    path.write_text("# a comment\nred\n\nblue # and another\n", "utf-8")
    analyzer = Analyzer.parse(f"words|stop({path})")
    assert analyzer.terms("red green blue") == ["green"]
    assert Analyzer.parse(str(analyzer)) == analyzer


def test_lower() -> None:
    assert Analyzer.parse("words|lower").terms("ABC ÄÖ ΛΟΓΟΣ İI ẞ") == ["abc", "äö", "λογοσ", "ii", "ß"]


def test_fold() -> None:
    assert Analyzer.parse("words|fold").terms("café ﬁn Ångström smørrebrød Ṩ") == [
        "cafe", "fin", "Angstrom", "smørrebrød", "S",
    ]  # fmt: skip
    assert filters.parse("fold")(["\u0301", "e\u0301"]) == [None, "e"]


def test_ocr() -> None:
    analyzer = Analyzer.parse("words|lower|ocr")
    assert len({analyzer.terms(word)[0] for word in ("modern", "modem", "m0dern", "MODERN")}) == 1
    assert len({analyzer.terms(word)[0] for word in ("line", "1ine", "Iine", "lline")}) == 2
    assert analyzer.terms("b00k5") == ["books"]
    own = Analyzer.parse("words|ocr([d/cl, w/vv])")
    assert own.terms("clear vvord rn") == ["dear", "word", "rn"]
    assert Analyzer.parse(str(own)) == own
    assert str(own) == "words|ocr([d/cl, w/vv])"
    assert Analyzer.parse("words|ocr([m/rn, n/r])").terms("rnr") == ["mn"], "longest first, nothing twice"


def test_stemmers() -> None:
    words = "relational connections happy caresses ponies generously sky"
    assert Analyzer.parse("words|porter").terms(words) == [
        "relat",
        "connect",
        "happi",
        "caress",
        "poni",
        "gener",
        "sky",
    ]
    assert Analyzer.parse("words|snowball(english)").terms("generously") == ["generous"]
    assert Analyzer.parse("words|snowball(german)").terms("häuser") == ["haus"]


def test_length() -> None:
    tokens = Analyzer.parse("words|length(min=2, max=5)")(["a list of numbers"])
    assert tokens.of(0) == ["list", "of"]
    assert tokens.places.tolist() == [1, 2]


def test_nothing_left() -> None:
    for spec in ("words|stop", "words|stop|porter", "words|stop|ngrams(4)", "words|stop|ngrams(4, cross=true)"):
        for texts in (["the", "", "of the"], [""], []):
            tokens = Analyzer.parse(spec)(texts, spans=True)
            assert len(tokens) == len(texts)
            assert tokens.ids.size == tokens.places.size == len(tokens.types) == 0
            assert tokens.spans is not None
            assert tokens.spans.shape == (0, 2)
            assert np.array_equal(tokens.offsets, np.zeros(len(texts) + 1))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("stop(smrt)", "no stop list 'smrt', did you mean smart?; a file is written with its folder: ./smrt"),
        ("stop(./absent.txt)", "./absent.txt: cannot be read as a stop list: No such file or directory"),
        ("snowball(englsh)", "snowball: no language 'englsh', did you mean english?"),
        ("length(min=0)", "length: min must be a whole number, 1 or more, not 0"),
        ("length(min=3, max=2)", "length: max must be a whole number, 3 or more, not 2"),
        ("ngrams(2.5)", "ngrams: n must be a whole number from 1 to 100, not 2.5"),
        ("ngrams(4, pad=7)", "ngrams: pad must be one character, blank or none, not 7"),
        ("ngrams(4, cross=yes)", "ngrams: cross must be true or false, not yes"),
        ("ocr(o)", "ocr: classes must be a list such as [o/0, l/1/i], each class with slashes between its forms"),
        ("ocr([o])", "ocr: a class has two forms or more with slashes between them, not 'o'"),
        ("ocr([o/0, u/o])", "ocr: 'o' stands in 'o/0' and in 'u/o'; it can stand in one place"),
        ("portr", "no filter 'portr', did you mean porter?"),
    ],
)
def test_errors(spec: str, message: str) -> None:
    with pytest.raises((SpecError, DataError)) as error:
        Analyzer.parse(f"words|{spec}")
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"red\nblue green\n", "{}:2: a stop list has one word a line, not 2"),
        (b"# nothing\n", "{}: holds no stop word"),
        (b"caf\xe9\n", "{}: is not UTF-8 at byte 3"),
    ],
)
def test_bad_files(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(content)
    with pytest.raises(DataError) as error:
        words_of(path)
    assert str(error.value) == message.format(path)


@pytest.mark.parametrize("cls", filters.all(), ids=lambda cls: cls.name)
def test_a_filter_explains_itself(cls: type) -> None:
    text = cls.__doc__ or ""
    assert 20 <= len(text.partition("\n")[0]) <= 118
    assert text.partition("\n")[0].endswith(".")
    assert "Formula:" in text
    assert "Example:" in text
    assert all(f"``{field.name}``" in text for field in parameters(cls))
