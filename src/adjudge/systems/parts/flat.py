"""The texts of a version as one array of bytes, for loops that look at every character.

Lower case, runs of white space as one blank, one blank before the first word. A character is one byte: those beyond
Latin-1 are all the byte 0, which no pattern has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import DataError
from ...storage.arrays import ascends, read_array
from ...storage.replace import replace_folder
from .version import Version

Bytes = npt.NDArray[np.uint8]
Integers = npt.NDArray[Any]
OUTSIDE, NEVER = b"\x00", b"\x01"
"""What stands for a character beyond Latin-1 in a text and in a pattern; control characters are blanks in both."""
CONTROL = re.compile(r"[\s\x00-\x1f]+")
BEYOND = re.compile(r"[^\x00-\xff]")


def flatten(text: str) -> bytes:
    """A text as it is searched."""
    words = CONTROL.sub(" ", text.lower()).strip(" ")
    return BEYOND.sub("\x00", f" {words}").encode("latin-1") if words else b""


def pattern(text: str) -> bytes:
    """What is searched for: characters that a byte cannot tell match nothing."""
    return BEYOND.sub("\x01", text.lower()).encode("latin-1")


@dataclass(frozen=True, eq=False)
class Flat:
    """Text i is ``characters[offsets[i]:offsets[i + 1]]``; documents are numbered as in the indexes of the version."""

    characters: Bytes
    offsets: Integers

    @classmethod
    def of(cls, version: Version) -> Flat:
        """The texts of a version; made when first asked for, and kept."""
        folder = version.folder_for("flat", "lower case, single blanks, Latin-1")
        flat = cls._read(folder)
        if flat is None:
            _write(version, folder)
            flat = cls._read(folder)
        if flat is None:
            raise DataError(f"{folder}: the texts that were just written cannot be read")
        return flat

    @classmethod
    def _read(cls, folder: Path) -> Flat | None:
        """What is kept; None if nothing is, or not all of it."""
        try:
            offsets: Integers = read_array(folder / "offsets.npy", np.int64, mapped=False)
            size = (folder / "characters").stat().st_size
        except (OSError, DataError):
            return None
        if not ascends(offsets, size):
            return None
        return cls(np.memmap(folder / "characters", np.uint8, "r") if size else np.zeros(0, np.uint8), offsets)


def _write(version: Version, folder: Path) -> None:
    with replace_folder(folder) as work:
        offsets = [0]
        with open(work / "characters", "wb") as file:
            for document in version.documents:
                offsets.append(offsets[-1] + file.write(flatten(document.text)))
        np.save(work / "offsets.npy", np.array(offsets, np.int64))
