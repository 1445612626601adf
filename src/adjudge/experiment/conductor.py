"""Conducting a plan from its first run to the last file: runs, findings, and what a reporter makes of them.

The reporter is given: it turns findings into files, and this room knows nothing of pages and tables. What is there and
still holds is left as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..core.errors import DataError
from ..core.progress import SILENT, Listener
from ..formats.writing import write
from ..storage.digest import digest_bytes, digest_file
from .completed_runs import CompletedRuns
from .concluding import findings_of, key_of
from .findings import Findings
from .folder import PAGE, PROVENANCE, TABLES, VERDICTS, locked
from .plan import Plan
from .running import run_in

Reporter = Callable[[Findings], Mapping[str, bytes]]
"""Turns findings into the files that are to stand in the folder of results, by name."""


@dataclass(frozen=True)
class Execution:
    """What conducting a plan came to."""

    results: CompletedRuns
    findings: Findings | None
    """None if they were there already."""
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """What was written now, by name."""

    @property
    def page(self) -> Path:
        return self.results.folder / PAGE

    def text(self, form: str) -> str:
        """The main table and the findings in words; read from the folder only if they were there before."""
        name = VERDICTS if form == "json" else TABLES[form]
        data = self.files.get(name)
        return (self.results.folder / name).read_text(encoding="utf-8") if data is None else data.decode()


def conduct(
    plan: Plan, folder: str | Path, reporter: Reporter, *, workers: int = 1, progress: Listener = SILENT
) -> Execution:
    """Run a plan, analyse what it gives and write what the reporter makes of it."""
    with locked(Path(folder)):
        return conclude(run_in(plan, Path(folder), workers=workers, progress=progress), reporter, progress)


def conclude(
    results: CompletedRuns, reporter: Reporter, progress: Listener = SILENT, *, anew: bool = False
) -> Execution:
    """Analyse results and write what the reporter makes of them, unless it is there; the caller has the lock."""
    key = key_of(results)
    if not anew and _is_written(results.folder, key):
        return Execution(results, None)
    findings = findings_of(results, progress)
    try:
        (results.folder / PROVENANCE).unlink(missing_ok=True)
    except OSError as error:
        raise DataError(f"{results.folder / PROVENANCE}: cannot be written: {error.strerror}") from None
    files = reporter(findings)
    for name, data in files.items():
        write(results.folder / name, data)
    write(results.folder / PROVENANCE, _provenance(findings, key, files))  # last: what it tells of is whole
    return Execution(results, findings, files)


def _provenance(findings: Findings, key: str, files: Mapping[str, bytes]) -> bytes:
    """Where the figures come from, and the digests of the files that hold them."""
    body: dict[str, Any] = asdict(findings.provenance)
    body |= {"key": key, "files": {name: digest_bytes(data) for name, data in files.items()}}
    body["steps"] = [step._asdict() for step in findings.provenance.steps]
    try:
        return (json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()
    except UnicodeEncodeError:  # names that are no UTF-8 are escaped
        return (json.dumps(body, indent=1, allow_nan=False) + "\n").encode()


def _is_written(folder: Path, key: str) -> bool:
    """Whether the findings of these very results are in the folder, whole."""
    try:
        body = json.loads((folder / PROVENANCE).read_text(encoding="utf-8"))
        return bool(body["key"] == key) and all(
            digest_file(folder / name) == wanted for name, wanted in body["files"].items()
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False
