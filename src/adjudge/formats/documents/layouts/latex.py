"""Articles in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ....core.document import Document
from ....core.spec import require
from ..html_text import FORMULAS
from ..latex_text import text_of
from ..layout import Layout, ReadingTally
from ..streams import Stream


@dataclass(frozen=True)
class LatexLayout(Layout):
    """LaTeX, one article a file, as PlanetMath has them; its id is its path in the folder without .tex.

    The text is what stands between \\begin{document} and \\end{document}, without commands, labels, references and
    pictures; emphasized words, headings and the texts of links stay. Macros are not expanded. The title is \\title or
    PlanetMath's \\pmtitle, which is also the first line of the text; other metadata is left out.

    Formula: formulas=text keeps the TeX of a formula, formulas=drop leaves a blank, formulas=token makes one word of
    it, as ``xhtml`` does.

    Parameters: ``formulas``: text, drop or token (text).

    Example: \\pmtitle{ring} … Let $R$ be a \\emph{ring}. → title "ring", text "ring\\nLet R be a ring.".
    """

    name: ClassVar[str] = "latex"
    endings: ClassVar[tuple[str, ...]] = (".tex",)

    formulas: str = "text"

    def __post_init__(self) -> None:
        require(self, "formulas", self.formulas in FORMULAS, f"be one of {', '.join(FORMULAS)}")

    @classmethod
    def shows(cls, head: bytes) -> bool:
        return re.search(rb"^[ \t]*+\\documentclass\b", head, re.MULTILINE) is not None

    def read(self, stream: Stream, tally: ReadingTally) -> Iterator[Document]:
        title, text = text_of(tally.decode(stream.whole(), stream.name), self.formulas)
        yield Document(stream.id, text, title)
