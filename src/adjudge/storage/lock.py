"""One lock on a folder: who holds it works there alone.

A lock is a file that the system locks for a process, so that it ends with the process, however that ends. Where the
system has no such locks (Windows, some network file systems), two at a time are the user's affair.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..core.errors import ConflictError, DataError
from .access import PathLike, unwritable

LOCK = ".adjudge-lock"
BUSY = "another adjudge is at work there"
ATTEMPTS = 1000
"""So often a folder may be removed by others in the moment in which it is made."""
NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)

_handles: set[int] = set()
"""Of the locks that this process holds: a child that is forked would hold them as well, and longer."""


@contextmanager
def locked(
    folder: PathLike,
    name: str = LOCK,
    *,
    busy: str = BUSY,
    wait: bool = False,
    check: Callable[[Path], None] | None = None,
    mark: bool = False,
) -> Iterator[None]:
    """A folder, made if need be, while nobody else has it.

    The lock is the file ``name`` in it, which may lie in a folder of its own, ``work/lock``. If somebody else holds it,
    that is an error that says ``busy``, or with ``wait`` a reason to wait. ``check`` sees the folder before anything is
    put into it and raises an error if it is no place for the work. At the end the lock is removed, and so are folders
    that were made for it if nothing is in them. As a ``mark`` it stays if there is anything else: it says whose folder
    this is.
    """
    target = Path(folder)
    path = target / name
    fresh: list[Path] = []
    handle = _acquire(target, path, fresh, busy, wait, check)
    try:
        yield
    finally:
        try:
            _tidy(target, path, handle, fresh, mark)
        finally:
            release(handle)


def _tidy(target: Path, path: Path, handle: int | None, fresh: list[Path], mark: bool) -> None:
    """Remove the lock while it is held, and the folders that were made for it."""
    with suppress(OSError):
        if mark and any(each != path for each in path.parent.iterdir()):
            return
        if handle is None or is_same(handle, path):
            path.unlink(missing_ok=True)
        made = [path.parent] if path.parent != target and path.parent not in fresh else []  # by one that was killed
        for folder in (*made, *fresh):
            with suppress(FileNotFoundError):  # the work removed it
                folder.rmdir()


def _acquire(
    target: Path, path: Path, fresh: list[Path], busy: str, wait: bool, check: Callable[[Path], None] | None
) -> int | None:
    for attempt in range(ATTEMPTS):
        try:
            fresh[:] = [each for each in path.parents if each in fresh or not each.exists()]
            target.mkdir(parents=True, exist_ok=True)
            if check is not None:
                check(target)
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o666))
            handle = take(path, wait=wait)
            if handle is None or is_same(handle, path):
                return handle
            release(handle)  # whoever had it has removed it while this process waited
        except BlockingIOError:
            raise ConflictError(f"{target}: {busy}") from None
        except (FileExistsError, FileNotFoundError) as error:  # a job that ends in this moment removes its folder
            in_the_way = next((each for each in (target, path.parent) if each.is_file()), None)
            if in_the_way or (attempt == ATTEMPTS - 1 and isinstance(error, FileExistsError)):
                raise DataError(f"{in_the_way or target}: not a folder") from None
            if attempt == ATTEMPTS - 1:
                raise unwritable(target, error) from None
        except OSError as error:
            raise unwritable(target, error) from None
    raise ConflictError(f"{target}: {busy}")


def take(path: PathLike, *, wait: bool = False) -> int | None:
    """Lock a file or a folder that is there, and hold it until :func:`release`; None where the system has no locks.

    A BlockingIOError if somebody else holds it, unless this one is to wait.
    """
    try:
        import fcntl
    except ImportError:
        return None
    handle = _open(path)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError as error:
        os.close(handle)
        if isinstance(error, BlockingIOError):
            raise
        return None  # a file system without locks
    except BaseException:
        os.close(handle)
        raise
    _handles.add(handle)
    return handle


def _open(path: PathLike) -> int:
    """A handle of a file or a folder; network file systems lock only what may be written."""
    try:
        return os.open(path, os.O_RDWR | NOFOLLOW)
    except (IsADirectoryError, PermissionError):
        return os.open(path, os.O_RDONLY | NOFOLLOW)


def release(handle: int | None) -> None:
    """Let go of what :func:`take` gave."""
    if handle is not None and handle in _handles:
        _handles.discard(handle)
        os.close(handle)


def is_same(handle: int, path: PathLike) -> bool:
    """Whether what is locked is still what the path names."""
    try:
        return os.path.samestat(os.fstat(handle), os.lstat(path))
    except FileNotFoundError:
        return False


def _forget() -> None:
    """In a forked child: the locks are its parent's."""
    while _handles:
        with suppress(OSError):
            os.close(_handles.pop())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
