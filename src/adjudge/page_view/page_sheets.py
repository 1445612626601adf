"""A scanned page to be drawn: its size, its image or its words, and where words of the text stand on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..core.scanned_page import UNKNOWN, ScannedPage
from ..core.visible import visible

MOST_BOXES = 20_000
"""Words that are drawn on a page without an image."""
SMALLEST_PAGE = 100
LETTER = 0.8
"""How much of the height of its box a word takes that is drawn."""


class Box(NamedTuple):
    """A place on a page."""

    x: int
    y: int
    width: int
    height: int


class DrawnWord(NamedTuple):
    """A word on a page without an image."""

    text: str
    box: Box


@dataclass(frozen=True)
class PageSheet:
    """One page of a document."""

    at: int
    label: str
    width: int
    height: int
    image: bool
    words: tuple[DrawnWord, ...]
    """The words of a page that has no image."""
    doubted: int
    """Words of which the engine was less than half sure."""


def sheet_of(text: str, page: ScannedPage, at: int, images: bool) -> PageSheet:
    """A page of a text; its words are drawn where there is no image of it."""
    width, height = page_size(page)
    drawn = () if page.image and images else _drawn(text, page)
    known = page.confidences != UNKNOWN
    doubted = int((page.confidences[known] < 50).sum())
    return PageSheet(at, page.label, width, height, bool(page.image) and images, drawn, doubted)


def boxes_of(pages: Sequence[ScannedPage], start: int, end: int) -> tuple[int, tuple[Box, ...]]:
    """The page of a span of the text, and where it stands on it: two boxes for a word that is cut at a line's end."""
    for at, page in enumerate(pages):
        if len(page) and int(page.starts.min()) < end and start < int(page.ends.max()):
            words = page.words_in(start, end)
            if len(words):
                width, height = page_size(page)
                boxes = (_within(page.boxes[word].tolist(), width, height) for word in words.tolist())
                return at, tuple(box for box in boxes if box is not None)
    return -1, ()


def page_size(page: ScannedPage) -> tuple[int, int]:
    """Width and height; where the file does not say them, so large that all words lie on it."""
    right, bottom = page.boxes[:, 2:].max(axis=0).tolist() if len(page) else (0, 0)
    return page.width or max(right, SMALLEST_PAGE), page.height or max(bottom, SMALLEST_PAGE)


def _within(box: Sequence[int], width: int, height: int) -> Box | None:
    """The part of a box that lies on the page; None if there is none."""
    left, top, right, bottom = box[0], box[1], min(box[2], width), min(box[3], height)
    return Box(left, top, right - left, bottom - top) if left < right and top < bottom else None


def _drawn(text: str, page: ScannedPage) -> tuple[DrawnWord, ...]:
    """The words of a page where the file says that they stand."""
    width, height = page_size(page)
    words = []
    columns = (page.starts.tolist(), page.ends.tolist(), page.boxes.tolist())
    for start, end, place in list(zip(*columns, strict=True))[:MOST_BOXES]:
        box = _within(place, width, height)
        if box is not None and text[start:end].strip():
            words.append(DrawnWord(visible(text[start:end]), box))
    return tuple(words)
