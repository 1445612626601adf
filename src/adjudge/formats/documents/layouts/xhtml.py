"""XHTML pages with MathML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ....core.document import Document
from ....core.spec import require
from ..html_text import FORMULAS
from ..layout import Layout, ReadingTally
from ..streams import Stream
from .html import HtmlLayout


@dataclass(frozen=True)
class XhtmlLayout(Layout):
    """XHTML with MathML, one page a file: tags dropped, text kept, formulas as asked for.

    Formula: formulas=text keeps the symbols of a formula, with blanks between them and without MathML's annotations
    and invisible operators; formulas=drop leaves a blank; formulas=token makes one word of it, formula and 15 digits
    computed from its TeX (alttext) without blanks, else from its symbols, so that equal formulas are equal terms.

    Parameters: ``formulas``: text, drop or token (text).

    Example: <p>Let <math><mi>x</mi><mo>=</mo><mn>1</mn></math>.</p> → "Let x = 1 .", or with drop "Let .".
    """

    name: ClassVar[str] = "xhtml"
    endings: ClassVar[tuple[str, ...]] = (".xhtml", ".xht", ".html", ".htm")

    formulas: str = "text"

    def __post_init__(self) -> None:
        require(self, "formulas", self.formulas in FORMULAS, f"be one of {', '.join(FORMULAS)}")

    @classmethod
    def shows(cls, head: bytes) -> bool:
        return HtmlLayout.shows(head) and (b"/1999/xhtml" in head or b"/Math/MathML" in head or b"<math" in head)

    def read(self, stream: Stream, tally: ReadingTally) -> Iterator[Document]:
        return HtmlLayout(self.formulas).read(stream, tally)
