"""Lists of stop words, one file each, a word a line."""

from __future__ import annotations

import os
from functools import lru_cache

from ...core.errors import DataError, SpecError, did_you_mean

FOLDER = os.path.dirname(__file__)


def lists() -> list[str]:
    """The names of the lists that come with the package."""
    return sorted(file.removesuffix(".txt") for file in os.listdir(FOLDER) if file.endswith(".txt"))


def words_of(source: object) -> frozenset[str]:
    """The words of a list, by its name or the path of a file."""
    name = str(source)
    if name in lists():
        return _packaged_words(name)
    if not os.path.exists(name) and not os.path.dirname(name) and "." not in name:
        raise SpecError(
            f"no stop list {name!r}{did_you_mean(name, lists())}; a file is written with its folder: ./{name}"
        )
    return read(name)


@lru_cache(maxsize=8)
def _packaged_words(name: str) -> frozenset[str]:
    return read(os.path.join(FOLDER, f"{name}.txt"))


def read(path: str) -> frozenset[str]:
    """The words of a file: one a line, blank lines and what follows a # left out."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = [line.partition("#")[0].split() for line in file]
    except OSError as why:
        raise DataError(f"{path}: cannot be read as a stop list: {why.strerror}") from None
    except UnicodeDecodeError as why:
        raise DataError(f"{path}: is not UTF-8 at byte {why.start}") from None
    except ValueError as why:  # a zero byte in the path
        raise DataError(f"{path}: cannot be read as a stop list: {why}") from None
    for number, line in enumerate(lines, 1):
        if len(line) > 1:
            raise DataError(f"{path}:{number}: a stop list has one word a line, not {len(line)}")
    words = frozenset(line[0] for line in lines if line)
    if not words:
        raise DataError(f"{path}: holds no stop word")
    return words
