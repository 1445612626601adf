"""The documents that a desk shows: titles and texts by their ids, and the pages of those that were scanned."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from ..core.scanned_page import ScannedPage
from ..page_view.scan_images import ScanImages


@dataclass(frozen=True)
class DeskDocuments:
    """Where texts come from. It is called with an id, and gives title and text, or None if it has no such document."""

    find: Callable[[str], tuple[str, str] | None]
    has: Callable[[str], bool]
    """Whether there is a document, without reading it."""
    pages: Callable[[str], Sequence[ScannedPage]] = lambda _: ()
    """The scanned pages of a document; none if it was not scanned."""
    images: ScanImages | None = None
    search: Callable[[str], Collection[str]] = lambda _: ()
    """The ids of the documents that have all of some words."""

    def __call__(self, id_: str) -> tuple[str, str] | None:
        return self.find(id_)

    @property
    def with_images(self) -> bool:
        """Whether the folder of the page images is there."""
        return self.images is not None and self.images.there
