"""Bytes of many files, one after the other and in pieces: folders, patterns, archives, compressed files, pipes."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from ...core.errors import DataError, MissingExtraError
from ..source import BOM, PACKED

PIECE = 1 << 20
PACKED_PIECE = 1 << 16
"""Compressed bytes are unpacked so many at a time, because they may grow a thousandfold."""

HEAD = 1 << 16
"""So much of a file is looked at to see what it is."""

ENDINGS = (".gz", ".xz", ".zst", ".bz2")
NAMED = (".txt", ".text", ".html", ".htm", ".xhtml", ".xht", ".tex", ".md")
"""Endings that are no part of an id made from a file name; others may be, as in fr940104.0 and fr940104.1."""


class Meter:
    """How many bytes were read from disk so far."""

    def __init__(self) -> None:
        self.read = 0


class File(NamedTuple):
    """A file on disk: where it is, its name within the collection, and whether it was named by the user himself."""

    path: str
    inner: str
    named: bool
    handle: Any = None
    """Of a pipe: the temporary file that keeps what came through it."""


class Stream:
    """One unpacked file: its name for messages, its name within the collection, its bytes."""

    def __init__(self, name: str, inner: str, named: bool, pieces: Iterator[bytes]) -> None:
        self.name, self.inner, self.named = name, inner, named
        self._pieces = pieces
        parts, length = [], 0
        for piece in pieces:
            parts.append(piece)
            length += len(piece)
            if length >= HEAD:
                break
        self._first = b"".join(parts)
        self.begin = len(BOM) if self._first.startswith(BOM) else 0
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
        """Lines with their numbers, without their ends; a line may be as long as it likes."""
        number, parts = 0, []
        for piece in self:
            first, *others = piece.split(b"\n")
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
    yield from _opened(file.path, file.inner, file.named, _pieces(file, meter))


def _pieces(file: File, meter: Meter) -> Iterator[bytes]:
    if file.handle is not None:
        at = 0
        while piece := os.pread(file.handle.fileno(), PIECE, at):  # passes may overlap, so none moves the position
            at += len(piece)
            meter.read += len(piece)
            yield piece
        return
    try:
        with open(file.path, "rb", buffering=0) as opened:
            while piece := opened.read(PIECE):
                meter.read += len(piece)
                yield piece
    except OSError as error:
        raise DataError(f"{file.path}: cannot be read: {error.strerror}") from None


def _opened(name: str, inner: str, named: bool, pieces: Iterator[bytes]) -> Iterator[Stream]:
    stream = Stream(name, inner, named, pieces)
    head = stream.head
    for kind, magic, _ in PACKED:
        if head.startswith(magic):
            yield from _opened(name, without(inner, ENDINGS), named, _unpacked(name, kind, magic, stream.raw()))
            return
    if head[257:262] == b"ustar":
        yield from _members(name, stream.raw())
    elif head.startswith(b"PK\x03\x04"):
        raise DataError(f"{name}: zip archives are not read: unpack it")
    else:
        yield stream


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
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError("reading zstd needs zstandard: pip install zstandard") from None
    return zstandard.ZstdDecompressor().decompressobj


def _unpacked(name: str, kind: str, magic: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    make = _decompressor(kind)
    one, rest = make(), b""
    for piece in pieces:
        for at in range(0, len(piece), PACKED_PIECE):
            rest += piece[at : at + PACKED_PIECE]
            while rest:
                if one.eof:  # another compressed stream may follow, or zeros as padding
                    rest = rest.lstrip(b"\0")
                    if len(rest) < len(magic):
                        break
                    if not rest.startswith(magic):
                        raise DataError(f"{name}: something else follows the {kind} data")
                    one = make()
                try:
                    made = one.decompress(rest)
                except Exception as error:  # each library has its own
                    raise DataError(f"{name}: damaged {kind} data: {error}") from None
                rest = one.unused_data if one.eof else b""
                if made:
                    yield made
    if not one.eof or rest:
        raise DataError(
            f"{name}: truncated {kind} data" if not one.eof else f"{name}: something follows the {kind} data"
        )


class _Readable:
    """Pieces as a file that tarfile can read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._rest, self._at = pieces, b"", 0

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
        return b"".join(parts)


def _members(name: str, pieces: Iterator[bytes]) -> Iterator[Stream]:
    import tarfile

    readable: Any = _Readable(pieces)
    try:
        with tarfile.open(fileobj=readable, mode="r|", bufsize=PIECE) as archive:
            for member in archive:
                inner = member.name.removeprefix("./")
                if member.isdir() or os.path.basename(inner).startswith("."):
                    continue
                if not member.isreg():
                    raise DataError(f"{name}: {inner} is a link or device, not a file: unpack the archive")
                opened = archive.extractfile(member)
                if opened is not None:
                    yield from _opened(f"{name}/{inner}", inner, False, iter(partial(opened.read, PIECE), b""))
    except (tarfile.TarError, EOFError) as error:
        raise DataError(f"{name}: damaged archive: {error}") from None


def files_of(what: Any) -> list[File]:
    """The files behind a path, a folder, a pattern, ``-`` or an open binary file."""
    if hasattr(what, "read"):
        return [_kept(what, str(getattr(what, "name", "stream")))]
    path = os.fspath(what)
    if path == "-":
        import sys

        if sys.stdin is None:
            raise DataError("stdin: closed")
        return [_kept(sys.stdin.buffer, "stdin")]
    if os.path.isdir(path):
        found = _walk(path)
    elif os.path.exists(path):
        if not stat.S_ISREG(os.stat(path).st_mode):
            with open(path, "rb") as pipe:
                return [_kept(pipe, path)]
        return [File(path, os.path.basename(path), named=True)]
    elif any(sign in path for sign in "*?["):
        found = _matching(path)
    else:
        raise DataError(f"{path}: no such file")
    if not found:
        raise DataError(f"{path}: no file there")
    return found


def _walk(folder: str) -> list[File]:
    paths = []
    for at, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths += [os.path.join(at, name) for name in names if not name.startswith(".")]
    inner = [os.path.relpath(path, folder) for path in paths]
    return sorted((File(path, name, named=False) for path, name in zip(paths, inner, strict=True)), key=_order)


def _matching(pattern: str) -> list[File]:
    import glob

    fixed = pattern[: min(pattern.find(sign) for sign in "*?[" if sign in pattern)]
    start = os.path.dirname(fixed)
    paths = (path for path in glob.glob(pattern, recursive=True) if os.path.isfile(path))
    return sorted((File(path, os.path.relpath(path, start or "."), named=False) for path in paths), key=_order)


def _order(file: File) -> list[str]:
    return file.inner.split(os.sep)


def _kept(opened: Any, name: str) -> File:
    """Keep what comes through a pipe in a temporary file, so that it can be gone through again."""
    import tempfile

    handle = tempfile.TemporaryFile()  # noqa: SIM115  it lives as long as the documents
    while piece := opened.read(PIECE):
        handle.write(piece.encode() if isinstance(piece, str) else piece)
    handle.flush()
    return File(name, os.path.basename(name) or name, named=True, handle=handle)
