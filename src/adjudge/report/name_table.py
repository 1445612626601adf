"""Names of measures in other programs, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ..core.dialects import READERS, TREC, names_in
from ..core.measure import GROUPS, Measure, measures
from .text_table import TextTable

PROGRAMS = ("ir_measures", "ranx", "trec_eval", "cwl_eval", "ndeval")
"""Columns of the table; pytrec_eval has trec_eval's names."""


@cache
def _names(program: str) -> dict[str, list[str]]:
    if program not in READERS:
        return {}
    return {measure: list(dict.fromkeys(names)) for measure, names in names_in(program).items()}


def names_of(cls: type[Measure]) -> dict[str, list[str]]:
    """{program: the names that it has for a measure}."""
    found = {program: _names(program).get(cls.name, []) for program in PROGRAMS if program not in TREC}
    theirs = [f"{use.name}_{use.field}" if use.field else use.name for use in cls.trec_eval]
    return {program: theirs if program in TREC else found[program] for program in PROGRAMS}


def name_rows(group: str) -> Iterator[tuple[str, ...]]:
    """Of the measures of a group: our name, and those of the programs."""
    for cls in measures.all():
        if cls.group == group:
            yield (cls.name, *(", ".join(names) for names in names_of(cls).values()))


def names_text(form: str = "table") -> str:
    """The table, by groups of measures."""
    tables = {title: list(name_rows(group)) for group, title in GROUPS.items()}
    head = "## {}\n\n" if form == "md" else "{}:\n"
    header = ("adjudge", *PROGRAMS)
    parts = [
        head.format(title) + TextTable(header, rows, labels=len(header)).form(form).rstrip("\n")
        for title, rows in tables.items()
        if rows
    ]
    return "\n\n".join(parts)
