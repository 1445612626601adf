"""The components of systems by their specs: what the systems of a grid, a plan or a results folder differ in."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import MISSING
from pathlib import Path
from typing import Any

from ..comparison.known_item.ranks import has_known_items
from ..core.english import listing
from ..core.errors import DataError, SpecError, did_you_mean
from ..core.judging import Judging
from ..core.scores import Scores
from ..core.spec import Component, Spec, parameters, parse_spec, spec_text
from ..evaluation.measuring import measure
from ..formats.factors import FactorTable, read_factors
from ..systems.system import systems
from .completed_runs import EXTERNAL, CompletedRuns
from .named_systems import component_of

NAME = "system"
"""The factor of what a system is, with the parameters that not all systems have."""


def factors_of_specs(specs: Mapping[str, str]) -> FactorTable:
    """{system: {factor: level}} of systems by their specs, by label.

    Parameters that all systems have are factors, their defaults filled in. What is left of the spec, the name with the
    parameters that some systems lack, is the factor ``system``. Factors in which no two systems differ are dropped.

    >>> factors_of_specs({"a": "bm25(k1=0.9)", "b": "bm25(k1=1.2)"})
    {'a': {'k1': '0.9'}, 'b': {'k1': '1.2'}}
    """
    rows = {label: _parts(label, spec) for label, spec in specs.items()}
    for _, given in rows.values():
        given.pop("settings", None)  # its parts are there
    shared = [name for name in next(iter(rows.values()))[1] if all(name in given for _, given in rows.values())]
    table: FactorTable = {}
    for label, (name, given) in rows.items():
        usual = _defaults(name)
        own = {key: value for key, value in given.items() if key not in shared and value != usual.get(key)}
        what = name + (f"({', '.join(f'{key}={spec_text(value)}' for key, value in own.items())})" if own else "")
        table[label] = {NAME: what, **{key: spec_text(given[key]) for key in shared}}
    differ = [key for key in (NAME, *shared) if len({row[key] for row in table.values()}) > 1]
    if not differ:
        raise DataError(f"the specs of {listing(list(specs), 3)} do not differ in any component")
    return {label: {key: row[key] for key in differ} for label, row in table.items()}


def _parts(label: str, text: str) -> tuple[str, dict[str, Any]]:
    """The name of a system and all its parameters; ``weighted(by=dirichlet)`` is dirichlet."""
    try:
        spec = parse_spec(text, systems.kind, lambda spec: spec)
        if component_of(spec.name) is None:
            raise SpecError(f"no system {spec.name!r}")
    except SpecError as error:
        raise DataError(
            f"{label}: its components cannot be told from its name ({error}): give a table of factors"
        ) from None
    given = {_field(spec.name, key): value for key, value in spec.given.items()}
    if spec.name == "weighted" and isinstance(given.get("by"), str):
        inner = parse_spec(given.pop("by"), "weighting", lambda spec: spec)
        given = {**{_field(inner.name, key): value for key, value in inner.given.items()}, **given}
        spec = Spec(inner.name, None, given)
        usual = {**_defaults("weighted"), **_defaults(inner.name)}
    else:
        usual = _defaults(spec.name)
        if "analyzer" not in usual and component_of(spec.name) is not None:  # a weighting, on stemmed words
            usual = {**usual, **({} if systems.name_of(spec.name) else _defaults("weighted"))}
    return spec.name, {**usual, **given, **_settings(given)}


def _settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of code of one's own, which stand in its spec as JSON."""
    try:
        settings = json.loads(given.get("settings", "{}"))
    except (TypeError, ValueError):
        return {}
    return settings if isinstance(settings, dict) else {}


def _field(name: str, key: str) -> str:
    component = component_of(name)
    return key or (component.positional if component else key)


def _defaults(name: str) -> dict[str, Any]:
    component: type[Component] | None = component_of(name)
    if component is None:
        return {}
    return {field.name: field.default for field in parameters(component) if field.default is not MISSING}


def factors_of_results(folder: str | os.PathLike[str]) -> FactorTable:
    """The components of the systems in a folder of results, by the specs that the plan gave them."""
    completed = CompletedRuns.load(Path(folder))
    records = completed.records[completed.reference]
    known = {name: record.system for name, record in records.items() if record.system != EXTERNAL}
    if len(known) < 2:
        raise DataError(f"{os.fspath(folder)}: fewer than two systems with a spec: give a table of factors")
    return factors_of_specs(known)


def scores_of_results(
    folder: str | os.PathLike[str], measures: Sequence[str] = (), version: str = "", level: int | None = None
) -> Scores:
    """Measure the runs in a folder of results on one version; its main measure if none is named."""
    completed = CompletedRuns.load(Path(folder))
    chosen = version or completed.reference
    if chosen not in completed.runs:
        known = list(completed.runs)
        raise SpecError(f"{os.fspath(folder)}: no version {chosen!r} there{did_you_mean(chosen, known)}")
    judgments, settings = completed.judgments(), completed.analysis
    names = list(measures) or [settings.measures_for(has_known_items(judgments, settings.level))[1]]
    judging = Judging(level=settings.level if level is None else level, complete=True)
    runs = {name: completed.run(chosen, name) for name in completed.runs[chosen]}
    return measure(judgments, runs, names, judging=judging)


def read_system_factors(source: Any, names: tuple[str, ...]) -> FactorTable:
    """Factors from a table, from a folder of results, or, if there is nothing, from names that are specs."""
    if source is None or (isinstance(source, str) and not source):
        return factors_of_specs({name: name for name in names})
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):
        return factors_of_results(source)
    return read_factors(source)
