"""Folders that a noise job has written documents into, in several layouts: its manifest says which file to read."""

from __future__ import annotations

import os
from typing import Any

from ...core.errors import DataError

NOISE = "adjudge noise"
"""What the manifest of a noise job calls itself."""
MANIFEST, WORK, JOB = "manifest.json", ".work", "job.json"
"""A finished job has a manifest; one that is under way says what it is in its working folder."""


def documents_of_job(folder: str) -> str | None:
    """The file of a noise job's folder that has its documents; None if no such job has written the folder."""
    if _read_manifest(os.path.join(folder, WORK, JOB)) is not None:
        raise DataError(f"{folder}: a noise job that is not finished: give its command again")
    manifest = _read_manifest(os.path.join(folder, MANIFEST))
    if manifest is None:
        return None
    files = manifest.get("files")
    for name in files if isinstance(files, dict) else ():
        if name == os.path.basename(name) and os.path.isfile(path := os.path.join(folder, name)):
            return path
    raise DataError(f"{folder}: a noise job without its documents: start it anew with --restart")


def _read_manifest(path: str) -> dict[str, Any] | None:
    """What a file says of a noise job; None if it is not there, or is about something else."""
    import json

    try:
        with open(path, "rb") as file:
            manifest = json.loads(file.read())
    except (OSError, ValueError, RecursionError):
        return None  # whatever it is, it is read as other files are
    return manifest if isinstance(manifest, dict) and manifest.get("kind") == NOISE else None
