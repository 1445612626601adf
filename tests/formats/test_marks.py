"""Mark-up taken out by the loops is what the regular expressions take out, whatever the text."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudge.formats.documents import marks
from adjudge.formats.documents.marks import (
    BOUNDARY,
    ENTITY,
    LINES,
    TAGS,
    boundaries,
    first_tag,
    with_entities,
    without_tags,
)

pytestmark = pytest.mark.skipif(marks.compiled is None, reason="there are only the regular expressions")

PIECES = (
    *(b"<", b">", b"<!--", b"-->", b"--", b"-", b"!", b"/", b"?", b"\n", b"\r", b" ", b"\t", b"\f", b"a", b"B", b"9"),
    *(b"<a>", b"</a>", b"<!x>", b"<!-- c -->", b"<!-- > -->", b"&", b";", b"#", b"x", b"&amp;", b"&#65;", b"&#x41;"),
    *(b"<DOC>", b"</doc>", b"<DOCNO>", b"</DocNo>", b"<DOCNO", b"\xff", b"&#12345678;", b"&" + b"n" * 33 + b";"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=24).map(b"".join)


@settings(max_examples=400)
@given(TEXTS, st.sampled_from([b"", b"\n"]))
@example(b"<!-->", b"\n")
@example(b"<a>\n<!-- b -->  \n <!-- > -->\n<c>\n", b"\n")
@example(b"<a>\n \n<b> x", b"")
def test_lines_and_comments(text: bytes, instead: bytes) -> None:
    assert marks.compiled.lines(text, instead) == LINES.sub(instead, text)


@settings(max_examples=400)
@given(TEXTS)
@example(b"a <b>\n\f<!c> <d")
def test_tags(text: bytes) -> None:
    assert without_tags(text) == TAGS.sub(b" ", text)


class Upper(dict[bytes, bytes]):
    def __missing__(self, name: bytes) -> bytes:
        return b"[" + name.upper() + b"]"


@settings(max_examples=400)
@given(TEXTS)
def test_entities(text: bytes) -> None:
    assert with_entities(text, Upper()) == ENTITY.sub(lambda match: Upper()[match[1]], text)


@settings(max_examples=400)
@given(TEXTS, st.integers(0, 30))
def test_boundaries_of_documents(text: bytes, first: int) -> None:
    expected = [(*match.span(), bool(match[1]), bool(match[2])) for match in BOUNDARY.finditer(text, first)]
    assert list(boundaries(text, first)) == expected


@settings(max_examples=400)
@given(TEXTS, st.lists(st.sampled_from([b"<a>", b"<DOC>", b"<DOCNO>", b"</a>", b"<x>"]), max_size=3).map(tuple))
def test_the_first_of_some_tags(text: bytes, tags: tuple[bytes, ...]) -> None:
    found = first_tag(text, tags)
    match = re.search(b"|".join(tags), text) if tags else None
    assert found == ((match.start(), match[0]) if match else None)


def test_what_the_loops_refuse() -> None:
    loops = marks.compiled
    for loop, wrong in ((loops.lines, ("a", b"")), (loops.lines, (b"a", "")), (loops.tags, ("a",))):
        with pytest.raises(TypeError, match="must be bytes"):
            loop(*wrong)
    with pytest.raises(ValueError, match="at most one byte"):
        loops.lines(b"a", b"ab")
    with pytest.raises(KeyError):
        loops.entities(b"&amp;", {})
    with pytest.raises(TypeError):
        loops.entities(b"&amp;", {b"amp": "&"})
