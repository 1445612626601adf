"""Rendering: pages put together from glyphs, against Pillow's own drawing of whole lines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("PIL", reason="page images need Pillow")

from PIL import Image, ImageDraw, ImageFont

from adjudge.core.errors import DataError
from adjudge.core.note import Note
from adjudge.noise.pages import faces
from adjudge.noise.pages.glyphs import FINE, INK
from adjudge.noise.pages.rendering import TURNED, Press, press
from adjudge.noise.pages.typesetting import PageLayout

FACE = next((name for name in faces.FACES if faces.installed_file(name)), "")
pytestmark = [pytest.mark.ocr, pytest.mark.skipif(not FACE, reason="no known font is installed")]

LINES = ["The quick brown fox, (1994)", "", "jumps; over: 3.14 lazy dogs", "WAVE fjord"]


def layout(**changes: object) -> PageLayout:
    return PageLayout(**{"font": FACE, "dpi": 300, **changes})  # type: ignore[arg-type]


def by_pillow(lines: list[str], where: PageLayout) -> npt.NDArray[np.float64]:
    """The page drawn character by character four times too large by Pillow, then each dot the mean of its square."""
    em, fine = where.em, FINE
    font = ImageFont.truetype(faces.face_file(where.font), em * fine, layout_engine=ImageFont.Layout.BASIC)
    margin = where.margin * em
    width = int(np.ceil(max(font.getlength(line) for line in lines) / fine + 2 * margin))
    height = int(np.ceil((len(lines) - 1) * where.leading * em + em + 2 * margin))
    picture = Image.new("L", (width * fine, height * fine), 0)
    draw = ImageDraw.Draw(picture)
    for number, line in enumerate(lines):
        x = margin * fine
        for character in line:
            at = (round(x), round((number * where.leading + 0.75) * em * fine + margin * fine))
            draw.text(at, character, fill=255, font=font, anchor="ls")
            x += font.getlength(character)
    dots = np.asarray(picture, dtype=np.float64).reshape(height, fine, width, fine)
    return np.asarray(dots.mean(axis=(1, 3)) / 255)


def test_a_page_is_what_pillow_draws() -> None:
    ours = np.minimum(Press(layout()).page(LINES), INK) / INK
    theirs = by_pillow(LINES, layout())
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max() <= 1 / INK + 0.06, "Pillow lays glyphs over each other and does not add them"
    assert np.abs(ours - theirs).mean() < 0.001
    assert theirs.mean() > 0.02


def test_blurred_glyphs_added_up_are_the_blurred_page() -> None:
    from scipy.ndimage import gaussian_filter

    sharp = by_pillow(LINES, layout())
    ours = np.minimum(Press(layout(), blur=1.5).page(LINES), INK) / INK
    # The Gaussian of whole dots against the Gaussian of the drawing: nearly the same at this width.
    theirs = gaussian_filter(sharp, 1.5, truncate=6)
    assert np.abs(ours - theirs).max() < 0.05
    assert abs(ours.sum() / theirs.sum() - 1) < 0.005


def test_a_turned_page_is_pillows_turned_page() -> None:
    lines = ["minimum illumination of the page"] * 3
    flat, turned = Press(layout(), 0.5).page(lines), Press(layout(), 0.5).page(lines, angle=1.0)
    assert turned.shape[0] > flat.shape[0]
    assert turned.shape[1] > flat.shape[1]
    canvas = Image.new("L", (turned.shape[1], turned.shape[0]), 0)
    canvas.paste(
        Image.fromarray(flat), ((turned.shape[1] - flat.shape[1]) // 2, (turned.shape[0] - flat.shape[0]) // 2)
    )
    rotated = np.asarray(canvas.rotate(-1.0, resample=Image.Resampling.BICUBIC), dtype=np.float64)
    ours = turned.astype(np.float64)
    overlap = (ours * rotated).sum() / np.sqrt((ours**2).sum() * (rotated**2).sum())
    assert overlap > 0.95
    wrong = np.asarray(canvas.rotate(1.0, resample=Image.Resampling.BICUBIC), dtype=np.float64)
    assert (ours * wrong).sum() / np.sqrt((ours**2).sum() * (wrong**2).sum()) < 0.7


def test_piled_up_marks_never_wrap_around() -> None:
    page = Press(layout()).page(["e" + "\u0301" * 40 + "\u0323" * 40 + "x"])
    once = Press(layout()).page(["e\u0301\u0323x"])
    assert page.max() >= INK
    assert (np.minimum(page, INK) >= np.minimum(once, INK) * 0.9)[:, : once.shape[1]].mean() > 0.99
    crowded = layout(leading=0.5)
    lines = ["MMMMMM"] * 12
    whole = np.minimum(Press(crowded).page(lines), INK)
    for number in range(12):
        alone = [line if i == number else "" for i, line in enumerate(lines)]
        single = np.minimum(Press(crowded).page([*alone]), INK)
        assert (whole[:, : single.shape[1]] >= single[:, : whole.shape[1]]).all(), "ink never takes ink away"


def test_characters_without_a_glyph_are_counted() -> None:
    printer = Press(layout())
    lines = ["plain", "of\ufb01ce \ufb03", "x\x07y\u200b", "\U000f1234\U000f1234", "\u05d0\u05d1 \u0627", "\ud800"]
    page = printer.page(lines)
    notes = printer.notes(lines)
    assert page.max() >= INK
    assert notes[Note.of("glyph_missing", "U+F1234")] == 2
    assert notes[Note.of("shape_missing", "U+0007")] == 1
    assert notes[Note.of("shape_missing", "U+200B")] == 1
    assert notes[Note.of("glyph_missing", "U+D800")] == 1
    right = sum(n for note, n in notes.items() if note == TURNED or note.subject.startswith(("U+05D", "U+0627")))
    assert right == 3
    assert not any("FB0" in note.subject for note in notes), "ligatures are printed as they are or as letters"
    assert printer.notes(["all of it is plain", "\u00a7 321.9 caf\u00e9"]) == {}


def test_a_decomposed_character_is_printed_as_the_composed_one() -> None:
    printer = Press(layout())
    assert np.array_equal(printer.page(["cafe\u0301"]), printer.page(["caf\u00e9"]))


def test_what_a_page_looks_like_does_not_depend_on_pages_before(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = Press(layout(), 1.0).page(LINES, 0.2)
    used = Press(layout(), 1.0)
    used.page(["zyx wvu 987"], -0.1)
    assert np.array_equal(fresh, used.page(LINES, 0.2))
    monkeypatch.setattr("adjudge.noise.pages.rendering.CACHED", 1000)
    assert np.array_equal(fresh, Press(layout(), 1.0).page(LINES, 0.2)), "a full cache only makes it slower"
    assert press(layout(), 1.0) is press(layout(), 1.0)


@pytest.mark.parametrize("leading", [0.7, 1.2])
def test_compiled_loops_print_the_same_page_dot_by_dot(leading: float, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [*LINES, "accents pile up: e\u0301\u0302\u0303\u0304 x\u0336\u0336\u0336", "", "iiiillll....,,,,"] * 3
    quick = Press(layout(leading=leading), 1.0).page(lines, 0.3)
    monkeypatch.setattr("adjudge.noise.pages.rendering.native", lambda job: None)
    assert np.array_equal(quick, Press(layout(leading=leading), 1.0).page(lines, 0.3))


def test_pages_without_ink() -> None:
    for lines in ([], [""], ["", ""], ["\u200b"]):
        page = Press(layout()).page(lines, 0.3)
        assert page.size > 0
        assert page.max() == 0


def test_a_file_that_is_no_font(tmp_path: Path) -> None:
    path = tmp_path / "bad.ttf"
    path.write_bytes(b"no font")
    with pytest.raises(DataError, match="no font that Pillow can read"):
        Press(PageLayout(font=str(path)))
