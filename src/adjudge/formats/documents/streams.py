"""Bytes of many files, one after the other and in pieces: folders, patterns, archives, compressed files, pipes."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from itertools import chain
from typing import Any

from ...core.errors import DataError
from ...storage.access import read_at, reading
from ..raw_file import BOM
from ..source import PACKED
from .locations import PIECE, File, FileSection
from .zip_archives import ZIP, laid_down, zip_contents

PACKED_PIECE = 1 << 10
"""Compressed bytes are unpacked so many at a time, because they may grow to thirty thousand times as many."""

DEEPEST = 16
"""So deep may archives and compressed files lie in each other: there are files that hold themselves."""

UNREADABLE = {
    b"7z\xbc\xaf\x27\x1c": "7z archives are not read: unpack it",
    b"Rar!\x1a\x07": "rar archives are not read: unpack it",
    b"\x1f\x9d": "files of compress (.Z) are not read: unpack it, gzip -d does",
    b"\x1f\xa0": "files of pack (.z) are not read: unpack it, gzip -d does",
}

BLOCK = 512
"""What a tar is made of."""

HEAD = 1 << 16
"""So much of a file is looked at to see what it is."""

ENDINGS = (".gz", ".xz", ".zst", ".bz2")
NAMED = (".txt", ".text", ".html", ".htm", ".xhtml", ".xht", ".tex", ".md")
"""Endings that are no part of an id made from a file name; others may be, as in fr940104.0 and fr940104.1."""


class Meter:
    """How many bytes were read from disk so far."""

    def __init__(self) -> None:
        self.read = 0


class Stream:
    """One unpacked file: its name for messages, its name within the collection, its bytes."""

    def __init__(
        self, name: str, inner: str, named: bool, pieces: Iterator[bytes], section: FileSection | None = None
    ) -> None:
        first, lines = (section.begin, section.lines) if section is not None else (0, 0)
        self.name, self.inner, self.named = name, inner, named
        self._pieces, self._lines = pieces, lines
        self.wanted: Callable[[], bool] | None = None
        """Asked of each line that is not blank whether it is to be read."""
        parts, length = [], 0
        for piece in pieces:
            parts.append(piece)
            length += len(piece)
            if length >= HEAD:
                break
        self._first = b"".join(parts)
        self.begin = len(BOM) if self._first.startswith(BOM) and not first else 0
        self.offset = first + self.begin
        """The place in the file of the first byte of its text."""
        self.head = self._first[self.begin : HEAD]

    @property
    def plain_name(self) -> str:
        """The name without the ending of a compressor."""
        return without(self.inner, ENDINGS)

    @property
    def id(self) -> str:
        """The id of the only document of this file: its path within the collection without an ending like .txt."""
        name = without(self.plain_name, NAMED)
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace").replace(os.sep, "/")

    def raw(self) -> Iterator[bytes]:
        """All pieces as they are."""
        yield self._first
        yield from self._pieces

    def __iter__(self) -> Iterator[bytes]:
        """All pieces, without a byte order mark."""
        yield self._first[self.begin :]
        yield from self._pieces

    def whole(self) -> bytes:
        return b"".join(self)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Lines with their numbers, without their ends; a line may be as long as it likes.

        Where the beginning of a file has carriage returns and no line feed, they end its lines.
        """
        if self.wanted is None:
            return self._every_line()
        wanted = self.wanted
        return (row for row in self._every_line() if row[1] and not row[1].isspace() and wanted())

    def _every_line(self) -> Iterator[tuple[int, bytes]]:
        number, parts = self._lines, list[bytes]()
        end = b"\r" if b"\r" in self.head and b"\n" not in self.head and not self._lines else b"\n"
        for piece in self:
            first, *others = piece.split(end)
            parts.append(first)
            for line in others:
                number += 1
                yield number, b"".join(parts).removesuffix(b"\r")
                parts = [line]
        if last := b"".join(parts).removesuffix(b"\r"):
            yield number + 1, last


def without(name: str, endings: tuple[str, ...]) -> str:
    for ending in endings:
        if name.lower().endswith(ending) and len(os.path.basename(name)) > len(ending):
            return name[: -len(ending)]
    return name


def streams(file: File, meter: Meter) -> Iterator[Stream]:
    """What is in a file: itself, unpacked, or the files of an archive."""
    pieces = _pieces(file, meter)
    if file.section is not None and file.section.begin:
        yield Stream(file.path, file.inner, file.named, pieces, file.section)
        return
    first = next(pieces, b"")
    if first.startswith(ZIP) and file.handle is None:  # read where it lies
        pieces.close()
        with open(file.path, "rb") as archive:
            yield from zip_members(archive, file.path, 1)
        meter.read += max(0, file.size - len(first))
        return
    yield from open_stream(file.path, file.inner, file.named, chain([first], pieces))


def _pieces(file: File, meter: Meter) -> Generator[bytes, None, None]:
    if file.handle is not None:
        at = 0
        while True:
            with reading(file.path):
                piece = read_at(file.handle.fileno(), PIECE, at)  # passes may overlap, so none moves the position
            if not piece:
                break
            at += len(piece)
            meter.read += len(piece)
            yield piece
        return
    try:
        with open(file.path, "rb", buffering=0) as raw:
            left = 0
            if file.section is not None:
                left = file.size
                raw.seek(file.section.begin)
            while piece := raw.read(PIECE if file.section is None else min(PIECE, left)):
                left -= len(piece)
                meter.read += len(piece)
                yield piece
    except OSError as error:
        raise DataError(f"{file.path}: cannot be read: {error.strerror}") from None


