"""Answers for programs: the facts of every page as plain values for JSON."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from ..report.search_results import TAKEN, Hit
from ..systems.parts.answerer import Taken
from .answers import A_PART, Outcome
from .catalogue import Catalogue
from .leaf import Leaf


def taken_data(taken: Taken) -> dict[str, Any]:
    """A string and what it was read as."""
    return {name: getattr(taken, name) for name in TAKEN}


def about_data(catalogue: Catalogue) -> dict[str, Any]:
    """What is searched."""
    return {
        "name": catalogue.name,
        "system": catalogue.system,
        "documents": len(catalogue),
        "fields": list(catalogue.columns),
        "offered": list(catalogue.offered),
        "sortable": list(catalogue.sortable),
    }


def results_data(outcome: Outcome, hits: tuple[Hit, ...], part: int) -> dict[str, Any]:
    """A part of the documents that were found, and the values of their fields."""
    asked = outcome.asked
    return {
        "question": asked.words,
        "address": asked.at(part).address(),
        "total": len(outcome),
        "part": part,
        "parts": -(-len(outcome) // A_PART),
        "sort": asked.order,
        "note": str(outcome.note) if outcome.note else None,
        "hits": [
            {
                "rank": hit.rank,
                "id": hit.document,
                "score": hit.score,
                "title": hit.title.text,
                "snippet": hit.snippet.text,
                "marked": {"title": hit.title.spans, "snippet": hit.snippet.spans},
                "read_as": [taken_data(taken) for taken in hit.taken],
                "address": asked.address("/document", [("id", hit.document)]),
            }
            for hit in hits
        ],
        "fields": {
            choice.name: {
                "values": [{"value": v.value, "count": v.documents, "chosen": v.chosen} for v in choice.values],
                "others": choice.others,
            }
            for choice in outcome.choices
        },
    }


def leaf_data(leaf: Leaf, fields: tuple[tuple[str, str], ...], images: bool) -> dict[str, Any]:
    """A document with everything that was found in it."""
    id_, sheet = leaf.document.id, leaf.sheet
    data: dict[str, Any] = {
        "id": id_,
        "title": leaf.document.title,
        "fields": [list(pair) for pair in fields],
        "text": leaf.document.text,
        "pages": [{"label": label, "found": count} for label, count in zip(leaf.labels, leaf.on_page, strict=True)],
        "found": [
            {
                "start": spot.start,
                "end": spot.end,
                "text": spot.text,
                "page": spot.page + 1 if spot.page >= 0 else None,
                "boxes": [list(box) for box in spot.boxes],
                "read_as": None if spot.taken is None else taken_data(spot.taken),
            }
            for spot in leaf.spots
        ],
    }
    if sheet is not None:
        image = (
            f"/image?id={quote(id_, safe='', errors='surrogateescape')}&page={sheet.at + 1}"
            if sheet.image and images
            else None
        )
        size = {"width": sheet.width, "height": sheet.height}
        data["page"] = {"number": sheet.at + 1, "label": sheet.label, **size, "image": image, "doubted": sheet.doubted}
    return data
