"""Where the sources of the standard library are: a folder, or a zip as embedded Pythons have it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...core.errors import DataError
from ...core.note import Note

LEFT_OUT = {
    "idlelib": "an application; not installed everywhere",
    "tkinter": "not installed everywhere",
    "turtledemo": "demonstrations that draw on a screen",
    "lib2to3": "gone since Python 3.13",
    "distutils": "gone since Python 3.12",
    "ensurepip": "carries another project's wheels",
    "pydoc_data": "generated",
    "encodings": "a hundred tables with one docstring",
    "ntpath": "os.path for another platform; posixpath is read on every platform",
    "nturl2path": "for another platform",
    "this": "prints a poem when it is run",
    "antigravity": "opens a browser when it is run",
}
"""Modules and packages that are not read, and why. None of them is ever run: sources are only parsed. The package test
is not here because Python itself does not count it as part of the library."""

TESTS = frozenset({"test", "tests", "idle_test", "__main__", "__pycache__", "site-packages"})
"""Parts of a path that are not the library itself: tests within packages, scripts, what was installed later."""


@dataclass(frozen=True)
class LibrarySource:
    """The source of one module."""

    module: str
    package: bool
    place: str
    """The file, for messages."""
    raw: bytes = field(repr=False)


@dataclass(frozen=True)
class Library:
    """The sources below one folder or in one zip."""

    root: str
    names: frozenset[str] = sys.stdlib_module_names
    """Top-level modules that belong to the library; whatever else lies in the folder is not read."""

    def sources(self, unread: list[Note]) -> Iterator[LibrarySource]:
        """The modules by name; ``unread`` gets the files that cannot be read."""
        return self._in_zip(unread) if os.path.isfile(self.root) else self._in_folder(unread)

    def has(self, file: str) -> bool:
        """Whether a file of that name is at the top."""
        if not os.path.isfile(self.root):
            return os.path.isfile(os.path.join(self.root, file))
        import zipfile

        try:
            with zipfile.ZipFile(self.root) as archive:
                return file in archive.namelist()
        except (OSError, zipfile.BadZipFile):
            return False

    def wants(self, path: str) -> tuple[str, bool] | None:
        """The module that a path below the root holds and whether it is a package; None if it is not to be read.

        >>> Library("/lib").wants("json/__init__.py"), Library("/lib").wants("json/tool.py")
        (('json', True), ('json.tool', False))
        >>> Library("/lib").wants("idlelib/run.py"), Library("/lib").wants("sitecustomize.py")
        (None, None)
        """
        stem, ending = os.path.splitext(path)
        parts = stem.replace(os.sep, "/").split("/")
        package = parts[-1] == "__init__"
        parts = parts[:-1] if package else parts
        if ending != ".py" or not parts or parts[0] not in self.names or parts[0] in LEFT_OUT:
            return None
        if TESTS.intersection(parts) or not all(part.isidentifier() for part in parts):
            return None
        return ".".join(parts), package

    def _in_folder(self, unread: list[Note]) -> Iterator[LibrarySource]:
        def note_failure(error: OSError) -> None:
            unread.append(Note.of("source_not_read", str(error.filename), why=error.strerror or str(error)))

        paths = []
        for folder, below, files in os.walk(self.root, onerror=note_failure):
            inside = os.path.relpath(folder, self.root)
            depth = () if inside == os.curdir else tuple(inside.split(os.sep))
            below[:] = [name for name in below if self._enters((*depth, name))]
            for name in files:
                wanted = self.wants(os.path.join(*depth, name))
                if wanted is not None:
                    paths.append((*wanted, os.path.join(folder, name)))
        for module, package, place in sorted(paths):
            try:
                with open(place, "rb") as file:
                    raw = file.read()
            except OSError as error:
                note_failure(error)
                continue
            yield LibrarySource(module, package, place, raw)

    def _enters(self, parts: tuple[str, ...]) -> bool:
        return parts[0] in self.names and parts[0] not in LEFT_OUT and parts[-1] not in TESTS

    def _in_zip(self, unread: list[Note]) -> Iterator[LibrarySource]:
        import zipfile
        import zlib

        try:
            opened = zipfile.ZipFile(self.root)
        except (OSError, zipfile.BadZipFile) as error:
            raise DataError(f"{self.root}: cannot be read as a zip: {error}") from None
        with opened as archive:
            entries = [(*wanted, name) for name in archive.namelist() if (wanted := self.wants(name)) is not None]
            for module, package, name in sorted(set(entries)):
                place = os.path.join(self.root, name)
                try:
                    raw = archive.read(name)
                except (OSError, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError) as error:
                    unread.append(Note.of("source_not_read", place, why=str(error)))
                    continue
                yield LibrarySource(module, package, place, raw)


def locate(roots: Sequence[str]) -> Library:
    """The first of these folders and zips that has the sources of a library, or an error if none has."""
    libraries = [Library(os.path.abspath(root)) for root in dict.fromkeys(roots)]
    for library in libraries:
        if library.has("os.py"):
            return library
    where = ", ".join(library.root for library in libraries)
    raise DataError(
        f"{where}: no os.py: this Python came without the sources of its library, which hold the docstrings"
    )


def installed_library() -> Library:
    """The library of the Python that runs, or an error if it came without sources."""
    import sysconfig

    beside = [os.path.dirname(os.__file__)] if getattr(os, "__file__", None) else []
    zips = [path for path in map(str, sys.path) if path.endswith(".zip")]
    return locate([*beside, sysconfig.get_path("stdlib"), *zips])
