"""Images of pages for a browser: read below one folder only, and made into what browsers show."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..core.errors import MissingExtraError
from ..core.scanned_page import ImagePlace, ScannedPage
from ..formats.documents.layouts.pdf import PdfLayout, opened_pdf
from ..formats.documents.page_images import check_dots, opened_image
from ..formats.documents.scan_layout import Bytes
from ..storage.access import is_within
from ..web.refusals import RefusalError
from .recent_values import Recent

LARGEST = 64 << 20
"""Bytes of an image that are sent as they are."""
LONGEST_SIDE = 4000
"""Dots of an image that was made for a browser."""
KEPT = 64 << 20
AT_A_TIME = 2
"""Images that are decoded at the same time: each may take a hundred megabytes."""
PLAIN = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
"""What every browser shows, by its first bytes; names say nothing."""


class SentImage(NamedTuple):
    """The bytes of an image, and of which kind they are."""

    content: bytes
    kind: str


class ScanImages:
    """The images below a folder."""

    def __init__(self, root: str) -> None:
        self.root = Path(root) if root else None
        self._recent: Recent[SentImage] = Recent(KEPT, lambda image: float(len(image.content)))
        self._decoding = threading.Semaphore(AT_A_TIME)

    @property
    def there(self) -> bool:
        """Whether the folder is there."""
        return self.root is not None and os.path.isdir(self.root)

    def image(self, page: ScannedPage) -> SentImage:
        """The image of a page; a refusal says why there is none, and nothing about the folders of this machine."""
        place = page.place
        if place is None:
            raise RefusalError(404, "This page has no image.")
        return self._recent.get(place, lambda: self._read(place))

    def _read(self, place: ImagePlace) -> SentImage:
        path = self.path_of(place)
        try:
            with path.open("rb") as file:
                head = file.read(1024)
            if not place.member and not place.page and (kind := _kind(head)) and path.stat().st_size <= LARGEST:
                return SentImage(path.read_bytes(), kind)
            with self._decoding:
                return self._decode(path, place)
        except MissingExtraError as error:
            raise RefusalError(501, f"{error}.") from None
        except RefusalError:
            raise
        except Exception:  # decoders of Pillow fail in many ways
            raise RefusalError(404, "The image of this page cannot be read.") from None

    def path_of(self, place: ImagePlace) -> Path:
        """The file of an image; one that does not lie below the folder, whatever links lead there, is none."""
        parts = place.path.split("/")
        if self.root is None or place.path.startswith("/") or ".." in parts or "\0" in place.path:
            raise RefusalError(404, "This page has no image here.")
        path = self.root.joinpath(*parts)
        if not is_within(path, self.root) or not os.path.isfile(path):
            raise RefusalError(404, "This page has no image here.")
        return path

    def _decode(self, path: Path, place: ImagePlace) -> SentImage:
        if place.member:
            raw = _member(path, place.member)
            if (kind := _kind(raw)) and not place.page:
                return SentImage(raw, kind)
            content = Bytes(path.name, lambda: [raw])
        else:
            content = Bytes(path.name, lambda: _pieces(path), str(path))
        head = next(iter(content.pieces()), b"")[:1024]
        if PdfLayout.shows(head):
            return _pdf_page(content, max(1, place.page))
        opened, size = opened_image(content)
        with opened as image:
            try:
                image.seek(max(0, place.page - 1))
            except EOFError:
                raise RefusalError(404, "The image of this page cannot be read.") from None
            check_dots(image, size, path.name)
            return _send(image)


def _kind(head: bytes) -> str | None:
    return next((kind for magic, kind in PLAIN.items() if head.startswith(magic)), None)


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            yield piece


def _member(path: Path, member: str) -> bytes:
    """A file of a zip or tar."""
    import tarfile
    import zipfile

    refused = RefusalError(404, "The image of this page cannot be read.")
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                about = next((each for each in archive.infolist() if each.filename.removeprefix("./") == member), None)
                if about is None or about.file_size > LARGEST:
                    raise refused
                return archive.read(about)
        with tarfile.open(path) as packed:
            for each in packed:
                if each.name.removeprefix("./") == member and each.isreg() and each.size <= LARGEST:
                    file = packed.extractfile(each)
                    return file.read() if file is not None else b""
    except (zipfile.BadZipFile, tarfile.TarError, NotImplementedError, RuntimeError, EOFError, ValueError):
        raise refused from None
    raise refused


def _pdf_page(content: Bytes, number: int) -> SentImage:
    with _PDFIUM, opened_pdf(content) as document:
        if number > len(document):
            raise RefusalError(404, "The image of this page cannot be read.")
        page = document[number - 1]
        try:
            width, height = page.get_size()
            scale = min(200 / 72, LONGEST_SIDE / max(width, height, 1.0))
            return _send(page.render(scale=scale).to_pil())
        finally:
            page.close()


_PDFIUM = threading.Lock()
"""PDFium may not be used by two threads."""


def _send(image: Any) -> SentImage:
    """An image of Pillow as browsers show it: no larger than needed, without transparency."""
    from PIL import ImageOps

    two = image.mode == "1"
    if image.mode.startswith("I;16") or image.mode == "I":
        plain = image.point(lambda value: value / 256).convert("L")
    elif image.mode in ("L", "RGB"):
        plain = image  # a large page is not copied
    else:
        plain = image.convert("L" if two or image.mode == "LA" else "RGB")
    plain.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    ImageOps.exif_transpose(plain, in_place=True)
    out = io.BytesIO()
    if two:
        plain.save(out, "PNG")
        return SentImage(out.getvalue(), "image/png")
    plain.save(out, "JPEG", quality=85)
    return SentImage(out.getvalue(), "image/jpeg")


def root_of(recorded: str, given: str | os.PathLike[str] | None) -> str:
    """The folder of the images: the one that is given, or else the one that the index recorded."""
    return os.fspath(given) if given is not None else recorded
