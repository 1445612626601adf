"""Surveying the versions of a corpus: their ids, what they have in common, and a fingerprint of each."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..core.document import Documents
from ..core.errors import ConflictError, DataError
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..formats.writing import write
from ..storage.digest import digest_texts


@dataclass(frozen=True, eq=False)
class Survey:
    """What one pass over a version found: its documents in order, by a digest of id and text each."""

    ids: tuple[str, ...]
    digests: tuple[str, ...]

    def fingerprint(self, ids: Collection[str]) -> str:
        """Of the documents with these ids."""
        return digest_texts(*(d for i, d in zip(self.ids, self.digests, strict=True) if i in ids))


def survey(documents: Documents, source: str, folder: Path, progress: Listener = SILENT) -> Survey:
    """Go through the documents once. The result is kept; it holds as long as the files have their sizes and times."""
    signature = _signature(documents)
    target = folder / f"survey-{digest_texts(source, signature)}.json.zst"
    if signature and target.exists():
        surveyed = _read(target)
        if surveyed is not None:
            return surveyed
    seen: dict[str, str] = {}
    with progress.work("look_through", source, documents.size, "bytes") as step:
        for number, document in enumerate(documents, 1):
            if document.id in seen:
                raise ConflictError(f"{source}: document {document.id} occurs twice")
            seen[document.id] = digest_texts(document.id, document.text)
            step.reach(documents.read, documents=number)
    surveyed = Survey(tuple(seen), tuple(seen.values()))
    if signature:
        folder.mkdir(parents=True, exist_ok=True)
        write(target, json.dumps([surveyed.ids, surveyed.digests]).encode())
    return surveyed


def _read(path: Path) -> Survey | None:
    import zstandard

    try:
        ids, digests = json.loads(zstandard.ZstdDecompressor().decompress(path.read_bytes()))
        surveyed = Survey(tuple(ids), tuple(digests))
    except (OSError, ValueError, TypeError, MemoryError, zstandard.ZstdError):  # damaged: made again
        return None
    fine = len(surveyed.ids) == len(surveyed.digests) and all(
        isinstance(text, str) for text in (*surveyed.ids, *surveyed.digests)
    )
    return surveyed if fine else None


def _signature(documents: Documents) -> str:
    """Of the files that documents come from, by path, size and time; empty if they come from elsewhere."""
    files = getattr(documents, "files", ())
    parts = []
    for file in files:
        if file.handle is not None:
            return ""
        about = Path(file.path).stat()
        parts.append(f"{Path(file.path).resolve()} {about.st_size} {about.st_mtime_ns}")
    return digest_texts(*parts) if parts else ""


def common(surveys: Mapping[str, Survey]) -> tuple[frozenset[str], list[Note]]:
    """The ids that all versions have, and what is to be said of those that are missing."""
    shared = frozenset.intersection(*(frozenset(s.ids) for s in surveys.values()))
    if not shared:
        raise DataError("the versions have no document in common: their ids must be the same")
    notes = []
    for name, surveyed in surveys.items():
        more = len(surveyed.ids) - len(shared)
        if more:
            first = next(i for i in surveyed.ids if i not in shared)
            notes.append(Note.of("documents_not_shared", name, missing=more, documents=len(surveyed.ids), first=first))
    return shared, notes


def chosen(ids: Collection[str], seed: int, count: int) -> list[str]:
    """So many of the ids, drawn by the seed; the same whatever their order."""
    ordered = sorted(ids)
    rng = np.random.default_rng(seed)
    places = rng.permutation(len(ordered))[:count]
    return [ordered[i] for i in places.tolist()]
