"""The one reading of HTML: text, tags and formulas in order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.collection.qa.post_markup import blocks, plain
from adjudge.formats.documents.html_text import text_of
from adjudge.formats.tag_soup import HtmlTag, MathML, pieces, readable

soup = st.lists(
    st.sampled_from(["<p>", "</P>", "<a href='x>y'>", "<br/>", "<math display='block'>", "</math>", "<m:math>", "<mi>",
                     "&lt;", "<", ">", '"', "'", "text", " ", "<!", "--", "\n"])
).map("".join)  # fmt: skip


def written(piece: str | HtmlTag | MathML) -> str:
    if isinstance(piece, str):
        return piece
    return piece.element if isinstance(piece, MathML) else f"<{'/' * piece.closing}{piece.name}{piece.inside}>"


@given(soup)
def test_pieces_are_the_page(page: str) -> None:
    assert "".join(map(written, pieces(page))).lower() == page.lower()


def test_formulas_are_whole() -> None:
    page = 'a<math display="block"><mi>x</mi></math>b<math>'
    assert list(pieces(page)) == [
        "a",
        MathML('<math display="block"><mi>x</mi></math>', ' display="block"', "<mi>x</mi>"),
        "b",
        HtmlTag("math", "", False),
    ]


def test_comments_scripts_and_cdata() -> None:
    page = "a<!-- <p> --><script>x<p></script><style>y</style>b<![CDATA[<i>c</i>]]>"
    assert readable(page) == "a   b&lt;i&gt;c&lt;/i&gt;"
    assert readable(page, cdata_is_text=False) == "a   b<i>c</i>"
    assert text_of(page, "text") == ("", "a b<i>c</i>")
    assert [plain(block) for block in blocks(page)] == ["a bc"]


@pytest.mark.parametrize(
    ("inside", "name", "value"),
    [
        (' href="?a=1&amp;b=2"', "href", "?a=1&b=2"),
        (" HREF = 'x' alt=y", "href", "x"),
        (" alt=y/", "alt", "y/"),
        (' alt="href=no" href=" yes "', "href", "yes"),
        (" title='x'", "href", None),
        (" href=''", "href", ""),
    ],
)
def test_attributes(inside: str, name: str, value: str | None) -> None:
    assert HtmlTag("a", inside, False).attribute(name) == value
