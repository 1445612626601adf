"""Where bytes come from: a path, standard input, an open file; compressed or not, by content."""

from __future__ import annotations

import mmap
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Self

from ..core.arguments import is_file, wrong_type
from ..core.errors import AdjudgeError, DataError, FileAccessError, MissingFileError
from ..storage.access import reading
from .raw_file import BOM, MAGIC, MAPPED, header_separator, looks_like_json, looks_like_parquet, stem_of


class RunColumns(NamedTuple):
    """Runs or judgments as columns, in the order of the source."""

    topics: Sequence[str]
    documents: Sequence[str]
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
        return stem_of(self.name)

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

    return _members(bz2.BZ2Decompressor, data, MAGIC["bzip2"])


def _xz(data: Any) -> bytes:
    import lzma

    return _members(lzma.LZMADecompressor, data, MAGIC["xz"])


def _zstd(data: Any) -> bytes:
    from ..storage.zstd import Decompressor

    return _members(Decompressor, data, MAGIC["zstd"])


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
    ("gzip", MAGIC["gzip"], _gzip),
    ("bzip2", MAGIC["bzip2"], _bzip2),
    ("xz", MAGIC["xz"], _xz),
    ("zstd", MAGIC["zstd"], _zstd),
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
