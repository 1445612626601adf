"""What a fuzzed reader is, and what its users do with what was read."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple


class Target(NamedTuple):
    """A reader under test."""

    name: str
    make: Callable[[random.Random, Path], Path]
    """Writes a mutated input into an empty folder and says where."""
    use: Callable[[Path], object]
    """Reads it and does with it what users do."""
    share: float = 1.0
    """How many of the inputs it gets, compared with others: folders and servers cost ten times as much as files."""


def file_maker(name: str, seeds: Callable[[], Sequence[bytes]], change: Callable[..., bytes]) -> Any:
    """Makes inputs that are one file: some bytes to begin with, and what changes them."""
    known = cache(seeds)

    def make(rng: random.Random, folder: Path) -> Path:
        path = folder / name
        path.write_bytes(change(rng, known()))
        return path

    return make


def refusable(act: Callable[[], object]) -> None:
    """Something that may be refused while the rest goes on."""
    from adjudge.core.errors import AdjudgeError

    try:
        act()
    except AdjudgeError as error:
        one_line(error)


def one_line(error: Exception) -> None:
    """An error that users see is one line that says something."""
    words = str(error)
    assert words.strip(), f"{type(error).__name__} without a word"
    assert "\n" not in words, f"more than one line: {words!r}"
    assert len(words) < 2000, f"{len(words)} characters: {words[:200]!r}"


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files of a folder."""
    if path.is_file():
        return path.stat().st_size
    return sum(os.path.getsize(os.path.join(root, name)) for root, _, names in os.walk(path) for name in names)
