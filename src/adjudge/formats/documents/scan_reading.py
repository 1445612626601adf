"""Documents of scanned pages: files of any of the layouts of pages, mixed as archives have them."""

from __future__ import annotations

import os
import posixpath
import tempfile
import weakref
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...core.document import Document, Documents
from ...core.errors import DataError, SpecError
from ...core.note import Note
from ...core.progress import SILENT, Listener
from ...storage.record_store import RecordStore
from .articles import Article, cut_articles
from .layout import Layout
from .layouts.image import ImageLayout
from .layouts.mets import local_path
from .locations import File
from .page_images import ImageReader
from .page_text import PageText, assemble, unpack_pages
from .scan_intake import Failure, Intake, ScanEntry

UNITS = ("page", "document", "volume", "file")
"""A document is an article where a METS has them, else what a volume is: a METS, a PDF, or the pages of a folder."""
NOTED = 1000
"""So many files that could not be read are named; the rest is a number."""
ENDINGS = (".xml", ".alto", ".hocr", ".html", ".htm", ".xhtml", ".page", ".pdf", ".mets", *ImageLayout.endings)


@dataclass(eq=False)
class UnitPart:
    """A file of pages as a part of a document."""

    entry: ScanEntry
    label: str = ""
    image: str = ""
    """The place of the image that a METS names."""


@dataclass(eq=False)
class Unit:
    """What becomes a document, or several if each page is one."""

    id: str
    title: str = ""
    parts: list[UnitPart] = field(default_factory=list)
    year: str = ""
    articles: list[Article] = field(default_factory=list)


