"""Components and commands that other packages bring along, found by their entry points.

A package adds a measure by declaring where it is, in its ``pyproject.toml``::

    [project.entry-points."adjudge.measures"]
    fallout = "my_measures.fallout:Fallout"

The group is ``adjudge.`` and the plural of the kind; a command is declared in ``adjudge.commands``. Looking through all
installed packages takes some hundredths of a second, so it is done when a name is asked for that is not one of ours, or
when a list of all names is.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import SpecError

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

PREFIX = "adjudge."
COMMANDS = "adjudge.commands"


class PlugInWarning(UserWarning):
    """A plug-in that is ignored, and why. All other components work as they do without it."""


class PlugIn(NamedTuple):
    """An entry point of another package."""

    group: str
    name: str
    package: str
    """The distribution with its version, as in ``my-measures 1.0``."""
    entry: EntryPoint

    def __str__(self) -> str:
        return f"plug-in {self.name} of {self.package} ({self.group})"

    @property
    def file(self) -> str:
        """The file of the module that has it; empty if there is none."""
        from importlib.util import find_spec

        try:
            spec = find_spec(self.entry.module)
        except Exception:
            return ""
        return (spec.origin if spec is not None else None) or ""

    def load(self) -> Any:
        """The object that the entry point names, or a SpecError that says why it cannot be had."""
        try:
            return self.entry.load()
        except (Exception, SystemExit) as error:
            raise SpecError(f"{self} cannot be loaded: {type(error).__name__}: {error}") from None


def warn(problem: object) -> None:
    """Say that a plug-in is ignored; the command line shows it as a note."""
    warnings.warn(PlugInWarning(str(problem)), stacklevel=2)


@cache
def plug_ins(group: str) -> dict[str, PlugIn]:
    """The plug-ins of a group by name; a name that two packages claim is refused to both."""
    found: dict[str, PlugIn] = {}
    claimed: dict[str, list[str]] = {}
    for plug_in in _all():
        if plug_in.group == group:
            found.setdefault(plug_in.name, plug_in)
            claimed.setdefault(plug_in.name, []).append(plug_in.package)
    for name, packages in claimed.items():
        if len(packages) > 1:
            del found[name]
            warn(f"plug-in {name} ({group}) is ignored: {' and '.join(packages)} both have it")
    return dict(sorted(found.items()))


def named_in(*specs: str) -> list[PlugIn]:
    """The plug-ins of any kind that specs may mean, those inside other specs too."""
    words = {word for spec in specs for word in re.findall(r"[A-Za-z0-9][\w.+-]*", spec)}
    return [plug_in for plug_in in _all() if plug_in.name in words and plug_in.group != COMMANDS]


@cache
def _all() -> tuple[PlugIn, ...]:
    from importlib.metadata import distributions

    seen: set[str] = set()
    entries: list[PlugIn] = []
    for distribution in distributions():
        try:
            if PREFIX not in (distribution.read_text("entry_points.txt") or ""):
                continue  # nearly all: to parse the metadata of every package would take ten times as long
            name = str(distribution.metadata["Name"]).lower().replace("_", "-")
            if name not in seen:  # the first on the path is the one that is imported
                seen.add(name)
                entries += _of(distribution)
        except Exception as error:
            warn(f"a package whose metadata cannot be read is ignored: {type(error).__name__}: {error}")
    return tuple(entries)


def _of(distribution: Distribution) -> Iterator[PlugIn]:
    package = f"{distribution.metadata['Name']} {distribution.version}"
    for entry in distribution.entry_points:
        if entry.group.startswith(PREFIX):
            yield PlugIn(entry.group, entry.name, package, entry)
