"""Typesetting: texts as pages of lines, and the faces they are set in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import DataError, MissingExtraError, SpecError
from adjudge.noise.pages import faces
from adjudge.noise.pages.typesetting import PageLayout, typeset


def slowly(line: str, measure: int) -> list[str]:
    """The rule written out: take words while they fit; a word that fits on no line is cut."""
    lines = []
    while len(line) > measure:
        cut = max((i for i in range(1, measure + 1) if line[i] == " " and line[:i].strip()), default=measure)
        lines.append(line[:cut].rstrip())
        line = line[cut:].lstrip(" ")
    return [*lines, line]


def test_own_line_breaks_are_kept_and_long_lines_are_wrapped_at_blanks() -> None:
    text = "PART 321\n\n  The authority citation for part 321 is revised.\nEnd\n"
    assert typeset(text, PageLayout(measure=20)) == [
        ["PART 321", "", "  The authority", "citation for part", "321 is revised.", "End"]
    ]


def test_a_word_longer_than_the_line_is_cut() -> None:
    assert typeset("abcdefghij klm", PageLayout(measure=4)) == [["abcd", "efgh", "ij", "klm"]]
    assert typeset("      abcdef", PageLayout(measure=4)) == [["", "abcd", "ef"]]


def test_tabs_and_other_blanks() -> None:
    assert typeset("a\tb\u00a0c\u2003d\x0be", PageLayout()) == [["a       b c d", "e"]]
    assert typeset("a\r\nb\rc\u2028d", PageLayout()) == [["a", "b", "c", "d"]]


def test_pages_break_when_full_and_at_form_feeds() -> None:
    layout = PageLayout(lines=2)
    assert typeset("1\n2\n3", layout) == [["1", "2"], ["3"]]
    assert typeset("1\f2\n\n3", layout) == [["1"], ["2", ""], ["3"]]
    assert typeset("1\n2\n\n\n3", layout) == [["1", "2"], ["3"]], "a full page is not followed by a blank one"
    assert typeset("1\f\f2", layout) == [["1"], [], ["2"]]


def test_a_text_without_visible_characters_has_no_pages() -> None:
    for text in ("", " \n\t\n", "\f", "\u3000"):
        assert typeset(text, PageLayout()) == []


@given(st.text(st.sampled_from("ab  \n"), max_size=200), st.integers(1, 12), st.integers(1, 5))
def test_against_the_rule_written_out(text: str, measure: int, lines: int) -> None:
    layout = PageLayout(measure=measure, lines=lines)
    pages = typeset(text, layout)
    assert all(len(line) <= measure for page in pages for line in page)
    assert all(len(page) <= lines for page in pages)
    expected = [p for line in text.rstrip().splitlines() for p in slowly(line.rstrip(), measure)]
    ours = [line for page in pages for line in page]
    assert [line for line in ours if line] == [line for line in expected if line]
    assert re.sub(r"\s", "", "".join(ours)) == re.sub(r"\s", "", text)


def test_a_line_of_five_million_characters() -> None:
    pages = typeset("word " * 1_000_000, PageLayout())
    assert sum(len(page) for page in pages) == -(-1_000_000 // 14)


@pytest.mark.parametrize(
    ("field", "value"),
    [("size", 1), ("dpi", 30), ("dpi", 300.5), ("measure", 0), ("lines", 0), ("leading", 0), ("margin", -1)],
)
def test_layouts_outside_their_domain(field: str, value: float) -> None:
    with pytest.raises(SpecError, match=f"layout: {field} must"):
        PageLayout(**{field: value})  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="more than 200"):
        PageLayout(size=72, dpi=1200)


def test_faces_that_are_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no font 'terms', did you mean termes"):
        faces.face_file("terms")
    with pytest.raises(SpecError, match="no font 'xyzzy', known are termes"):
        faces.face_file("xyzzy")
    with pytest.raises(DataError, match="no such font file"):
        faces.face_file(str(tmp_path / "none.ttf"))
    monkeypatch.setattr(faces, "installed_file", lambda name: "/x.ttf" if name == "dejavu" else None)
    with pytest.raises(MissingExtraError, match="apt install fonts-texgyre; installed are dejavu"):
        faces.face_file("termes")
    monkeypatch.setattr(faces, "installed_file", lambda name: None)
    with pytest.raises(MissingExtraError, match="or give the path of a font file"):
        faces.face_file("termes")


def test_faces_are_found_in_other_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "face.ttf").write_bytes(b"x")
    monkeypatch.setattr(faces, "folders", lambda: [str(tmp_path)])
    monkeypatch.setitem(faces.FACES, "new", faces.Face("face.ttf", "fonts-new", "nowhere"))
    assert faces.face_file("new") == str(tmp_path / "deep" / "face.ttf")
    assert faces.face_file(str(tmp_path / "deep" / "face.ttf")) == str(tmp_path / "deep" / "face.ttf")
