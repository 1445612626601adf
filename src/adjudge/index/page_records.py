"""The pages of scanned documents, stored beside their texts: about three bytes a word.

Words follow each other on a line, so what is written of a box is how far it lies from the box before: small numbers,
column by column, in as many bytes as they need, and then packed in blocks with those of other documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.document import Document
from ..core.errors import DataError
from ..core.scanned_page import UNKNOWN, ScannedPage
from . import varbyte
from .index_files import Writer
from .texts import CODEC, BlockWriter, read_parts

Integers = npt.NDArray[Any]
PARTS = 3
"""A record: names, numbers, confidences."""
ABOUT = 6
"""Numbers that a page has beside its words: bytes of label and image, width, height, words, whether confidences."""
COLUMNS = 6
"""Numbers of a word: gap, length, left, top, width, height."""
SPAN = ("starts", "ends")


class PageWriter(BlockWriter):
    """Takes documents in order and writes their pages."""

    def __init__(self, writer: Writer) -> None:
        super().__init__(writer, "page", PARTS)

    def add_documents(self, documents: Sequence[Document]) -> None:
        for record in encode_records([document.pages for document in documents]):
            self.add(*record)


def encode_pages(pages: Sequence[ScannedPage]) -> tuple[bytes, bytes, bytes]:
    """The pages of a document as bytes: names, numbers, confidences; nothing if it has no pages."""
    return encode_records([pages])[0]


def encode_records(documents: Sequence[Sequence[ScannedPage]]) -> list[tuple[bytes, bytes, bytes]]:
    """The same for many documents in one go: a page has few words, and many small steps would take most of the time."""
    columns = iter(_columns([page for pages in documents for page in pages]))
    names, confidences = list[bytes](), list[bytes]()
    numbers, cuts = list[Integers](), [0]
    for pages in documents:
        own_names, sure, count = list[bytes](), list[bytes](), 0
        if pages:
            numbers.append(np.array([len(pages)], np.int64))
            count = 1
        for page in pages:
            label, image = page.label.encode(*CODEC), page.image.encode(*CODEC)
            known = bool((page.confidences != UNKNOWN).any())
            own_names += [label, image]
            about = [len(label), len(image), page.width, page.height, len(page), int(known)]
            numbers += [np.array(about, np.int64), next(columns)]
            count += ABOUT + COLUMNS * len(page)
            if known:
                sure.append(page.confidences.tobytes())
        names.append(b"".join(own_names))
        confidences.append(b"".join(sure))
        cuts.append(cuts[-1] + count)
    values = np.concatenate([*numbers, np.zeros(0, np.int64)])
    ends = np.concatenate([[0], np.cumsum(varbyte.widths(values))])[cuts].tolist()
    raw = varbyte.encode(values).tobytes()
    parts = (raw[start:end] for start, end in pairwise(ends))
    return list(zip(names, parts, confidences, strict=True))


def _columns(pages: Sequence[ScannedPage]) -> list[Integers]:
    """Six numbers a word for each page, column after column."""
    if not pages:
        return []
    cuts = np.cumsum([0, *map(len, pages)]).tolist()
    starts, ends = (np.concatenate([getattr(page, name) for page in pages]).astype(np.int64) for name in SPAN)
    left, top, right, bottom = np.concatenate([page.boxes for page in pages]).astype(np.int64).T
    firsts = np.array([first for first, last in pairwise(cuts) if first < last], np.int64)
    steps = (starts - _before(ends, firsts), left - _before(right, firsts), top - _before(top, firsts))
    signed = [(step << 1) ^ (step >> 63) for step in steps]  # small numbers of either sign become small ones
    columns = np.stack([signed[0], ends - starts, signed[1], signed[2], right - left, bottom - top])
    return [columns[:, first:last].ravel() for first, last in pairwise(cuts)]


def _before(values: Integers, firsts: Integers) -> Integers:
    """The value of the word before; 0 for the first of a page."""
    out = np.zeros_like(values)
    out[1:] = values[:-1]
    out[firsts] = 0
    return out


def read_pages(place: str, arrays: Sequence[Integers], document: int) -> tuple[ScannedPage, ...]:
    """The pages of a document, from the four arrays that were written."""
    parts = read_parts(place, arrays, document, PARTS)
    try:
        return decode_pages(*parts)
    except (ValueError, IndexError, OverflowError) as error:
        raise DataError(f"{place}: damaged: pages of document {document:,}: {error}") from None


def decode_pages(names: bytes, raw_numbers: bytes, raw_confidences: bytes) -> tuple[ScannedPage, ...]:
    """The pages that were encoded; a DataError or ValueError if these bytes are something else."""
    if not raw_numbers:
        return ()
    numbers = varbyte.decode(np.frombuffer(raw_numbers, np.uint8))
    confidences = np.frombuffer(raw_confidences, np.uint8)
    pages: list[ScannedPage] = []
    at, name_at, confidence_at = 1, 0, 0
    for _ in range(int(numbers[0])):
        label_size, image_size, width, height, words, known = numbers[at : at + ABOUT].tolist()
        at += ABOUT
        columns = numbers[at : at + COLUMNS * words].reshape(COLUMNS, words)
        at += COLUMNS * words
        image_at = name_at + label_size
        label, image = names[name_at:image_at], names[image_at : image_at + image_size]
        name_at = image_at + image_size
        certainty = confidences[confidence_at : confidence_at + words] if known else np.full(words, UNKNOWN, np.uint8)
        confidence_at += words if known else 0
        starts, ends, boxes = _undo(columns)
        text = label.decode(*CODEC), image.decode(*CODEC)
        pages.append(ScannedPage(*text, width, height, starts, ends, boxes, certainty))
    if (at, name_at, confidence_at) != (len(numbers), len(names), len(confidences)):
        raise ValueError("its parts are not as long as they should be")
    return tuple(pages)


def _undo(columns: Integers) -> tuple[Integers, Integers, Integers]:
    """Starts, ends and boxes, from what was written of each word."""
    signed = (columns >> 1) ^ -(columns & 1)
    gap, left, top = signed[0], signed[2], signed[3]
    length, width, height = columns[1], columns[4], columns[5]
    ends = np.cumsum(gap + length)
    rights, tops = np.cumsum(left + width), np.cumsum(top)
    return ends - length, ends, np.stack([rights - width, tops, rights, tops + height], axis=1)
