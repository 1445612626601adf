"""Names of versions and systems as names of files."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..core.errors import SpecError
from ..storage.digest import digest_texts

LONGEST = 100
"""Bytes of a name in a file's name: file systems take 255 with what is added."""


def slug(name: str) -> str:
    """A name as a file may have it; told apart from others by a digest where letters were lost."""
    plain = re.sub(r"[^\w.=+-]+", "_", name).strip("._") or "_"
    if plain == name and len(plain.encode("utf-8", "replace")) <= LONGEST:
        return plain
    short = plain[:60].encode("utf-8", "replace")[:LONGEST].decode("utf-8", "ignore")
    return f"{short}-{digest_texts(name)[:6]}"


def told_apart(names: Iterable[str]) -> None:
    """Refuse names that would share a folder or a file."""
    slugs: dict[str, str] = {}
    for name in names:
        other = slugs.setdefault(slug(name), name)
        if other != name:
            raise SpecError(f"{other!r} and {name!r} would both be kept as {slug(name)}: give one another name")
