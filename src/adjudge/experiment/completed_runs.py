"""The results of a plan, and the file from which they can be had again without it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import DataError
from ..core.note import Note
from ..core.qrels import Qrels
from ..core.run import Run
from ..formats.qrels import read_qrels, write_qrels
from ..formats.runs import read_run
from ..formats.writing import write
from ..storage.digest import digest_file
from .analysis import AnalysisSettings
from .cell import RunRecord
from .findings import VersionErrors
from .folder import JUDGMENTS, PLAN


@dataclass(frozen=True)
class CompletedRuns:
    """What came of a plan: runs by version and system, the record of each, and what is needed to judge them."""

    folder: Path
    title: str
    reference: str
    """The version with the true text, or the only one."""
    analysis: AnalysisSettings
    settings: Mapping[str, Any]
    """All of the plan, as it is told."""
    runs: Mapping[str, Mapping[str, Path]]
    records: Mapping[str, Mapping[str, RunRecord]]
    topics: tuple[str, ...] = ()
    """Those that count."""
    documents: int = 0
    notes: tuple[Note, ...] = ()
    questions: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, VersionErrors] = field(default_factory=dict)
    """Of each version, where they can be known."""
    places: Mapping[str, Path] = field(default_factory=dict)
    """Where the documents of each version are."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """Digests of what was read."""

    def run(self, version: str, name: str) -> Run:
        """A run, empty if no topic found a document."""
        record, path = self.records[version][name], self.runs[version][name]
        # A file without a line is not read as a run.
        run = replace(read_run(path), name=name) if record.retrieved else Run.empty(name)
        if record.checksum and digest_file(path) != record.checksum:
            raise DataError(f"{path}: is not the run that its record tells of: run the plan again")
        return run

    def judgments(self) -> Qrels:
        """Those of the topics that count."""
        return read_qrels(self.folder / JUDGMENTS)

    def keep(self, judgments: Qrels) -> None:
        """Write down all but the runs, which are there."""
        from .. import __version__

        counted_topics = frozenset(self.topics)
        topics, documents, grades = zip(*(row for row in judgments.rows() if row[0] in counted_topics), strict=True)
        write_qrels(Qrels.of_columns(topics, documents, np.array(grades, np.int64)), self.folder / JUDGMENTS)
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in {"folder", "records", "settings"}}
        data = {
            **self.settings,
            "specs": {name: record.system for named in self.records.values() for name, record in named.items()},
            "results": own
            | {
                "analysis": asdict(self.analysis),
                "notes": [note.to_json() for note in self.notes],
                "runs": {v: {n: self._within(p) for n, p in named.items()} for v, named in self.runs.items()},
                "places": {name: self._place(place) for name, place in self.places.items()},
            },
            "adjudge": __version__,
        }
        write(self.folder / PLAN, (json.dumps(data, indent=1, ensure_ascii=True) + "\n").encode())

    def _place(self, path: Path) -> str:
        """Where documents are: as seen from the folder if they move with it."""
        whole, own = path.resolve(), self.folder.resolve()
        return whole.relative_to(own).as_posix() if whole.is_relative_to(own) else str(whole)

    def _within(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()

    @classmethod
    def load(cls, folder: str | Path) -> CompletedRuns:
        """The results in a folder; it may have been moved or copied."""
        place = Path(folder)
        path = place / PLAN
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            own = data.pop("results")
            runs = {v: {n: place / p for n, p in named.items()} for v, named in own.pop("runs").items()}
            analysis = AnalysisSettings(**_checked(_plain(own.pop("analysis")), asdict(AnalysisSettings())))
            errors = {name: VersionErrors(*rates) for name, rates in own.pop("errors").items()}
            places = {name: place / where for name, where in own.pop("places").items()}
            notes = tuple(map(Note.from_json, own.pop("notes")))
            plain = _checked(_plain(own), KINDS)
            if plain["reference"] not in runs or not all(runs.values()) or not plain["topics"]:
                raise ValueError
            settings = {k: v for k, v in data.items() if k not in {"specs", "adjudge"}}
            if not isinstance(settings["versions"], dict):
                raise TypeError
        except OSError as error:
            raise DataError(f"{folder}: no results of an experiment there: {PLAN}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise DataError(f"{path}: not what an experiment writes") from None
        records: dict[str, dict[str, RunRecord]] = {}
        for version, named in runs.items():
            for name, run in named.items():
                record_path = run.with_name(run.name.removesuffix(".run.zst") + ".json")
                record = RunRecord.read(record_path)
                if record is None:
                    raise DataError(
                        f"{record_path}: the record of {name} on {version} is missing or damaged: run the plan again"
                    )
                records.setdefault(version, {})[name] = record
        return cls(
            folder=place,
            settings=settings,
            runs=runs,
            records=records,
            analysis=analysis,
            errors=errors,
            places=places,
            notes=notes,
            **plain,
        )


KINDS: dict[str, Any] = {
    "title": "", "reference": "", "topics": (), "documents": 0, "questions": {}, "inputs": {}
}  # fmt: skip
"""What the file must have, with a value of the right kind each."""


def _checked(data: dict[str, Any], kinds: Mapping[str, Any]) -> dict[str, Any]:
    """The data, if it has just these fields, each of its kind, and texts in them where they hold more than one."""
    if data.keys() != kinds.keys():
        raise KeyError
    for name, kind in kinds.items():
        value = data[name]
        inner = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, tuple) else ()
        if type(value) is not type(kind) or not all(isinstance(text, str) for text in inner):
            raise TypeError
    return data


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """Lists as the tuples that they were before they were JSON."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