class ScanFiles(Documents):
    """The documents in files of scanned pages; each file is read once, when it is first gone through."""

    def __init__(
        self,
        files: Sequence[File],
        layout: Layout | None = None,
        *,
        unit: str = "page",
        ocr: ImageReader | None = None,
        store: str | os.PathLike[str] | None = None,
    ) -> None:
        if unit not in UNITS:
            raise SpecError(f"unit must be one of {', '.join(UNITS)}, not {unit!r}")
        self.files, self.layout, self.unit, self.ocr = tuple(files), layout, unit, ocr
        self.failures: tuple[Failure, ...] = ()
        """The files that could not be read, once all were taken in."""
        self._store_path = store
        self._store: RecordStore | None = None
        self._units: list[Unit] | None = None
        self._source = _root(files)
        self._notes: tuple[Note, ...] = ()
        self._images: _Images | None = None
        self._bare: tuple[str, ...] = ()
        self._size = sum(file.size for file in files)
        self._done = 0
        for file in files:
            if file.handle is not None:
                weakref.finalize(self, file.handle.close)

    def __repr__(self) -> str:
        return f"<{len(self.files)} files of scanned pages, first {self.files[0].path}>"

    @property
    def source(self) -> str:
        return self._source

    @property
    def size(self) -> int:
        return self._size

    @property
    def read(self) -> int:
        return self._done

    @property
    def notes(self) -> tuple[Note, ...]:
        return self._notes

    def take_in(self, progress: Listener = SILENT) -> None:
        """Read all files that are new, so that going through the documents is quick; nothing if that was done."""
        if self._units is not None:
            return
        if self._store is None:
            self._store = self._open_store()
        with progress.work("read_pages", total=self._size, unit="bytes") as step:
            intake = Intake(self.files, self._source, self._store, self.layout, step)
            intake.walk()
            self._images = _Images(intake.entries)
            units = self._arrange(intake)
            self._read_rest(intake, units)
        self.failures = tuple(intake.failures)
        self._notes = self._note_all(intake)
        self._units = units

    def _open_store(self) -> RecordStore:
        if self._store_path is None:
            folder = tempfile.TemporaryDirectory(prefix="adjudge-pages-")
            store = RecordStore(Path(folder.name) / "pages")
            weakref.finalize(self, _discard, store, folder)
        else:
            store = RecordStore(self._store_path)
            weakref.finalize(self, store.close)
        return store

    # -- what belongs together ----------------------------------------------------------------------------------------

    def _arrange(self, intake: Intake) -> list[Unit]:
        """The documents in order; images that are pictures of pages with text are none."""
        by_path = {entry.path: number for number, entry in enumerate(intake.entries)}
        used: set[int] = set()
        units: dict[int, Unit] = {}
        for number, entry in enumerate(intake.entries):
            if entry.layout == "mets":
                units[number] = self._volume(entry, intake, by_path, used)
        stems = {_stem(entry.path) for entry in intake.entries if entry.layout not in ("image", "mets")}
        near = {_beside(stem) for stem in stems}
        for number, entry in enumerate(intake.entries):
            stem = _stem(entry.path)
            pictured = entry.layout == "image" and (stem in stems or _beside(stem) in near)
            if number not in used and entry.layout != "mets" and not pictured:
                units[number] = Unit(stem, "", [UnitPart(entry)])
        in_order = [units[number] for number in sorted(units)]
        return _by_folder(in_order) if self.unit in ("document", "volume") else in_order

    def _volume(self, mets: ScanEntry, intake: Intake, by_path: dict[str, int], used: set[int]) -> Unit:
        """The pages that a METS names."""
        volume, folder = intake.volumes[mets.path], posixpath.dirname(mets.path)
        unit = Unit(_stem(mets.path), volume.title, year=volume.year)
        for page in volume.pages:
            here: list[ScanEntry] = []
            for href in page.files:
                path = local_path(href)
                if path is None:
                    continue
                wanted = _within(folder, href)
                if wanted.startswith(("../", "/")) or wanted == "..":
                    intake.fail(mets.name, f"{mets.name}: it names {href!r:.200}, which is outside of the collection")
                elif (number := by_path.get(wanted)) is None:
                    if posixpath.splitext(wanted)[1].lower() not in ImageLayout.endings:
                        intake.fail(mets.name, f"{mets.name}: it names {href!r:.200}, which is not there")
                elif number not in used:
                    used.add(number)
                    here.append(intake.entries[number])
            image = next((entry for entry in here if entry.layout == "image"), None)
            text = next((entry for entry in here if entry.layout not in ("image", "mets")), image)
            if text is not None:
                unit.parts.append(UnitPart(text, page.label, image.place if image is not None else ""))
        there = {part.entry.path for part in unit.parts}
        for article in volume.articles:
            areas = ((_within(folder, href), block) for href, block in article.areas)
            unit.articles.append(Article(article.id, article.title, [area for area in areas if area[0] in there]))
        return unit

    def _read_rest(self, intake: Intake, units: list[Unit]) -> None:
        """Have an engine read images that nobody describes and PDFs without words; say so if there is none."""
        numbers = {entry.path: number for number, entry in enumerate(intake.entries)}
        parts = [part for unit in units for part in unit.parts]
        images = [numbers[part.entry.path] for part in parts if part.entry.layout == "image"]
        pdfs = [numbers[part.entry.path] for part in parts if part.entry.layout == "pdf" and self._is_empty(part.entry)]
        if (images or pdfs) and self.ocr is not None:
            intake.read_images(images + pdfs, self.ocr)
        else:
            self._bare = tuple(intake.entries[number].name for number in images)
            for number in pdfs:
                name = intake.entries[number].name
                intake.fail(name, f"{name}: a PDF without text: --ocr tesseract reads its pages")
                intake.entries[number] = intake.entries[number]._replace(key=b"")
        for unit in units:
            for part in unit.parts:
                part.entry = intake.entries[numbers[part.entry.path]]
            unit.parts = [part for part in unit.parts if part.entry.key]
        units[:] = [unit for unit in units if unit.parts]

    def _is_empty(self, entry: ScanEntry) -> bool:
        return bool(entry.key) and not any(page.words for page in self._pages_of(entry))

    def _note_all(self, intake: Intake) -> tuple[Note, ...]:
        notes = [Note.of("pages_unreadable", failure.name, why=failure.why) for failure in intake.failures[:NOTED]]
        if len(intake.failures) > NOTED:
            notes.append(Note.of("more_pages_unreadable", count=len(intake.failures) - NOTED))
        if self._bare:
            notes.append(Note.of("images_without_text", count=len(self._bare), first=self._bare[0]))
        if intake.left_out:
            some = intake.left_out[:5]
            others = len(intake.left_out) - len(some)
            notes.append(Note.of("files_of_another_kind", files=some, others=others))
        if intake.broken:
            notes.append(Note.of("boxes_broken", count=intake.broken))
        return tuple(notes)

    # -- documents ----------------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Document]:
        self.take_in()
        self._done = count = 0
        units = self._units or []
        for number, unit in enumerate(units):
            for document in self._documents(unit):
                count += 1
                yield document
            self._done = self._size * (number + 1) // len(units)
        if not count:
            if self.failures:
                raise DataError(f"no page with text: {self.failures[0].why}")
            more = ": give an OCR engine, --ocr tesseract" if self._bare else ""
            raise DataError(f"{self.files[0].path}: no page with text{more}")

    def _documents(self, unit: Unit) -> Iterator[Document]:
        if self.unit != "page":
            if self.unit == "file":
                for part in unit.parts:
                    yield self._document(_stem(part.entry.path), unit, self._part_pages(part))
            elif self.unit == "document" and unit.articles:
                yield from self._articles(unit)
            else:
                yield self._document(unit.id, unit, [page for part in unit.parts for page in self._part_pages(part)])
            return
        for part in unit.parts:
            pages = self._part_pages(part)
            for number, page in enumerate(pages, 1):
                stem = _stem(part.entry.path)
                yield self._document(stem if len(pages) == 1 else f"{stem}/{number}", unit, [page])

    def _articles(self, unit: Unit) -> Iterator[Document]:
        """The articles of a volume, and for each page what none of them has."""
        files = {part.entry.path: self._part_pages(part) for part in unit.parts}
        for article, path, at, pages in cut_articles(files, unit.articles):
            if article is None:
                stem = _stem(path)
                yield self._document(stem if len(files[path]) == 1 else f"{stem}/{at + 1}", unit, pages)
            else:
                own = self._document(f"{unit.id}/{article.id}", unit, pages)
                volume = (("volume", unit.title),) if unit.title and article.title else ()
                yield own._replace(title=article.title or unit.title, fields=(*own.fields, *volume))

    @staticmethod
    def _document(id_: str, unit: Unit, pages: list[PageText]) -> Document:
        text, scanned = assemble(pages)
        return Document(id_, text, unit.title, scanned, (("year", unit.year),) if unit.year else ())

    def _part_pages(self, part: UnitPart) -> list[PageText]:
        """The pages of a file with their labels and the places of their images."""
        pages = self._pages_of(part.entry)
        for number, page in enumerate(pages, 1):
            if part.entry.layout in ("pdf", "image"):
                several = len(pages) > 1 or part.entry.layout == "pdf"
                page.image = f"{part.entry.place}#page={number}" if several and part.entry.place else part.entry.place
            else:
                page.image = part.image or (self._images.of(part.entry, page.image) if self._images else "")
                if page.image and len(pages) > 1 and page.image.lower().endswith((".tif", ".tiff")):
                    page.image = f"{page.image}#page={number}"
            page.label = part.label or page.label or posixpath.basename(_stem(part.entry.path))
        return pages

    def _pages_of(self, entry: ScanEntry) -> list[PageText]:
        packed = self._store.get(entry.key) if self._store is not None else None
        if packed is None:
            raise DataError(f"{entry.name}: its pages are gone from the store: start again")
        return unpack_pages(packed)


