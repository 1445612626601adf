"""The rules of a channel as arrays for sampling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .model import Channel

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Sampler:
    """The rules of a channel as arrays: those with one source are neighbours, in the order of the packed sources."""

    ids: npt.NDArray[np.uint8]
    keys: Integers
    totals: Floats
    bases: Floats
    ends: Floats
    targets: npt.NDArray[np.uint32]
    lengths: Integers
    costs: Floats
    letters: npt.NDArray[np.uint32]
    begins: npt.NDArray[np.bool_]
    substitution: float
    deletion: float
    insertion: float

    @classmethod
    def of(cls, channel: Channel) -> Sampler:
        """Lays the rules out; the source of an insertion packs to 0 and comes first."""
        from .rule_arrays import pack

        ids = channel.tables.buffers[0]
        rows = sorted((pack(ids, rule.source), -rule.probability, rule.target, rule) for rule in channel.rules)
        rules = [row[-1] for row in rows]
        keys, first = np.unique(np.array([0, *(row[0] for row in rows)], np.int64), return_index=True)
        first = np.maximum(first - 1, 0)
        ends = np.cumsum([rule.probability for rule in rules]) if rules else np.zeros(0)
        bases = np.concatenate(([0.0], ends))[first]
        totals = np.diff(np.concatenate((bases, ends[-1:] if rules else [0.0])))
        targets = np.zeros((len(rules), 3), np.uint32)
        for row, rule in enumerate(rules):
            targets[row, : len(rule.target)] = [ord(character) for character in rule.target]
        begins = np.zeros(65536, bool)  # pairs that a source of two or three characters begins with
        begins[keys[keys > 255] & 65535] = True
        return cls(
            ids,
            keys,
            totals,
            bases,
            ends,
            targets,
            np.array([len(rule.target) for rule in rules], np.int64),
            np.array([_cost(rule.source, rule.target) for rule in rules]),
            np.array([ord(character) for character in channel.alphabet], np.uint32),
            begins,
            channel.substitution,
            channel.deletion,
            channel.insertion,
        )

    def numbers_of(self, codes: npt.NDArray[np.uint32]) -> Integers:
        """The number of each character in the alphabet, 0 for those that are not in it."""
        if not len(codes) or codes.max() < 65536:
            return self.ids[codes].astype(np.int64)
        return np.where(codes < 65536, self.ids[np.minimum(codes, 65535)], 0).astype(np.int64)

    def total(self, known: Integers) -> Floats:
        """The probability of an error at each character, insertions aside."""
        alone = np.zeros(256)
        short = (self.keys > 0) & (self.keys < 256)
        alone[self.keys[short]] = self.totals[short]
        total: Floats = (alone + self.substitution + self.deletion)[known]
        places = np.flatnonzero(self.begins[known[:-1] | known[1:] << 8])
        total[places] += self.chances(self.sources(known, places))[1:].sum(0)
        return total

    def sources(self, known: Integers, places: Integers) -> Integers:
        """For some characters the sources of one, two and three characters that stand there, -1 for none."""
        padded = np.concatenate((known, [0, 0]))
        first, second, third = padded[places], padded[places + 1], padded[places + 2]
        pair = first | second << 8
        codes = np.empty((3, len(places)), np.int64)
        for size, (wanted, there) in enumerate(
            ((first, first > 0), (pair, first * second > 0), (pair | third << 16, first * second * third > 0))
        ):
            place = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
            codes[size] = np.where(there & (self.keys[place] == wanted), place, -1)
        return codes

    def chances(self, sources: Integers) -> Floats:
        """The probability of an error by sources of one, two and three characters."""
        totals: Floats = np.append(self.totals, 0.0)[sources]
        totals[0] += self.substitution + self.deletion
        return totals

    @property
    def inserting(self) -> float:
        """The probability of an insertion before a character."""
        return float(self.totals[0]) + self.insertion

    def expected_edits(self, codes: npt.NDArray[np.uint32]) -> Floats:
        """Edits to be expected at each character."""
        known = self.numbers_of(codes)
        sources = self.sources(known, np.arange(len(known)))
        costs = np.concatenate(([0.0], np.cumsum(self.costs * np.diff(np.concatenate(([0.0], self.ends))))))
        first = np.searchsorted(self.ends, self.bases, "right")
        by_source = np.append(np.diff(np.append(costs[first], costs[-1])), 0.0)
        always = self.substitution + self.deletion + self.insertion + by_source[0]
        edits: Floats = by_source[sources].sum(0) + always
        return edits


def _cost(source: str, target: str) -> int:
    """Edits between two strings of at most three characters."""
    row = list(range(len(target) + 1))
    for i, a in enumerate(source, 1):
        last, row[0] = row[0], i
        for j, b in enumerate(target, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (a != b))
    return row[-1]


def sampler_of(channel: Channel) -> Sampler:
    """The sampler of a channel, made once."""
    sampler = channel.__dict__.get("sampler")
    if sampler is None:
        sampler = channel.__dict__["sampler"] = Sampler.of(channel)
    return sampler


def codes_of(text: str) -> npt.NDArray[np.uint32]:
    """The characters of a text as numbers."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
