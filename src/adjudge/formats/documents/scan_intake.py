"""Taking in files of scanned pages: each is read once, by its own layout, and what it holds goes into a store.

The store knows files by path, size and time, and contents by their digest: a second job over the same folder reads
only what is new, and a job that was killed goes on where it was. What cannot be read is one failure, and the rest goes
on.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from ...core.errors import AdjudgeError, DataError
from ...core.machine import cores
from ...core.progress import Step
from ...core.scanned_page import ImagePlace
from ...storage.digest import Digest
from ...storage.record_store import RecordStore
from .layout import Layout, layouts
from .layouts.mets import Volume, read_volume
from .locations import File
from .page_images import ImageReader, pictures
from .page_text import PageText, pack_pages
from .page_worker import VERSION, PageFile, PageReaders, PagesRead, content_key, read_page_file
from .scan_layout import Bytes
from .streams import ENDINGS, Meter, Stream, streams, without

SCANS = ("alto", "page_xml", "mets", "hocr", "pdf", "image")
"""Layouts of scanned pages in the order in which a file is asked whether it is one of them."""
LARGEST = 1 << 29
"""Bytes of a file in an archive, or of one with words; larger ones are not real."""
FEW = 64
"""So many files are read in this process: starting others takes longer."""
WAITING = 64
"""Files that are handed out before the first comes back, for each process."""
ARCHIVES = (".tar", ".zip", ".tgz", ".txz", ".tbz2")


class ScanEntry(NamedTuple):
    """A file of pages: its path in the collection, its layout, the key of its pages, the place of its image."""

    path: str
    layout: str
    key: bytes
    place: str
    name: str
    """For messages."""
    file: int
    """The number of the file on disk that it is or lies in."""


class Failure(NamedTuple):
    """A file that could not be read, and why, in one line that names it."""

    name: str
    why: str


def layout_of_scan(stream: Stream) -> str | None:
    """The layout of pages that a file shows; None if it is something else."""
    return next((name for name in SCANS if layouts.get(name).shows(stream.head)), None)


class Intake:
    """One pass over the files that fills the store, and what it found."""

    def __init__(self, files: Sequence[File], root: str, store: RecordStore, only: Layout | None, step: Step) -> None:
        self.files, self.root, self.store, self.only, self.step = files, root, store, only, step
        self.entries: list[ScanEntry] = []
        self.volumes: dict[str, Volume] = {}
        self.failures: list[Failure] = []
        self.left_out: list[str] = []
        self.pages = self.read = self.broken = 0
        """Pages in all, files that were read and not known before, boxes that cannot be."""
        self._paths: set[str] = set()
        self._waiting: deque[tuple[Any, Callable[[PagesRead], None]]] = deque()
        self._readers: PageReaders | None = None
        self._meter = Meter()
        self._known = 0

    # -- files with words ---------------------------------------------------------------------------------------------

    def walk(self) -> None:
        """Go through all files."""
        try:
            for number, file in enumerate(self.files):
                try:
                    if not self._take_known(number, file):
                        for stream in streams(file, self._meter):
                            self._take(number, file, stream)
                except AdjudgeError as error:
                    self.fail(file.path, str(error))
                except OSError as error:
                    self.fail(file.path, f"{file.path}: cannot be read: {error.strerror or error}")
                self._reach()
            self._drain(0)
        finally:
            self.close()

    def close(self) -> None:
        if self._readers is not None:
            self._readers.close()
            self._readers = None

    def fail(self, name: str, why: str) -> None:
        self.failures.append(Failure(name, why))

    def _reach(self) -> None:
        self.step.reach(self._known + self._meter.read, pages=self.pages, failed=len(self.failures))

    def _stamp(self, file: File, member: str = "") -> bytes | None:
        """What tells that a file is the one that was read before; None if nothing does."""
        if file.handle is not None:
            return None
        about = os.stat(file.path)
        text = f"{VERSION} {os.path.abspath(file.path)}\n{about.st_size} {about.st_mtime_ns}\n{member}"
        return Digest(text.encode("utf-8", "surrogateescape")).bytes

    def _take_known(self, number: int, file: File) -> bool:
        """Take a plain file whose pages are in the store; whether it is one."""
        stamp = self._stamp(file)
        entry = self._from_store(stamp, number, file, None)
        if entry is None:
            return False
        self._known += file.size
        return True

    def _from_store(self, stamp: bytes | None, number: int, file: File, stream: Stream | None) -> ScanEntry | None:
        known = None if stamp is None else self.store.get(stamp)
        if known is None:
            return None
        layout, key = known[16:].decode("ascii", "replace"), known[:16]
        if layout not in SCANS or key not in self.store or not self._wanted(layout):
            return None
        return self._enter(layout, key, number, file, stream)

    def _wanted(self, layout: str) -> bool:
        return self.only is None or layout == self.only.name or not layouts.get(layout).has_text  # type: ignore[attr-defined]

    def _enter(self, layout: str, key: bytes, number: int, file: File, stream: Stream | None) -> ScanEntry:
        member = stream.inner if stream is not None and stream.name != file.path else ""
        place = ImagePlace(os.path.relpath(file.path, self.root).replace(os.sep, "/"), member).text
        if file.handle is not None or (stream is not None and stream.name not in (file.path, f"{file.path}/{member}")):
            place = ""  # in an archive within an archive, where nobody finds it
        path = file.inner.replace(os.sep, "/")
        if member:
            path = (
                member
                if file.named and len(self.files) == 1
                else f"{without(without(path, ENDINGS), ARCHIVES)}/{member}"
            )
        path = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        if path in self._paths:
            path = f"{os.path.basename(os.path.dirname(os.path.abspath(file.path)))}/{path}"
        while path in self._paths:
            path = f"{path}'"
        self._paths.add(path)
        entry = ScanEntry(path, layout, key, place, file.path if stream is None else stream.name, number)
        self.entries.append(entry)
        return entry

    def _take(self, number: int, file: File, stream: Stream) -> None:
        layout = layout_of_scan(stream)
        if layout is None and stream.named and self.only is not None:
            layout = self.only.name
        if layout is None or not self._wanted(layout):
            self.left_out.append(stream.name)
            return
        whole = stream.name == file.path and not file.inner.lower().endswith(ENDINGS) and file.handle is None
        stamp = self._stamp(file, "" if stream.name == file.path else stream.inner)
        if layout == "image":
            self._enter(layout, b"", number, file, stream)
            return
        if layout == "mets":
            volume = read_volume(Bytes(stream.name, lambda: [self._bytes(stream)]))
            self.volumes[self._enter(layout, b"", number, file, stream).path] = volume
            return
        if not whole and self._from_store(stamp, number, file, stream) is not None:
            return
        path = file.path if whole and layout == "pdf" else None
        page_file = PageFile(layout, stream.name, path, b"" if path else self._bytes(stream))
        place = len(self.entries)
        self._enter(layout, b"", number, file, stream)

        def keep(read: PagesRead) -> None:
            self._keep(place, stamp, read)

        self._hand_out(page_file, keep)

    @staticmethod
    def _bytes(stream: Stream) -> bytes:
        pieces, size = [], 0
        for piece in stream.raw():
            pieces.append(piece)
            size += len(piece)
            if size > LARGEST:
                raise DataError(f"{stream.name}: more than {LARGEST >> 20} MB, too many for one file of pages")
        return b"".join(pieces)

    def _hand_out(self, file: PageFile, keep: Callable[[PagesRead], None]) -> None:
        self.read += 1
        if self._readers is None and (file.layout == "pdf" or self.read > FEW):
            self._readers = PageReaders(cores())
        if self._readers is None:
            keep(read_page_file(file))
            return
        self._waiting.append((self._readers.submit(file), keep))
        self._drain(WAITING)

    def _drain(self, left: int) -> None:
        while len(self._waiting) > left:
            future, keep = self._waiting.popleft()
            keep(future.result())
            self._reach()

    def _keep(self, place: int, stamp: bytes | None, read: PagesRead) -> None:
        entry = self.entries[place]
        if read.why:
            self.fail(entry.name, read.why)
            return
        if read.key not in self.store:
            self.store.put(read.key, read.packed)
        if stamp is not None:
            self.store.put(stamp, read.key + entry.layout.encode())
        self.entries[place] = entry._replace(key=read.key)
        self.pages += read.pages
        self.broken += read.broken

    # -- images -------------------------------------------------------------------------------------------------------

    def read_images(self, places: Sequence[int], reader: ImageReader) -> None:
        """Let an engine read the images, and pages of PDFs, that no other file has the text of."""
        wanted: dict[int, dict[str, int]] = {}
        for place in places:
            entry = self.entries[place]
            wanted.setdefault(entry.file, {})[entry.name] = place
        self._readers = PageReaders(max(1, reader.workers))
        try:
            for number, members in wanted.items():
                file = self.files[number]
                try:
                    for stream in streams(file, Meter()):
                        if (wanted_at := members.get(stream.name)) is not None:
                            self._read_image(
                                wanted_at, stream, self._stamp(file, f"{stream.inner} {reader.identity}"), reader
                            )
                except (AdjudgeError, OSError) as error:
                    self.fail(file.path, str(error))
            self._drain(0)
        finally:
            self.close()

    def _read_image(self, place: int, stream: Stream, stamp: bytes | None, reader: ImageReader) -> None:
        entry = self.entries[place]
        known = None if stamp is None else self.store.get(stamp)
        if known is not None and known[:16] in self.store:
            self.entries[place] = entry._replace(key=known[:16])
            return
        data = self._bytes(stream)
        content = Bytes(stream.name, lambda: [data])
        key = content_key(content, reader.identity)
        if key in self.store:
            self._keep(place, stamp, PagesRead(key, b"", 0, 0, 0))
            return

        def work() -> PagesRead:
            try:
                return read_pictures(content, key, reader)
            except AdjudgeError as error:
                return PagesRead(key, b"", 0, 0, 0, str(error))

        def keep(read: PagesRead) -> None:
            self._keep(place, stamp, read)

        if self._readers is not None:
            self.read += 1
            self._waiting.append((self._readers.call(work), keep))
            self._drain(2 * reader.workers)


def read_pictures(content: Bytes, key: bytes, reader: ImageReader) -> PagesRead:
    """What an engine reads on the pages of an image or a PDF."""
    pages: list[PageText] = []
    with closing(pictures(content)) as drawn:  # type: ignore[type-var]
        for number, picture in drawn:
            page = reader(picture)
            page.width, page.height, page.label = picture.width, picture.height, str(number or "")
            pages.append(page.settle())
    words, broken = sum(len(page.words) for page in pages), sum(page.broken for page in pages)
    return PagesRead(key, pack_pages(pages), len(pages), words, broken)
