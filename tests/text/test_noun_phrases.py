"""Words with gaps between noun phrases, and the phrases that ``pairs`` makes of them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import SpecError
from adjudge.text.analyzer import Analyzer
from adjudge.text.tagging.breaks import breaks_of
from adjudge.text.tagging.tagger import letters, taggers

WORDS = [
    "The",
    "new",
    "federal",
    "income",
    "tax",
    "of",
    "small",
    "farms",
    "runs",
    "solar",
    "quickly",
    ",",
    "and",
    ";",
    "heat",
    "Water",
    "5",
]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


def slow_phrases(text: str, longest: int) -> list[str]:
    """All runs of 2 to ``longest`` neighbouring words within the longest runs of adjectives and nouns ending in a noun.

    Tags come from the tagger; the runs from a regular expression over their letters, with a bar for punctuation.
    """
    tokens = Analyzer.parse("words")([text], spans=True)
    breaks = breaks_of([text], tokens)
    tags = letters(taggers.parse("lexicon(own)")(tokens, breaks))
    words = tokens.of(0)
    line, place = "", []
    for i, tag in enumerate(tags):
        if breaks[i]:
            line, place = line + "|", [*place, -1]
        line, place = line + tag, [*place, i]
    found = []
    for match in re.finditer("[AN]*N", line):
        first, last = place[match.start()], place[match.end() - 1]
        for begin in range(first, last + 1):
            found += ["+".join(words[begin:end]) for end in range(begin + 2, min(begin + longest, last + 1) + 1)]
    return found


@given(st.lists(TEXTS, max_size=4), st.integers(2, 5))
def test_phrases_as_defined_slowly(texts: list[str], longest: int) -> None:
    analyzer = Analyzer.parse(f"noun_phrases(lexicon(own))|pairs(alone=false, longest={longest})")
    tokens = analyzer(texts, spans=True)
    assert tokens.spans is not None
    for i, text in enumerate(texts):
        found = tokens.of(i)
        assert sorted(found) == sorted(slow_phrases(text, longest))
        rows = slice(int(tokens.offsets[i]), int(tokens.offsets[i + 1]))
        for phrase, (begin, end) in zip(found, tokens.spans[rows].tolist(), strict=True):
            assert re.sub(r"\W+", "+", text[begin:end]) == phrase


@given(st.lists(TEXTS, max_size=4))
def test_the_words_are_those_of_words(texts: list[str]) -> None:
    one, other = (Analyzer.parse(f"{name}|lower")(texts) for name in ("words", "noun_phrases(lexicon(own))"))
    assert [one.of(i) for i in range(len(texts))] == [other.of(i) for i in range(len(texts))]


def test_stop_words_part_a_phrase() -> None:
    terms = Analyzer.parse("noun_phrases(lexicon(own))|lower|stop(smart)|pairs").terms("the new income tax, farms")
    assert terms == ["income", "income+tax", "tax", "farms"]


def test_specs_are_written_as_they_are_read() -> None:
    for spec in ("noun_phrases", "noun_phrases(lexicon(own))|pairs(longest=3)", "words|pairs(alone=false, longest=8)"):
        assert str(Analyzer.parse(spec)) == spec
    for spec in ("noun_phrases(5)", "noun_phrases(nobody)", "words|pairs(longest=1)", "words|pairs(longest=9)"):
        with pytest.raises(SpecError):
            Analyzer.parse(spec)
