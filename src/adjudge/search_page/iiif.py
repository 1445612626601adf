"""Answers for IIIF viewers: a manifest of a document (Presentation 3), and what was found in it.

What was found is said as Content Search 2 has it, and as Content Search 1, which most viewers still ask for.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import quote

from ..core.document import Document
from ..core.scanned_page import ScannedPage
from ..page_view.page_sheets import page_size
from .catalogue import Catalogue
from .leaf import spots_of

PRESENTATION = "http://iiif.io/api/presentation/3/context.json"
API = "http://iiif.io/api/search"
SEARCH = f"{API}/2/context.json"
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
        "service": [
            {"id": f"{base}/search", "type": "SearchService2", "profile": f"{API}/2/search"},  # some know it by profile
            {"@context": f"{API}/1/context.json", "@id": f"{base}/search1", "profile": f"{API}/1/search"},
        ],
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
            **_format(page),
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


def _format(page: ScannedPage) -> dict[str, str]:
    """The kind of an image that is sent as it is; others are drawn, and nobody knows as what before."""
    path = (page.place.member or page.place.path).lower() if page.place is not None and not page.place.page else ""
    kind = "image/png" if path.endswith(".png") else "image/jpeg" if path.endswith((".jpg", ".jpeg")) else ""
    return {"format": kind} if kind else {}


class Found(NamedTuple):
    """A box of something that was found: one annotation."""

    id: str
    text: str
    target: str
    before: str
    after: str


def found_boxes(catalogue: Catalogue, origin: str, number: int, words: str) -> tuple[str, list[Found]]:
    """Where the answers about a document begin, and every box that a question finds in it, with the text around it."""
    document, pages = catalogue.index.document(number), catalogue.index.pages(number)
    base, found = base_of(origin, document.id), list[Found]()
    for spot in spots_of(catalogue, document, pages, words):
        before, after = document.text[max(0, spot.start - AROUND) : spot.start], document.text[spot.end :][:AROUND]
        for place, box in enumerate(spot.boxes, 1):
            target = f"{base}/canvas/{spot.page + 1}#xywh={box.x},{box.y},{box.width},{box.height}"
            found.append(Found(f"{base}/found/{spot.number}-{place}", spot.text, target, before, after))
    return base, found


def found_in(
    catalogue: Catalogue, origin: str, number: int, words: str, ignored: tuple[str, ...] = ()
) -> dict[str, Any]:
    """What a question finds in a document, as Content Search 2 has it."""
    base, found = found_boxes(catalogue, origin, number, words)
    answer: dict[str, Any] = {
        "@context": SEARCH,
        "id": f"{base}/search?q={quote(words, errors='surrogateescape')}",
        "type": "AnnotationPage",
        "items": [
            {
                "id": each.id,
                "type": "Annotation",
                "motivation": "painting",
                "body": {"type": "TextualBody", "value": each.text, "format": "text/plain"},
                "target": each.target,
            }
            for each in found
        ],
        "annotations": [{"type": "AnnotationPage", "items": [_context(each) for each in found]}],
    }
    return {**answer, "ignored": list(ignored)} if ignored else answer


def _context(found: Found) -> dict[str, Any]:
    quoted = {"type": "TextQuoteSelector", "prefix": found.before, "exact": found.text, "suffix": found.after}
    return {
        "id": f"{found.id}/match",
        "type": "Annotation",
        "motivation": "contextualizing",
        "target": {"type": "SpecificResource", "source": found.id, "selector": [quoted]},
    }


def found_in_old(
    catalogue: Catalogue, origin: str, number: int, words: str, ignored: tuple[str, ...] = ()
) -> dict[str, Any]:
    """The same as Content Search 1 has it."""
    base, found = found_boxes(catalogue, origin, number, words)
    return {
        "@context": [f"{API}/1/context.json", "http://iiif.io/api/presentation/2/context.json"],
        "@id": f"{base}/search1?q={quote(words)}",
        "@type": "sc:AnnotationList",
        "within": {"@type": "sc:Layer", "total": len(found), "ignored": list(ignored)},
        "resources": [
            {
                "@id": each.id,
                "@type": "oa:Annotation",
                "motivation": "sc:painting",
                "resource": {"@type": "cnt:ContentAsText", "chars": each.text},
                "on": each.target,
            }
            for each in found
        ],
        "hits": [
            {
                "@type": "search:Hit",
                "annotations": [each.id],
                "before": each.before,
                "match": each.text,
                "after": each.after,
            }
            for each in found
        ],
    }
