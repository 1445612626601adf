"""A run that was made elsewhere, as a member of a fusion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from ..core.errors import DataError
from ..core.run import Run
from ..core.spec import require
from ..formats.runs import read_run
from ..storage.digest import digest_file
from .parts.own_program import check_run, known_ids, note_unanswered
from .parts.version import Aids, Version
from .system import System, Topics


@dataclass(frozen=True)
class RunFile(System):
    """A run in a file answers as the system did that made it: so runs of any origin can be fused.

    Formula: the best k documents that the file has for each topic.

    Parameters: ``of``, the file, in any format in which runs are read; its place is relative to the plan.

    No value: a topic that the file has not.

    Paper: Lee, Analyses of multiple evidence combination (SIGIR 1997), fuses runs that others submitted.

    Example: fusion(of=[bm25, run_file(of=runs/dense.txt)]).
    """

    name: ClassVar[str] = "run_file"
    entries: ClassVar[None] = None
    positional: ClassVar[str] = "of"

    of: str

    def __post_init__(self) -> None:
        require(self, "of", isinstance(self.of, str) and bool(self.of.strip()), "be the path of a run")

    def check(self, home: Path) -> None:
        if not (home / self.of).is_file():
            raise DataError(f"{home / self.of}: no such file")

    def code(self, home: Path) -> Mapping[str, str]:
        return {f"run {self.of}": digest_file(home / self.of)}

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        run = read_run(version.home / self.of)
        rows = [row for row in run.rows() if row[0] in topics]
        if not rows:
            return Run.empty(self.name)
        import numpy as np

        own = Run.of_columns([row[0] for row in rows], [row[1] for row in rows], np.array([row[2] for row in rows]))
        try:
            own = check_run(own, topics, known_ids(version), k)
        except DataError as error:
            raise DataError(f"{self.of}: {error}") from None
        note_unanswered(version, topics, own)
        return replace(own, name=self.name)
