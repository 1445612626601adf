"""The folder of results: its files, its lock, names as names of files, and that nothing is overwritten that is read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

from ..core.errors import ConflictError, SpecError
from ..storage import lock
from ..storage.digest import digest_texts

PLAN, JUDGMENTS = "plan.json", "judgments.txt"
PAGE, SCORES, VERDICTS, PROVENANCE = "report.html", "scores.parquet", "verdicts.json", "provenance.json"
TABLES = {"table": "results.txt", "md": "results.md", "latex": "results.tex", "csv": "results.csv"}
WRITTEN = (PLAN, JUDGMENTS, PAGE, SCORES, VERDICTS, PROVENANCE, *TABLES.values(), "results.json")
"""Files that stand directly in the folder."""


def locked(folder: Path) -> AbstractContextManager[None]:
    """The folder, made if need be, while no other experiment works in it."""
    return lock.locked(folder, "work/lock", busy="another experiment is at work there")


def refuse_inputs(folder: Path, inputs: Iterable[Path]) -> None:
    """An error if a file that is read would be overwritten by results."""
    ours = {(folder / name).resolve() for name in WRITTEN}
    for path in inputs:
        if path.resolve() in ours:
            raise ConflictError(f"{path}: is read, and results in {folder} would overwrite it: give another folder")


def refuse_runs(own: Path, paths: Iterable[Path]) -> None:
    """An error if runs that are read stand where those of the experiment are kept."""
    for path in paths:
        if path.resolve().parent == own.resolve():
            raise ConflictError(f"{path}: is read, and kept runs would stand in its folder: give another for results")


LONGEST = 100
"""Bytes of a name in a file's name: file systems take 255 with what is added."""


def slug(name: str) -> str:
    """A name as a file may have it; told apart from others by a digest where letters were lost."""
    plain = re.sub(r"[^\w.=+-]+", "_", name).strip("._") or "_"
    if plain == name and len(plain.encode("utf-8", "replace")) <= LONGEST:
        return plain
    short = plain[:60].encode("utf-8", "replace")[:LONGEST].decode("utf-8", "ignore")
    return f"{short}-{digest_texts(name)[:6]}"


def refuse_same_files(names: Iterable[str]) -> None:
    """Refuse names that would share a folder or a file."""
    slugs: dict[str, str] = {}
    for name in names:
        other = slugs.setdefault(slug(name), name)
        if other != name:
            raise SpecError(f"{other!r} and {name!r} would both be kept as {slug(name)}: give one another name")
