"""Zip archives: their files one after the other, none larger than it says and none that is a bomb."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from ...core.errors import DataError
from ...storage.access import writing
from .locations import PIECE

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

ZIP = b"PK\x03\x04"
GROWTH, FREE = 1000, 1 << 26
"""A file that grows more than a thousandfold to more than 64 MB is a bomb; text and images do not."""
OFFICE = {"[Content_Types].xml": "an office document", "META-INF/container.xml": "an e-book or office document"}
"""Files by which one knows that a zip is no archive of documents."""


@contextmanager
def laid_down(pieces: Iterator[bytes], name: str) -> Iterator[IO[bytes]]:
    """A temporary file with these bytes, because a zip is read from its end."""
    with tempfile.TemporaryFile() as file:
        for piece in pieces:
            with writing(tempfile.gettempdir()):
                file.write(piece)
        if not file.tell():
            raise DataError(f"{name}: empty")
        yield file


def zip_contents(archive: IO[bytes], name: str) -> Iterator[tuple[str, Iterator[bytes]]]:
    """The name and the bytes of each file of a zip, in the order of their names' parts; hidden ones are left out."""
    import zipfile

    try:
        with zipfile.ZipFile(archive) as opened:
            members = zipped_files(opened)
            for member in members:
                if what := OFFICE.get(member.filename):
                    raise DataError(f"{name}: {what}, which is not read: save it as text or PDF")
            for member in sorted(members, key=lambda each: each.filename.split("/")):
                inner = member.filename.removeprefix("./")
                if any(part.startswith(".") and part != ".." for part in inner.split("/")) or inner.startswith(
                    "__MACOSX"
                ):
                    continue
                yield inner, _content(opened, member, f"{name}/{inner}")
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{name}: damaged zip archive: {error}") from None


def zipped_files(opened: ZipFile) -> list[ZipInfo]:
    """What an archive holds but folders; a BadZipFile if something has no name."""
    from zipfile import BadZipFile

    every = opened.infolist()
    if not all(member.filename for member in every):
        raise BadZipFile("a file in it has no name")
    return [member for member in every if not member.is_dir()]


def _content(opened: Any, member: Any, name: str) -> Iterator[bytes]:
    """The bytes of a file; an error if it is locked, damaged or a bomb."""
    import zipfile
    import zlib

    if member.flag_bits & 1:
        raise DataError(f"{name}: locked by a password")
    if member.file_size > FREE and member.file_size > GROWTH * max(1, member.compress_size):
        raise DataError(f"{name}: {member.file_size:,} bytes packed in {member.compress_size:,}: taken for a bomb")
    try:
        with opened.open(member) as file:
            while piece := file.read(PIECE):
                yield piece
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error, OSError) as error:
        raise DataError(f"{name}: damaged zip archive: {error}") from None
