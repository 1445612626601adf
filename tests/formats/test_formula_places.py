"""Where formulas stand in the texts of pages with MathML."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from adjudge.formats.documents import read_documents
from adjudge.formats.documents.formula_places import formula_places
from adjudge.formats.documents.html_text import text_of

FRACTION = "<math><semantics><mfrac><mi>Q</mi><mi>t</mi></mfrac><annotation>Q/t</annotation></semantics></math>"
EMPTY = "<math><mrow></mrow></math>"
PAGE = """<html><head><title>The power {title}</title></head><body>
<p>It is   {formula}, &lt;not&gt;
more.</p>{empty}<p>At {formula}</p></body></html>"""


def page(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "a.html").write_text(text)
    return folder


def found(source: Path, layout: str | None = None) -> list[tuple[str, str]]:
    """The symbols and the element of each formula."""
    documents = read_documents(source, layout)
    texts = {each.id: each.text for each in documents}
    places = formula_places(documents, texts).get("a", ())
    return [(texts["a"][each.start : each.end], each.element) for each in places]


def test_formulas_stand_where_their_symbols_are(tmp_path: Path) -> None:
    source = page(tmp_path / "x", PAGE.format(title="$P$", formula=FRACTION, empty=EMPTY))
    assert found(source) == [("Q t", FRACTION.replace("<annotation>Q/t</annotation>", ""))] * 2
    assert next(iter(read_documents(source))).text == "The power P\nIt is Q t , <not> more.\nAt Q t"


def test_only_pages_that_are_wanted_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = page(tmp_path / "x", PAGE.format(title="", formula=FRACTION, empty=""))
    (folder / "b.html").write_text(PAGE.format(title="", formula=FRACTION, empty=""))
    documents = read_documents(folder)
    looked: list[str] = []

    def counted(page: str, *given: Any) -> tuple[str, str]:
        looked.append(page)
        return text_of(page, *given)

    monkeypatch.setattr("adjudge.formats.documents.formula_places.text_of", counted)
    assert formula_places(documents, {"c": "text"}) == formula_places(documents, {}) == {}
    assert not looked
    texts = {each.id: each.text for each in documents}
    assert set(formula_places(documents, {"b": texts["b"]})) == {"b"}
    assert len(looked) == 1


def test_equal_formulas_are_kept_once_and_endless_ones_not(tmp_path: Path) -> None:
    both = FRACTION + "<math>" + "<mspace/>" * 3_000 + "<mi>x</mi></math>"
    documents = read_documents(page(tmp_path / "x", PAGE.format(title="", formula=both, empty="")))
    places = formula_places(documents, {each.id: each.text for each in documents})["a"]
    assert len(places) == 2
    assert places[0].element is places[1].element


def test_a_page_that_writes_about_mathml_has_its_text(tmp_path: Path) -> None:
    about = FRACTION.replace("<", "&lt;").replace(">", "&gt;")
    assert found(page(tmp_path / "x", PAGE.format(title="", formula=about, empty=EMPTY))) == []


@pytest.mark.parametrize("layout", ["xhtml(formulas=drop)", "html(formulas=token)", "text"])
def test_what_has_no_symbols_of_formulas_has_no_places(tmp_path: Path, layout: str) -> None:
    assert found(page(tmp_path / "x", PAGE.format(title="", formula=FRACTION, empty="")), layout) == []


def test_nothing_is_read_twice_from_a_pipe_or_from_memory() -> None:
    assert formula_places(read_documents({"a": "text"}), {"a": "text"}) == {}
    stream = io.BytesIO(PAGE.format(title="", formula=FRACTION, empty="").encode())
    documents = read_documents(stream, "xhtml")
    texts = {each.id: each.text for each in documents}
    assert texts
    assert formula_places(documents, texts) == {}
