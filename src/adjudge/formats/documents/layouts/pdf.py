"""PDF with a text layer."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from ....core.errors import DataError, MissingExtraError
from ..page_text import Box, PageText
from ..scan_layout import Bytes, ScanLayout

UNIT = 10
"""Boxes are in tenths of a point."""
MOST_CHARACTERS = 2_000_000
"""More characters no page has; a page that claims them is not read."""
BROKEN = "\x02\ufffe"


@dataclass(frozen=True)
class PdfLayout(ScanLayout):
    """PDF with a text layer, by pypdfium2: the text of each page with boxes, in tenths of a point.

    Boxes are as the page is shown, turned if it is turned and cut as it is cut. Pages come one after the other, so
    a large file takes no more memory than a small one.

    No value: a file in which no page has text is an error, unless an engine is given that reads its pages as images.

    Example: page 3 of report.pdf → the document report/3.
    """

    name: ClassVar[str] = "pdf"
    endings: ClassVar[tuple[str, ...]] = (".pdf",)

    @classmethod
    def shows(cls, head: bytes) -> bool:
        return b"%PDF-" in head[:1024]

    def pages(self, content: Bytes) -> Iterator[PageText]:
        with opened_pdf(content) as document:
            for number in range(len(document)):
                try:
                    yield _page(document[number], number + 1)
                except Exception as error:  # the library has several kinds
                    raise DataError(f"{content.name}: page {number + 1} cannot be read: {error}") from None


@contextmanager
def opened_pdf(content: Bytes) -> Iterator[Any]:
    """A PDF, from its own file or laid down first if it has none."""
    try:
        import pypdfium2
    except ImportError:
        raise MissingExtraError("PDF needs pypdfium2: pip install 'adjudge[archives]'") from None
    path, laid_down = content.path, None
    if path is None:
        handle, laid_down = tempfile.mkstemp(prefix="adjudge-", suffix=".pdf")
        path = laid_down
        with os.fdopen(handle, "wb") as file:
            for piece in content.pieces():
                file.write(piece)
    try:
        try:
            document = pypdfium2.PdfDocument(path)
        except pypdfium2.PdfiumError as error:
            why = "it is locked by a password" if "assword" in str(error) else "not readable as PDF"
            raise DataError(f"{content.name}: {why}") from None
        try:
            yield document
        finally:
            document.close()
    finally:
        if laid_down is not None:
            with suppress(OSError):
                os.unlink(laid_down)


def _page(page: Any, number: int) -> PageText:
    """The words of one page."""
    width, height = (max(1, round(UNIT * size)) for size in page.get_size())
    read = PageText(page.get_label() if hasattr(page, "get_label") else "", "", width, height)
    read.label = read.label or str(number)
    text = page.get_textpage()
    try:
        _words(page, text, read)
    finally:
        text.close()
        page.close()
    return read


def _words(page: Any, text: Any, read: PageText) -> None:
    import ctypes

    from pypdfium2 import raw

    count = text.count_chars()
    if count > MOST_CHARACTERS:
        raise DataError(f"it claims {count:,} characters")
    across, down = _map(page, read.width, read.height)
    sides = raw.FS_RECTF()
    word: list[str] = []
    box: Box | None = None
    last = ""
    for at in range(max(0, count)):
        code = raw.FPDFText_GetUnicode(text.raw, at)
        character = chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
        if character.isspace() or not code:
            if word:
                read.add("".join(word), box)
                word, box = [], None
            if character == "\n":
                read.end_block() if last == "\n\n" else read.end_line()
            last = (last + character).replace("\r", "")[-2:]
            continue
        last = ""
        word.append(character)
        if character in BROKEN:  # a hyphen at the end of a line, as the library writes it
            read.add("".join(word), box)
            read.end_line()
            word, box = [], None
        elif raw.FPDFText_GetLooseCharBox(text.raw, at, ctypes.byref(sides)):
            left, right, bottom, top = sides.left, sides.right, sides.bottom, sides.top
            corners = [(x, y) for x in (left, right) for y in (bottom, top)]
            xs = [across[0] * x + across[1] * y + across[2] for x, y in corners]
            ys = [down[0] * x + down[1] * y + down[2] for x, y in corners]
            own = min(xs), min(ys), max(xs), max(ys)
            box = own if box is None else _around(box, own)
    if word:
        read.add("".join(word), box)
    read.end_block()


def _around(box: Box, other: Box) -> Box:
    return min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3])


FAR = 1000.0
FINE = 64


def _map(page: Any, width: int, height: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """How a place of the page becomes one of the picture, x and y: turned and cut as the library shows the page."""
    import ctypes

    from pypdfium2 import raw

    places = []
    for x, y in ((0.0, 0.0), (FAR, 0.0), (0.0, FAR)):
        right, under = ctypes.c_int(), ctypes.c_int()
        size = (FINE * width, FINE * height)
        raw.FPDF_PageToDevice(page.raw, 0, 0, *size, 0, x, y, ctypes.byref(right), ctypes.byref(under))
        places.append((right.value / FINE, under.value / FINE))
    (x0, y0), (x1, y1), (x2, y2) = places
    return ((x1 - x0) / FAR, (x2 - x0) / FAR, x0), ((y1 - y0) / FAR, (y2 - y0) / FAR, y0)
