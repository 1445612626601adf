"""Guide to the systems: every one in a sentence, with its parameters, its coverage and its run."""

from __future__ import annotations

import math
import sys
from dataclasses import fields
from typing import NamedTuple
from urllib.parse import quote

from ...core.english import percent
from ...core.errors import AdjudgeError
from ...core.spec import spec_text
from ...experiment.completed_runs import EXTERNAL
from ...experiment.findings import Findings, VersionFindings
from ...systems.system import systems
from ...words import captions
from ...words.table_captions import run_from_elsewhere, system_parameters
from .parts import Room, Section, scroll_box, section, spoken, version_label
from .safe_markup import Html, beginning_of, join_children, name_element, shorten_middle, tag

LONG = 40
"""From so many systems on the table scrolls by itself."""
SENTENCE = 300


class Description(NamedTuple):
    """A system in a sentence, and its parameters."""

    sentence: str
    parameters: str = ""


def describe(spec: str) -> Description:
    """Describe a system by its spec: from the documentation of the component, or as it is written."""
    if spec == EXTERNAL:
        return Description(run_from_elsewhere())
    try:
        system = systems.parse(spec)
    except AdjudgeError:
        return Description(spec)
    own = sys.modules[type(system).__module__].__doc__ or ""
    first = " ".join(own.split("\n\n")[0].split())
    given = [
        (f.name, spec_text(getattr(system, f.name)))
        for f in fields(system)  # type: ignore[arg-type]
        if getattr(system, f.name) not in ("", None, ())
    ]
    changed = [f.name for f in fields(system) if getattr(system, f.name) != f.default]  # type: ignore[arg-type]
    return Description(first or type(system).summary(), system_parameters(given, defaults=not changed))


def guide_section(findings: Findings, room: Room) -> Section:
    view = findings.first
    specs = findings.provenance.systems
    descriptions = {system: describe(specs.get(system, EXTERNAL)) for system in findings.systems}
    same = len(set(descriptions.values())) == 1
    head = ["system"] + ([] if same else ["what it is"]) + _columns(findings)
    rows = []
    for system in findings.systems:
        about = descriptions[system]
        cells: list[object] = [tag("th", name_element(system), scope="row")]
        if not same:
            more = tag("span", beginning_of(about.parameters, SENTENCE), class_="parameters")
            cells.append(tag("td", beginning_of(about.sentence, SENTENCE), more if about.parameters else None))
        cells += _figures(view, system)
        if findings.runs:
            cells.append(tag("td", run_links(findings, system)))
        rows.append(tag("tr", cells))
    table = tag(
        "table",
        tag("thead", tag("tr", [tag("th", cell, scope="col") for cell in head])),
        tag("tbody", rows),
        class_="guide sortable",
    )
    only = next(iter(descriptions.values()))
    if same and len(descriptions) > 1 and only == describe(EXTERNAL):
        only = Description(run_from_elsewhere(several=True))
    lead = tag("p", beginning_of(only.sentence, SENTENCE), " ", only.parameters) if same else None
    long = "long" if len(rows) > LONG else ""
    cover = spoken(captions.coverage(view), view)
    html = join_children(
        [lead, tag("p", cover) if cover else None, scroll_box(table, "What was compared", class_=long)]
    )
    return section("compared", "What was compared", room.needed(html))


def _columns(findings: Findings) -> list[str]:
    view = findings.first
    columns = ["topics answered"] if view.answered else []
    columns += ["unjudged in the first 10"] if shows_unjudged(view) else []
    return columns + (["run"] if findings.runs else [])


def shows_unjudged(view: VersionFindings) -> bool:
    """Leave the share out for known items: nothing but the target is judged there, whatever the system."""
    return bool(view.unjudged) and view.study is None


def _figures(view: VersionFindings, system: str) -> list[Html]:
    place, cells = view.place.get(system), []
    if view.answered:
        text = "–" if place is None else f"{view.answered[place]:,} of {len(view.topics):,}"
        exact = None if place is None else view.answered[place]
        cells.append(tag("td", text, class_="number", data_v=exact, data_label="topics answered"))
    if shows_unjudged(view):
        share = math.nan if place is None else view.unjudged[place]
        known = None if math.isnan(share) else f"{share:.6g}"
        label = "unjudged in the first 10"
        cells.append(tag("td", percent(share), class_="number", data_v=known, data_label=label))
    return cells


def run_links(findings: Findings, system: str) -> Html:
    """Links to the runs of a system, one for each version."""
    links: list[object] = []
    for view in findings.parts:
        path = findings.runs.get(view.version, {}).get(system)
        if path:
            label = shorten_middle(version_label(view), 24) if findings.several else "run"
            links += [" " if links else None, tag("a", label, href=quote(path))]
    return join_children(links)
