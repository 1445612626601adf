"""Folders that a noise job has written documents into, in several layouts: its manifest says which file to read.

What such a folder holds is declared here, for the room that writes it and for all who read it.
"""

from __future__ import annotations

import os
from pathlib import Path

from ...core.errors import DataError
from ...storage.manifest import ManifestKind

NOISE_JOB = ManifestKind("adjudge noise", 1, "noise job", "start anew with --restart", signed=False)
MANIFEST, WORK, JOB = "manifest.json", ".work", "job.json"
"""A finished job has a manifest; one that is under way says what it is in its working folder."""
FILES, SECONDS = "files", "seconds"
"""In the manifest: the files with documents by name, and how long the job took."""


def documents_of_job(folder: str) -> str | None:
    """The file of a noise job's folder that has its documents; None if no such job has written the folder."""
    place = Path(folder)
    if NOISE_JOB.peek(place / WORK / JOB) is not None:
        raise DataError(f"{folder}: a noise job that is not finished: give its command again")
    manifest = NOISE_JOB.peek(place / MANIFEST)
    if manifest is None:
        return None
    files = manifest.get(FILES)
    for name in files if isinstance(files, dict) else ():
        if name == os.path.basename(name) and os.path.isfile(path := os.path.join(folder, name)):
            return path
    raise DataError(f"{folder}: a noise job without its documents: start it anew with --restart")
