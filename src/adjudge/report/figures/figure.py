"""A figure: SVG that stands alone or inside a page, saved as SVG, PDF or PNG, shown by notebooks."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import SpecError
from .palette import sheet
from .wording import escape

ENDINGS = (".svg", ".pdf", ".png")


@dataclass(frozen=True)
class Figure:
    """Drawn once, in classes and not in colours; see palette for what the classes mean."""

    body: str
    """The elements inside ``<svg>``, everything that comes from data escape."""
    width: float
    height: float
    title: str
    description: str
    """For those who cannot see it: what is drawn and how it is read."""

    def svg(self, *, standalone: bool = True) -> str:
        """A whole SVG file with light colours; or an element for a page whose style sheet has ``palette.css()``.

        The element for a page has no style, no script and no id; it is as wide as what it stands in, at most as wide
        as it was drawn.
        """
        size = f"{self.width:g}", f"{self.height:g}"
        names = f"<title>{escape(self.title)}</title><desc>{escape(self.description)}</desc>"
        head = f'viewBox="0 0 {size[0]} {size[1]}" class="ad-figure" role="img" aria-label="{escape(self.title)}"'
        if not standalone:
            return f'<svg {head} width="{size[0]}" height="{size[1]}">{names}{self.body}</svg>'
        paper = f'<rect class="ad-paper" width="{size[0]}" height="{size[1]}"/>'
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" {head}>'
            f"{names}\n<style>\n{sheet()}</style>\n{paper}{self.body}</svg>\n"
        )

    def pdf(self) -> bytes:
        """A page of the figure's own size: lines and letters, no pixels, the fonts embedded."""
        from .printing import to_pdf

        return to_pdf(self)

    def png(self, scale: float = 2.0) -> bytes:
        """Pixels, ``scale`` of them to a unit of the figure."""
        from .printing import to_png

        return to_png(self, scale)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as its ending says, .svg, .pdf or .png: the old file is there until the new one is whole."""
        from ...formats.writing import write

        ending = Path(path).suffix.lower()
        if ending not in ENDINGS:
            raise SpecError(f"a figure is saved as {', '.join(ENDINGS)}, not as {ending or 'a file without ending'!r}")
        data = self.svg().encode() if ending == ".svg" else self.pdf() if ending == ".pdf" else self.png()
        write(path, data)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        whole = self.svg().split("\n", 1)[1]  # HTML knows no XML declaration
        return f'<div style="max-width:{self.width:g}px;overflow-x:auto">{whole}</div>'
