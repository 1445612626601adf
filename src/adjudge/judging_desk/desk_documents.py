"""The documents that a desk shows: titles and texts by their ids, and the pages of those that were scanned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..core.scanned_page import ScannedPage
from ..formats.documents.formula_places import PlacedFormula
from ..page_view.scan_images import ScanImages

LONGEST_TEXT = 500_000
"""Characters of a document that are shown."""


@dataclass(frozen=True)
class DeskDocuments:
    """Where texts come from. It is called with an id, and gives title and text, or None if it has no such document."""

    find: Callable[[str], tuple[str, str] | None]
    has: Callable[[str], bool]
    """Whether there is a document, without reading it."""
    pages: Callable[[str], Sequence[ScannedPage]] = lambda _: ()
    """The scanned pages of a document; none if it was not scanned."""
    images: ScanImages | None = None
    listed: Iterable[str] = ()
    """The ids of all documents."""
    search: Callable[[str], npt.NDArray[np.int64]] = lambda _: np.zeros(0, np.int64)
    """The documents that have all of some words: their places among those that are listed."""
    formulas: Callable[[str], Sequence[PlacedFormula]] = lambda _: ()
    """The formulas of a document, where its pages have MathML."""

    def __call__(self, id_: str) -> tuple[str, str] | None:
        return self.find(id_)

    @property
    def with_images(self) -> bool:
        """Whether the folder of the page images is there."""
        return self.images is not None and self.images.there
