"""The words of a scanned page as a file has them, and how pages become the text of a document.

A reader of a layout fills a :class:`PageText` word by word. :func:`assemble` puts the words of some pages together to
one text: blanks between words, line breaks between lines, a blank line between blocks and pages. A word that is cut at
the end of a line is joined, and the boxes of both parts are kept.
"""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...core.errors import DataError
from ...core.scanned_page import CERTAIN, LARGEST, UNKNOWN, ScannedPage

HYPHENS = "-\u00ad\u00ac\u2010\u2011\u2e17\u2e40\x02\ufffe="
"""What stands at the end of a line where a word is cut: hyphens, the not sign that some engines write for a soft one,
the double hyphens of Fraktur, and what libraries put for a hyphen that they understood."""
CERTAIN_HYPHENS = "\u00ad\u00ac\x02\ufffe"
"""These mean that a word is cut, whatever follows."""
NO_BOX = (0, 0, 0, 0)
Box = tuple[float, float, float, float]


@dataclass(eq=False)
class PageText:
    """The words of one page in reading order, as columns."""

    label: str = ""
    image: str = ""
    """The image as the file names it; later its place in the collection."""
    width: int = 0
    height: int = 0
    words: list[str] = field(default_factory=list)
    boxes: array[int] = field(default_factory=lambda: array("i"))
    """Four numbers a word: left, top, right, bottom."""
    confidences: bytearray = field(default_factory=bytearray)
    lines: list[int] = field(default_factory=list)
    """How many words there are before the end of each line."""
    blocks: list[int] = field(default_factory=list)
    """How many words there are before the end of each block."""
    whole: dict[int, str] = field(default_factory=dict)
    """The first part of a word of which the file says that it is cut, by number, and the whole word or ''."""
    names: list[str] = field(default_factory=list)
    """The id of each block, and behind it those of the blocks around it; nothing if the layout has none."""
    broken: int = 0
    """Boxes that cannot be."""

    def add(self, text: str, box: Box | None = None, confidence: int = UNKNOWN) -> bool:
        """Add a word, unless it is empty; whether it was added."""
        word = text if text.isalnum() else " ".join(text.split())
        if not word:
            return False
        self.words.append(word)
        left, top, right, bottom = NO_BOX if box is None else box
        if not (left <= right and top <= bottom and right <= LARGEST and bottom <= LARGEST and right >= 0 <= bottom):
            self.broken += 1
            left = top = right = bottom = 0  # NaN comes here too
        self.boxes.extend((max(0, int(left)), max(0, int(top)), math.ceil(right), math.ceil(bottom)))
        self.confidences.append(confidence)
        return True

    def add_line(self, text: str, box: Box | None = None, confidence: int = UNKNOWN) -> None:
        """Add the words of a line of which only the whole is known: its width is shared by their letters."""
        words = text.split()
        letters = sum(map(len, words)) + len(words) - 1
        at = 0
        for word in words:
            part = None
            if box is not None:
                step = (box[2] - box[0]) / max(1, letters)
                part = (box[0] + at * step, box[1], box[0] + (at + len(word)) * step, box[3])
            self.add(word, part, confidence)
            at += len(word) + 1
        self.end_line()

    def end_line(self) -> None:
        if len(self.words) > (self.lines[-1] if self.lines else 0):
            self.lines.append(len(self.words))

    def end_block(self) -> None:
        self.end_line()
        if len(self.words) > (self.blocks[-1] if self.blocks else 0):
            self.blocks.append(len(self.words))

    def settle(self) -> PageText:
        """Bring boxes into the page; if most lie outside of it, its size is wrong and taken as unknown."""
        self.end_block()
        if self.width and self.height and self.words:
            boxes = np.frombuffer(self.boxes, np.int32).reshape(-1, 4)
            outside = (boxes[:, 2] > self.width) | (boxes[:, 3] > self.height)
            if 2 * int(outside.sum()) > len(boxes):
                self.width = self.height = 0
                self.broken += int(outside.sum())
            elif bool(outside.any()):
                kept = np.minimum(boxes, np.array([self.width, self.height] * 2, np.int32))
                kept[(kept[:, 0] >= kept[:, 2]) | (kept[:, 1] >= kept[:, 3])] = 0
                self.broken += int((outside & ~kept.any(axis=1)).sum())
                self.boxes = array("i", kept.astype(np.int32).tobytes())
        return self

    def to_json(self) -> list[object]:
        columns = [self.words, self.boxes.tolist(), self.confidences.hex(), self.lines, self.blocks]
        about = [self.label, self.image, self.width, self.height, self.broken]
        return [*about, *columns, sorted(self.whole.items()), self.names]

    @classmethod
    def from_json(cls, stored: Sequence[object]) -> PageText:
        label, image, width, height, broken, words, boxes, confidences, lines, blocks, whole, names = stored
        columns = (array("i", boxes), bytearray.fromhex(confidences), lines, blocks)  # type: ignore[arg-type,call-overload]
        return cls(label, image, width, height, words, *columns, dict(whole), names, broken)  # type: ignore[arg-type,call-overload]


