"""Reading preference judgments and judgments by several groups, as trec_eval's -R prefs, qrels_prefs and qrels_jg.

Lines of columns separated by white space; comments (#), blank lines and CRLF are allowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.errors import ConflictError, DataError, SpecError, at, did_you_mean
from ..core.fallback import DECIMAL, INTEGER
from ..core.groups import JudgmentGroups
from ..core.preferences import Preferences
from ..core.qrels import Qrels
from ..core.strings import decode
from .source import Source, open_source

LAYOUTS = {
    "prefs": ("topic", "group", "sub-group", "document", "level"),
    "qrels_prefs": ("topic", "group", "document", "level"),
}

QRELS_JG = ("topic", "group", "document", "grade")

ONLY = "0"
"""The sub-group of a row whose layout has none."""


def read_preferences(source: Any, *, layout: str = "prefs") -> Preferences:
    """Read preference judgments.

    Args:
        source: a path (``-`` is standard input) or an open binary file, packed or not.
        layout: ``prefs`` (topic group sub-group document level) or ``qrels_prefs`` (topic group document level: each
            group is its only sub-group, so ordinary qrels are preferences of one assessor).

    >>> read_preferences("prefs.txt")  # doctest: +SKIP
    """
    if isinstance(source, Preferences):
        return source
    if layout not in LAYOUTS:
        raise SpecError(f"no layout {layout!r} of preferences{did_you_mean(layout, list(LAYOUTS))}")
    opened = open_source(source)
    try:
        rows = list(_preferences(opened, LAYOUTS[layout]))
    finally:
        opened.close()
    return Preferences.of_columns(*zip(*rows, strict=True)).validate(opened.name)


def _preferences(source: Source, columns: tuple[str, ...]) -> Iterator[tuple[str, str, str, str, float]]:
    for number, line, fields in lines_of(source, "preference", columns):
        token = fields[-1]
        level = float(token) if DECIMAL.fullmatch(token) else np.nan
        if not np.isfinite(level):
            raise DataError(at(source.name, number, "the level is not a finite decimal number", line))
        topic, group, *sub, document = map(decode, fields[:-1])
        yield topic, group, sub[0] if sub else ONLY, document, level


def read_judgment_groups(source: Any) -> JudgmentGroups:
    """Read the judgments of several groups of assessors.

    Args:
        source: a path, ``-`` or an open binary file with lines ``topic group document grade``.

    >>> read_judgment_groups("qrels_jg.txt")  # doctest: +SKIP
    """
    if isinstance(source, JudgmentGroups):
        return source
    opened = open_source(source)
    try:
        judged = _judgments(opened)
    finally:
        opened.close()
    groups = {}
    for name, (grades, repeated) in judged.items():
        topics, documents = zip(*grades, strict=True)
        numbers = np.fromiter(grades.values(), np.int32, len(grades))
        groups[name] = Qrels.of_columns(topics, documents, numbers, repeated=repeated)
    return JudgmentGroups(groups)


def _judgments(source: Source) -> dict[str, tuple[dict[tuple[str, str], int], int]]:
    """{group: ({(topic, document): grade}, rows that are there twice)}."""
    groups: dict[str, dict[tuple[str, str], int]] = {}
    repeated: dict[str, int] = {}
    for number, line, fields in lines_of(source, "judgment", QRELS_JG):
        if not INTEGER.fullmatch(fields[3]) or abs(int(fields[3])) >= 2**31:
            raise DataError(at(source.name, number, "the grade is not a whole number", line))
        topic, group, document = map(decode, fields[:3])
        grade = int(fields[3])
        seen = groups.setdefault(group, {})
        known = seen.get((topic, document))
        if known is not None and known != grade:
            why = f"document {document} was judged {known} before in topic {topic} by group {group}, now {grade}"
            raise ConflictError(at(source.name, number, why, line))
        repeated[group] = repeated.get(group, 0) + (known is not None)
        seen[topic, document] = grade
    return {group: (grades, repeated[group]) for group, grades in groups.items()}


def lines_of(source: Source, what: str, columns: tuple[str, ...]) -> Iterator[tuple[int, bytes, list[bytes]]]:
    """(number from 1, line, fields) of every line that is neither blank nor a comment."""
    empty = True
    for number, line in enumerate(source.whole().split(b"\n"), 1):
        fields = line.split()
        if not fields or fields[0].startswith(b"#"):
            continue
        if len(fields) != len(columns):
            why = f"a {what} has {len(columns)} columns ({' '.join(columns)}), this line has {len(fields)}"
            raise DataError(at(source.name, number, why, line))
        empty = False
        yield number, line, fields
    if empty:
        raise DataError(f"{source.name}: empty: only comments and blank lines")
