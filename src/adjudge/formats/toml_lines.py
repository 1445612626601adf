"""The line of a file of TOML on which a value stands, for errors that say where they are."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Any

MOST_LINES = 1000
"""Of longer files no line is told: each is read again for every line that it has."""


def line_in_toml(text: str, path: Sequence[str | int]) -> int | None:
    """The line on which the value of a path begins, such as ("grades", 1, "name"); None if it cannot be told.

    It is that of the statement after which the value is there, as the parser itself reads it.

    >>> line_in_toml('a = 1\\n[[b]]\\nc = [\\n1]\\n', ("b", 0, "c"))
    3
    """
    lines = text.splitlines(keepends=True)
    if len(lines) > MOST_LINES:
        return None
    begin = 0
    for end in range(1, len(lines) + 1):
        try:
            body = tomllib.loads("".join(lines[:end]))
        except (tomllib.TOMLDecodeError, RecursionError):
            continue
        if _has(body, path):
            own = (number for number, line in enumerate(lines[begin:end], begin + 1) if _says_something(line))
            return next(own, end)
        begin = end
    return None


def _has(body: object, path: Sequence[str | int]) -> bool:
    value: Any = body
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")
