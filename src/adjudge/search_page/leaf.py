"""A document as it is looked at: one page with the places of what was found on it, and the text beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..core.document import Document
from ..core.scanned_page import ScannedPage
from ..core.visible import visible, visible_lines
from ..page_view.page_sheets import Box, PageSheet, boxes_of, sheet_of
from ..report.search_results import Marking
from ..report.snippets import term_places
from ..systems.parts.answerer import Taken
from .catalogue import Catalogue

LONGEST_TEXT = 500_000
"""Characters of a text that are shown."""


@dataclass(frozen=True)
class Spot:
    """Something in a text that was taken for a word of the question."""

    number: int
    """Among all of the document, from 1."""
    start: int
    end: int
    text: str
    page: int
    """The number of its page, from 0; -1 if the document has none there."""
    boxes: tuple[Box, ...]
    taken: Taken | None

    @property
    def reading(self) -> str:
        """What it was read as, if that is not what it looks like."""
        if self.taken is None or self.taken.string == self.taken.read_as:
            return ""
        return f"read as {visible(self.taken.read_as)}, probability {self.taken.probability:.2f}"


class TextPiece(NamedTuple):
    """A piece of a text, which may be a spot."""

    text: str
    spot: Spot | None = None


@dataclass(frozen=True)
class Leaf:
    """What is shown of a document."""

    document: Document
    number: int
    labels: tuple[str, ...]
    on_page: tuple[int, ...]
    """How many spots each page has."""
    sheet: PageSheet | None
    spots: tuple[Spot, ...]
    """All of the document."""
    pieces: tuple[TextPiece, ...]
    """The text of the page, or the whole if there are no pages."""
    cut: int
    """Characters that are not shown."""

    @property
    def here(self) -> tuple[Spot, ...]:
        """The spots of what is shown."""
        return tuple(piece.spot for piece in self.pieces if piece.spot is not None)


def spots_of(catalogue: Catalogue, document: Document, pages: Sequence[ScannedPage], words: str) -> tuple[Spot, ...]:
    """Everything in a document that was taken for a word of a question, in the order of the text."""
    if not words:
        return ()
    marking, analyzer = catalogue.marking(words), catalogue.index.analyzer
    places = term_places(document.text, analyzer, marking.likely)
    if not places:  # as in the list of results
        places = term_places(document.text, analyzer, marking.every)
    spots: list[Spot] = []
    for start, end, _ in _separate(places):
        text = document.text[start:end]
        on, boxes = boxes_of(pages, start, end)
        spots.append(Spot(len(spots) + 1, start, end, text, on, boxes, _taken(catalogue, marking, text)))
    return tuple(spots)


def _separate(places: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Places that do not overlap: n-grams and neighbours that are one word do."""
    joined: list[tuple[int, int, int]] = []
    for start, end, term in places:
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1]), joined[-1][2]
        else:
            joined.append((start, end, term))
    return joined


def _taken(catalogue: Catalogue, marking: Marking, text: str) -> Taken | None:
    return marking.taken.get(" ".join(catalogue.index.analyzer.terms(text)))


def leaf_of(catalogue: Catalogue, number: int, words: str, asked_page: int | None, images: bool) -> Leaf:
    """A document at one of its pages: the one that is asked for, or that of the first spot."""
    document, pages = catalogue.index.document(number), catalogue.index.pages(number)
    spots = spots_of(catalogue, document, pages, words)
    on_page = tuple(sum(spot.page == at for spot in spots) for at in range(len(pages)))
    if not pages:
        pieces, cut = _pieces(document.text, 0, len(document.text), spots)
        return Leaf(document, number, (), (), None, spots, pieces, cut)
    first = next((spot.page for spot in spots if spot.page >= 0), 0)
    at = first if asked_page is None else min(max(asked_page, 0), len(pages) - 1)
    page = pages[at]
    start = int(page.starts.min()) if len(page) else 0
    end = int(page.ends.max()) if len(page) else 0
    if len(pages) == 1:
        start, end = 0, len(document.text)
    pieces, cut = _pieces(document.text, start, end, spots)
    sheet = sheet_of(document.text, page, at, images)
    labels = tuple(page.label or str(place + 1) for place, page in enumerate(pages))
    return Leaf(document, number, labels, on_page, sheet, spots, pieces, cut)


def _pieces(text: str, start: int, end: int, spots: Sequence[Spot]) -> tuple[tuple[TextPiece, ...], int]:
    """A part of a text in pieces, some of which are spots, and how much of it is left out."""
    last = min(end, start + LONGEST_TEXT)
    pieces, done = [], start
    for spot in spots:
        if start <= spot.start and spot.end <= last:
            pieces.append(TextPiece(visible_lines(text[done : spot.start])))
            pieces.append(TextPiece(visible_lines(text[spot.start : spot.end]), spot))
            done = spot.end
    pieces.append(TextPiece(visible_lines(text[done:last])))
    return tuple(piece for piece in pieces if piece.text), end - last
