"""The reading order of a page: blocks as the file says that people read them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from .page_text import PageText


def ordered(page: PageText, blocks: Sequence[str], order: Sequence[str]) -> PageText:
    """The page with its blocks in a stated order, those that it does not name behind them as they come.

    ``blocks`` has the ids of each block that has words, its own first, then those of the blocks around it; ``order``
    has the ids in reading order, which may name others too.
    """
    page.end_block()
    page.names = list(blocks) if len(blocks) == len(page.blocks) else []
    if not order or not page.names:
        return page
    rank = {name: place for place, name in reversed(list(enumerate(order)))}
    places = [min((rank[name] for name in names.split() if name in rank), default=len(order)) for names in page.names]
    wanted = sorted(range(len(blocks)), key=places.__getitem__)
    return page if wanted == list(range(len(blocks))) else with_blocks(page, wanted)


def with_blocks(page: PageText, wanted: Sequence[int]) -> PageText:
    """The page with some of its blocks, in another order."""
    new = PageText(page.label, page.image, page.width, page.height, broken=page.broken)
    for number in wanted:
        first, last = page.blocks[number - 1] if number else 0, page.blocks[number]
        shift = len(new.words) - first
        new.words += page.words[first:last]
        new.boxes += array("i", page.boxes[4 * first : 4 * last])
        new.confidences += page.confidences[first:last]
        new.lines += [end + shift for end in page.lines if first < end <= last]
        new.blocks.append(last + shift)
        new.whole.update({at + shift: whole for at, whole in page.whole.items() if first <= at < last})
        new.names += page.names[number : number + 1]
    return new
