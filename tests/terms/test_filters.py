"""Linguistic filters and the stretches of words that they let pass."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import SpecError
from adjudge.core.spec import parameters
from adjudge.terms.candidates import spans_of
from adjudge.terms.linguistic_filter import LETTERS, linguistic_filters
from slow_terms import slow_spans

SPECS = ["noun", "adjective_noun", "adjective_noun(ordered)", "open", "open(prepositions=[of, in])"]
PATTERNS = {"noun": "N+N", "adjective_noun": "[AN]+N", "adjective_noun(ordered)": "A*N+"}
OPEN = "([AN]+|[AN]*(NP)?[AN]*)N"


@pytest.mark.parametrize("spec", SPECS)
def test_the_automaton_is_the_pattern(spec: str) -> None:
    made = linguistic_filters.parse(spec)
    following, accepts = made.table
    for length in range(1, 8):
        for tags in product(range(4), repeat=length):
            state = 1
            for tag in tags:
                state = int(following[state, tag])
            written = "".join(LETTERS[tag] for tag in tags)
            # Single words are sorted out by their length, whatever the automaton says of them.
            if length > 1:
                assert bool(accepts[state]) == bool(re.fullmatch(PATTERNS.get(spec, OPEN), written)), written
                assert bool(accepts[state]) == bool(re.fullmatch(made.pattern, written)), written


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0, 0, 0, 0, 1, 2])), max_size=25),
    st.integers(2, 3),
    st.integers(3, 7),
)
def test_spans_against_patterns(spec: str, tokens: list[tuple[int, int]], shortest: int, longest: int) -> None:
    made = linguistic_filters.parse(spec)
    codes, breaks = np.array([t for t, _ in tokens], np.uint8), np.array([b for _, b in tokens], np.uint8)
    spans = spans_of(codes, breaks, made, shortest, longest)
    found = list(zip(spans.starts.tolist(), spans.lengths.tolist(), strict=True))
    tags = "".join(LETTERS[code] for code in codes)
    assert found == slow_spans(tags, breaks.tolist(), made.pattern, shortest, longest)


@pytest.mark.parametrize("spec", SPECS)
def test_a_filter_explains_itself_and_is_written_back(spec: str) -> None:
    made = linguistic_filters.parse(spec)
    assert linguistic_filters.parse(str(made)) == made
    text = type(made).__doc__ or ""
    for part in ("Formula:", "Paper:", "Example:", *(f"``{field.name}``" for field in parameters(type(made)))):
        assert part in text


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("adjectivenoun", "no filter 'adjectivenoun', did you mean adjective_noun"),
        ("adjective_noun(reading=1998)", "reading must be mixed or ordered, not 1998"),
        ("open(prepositions=of)", "prepositions must be a list of words as in"),
        ("open(prepositions=[])", "prepositions must be a list of words as in"),
        ("noun(x=1)", "noun has no parameter 'x'"),
    ],
)
def test_wrong_filters(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=re.escape(message)):
        linguistic_filters.parse(spec)
