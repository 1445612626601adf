"""The folder of an index while it is changed: one writer at a time, new data folders, and nothing left behind.

The manifest is replaced last, in one step. Until then, and after a job that was killed, the folder holds the old index
or none; data folders that no manifest names are removed by the next job.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ..core.errors import DataError
from ..storage.access import writing
from ..storage.lock import LOCK, locked
from ..storage.replace import new_folder, settle, sweep
from .index_files import DATA, MANIFEST, Manifest, Writer, is_index

SPILL = "adjudge-spill-"
BUSY = "another build is under way"


class IndexFolder:
    """A folder that this process alone may change."""

    def __init__(self, path: Path, stack: ExitStack) -> None:
        self.path, self._stack = path, stack
        self._made: list[str] = []

    def writer(self) -> Writer:
        """What writes arrays into a new data folder."""
        writer = Writer(self._new(DATA))
        self._stack.callback(writer.close)
        return writer

    def spill(self) -> Path:
        """A new folder for what does not stay."""
        return self._new(SPILL)

    def _new(self, prefix: str) -> Path:
        path = new_folder(self.path, prefix)
        self._made.append(path.name)
        return path

    def put(self, manifest: Manifest) -> None:
        """Make the folder the index of which a manifest tells."""
        settle(self.path)
        manifest.write(self.path)

    def clean(self) -> None:
        """Remove data folders that the manifest does not name: of killed jobs, and of what was replaced."""
        removed: tuple[str, ...] = (DATA, SPILL)
        try:
            current = Manifest.read(self.path).folders
        except DataError:
            current = set()
            if (self.path / MANIFEST).exists():  # one that cannot be read may still name what someone wants to rescue
                removed = tuple(self._made)
        for path in self.path.iterdir():
            if path.name.startswith(removed) and path.name not in current:
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)
        sweep(self.path)


@contextmanager
def changing(target: Path, check: Callable[[Path], None]) -> Iterator[IndexFolder]:
    """A folder, locked; ``check`` raises an error if it is no place for the job."""
    with ExitStack() as stack:
        stack.enter_context(locked(target, LOCK, busy=BUSY, check=check, mark=True))
        stack.enter_context(writing(target))
        folder = IndexFolder(target, stack)
        folder.clean()
        stack.callback(folder.clean)
        yield folder


def fit_for_index(target: Path) -> None:
    """An error if a folder holds something that is no index, nor what a killed build left."""
    names = {path.name for path in target.iterdir()}
    if names and LOCK not in names and not is_index(target):
        raise DataError(f"{target}: holds {min(names)} and no index: give a new or empty folder")


def is_there(target: Path) -> None:
    """An error if a folder holds no index, or one that cannot be read."""
    Manifest.read(target)
