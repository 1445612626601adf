"""What is known of a version of a corpus: made when first asked for, and kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from ....index.index import Index
from ....storage.replace import write_bytes
from ..version import Aids, Version
from .aids import LearningAids
from .closer_look import with_order
from .document_groups import groups_of, with_groups
from .letter_signs import letters_of
from .reading import Learning, Reading
from .reading_files import read_parts, write_parts


def reading_of(version: Version, learning: Learning | None = None, aids: Aids | None = None) -> Reading:
    """What is known of a version; made when first asked for, and kept."""
    learning = learning or Learning()
    letters = _letters(version, learning) if learning.signs else ()
    index = version.index(f"{_tokenizer(letters)}|lower|letterforms", positions=True)
    known = LearningAids.of(aids, letters) if aids is not None else LearningAids()
    settings = f"{learning} aids={known} of {index.manifest.analyzer}"
    former = _read(version, settings, index)
    if former is not None:
        return former
    with version.work("learn_errors"):
        reading = Reading.learn(index, learning, known)
        reading = with_groups(reading, groups_of(version, index, learning), learning, known)
        reading = with_order(reading)
    if letters and reading.signs_are_signs(letters, learning):
        write_bytes(_signs(version, learning), b"[]\n")
        version.forget(index.manifest.analyzer, positions=True)
        return reading_of(version, learning, aids)
    for number, group in enumerate(reading.groups):
        write_parts(group, _folder(version, settings, number))
    write_parts(reading, _folder(version, settings))
    return reading


def _folder(version: Version, settings: str, group: int | None = None) -> Path:
    return version.folder_for("reading", settings if group is None else f"{settings} group {group}")


def _read(version: Version, settings: str, index: Index) -> Reading | None:
    """What is kept; None if not all of it is."""
    reading = read_parts(_folder(version, settings), index)
    if reading is None or reading.group_of is None:
        return reading
    groups = []
    for number in range(int(reading.group_of.max()) + 1):
        group = read_parts(_folder(version, settings, number), index, reading.group_of == number)
        if group is None:
            return None
        groups.append(group)
    return replace(reading, groups=tuple(groups))


def _signs(version: Version, learning: Learning) -> Path:
    return version.folder_for("signs", str(learning))


def _letters(version: Version, learning: Learning) -> tuple[int, ...]:
    """The signs that stand for letters in the text, which a look at the documents tells."""
    path = _signs(version, learning)
    try:
        return tuple(map(int, json.loads(path.read_bytes())))
    except (OSError, ValueError, TypeError):
        with version.work("find_signs"):
            letters = letters_of(version.documents)
        write_bytes(path, f"{json.dumps(letters)}\n".encode())
        return letters


def _tokenizer(letters: tuple[int, ...]) -> str:
    return f"chunks(letters=[{', '.join(map(str, letters))}])" if letters else "chunks"
