"""The systems that a plan names: labels, grids of parameters, code and commands of one's own, fusions of what it names.

    systems = ["bm25", "dirichlet(mu=500)", "bm25(k1=[0.6, 0.9, 1.2])"]

    [systems]
    tuned = "bm25(k1=1.2, b=0.75)"
    grid = { system = "bm25", k1 = [0.6, 0.9, 1.2], b = [0.4, 0.75] }
    mine = { python = "rankers:search", k1 = 1.2 }
    theirs = { command = "their-search {topics} {run}", version = "4.1", limit = 600 }
    both = "fusion(of=[tuned, mine])"

A list where one value is wanted is a grid: each value makes a system. All of it becomes specs by label, so that a cell
knows its system by one line.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import product
from math import prod
from typing import Any

from ..core.errors import SpecError, did_you_mean
from ..core.spec import Component, Spec, parse_spec, spec_text
from ..systems.fusion import Fusion
from ..systems.run_file import RunFile
from ..systems.system import System, find_system, systems
from ..weighting.scheme import weightings

KINDS = ("python", "command", "system")
"""What a table may be of."""
OWN = ("version", "reads", "limit", "each")
"""Settings of a table that are not parameters of the code."""
MOST = 2000
"""Systems of a grid."""
RUN = "runs:"
"""Stands before the name of a run among the members of a fusion until the version is known whose run it is."""


def named_specs(given: Any) -> dict[str, str]:
    """Specs by label, from the list or the table of a plan."""
    if isinstance(given, Mapping):
        specs: dict[str, str] = {}
        for label, what in given.items():
            _add(specs, _labelled(str(label), what))
        return specs
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise SpecError(f"systems must be a list of specs, or a table of systems by label, not {given!r}")
    specs = {}
    for item in given:
        if not isinstance(item, str):
            raise SpecError(
                f"systems: {item!r} is not a spec: systems of your own need a label, as in [systems] mine = …"
            )
        _add(specs, _unlabelled(item))
    return specs


def _add(specs: dict[str, str], more: Iterator[tuple[str, str]]) -> None:
    for label, spec in more:
        if not label.strip() or not label.isprintable():
            raise SpecError(f"a system needs a label of characters that can be seen, not {label!r}")
        if label in specs:
            raise SpecError(f"the system {label} is named twice")
        specs[label] = spec


def _unlabelled(text: str) -> Iterator[tuple[str, str]]:
    points = list(grid_of_spec(text))
    if len(points) == 1 and not points[0][0]:
        yield text, text
        return
    for _, spec in points:
        yield spec, spec


def _labelled(label: str, what: Any) -> Iterator[tuple[str, str]]:
    try:
        points = list(grid_of_spec(what) if isinstance(what, str) else _grid_of_table(what))
    except SpecError as error:
        raise SpecError(f"system {label}: {error}") from None
    for point, spec in points:
        yield f"{label}({point_text(point)})" if point else label, spec


def point_text(point: Mapping[str, Any]) -> str:
    """The values of a point of a grid: ``k1=0.6, b=0.4``."""
    return ", ".join(f"{name}={spec_text(_tuple(value))}" for name, value in point.items())


Point = tuple[dict[str, Any], str]
"""What was chosen on each axis of a grid, and the spec with it."""


def grid_of_spec(text: str, more: Mapping[str, Any] | None = None) -> Iterator[Point]:
    """The systems that a spec stands for, one if it has no list where one value is wanted."""
    try:
        spec = parse_spec(text, systems.kind, lambda spec: spec)
    except SpecError:
        if more:
            raise
        yield {}, text  # a name, as those of the track; what is wrong with it is found where systems are made
        return
    given = {**spec.given, **{name: _tuple(value) for name, value in (more or {}).items()}}
    if more:
        _refuse_unknown(spec, more)
    axes = {name: value for name, value in given.items() if _is_axis(spec, name, value)}
    if not axes:
        yield {}, str(spec._replace(given=given)) if more else text
        return
    for point in points_of(axes):
        yield point, str(spec._replace(given=given | point))


def points_of(axes: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Every combination of the values of some axes, the last axis fastest."""
    for name, values in axes.items():
        if not values:
            raise SpecError(f"{name} has no value")
        if len({spec_text(_tuple(value)) for value in values}) < len(values):
            raise SpecError(f"{name} has a value twice")
    count = prod(map(len, axes.values()))
    if count > MOST:
        raise SpecError(f"a grid of {count:,} systems; at most {MOST:,}")
    for chosen in product(*axes.values()):
        yield dict(zip(axes, chosen, strict=True))


def component_of(name: str) -> type[Component] | None:
    """The system of that name, or the weighting that is meant by it; None if there is neither."""
    if (known := systems.name_of(name)) is not None:
        return systems.get(known)
    return None if (known := weightings.name_of(name)) is None else weightings.get(known)


def _is_axis(spec: Spec, name: str, value: Any) -> bool:
    component = component_of(spec.name)
    if not isinstance(value, tuple) or component is None:
        return False
    kind = next((str(f.type) for f in fields(component) if f.name == name), "")  # type: ignore[arg-type]
    return not kind.startswith("tuple")


