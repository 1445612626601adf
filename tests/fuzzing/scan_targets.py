"""Files of scanned pages that are fuzzed: ALTO, hOCR, PAGE, METS, PDF, images, and volumes in folders and zips."""

from __future__ import annotations

import atexit
import io
import random
import zipfile
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from fuzzing.mutations import BINARY, TEXT, mutate, mutate_markup
from fuzzing.target import Target, file_maker, refusable
from scan_files import HOCR, alto, mets, page_xml
from scanned_archive import png

LINES = ["The canal toll was halved", "and barges paid-", "at every lock"]


def pdf(lines: list[str]) -> bytes:
    """Two pages of text, without compression, so that a changed byte changes what is read."""
    rows = " ".join(f"({line}) Tj 0 -20 Td" for line in lines)
    stream = f"BT /F1 12 Tf 40 700 Td {rows} ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 2 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /Page /Parent 2 0 R /Rotate 90 /CropBox [10 10 500 700] /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
    ]
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return (
        data + head + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(data))
    )


SEEDS = {
    "alto": [alto(LINES), alto(LINES, version=2), alto(LINES, version=4, image="a.png")],
    "hocr": [HOCR],
    "page_xml": [page_xml(), page_xml(2013)],
}


@cache
def _process() -> Any:
    """The process that reads files whose library may end it, as the program has one."""
    from adjudge.formats.documents.page_worker import PageProcess

    process = PageProcess()
    atexit.register(process.close)
    return process


def _use_pages(layout: str) -> Any:
    def use(path: Path) -> None:
        from adjudge.core.errors import DataError
        from adjudge.formats.documents.page_text import unpack_pages
        from adjudge.formats.documents.page_worker import PageFile, read_page_file

        file = PageFile(layout, path.name, str(path))
        read = _process()(file) if layout == "pdf" else read_page_file(file)
        if read.why:
            raise DataError(read.why)
        pages = unpack_pages(read.packed)
        assert len(pages) == read.pages, f"{read.pages} pages were read and {len(pages)} kept"

    return use


METS = [
    mets([("I", ["p1.xml", "p1.png"]), ("II", ["p2.xml"])]),
    mets([("1", ["p1.xml"])], "A & B".replace("&", "&amp;")),
]


def _use_mets(path: Path) -> None:
    from adjudge.formats.documents.layouts.mets import read_volume
    from adjudge.formats.documents.scan_layout import Bytes

    read_volume(Bytes(path.name, lambda: [path.read_bytes()]))


def _image_seeds() -> list[bytes]:
    from PIL import Image

    grey = np.full((40, 60), 255, np.uint8)
    grey[10:20, 5:50] = 0
    packed = [png(grey)]
    for form, mode in (("JPEG", "L"), ("TIFF", "L"), ("TIFF", "1"), ("PNG", "RGBA"), ("PNG", "P")):
        out = io.BytesIO()
        Image.fromarray(grey).convert(mode).save(out, form)
        packed.append(out.getvalue())
    return packed


def _use_image(path: Path) -> None:
    import warnings

    from adjudge.formats.documents.page_images import pictures
    from adjudge.formats.documents.scan_layout import Bytes

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _, picture in pictures(Bytes(path.name, lambda: [path.read_bytes()], str(path))):
            assert sum(map(len, picture.strips())) == picture.width * picture.height


def _archive(rng: random.Random, folder: Path) -> Path:
    """A volume of pages in a folder or a zip, one of its files changed, or the zip itself."""
    files = {
        "book/mets.xml": METS[0],
        "book/p1.xml": alto(LINES, image="p1.png"),
        "book/p2.xml": alto(LINES[:1]),
        "loose/p3.hocr": HOCR,
        "loose/p4.xml": page_xml(),
    }
    name = rng.choice(sorted(files))
    if rng.random() < 0.8:
        files[name] = mutate_markup(rng, [files[name]])
    if rng.random() < 0.1:
        files[rng.choice(("../out.xml", "/abs.xml", "book/p1.xml/x", "a\x00b.xml", "é.xml"))] = alto(LINES)
    if rng.random() < 0.6:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
            for inner, data in files.items():
                archive.writestr(zipfile.ZipInfo(inner), data)
        packed = out.getvalue()
        path = folder / "scans.zip"
        path.write_bytes(mutate(rng, [packed], BINARY) if rng.random() < 0.4 else packed)
        return path
    root = folder / "scans"
    for inner, data in files.items():
        path = root / Path(inner).name.replace("\x00", "_") if ".." in inner or inner[0] == "/" else root / inner
        if "\x00" in inner or (path.parent.exists() and not path.parent.is_dir()):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def _use_archive(path: Path) -> None:
    from adjudge import read_documents

    for unit in ("page", "document", "file"):

        def read(unit: str = unit) -> None:
            for document in read_documents(str(path), unit=unit):
                for page in document.pages:
                    assert len(page.starts) == len(page.boxes)

        refusable(read)
    assert sorted(each.name for each in path.parent.iterdir()) == [path.name], "something was written beside it"


SCAN_TARGETS = (
    *(
        Target(
            name.replace("_xml", ""),
            file_maker(f"p.{name}", partial(SEEDS.__getitem__, name), mutate_markup),
            _use_pages(name),
        )
        for name in SEEDS
    ),
    Target("mets", file_maker("m.xml", lambda: METS, mutate_markup), _use_mets),
    Target(
        "pdf",
        file_maker("b.pdf", lambda: [pdf(LINES)], lambda rng, seeds: mutate(rng, seeds, rng.choice((TEXT, BINARY)))),
        _use_pages("pdf"),
    ),
    Target("image", file_maker("i.png", _image_seeds, lambda rng, seeds: mutate(rng, seeds, BINARY)), _use_image),
    Target("scans", _archive, _use_archive, share=0.1),
)