class _Images:
    """The images of a collection, by path and by what they are called."""

    def __init__(self, entries: Sequence[ScanEntry]) -> None:
        images = [entry for entry in entries if entry.layout == "image"]
        self.places = {entry.path: entry.place for entry in images}
        self.stems = {_stem(entry.path): entry.place for entry in reversed(images)}
        beside: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for entry in images:
            beside[_beside(_stem(entry.path))].append(entry.place)
        self.beside = {key: places[0] for key, places in beside.items() if len(places) == 1}

    def of(self, entry: ScanEntry, named: str) -> str:
        """The image of a page: what its file names, else the one of the same name beside it or in a folder beside."""
        folder = posixpath.dirname(entry.path)
        name = named.replace("\\", "/")
        for path in (posixpath.join(folder, name), posixpath.join(folder, posixpath.basename(name))):
            if name and (place := self.places.get(posixpath.normpath(path))) is not None:
                return place
        stem = _stem(entry.path)
        return self.stems.get(stem) or self.beside.get(_beside(stem), "")


def _stem(path: str) -> str:
    """A path without the endings of pages: a/0007.alto.xml → a/0007."""
    while True:
        base, ending = posixpath.splitext(path)
        if ending.lower() not in ENDINGS or not posixpath.basename(base):
            return path
        path = base


def _beside(stem: str) -> tuple[str, str]:
    """What two files have in common that lie in folders side by side: alto/0007 and images/0007."""
    folder, name = posixpath.split(stem)
    return (posixpath.dirname(folder) if folder else "\0", name)


def _within(folder: str, href: str) -> str:
    """The path in the collection that a METS names."""
    return posixpath.normpath(posixpath.join(folder, local_path(href) or "\0"))


def _by_folder(units: list[Unit]) -> list[Unit]:
    """Volumes and PDFs as they are, single pages of a folder together."""
    together: dict[str, Unit] = {}
    for unit in units:
        single = (
            len(unit.parts) == 1 and unit.parts[0].entry.layout != "pdf" and unit.id == _stem(unit.parts[0].entry.path)
        )
        key = (posixpath.dirname(unit.id) or unit.id) if single else unit.id
        if single and key in together and not together[key].title:
            together[key].parts += unit.parts
        else:
            together[key if key not in together else f"{key}'"] = replace(unit, id=key)
    return list(together.values())


def _root(files: Sequence[File]) -> str:
    """The folder to which all files are relative."""
    roots = set()
    for file in files:
        path = os.path.abspath(file.path)
        inner = os.path.normpath(file.inner)
        inside = path.endswith(os.sep + inner) and not inner.startswith("..")
        roots.add(path[: -len(inner) - 1] or os.sep if inside else os.path.dirname(path))
    try:
        return os.path.commonpath(sorted(roots))
    except ValueError:  # on different drives
        return ""


def _discard(store: RecordStore, folder: tempfile.TemporaryDirectory[str]) -> None:
    store.close()
    folder.cleanup()
