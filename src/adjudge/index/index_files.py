"""The files of an index: plain arrays that are mapped into memory, and a manifest that knows their sizes and sums.

    FOLDER/manifest.json     what is indexed, and the files with type, length and checksum
    FOLDER/adjudge-data-…/   the arrays, one file each, in the byte order of Intel and ARM machines

A build writes a new data folder and then replaces the manifest in one step: whoever opens the index sees the old one
or the new one, whole. Everything is on the disk before the manifest says so, so that a power cut is no worse than a
kill.

An index to which documents were added has several parts, each with a data folder like that of an index of its own, and
one more folder with what is known of the whole; joint_arrays.py says what is in it. Its manifest has another version.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import AdjudgeError, DataError, at
from ..storage.access import refuse_links
from ..storage.digest import crc32
from ..storage.manifest import ManifestKind
from ..storage.replace import settle

KIND = ManifestKind("adjudge index", 2, "index", "index the documents again")
PARTED = KIND._replace(version=3)
"""Of an index in several parts, which earlier releases cannot read."""
MANIFEST = "manifest.json"
DATA = "adjudge-data-"
CHECK_PIECE = 1 << 24
LARGEST = 1 << 60
"""Bytes and counts end here, far below what 64 bits hold, so that their sums and products fit."""

COUNTS = ("<u4", "<u8")
TYPES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("postings", "terms", "ids", "positions", "texts", "pages", "certainty", "field_values"), ("|u1",)),
    "id_order": ("<i4",),
    **dict.fromkeys(("offsets", "cf", "posting_offsets", "term_offsets", "lengths", "distinct"), COUNTS),
    **dict.fromkeys(("id_offsets", "position_offsets", "text_blocks", "text_firsts", "text_sizes"), COUNTS),
    **dict.fromkeys(("page_blocks", "page_firsts", "page_sizes"), COUNTS),
    **dict.fromkeys(("field_value_offsets", "field_firsts", "field_codes", "field_offsets"), COUNTS),
    **dict.fromkeys(("part_terms", "part_own", "part_firsts", "removed", "removed_firsts"), COUNTS),
}
"""The types that the arrays may have. Others, objects of Python above all, are never mapped."""


@dataclass(frozen=True)
class IndexFile:
    """One array on disk."""

    dtype: str
    items: int
    crc32: int

    @property
    def bytes(self) -> int:
        return self.items * np.dtype(self.dtype).itemsize


@dataclass(frozen=True)
class Manifest:
    """What an index says of itself."""

    analyzer: str
    data: str
    documents: int
    terms: int
    postings: int
    tokens: int
    positions: bool
    texts: bool
    pages: bool = False
    """Whether documents have pages, with the places of their words."""
    certainty: bool = False
    """Whether postings say how sure an OCR engine was."""
    source: str = ""
    """The folder to which the places of page images are relative."""
    fields: tuple[str, ...] = ()
    """The names of the fields that documents have."""
    files: dict[str, IndexFile] = field(default_factory=dict)
    parts: tuple[Manifest, ...] = ()
    """What each part says of itself, where documents were added or removed: then ``data`` has what is known of all."""

    @property
    def folders(self) -> set[str]:
        """The names of the data folders."""
        return {self.data, *(part.data for part in self.parts)}

    @property
    def bytes(self) -> int:
        """The size of all the arrays."""
        return sum(file.bytes for file in self.files.values()) + sum(part.bytes for part in self.parts)

    def write(self, folder: Path) -> None:
        """Put the manifest in place; from then on the folder is this index."""
        (PARTED if self.parts else KIND).write(folder / MANIFEST, _body(asdict(self)))

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        path = folder / MANIFEST
        if not path.exists():
            why = f"no index here: {MANIFEST} is missing" if folder.is_dir() else "no such index"
            raise DataError(f"{folder}: {why}")
        parted = (KIND.peek(path) or {}).get("version") == PARTED.version
        body = (PARTED if parted else KIND).read(path)
        try:
            parts = [cls._of(part) for part in body.pop("parts")] if parted else []
            manifest = cls._of(body, tuple(parts))
        except (AttributeError, KeyError, TypeError) as error:
            raise DataError(f"{path}: damaged: {error}") from None
        if wrong := next(filter(None, (each.impossible() for each in (manifest, *parts))), ""):
            raise DataError(f"{path}: damaged: {wrong}")
        if wrong := manifest.parts_impossible() if parted else "":
            raise DataError(f"{path}: damaged: {wrong}")
        return manifest

    @classmethod
    def _of(cls, body: dict[str, Any], parts: tuple[Manifest, ...] = ()) -> Manifest:
        files = {name: IndexFile(**entry) for name, entry in body.pop("files").items()}
        if "parts" in body:
            raise TypeError("a part has parts")
        return cls(**{**body, "fields": tuple(body.get("fields", ()))}, files=files, parts=parts)

    def parts_impossible(self) -> str:
        """What no command writes of parts, '' if there is nothing: other analyzers, contents or folders."""
        if not self.parts or len(self.folders) <= len(self.parts):
            return "parts is not a list of folders"
        for name in ("analyzer", "positions", "texts"):
            if any(getattr(part, name) != getattr(self, name) for part in self.parts):
                return f"{name} is not that of all parts"
        for name in ("pages", "certainty"):
            if any(getattr(part, name) for part in self.parts) and not getattr(self, name):
                return f"{name} is not that of all parts"
        return ""

    def impossible(self) -> str:
        """What no build writes, '' if there is nothing: values of other types, and a folder outside of the index."""
        for name in ("documents", "terms", "postings", "tokens"):
            if not _is_size(getattr(self, name)):
                return f"{name} is {getattr(self, name)!r:.50}"
        for name in ("positions", "texts", "pages", "certainty"):
            if not isinstance(getattr(self, name), bool):
                return f"{name} is {getattr(self, name)!r:.50}"
        for name in ("analyzer", "source"):
            if not isinstance(getattr(self, name), str):
                return f"{name} is {getattr(self, name)!r:.50}"
        if not all(isinstance(name, str) for name in self.fields) or len(set(self.fields)) < len(self.fields):
            return f"fields is {self.fields!r:.50}"
        if not isinstance(self.data, str) or not re.fullmatch(rf"{DATA}[\w-]+", self.data):
            return f"data is {self.data!r:.50}"
        for name, entry in self.files.items():
            if not _is_size(entry.items) or not isinstance(entry.crc32, int) or entry.dtype not in TYPES.get(name, ()):
                return f"{name} has {entry.items!r:.50} items of {entry.dtype!r:.50}"
        return ""


def _body(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a manifest as they are written: not those that earlier releases did not know and nothing needs."""
    unset = {"pages": False, "certainty": False, "source": "", "fields": (), "parts": ()}
    body = {name: value for name, value in fields.items() if name not in unset or value != unset[name]}
    return body | ({"parts": [_body(part) for part in fields["parts"]]} if fields["parts"] else {})


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LARGEST


