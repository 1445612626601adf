"""Text that HTML can hold and that hides nothing."""

from __future__ import annotations

HIDDEN = (
    *(code for code in range(0x20) if code not in {0x09, 0x0A, 0x0D}),
    *range(0x7F, 0xA0),
    *range(0xD800, 0xE000),
    *(0xFFFE, 0xFFFF),
    *(0x202A, 0x202B, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068),  # would turn round what follows, our words too
)
SEEN = {code: repr(chr(code))[1:-1] for code in HIDDEN}


def visible(text: str) -> str:
    """The same text with what cannot be seen written out as Python would.

    >>> print(visible("a\\x00b"))
    a\\x00b
    """
    return text.translate(SEEN)
