"""Images of pages: what they take when they are decoded, how they are turned, and what is refused before."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjudge.core.errors import DataError
from adjudge.formats.documents import page_images
from adjudge.formats.documents.page_images import Picture, pictures
from adjudge.formats.documents.scan_layout import Bytes

Image = pytest.importorskip("PIL.Image")
CORPUS = Path(__file__).parent.parent / "fuzzing" / "corpus" / "image"


def page(content: bytes) -> Picture:
    return next(iter(pictures(Bytes("page", lambda: [content]))))[1]


def packed(image: Any, form: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def noise(wide: int, tall: int, colours: int = 0) -> Any:
    shape = (tall, wide, colours) if colours else (tall, wide)
    return Image.fromarray(np.random.default_rng(7).integers(0, 256, shape, np.uint8))


@pytest.mark.parametrize("form", ["PNG", "TIFF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_page_is_turned_strip_by_strip(form: str, orientation: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from PIL import ImageOps

    monkeypatch.setattr(page_images, "STRIP", 100)
    exif = Image.Exif()
    exif[page_images.ORIENTATION] = orientation
    content = packed(noise(31, 17), form, exif=exif)
    wanted = ImageOps.exif_transpose(Image.open(io.BytesIO(content)))
    got = page(content)
    assert (got.width, got.height, got.grey) == (*wanted.size, wanted.tobytes())
    assert b"".join(got.pgm()) == b"P5\n%d %d\n255\n" % wanted.size + wanted.tobytes()


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "LA", "CMYK"])
def test_strips_are_the_whole_in_grey(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    content = packed(noise(40, 30, 3).convert(mode), "TIFF")
    whole = page(content).grey
    monkeypatch.setattr(page_images, "STRIP", 1)
    assert page(content).grey == whole
    assert len(set(whole)) > 1


def test_a_tiff_that_says_more_than_it_has_is_one_line() -> None:
    with pytest.raises(DataError, match=r"page: a damaged image: 2,400 dots of 60 × 2,097,192 are there"):
        page((CORPUS / "2028-7565").read_bytes())


def test_dots_beyond_what_a_file_of_that_size_may_take_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_images, "ROOM", 1 << 20)
    with pytest.raises(
        DataError, match=r"page: 2,000 × 1,000 dots take 7 MB when they are decoded, too many for a fil"
    ):
        page(packed(Image.new("RGB", (2000, 1000), "white"), "PNG"))
    assert page(packed(noise(2000, 1000, 3), "PNG")).width == 2000


def test_a_jpeg_in_colours_is_decoded_in_grey_where_colours_take_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    content = packed(Image.new("RGB", (2000, 1000), "white"), "JPEG")
    monkeypatch.setattr(page_images, "ROOM", 3 << 20)
    assert set(page(content).grey) == {255}


GROWN = """
import sys
from fuzzing.attempt import _forget_peak, _memory
from adjudge.formats.documents.page_images import pictures
from adjudge.formats.documents.scan_layout import Bytes
from PIL import Image
Image.init()
content = open(sys.argv[1], "rb").read()
_forget_peak()
before = _memory("VmRSS")
for _, picture in pictures(Bytes("page", lambda: [content])):
    assert sum(map(len, picture.strips())) == 150_000_000
print(_memory("VmHWM") - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the system does not tell the peak of memory")
def test_a_blank_newspaper_page_of_600_dpi_is_there_once(tmp_path: Path) -> None:
    """150 million dots in a few kilobytes: legitimate, and within what every reader may take."""
    path = tmp_path / "blank.tif"
    path.write_bytes(packed(Image.new("1", (10_000, 15_000), 1), "TIFF", compression="group4"))
    done = subprocess.run(
        [sys.executable, "-c", GROWN, str(path)],
        env={"PYTHONPATH": str(Path(__file__).parent.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert re.fullmatch(r"\d+\n", done.stdout), done.stderr
    assert int(done.stdout) < 200 << 20