def is_index(folder: Path) -> bool:
    """Whether a folder holds an index, of whatever version."""
    return KIND.is_at(folder / MANIFEST)


class IndexColumn:
    """An array that is written piece by piece."""

    def __init__(self, path: Path, dtype: npt.DTypeLike) -> None:
        self.dtype = np.dtype(dtype).newbyteorder("<")
        self.items = self.crc = 0
        self.file = path.open("wb")

    def append(self, values: npt.NDArray[Any]) -> None:
        raw = np.ascontiguousarray(values, self.dtype).view(np.uint8).data
        self.file.write(raw)
        self.crc = crc32(raw, self.crc)
        self.items += len(values)

    def finish(self) -> IndexFile:
        """Bring what was written to the disk and say what it is."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        return IndexFile(self.dtype.str, self.items, self.crc)


class Writer:
    """Writes the arrays of one index into a folder and remembers what a manifest must say of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.columns: dict[str, IndexColumn] = {}

    def column(self, name: str, dtype: npt.DTypeLike) -> IndexColumn:
        self.columns[name] = IndexColumn(self.folder / name, dtype)
        return self.columns[name]

    def array(self, name: str, values: npt.NDArray[Any]) -> None:
        self.column(name, values.dtype).append(values)

    def finish(self) -> dict[str, IndexFile]:
        """All files on the disk, and what the manifest must say of them."""
        files = {name: column.finish() for name, column in self.columns.items()}
        settle(self.folder)
        return files

    def close(self) -> None:
        """Let go of the files, finished or not; a disk that is full was an error before."""
        for column in self.columns.values():
            with suppress(OSError):
                column.file.close()


def narrow(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Counts in four bytes if they fit."""
    small = int(values.max(initial=0)) < 2**32
    return values.astype(np.uint32 if small else np.uint64)


def map_array(folder: Path, name: str, manifest: Manifest) -> npt.NDArray[Any]:
    """An array of the index, mapped; its size must be what the manifest says."""
    path, entry = folder / manifest.data / name, manifest.files.get(name)
    if entry is None:
        raise DataError(f"{folder / MANIFEST}: damaged: it does not list {name}")
    refuse_links(folder, (manifest.data, f"{manifest.data}/{name}"))
    try:
        size = path.stat().st_size
        if size != entry.bytes:
            why = "truncated" if size < entry.bytes else "too long"
            raise DataError(at(str(path), None, f"{why}: {size:,} bytes instead of {entry.bytes:,}"))
        if not entry.items:
            return np.zeros(0, entry.dtype)
        with path.open("rb", 0) as file:  # np.memmap does more, and takes twice as long
            return np.frombuffer(mmap(file.fileno(), size, access=ACCESS_READ), entry.dtype)
    except AdjudgeError:  # its size is wrong
        raise
    except FileNotFoundError:
        raise DataError(f"{path}: missing: the index is not whole") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None
    except (TypeError, ValueError) as error:
        raise DataError(f"{folder / MANIFEST}: damaged: {name}: {error}") from None


def verify(folder: Path, manifest: Manifest, arrays: Mapping[str, npt.NDArray[Any]], names: Iterable[str]) -> None:
    """Compare some of the arrays with their checksums."""
    for name in names:
        raw, crc = arrays[name].view(np.uint8), 0
        for start in range(0, len(raw), CHECK_PIECE):
            crc = crc32(raw[start : start + CHECK_PIECE].data, crc)
        if crc != manifest.files[name].crc32:
            raise DataError(f"{folder / manifest.data / name}: damaged: its checksum is wrong")
