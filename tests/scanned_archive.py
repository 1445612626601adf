"""A small archive of scans for tests: images whose words are black bars at known places, and an index of them."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np

from adjudge.core.document import Document, Documents, InMemory
from adjudge.core.scanned_page import UNKNOWN, ScannedPage
from adjudge.index.building import build
from adjudge.index.index import Index

WIDTH, HEIGHT = 600, 400
LINES = {
    "box1/p1": ("The canal toll was halved", "and barges paid at every lock"),
    "box1/p2": ("Masons repaired the aqueduct", "every spring with lead pipes"),
    "box2/p1": ("A toll by the ton was paid", "when the railway came"),
}
YEARS = {"box1/p1": "1891", "box1/p2": "1892", "box2/p1": "1891"}
SCRIPT = "<script>document.title='attacked'</script><img src=x onerror=document.title='attacked'>"


def png(grey: np.ndarray) -> bytes:
    """A picture in shades of grey as a file."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = grey.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), grey.astype(np.uint8)], axis=1)
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    packed = chunk(b"IDAT", zlib.compress(rows.tobytes()))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + packed + chunk(b"IEND", b"")


def page_of(
    lines: tuple[str, ...], image: str, label: str = "1", offset: int = 0
) -> tuple[str, ScannedPage, np.ndarray]:
    """The text of a page, its words with boxes, and its image: a black bar for each word."""
    grey, text = np.full((HEIGHT, WIDTH), 255, np.uint8), ""
    starts, ends, boxes = [], [], []
    for row, line in enumerate(lines):
        left = 40
        for word in line.split():
            text += " " if text and text[-1] != "\n" else ""
            starts.append(offset + len(text))
            text += word
            ends.append(offset + len(text))
            box = (left, 60 + 80 * row, left + 12 * len(word), 90 + 80 * row)
            boxes.append(box)
            grey[box[1] : box[3], box[0] : box[2]] = 0
            left = box[2] + 20
        text += "\n"
    sure = np.full(len(starts), UNKNOWN, np.uint8)
    sure[:1] = 30
    columns = (np.array(starts, np.int32), np.array(ends, np.int32), np.array(boxes, np.int32))
    return text, ScannedPage(label, image, WIDTH, HEIGHT, *columns, sure), grey


class Archive(InMemory):
    """Documents whose images lie in a folder."""

    def __init__(self, documents: list[Document], folder: Path) -> None:
        super().__init__(documents)
        self.folder = folder

    @property
    def source(self) -> str:
        return str(self.folder)


def archive_in(folder: Path) -> Documents:
    """Three pages of two boxes with their images, and a document that was never scanned and attacks."""
    documents = []
    for name, lines in LINES.items():
        text, page, grey = page_of(lines, f"{name}.png")
        path = folder / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png(grey))
        documents.append(Document(name, text, f"Gazette of {name[:4]}", (page,), (("year", YEARS[name]),)))
    hostile = Document(f"x/{SCRIPT}", f"toll {SCRIPT} \u202e canal", SCRIPT, (), (("year", "1900"), ("by", SCRIPT)))
    return Archive([*documents, hostile], folder)


def archive_index(folder: Path) -> Index:
    """The index of that archive."""
    return build(archive_in(folder / "scans"), folder / "archive.index", texts=True)
