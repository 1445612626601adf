"""Typesetting: a text becomes pages of lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...core.errors import SpecError
from ...core.spec import is_count, is_number

TAB = 8
BLANKS = re.compile(r"[^\S\n]")


@dataclass(frozen=True)
class PageLayout:
    """How a page looks: the face, its size in points, dots to the inch, characters a line and lines a page.

    ``leading`` is the distance of two lines and ``margin`` what is left white around them, both in units of the size.
    The paper is as large as its lines need.
    """

    font: str = "termes"
    size: float = 10.0
    dpi: int = 400
    measure: int = 72
    lines: int = 60
    leading: float = 1.2
    margin: float = 1.0

    def __post_init__(self) -> None:
        for field, fine, domain in (
            ("size", is_number(self.size) and 2 <= self.size <= 72, "lie between 2 and 72 points"),
            ("dpi", is_count(self.dpi) and 50 <= self.dpi <= 1200, "be a whole number from 50 to 1200"),
            ("measure", is_count(self.measure) and self.measure <= 400, "be from 1 to 400 characters"),
            ("lines", is_count(self.lines) and self.lines <= 400, "be from 1 to 400"),
            ("leading", is_number(self.leading) and 0.5 <= self.leading <= 5, "lie between 0.5 and 5 sizes"),
            ("margin", is_number(self.margin) and 0.1 <= self.margin <= 20, "lie between 0.1 and 20 sizes"),
        ):
            if not fine:
                raise SpecError(f"layout: {field} must {domain}, not {getattr(self, field)}")
        if self.em > 200:
            raise SpecError(f"layout: {self.size:g} points at {self.dpi} dpi are {self.em:.0f} dots, more than 200")

    @property
    def em(self) -> float:
        """The size in dots."""
        return self.size * self.dpi / 72


def wrap(line: str, measure: int) -> Iterator[str]:
    """A line in pieces of at most so many characters, cut at blanks; a longer word is cut where the line ends."""
    start, end = 0, len(line)
    while end - start > measure:
        cut = line.rfind(" ", start + 1, start + measure + 1)
        # Blanks that begin a line are its indentation: a cut there would make an empty line.
        if cut < 0 or not line[start:cut].strip():
            cut = start + measure
        yield line[start:cut].rstrip()
        start = cut
        while start < end and line[start] == " ":
            start += 1
    yield line[start:]


def typeset(text: str, layout: PageLayout) -> list[list[str]]:
    """Pages of lines: the text's own line breaks are kept, longer lines are wrapped, a form feed begins a page.

    Tabs reach to the next multiple of 8, and every other kind of blank is one blank. White space at the ends of lines
    and of the text is left out, and so are blank lines at the top of a page that an overfull page has begun. A text
    without a visible character has no pages.

    >>> typeset("one two three\\nfour", PageLayout(measure=8, lines=2))
    [['one two', 'three'], ['four']]
    """
    if not text or text.isspace():
        return []
    pages: list[list[str]] = []
    for part in text.rstrip().split("\f"):
        page: list[str] = []
        begun = len(pages)
        for own in part.splitlines():
            line = BLANKS.sub(" ", own.expandtabs(TAB)).rstrip()
            for piece in wrap(line, layout.measure):
                if not piece and not page and len(pages) > begun:
                    continue
                page.append(piece)
                if len(page) == layout.lines:
                    pages.append(page)
                    page = []
        if page or len(pages) == begun:
            pages.append(page)
    return pages
