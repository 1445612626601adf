"""Reading and writing at a place of a file; what the system says of files, as errors that name them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Lock

from ..core.errors import AdjudgeError, ConflictError, DataError, FileAccessError, MissingFileError

_MOVING = Lock()
"""Where reading and writing move the one position of a file, only one thread may do that at a time."""

PathLike = str | os.PathLike[str]
LEFTOVER = ".adjudge-new"
"""Ends the names of files and folders that are not finished; a number may follow."""


def unreadable(path: PathLike, error: OSError) -> DataError:
    """The error that a file could not be read."""
    message = f"{os.fspath(path)}: cannot be read: {error.strerror or error}"
    missing = isinstance(error, FileNotFoundError)
    return MissingFileError(message, path) if missing else FileAccessError(message, path, error.errno)


def unwritable(path: PathLike, error: OSError) -> FileAccessError:
    """The error that a file could not be written."""
    return FileAccessError(f"{os.fspath(path)}: cannot be written: {error.strerror or error}", path, error.errno)


@contextmanager
def reading(path: PathLike) -> Iterator[None]:
    """While a file is read: what the system refuses is an error of reading it."""
    try:
        yield
    except AdjudgeError:  # which says already what was refused
        raise
    except OSError as error:
        raise unreadable(path, error) from None


@contextmanager
def writing(path: PathLike) -> Iterator[None]:
    """While a file or a folder is written: what the system refuses is an error of writing it.

    A full disk names no file. If another file is named, something that is read at the same time was refused.
    """
    try:
        yield
    except AdjudgeError:  # which says already what was refused
        raise
    except OSError as error:
        if concerns(path, error):
            raise unwritable(path, error) from None
        raise unreadable(os.fsdecode(error.filename), error) from None


def is_within(path: PathLike, folder: PathLike) -> bool:
    """Whether a path is a folder or lies below it, whatever links lead there."""
    inner, outer = os.path.realpath(path), os.path.realpath(folder)
    return inner == outer or inner.startswith(os.path.join(outer, ""))


def refuse_links(folder: PathLike, names: Iterable[str]) -> None:
    """An error if what is written into a folder, or read in it, would be somewhere else: it may be a stranger's.

    Or if it is a pipe, which nobody could ever read to its end, or a device.
    """
    for name in names:
        path = os.path.join(folder, name)
        if os.path.islink(path) and not is_within(path, folder):
            raise ConflictError(f"{path}: a link that leads out of the folder: remove it")
        if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
            raise ConflictError(f"{path}: neither a file nor a folder: remove it")


def links_below(folder: PathLike) -> Iterator[str]:
    """The names, relative to a folder, of all links in it and below."""
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = os.path.join(place, name)
            if os.path.islink(path):
                yield os.path.relpath(path, folder)


def concerns(path: PathLike, error: OSError) -> bool:
    """Whether an error is about a path: about itself, what lies in it, a folder above, or what becomes of it."""
    if not isinstance(error.filename, str | bytes):
        return True
    named = os.path.abspath(os.fsdecode(error.filename))
    for own in {os.path.abspath(path), os.path.realpath(path)}:
        if named == own or named.startswith(os.path.join(own, "")) or own.startswith(os.path.join(named, "")):
            return True
        if LEFTOVER in named and named.startswith(os.path.join(os.path.dirname(own), ".")):
            return True
    return False


def read_at(handle: int, size: int, at: int) -> bytes:
    """Bytes from a place of an open file, whoever else reads it; fewer than asked for at its end."""
    if hasattr(os, "pread"):
        return os.pread(handle, size, at)
    with _MOVING:  # on Windows
        os.lseek(handle, at, os.SEEK_SET)
        return os.read(handle, size)


def write_at(handle: int, data: bytes | memoryview, at: int) -> int:
    """Write bytes to a place of an open file; how many were written, which may be fewer."""
    if hasattr(os, "pwrite"):
        return os.pwrite(handle, data, at)
    with _MOVING:
        os.lseek(handle, at, os.SEEK_SET)
        return os.write(handle, data)
