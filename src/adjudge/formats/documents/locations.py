"""Where documents lie: the files behind a path, a folder, a pattern, a pipe."""

from __future__ import annotations

import os
import re
import stat
from typing import IO, Any, NamedTuple, NoReturn

from ...core.errors import DataError, MissingFileError
from ...storage.access import reading, writing
from .produced import documents_of_job

PIECE = 1 << 20
LONGEST = 64
"""Bytes in which a section can be known to begin."""


class FileSection(NamedTuple):
    """Whole lines of a file: its first byte, the one behind its last, and how many lines come before."""

    begin: int
    end: int
    lines: int


class File(NamedTuple):
    """A file on disk: where it is, its name within the collection, and whether it was named by the user himself."""

    path: str
    inner: str
    named: bool
    handle: Any = None
    """Of a pipe: the temporary file that keeps what came through it."""
    section: FileSection | None = None
    """The lines that are meant, if not all."""

    @property
    def size(self) -> int:
        """Its bytes. What is no file, such as a pipe in a folder, would be waited for and is refused."""
        if self.section is not None:
            return self.section.end - self.section.begin
        try:
            about = os.stat(self.path) if self.handle is None else os.fstat(self.handle.fileno())
        except OSError as error:
            _fail(error, self.path)
        if not stat.S_ISREG(about.st_mode):
            raise DataError(f"{self.path}: a pipe or device, not a file")
        return about.st_size


def sections_of(file: File, size: int, start: bytes = b"") -> list[File]:
    """A file in sections of about so many bytes, each of which can be read by itself.

    They begin with lines that begin with ``start``, which is a pattern.
    """
    wanted = re.compile(rb"\n(?=" + start + rb")")
    sections, begin, lines = list[File](), 0, 0
    with reading(file.path), open(file.path, "rb") as raw:
        while some := raw.read(size):
            more = _until(raw, wanted, some[-1:])
            section = FileSection(begin, begin + len(some) + len(more), lines)
            sections.append(file._replace(section=section, named=file.named or begin > 0))
            begin, lines = section.end, lines + some.count(b"\n") + more.count(b"\n")
            raw.seek(begin)
    return sections


def _until(raw: IO[bytes], wanted: re.Pattern[bytes], before: bytes) -> bytes:
    """What comes before the next section, or before the end of the file; ``before`` is the byte before it."""
    found, searched = before, 0
    while piece := raw.read(PIECE):
        found += piece
        if match := wanted.search(found, searched):
            return found[len(before) : match.end()]
        searched = max(0, len(found) - LONGEST)
    return found[len(before) :]


def files_of(what: Any) -> list[File]:
    """The files behind a path, a folder, a pattern, ``-`` or an open binary file."""
    if hasattr(what, "read"):
        return [_is_document(what, str(getattr(what, "name", "stream")))]
    path = os.fsdecode(what)
    if path == "-":
        import sys

        if sys.stdin is None:
            raise DataError("stdin: closed")
        return [_is_document(sys.stdin.buffer, "stdin")]
    if os.path.isdir(path):
        if (produced := documents_of_job(path)) is not None:
            return [File(produced, os.path.basename(produced), named=True)]
        files = sorted((File(each, os.path.relpath(each, path), named=False) for each in _walk(path)), key=_order)
    elif os.path.exists(path):
        if not os.path.isfile(path):
            try:
                with open(path, "rb") as pipe:
                    return [_is_document(pipe, path)]
            except OSError as error:
                _fail(error, path)
        return [File(path, os.path.basename(path), named=True)]
    elif any(sign in path for sign in "*?["):
        files = _matching(path)
    else:
        raise MissingFileError(f"{path}: no such file", path)
    if not files:
        raise DataError(f"{path}: no file there")
    return files


def _walk(folder: str) -> list[str]:
    """The files in a folder and in those below it. Links are followed last and no folder is gone through twice."""
    paths: list[str] = []
    seen: set[str] = set()
    waiting = [folder]
    for start in waiting:
        for at, folders, names in os.walk(start, onerror=_fail):
            real = os.path.realpath(at)
            if real in seen:
                folders.clear()
                continue
            seen.add(real)
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            waiting += [path for name in folders if os.path.islink(path := os.path.join(at, name))]
            paths += [os.path.join(at, name) for name in names if not name.startswith(".")]
    return paths


def _matching(pattern: str) -> list[File]:
    """The files that a pattern matches, and those in the folders that it matches."""
    import glob

    fixed = pattern[: min(pattern.find(sign) for sign in "*?[" if sign in pattern)]
    start = os.path.dirname(fixed) or "."
    paths: dict[str, None] = {}
    for path in glob.glob(pattern, recursive=True):
        paths.update(dict.fromkeys(map(os.path.normpath, _walk(path) if os.path.isdir(path) else [path])))
    return sorted((File(path, os.path.relpath(path, start), named=False) for path in paths), key=_order)


def _order(file: File) -> list[str]:
    return file.inner.split(os.sep)


def _fail(error: OSError, path: str | None = None) -> NoReturn:
    raise DataError(f"{path or error.filename}: cannot be read: {error.strerror}") from None


def _is_document(opened: Any, name: str) -> File:
    """Keep what comes through a pipe in a temporary file, so that it can be gone through again."""
    import tempfile

    handle = tempfile.TemporaryFile()  # noqa: SIM115  it lives as long as the documents
    while True:
        with reading(name):
            piece = opened.read(PIECE)
        if not piece:
            break
        with writing(tempfile.gettempdir()):
            handle.write(piece.encode() if isinstance(piece, str) else piece)
    with writing(tempfile.gettempdir()):
        handle.flush()
    return File(name, os.path.basename(name) or name, named=True, handle=handle)
