"""Images of pages: PNG, JPEG, the pages of a TIFF and those of a PDF, decoded for an engine or for a browser."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from ...core.errors import AdjudgeError, DataError, MissingExtraError
from .layouts.pdf import PdfLayout, opened_pdf
from .page_text import PageText
from .scan_layout import Bytes

MOST_DOTS = 400_000_000
"""A newspaper page at 600 dpi has 150 million; more is taken for a bomb."""
MOST_BYTES = 1 << 30
DPI = 300
"""The resolution in which pages of a PDF are drawn, and which is assumed of images that do not tell theirs."""
FORMATS = ("PNG", "JPEG", "TIFF")


class Picture(NamedTuple):
    """A page in shades of grey."""

    width: int
    height: int
    grey: bytes
    """A byte a dot, 0 is black, row by row."""
    dpi: int

    @property
    def pgm(self) -> bytes:
        """The file format that every engine reads."""
        return b"P5\n%d %d\n255\n" % (self.width, self.height) + self.grey


class ImageReader(Protocol):
    """An OCR engine, as readers of documents see it."""

    @property
    def identity(self) -> str:
        """The engine with its version and settings: pages are read again when it changes."""

    @property
    def workers(self) -> int:
        """How many pages may be read at the same time."""

    def __call__(self, picture: Picture) -> PageText:
        """The words of a page; a DataError if they cannot be read."""


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtraError("page images need Pillow: pip install 'adjudge[archives]'") from None
    return Image


def pictures(content: Bytes) -> Iterator[tuple[int, Picture]]:
    """The pages of an image or a PDF with their numbers, from 1; 0 if the file is one image."""
    head = next(iter(content.pieces()), b"")[:1024]
    if PdfLayout.shows(head):
        with opened_pdf(content) as document:
            for number in range(len(document)):
                yield number + 1, _from_pdf(document, number, content.name)
        return
    with opened_image(content) as image:
        frames = _frames(image, content.name)
        for number in range(frames):
            try:
                image.seek(number)
                yield (number + 1 if frames > 1 else 0), _grey(image, content.name)
            except AdjudgeError:
                raise
            except Exception as error:  # decoders of Pillow fail in many ways
                raise _damaged(content.name, error) from None


def opened_image(content: Bytes) -> Any:
    """An image of Pillow, not decoded yet; a DataError if it is none, or too large."""
    pillow = _pillow()
    pieces, size = [], 0
    for piece in content.pieces():
        pieces.append(piece)
        size += len(piece)
        if size > MOST_BYTES:
            raise DataError(f"{content.name}: an image of more than {MOST_BYTES >> 20} MB")
    before, pillow.MAX_IMAGE_PIXELS = pillow.MAX_IMAGE_PIXELS, None
    try:
        image = pillow.open(io.BytesIO(b"".join(pieces)), formats=FORMATS)
    except Exception as error:
        if "cannot identify" in str(error):
            raise DataError(f"{content.name}: not an image") from None
        raise _damaged(content.name, error) from None
    finally:
        pillow.MAX_IMAGE_PIXELS = before
    if image.width * image.height > MOST_DOTS:
        raise DataError(f"{content.name}: {image.width:,} × {image.height:,} dots are too many")
    return image


def _frames(image: Any, name: str) -> int:
    try:
        return int(getattr(image, "n_frames", 1))
    except Exception as error:  # counting goes through the file
        raise _damaged(name, error) from None


def _damaged(name: str, error: Exception) -> DataError:
    why = next(iter(str(error).splitlines()), "") or type(error).__name__
    return DataError(f"{name}: a damaged image: {why[:200]}")


def _grey(image: Any, name: str) -> Picture:
    from PIL import ImageOps

    if image.width * image.height > MOST_DOTS:
        raise DataError(f"{name}: {image.width:,} × {image.height:,} dots are too many")
    given = image.info.get("dpi", (0, 0))
    turned = ImageOps.exif_transpose(image)
    plain = turned if turned.mode in ("L", "1", "RGB") else _on_white(turned)
    grey = plain.convert("L")
    dpi = round(float(given[0])) if isinstance(given, tuple) and given else 0
    return Picture(grey.width, grey.height, grey.tobytes(), dpi if 50 <= dpi <= 2400 else DPI)


def _on_white(image: Any) -> Any:
    """Without transparency, sixteen bits or a palette."""
    if image.mode.startswith("I"):
        return image.point(lambda value: value / 256).convert("L") if image.mode != "I;16" else image.convert("L")
    if "A" in image.mode or "transparency" in image.info:
        pillow = _pillow()
        full = image.convert("RGBA")
        white = pillow.new("RGBA", full.size, "white")
        white.alpha_composite(full)
        return white.convert("RGB")
    return image.convert("RGB")


def _from_pdf(document: Any, number: int, name: str) -> Picture:
    page = document[number]
    try:
        width, height = page.get_size()
        scale = DPI / 72
        if width * height * scale * scale > MOST_DOTS:
            raise DataError(f"{name}: page {number + 1} is too large to be drawn")
        image = page.render(scale=scale, grayscale=True).to_pil().convert("L")
        return Picture(image.width, image.height, image.tobytes(), DPI)
    finally:
        page.close()
