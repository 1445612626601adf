"""What a table of scores is made of besides values: its columns, the names of runs, and notes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..core.arguments import listed
from ..core.errors import ConflictError, SpecError, did_you_mean
from ..core.measure import Measure, measures
from ..core.scores import Column
from ..formats.source import Source

DEFAULT = ("ap", "ndcg@10", "p@10", "rr", "bpref", "recall@1000")
"""What is measured when nobody says what."""


def columns(specs: Sequence[str] | str, names: str | None = None) -> list[tuple[Column, Measure]]:
    """The columns that spec strings ask for, each once; ``names`` is the program whose names they are."""
    asked = listed(specs)
    if not asked:
        raise SpecError("no measure was named")
    by_spec: dict[str, tuple[Column, Measure]] = {}
    for spec in asked:
        if names is None:
            by_spec.setdefault(spec, measures.column(spec))
        else:
            for column, component in _columns_in(spec, names):
                by_spec.setdefault(column.name, (column, component))
    return list(by_spec.values())


def _columns_in(spec: str, names: str) -> list[tuple[Column, Measure]]:
    """The columns that a name asks for in a dialect: several for trec_eval's ``P`` or ``official``."""
    from ..core.dialects import DIALECTS, TREC

    if names not in DIALECTS:
        raise SpecError(
            f"no names of {names!r}{did_you_mean(names, list(DIALECTS))}: they are of {', '.join(DIALECTS)}"
        )
    if names not in TREC:
        return [measures.column(spec, names)]
    from .trec_lines import named_columns

    return named_columns(spec, 9 if names == "pytrec_eval" else 10) or [measures.column(spec)]


def distinct_names(names: list[str], sources: list[Any]) -> list[str]:
    """Runs that have the same tag go by their paths."""
    twice = {name for name, times in Counter(names).items() if times > 1}
    distinct = [
        _path_of(source) or name if name in twice else name for name, source in zip(names, sources, strict=True)
    ]
    same = next((name for name, times in Counter(distinct).items() if times > 1), None)
    if same is not None:
        raise ConflictError(f"two runs are named {same!r}: give them names, NAME=FILE or in Python {{name: run}}")
    return distinct


def _path_of(source: Any) -> str:
    """Where a run was read from; empty if it is a value."""
    if isinstance(source, Source):
        return source.name
    return os.fspath(source) if isinstance(source, str | os.PathLike) else ""
