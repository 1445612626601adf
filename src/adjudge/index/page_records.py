"""The pages of scanned documents, stored beside their texts: about three bytes a word.

Words follow each other on a line, so what is written of a box is how far it lies from the box before: small numbers,
column by column, in as many bytes as they need, and then packed in blocks with those of other documents.
"""

from __future__ import annotations

from collections.abc import Sequence
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


class PageWriter(BlockWriter):
    """Takes documents in order and writes their pages."""

    def __init__(self, writer: Writer) -> None:
        super().__init__(writer, "page", PARTS)

    def add_documents(self, documents: Sequence[Document]) -> None:
        for document in documents:
            self.add(*encode_pages(document.pages))


def encode_pages(pages: Sequence[ScannedPage]) -> tuple[bytes, bytes, bytes]:
    """The pages of a document as bytes: names, numbers, confidences; nothing if it has no pages."""
    if not pages:
        return b"", b"", b""
    names, numbers, confidences = [], [np.array([len(pages)], np.int64)], []
    for page in pages:
        label, image = page.label.encode(*CODEC), page.image.encode(*CODEC)
        known = bool((page.confidences != UNKNOWN).any())
        names += [label, image]
        about = [len(label), len(image), page.width, page.height, len(page), int(known)]
        numbers += [np.array(about, np.int64), _columns(page)]
        if known:
            confidences.append(page.confidences.tobytes())
    return b"".join(names), varbyte.encode(np.concatenate(numbers)).tobytes(), b"".join(confidences)


def _columns(page: ScannedPage) -> Integers:
    """Six numbers a word, column after column."""
    starts, ends, boxes = page.starts.astype(np.int64), page.ends.astype(np.int64), page.boxes.astype(np.int64)
    left, top, right, bottom = boxes.T
    gap = starts - _before(ends)
    steps = (gap, left - _before(right), top - _before(top))
    signed = [(step << 1) ^ (step >> 63) for step in steps]  # small numbers of either sign become small ones
    return np.concatenate([signed[0], ends - starts, signed[1], signed[2], right - left, bottom - top])


def _before(values: Integers) -> Integers:
    """The value of the word before; 0 for the first."""
    out = np.zeros_like(values)
    out[1:] = values[:-1]
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
