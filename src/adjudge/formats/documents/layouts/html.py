"""HTML pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ....core.document import Document
from ....core.spec import require
from ..html_text import FORMULAS, text_of
from ..layout import Layout, ReadingTally
from ..streams import Stream


@dataclass(frozen=True)
class HtmlLayout(Layout):
    """HTML, one page a file: tags, scripts and styles dropped; its id is its path in the folder without .html.

    Tags within a line (b, span, a …) vanish, all others end a line. The title is <title>, which is also the first line
    of the text. MathML is treated as ``xhtml`` says.

    Parameters: ``formulas``: text, drop or token (text).

    Example: <title>A</title><p>w<b>or</b>d &lt; 2<p>end → title "A", text "A\\nword < 2\\nend".
    """

    name: ClassVar[str] = "html"
    endings: ClassVar[tuple[str, ...]] = (".html", ".htm")

    formulas: str = "text"

    def __post_init__(self) -> None:
        require(self, "formulas", self.formulas in FORMULAS, f"be one of {', '.join(FORMULAS)}")

    @classmethod
    def shows(cls, head: bytes) -> bool:
        return (
            re.match(rb"\s*(?:<\?xml[^>]*>\s*)?(?:(?><!--.*?-->)\s*+)*+<(?:!doctype\s+html|html)\b", head, re.I | re.S)
            is not None
        )

    def read(self, stream: Stream, tally: ReadingTally) -> Iterator[Document]:
        title, text = text_of(tally.decode(stream.whole(), stream.name), self.formulas)
        yield Document(stream.id, tally.valid(text, stream.name), title)
