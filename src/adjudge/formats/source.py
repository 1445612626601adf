"""Where bytes come from: a path, standard input, an open file; compressed or not, by content."""

from __future__ import annotations

import mmap
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, Self

from ..core.arguments import is_file, wrong_type
from ..core.errors import AdjudgeError, DataError, FileAccessError, MissingFileError
from ..storage.access import reading

MAPPED = 1 << 20
"""Plain files from this size on are mapped into memory instead of being read."""

ENDINGS = (".gz", ".xz", ".zst", ".bz2", ".txt", ".trec", ".run", ".json", ".jsonl", ".parquet", ".csv", ".tsv")

BOM = b"\xef\xbb\xbf"


class RunColumns(NamedTuple):
    """Runs or judgments as columns, in the order of the source."""

    topics: list[str]
    documents: list[str]
    numbers: Any
    tag: str | None = None
    place: Callable[[int, str], str] | None = None
    """What is wrong in a row, with the place of the row before it; None where rows have no places."""

    def first_repetition(self, *, same: bool) -> tuple[int, int]:
        """The first row whose document the topic had before, and where: with another number, or also with the ``same``.

        For error messages; whether there is one is known before."""
        seen: dict[tuple[str, str], int] = {}
        for row, pair in enumerate(zip(self.topics, self.documents, strict=True)):
            before = seen.setdefault(pair, row)
            if before < row and (same or self.numbers[before] != self.numbers[row]):
                return row, before
        raise ValueError("no document twice in a topic")


TOPIC = ("topic", "topicid", "qid", "queryid", "topicnumber", "query")
DOCUMENT = ("document", "documentid", "docno", "docid", "doc", "did", "corpusid")
"""Names of columns, white space, case and punctuation apart. PyTerrier has docno beside an internal docid, and the text
of a query beside its qid: then the earlier name counts."""


class NamedPath(str):
    """A path with the name that its run is to have, as ``NAME=FILE`` on a command line gives it."""

    __slots__ = ("run_name",)

    run_name: str

    def __new__(cls, path: str, run_name: str) -> Self:
        named = super().__new__(cls, path)
        named.run_name = run_name
        return named

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.run_name)


class Source(NamedTuple):
    """All the bytes of one input, and what to call it in messages."""

    name: str
    text: bytes | mmap.mmap

    @property
    def stem(self) -> str:
        """The file name without the endings that tell the format."""
        name = os.path.basename(self.name)
        for ending in ENDINGS:
            name = name.removesuffix(ending) or name
        return name

    @property
    def begin(self) -> int:
        return len(BOM) if self.text[: len(BOM)] == BOM else 0

    def whole(self) -> bytes:
        return bytes(self.text[self.begin :])

    def close(self) -> None:
        if isinstance(self.text, mmap.mmap):
            with suppress(BufferError):  # an array still looks at it; it closes with the last of them
                self.text.close()


def _gzip(data: Any) -> bytes:
    import gzip

    return gzip.decompress(data)


def _bzip2(data: Any) -> bytes:
    import bz2

    return _members(bz2.BZ2Decompressor, data, b"BZh")


def _xz(data: Any) -> bytes:
    import lzma

    return _members(lzma.LZMADecompressor, data, b"\xfd7zXZ\x00")


def _zstd(data: Any) -> bytes:
    from ..storage.zstd import Decompressor

    return _members(Decompressor, data, b"\x28\xb5\x2f\xfd")


def _members(decompressor: Callable[[], Any], data: Any, magic: bytes) -> bytes:
    """All compressed streams of a file, one after another. The libraries' own functions forgive what comes between."""
    rest, parts = memoryview(data), []
    while len(rest) > 0:
        if bytes(rest[: len(magic)]) != magic:
            if not bytes(rest).strip(b"\0"):  # padding, which xz allows
                break
            raise ValueError("something else follows the compressed data")
        member = decompressor()
        parts.append(member.decompress(rest))
        if not member.eof:
            raise EOFError
        rest = rest[len(rest) - len(member.unused_data) :]
    return b"".join(parts)


