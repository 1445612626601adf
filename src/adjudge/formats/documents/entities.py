"""Entities of SGML: names for characters, those of HTML 5 and the few that the Federal Register has besides."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

OWN = {"blank": " ", "hyph": "-", "cir": "°"}
"""The Federal Register writes degrees with a circle; HTML's own &cir; is a geometric figure."""


@lru_cache(maxsize=4096)
def character(name: str) -> str | None:
    """What an entity stands for; None if nobody knows. Numbers from 128 to 159 are of Windows, as in HTML 5."""
    if name.startswith("#"):
        code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
        known = 0 < code < 0xD800 or 0xDFFF < code <= 0x10FFFF
        if 0x80 <= code < 0xA0:
            from html import unescape

            return unescape(f"&{name};")
        return chr(code) if known else None
    from html.entities import html5

    return OWN.get(name) or html5.get(f"{name};")


class Entities(dict[bytes, bytes]):
    """Entities and the UTF-8 bytes that stand for them; unknown ones become a blank and are counted."""

    def __init__(self, unknown: Counter[str]) -> None:
        super().__init__()
        self.unknown = unknown

    def __missing__(self, name: bytes) -> bytes:
        text = character(name.decode())
        if text is None:
            self.unknown[name.decode()] += 1
            return b" "
        self[name] = text.encode()
        return self[name]
