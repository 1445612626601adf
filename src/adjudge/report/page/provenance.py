"""Provenance: files, settings, software, notes, and definitions of names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...core.english import figure
from ...core.note import Note
from ...experiment.completed_runs import JUDGMENTS, PLAN, PROVENANCE, SCORES, TABLES, VERDICTS
from ...experiment.findings import Findings
from ...experiment.results_history import flat_settings
from ...words.omissions import left_out_of_page, more_notes, more_settings
from ...words.table_captions import figures_rounded, file_contents, files_explained, work_done
from .parts import Room, Section, glossary, scroll_box, section, table, version_label
from .safe_markup import (
    Html,
    beginning_of,
    clean,
    disclosure,
    join_children,
    list_of,
    name_element,
    shorten_middle,
    tag,
)

STEPS = 400
"""Steps that are listed, the longest first."""
ROWS = 500
VALUE = 400
NOTES = 200


def provenance_section(findings: Findings) -> Section:
    source = findings.provenance
    steps = sorted(source.steps, key=lambda step: -step.seconds)[:STEPS]
    energy = any(step.joules is not None for step in source.steps)
    peak = max((step.megabytes for step in source.steps), default=0.0)
    who = ", ".join(f"{clean(key)} {clean(value)}" for key, value in list(source.software.items())[:3])
    return section(
        "provenance",
        "Where this comes from",
        files(findings),
        tag("p", work_done([step.seconds for step in source.steps], peak, beginning_of(who, 200))),
        _pairs("Software", source.software),
        _pairs("Plan", dict(flat_settings(source.plan, show=portable))),
        _pairs("Inputs, by the digest of their content", source.inputs),
        _pairs("Systems as they were run", source.systems),
        _pairs("What runs made elsewhere say of themselves", dict(flat_settings(source.metadata, show=portable))),
        disclosure(
            "Time, memory and energy of each step" if energy else "Time and memory of each step",
            scroll_box(
                table(
                    ["step", "seconds", "MB", *(["J"] if energy else [])],
                    (
                        [
                            name_element(s.what),
                            figure(s.seconds, 3),
                            figure(s.megabytes, 3),
                            *(["" if s.joules is None else figure(s.joules, 3)] if energy else []),
                        ]
                        for s in steps
                    ),
                    class_="sortable",
                ),
                "Steps",
                class_="long",
            ),
        )
        if steps
        else None,
    )


def files(findings: Findings) -> Html | None:
    """Links to the files beside the page."""
    if not findings.runs:  # findings of no folder
        return None
    names = (SCORES, VERDICTS, *reversed(TABLES.values()), PROVENANCE, PLAN, JUDGMENTS)
    links = [join_children([tag("a", name, href=name), f": {file_contents(name)}"]) for name in names]
    return join_children([tag("p", files_explained()), list_of(links, class_="files")])


def portable(value: object) -> str:
    """A setting without the folders of the machine on which it ran: of an absolute path its last two parts."""
    text = str(value)
    if not re.match(r"(/|[A-Za-z]:[\\\\/])", text) or "\n" in text:
        return text
    parts = re.split(r"[\\\\/]+", text.rstrip("/"))
    return "/".join(["…", *[part for part in parts if part][-2:]])


def _pairs(title: str, values: Mapping[str, Any]) -> Html | None:
    if not values:
        return None
    rows = [
        (name_element(key), tag("bdi", shorten_middle(portable(value), VALUE), class_="value"))
        for key, value in list(values.items())[:ROWS]
    ]
    hidden = len(values) - len(rows)
    note = tag("p", more_settings(hidden), class_="note") if hidden > 0 else None
    return disclosure(title, scroll_box(table(["", "value"], rows, labels=2, class_="pairs"), title), note)


def notes_section(findings: Findings, room: Room) -> Section:
    """Notes on the data and the work, and what was left out to keep the page small."""
    notes: dict[tuple[str, Note], None] = dict.fromkeys(("", note) for note in findings.notes)
    for view in findings.parts:
        before = f"{version_label(view)}: " if findings.several else ""
        study = view.study
        for note in (*view.notes, *(study.item.notes if study else ())):
            notes.setdefault((before, note))
    rows: list[object] = [beginning_of(f"{before}{_local(note)}", 1000) for before, note in list(notes)[:NOTES]]
    if len(notes) > NOTES:
        rows.append(more_notes(len(notes) - NOTES))
    if room.left_out:
        rows.append(left_out_of_page(room.left_out))
    rows.append(figures_rounded())
    return section("notes", "Notes", list_of(rows))


def _local(note: Note) -> Note:
    """The same note without the folders of this machine."""
    facts = tuple((name, portable(value) if isinstance(value, str) else value) for name, value in note.facts)
    return note.having(subject=portable(note.subject), facts=facts)


def definitions_section(findings: Findings) -> Section:
    return section("definitions", "Definitions", join_children([glossary(findings)]))
