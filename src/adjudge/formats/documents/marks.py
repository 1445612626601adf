"""Mark-up taken out of SGML: lines of nothing else, tags, entities; where documents begin. The loops: ``marks.c``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ...core.kernel import native

COMMENT = rb"!--[^>]*+(?<=--)>"
TAG = rb"[A-Za-z/?][^<>]*+>"
LINES = re.compile(
    rb"<(?:COMMENT|TAG)(?:[ \t\r]*\n[ \t\r\n]*<(?:COMMENT|TAG))+[ \t\r\n]*|<COMMENT|<!--.*?-->".replace(
        b"COMMENT", COMMENT
    ).replace(b"TAG", TAG),
    re.DOTALL,
)
"""Lines of nothing but mark-up, and other comments. One with a > in it stands apart: inside the repetition a failure
further on would let it swallow text. What is asked for first is most frequent, which is worth a third of the time."""

TAGS = re.compile(rb"<(?:TAG|![^<>]*+>)(?:\s*<(?:TAG|![^<>]*+>))*".replace(b"TAG", TAG))
"""Tags and declarations, one after the other. A < that begins none is text."""

ENTITY = re.compile(rb"&(#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});")

BOUNDARY = re.compile(rb"<(/?)[Dd][Oo][Cc]([Nn][Oo])?>")

compiled: Any = native("marks")


def boundaries(raw: bytes, first: int) -> Iterable[tuple[int, int, bool, bool]]:
    """The tags from a place on that begin or end a document or its number: begin, end, whether it closes, whether it is
    that of a number."""
    if compiled is None:
        return ((*match.span(), bool(match[1]), bool(match[2])) for match in BOUNDARY.finditer(raw, first))
    return compiled.documents(raw, first)  # type: ignore[no-any-return]


def without_lines(raw: bytes, instead: bytes) -> bytes:
    """Text with nothing or one byte for lines of mark-up and for comments.

    Comments without end are left: each of them would be looked through to the end of the text.
    """
    last = raw.rfind(b"-->") + len(b"-->")
    if raw.find(b"<!--", last) >= 0:
        return _without_lines(raw[:last], instead) + raw[last:]
    return _without_lines(raw, instead)


def _without_lines(raw: bytes, instead: bytes) -> bytes:
    return LINES.sub(instead, raw) if compiled is None else bytes(compiled.lines(raw, instead))


def without_tags(raw: bytes) -> bytes:
    """Text with a blank for tags and declarations."""
    return TAGS.sub(b" ", raw) if compiled is None else bytes(compiled.tags(raw))


def with_entities(raw: bytes, known: Mapping[bytes, bytes]) -> bytes:
    """Text with what entities stand for."""
    if b"&" not in raw:
        return raw
    return ENTITY.sub(lambda match: known[match[1]], raw) if compiled is None else bytes(compiled.entities(raw, known))


def first_tag(raw: bytes, tags: tuple[bytes, ...]) -> tuple[int, bytes] | None:
    """Where the first of some tags such as ``<TITLE>`` begins, and which it is."""
    if compiled is None:
        found = [(at, tag) for tag in tags if (at := raw.find(tag)) >= 0]
        return min(found, default=None)
    match = compiled.first(raw, tags)
    return None if match is None else (match[0], tags[match[1]])
