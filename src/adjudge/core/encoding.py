"""Identifiers as bytes and as text. Bytes that are no UTF-8 come back unchanged when they are written again."""

from __future__ import annotations

CODEC = "utf-8"
ERRORS = "surrogateescape"


def encode(text: str) -> bytes:
    return text.encode(CODEC, ERRORS)


def decode(raw: bytes) -> str:
    return raw.decode(CODEC, ERRORS)


def escaped(text: str) -> str:
    """Text that every library takes: a byte that is no UTF-8 becomes ``\\udcXX``, as in JSON."""
    return text.encode(CODEC, "backslashreplace").decode(CODEC)
