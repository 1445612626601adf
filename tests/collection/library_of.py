"""Small libraries for tests: files by their paths, in a folder or a zip."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from adjudge.collection.python_docs.library import Library

LONG = "says more than just a few words about this"


def in_folder(folder: Path, files: Mapping[str, str | bytes]) -> Library:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return Library(str(folder))


def in_zip(path: Path, files: Mapping[str, str | bytes]) -> Library:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return Library(str(path))
