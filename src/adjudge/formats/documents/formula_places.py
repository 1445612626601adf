"""Where the formulas of pages stand in their texts, for whoever shows a document: a text has their symbols alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ...core.document import Document
from ..tag_soup import MATH, MATH_END, last_end
from .document_reading import DocumentFiles
from .html_text import ANNOTATION, MARKUP, symbols_of, text_of
from .layout import ReadingTally
from .layouts.html import HtmlLayout
from .layouts.xhtml import XhtmlLayout
from .streams import Stream

LONGEST_ELEMENT = 20_000
"""Characters of a formula without its annotations; one that has more keeps its symbols."""


class PlacedFormula(NamedTuple):
    """A formula: where its symbols begin and end in a text, and its MathML as the page has it, without annotations."""

    start: int
    end: int
    element: str


@dataclass(frozen=True)
class _MarkedPages(HtmlLayout):
    """The pages that are wanted, with their formulas as they are; of others nothing but the id."""

    wanted: Collection[str] = ()

    def read(self, stream: Stream, tally: ReadingTally) -> Iterator[Document]:
        own = stream.id in self.wanted
        yield Document(stream.id, text_of(tally.decode(stream.whole(), stream.name), MARKUP)[1] if own else "")


def formula_places(documents: object, texts: Mapping[str, str]) -> dict[str, tuple[PlacedFormula, ...]]:
    """The formulas of pages with MathML, by the ids of documents whose texts were read before.

    Pages are read once more. Documents in other layouts have none, and neither has a page whose text cannot be told
    from MathML: one that writes about it, for instance.
    """
    if not isinstance(documents, DocumentFiles) or not isinstance(documents.layout, HtmlLayout | XhtmlLayout):
        return {}
    if not texts or documents.layout.formulas != "text" or any(file.handle is not None for file in documents.files):
        return {}
    pages = DocumentFiles(list(documents.files), _MarkedPages(wanted=texts.keys()))
    same: dict[str, str] = {}  # formulas come again and again
    found = ((page.id, _places(page.text, texts[page.id], same)) for page in pages if page.id in texts)
    return {id_: places for id_, places in found if places}


def _places(marked: str, text: str, same: dict[str, str]) -> tuple[PlacedFormula, ...]:
    """Where formulas stand in a text, from the same with their elements in place of their symbols."""
    pieces, places, done, length = list[str](), list[PlacedFormula](), 0, 0
    for match in MATH.finditer(marked, 0, last_end(MATH_END, marked)):
        symbols = symbols_of(match[2])
        pieces += [marked[done : match.start()], symbols]
        length += match.start() - done
        element = ANNOTATION.sub("", match[0])
        if len(element) <= LONGEST_ELEMENT:
            places.append(PlacedFormula(length, length + len(symbols), same.setdefault(element, element)))
        done, length = match.end(), length + len(symbols)
    return tuple(places) if "".join([*pieces, marked[done:]]) == text else ()
