"""METS, the list of the files of a volume."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar
from urllib.parse import unquote

from ....core.errors import DataError
from ..page_text import PageText
from ..safe_xml import local, read_xml, root_of
from ..scan_layout import Bytes, ScanLayout

ARTICLES = ("article", "artikel", "advertisement", "ad", "obituary", "letter", "chapter")
"""Types of logical divisions that people look for on their own; the outermost counts."""
YEAR = re.compile(r"(?<!\d)1[0-9]{3}(?!\d)|(?<!\d)20[0-9]{2}(?!\d)")


@dataclass(frozen=True)
class MetsLayout(ScanLayout):
    """METS: which files are the pages of a volume, in which order, with labels, and its title and year (dateIssued).

    Where its logical structMap has articles (div TYPE="ARTICLE") whose areas name blocks of the pages, each of them can
    be a document.

    The files that it names are read by their own layouts. A path that leaves the folder of the collection is refused,
    and one that leads to the network is not followed.

    No value: read on its own, without the files that it names, a METS has no text, which is an error.

    Example: three pages in the physical structMap with ORDERLABEL i, ii, 1 → three documents with these labels.
    """

    name: ClassVar[str] = "mets"
    endings: ClassVar[tuple[str, ...]] = (".mets", ".mets.xml")
    has_text: ClassVar[bool] = False

    @classmethod
    def shows(cls, head: bytes) -> bool:
        return root_of(head)[0] == "mets"

    def pages(self, content: Bytes) -> Iterator[PageText]:
        raise DataError(f"{content.name}: a METS has no text of its own: give the folder with the files that it names")
        yield  # a generator, as those of the others


@dataclass(eq=False)
class MetsPage:
    """A page as a METS has it."""

    label: str
    order: float
    files: list[str] = field(default_factory=list)
    """Paths as they are written there, of texts and images."""


@dataclass(eq=False)
class MetsArticle:
    """An article as a METS has it: blocks of pages, in order."""

    id: str
    title: str
    areas: list[tuple[str, str]] = field(default_factory=list)
    """Paths as they are written there, each with the id of a block, '' for the whole file."""


@dataclass(eq=False)
class Volume:
    """What a METS says."""

    title: str
    pages: list[MetsPage]
    year: str = ""
    articles: list[MetsArticle] = field(default_factory=list)


def read_volume(content: Bytes) -> Volume:
    """The pages that a METS names, in order."""
    reader = _Reader()
    read_xml(content.pieces(), content.name, reader.start, reader.end, reader.text)
    return reader.volume(content.name)


class _Reader:
    """What was read of one file so far."""

    def __init__(self) -> None:
        self.title, self.label, self.year = "", "", ""
        self.heard: list[str] | None = None
        self.file = ""
        self.places: dict[str, str] = {}
        self.physical: list[MetsPage] = []
        self.divisions: list[MetsPage | None] = []
        self.in_physical = False
        self.groups: list[str] = []
        self.by_group: dict[str, list[str]] = {}
        self.section = ""
        """The id of the description that is read."""
        self.titles: dict[str, str] = {}
        self.in_logical = False
        self.articles: list[MetsArticle] = []
        self.logical: list[MetsArticle | None] = []
        """The articles that the open divisions belong to."""

    def start(self, name: str, given: dict[str, str]) -> None:
        if name == "mets":
            self.label = given.get("LABEL", "")
        elif (name == "title" and self.section not in self.titles) or (name == "dateIssued" and not self.year):
            self.heard = []
        elif name == "dmdSec":
            self.section = given.get("ID", "")
        elif name == "fileGrp":
            self.groups.append(given.get("USE") or given.get("ID", ""))
        elif name == "file":
            self.file = given.get("ID", "")
        elif name == "FLocat" and self.file:
            place = next((value for key, value in given.items() if local(key) == "href"), "")
            self.places.setdefault(self.file, place)
            self.by_group.setdefault(self.groups[-1] if self.groups else "", []).append(self.file)
        elif name == "structMap":
            self.in_physical = given.get("TYPE", "PHYSICAL").upper() == "PHYSICAL"
            self.in_logical = given.get("TYPE", "").upper() == "LOGICAL"
        elif name == "div" and self.in_physical:
            self._division(given)
        elif name == "div" and self.in_logical:
            self._logical_division(given)
        elif name in ("fptr", "area") and self.in_logical and self.logical and "FILEID" in given:
            article = self.logical[-1]
            if article is not None:
                article.areas.append((given["FILEID"], given.get("BEGIN", "")))
        elif name in ("fptr", "area") and self.in_physical and self.divisions and "FILEID" in given:
            page = next((division for division in reversed(self.divisions) if division is not None), None)
            if page is not None and given["FILEID"] not in page.files:
                page.files.append(given["FILEID"])

    def _division(self, given: dict[str, str]) -> None:
        page = None
        if given.get("TYPE", "").lower() in ("page", "leaf", "side", "seite"):
            try:
                order = float(given.get("ORDER", ""))
            except ValueError:
                order = float(len(self.physical))
            page = MetsPage(given.get("ORDERLABEL") or given.get("LABEL") or given.get("ORDER", ""), order)
            self.physical.append(page)
        self.divisions.append(page)

    def _logical_division(self, given: dict[str, str]) -> None:
        article = self.logical[-1] if self.logical else None
        if article is None and given.get("TYPE", "").lower() in ARTICLES:
            name = given.get("ID") or str(len(self.articles) + 1)
            described = next((self.titles[id_] for id_ in given.get("DMDID", "").split() if id_ in self.titles), "")
            article = MetsArticle(name, " ".join(given.get("LABEL", "").split()) or described)
            self.articles.append(article)
        self.logical.append(article)

    def text(self, text: str) -> None:
        if self.heard is not None:
            self.heard.append(text)

    def end(self, name: str) -> None:
        if name == "title" and self.heard is not None:
            title, self.heard = " ".join("".join(self.heard).split()), None
            self.titles[self.section] = title
            self.title = self.title or title
        elif name == "dateIssued" and self.heard is not None:
            match = YEAR.search("".join(self.heard))
            self.year, self.heard = match[0] if match else "", None
        elif name == "fileGrp" and self.groups:
            self.groups.pop()
        elif name == "div" and self.in_physical and self.divisions:
            self.divisions.pop()
        elif name == "div" and self.in_logical and self.logical:
            self.logical.pop()
        elif name == "structMap":
            self.in_physical = self.in_logical = False

    def volume(self, place: str) -> Volume:
        pages = self.physical
        for page in pages:
            page.files = [self.places[file] for file in page.files if file in self.places]
        if not any(page.files for page in pages):  # no structure: the files of each group in order
            rows = max(map(len, self.by_group.values()), default=0)
            pages = [MetsPage(str(row + 1), row) for row in range(rows)]
            for group in self.by_group.values():
                for page, file in zip(pages, group, strict=False):
                    page.files.append(self.places[file])
        if not pages:
            raise DataError(f"{place}: it names no pages")
        in_order = sorted(pages, key=lambda page: page.order)
        for article in self.articles:
            article.areas = [(self.places[file], block) for file, block in article.areas if file in self.places]
        articles = [article for article in self.articles if article.areas]
        return Volume(self.title or " ".join(self.label.split()), in_order, self.year, articles)


REMOTE = re.compile(r"(?i)[a-z][a-z0-9+.-]+://")


def local_path(href: str) -> str | None:
    """The path that a METS names, with slashes; None if it leads to the network."""
    href = href.strip()
    if href.lower().startswith("file:"):
        href = href[5:]
        href = href[2:] if href.startswith("//") else href
    elif REMOTE.match(href):
        return None
    return unquote(href).replace("\\", "/")
