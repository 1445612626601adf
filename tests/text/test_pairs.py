"""Pairs of neighbouring tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import SpecError
from adjudge.text.analyzer import Analyzer

WORDS = st.lists(st.sampled_from(["solar", "power", "the", "of", "Florida", "x"]), max_size=9).map(" ".join)


@given(st.lists(WORDS, max_size=5), st.booleans())
def test_pairs_as_defined_slowly(texts: list[str], alone: bool) -> None:
    spec = "words|lower|stop(smart)|pairs" + ("" if alone else "(alone=false)")
    tokens = Analyzer.parse(spec)(texts, spans=True)
    stopped = {"the", "of", "x"}
    assert len(tokens) == len(texts)
    assert tokens.spans is not None
    for i, text in enumerate(texts):
        words = text.lower().split()
        expected = []
        for place, word in enumerate(words):
            if word in stopped:
                continue
            expected += [(word, place)] if alone else []
            if place + 1 < len(words) and words[place + 1] not in stopped:
                expected.append((f"{word}+{words[place + 1]}", place))
        rows = slice(int(tokens.offsets[i]), int(tokens.offsets[i + 1]))
        assert list(zip(tokens.of(i), tokens.places[rows].tolist(), strict=True)) == expected
        for (term, _), (begin, end) in zip(expected, tokens.spans[rows].tolist(), strict=True):
            assert text[begin:end].lower() == term.replace("+", " ")


def test_pairs_are_written_as_they_are_read() -> None:
    assert str(Analyzer.parse("words|pairs")) == "words|pairs"
    assert str(Analyzer.parse("words|pairs(alone=false)")) == "words|pairs(alone=false)"
    with pytest.raises(SpecError, match="alone must be true or false"):
        Analyzer.parse("words|pairs(alone=2)")
