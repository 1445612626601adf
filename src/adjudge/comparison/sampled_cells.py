"""The documents of a topic's pool as a sample sees them: strata that were drawn from, cells that are alike.

A stratum was drawn from at random, so that a drawn document counts size / taken of its stratum. A cell is what a
machine gave one grade within a stratum. Cells serve what is expected of documents and variances; they never decide what
a document counts, nor what was not drawn (unseen_relevance.py), so that the machine cannot bias anything.

Everything is held for many samples at once (the first axis), of which a command has one and a simulation thousands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

UNRANKED = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class CellSample:
    """One topic in many samples: what was drawn from each cell, and the documents that are not plainly of grade 0."""

    classes: Ints
    """The number of each cell's class, by which topics learn from each other; in the order of machine grades."""
    strata: Ints
    """The stratum of each cell."""
    size: Floats
    """Documents of each cell."""
    taken: Floats
    """Samples × cells: documents that were drawn."""
    cell: Ints
    """The cell of each document that people graded above 0 in some sample, or the machine in all."""
    grade: Ints
    said: Ints
    """The machine's grade; 0 without a machine."""
    rank: Ints
    """Its rank in the run; UNRANKED where the run does not have it."""
    drawn: Floats
    """Samples × these documents: 1 where it was drawn, else 0."""
    pool_cell: Ints
    """The cell of every document of the pool."""
    pool_rank: Ints

    @cached_property
    def together(self) -> Floats:
        """Cells × cells: 1 where two cells are of one stratum."""
        return np.asarray(self.strata[:, None] == self.strata[None, :], float)

    @cached_property
    def first(self) -> Flags:
        """Whether a cell is the first one of its stratum."""
        return np.asarray([stratum not in self.strata[:cell] for cell, stratum in enumerate(self.strata)], bool)

    def grouped(self, values: Floats) -> Floats:
        """The sum over the stratum of each cell."""
        return np.asarray(values @ self.together)

    @cached_property
    def sizes(self) -> Floats:
        """Documents of each cell's stratum."""
        return self.grouped(np.repeat(self.size[None, :], len(self.taken), axis=0))

    @cached_property
    def takens(self) -> Floats:
        """Drawn documents of each cell's stratum."""
        return self.grouped(self.taken)

    @cached_property
    def weight(self) -> Floats:
        """1 / probability of a document of each cell; 0 where nothing was drawn."""
        return np.divide(self.sizes, self.takens, out=np.zeros_like(self.sizes), where=self.takens > 0)

    @cached_property
    def share(self) -> Floats:
        """The share of each cell's stratum that was drawn."""
        return np.asarray(self.takens / np.maximum(self.sizes, 1.0))

    @cached_property
    def open(self) -> Flags:
        """Cells of which documents are left that nobody judged."""
        return np.asarray(self.takens < self.sizes)

    @cached_property
    def pair_weight(self) -> Floats:
        """1 / probability that two documents of these cells are both drawn."""
        apart = self.weight[:, :, None] * self.weight[:, None, :]
        above, below = self.sizes * (self.sizes - 1), self.takens * (self.takens - 1)
        inside = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
        return np.asarray(np.where(self.together[None] > 0, inside[:, :, None], apart))

    @cached_property
    def membership(self) -> Floats:
        """These documents × cells: 1 in a document's own cell."""
        return np.asarray(self.cell[:, None] == np.arange(len(self.size))[None, :], float)

    @cached_property
    def pool_membership(self) -> Floats:
        """All documents of the pool × cells."""
        return np.asarray(self.pool_cell[:, None] == np.arange(len(self.size))[None, :], float)

    @cached_property
    def claimed(self) -> Flags:
        """Cells of which the machine says that they are not of grade 0."""
        return np.asarray(np.bincount(self.cell[self.said > 0], minlength=len(self.size)) > 0)

    def without_machine(self, kinds: Ints) -> CellSample:
        """The same sample with strata for cells; ``kinds`` has the class of each cell's stratum."""
        classes, first, cell = np.unique(kinds, return_index=True, return_inverse=True)
        inside = np.asarray(cell[:, None] == np.arange(len(classes))[None, :], float)
        return CellSample(
            classes=classes,
            strata=self.strata[first],
            size=self.size @ inside,
            taken=self.taken @ inside,
            cell=cell[self.cell],
            grade=self.grade,
            said=np.zeros_like(self.said),
            rank=self.rank,
            drawn=self.drawn,
            pool_cell=cell[self.pool_cell],
            pool_rank=self.pool_rank,
        )

    def by_cell(self, values: Floats) -> Floats:
        """Samples × cells: the sum of a value over the drawn documents of each cell."""
        return np.asarray((self.drawn * values) @ self.membership)

    def counts(self, least: int) -> Floats:
        """Samples × cells: drawn documents of this grade or above."""
        return self.by_cell((self.grade >= least).astype(float))


@dataclass(frozen=True, eq=False)
class MeasureParts:
    """What a measure is made of."""

    gain: Callable[[Ints], Floats]
    """The gain of a grade in the numerator; above 0 where a document is relevant."""
    factor: Callable[[Floats], Floats]
    """What a rank makes of it; 0 beyond the cutoff."""
    pairs: bool = False
    """Whether the numerator is that of average precision."""
    discount: Callable[[Floats], Floats] | None = None
    """Of the ideal ranking, where the denominator is one."""
    cutoff: int | None = None
    quotient: bool = False
