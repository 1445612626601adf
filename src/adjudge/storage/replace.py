"""Files and folders that appear whole or not at all: they are written beside their place and then put into it.

One rule for all of them:

- Until it is finished, ``report.html`` is ``.report.html.adjudge-new`` in the same folder. Its writer holds a lock on
  it, so the next writer of the same file can tell what a killed one left behind, and removes it.
- New files get the rights that the user's umask leaves; what is replaced hands on its own. The umask is not asked for,
  because that can be done only by setting it, for all threads: the system applies it where a file is created.
- What a link points to is replaced, not the link. A device or a pipe cannot be replaced and is written to.
- ``durable`` (the default) has the content on the disk before the name says that it is there, so that a power cut is
  no worse than a kill. That takes about ten milliseconds a file. What can be made again and is compared with its
  checksum before it is used, and the output of a command, is written without.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TypeVar

from .access import LEFTOVER, PathLike, writing
from .lock import is_same, release, take

T = TypeVar("T")
LONGEST = 200
"""Bytes of a name that are kept in the name of the unfinished file: a name has 255 at most."""
OLD = 86_400.0
"""Seconds after which an unfinished file is nobody's, where the system has no locks to tell."""


def write_bytes(path: PathLike, data: bytes, *, durable: bool = True) -> None:
    """Write a file in one step: a reader sees the old content or the new."""
    with replace_file(path, durable=durable) as file:
        file.write(data)


@contextmanager
def replace_file(path: PathLike, *, durable: bool = True) -> Iterator[BinaryIO]:
    """A file to write to, which takes its place when the block ends; if it ends with an error, nothing has changed."""
    with writing(path):
        new = NewFile(path, durable=durable)
        try:
            yield new.file
            new.commit()
        finally:
            new.abandon()


class NewFile:
    """A file that is being written: ``file`` takes bytes, then :meth:`commit` puts it in place or :meth:`abandon` not.

    For writers that live longer than a block; others use :func:`replace_file`, which makes one line of an OSError.
    """

    def __init__(self, path: PathLike, *, durable: bool = True) -> None:
        self._durable = durable
        self._beside: Path | None = None
        self._lock: int | None = None
        self._target = Path(os.path.realpath(path))
        self.file: BinaryIO
        if _is_channel(path):
            self.file = open(path, "wb")  # noqa: SIM115
            return
        replaced = _rights(self._target)
        rights = 0o666 if replaced is None else 0o600  # nobody sees more of the new one than of the old
        create = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        self._beside, handle, self._lock = _claim(self._target, lambda beside: os.open(beside, create, rights))
        self.file = os.fdopen(handle, "wb")

    def commit(self) -> None:
        """Put the file in place."""
        self.file.flush()
        if self._beside is None:
            self.file.close()
            return
        if self._durable:
            os.fsync(self.file.fileno())
        self.file.close()
        _put(self._beside, self._target, durable=self._durable)
        self._beside = None

    def abandon(self) -> None:
        """Remove what was written, unless it was put in place."""
        with suppress(OSError):  # what could not be written before cannot be written now
            self.file.close()
        if self._beside is not None:
            with suppress(OSError):
                self._beside.unlink()
            self._beside = None
        release(self._lock)
        self._lock = None


def move_file(finished: PathLike, path: PathLike, *, durable: bool = True) -> None:
    """Put a file that was written elsewhere in the same file system in the place of another."""
    with writing(path):
        if _is_channel(path):
            import shutil

            with open(finished, "rb") as source, open(path, "wb") as channel:
                shutil.copyfileobj(source, channel)
            return
        if durable:
            _sync(Path(finished))
        _put(Path(finished), Path(os.path.realpath(path)), durable=durable)


@contextmanager
def replace_folder(path: PathLike, *, durable: bool = True) -> Iterator[Path]:
    """A new folder, which takes the place of another when the block ends; after an error nothing has changed.

    A folder that is not empty can only be replaced by moving it away first: for a moment there is none, and a process
    that is killed in this moment leaves none.
    """
    with writing(path), scratch_folder(path) as work:
        target, new = Path(os.path.realpath(path)), work / "new"
        new.mkdir()
        yield new
        rights = _rights(target)
        if rights is not None:
            new.chmod(rights)
        if durable:
            for folder, _, names in os.walk(new):
                for name in names:
                    _sync(Path(folder, name))
                settle(Path(folder))
        _exchange(new, target, work)
        if durable:
            settle(target.parent)


