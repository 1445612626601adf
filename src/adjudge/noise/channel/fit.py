"""How well a channel foretells the errors of texts of any length."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..alignment import Alignment, align

if TYPE_CHECKING:
    from .model import Channel

PIECE = 100
"""True characters of a piece, at least."""

AGREED = 8
"""A text is cut only in the middle of so many characters that were read rightly."""


def bits_per_character(channel: Channel, pairs: Iterable[tuple[str, str]]) -> float:
    """Minus log2 P(observed | true) of all pairs over the number of true characters; NaN when there is none."""
    bits, characters = 0.0, 0
    inserting = sum(rule.probability for rule in channel.rules if not rule.source) + channel.insertion
    for true, observed in pairs:
        alignment = align(true, observed)
        bits -= math.log2(1 - inserting)  # nothing more is inserted at the end
        for piece, read in cut(alignment):
            bits -= channel.log_probability(read, piece) / math.log(2)
        characters += len(alignment.true)
    return bits / characters if characters else math.nan


def cut(alignment: Alignment) -> Iterator[tuple[str, str]]:
    """The texts in pieces whose ends were read rightly."""
    start = begin = 0
    right, read = 0, 0  # since here both texts agree
    for region in (*alignment.regions, None):
        until = len(alignment.true) if region is None else region.start
        if until - right >= AGREED:
            # The first agreeing stretch after enough text, and again and again inside a long one.
            at, to = right + AGREED // 2, read + AGREED // 2
            while at <= until - AGREED // 2:
                if at - start >= PIECE:
                    yield alignment.true[start:at], alignment.observed[begin:to]
                    start, begin = at, to
                step = max(1, PIECE - (at - start))
                at, to = at + step, to + step
        if region is not None:
            right, read = region.end, region.stop
    yield alignment.true[start:], alignment.observed[begin:]
