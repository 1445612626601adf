"""Many runs named by one path: a folder, a pattern, a tar or a zip.

Runs are called after their files, because tags repeat. Files of an archive are read into memory, so there is a limit to
what they may hold.
"""

from __future__ import annotations

import glob
import os
import re
from typing import Any

from ..core.arguments import is_file
from ..core.errors import DataError, MissingFileError
from ..storage.access import reading
from .raw_file import header_separator, looks_like_parquet
from .source import NamedPath, Source, open_source

MARKS = (".md", ".html", ".pdf", ".log")
"""Endings of files that lie beside runs and are none."""
TABLES = (".csv", ".tsv", ".json", ".jsonl", ".parquet")
"""Endings that runs have, and so have scores, settings and records beside them."""
LARGEST = 4 << 30
"""Bytes that the runs of an archive may have."""
ZIP, TAR = b"PK\x03\x04", slice(257, 262)
NESTED = re.compile(rb'\s*\{\s*(?:"(?:[^"\\]|\\.)*"\s*:\s*\{|\})')
"""How {topic: {document: score}} begins."""


def expand_runs(given: Any) -> list[Any] | None:
    """The runs behind a path that is a folder, a pattern or an archive; None if it is not one of these."""
    if not is_file(given) or hasattr(given, "read"):
        return None
    path = os.fspath(given)
    if path == "-":
        return None
    if os.path.isdir(path):
        files = [os.path.join(path, name) for name in sorted(os.listdir(path)) if not name.startswith(".")]
        runs = [each for each in files if os.path.isfile(each) and not each.endswith(MARKS)]
        if not runs:
            raise DataError(f"{path}: no run in this folder")
        return [named(each) for each in runs]
    if not os.path.exists(path):
        if not glob.has_magic(path):
            return None
        runs = sorted(each for each in glob.glob(path, recursive=True) if os.path.isfile(each))
        if not runs:
            raise MissingFileError(f"{path}: no file matches this pattern", path)
        return [named(each) for each in runs]
    return _archived(path) if os.path.isfile(path) else None


def named(path: str) -> NamedPath:
    """A file whose run is called after it."""
    return NamedPath(path, Source(path, b"").stem)


def _archived(path: str) -> list[tuple[str, Source]] | None:
    """The files of a tar, packed or not, or of a zip, each with its name; None if the file is neither."""
    with reading(path), open(path, "rb") as file:
        head = file.read(512)
    if head.startswith(ZIP):
        members = _zipped(path)
    elif head[TAR] == b"ustar" or path.lower().endswith((".tgz", ".tar.gz", ".tar.xz", ".tar.zst", ".tar.bz2")):
        members = _tarred(path)
    else:
        return None
    runs = []
    for name, data in sorted(members):
        if any(part.startswith((".", "__MACOSX")) for part in name.split("/")) or name.endswith(MARKS):
            continue
        source = Source(f"{path}/{name}", data)
        runs.append((source.stem, source))
    if not runs:
        raise DataError(f"{path}: no run in this archive")
    return runs


def _tarred(path: str) -> list[tuple[str, bytes]]:
    from .documents.locations import File
    from .documents.streams import Meter, streams

    members, size = [], 0
    for stream in streams(File(path, os.path.basename(path), named=True), Meter()):
        parts = []
        for piece in stream.raw():
            size += len(piece)
            _refuse_large(path, size)
            parts.append(piece)
        members.append((stream.inner, b"".join(parts)))
    return members


def _zipped(path: str) -> list[tuple[str, bytes]]:
    import zipfile

    from .documents.zip_archives import zipped_files

    members, size = [], 0
    try:
        with zipfile.ZipFile(path) as archive:
            for entry in zipped_files(archive):
                size += entry.file_size
                _refuse_large(path, size)
                packed = archive.read(entry)
                members.append((entry.filename, open_source(_Member(entry.filename, packed)).text if packed else b""))
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise DataError(f"{path}: damaged or encrypted archive: {error}") from None
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: damaged archive: {error}") from None
    return [(name, bytes(data)) for name, data in members]


class _Member:
    """Bytes of an archive as an open file."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name, self._data = name, data

    def read(self) -> bytes:
        return self._data


def _refuse_large(path: str, size: int) -> None:
    if size > LARGEST:
        raise DataError(f"{path}: its files have more than {LARGEST >> 30} GB: unpack it")


def looks_like_run(path: str | os.PathLike[str]) -> bool:
    """Whether the beginning of a file is that of a run, in any of the formats that are read."""
    from .runs import has_run_lines

    source = open_source(path)
    try:
        head = bytes(source.text[source.begin : source.begin + 4096])
        if looks_like_parquet(source) or header_separator(source) is not None:
            return True
        return bool(NESTED.match(head)) if head.lstrip()[:1] == b"{" else has_run_lines(path)
    finally:
        source.close()
