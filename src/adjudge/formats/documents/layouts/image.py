"""Images of pages, which an engine reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ....core.errors import DataError
from ..page_text import PageText
from ..scan_layout import Bytes, ScanLayout

SIGNS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")


@dataclass(frozen=True)
class ImageLayout(ScanLayout):
    """PNG, JPEG and TIFF: page images, which an OCR engine reads where no other file has their text.

    An image beside a file of the same name that has the text of the page, or that such a file or a METS names, is the
    picture of that page. The others need an engine: adjudge index --ocr tesseract.

    No value: without an engine an image is an error.

    Example: scans/0007.tif with tesseract → the document 0007.
    """

    name: ClassVar[str] = "image"
    endings: ClassVar[tuple[str, ...]] = (".png", ".jpg", ".jpeg", ".tif", ".tiff")
    has_text: ClassVar[bool] = False

    @classmethod
    def shows(cls, head: bytes) -> bool:
        return head.startswith(SIGNS)

    def pages(self, content: Bytes) -> Iterator[PageText]:
        raise DataError(f"{content.name}: an image without text: give an OCR engine, --ocr tesseract")
        yield  # a generator, as those of the others
