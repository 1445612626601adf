"""Answers for IIIF viewers: a manifest of a document (Presentation 3), and what was found in it (Content Search 2)."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from ..core.document import Document
from ..core.scanned_page import ScannedPage
from ..page_view.page_sheets import page_size
from .catalogue import Catalogue
from .leaf import Spot, spots_of

PRESENTATION = "http://iiif.io/api/presentation/3/context.json"
SEARCH = "http://iiif.io/api/search/2/context.json"
AROUND = 40
"""Characters before and after something that was found."""
IGNORED = ("motivation", "date", "user")
"""Parameters of the search API that say nothing here: there are no annotations of people."""
KIND = "application/ld+json"


def base_of(origin: str, document: str) -> str:
    """Where the answers about a document begin."""
    return f"{origin}/iiif/{quote(document, safe='', errors='surrogateescape')}"


def manifest(origin: str, document: Document, pages: tuple[ScannedPage, ...], images: bool) -> dict[str, Any]:
    """A document as viewers read it: a canvas for each page, with its image if there is one."""
    base = base_of(origin, document.id)
    about: dict[str, Any] = {
        "@context": PRESENTATION,
        "id": f"{base}/manifest.json",
        "type": "Manifest",
        "label": {"none": [document.title or document.id]},
        "service": [{"id": f"{base}/search", "type": "SearchService2"}],
        "items": [_canvas(origin, base, document.id, page, at, images) for at, page in enumerate(pages)],
    }
    metadata = [{"label": {"en": [name]}, "value": {"none": [value]}} for name, value in document.fields]
    return {**about, "metadata": metadata} if metadata else about


def _canvas(origin: str, base: str, document: str, page: ScannedPage, at: int, images: bool) -> dict[str, Any]:
    width, height = page_size(page)
    canvas = f"{base}/canvas/{at + 1}"
    shown = {
        "id": f"{canvas}/painting",
        "type": "Annotation",
        "motivation": "painting",
        "body": {
            "id": f"{origin}/image?id={quote(document, safe='', errors='surrogateescape')}&page={at + 1}",
            "type": "Image",
            "width": width,
            "height": height,
        },
        "target": canvas,
    }
    return {
        "id": canvas,
        "type": "Canvas",
        "label": {"none": [page.label or str(at + 1)]},
        "width": width,
        "height": height,
        "items": [
            {"id": f"{canvas}/page", "type": "AnnotationPage", "items": [shown] if page.image and images else []}
        ],
    }


def found_in(
    catalogue: Catalogue, origin: str, number: int, words: str, ignored: tuple[str, ...] = ()
) -> dict[str, Any]:
    """What a question finds in a document: an annotation on the canvas for each box, and the text around it."""
    document, pages = catalogue.index.document(number), catalogue.index.pages(number)
    base, items, contexts = base_of(origin, document.id), [], []
    for spot in spots_of(catalogue, document, pages, words):
        for place, box in enumerate(spot.boxes, 1):
            name = f"{base}/found/{spot.number}-{place}"
            target = f"{base}/canvas/{spot.page + 1}#xywh={box.x},{box.y},{box.width},{box.height}"
            items.append(
                {
                    "id": name,
                    "type": "Annotation",
                    "motivation": "painting",
                    "body": {"type": "TextualBody", "value": spot.text, "format": "text/plain"},
                    "target": target,
                }
            )
            contexts.append(_context(document, spot, name))
    answer: dict[str, Any] = {
        "@context": SEARCH,
        "id": f"{base}/search?q={quote(words, errors='surrogateescape')}",
        "type": "AnnotationPage",
        "items": items,
        "annotations": [{"type": "AnnotationPage", "items": contexts}],
    }
    return {**answer, "ignored": list(ignored)} if ignored else answer


def _context(document: Document, spot: Spot, source: str) -> dict[str, Any]:
    quoted = {
        "type": "TextQuoteSelector",
        "prefix": document.text[max(0, spot.start - AROUND) : spot.start],
        "exact": spot.text,
        "suffix": document.text[spot.end : spot.end + AROUND],
    }
    return {
        "id": f"{source}/match",
        "type": "Annotation",
        "motivation": "contextualizing",
        "target": {"type": "SpecificResource", "source": source, "selector": [quoted]},
    }
