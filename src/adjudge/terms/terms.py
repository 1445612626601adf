"""Technical terms as a table: classes, their forms, and how much each is a term."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.errors import ConflictError, DataError
from ..core.result import Result

Integers = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


class Term(NamedTuple):
    """A class: its name, how often its forms occur together, C-value, NC-value or NaN, forms with their frequencies."""

    name: str
    frequency: int
    c_value: float
    nc_value: float
    forms: dict[str, int]


@dataclass(frozen=True, eq=False, repr=False)
class Terms(Result, Sequence[Term]):
    """Terms in the order of their rank, as columns: a corpus may have millions."""

    names: Sequence[str]
    frequencies: Integers
    c_values: Floats
    nc_values: Floats | None
    """None if they were not asked for."""
    offsets: Integers
    """The forms of term i are those from ``offsets[i]`` to ``offsets[i + 1]``."""
    forms: Sequence[str]
    form_frequencies: Integers

    @classmethod
    def of(cls, terms: Sequence[Term], source: str = "terms") -> Terms:
        """From single terms, which are checked."""
        nc = np.array([term.nc_value for term in terms], np.float64)
        return cls(
            [term.name for term in terms],
            np.array([term.frequency for term in terms], np.int64),
            np.array([term.c_value for term in terms], np.float64),
            None if np.isnan(nc).all() else nc,
            np.concatenate([[0], np.cumsum([len(term.forms) for term in terms])]).astype(np.int64),
            [form for term in terms for form in term.forms],
            np.array([number for term in terms for number in term.forms.values()], np.int64),
        ).validate(source)

    @classmethod
    def none(cls) -> Terms:
        """No term at all, which no file may hold."""
        whole = np.zeros(0, np.int64)
        return cls([], whole, np.zeros(0), None, np.zeros(1, np.int64), [], whole)

    def validate(self, source: str) -> Terms:
        """The same, if nothing in it is wrong."""
        if not len(self):
            raise DataError(f"{source}: no term in it")
        seen: set[str] = set()
        for place, name in enumerate(self.names, 1):
            if not name or " ".join(name.split()) != name:
                raise DataError(f"{source}: term {place}: the name {name!r} is not words with single blanks between")
            if name in seen:
                raise ConflictError(f"{source}: the term {name!r} occurs twice")
            seen.add(name)
        nc = np.zeros(0) if self.nc_values is None else self.nc_values
        self._refuse(source, ~np.isfinite(self.c_values), "has a C-value that is not a finite number")
        self._refuse(source, np.isinf(nc), "has an infinite NC-value")
        self._refuse(source, self.frequencies < 1, "has a frequency below 1")
        self._refuse(source, np.diff(self.offsets) < 1, "has no form")
        of_term = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        blank = np.array([not form.strip() for form in self.forms], bool)
        wrong = np.flatnonzero(blank | (self.form_frequencies < 1))
        if len(wrong):
            form, number = self.forms[int(wrong[0])], int(self.form_frequencies[wrong[0]])
            name = self.names[int(of_term[wrong[0]])]
            raise DataError(f"{source}: {name!r} has the form {form!r} with the frequency {number}")
        return self

    def _refuse(self, source: str, wrong: npt.NDArray[np.bool_], why: str) -> None:
        at = np.flatnonzero(wrong)
        if len(at):
            raise DataError(f"{source}: term {int(at[0]) + 1}, {self.names[int(at[0])]!r}, {why}")

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        few = ", ".join(repr(name) for name in self.names[:3])
        return f"Terms({few}{', …' if len(self) > 3 else ''}: {len(self):,})"

    def __getitem__(self, i):  # type: ignore[no-untyped-def]
        if isinstance(i, slice):
            return self.take(np.arange(len(self))[i])
        if not -len(self) <= i < len(self):
            raise IndexError(i)
        i %= len(self)
        own = slice(int(self.offsets[i]), int(self.offsets[i + 1]))
        forms = dict(zip(self.forms[own], self.form_frequencies[own].tolist(), strict=True))
        nc = math.nan if self.nc_values is None else float(self.nc_values[i])
        return Term(self.names[i], int(self.frequencies[i]), float(self.c_values[i]), nc, forms)

    def __iter__(self) -> Iterator[Term]:
        return (self[i] for i in range(len(self)))

    def take(self, rows: Integers) -> Terms:
        """Some of the terms, in this order."""
        sizes = np.diff(self.offsets)[rows]
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        at = np.repeat(self.offsets[:-1][rows] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return Terms(
            [self.names[i] for i in rows.tolist()],
            self.frequencies[rows],
            self.c_values[rows],
            None if self.nc_values is None else self.nc_values[rows],
            offsets,
            [self.forms[i] for i in at.tolist()],
            self.form_frequencies[at],
        )
