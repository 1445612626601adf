"""A plan: which systems answer which topics on which versions of a corpus."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from ..core.errors import DataError, SpecError, did_you_mean
from ..systems import TRACK, System, systems

FIELDS = ("title", "description", "narrative")
COUNTS = {"aligned": 0, "training": 0, "depth": 1, "seed": 0}
"""Parameters that are whole numbers, and the least of each."""


@dataclass(frozen=True)
class Plan:
    """Paths are relative to the folder of the plan. Systems are specs, or names of the track's runs."""

    topics: str
    judgments: str
    versions: Mapping[str, str]
    """Where the documents of each version are, by its name; all have the same ids."""
    systems: tuple[str, ...] = tuple(TRACK)
    true: str = ""
    """The version that holds the true text; the first if none is named."""
    outside: str = ""
    """Clean text of the same kind that is not searched, for systems that have a lexicon."""
    aligned: int = 40
    """Documents in true and degraded form for systems that learn characteristic errors."""
    training: int = 100
    """Documents in true and degraded form for systems that learn by regression; others than the aligned ones."""
    depth: int = 1000
    seed: int = 0
    field: str = "title"
    """The part of a topic that is the question."""
    folder: Path = dataclasses.field(default_factory=Path, compare=False)

    def __post_init__(self) -> None:
        for name, least in COUNTS.items():
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise SpecError(f"{name} must be a whole number of at least {least}, not {value}")
        if not self.versions:
            raise SpecError("a plan needs at least one version of the documents")
        for name in self.versions:
            if not name.strip() or not name.isprintable():
                raise SpecError(f"a version needs a name of characters that can be seen, not {name!r}")
        if self.true and self.true not in self.versions:
            raise SpecError(f"no version {self.true!r}{did_you_mean(self.true, list(self.versions))}")
        if self.field not in FIELDS:
            raise SpecError(f"field must be one of {', '.join(FIELDS)}, not {self.field!r}")
        if not self.systems:
            raise SpecError("a plan needs at least one system")
        self.parsed  # noqa: B018  so that a wrong spec is told before anything is done

    @cached_property
    def parsed(self) -> dict[str, System]:
        """The systems by the names that they have in tables."""
        made: dict[str, System] = {}
        for name in self.systems:
            if name in made:
                raise SpecError(f"the system {name} is asked for twice")
            made[name] = systems.parse(TRACK.get(name, name))
        return made

    @property
    def reference(self) -> str:
        """The version with the true text."""
        return self.true or next(iter(self.versions))

    def path(self, given: str) -> Path:
        return self.folder / given

    @classmethod
    def read(cls, path: str | Path) -> Plan:
        """A plan from TOML; what it cannot mean is told with the name of the file."""
        try:
            data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise DataError(f"{path}: cannot be read: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise DataError(f"{path}: not TOML: {error}") from None
        return cls.of(data, Path(path))

    @classmethod
    def of(cls, data: Mapping[str, Any], path: Path) -> Plan:
        known = [f.name for f in fields(cls) if f.name != "folder"]
        for key in data:
            if key not in known:
                raise DataError(f"{path}: no setting {key!r}{did_you_mean(key, known)}")
        for key in ("topics", "judgments", "versions"):
            if key not in data:
                raise DataError(f"{path}: {key} is missing")
        kinds = {"versions": dict, "systems": list} | dict.fromkeys(COUNTS, int)
        for key, value in data.items():
            kind = kinds.get(key, str)
            if not isinstance(value, kind) or isinstance(value, bool):
                names = {dict: "a table", list: "a list", int: "a whole number", str: "a text"}
                raise DataError(f"{path}: {key} must be {names[kind]}, not {value!r}")
        for name, where in data["versions"].items():
            if not isinstance(where, str):
                raise DataError(f"{path}: version {name} must be a path, not {where!r}")
        try:
            given: dict[str, Any] = {k: tuple(map(str, v)) if k == "systems" else v for k, v in data.items()}
            return cls(**given, folder=path.parent)
        except SpecError as error:
            raise DataError(f"{path}: {error}") from None
