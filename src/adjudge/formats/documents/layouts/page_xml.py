"""PAGE XML, what Transkribus, eScriptorium and OCR-D write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from ..page_text import Box, PageText, number_of, page_size, share
from ..reading_order import ordered
from ..safe_xml import read_xml, root_of
from ..scan_layout import Bytes, ScanLayout


@dataclass(frozen=True)
class PageXmlLayout(ScanLayout):
    """PAGE XML, 2013 to 2019: regions, lines and words with outlines; one page a file.

    Boxes are those around the outlines. Where a line has no words, its text is cut at blanks and its width shared by
    the letters. The first reading (TextEquiv with the lowest index) counts. Regions come in the reading order of the
    file, those that it leaves out behind the others.

    Example: <TextLine><Coords points="10,5 90,5 90,25 10,25"/><TextEquiv conf="0.8"><Unicode>two words</Unicode> …
    → "two" at 10–40, "words" at 50–90, both 80 of 100.
    """

    name: ClassVar[str] = "page_xml"
    aliases: ClassVar[tuple[str, ...]] = ("page", "pagexml")
    endings: ClassVar[tuple[str, ...]] = (".page.xml",)

    @classmethod
    def shows(cls, head: bytes) -> bool:
        return root_of(head)[0] == "PcGts"

    def pages(self, content: Bytes) -> Iterator[PageText]:
        reader = _Reader()
        read_xml(content.pieces(), content.name, reader.start, reader.end, reader.text)
        yield from reader.pages


@dataclass(eq=False)
class _Element:
    """A region, a line, a word or a glyph that is being read."""

    kind: str
    box: Box | None = None
    readings: list[tuple[float, str, str | None]] = field(default_factory=list)
    """Index, text, confidence."""
    words: int = 0
    """How many words were added since it began."""


KINDS = {"TextRegion": "region", "TableRegion": "region", "TextLine": "line", "Word": "word", "Glyph": "glyph"}


class _Reader:
    """What was read of one file so far."""

    def __init__(self) -> None:
        self.pages: list[PageText] = []
        self.page: PageText | None = None
        self.open: list[_Element] = []
        self.order: list[tuple[float, str]] = []
        self.block_ids: list[str] = []
        self.region_ids: list[str] = []
        self.index = 0.0
        self.confidence: str | None = None
        self.unicode: list[str] | None = None

    def start(self, name: str, given: dict[str, str]) -> None:
        if name in KINDS:
            words = len(self.page.words) if self.page else 0
            if KINDS[name] == "region":
                self._close_block()
                self.region_ids.append(given.get("id", ""))
            self.open.append(_Element(KINDS[name], words=words))
        elif name == "Coords" and self.open:
            self.open[-1].box = _outline(given.get("points", ""))
        elif name == "Point" and self.open:
            self._point(self.open[-1], given)
        elif name == "TextEquiv":
            self.index = number_of(given.get("index")) or 0.0
            self.confidence = given.get("conf")
        elif name == "Unicode":
            self.unicode = []
        elif name == "Page":
            width, height = (page_size(number_of(given.get(key))) for key in ("imageWidth", "imageHeight"))
            self.page = PageText("", given.get("imageFilename", ""), width, height)
            self.pages.append(self.page)
        elif name in ("RegionRefIndexed", "RegionRef") and "regionRef" in given:
            self.order.append((len(self.order), given["regionRef"]))

    @staticmethod
    def _point(element: _Element, given: dict[str, str]) -> None:
        x, y = number_of(given.get("x")), number_of(given.get("y"))
        if x is not None and y is not None:
            box = element.box or (x, y, x, y)
            element.box = min(box[0], x), min(box[1], y), max(box[2], x), max(box[3], y)

    def text(self, text: str) -> None:
        if self.unicode is not None:
            self.unicode.append(text)

    def end(self, name: str) -> None:
        if name == "Unicode" and self.unicode is not None:
            if self.open:
                self.open[-1].readings.append((self.index, "".join(self.unicode), self.confidence))
            self.unicode = None
        elif name in KINDS and self.open:
            element, page = self.open.pop(), self.page
            if page is not None:
                self._take(element, page)
            if element.kind == "region":
                self._close_block()
                self.region_ids.pop()
        elif name == "Page" and self.page is not None:
            self.pages[-1] = ordered(self.page, self.block_ids, [region for _, region in self.order])
            self.page = None

    def _take(self, element: _Element, page: PageText) -> None:
        """Add the text of an element unless its parts were added."""
        _, text, confidence = min(element.readings, key=lambda reading: reading[0], default=(0, "", None))
        if element.kind == "word":
            page.add(text, element.box, share(confidence))
        elif element.kind == "line" and len(page.words) == element.words:
            page.add_line(text, element.box, share(confidence))
        elif element.kind == "line":
            page.end_line()
        elif element.kind == "region" and len(page.words) == element.words:
            for line in text.splitlines():
                page.add_line(line, None, share(confidence))

    def _close_block(self) -> None:
        """End the block of the region that is open, if it has words that no block has yet."""
        if self.page is not None and self.region_ids:
            before = len(self.page.blocks)
            self.page.end_block()
            if len(self.page.blocks) > before:
                self.block_ids.append(" ".join(reversed(self.region_ids)))


def _outline(points: str) -> Box | None:
    """The box around an outline, ``x,y x,y …``; None if it is none."""
    pairs = [pair.split(",") for pair in points.split()]
    numbers = [(number_of(pair[0]), number_of(pair[1])) for pair in pairs if len(pair) == 2]
    xs = [x for x, y in numbers if x is not None and y is not None]
    ys = [y for x, y in numbers if x is not None and y is not None]
    return (min(xs), min(ys), max(xs), max(ys)) if xs else None
