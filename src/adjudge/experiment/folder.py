"""The folder of results: one experiment at a time works in it, and what an experiment reads is not overwritten."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

from ..core.errors import ConflictError
from ..storage import lock

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
