"""hOCR, what tesseract, OCRopus and the Internet Archive write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import ClassVar

from ....core.errors import DataError
from ...tag_soup import HtmlTag, pieces, readable
from ..page_text import Box, PageText, number_of, page_size, share
from ..scan_layout import Bytes, ScanLayout

CLASS = re.compile(r"""\bclass\s*=\s*["']?([^"'>]*)""", re.IGNORECASE)
TITLE = re.compile(r"""\btitle\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
IMAGE = re.compile(r"""\bimage\s+(?:"([^"]*)"|'([^']*)'|([^;\s]+))""")
BBOX = re.compile(r"\bbbox\s+(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)")
CONFIDENCE = re.compile(r"\bx_wconf\s+(-?[\d.]+)")
NUMBER = re.compile(r"\b[lp]pageno\s+(\S+?)(?:;|$)")
LINES = frozenset({"ocr_line", "ocrx_line", "ocr_header", "ocr_footer", "ocr_caption", "ocr_textfloat"})
BLOCKS = frozenset({"ocr_par", "ocr_carea", "ocrx_block", "ocr_column"})
WORDS = frozenset({"ocrx_word", "ocr_word"})
VOID = frozenset({"br", "img", "hr", "meta", "link", "input", "area", "base", "col", "wbr"})
DEEPEST = 200


@dataclass(frozen=True)
class HocrLayout(ScanLayout):
    """hOCR: HTML whose elements have the classes ocr_page, ocr_line and ocrx_word, with boxes and confidences in title.

    Read by the same rules as HTML, so that what is not quite HTML is read too. A line without words is cut at blanks
    and its width shared by the letters.

    No value: a file in which no page is marked is an error.

    Example: <span class='ocrx_word' title='bbox 120 80 210 110; x_wconf 93'>Wings</span> → "Wings", 93 of 100.
    """

    name: ClassVar[str] = "hocr"
    endings: ClassVar[tuple[str, ...]] = (".hocr", ".hocr.html")

    @classmethod
    def shows(cls, head: bytes) -> bool:
        return re.search(rb"""(?:class\s*=\s*["']?ocr_page|name\s*=\s*["']ocr-system)""", head) is not None

    def pages(self, content: Bytes) -> Iterator[PageText]:
        reader = _Reader()
        for piece in pieces(readable(content.whole().decode("utf-8", "replace"))):
            if isinstance(piece, str):
                reader.text(piece)
            elif isinstance(piece, HtmlTag):
                reader.tag(piece)
        if not reader.pages:
            raise DataError(f"{content.name}: no page: nothing in it has the class ocr_page")
        yield from reader.pages


class _Reader:
    """What was read of one file so far."""

    def __init__(self) -> None:
        self.pages: list[PageText] = []
        self.stack: list[tuple[str, str]] = []
        """Open elements: tag, and what it is."""
        self.heard: list[str] = []
        self.box: dict[str, Box | None] = {}
        self.confidence: int = 255
        self.words_before = 0

    def tag(self, tag: HtmlTag) -> None:
        if tag.closing:
            self._close(tag.name)
            return
        if tag.name in VOID or tag.inside.rstrip().endswith("/"):
            return
        match = CLASS.search(tag.inside)
        classes = set(match[1].split()) if match else set()
        kind = next(
            (k for k, known in (("line", LINES), ("word", WORDS), ("block", BLOCKS)) if classes & known),
            "page" if "ocr_page" in classes else "",
        )
        if len(self.stack) < DEEPEST:
            self.stack.append((tag.name, kind))
            if kind:
                self._open(kind, tag.inside)

    def _open(self, kind: str, inside: str) -> None:
        match = TITLE.search(inside)
        title = unescape((match[1] or match[2] or "") if match else "")
        if kind == "page":
            self._page(title)
            return
        found = BBOX.search(title)
        numbers = [number_of(part) for part in found.groups()] if found else [None]
        self.box[kind] = tuple(numbers) if None not in numbers else None  # type: ignore[assignment]
        if kind in ("line", "word"):
            self.heard = []
        if kind == "word":
            sure = CONFIDENCE.search(title)
            self.confidence = share(sure[1] if sure else None, 100)
        elif kind == "line" and self.pages:
            self.words_before = len(self.pages[-1].words)

    def _page(self, title: str) -> None:
        image, box, number = IMAGE.search(title), BBOX.search(title), NUMBER.search(title)
        left, top, right, bottom = (number_of(part) or 0.0 for part in box.groups()) if box else (0.0,) * 4
        name = (image[1] or image[2] or image[3] or "") if image else ""
        label = number[1] if number else ""
        if label.isdecimal() and title[number.start()] == "p":  # type: ignore[union-attr]
            label = str(int(label) + 1)  # physical pages are counted from 0
        self.pages.append(PageText(label, name, page_size(max(right, left)), page_size(max(bottom, top))))

    def text(self, text: str) -> None:
        self.heard.append(text)

    def _close(self, name: str) -> None:
        """Close the innermost element of that name, and those in it that nobody closed."""
        places = [at for at, (tag, _) in enumerate(self.stack) if tag == name]
        while places and len(self.stack) > places[-1]:
            self._end(self.stack.pop()[1])

    def _end(self, kind: str) -> None:
        if not self.pages:
            return
        page = self.pages[-1]
        if kind == "word":
            page.add(unescape("".join(self.heard)), self.box.get("word"), self.confidence)
            self.heard = []
        elif kind == "line":
            if len(page.words) == self.words_before:
                page.add_line(unescape("".join(self.heard)), self.box.get("line"))
            page.end_line()
        elif kind in ("block", "page"):
            page.end_block()