PACKED: tuple[tuple[str, bytes, Callable[[Any], bytes]], ...] = (
    ("gzip", b"\x1f\x8b", _gzip),
    ("bzip2", b"BZh", _bzip2),
    ("xz", b"\xfd7zXZ\x00", _xz),
    ("zstd", b"\x28\xb5\x2f\xfd", _zstd),
)


def open_source(what: Any) -> Source:
    """The bytes behind a path, ``-`` or an open binary file, unpacked."""
    if isinstance(what, Source):
        return what
    if hasattr(what, "read"):
        name = str(getattr(what, "name", "stream"))
        with reading(name):
            data = what.read()
        return _unpack(name, data.encode() if isinstance(data, str) else data)
    if not is_file(what):
        raise wrong_type("source", what, "file")
    path = os.fspath(what)
    if path == "-":
        if sys.stdin is None:
            raise DataError("stdin: closed")
        with reading("stdin"):
            data = sys.stdin.buffer.read()
        return _unpack("stdin", data)
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size >= MAPPED:
                return _unpack(path, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            return _unpack(path, file.read())
    except FileNotFoundError:
        raise MissingFileError(f"{path}: no such file", path) from None
    except IsADirectoryError:
        raise DataError(f"{path}: a folder, not a file") from None
    except AdjudgeError:
        raise
    except OSError as error:
        raise FileAccessError(f"{path}: cannot be read: {error.strerror}", path, error.errno) from None


def _unpack(name: str, data: bytes | mmap.mmap) -> Source:
    for kind, magic, unpack in PACKED:
        if data[: len(magic)] == magic:
            try:
                data = unpack(data)
            except EOFError:
                raise DataError(f"{name}: truncated {kind} data") from None
            except Exception as error:
                raise DataError(f"{name}: damaged {kind} data: {error}") from None
            break
    if not data:
        raise DataError(f"{name}: empty")
    return Source(name, data)


def drop_pages(text: bytes | mmap.mmap, begin: int, end: int) -> None:
    """Tell the system that this part of a mapped file is done with, so that it does not count as our memory."""
    if isinstance(text, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        first = -(-begin // mmap.PAGESIZE) * mmap.PAGESIZE
        length = end // mmap.PAGESIZE * mmap.PAGESIZE - first
        if length > 0:
            text.madvise(mmap.MADV_DONTNEED, first, length)


def looks_like_json(source: Source) -> bool:
    head = bytes(source.text[source.begin : source.begin + 64]).lstrip()
    return head[:1] == b"{" and head[1:].lstrip()[:1] in {b'"', b"}"}


def looks_like_parquet(source: Source) -> bool:
    return source.text[:4] == b"PAR1" and source.text[-4:] == b"PAR1"


def header_separator(source: Source) -> str | None:
    """Tab or comma, if the first line is a header with a topic and a document column."""
    head = bytes(source.text[source.begin : source.begin + 4096]).split(b"\n")[0].decode("utf-8", "replace")
    for separator in ("\t", ",", ";"):
        words = [fold_word(word) for word in head.strip().split(separator)]
        if len(words) >= 3 and set(words) & set(TOPIC) and set(words) & set(DOCUMENT):
            return separator
    return None


def fold_word(word: str) -> str:
    return word.strip().strip('"').lower().replace("-", "").replace("_", "").replace(" ", "")


def read_columns(source: Source, *, integer: bool, spans: bool = False) -> RunColumns | None:
    """The columns of a file that is Parquet, JSON or has a header; None if it is none of these, so TREC lines."""
    separator = header_separator(source)
    parquet, json = looks_like_parquet(source), looks_like_json(source)
    if not (parquet or json or separator):
        return None
    from . import nested

    if parquet:
        return nested.from_parquet(source, integer, spans=spans)
    if json:
        return nested.from_json(source, integer)
    return nested.from_delimited(source, separator or "", integer, spans=spans)
