"""Names from data as labels: made harmless, measured, shortened."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from ...core.visible import visible_line as visible
from ..notebook import escape

__all__ = ["escape", "fit_label", "fit_text", "longest", "longest_label", "visible", "wide"]

NARROW = frozenset("iIjJlftr.,:;'|!()[]/\\ `-·")
WIDE = frozenset("mwMW@%&#+<=>^~—…−×≤≥→↑Ω")


@lru_cache(maxsize=4096)
def wide(text: str, size: float = 12) -> float:
    """The approximate width of a text in the widest of the usual faces (DejaVu Sans)."""
    total = 0.0
    for c in text:
        if ord(c) < 0x300:
            total += 0.38 if c in NARROW else 0.93 if c in WIDE else 0.74 if c.isupper() else 0.62
        elif unicodedata.combining(c):
            continue
        else:
            total += 1.02 if unicodedata.east_asian_width(c) in "WF" else 0.93 if c in WIDE else 0.7
    return total * size


def fit_text(text: str, room: float, size: float = 12) -> str:
    """Cut a text in the middle with … until it fits into so much room: names often differ at their ends.

    >>> fit_text("bm25", 100)
    'bm25'
    """
    line = visible(text)
    if not line or wide(line, size) <= room:
        return line
    per = wide(line[:200], size) / min(len(line), 200)
    keep = min(len(line) - 1, max(1, int(room / per)))
    while keep > 1:
        head = (keep + 1) * 2 // 3
        tail = keep - head
        cut = line[:head].rstrip() + "…" + (line[-tail:].lstrip() if tail else "")
        if wide(cut, size) <= room:
            return cut
        keep -= 1
    return "…"


BOLD = 1.09
"""How much wider a bold face is than the regular one."""


def longest(texts: list[str], size: float = 12) -> float:
    """The width of the widest text; 0 for none."""
    return max((wide(text, size) for text in texts), default=0.0)


def longest_label(names: list[str], bold: str = "", size: float = 12) -> float:
    """The width of the widest name, one of which may be bold."""
    return max((wide(visible(name), size) * (BOLD if name == bold else 1.0) for name in names), default=0.0)


def fit_label(name: str, room: float, *, bold: bool = False, size: float = 12) -> str:
    """A name cut to the room beside a row, whether it is bold or not."""
    return fit_text(name, room / (BOLD if bold else 1.0), size)
