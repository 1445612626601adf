"""Images of pages: PNG, JPEG, the pages of a TIFF and those of a PDF, decoded for an engine or for a browser."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, Protocol

from ...core.errors import AdjudgeError, DataError, MissingExtraError
from .layouts.pdf import PdfLayout, opened_pdf
from .page_text import PageText
from .scan_layout import Bytes

MOST_DOTS = 400_000_000
"""A newspaper page at 600 dpi has 150 million; more is taken for a bomb."""
MOST_BYTES = 1 << 30
ROOM, TIMES = 180 << 20, 20
"""Bytes that decoding may take, and beside them so many times the file: a blank newspaper page of two colours fits."""
STRIP = 1 << 20
"""Dots that are handed out at a time."""
DPI = 300
"""The resolution in which pages of a PDF are drawn, and which is assumed of images that do not tell theirs."""
FORMATS = ("PNG", "JPEG", "TIFF")
ORIENTATION, BITS, ROWS = 274, 258, 278
"""Tags of EXIF and TIFF: how the page was held, bits of each colour, rows of a strip."""
TURNS = {2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}
"""What Pillow does for an orientation: flips, turns by 90, 180 and 270 degrees, and both."""


class Picture:
    """A page in shades of grey, until the next page of its file is asked for.

    It is decoded once and handed out in strips: a large page is not there twice.
    """

    def __init__(self, image: Any, dpi: int, orientation: int = 1) -> None:
        self._image, self._orientation = image, orientation
        wide, tall = image.size
        self.width, self.height = (tall, wide) if orientation > 4 else (wide, tall)
        self.dpi = dpi

    def strips(self) -> Iterator[bytes]:
        """A byte a dot, 0 is black, some rows at a time."""
        rows = max(1, STRIP // self.width)
        for top in range(0, self.height, rows):
            part = _turned(self._image, top, min(top + rows, self.height), self._orientation)
            yield _grey(part)

    @property
    def grey(self) -> bytes:
        """All strips."""
        return b"".join(self.strips())

    def pgm(self) -> Iterator[bytes]:
        """The file format that every engine reads, in pieces."""
        yield b"P5\n%d %d\n255\n" % (self.width, self.height)
        yield from self.strips()


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
            size = sum(map(len, content.pieces()))
            for number in range(len(document)):
                yield number + 1, _from_pdf(document, number, content.name, size)
        return
    opened, size = opened_image(content)
    with opened as image:
        frames = _frames(image, content.name)
        for number in range(frames):
            try:
                image.seek(number)
                yield (number + 1 if frames > 1 else 0), _decoded(image, size, content.name)
            except AdjudgeError:
                raise
            except Exception as error:  # decoders of Pillow fail in many ways
                raise _damaged(content.name, error) from None


def opened_image(content: Bytes) -> tuple[Any, int]:
    """An image of Pillow, not decoded yet, and the bytes of its file; a DataError if it is none, or too large."""
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
    check_dots(image, size, content.name)
    return image, size


def check_dots(image: Any, size: int, name: str) -> None:
    """Refuse, before anything is decoded, dots that are not there or take too much for a file of that size."""
    if _memory(image) > ROOM + TIMES * size:
        image.draft("L", None)  # colours of a JPEG are not needed
    _refuse_bomb(image.width, image.height, _memory(image), size, name)
    if image.format == "TIFF" and (there := sum(map(_area, image.tile))) < image.width * image.height:
        raise DataError(f"{name}: a damaged image: {there:,} dots of {image.width:,} × {image.height:,} are there")


def _refuse_bomb(wide: int, tall: int, taken: int, size: int, name: str) -> None:
    if wide * tall > MOST_DOTS:
        raise DataError(f"{name}: {wide:,} × {tall:,} dots are too many")
    if taken > ROOM + TIMES * size:
        dots = f"{wide:,} × {tall:,} dots take {taken >> 20:,} MB when they are decoded"
        raise DataError(f"{name}: {dots}, too many for a file of {size:,} bytes")


def _area(tile: Any) -> int:
    left, top, right, low = tile[1]
    return int((right - left) * (low - top))


def _memory(image: Any) -> int:
    """Bytes that decoding takes, as Pillow and its libraries do it."""
    mode, dots = str(image.mode), int(image.width * image.height)
    each = 1 if mode in ("1", "L", "P") else 2 if mode.startswith("I;16") else 4
    if image.format == "TIFF":
        each *= 1 if image.tag_v2.get(ORIENTATION, 1) == 1 else 2  # Pillow turns it
        return dots * each + _strip_of(image)
    if image.info.get("progressive"):
        each += 2 if mode == "L" else 6  # all coefficients are kept until the last scan
    return dots * each


def _strip_of(image: Any) -> int:
    """Bytes of a strip of a TIFF that a library unpacks as a whole."""
    if all(tile[0] != "libtiff" for tile in image.tile):
        return 0
    bits = image.tag_v2.get(BITS, (1,))
    rows = min(image.height, int(image.tag_v2.get(ROWS, image.height)))
    return int(image.width * rows * sum(bits) // 8)


def _frames(image: Any, name: str) -> int:
    try:
        return int(getattr(image, "n_frames", 1))
    except Exception as error:  # counting goes through the file
        raise _damaged(name, error) from None


def _damaged(name: str, error: Exception) -> DataError:
    why = next(iter(str(error).splitlines()), "") or type(error).__name__
    return DataError(f"{name}: a damaged image: {why[:200]}")


def _decoded(image: Any, size: int, name: str) -> Picture:
    check_dots(image, size, name)
    given = image.info.get("dpi", (0, 0))
    dpi = round(float(given[0])) if isinstance(given, tuple) and given else 0
    image.load()
    orientation = image.getexif().get(ORIENTATION, 1)
    return Picture(image, dpi if 50 <= dpi <= 2400 else DPI, orientation if orientation in TURNS else 1)


def _turned(image: Any, top: int, low: int, orientation: int) -> Any:
    """The rows from ``top`` to ``low`` of an image that is turned as its camera says."""
    if orientation in (6, 5):
        box = (top, 0, low, image.height)
    elif orientation in (7, 8):
        box = (image.width - low, 0, image.width - top, image.height)
    elif orientation in (3, 4):
        box = (0, image.height - low, image.width, image.height - top)
    else:
        box = (0, top, image.width, low)
    part = image.crop(box)
    return part.transpose(TURNS[orientation]) if orientation in TURNS else part


def _grey(part: Any) -> bytes:
    plain = part if part.mode in ("L", "1", "RGB") else _on_white(part)
    return bytes((plain if plain.mode == "L" else plain.convert("L")).tobytes())


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


def _from_pdf(document: Any, number: int, name: str, size: int) -> Picture:
    page = document[number]
    try:
        scale = DPI / 72
        wide, tall = (max(1, round(side * scale)) for side in page.get_size())
        _refuse_bomb(wide, tall, wide * tall, size, f"{name}: page {number + 1}")
        return Picture(page.render(scale=scale, grayscale=True).to_pil(), DPI)
    finally:
        page.close()
