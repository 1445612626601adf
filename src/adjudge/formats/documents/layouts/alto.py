"""ALTO, what most digitisation programs write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ..page_text import PageText, box_of, number_of, page_size, share
from ..reading_order import ordered
from ..safe_xml import read_xml, root_of
from ..scan_layout import Bytes, ScanLayout


@dataclass(frozen=True)
class AltoLayout(ScanLayout):
    """ALTO 2, 3 and 4: words with boxes and confidences (WC), in lines and blocks; one page a file, or several.

    The text is in the order of the file, or in the reading order that version 4 can state. A word of which the file
    says that it is cut (SUBS_TYPE) is joined as it says (SUBS_CONTENT). Boxes stay in the file's own unit, which is
    that of the page's width and height.

    Example: <String CONTENT="Wings" HPOS="120" VPOS="80" WIDTH="90" HEIGHT="30" WC="0.93"/> → "Wings", 93 of 100.
    """

    name: ClassVar[str] = "alto"
    endings: ClassVar[tuple[str, ...]] = (".alto", ".alto.xml")

    @classmethod
    def shows(cls, head: bytes) -> bool:
        return root_of(head)[0].lower() == "alto"

    def pages(self, content: Bytes) -> Iterator[PageText]:
        reader = _Reader()
        read_xml(content.pieces(), content.name, reader.start, reader.end, reader.text)
        for page in reader.pages:
            page.image = page.image or reader.image
            yield page


class _Reader:
    """What was read of one file so far."""

    def __init__(self) -> None:
        self.pages: list[PageText] = []
        self.image = ""
        self.page: PageText | None = None
        self.name: list[str] | None = None
        self.order: list[str] = []
        self.block_ids: list[str] = []
        self.around: list[str] = []
        """The ids of the composed blocks that are open."""

    def start(self, name: str, given: dict[str, str]) -> None:
        page = self.page
        if name == "String":
            if page is not None:
                self._string(page, given)
        elif name == "Page":
            label = given.get("PRINTED_IMG_NR") or given.get("PHYSICAL_IMG_NR") or given.get("ID", "")
            width, height = (page_size(number_of(given.get(key))) for key in ("WIDTH", "HEIGHT"))
            self.page = PageText(label, "", width, height)
            self.pages.append(self.page)
            self.block_ids = []
        elif name == "ComposedBlock":
            self.around.append(given.get("ID", ""))
        elif name == "TextBlock":
            self.block_ids.append(" ".join([given.get("ID", "") or "?", *reversed(self.around)]))
        elif name == "fileName":
            self.name = []
        elif name in ("ElementRef", "RegionRef") and "REF" in given:
            self.order.append(given["REF"])

    def _string(self, page: PageText, given: dict[str, str]) -> None:
        box = box_of(*(number_of(given.get(key)) for key in ("HPOS", "VPOS", "WIDTH", "HEIGHT")))
        if page.add(given.get("CONTENT", ""), box, share(given.get("WC"))) and given.get("SUBS_TYPE") == "HypPart1":
            page.whole[len(page.words) - 1] = " ".join(given.get("SUBS_CONTENT", "").split())

    def text(self, text: str) -> None:
        if self.name is not None:
            self.name.append(text)

    def end(self, name: str) -> None:
        page = self.page
        if name == "TextLine" and page is not None:
            page.end_line()
        elif name == "TextBlock" and page is not None:
            before = len(page.blocks)
            page.end_block()
            if len(page.blocks) == before and self.block_ids:
                self.block_ids.pop()  # a block without words
        elif name == "ComposedBlock" and self.around:
            self.around.pop()
        elif name == "fileName" and self.name is not None:
            self.image, self.name = "".join(self.name).strip() or self.image, None
        elif name == "Page" and page is not None:
            self.pages[-1] = ordered(page, self.block_ids, self.order)
            self.page = None