@contextmanager
def scratch_folder(path: PathLike) -> Iterator[Path]:
    """A folder beside a path for what is needed to write it; it goes at the end, or with the next writer."""
    import shutil

    with writing(path):
        folder, _, lock = _claim(Path(os.path.realpath(path)), os.mkdir)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            release(lock)


@contextmanager
def scratch_file(path: PathLike) -> Iterator[Path]:
    """An empty file beside a path for what is needed while it is written; it goes at the end, or with the next one."""
    with writing(path):
        create = os.O_RDWR | os.O_CREAT | os.O_EXCL
        file, handle, lock = _claim(Path(os.path.realpath(path)), lambda beside: os.open(beside, create, 0o600))
        os.close(handle)
        try:
            yield file
        finally:
            with suppress(OSError):
                file.unlink()
            release(lock)


def new_folder(parent: Path, prefix: str) -> Path:
    """A folder with a name that no other has, for content that a manifest will name."""
    while True:
        folder = parent / f"{prefix}{os.urandom(4).hex()}"
        with suppress(FileExistsError):
            folder.mkdir()
            return folder


def sweep(folder: PathLike) -> None:
    """Remove the unfinished files and folders in a folder that killed writers left behind."""
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries if is_leftover(entry.name)]
    for name in names:
        _discard(Path(folder, name))


def is_leftover(name: str) -> bool:
    """Whether a file or folder of that name is one that is not finished."""
    stem, _, number = name.rpartition(LEFTOVER)
    return stem.startswith(".") and (not number or number.removeprefix("-").isdigit())


def settle(folder: Path) -> None:
    """Have the names in a folder on the disk; where that cannot be asked for, it is not."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _is_channel(path: PathLike) -> bool:
    """Whether something is there that cannot be replaced but written to; an error if it is a folder."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return not stat.S_ISREG(mode)


def _rights(path: Path) -> int | None:
    """Who may do what with a file or a folder; None if there is none."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return None


def _put(finished: Path, target: Path, *, durable: bool) -> None:
    rights = _rights(target)
    if rights is not None and rights != _rights(finished):
        finished.chmod(rights)
    finished.replace(target)
    if durable:
        settle(target.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _exchange(new: Path, target: Path, work: Path) -> None:
    """Put a folder in the place of another, which goes into the working folder; others may do the same."""
    number = 0
    while True:
        try:
            new.rename(target)  # if there is none, or an empty one
            return
        except OSError as error:
            if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
                if number:
                    with suppress(OSError):
                        (work / f"former-{number}").rename(target)
                raise
        number += 1
        with suppress(FileNotFoundError):
            target.rename(work / f"former-{number}")


def _beside(target: Path, number: int) -> Path:
    name = os.fsdecode(os.fsencode(target.name)[:LONGEST])
    return target.with_name(f".{name}{LEFTOVER}{f'-{number}' if number else ''}")


def _claim(target: Path, create: Callable[[Path], T]) -> tuple[Path, T, int | None]:
    """Something new beside a target, with a lock on it; what a killed writer left in its place is removed.

    Those who write the same target at the same time get numbers.
    """
    number = 0
    while True:
        path = _beside(target, number)
        try:
            created = create(path)
        except FileExistsError:
            number += not _discard(path)
            continue
        try:
            lock = take(path)
        except (BlockingIOError, FileNotFoundError):
            lock = None
            ours = False  # another writer took it for a leftover before it was locked, and removes it
        else:
            ours = lock is None or is_same(lock, path)
        if ours:
            break
        release(lock)
        if isinstance(created, int):
            os.close(created)
    while os.path.lexists(_beside(target, number + 1)) and _discard(_beside(target, number + 1)):
        number += 1
    return path, created, lock


def _discard(path: Path) -> bool:
    """Remove an unfinished file or folder; False if somebody is writing it, or if it cannot be removed."""
    try:
        lock = take(path)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    try:
        if lock is None and time.time() - path.lstat().st_mtime < OLD:
            return False
        if lock is not None and not is_same(lock, path):  # it was finished in this moment
            return not os.path.lexists(path)
        if path.is_dir():
            import shutil

            shutil.rmtree(path)
        else:
            path.unlink()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    finally:
        release(lock)
    return True