def open_stream(name: str, inner: str, named: bool, pieces: Iterator[bytes], depth: int = 0) -> Iterator[Stream]:
    """What is in the bytes of a file: itself, unpacked, or the files of an archive."""
    stream = Stream(name, inner, named, pieces)
    head = stream.head
    if depth > DEEPEST:
        raise DataError(f"{name}: packed more than {DEEPEST} times")
    for kind, magic, _ in PACKED:
        if head.startswith(magic):
            unpacked = _unpack(name, kind, magic, stream.raw())
            yield from open_stream(name, without(inner, ENDINGS), named, unpacked, depth + 1)
            return
    for magic, why in UNREADABLE.items():
        if head.startswith(magic):
            raise DataError(f"{name}: {why}")
    if head.startswith(ZIP):
        with laid_down(stream.raw(), name) as file:
            yield from zip_members(file, name, depth + 1)
    elif head[257:262] == b"ustar":
        yield from _members(name, stream.raw(), depth + 1)
    else:
        yield stream


def zip_members(archive: Any, name: str, depth: int) -> Iterator[Stream]:
    """The files of a zip."""
    for inner, pieces in zip_contents(archive, name):
        yield from open_stream(f"{name}/{inner}", inner, False, pieces, depth)


def _decompressor(kind: str) -> Callable[[], Any]:
    if kind == "gzip":
        import zlib

        return lambda: zlib.decompressobj(wbits=31)
    if kind == "bzip2":
        import bz2

        return bz2.BZ2Decompressor
    if kind == "xz":
        import lzma

        return lzma.LZMADecompressor
    from ...storage.zstd import Decompressor

    return Decompressor


def _unpack(name: str, kind: str, magic: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Unpacked pieces of about the same size as unpacked files come in: whoever puts them together counts on it."""
    chunks: list[bytes] = []
    size = 0
    for piece in _grow(name, kind, magic, pieces):
        chunks.append(piece)
        size += len(piece)
        if size >= PIECE:
            yield b"".join(chunks)
            chunks, size = [], 0
    if chunks:
        yield b"".join(chunks)


def _grow(name: str, kind: str, magic: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    make = _decompressor(kind)
    decompressor, rest = make(), b""
    for piece in pieces:
        for at in range(0, len(piece), PACKED_PIECE):
            rest += piece[at : at + PACKED_PIECE]
            while rest:
                if decompressor.eof:  # another compressed stream may follow, or zeros as padding
                    rest = rest.lstrip(b"\0")
                    if len(rest) < len(magic):
                        break
                    if not rest.startswith(magic):
                        raise DataError(f"{name}: something else follows the {kind} data")
                    decompressor = make()
                try:
                    grown = decompressor.decompress(rest)
                except Exception as error:  # each library has its own
                    raise DataError(f"{name}: damaged {kind} data: {error}") from None
                rest = decompressor.unused_data if decompressor.eof else b""
                if grown:
                    yield grown
    if not decompressor.eof or rest:
        raise DataError(
            f"{name}: truncated {kind} data" if not decompressor.eof else f"{name}: something follows the {kind} data"
        )


class _Readable:
    """Pieces as a file that tarfile can read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._rest, self._at = pieces, b"", 0
        self.last = b""
        """What was read last: an archive ends with blocks of zeros, and one that does not was cut."""

    def read(self, size: int) -> bytes:
        parts = []
        while size > 0:
            if self._at == len(self._rest):
                self._rest, self._at = next(self._pieces, b""), 0
                if not self._rest:
                    break
            part = self._rest[self._at : self._at + size]
            self._at += len(part)
            size -= len(part)
            parts.append(part)
        read = b"".join(parts)
        self.last = (self.last + read[-BLOCK:])[-BLOCK:]
        return read


def _members(name: str, pieces: Iterator[bytes], depth: int) -> Iterator[Stream]:
    import tarfile

    readable: Any = _Readable(pieces)
    try:
        with tarfile.open(fileobj=readable, mode="r|", bufsize=PIECE) as archive:
            while (member := archive.next()) is not None:
                archive.members.clear()  # type: ignore[attr-defined]  # it would keep them all
                inner = member.name.removeprefix("./")
                if member.isdir() or any(part.startswith(".") and part != ".." for part in inner.split("/")):
                    continue
                if not member.isreg():
                    raise DataError(f"{name}: {inner} is a link or device, not a file: unpack the archive")
                file = archive.extractfile(member)
                if file is not None:
                    yield from open_stream(f"{name}/{inner}", inner, False, _content(name, file), depth)
            rest: Any = archive.fileobj
            while piece := rest.read(PIECE):
                if piece.strip(b"\0"):
                    raise DataError(f"{name}: something follows the end of the archive, perhaps another one")
            if readable.last.strip(b"\0"):
                raise DataError(f"{name}: damaged archive: cut off before its end")
    except (tarfile.TarError, EOFError) as error:
        raise DataError(f"{name}: damaged archive: {error}") from None


def _content(name: str, file: Any) -> Iterator[bytes]:
    """The bytes of a member. Who reads them is outside of :func:`_members`, so its errors are raised here."""
    import tarfile

    try:
        while piece := file.read(PIECE):
            yield piece
    except (tarfile.TarError, EOFError) as error:
        raise DataError(f"{name}: damaged archive: {error}") from None
