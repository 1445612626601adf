"""A collection that can be asked: an index, what answers questions from it, and the fields of its documents."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import DataError, SpecError
from ..index.field_columns import NONE, FieldColumn
from ..index.index import Index
from ..index.searching import Searcher
from ..page_view.recent_values import Recent
from ..report.search_results import Marking
from ..systems.parts.answerer import TermAnswerer
from ..systems.parts.kept import is_kept, open_kept

Integers = npt.NDArray[Any]
WEIGHTING = "bm25"
MOST_VALUES = 20_000
"""Fields with more values than that are shown with their documents and not offered as a choice."""
YEAR = re.compile(r"(\d{4})(?:-\d\d?(?:-\d\d?)?(?:[T ].*)?)?")
NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?")


class Catalogue:
    """An open collection. Several threads may ask at the same time."""

    def __init__(self, folder: str | os.PathLike[str], weighting: str = WEIGHTING) -> None:
        self.folder = Path(folder)
        if is_kept(folder):
            if weighting != WEIGHTING:
                raise SpecError(f"{folder}: the system in it has a weighting of its own: leave --weighting out")
            kept = open_kept(folder)
            self.answerer, self.system = kept.answerer, str(kept.system)
        else:
            self.answerer = TermAnswerer(Searcher(Index.open(folder), weighting))
            self.system = str(self.answerer.searcher.weighting)
        self.index = self.answerer.index
        if not self.index.manifest.texts:
            raise DataError(
                f"{folder}: built without texts, so there is nothing to show: adjudge index --texts keeps them"
            )
        self.markings: Recent[Marking] = Recent(256)

    def __len__(self) -> int:
        return len(self.index)

    def prepare(self) -> None:
        """Make what is made once, before threads and processes share it."""
        self.offered, self.sortable, self.index.id_ranks  # noqa: B018
        for name in self.offered:
            self.columns[name].counts()

    @property
    def name(self) -> str:
        """What people call it."""
        return self.folder.resolve().name.removesuffix(".index") or "collection"

    def marking(self, words: str) -> Marking:
        """What is marked for a question."""
        return self.markings.get(words, lambda: Marking.of(self.answerer, words))

    @cached_property
    def columns(self) -> dict[str, FieldColumn]:
        """The fields of the documents; years are taken from dates and folders from ids where no field has them."""
        columns = dict(self.index.field_columns)
        if "year" not in columns and "date" in columns and (years := _years(columns["date"])):
            columns["year"] = years
        if "folder" not in columns and (folders := _folders(self.index)):
            columns["folder"] = folders
        return columns

    @cached_property
    def numeric(self) -> dict[str, npt.NDArray[np.float64]]:
        """The values of the fields that have numbers only, as numbers."""
        return {
            name: np.array([float(value) for value in column.values])
            for name, column in self.columns.items()
            if len(column.values) and all(map(NUMBER.fullmatch, column.values))
        }

    @cached_property
    def offered(self) -> tuple[str, ...]:
        """The fields by which documents can be chosen: with few values, or with numbers."""
        useful = (
            name
            for name, column in self.columns.items()
            if len(column.values) > 1
            and (name in self.numeric or len(column.values) <= max(20, min(MOST_VALUES, len(self) // 2)))
        )
        first = ("year", "folder", "title")
        return tuple(sorted(useful, key=lambda name: (first.index(name) if name in first else len(first), name)))

    @cached_property
    def sortable(self) -> tuple[str, ...]:
        """The fields by which documents can be ordered: those of which no document has two values."""
        return tuple(name for name, column in self.columns.items() if column.single and len(column.values) > 1)

    def places(self, name: str) -> npt.NDArray[np.float64]:
        """The place of each value of a field in its order: by number, or as the bytes of its text are."""
        numbers = self.numeric.get(name)
        return np.arange(len(self.columns[name].values), dtype=np.float64) if numbers is None else numbers


def _years(dates: FieldColumn) -> FieldColumn | None:
    """The years of dates, if all dates have one."""
    matches = [YEAR.fullmatch(value) for value in dates.values]
    if not all(matches) or not dates.single:
        return None
    return _column("year", [match[1] for match in matches if match], dates.codes)


def _folders(index: Index) -> FieldColumn | None:
    """The folders of ids that are paths, if there are several."""
    if b"/" not in index.ids.data.tobytes():
        return None
    names = [id_.rpartition("/")[0] for id_ in index.ids]
    values = {name: place for place, name in enumerate(sorted(set(names) - {""}))}
    if len(values) < 2:
        return None
    codes = np.fromiter((values.get(name, NONE) for name in names), np.int32, len(names))
    return FieldColumn("folder", list(values), codes)


def _column(name: str, of_value: Sequence[str], codes: Integers) -> FieldColumn:
    """A field whose value is made from that of another."""
    values = {value: place for place, value in enumerate(sorted(set(of_value)))}
    renamed = np.array([*(values[value] for value in of_value), NONE], np.int32)  # NONE is the last
    return FieldColumn(name, list(values), renamed[codes])
