"""Which documents go together: those with the same frequent strings, so in the same language.

The most frequent strings of a text are its small words, and where much is wrong what an engine makes of these: *the*
and *lhe*, *und* and *unb*. What documents are about hardly changes how often they have them; the language does, and
press and engine a little. So documents are cut in two by these strings, each half again, and so on, as long as the
halves have too little in common. Nothing but the postings of some frequent strings is looked at.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....index.index import Index

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]
Groups = npt.NDArray[np.uint8]
"""The number of the group of each document, from 0 on."""

CANDIDATES, COMPARED, SHORTEST = 1000, 200, 2
"""Frequent strings whose postings are read, the most frequent of them by which documents are compared, and their
letters."""
COMMON = 0.25
"""What groups in the same language have in common of their frequent strings, at least; found groups have less. Halves
by errors alone have .43 to .74 in the collections that were tried, and cutting there did not pay in all of them."""
MOST = 8
LEAST = 5000
"""Groups, at most, and occurrences of strings that each has at least."""
ROUNDS, LOOKED_AT, UNSEEN = 30, 20_000, 0.5
"""Rounds of telling two halves apart, documents that are looked at to find where to begin, and what is added to the
occurrences of a string in a half."""


class FrequentStrings(NamedTuple):
    """The postings of the frequent strings of a text: which string, which document, how often; and lengths."""

    strings: Integers
    documents: Integers
    tf: Floats
    many: int
    lengths: Floats
    """Occurrences of all strings in each document."""

    @classmethod
    def of(cls, index: Index) -> FrequentStrings:
        cf = index.arrays["cf"].astype(np.int64)
        order = np.argsort(-cf, kind="stable")[: 4 * CANDIDATES].tolist()
        names = [(term, index.name(term)) for term in order]
        terms = np.array([t for t, name in names if len(name) >= SHORTEST and name.isalpha()][:CANDIDATES], np.int64)
        documents, tf, offsets = index.postings_of(np.sort(terms))
        strings = np.repeat(np.arange(len(terms)), np.diff(offsets))
        lengths = index.statistics.lengths.astype(np.float64)
        return cls(strings, documents.astype(np.int64), tf.astype(np.float64), len(terms), lengths)

    def among(self, chosen: npt.NDArray[np.bool_]) -> FrequentStrings:
        """The most frequent of them in some documents, and nothing of other documents."""
        there = chosen[self.documents]
        strings, documents, tf = self.strings[there], self.documents[there], self.tf[there]
        often = np.bincount(strings, tf, minlength=self.many)
        best = np.argsort(-often, kind="stable")[:COMPARED]
        number = np.full(self.many, -1, np.int64)
        number[np.sort(best[often[best] > 0])] = np.arange(np.count_nonzero(often[best] > 0))
        kept = number[strings] >= 0
        lengths = np.where(chosen, self.lengths, 0.0)
        return FrequentStrings(
            number[strings[kept]], documents[kept], tf[kept], int(number.max(initial=-1)) + 1, lengths
        )

    def shares(self, groups: Integers, many: int) -> Floats:
        """The share of each string among the strings of each of so many groups: a row a group."""
        keys = groups[self.documents].astype(np.int64) * self.many + self.strings
        times = np.bincount(keys, self.tf, minlength=many * self.many).reshape(many, self.many) + UNSEEN
        return np.asarray(times / times.sum(axis=1, keepdims=True))


def in_common(one: Floats, other: Floats) -> float:
    """What two rows of shares have in common, from 0 to 1."""
    return float(np.minimum(one, other).sum())


def find_groups(index: Index) -> Groups:
    """The groups of documents of a text; all in group 0 if nothing tells them apart."""
    strings = FrequentStrings.of(index)
    groups = np.zeros(len(index), np.uint8)
    left, many = [0], 1
    while left and many < MOST:
        group = left.pop()
        chosen = groups == group
        half = _second_half(strings.among(chosen))
        if half is not None:
            groups[half] = many
            left += [group, many]
            many += 1
    return groups


def _second_half(strings: FrequentStrings) -> npt.NDArray[np.bool_] | None:
    """The documents of one half, where documents are two groups; None where they are one."""
    total = np.bincount(strings.documents, strings.tf, minlength=len(strings.lengths))
    if strings.many < 2 or strings.lengths.sum() < 2 * LEAST:
        return None
    half, shares = _first_cut(strings, total), np.zeros((2, strings.many))
    for _ in range(ROUNDS):
        shares = strings.shares(half, 2)
        gain = np.log(shares[1] / shares[0])
        new = np.bincount(strings.documents, strings.tf * gain[strings.strings], minlength=len(half)) > 0
        if np.array_equal(new, half):
            break
        half = new
    small = min(float(strings.lengths[half].sum()), float(strings.lengths[~half].sum()))
    return half if small >= LEAST and in_common(*shares) < COMMON else None


def _first_cut(strings: FrequentStrings, total: Integers) -> npt.NDArray[np.bool_]:
    """Documents on one side of the mean in the direction in which they differ most; some of many tell which that is."""
    share = np.sqrt(strings.tf / total[strings.documents])
    there = np.flatnonzero(total)
    some = there[:: max(1, len(there) // LOOKED_AT)]
    row = np.full(len(total), -1, np.int64)
    row[some] = np.arange(len(some))
    kept = row[strings.documents] >= 0
    table = np.zeros((len(some), strings.many))
    table[row[strings.documents[kept]], strings.strings[kept]] = share[kept]
    mean = np.average(table, axis=0, weights=total[some])
    table = (table - mean) * np.sqrt(total[some])[:, None]
    direction = np.linalg.eigh(table.T @ table)[1][:, -1]
    direction *= np.sign(direction[np.argmax(np.abs(direction))])  # which of both is one is not told
    along = np.bincount(strings.documents, share * direction[strings.strings], minlength=len(total))
    return np.asarray((along > mean @ direction) & (total > 0))


def families(index: Index, groups: Groups) -> list[list[int]]:
    """Groups in the same language, as far as their frequent strings tell."""
    many = int(groups.max(initial=0)) + 1
    shares = FrequentStrings.of(index).among(np.ones(len(groups), np.bool_)).shares(groups, many)
    found: list[list[int]] = []
    for group in range(many):
        kin = [f for f in found if any(in_common(shares[group], shares[other]) >= COMMON for other in f)]
        found = [f for f in found if f not in kin] + [sorted([group, *(other for f in kin for other in f)])]
    return sorted(found)