def _refuse_unknown(spec: Spec, more: Mapping[str, Any]) -> None:
    component = component_of(spec.name)
    known = [f.name for f in fields(component)] if component else []  # type: ignore[arg-type]
    if component is not None and not issubclass(component, System):  # a weighting, which has terms made for it
        known.append("analyzer")
    for name in more:
        if component is not None and name not in known:
            raise SpecError(f"{spec.name} has no parameter {name!r}, it has {', '.join(known)}")


def _grid_of_table(table: Any) -> Iterator[Point]:
    if not isinstance(table, Mapping):
        raise SpecError(f"must be a spec, or a table with one of {', '.join(KINDS)}, not {table!r}")
    kinds = [kind for kind in KINDS if kind in table]
    if len(kinds) != 1:
        raise SpecError(f"give one of {', '.join(KINDS)}, not {' and '.join(kinds) or 'none'}")
    kind, more = kinds[0], {name: value for name, value in table.items() if name not in KINDS}
    if kind == "system":
        if not isinstance(table[kind], str):
            raise SpecError(f"system must be a spec, not {table[kind]!r}")
        yield from grid_of_spec(table[kind], more)
        return
    options = {name: _tuple(value) for name, value in more.items() if name in OWN}
    settings = {name: value for name, value in more.items() if name not in OWN}
    axes = {name: value for name, value in settings.items() if isinstance(value, list | tuple)}
    for point in points_of(axes) if axes else ({},):
        yield point, own_spec(kind, table[kind], settings | point, options)


def own_spec(kind: str, of: Any, settings: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """The spec of code or of a command of one's own."""
    if kind == "command":
        try:
            of = tuple(shlex.split(of)) if isinstance(of, str) else tuple(map(str, of))
        except (ValueError, TypeError) as error:
            raise SpecError(f"command {of!r}: {error}") from None
    elif not isinstance(of, str):
        raise SpecError(f"python must be package.module:name, not {of!r}")
    given: dict[str, Any] = {"of": of} | dict(options)
    if "version" in given:
        given["version"] = str(given["version"])
    if settings:
        try:
            given["settings"] = json.dumps(settings, sort_keys=True, default=_refuse_value)
        except TypeError as error:
            raise SpecError(str(error)) from None
    spec = str(Spec(kind, None, given))
    return str(systems.parse(spec))


def _refuse_value(value: Any) -> Any:
    raise TypeError(f"a setting must be a number, a text, true or false, or a list, not {value!r}")


def _tuple(value: Any) -> Any:
    return tuple(map(_tuple, value)) if isinstance(value, list | tuple) else value


def parse_systems(specs: Mapping[str, str], with_runs: bool) -> dict[str, System]:
    """The systems by label; members of a fusion may be labels, and names of runs if the plan has runs."""
    return {label: find_system(_resolve(spec, specs, (label,), with_runs)) for label, spec in specs.items()}


def _resolve(text: str, specs: Mapping[str, str], within: tuple[str, ...], with_runs: bool) -> str:
    """A spec in which labels among the members of a fusion are replaced by what they stand for."""
    try:
        spec = parse_spec(text, systems.kind, lambda spec: spec)
    except SpecError:
        return text
    members = spec.given.get("of")
    if spec.name != Fusion.name or not isinstance(members, tuple):
        return text
    return str(spec._replace(given={**spec.given, "of": tuple(_member(m, specs, within, with_runs) for m in members)}))


def _member(given: Any, specs: Mapping[str, str], within: tuple[str, ...], with_runs: bool) -> str:
    member = str(given)
    if member in within:
        raise SpecError(f"system {within[0]} is fused of itself")
    if member in specs and specs[member] != member:
        resolved = _resolve(specs[member], specs, (*within, member), with_runs)
        return member if _means(member, resolved) else resolved
    try:
        find_system(resolved := _resolve(member, specs, within, with_runs))
    except SpecError:
        if not with_runs:
            raise
        return str(RunFile(f"{RUN}{member}"))
    return resolved


def _means(name: str, spec: str) -> bool:
    """Return whether a label is also a name under which everybody knows the same system."""
    try:
        return find_system(name) == find_system(spec)
    except SpecError:
        return False


def on_version(system: System, runs: Mapping[str, str], version: str) -> System:
    """The system as it works on a version, whose runs have these files by name."""
    if not isinstance(system, Fusion):
        return system
    members = []
    for name, member in system.members.items():
        if isinstance(member, RunFile) and member.of.startswith(RUN):
            run = member.of.removeprefix(RUN)
            if run not in runs:
                known = [*runs, *systems.names, *weightings.names]
                raise SpecError(f"no system {run!r}, and no run of that name on {version}{did_you_mean(run, known)}")
            members.append(str(RunFile(runs[run])))
        else:
            own = on_version(member, runs, version)
            members.append(name if own is member else str(own))
    return system if tuple(members) == system.of else replace(system, of=tuple(members))


def needs_no_documents(system: System) -> bool:
    """Return whether it is a fusion of runs and of nothing else."""
    if isinstance(system, Fusion):
        return all(needs_no_documents(member) for member in system.members.values())
    return isinstance(system, RunFile)
