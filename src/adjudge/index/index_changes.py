"""Adding documents to an index, removing some, and merging its parts: what comes of it is what a build would give.

A change writes what is new into data folders of its own and replaces the manifest in one step, as a build does: a job
that fails or is killed changes nothing, a reader goes on with what it has open.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..core.document import Chosen, Document, Documents
from ..core.errors import ConflictError, DataError
from ..core.note import Note
from ..core.progress import SILENT, Listener
from .building import BATCH, MEMORY, write_index
from .index import Index
from .index_folder import IndexFolder, changing, is_there
from .joint_arrays import Joint
from .merging import merge_parts, worth_merging

PathLike = str | os.PathLike[str]


def add_documents(
    folder: PathLike,
    documents: Documents,
    *,
    new: bool = False,
    progress: Listener = SILENT,
    memory: int = MEMORY,
    batch: int = BATCH,
    workers: int | None = None,
) -> Index:
    """Add documents behind those of an index: it is then as if all had been indexed at once.

    Args:
        folder: the folder of the index, whose analyzer is used; texts and positions are stored as before.
        documents: what :func:`adjudge.read_documents` returns.
        new: leave out documents whose ids are in the index; otherwise one is an error.
        progress: hears how far it is.
        memory, batch, workers: as for :func:`build`.
    """
    with _changed(folder) as (place, index, source):
        some = Additions(documents, index, new=new) if new or _elsewhere(documents, index) else documents
        about = index.manifest
        try:
            manifest = write_index(
                *(place, some, index.analyzer, about.positions, about.texts),
                progress=progress,
                memory=memory,
                batch=batch,
                workers=workers,
            )
        except NothingNewError:
            return index
        part = Index.load(place.path, replace(manifest, analyzer=about.analyzer))
        try:
            joint = Joint.of(index).with_part(part)
        except ConflictError as error:
            raise ConflictError(f"{place.path}: {error}") from None
        _put(place, joint, source or part.manifest.source)
    return Index.open(folder)


def remove_documents(folder: PathLike, ids: Iterable[str]) -> Index:
    """Remove documents from an index: it is then as if they had never been there.

    An id that is not there is an error, and nothing is changed.
    """
    with _changed(folder) as (place, index, source):
        numbers = sorted({index.document_number(name) for name in ids})
        if len(numbers) == len(index):
            raise DataError(f"{place.path}: no document would be left")
        if numbers:
            _put(place, Joint.of(index).without(np.array(numbers, np.int64)), source)
    return Index.open(folder)


def merge_index(folder: PathLike) -> Index:
    """Make one part of all parts of an index: the files that a build of its documents would write, to the byte."""
    with _changed(folder) as (place, index, source):
        if index.manifest.parts:
            joint = Joint.of(index)
            _put(place, joint, source, lambda some: (0, len(some.parts)) if _divided(some) else None)
    return Index.open(folder)


class NothingNewError(DataError):
    """All the documents that were to be added are there."""


class Additions(Chosen):
    """Documents that are to be added: not those that are there, and images where those of the index are looked for."""

    def __init__(self, documents: Documents, index: Index, *, new: bool) -> None:
        super().__init__(documents, lambda name: not new or name not in index)
        self._new, self._source = new, index.manifest.source
        self._prefix = _elsewhere(documents, index)

    def __iter__(self) -> Iterator[Document]:
        some = False
        for document in super().__iter__():
            some = True
            yield self._moved(document) if self._prefix and document.pages else document
        if self._new and not some:
            raise NothingNewError("nothing new")

    def _moved(self, document: Document) -> Document:
        pages = (replace(page, image=page.image and f"{self._prefix}/{page.image}") for page in document.pages)
        return document._replace(pages=tuple(pages))

    @property
    def source(self) -> str:
        return self._source if self._prefix else self.documents.source

    @property
    def notes(self) -> tuple[Note, ...]:
        return self.documents.notes


def _elsewhere(documents: Documents, index: Index) -> str:
    """The way from the folder of the index's page images to that of the documents', '' if it is the same."""
    here, there = documents.source, index.manifest.source
    if not here or not there or os.path.normpath(here) == os.path.normpath(there):
        return ""
    try:
        way = os.path.relpath(here, there).replace(os.sep, "/")
    except ValueError:  # on different drives
        way = ".."
    if way == ".." or way.startswith("../"):
        raise DataError(f"{here}: page images of the index lie in {there}: index all documents again from one folder")
    return way


@contextmanager
def _changed(folder: PathLike) -> Iterator[tuple[IndexFolder, Index, str]]:
    """The folder of an index, locked, the index, and where its page images lie."""
    target = Path(folder)
    is_there(target)  # before a lock is put there
    with changing(target, is_there) as place:
        index = Index.open(target)
        yield place, index, index.manifest.source


def _divided(joint: Joint) -> bool:
    return len(joint.parts) > 1 or bool(len(joint.parts[0].removed))


def _put(
    place: IndexFolder,
    joint: Joint,
    source: str,
    merging: Callable[[Joint], tuple[int, int] | None] = worth_merging,
) -> None:
    """Merge what is to be merged, write what is known of the whole, and replace the manifest."""
    while (some := merging(joint)) is not None:
        joint = merge_parts(joint, *some, place.writer(), place.path, source)
    if _divided(joint):
        manifest = joint.write(place.writer(), source)
    else:
        own = joint.parts[0].index.manifest
        manifest = replace(own, source=source if own.pages else "")
    place.put(manifest if manifest.pages else replace(manifest, source=""))
