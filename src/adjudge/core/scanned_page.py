"""A scanned page: where each word of a text stands on the image of the page, and how sure the engine was of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .columns import column, read_only
from .errors import DataError

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[Any]

UNKNOWN = 255
"""The confidence of a word for which the file has none."""
CERTAIN = 100
LARGEST = 2**31 - 1
"""The largest coordinate and offset."""
PAGE_OF_FILE = re.compile(r"(.*)#page=([1-9][0-9]{0,8})", re.DOTALL)
INSIDE = "!/"


class ImagePlace(NamedTuple):
    """Where the image of a page is: a file, perhaps a member of an archive, perhaps one page of several in it.

    >>> ImagePlace("box/vol1.zip", "p3.tif", 2).text
    'box/vol1.zip!/p3.tif#page=2'
    >>> ImagePlace.parse("vol2.pdf#page=7")
    ImagePlace(path='vol2.pdf', member='', page=7)
    """

    path: str
    """Relative to the folder that the index records as its source, with slashes."""
    member: str = ""
    """The path inside the archive, if the file is one."""
    page: int = 0
    """The page of a PDF or TIFF, from 1; 0 if the file is one image."""

    @property
    def text(self) -> str:
        """One string, as :attr:`ScannedPage.image` has it."""
        page = f"#page={self.page}" if self.page else ""
        return f"{self.path}{INSIDE + self.member if self.member else ''}{page}"

    @classmethod
    def parse(cls, image: str) -> ImagePlace:
        """The place that a string names."""
        match = PAGE_OF_FILE.fullmatch(image)
        file, page = (match[1], int(match[2])) if match else (image, 0)
        path, _, member = file.partition(INSIDE)
        return cls(path, member, page)


@dataclass(frozen=True, eq=False)
class ScannedPage:
    """The words of one page of a document, in reading order.

    A word that is cut at the end of a line is one word of the text and two entries here, one for each part.
    """

    label: str
    """What people call the page: its number in the book, or the name of its file."""
    image: str
    """Where its image is, as :class:`ImagePlace` reads it; '' if there is none."""
    width: int
    """Of the page, in the units of the boxes; 0 if the file does not say."""
    height: int
    starts: Integers
    """Where each word begins in the text of the document, in characters."""
    ends: Integers
    boxes: Integers
    """Left, top, right, bottom of each word, from the upper left corner of the page; all 0 for a word without box."""
    confidences: Integers
    """How sure the engine was of each word, 0 to 100; 255 if the file does not say."""

    def __post_init__(self) -> None:
        for name, kind in (("starts", np.int32), ("ends", np.int32), ("confidences", np.uint8)):
            object.__setattr__(self, name, read_only(column(getattr(self, name), kind, f"page: {name}")))
        boxes = np.ascontiguousarray(self.boxes, np.int32).reshape(-1, 4)
        object.__setattr__(self, "boxes", read_only(boxes))
        if wrong := self._impossible():
            raise DataError(f"page {self.label!r}: {wrong}")

    def _impossible(self) -> str:
        if not len(self.starts) == len(self.ends) == len(self.boxes) == len(self.confidences):
            return "starts, ends, boxes and confidences are not equally many"
        if not (0 <= self.width <= LARGEST and 0 <= self.height <= LARGEST):
            return f"it cannot be {self.width} × {self.height} large"
        if len(self.starts) and (int(self.starts.min()) < 0 or bool((self.ends < self.starts).any())):
            return "a word ends before it begins"
        if len(self.boxes) and (int(self.boxes.min()) < 0 or bool((self.boxes[:, 2:] < self.boxes[:, :2]).any())):
            return "a box is turned inside out"
        if bool(((self.confidences > CERTAIN) & (self.confidences != UNKNOWN)).any()):
            return f"a confidence is above {CERTAIN}"
        return ""

    def __len__(self) -> int:
        return len(self.starts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScannedPage):
            return NotImplemented
        mine, theirs = ((p.label, p.image, p.width, p.height) for p in (self, other))
        names = ("starts", "ends", "boxes", "confidences")
        return mine == theirs and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]

    @property
    def place(self) -> ImagePlace | None:
        """Where its image is."""
        return ImagePlace.parse(self.image) if self.image else None

    def words_in(self, start: int, end: int) -> npt.NDArray[np.int64]:
        """The numbers of the words that a span of the text touches: both parts of one that is cut at a line's end."""
        return np.flatnonzero((self.starts < end) & (self.ends > start))
