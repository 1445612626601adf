"""Reading documents from wherever they are, again and again."""

from __future__ import annotations

import os
import re
import weakref
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain, count, islice
from typing import Any, NamedTuple

from ...core.arguments import is_file, is_frame, wrong_type
from ...core.document import Document, Documents, DocumentsPart, InMemory
from ...core.errors import ConflictError, DataError, SpecError
from ...core.likes import DocumentsLike
from ...core.note import Note
from ...core.plug_ins import warn
from ...core.spec import class_name
from ...storage.access import reading
from .layout import Layout, ReadingTally, layouts, with_title
from .locations import File, files_of, sections_of
from .page_images import ImageReader
from .scan_intake import SCANS
from .scan_layout import ScanLayout
from .scan_reading import ScanFiles
from .streams import HEAD, Meter, Stream, streams

ORDER = ("parquet", *SCANS, "trec", "smart", "jsonl", "xhtml", "html", "latex", "tsv")
"""Layouts in the order in which a file is asked whether it is one of them. Then plug-ins are; the rest is text."""

ASKED = 32
"""So many files of a folder or archive say what the collection is; most votes win."""

UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""Byte order marks of UTF-16 and UTF-32: most of their bytes would pass for text, a letter and a zero in turn."""


class DocumentFiles(Documents):
    """The documents in files of one layout; files are opened one after the other, whenever it is gone through."""

    def __init__(self, files: list[File], layout: Layout | None = None) -> None:
        self.files = tuple(files)
        self._meter = Meter()
        self._notes: tuple[Note, ...] = ()
        for file in files:
            if file.handle is not None:
                weakref.finalize(self, file.handle.close)
        self._size = sum(file.size for file in files)
        self.layout = layout or majority_layout(files)

    def __repr__(self) -> str:
        return f"<{len(self.files)} files of {self.layout}, first {self.files[0].path}>"

    def __iter__(self) -> Iterator[Document]:
        self._meter = meter = Meter()
        tally = ReadingTally()
        yield from documents_in(_streams(self.files, meter), self.layout, tally)
        self._settle(tally)

    def look(self, first: int, share: int) -> Iterator[Document]:
        """As of any documents; where each is a line, the others are not parsed."""
        if self.layout.section != b"":
            yield from super().look(first, share)
            return
        numbers = count()
        opened = _streams(self.files, Meter())

        def chosen() -> Iterator[Stream]:
            for stream in opened:
                stream.wanted = lambda: (number := next(numbers)) < first or number % share == 0
                yield stream

        with closing(opened):
            yield from documents_in(chosen(), self.layout, ReadingTally())

    def _settle(self, tally: ReadingTally) -> None:
        if not tally.documents:
            raise DataError(f"{self.files[0].path}: no document found by the layout {self.layout}")
        self._notes = tally.notes()

    @property
    def size(self) -> int:
        return self._size

    @property
    def read(self) -> int:
        return self._meter.read

    @property
    def notes(self) -> tuple[Note, ...]:
        return self._notes

    def divide(self, size: int) -> Sequence[DocumentsPart]:
        if any(file.handle is not None for file in self.files):
            return ()
        groups: list[list[File]] = [[]]
        room = size
        for file in chain.from_iterable(self._sections(file, size) for file in self.files):
            if groups[-1] and room < file.size:
                groups.append([])
                room = size
            groups[-1].append(file)
            room -= file.size
        return [FilesPart(tuple(group), self.layout) for group in groups]

    def _sections(self, file: File, size: int) -> list[File]:
        """A large file in sections, if it is plain and they can be read apart; else as it is."""
        start = self.layout.section
        if start is None or file.size < 2 * size:
            return [file]
        with reading(file.path), open(file.path, "rb") as raw:
            head = raw.read(HEAD)
        with closing(_streams([file], Meter())) as opened:
            stream = next(opened, None)
            plain = stream is not None and stream.head == head[stream.begin :]
            if stream is None or not plain or b"\n" not in head or not (file.named or self.layout.takes(stream)):
                return [file]
        return sections_of(file, size, start)

    def conclude(self, reports: Sequence[PartReport]) -> None:
        tally = ReadingTally()
        for report in reports:
            tally.documents += report.documents
            for note in report.notes:
                tally.add(note)
        self._settle(tally)


class PartReport(NamedTuple):
    """What was met in some of the files."""

    documents: int
    notes: tuple[Note, ...]


class FilesPart(DocumentsPart):
    """Some files of a collection, all of one layout."""

    def __init__(self, files: tuple[File, ...], layout: Layout) -> None:
        self.files, self.layout = files, layout
        self._tally = ReadingTally()

    def __reduce__(self) -> tuple[Any, ...]:
        return _part, (self.files, str(self.layout))

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def kinds(self) -> tuple[tuple[str, str], ...]:
        return (class_name(self.layout),)

    def __iter__(self) -> Iterator[Document]:
        self._tally = ReadingTally()
        return documents_in(_streams(self.files, Meter()), self.layout, self._tally)

    @property
    def report(self) -> PartReport:
        return PartReport(self._tally.documents, self._tally.notes(None))


def _part(files: tuple[File, ...], layout: str) -> FilesPart:
    return FilesPart(files, layouts.parse(layout))


def majority_layout(files: Sequence[File]) -> Layout:
    """The layout that most of the first files show."""
    votes: Counter[str] = Counter()
    beside: Counter[str] = Counter()  # notes of the program that wrote the rest, as Spark leaves them
    wrong: DataError | None = None
    for file in files:
        left = ASKED - votes.total() - beside.total()
        if left <= 0:
            break
        _ = file.size  # a pipe would be waited for and is refused
        try:
            with closing(_streams([file], Meter())) as opened:
                for stream in islice(opened, left):
                    noted = os.path.basename(stream.inner).startswith("_")
                    (beside if noted else votes)[layout_of(stream)] += 1
                    if len(files) == 1 and stream.named and (what := _other_kind(stream.head)):
                        why = f"looks like {what}, not documents: name the layout text if it is to be one document"
                        raise DataError(f"{stream.name}: {why}")
        except DataError as error:  # whoever reads the file says so, or goes on
            if len(files) == 1:
                raise
            wrong = wrong or error
    if not votes and not beside:
        raise wrong or DataError(f"{files[0].path}: an archive without files")
    return layouts.parse((votes or beside).most_common(1)[0][0])


def _streams(files: Sequence[File], meter: Meter) -> Generator[Stream, None, None]:
    for file in files:
        yield from streams(file, meter)


RUN_LINE = re.compile(rb"\S+\s+\S+\s+\S+\s+-?\d+\s+[-+.\deE]+\s+\S.*")
QRELS_LINE = re.compile(rb"\S+\s+\S+\s+\S+\s+-?\d+")


def _other_kind(head: bytes) -> str:
    """What a file is whose first lines are those of a run or of judgments; empty if they are not."""
    lines = [line.strip() for line in head.split(b"\n")[:20] if line.strip() and not line.startswith(b"#")]
    if len(lines) < 3:
        return ""
    if all(RUN_LINE.fullmatch(line) for line in lines):
        return "a run"
    return "relevance judgments" if all(QRELS_LINE.fullmatch(line) for line in lines) else ""


def documents_in(opened: Iterable[Stream], layout: Layout, tally: ReadingTally) -> Iterator[Document]:
    """The documents of files of one layout; files of another kind are skipped and reported."""
    for stream in opened:
        if not stream.named and not layout.takes(stream):
            if not layout.ignores(stream):
                tally.left_out.append(stream.name)
            continue
        if stream.head.startswith(UTF_16) and b"\0" in stream.head:
            raise DataError(f"{stream.name}: UTF-16 and not UTF-8: convert it, iconv -f UTF-16 -t UTF-8 does")
        for document in layout.read(stream, tally):
            tally.count(document)
            yield document


def layout_of(stream: Stream) -> str:
    """What a file is: by its beginning, else by its ending, else text."""
    kinds = [layouts.get(name) for name in ORDER]
    name = stream.plain_name.lower()
    for kind in kinds:
        if kind.shows(stream.head):
            return kind.name
    ours = next((kind.name for kind in kinds if kind.endings and name.endswith(kind.endings)), None)
    return ours or next((kind.name for kind in layouts.plugged() if _claims(kind, stream)), "text")


def _claims(kind: type[Layout], stream: Stream) -> bool:
    """Whether the layout of another package says that a file is its own; one that fails does not have it."""
    try:
        return kind.shows(stream.head) or bool(kind.endings and stream.plain_name.lower().endswith(kind.endings))
    except Exception as error:
        warn(f"{layouts.plug_ins[kind.name]} is ignored for {stream.name}: {type(error).__name__}: {error}")
        return False


def read_documents(
    source: DocumentsLike,
    layout: str | None = None,
    *,
    unit: str = "page",
    ocr: ImageReader | None = None,
    store: str | os.PathLike[str] | None = None,
) -> Documents:
    """Read documents, which can be gone through again and again and need not fit in memory.

    The folder of a finished noise job gives its documents, once, though they lie there in several layouts.

    Args:
        source: a file, a folder, a pattern, a tar, ``-``, an open binary file, or a list of these; or a list of
            Document, {id: text}, or a pandas or polars frame with an id and a text. Files may be packed with gzip, xz,
            zstd or bzip2.
        layout: what the files hold, if it is not to be seen from their content: trec, jsonl, parquet, tsv, text, html,
            xhtml, latex, smart, or for scanned pages alto, hocr, page_xml, pdf, mets, image; with parameters as in
            ``xhtml(formulas=drop)``.
        unit: what becomes a document where pages were scanned: page, document (a METS, a PDF or a folder), file.
        ocr: what reads images of pages that no other file has the text of; :func:`adjudge.index` takes its name.
        store: the file that keeps what was read of scanned pages, so that only new ones are read the next time.

    >>> list(read_documents({"d1": "solar power"}))
    [Document(id='d1', text='solar power', title='')]
    """
    if isinstance(source, Documents):
        return source
    if isinstance(source, Mapping) or is_frame(source):
        return InMemory(_unique(_in_memory(source)))
    if isinstance(source, Document):  # a tuple too, and not one of paths
        return InMemory([source])
    if not is_file(source) and not isinstance(source, Iterable):
        raise wrong_type("documents", source)
    many: list[Any] = [source] if is_file(source) else list(source)  # type: ignore[arg-type]
    if many and all(isinstance(given, Document) for given in many):
        return InMemory(many)
    for given in many:
        if not is_file(given):
            raise wrong_type("documents", given)
    named = None if layout is None else layouts.parse(layout)
    files = [file for given in many for file in files_of(given)]
    if not files:
        raise DataError("no document: an empty list of sources")
    try:
        kind = majority_layout(files) if named is None else named
        if isinstance(kind, ScanLayout):
            return ScanFiles(files, named, unit=unit, ocr=ocr, store=store)
        if unit != "page" or ocr is not None:
            what = "--ocr" if ocr is not None else "--unit"
            raise SpecError(f"{what} is for scanned pages, and {files[0].path} is of the layout {kind}")
        return DocumentFiles(files, kind)
    except BaseException:
        for file in files:
            if file.handle is not None:
                file.handle.close()
        raise


ID = ("id", "docno", "docid", "_id", "doc_id", "document")
TEXT = ("text", "body", "contents", "content")


def _in_memory(source: Any) -> Iterator[Document]:
    """The documents of {id: text} or of a frame."""
    if isinstance(source, Mapping):
        for id_, text in source.items():
            if not isinstance(text, str):
                raise wrong_type(f"the text of document {id_}", text, "a string")
            yield Document(str(id_), text)
        return
    names = {str(column).lower(): column for column in source.columns}
    found = [next((names[name] for name in known if name in names), None) for known in (ID, TEXT)]
    for known, column, what in zip((ID, TEXT), found, ("id", "text"), strict=True):
        if column is None:
            have = ", ".join(map(str, source.columns))
            raise DataError(f"documents: no column for the {what} (one of {', '.join(known)}) among: {have}")
    titles = source[names["title"]].to_list() if "title" in names else [""] * len(source)
    for row, (id_, text, title) in enumerate(
        zip(source[found[0]].to_list(), source[found[1]].to_list(), titles, strict=True), 1
    ):
        if not isinstance(text, str):
            raise DataError(f"documents: row {row}: the text is {repr(text)[:50]}, not a string")
        named = title if isinstance(title, str) else ""
        yield Document(str(id_), with_title(named, text), named)


def _unique(documents: Iterable[Document]) -> Iterator[Document]:
    seen: set[str] = set()
    for document in documents:
        if document.id in seen:
            raise ConflictError(f"documents: {document.id} occurs twice")
        seen.add(document.id)
        yield document
