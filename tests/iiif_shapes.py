"""The shapes of IIIF answers as JSON schemas, written from the specifications: Content Search 2.0, Presentation 3.0."""

from __future__ import annotations

from typing import Any

URI = {"type": "string", "pattern": r"^https?://\S+$"}
LANGUAGES = {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}, "minItems": 1}}

QUOTE = {
    "type": "object",
    "properties": {
        "type": {"const": "TextQuoteSelector"},
        "prefix": {"type": "string"},
        "exact": {"type": "string", "minLength": 1},
        "suffix": {"type": "string"},
    },
    "required": ["type", "exact"],
    "additionalProperties": False,
}
FOUND = {
    "type": "object",
    "properties": {
        "id": URI,
        "type": {"const": "Annotation"},
        "motivation": {"type": "string"},
        "body": {
            "type": "object",
            "properties": {
                "type": {"const": "TextualBody"},
                "value": {"type": "string"},
                "format": {"const": "text/plain"},
            },
            "required": ["type", "value"],
        },
        "target": {"type": "string", "pattern": r"^https?://\S+#xywh=\d+,\d+,[1-9]\d*,[1-9]\d*$"},
    },
    "required": ["id", "type", "motivation", "body", "target"],
    "additionalProperties": False,
}
MATCH = {
    "type": "object",
    "properties": {
        "id": URI,
        "type": {"const": "Annotation"},
        "motivation": {"enum": ["contextualizing", "highlighting"]},
        "target": {
            "type": "object",
            "properties": {
                "type": {"const": "SpecificResource"},
                "source": URI,
                "selector": {"type": "array", "items": QUOTE, "minItems": 1},
            },
            "required": ["type", "source", "selector"],
        },
    },
    "required": ["id", "type", "motivation", "target"],
    "additionalProperties": False,
}
SEARCH_2: dict[str, Any] = {
    "type": "object",
    "properties": {
        "@context": {"const": "http://iiif.io/api/search/2/context.json"},
        "id": URI,
        "type": {"const": "AnnotationPage"},
        "items": {"type": "array", "items": FOUND},
        "annotations": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"type": {"const": "AnnotationPage"}, "items": {"type": "array", "items": MATCH}},
                "required": ["type", "items"],
            },
        },
        "ignored": {"type": "array", "items": {"enum": ["motivation", "date", "user"]}, "minItems": 1},
        "partOf": {"type": "object"},
        "next": {"type": "object"},
    },
    "required": ["@context", "id", "type", "items"],
    "additionalProperties": False,
}

PAINTING = {
    "type": "object",
    "properties": {
        "id": URI,
        "type": {"const": "Annotation"},
        "motivation": {"const": "painting"},
        "body": {
            "type": "object",
            "properties": {
                "id": URI,
                "type": {"const": "Image"},
                "format": {"enum": ["image/png", "image/jpeg"]},
                "width": {"type": "integer", "minimum": 1},
                "height": {"type": "integer", "minimum": 1},
            },
            "required": ["id", "type"],
        },
        "target": URI,
    },
    "required": ["id", "type", "motivation", "body", "target"],
}
CANVAS = {
    "type": "object",
    "properties": {
        "id": {**URI, "not": {"pattern": "#"}},
        "type": {"const": "Canvas"},
        "label": LANGUAGES,
        "width": {"type": "integer", "minimum": 1},
        "height": {"type": "integer", "minimum": 1},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": URI,
                    "type": {"const": "AnnotationPage"},
                    "items": {"type": "array", "items": PAINTING},
                },
                "required": ["id", "type", "items"],
            },
        },
    },
    "required": ["id", "type", "width", "height", "items"],
}
MANIFEST_3: dict[str, Any] = {
    "type": "object",
    "properties": {
        "@context": {"const": "http://iiif.io/api/presentation/3/context.json"},
        "id": URI,
        "type": {"const": "Manifest"},
        "label": LANGUAGES,
        "items": {"type": "array", "items": CANVAS, "minItems": 1},
        "service": {
            "type": "array",
            "contains": {"properties": {"id": URI, "type": {"const": "SearchService2"}}, "required": ["id", "type"]},
        },
        "metadata": {
            "type": "array",
            "items": {"properties": {"label": LANGUAGES, "value": LANGUAGES}, "required": ["label", "value"]},
        },
    },
    "required": ["@context", "id", "type", "label", "items", "service"],
    "additionalProperties": False,
}
