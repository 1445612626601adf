"""Files that a system of one's own reads beside its code: they must be there, and their content counts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ...core.errors import DataError
from ...storage.digest import digest_file


def check_files(paths: Iterable[str], home: Path) -> None:
    """An error if one of the files is not there."""
    for path in paths:
        if not (home / path).is_file():
            raise DataError(f"{home / path}: {'a folder, not a file' if (home / path).is_dir() else 'no such file'}")


def digest_files(paths: Iterable[str], home: Path) -> dict[str, str]:
    """The digest of each file, by its path as it was given."""
    digests = {}
    for path in paths:
        try:
            digests[f"file {path}"] = digest_file(home / path)
        except OSError as error:
            raise DataError(f"{home / path}: cannot be read: {error.strerror}") from None
    return digests