def page_size(value: float | None) -> int:
    """The width or height that a file states, 0 if no page can have it."""
    return round(value) if value is not None and 1 <= value <= LARGEST else 0


def share(value: str | None, most: float = 1.0) -> int:
    """A confidence that a file gives from 0 to ``most``, as a whole number to 100; 255 if it gives none."""
    number = number_of(value)
    return round(CERTAIN * min(max(number / most, 0.0), 1.0)) if number is not None else UNKNOWN


def number_of(value: str | None) -> float | None:
    """A number as XML has it; None if it is none, or no finite one."""
    try:
        number = float(value) if value else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def box_of(left: float | None, top: float | None, width: float | None, height: float | None) -> Box | None:
    """A box from its corner and its size; None if one of them is missing."""
    if left is None or top is None or width is None or height is None:
        return None
    return left, top, left + width, top + height


def pack_pages(pages: Iterable[PageText]) -> bytes:
    """Pages as bytes, for the store."""
    from ...storage.zstd import pack

    return pack(json.dumps([page.to_json() for page in pages], ensure_ascii=True, separators=(",", ":")).encode())


def unpack_pages(raw: bytes) -> list[PageText]:
    from ...storage.zstd import unpack

    return [PageText.from_json(stored) for stored in json.loads(unpack(raw))]


def assemble(pages: Sequence[PageText]) -> tuple[str, tuple[ScannedPage, ...]]:
    """The text of some pages, and where each of their words stands in it."""
    parts: list[str] = []
    scanned: list[ScannedPage] = []
    at = 0
    for page in pages:
        if parts:
            parts.append("\n\n")
            at += 2
        starts, ends, at = _flow(page, parts, at)
        boxes = np.array(page.boxes, np.int32).reshape(-1, 4)
        certainty = np.frombuffer(bytes(page.confidences), np.uint8)
        try:
            scanned.append(
                ScannedPage(page.label, page.image, page.width, page.height, starts, ends, boxes, certainty)  # type: ignore[arg-type]
            )
        except OverflowError:
            raise DataError(f"page {page.label}: its text is too long") from None
    return "".join(parts), tuple(scanned)


def _flow(page: PageText, parts: list[str], at: int) -> tuple[list[int], list[int], int]:
    """Append the words of a page to the parts of the text; where each begins and ends, and where the text ends."""
    starts, ends, words = [], [], page.words
    line_ends, block_ends = set(page.lines), set(page.blocks)
    separator, rest, last = "", "", len(words)
    for number, word in enumerate(words):
        if separator:
            parts.append(separator)
            at += len(separator)
        begin = at
        following = number + 1
        separator = "\n\n" if following in block_ends else "\n" if following in line_ends else " "
        if rest:  # the second part of a word
            word, rest = rest, ""  # noqa: PLW2901
            separator = "\n" if separator == " " else separator
        if following in line_ends and following < last:
            whole = page.whole.get(number)
            second = words[following]
            if whole is not None or _is_cut(word, second):
                first = word.rstrip(HYPHENS) or word
                word, rest = (first, second) if not whole else (whole[: len(first)], whole[len(first) :] or second)  # noqa: PLW2901
                separator = ""
        elif following == last:
            separator = ""
        parts.append(word)
        at += len(word)
        starts.append(begin)
        ends.append(at)
    return starts, ends, at


def _is_cut(word: str, following: str) -> bool:
    """Whether the last word of a line goes on in the first of the next."""
    if len(word) < 2 or word[-1] not in HYPHENS or not word[-2].isalpha():
        return False
    return following[0].isalpha() if word[-1] in CERTAIN_HYPHENS else following[0].islower()
