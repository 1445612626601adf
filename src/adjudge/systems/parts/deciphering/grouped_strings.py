"""The strings of all groups of documents: what stands in two groups is two strings, each read as in its group."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ....index.inversion import sums
from ....index.term_places import TermPostings
from .reading import Reading
from .word_forms import Forms

Integers = npt.NDArray[Any]


class GroupedStrings:
    """Strings by their places: those of the first group have the first ones. With one group they are its own."""

    def __init__(self, reading: Reading) -> None:
        self.index, self.group_of = reading.index, reading.group_of
        self.groups = reading.groups or (reading,)
        self.firsts = sums(np.array([len(group.vocabulary) for group in self.groups]))

    @cached_property
    def numbers(self) -> Integers:
        """The term of the index that each string is."""
        if len(self.groups) == 1:
            return self.groups[0].vocabulary.numbers
        return np.concatenate([group.vocabulary.numbers for group in self.groups])

    def group(self, places: Integers) -> Integers:
        """The groups of some strings."""
        return np.asarray(np.searchsorted(self.firsts, places, "right") - 1)

    def names(self, places: Integers) -> list[str]:
        """Some strings as they stand in the text."""
        if len(self.groups) == 1:
            return self.groups[0].names(places)
        return [self.index.name(number) for number in self.numbers[places].tolist()]

    def counts_of(self, places: Integers) -> npt.NDArray[np.float64]:
        """Occurrences of some strings in the documents of their groups."""
        if len(self.groups) == 1:
            return self.groups[0].counts_of(places)
        counts, of = np.zeros(len(places)), self.group(places)
        for number, group in enumerate(self.groups):
            own = of == number
            counts[own] = group.counts_of(places[own] - self.firsts[number])
        return counts

    def together(self, forms: Sequence[Forms]) -> Forms:
        """What stands for a word in each group, as one."""
        if len(forms) == 1:
            return forms[0]
        before = sums(np.array([len(each.members) for each in forms]))
        strings = [each.strings + first for each, first in zip(forms, self.firsts.tolist(), strict=False)]
        member = [each.member + first for each, first in zip(forms, before.tolist(), strict=False)]
        weights, exact = (np.concatenate(column) for column in ([f.weights for f in forms], [f.exact for f in forms]))
        members = [name for each in forms for name in each.members]
        return Forms(np.concatenate(strings).astype(np.int32), weights, exact, members, np.concatenate(member))

    def own(self, places: Integers, postings: TermPostings) -> TermPostings:
        """The postings of some strings in the documents of their groups."""
        if self.group_of is None:
            return postings
        documents, tf, offsets = postings
        wanted = self.group_of[documents] == np.repeat(self.group(places), np.diff(offsets))
        return documents[wanted], tf[wanted], sums(wanted)[offsets]
