"""An error channel laid out for the walk through a vocabulary, and the walk itself: compiled, or in Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.errors import DataError
from ....core.kernel import native, parts_for, together
from ....noise.channel.model import Channel
from ....storage.arrays import ascends, within
from . import slow_deciphering
from .observed_strings import CharacterCodes, ObservedVocabulary

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]

LONGEST = 48
"""Characters of a word; what a longer one has beyond is not looked at."""
EACH = 16
"""Words for which a thread of their own pays off."""

COLUMNS: dict[str, type] = {
    "ids": np.uint8,
    "single": np.float64,
    "edges": np.float64,
    "sources": np.uint32,
    "starts": np.int32,
    "totals": np.float64,
    "targets": np.uint32,
    "sizes": np.uint8,
    "chances": np.float64,
}

LONGEST_TARGET = 3
"""Characters that a rule writes at most."""
compiled: Any = native("reach")
loops: Any = compiled or slow_deciphering


@dataclass(frozen=True, eq=False)
class ReplacementTables:
    """The rules of a channel by what they replace: whatever is no single character for another is in groups."""

    ids: npt.NDArray[np.uint8]
    single: Floats
    edges: Floats
    """Three rows: deletion by true character, insertion by observed one, all that can happen to a true character."""
    sources: npt.NDArray[np.uint32]
    starts: npt.NDArray[np.int32]
    totals: Floats
    targets: npt.NDArray[np.uint32]
    sizes: npt.NDArray[np.uint8]
    chances: Floats

    @classmethod
    def of(cls, channel: Channel) -> ReplacementTables:
        """The tables of a channel."""
        ids, single, edges = (np.asarray(buffer) for buffer in channel.tables.buffers[:3])
        groups: dict[int, list[tuple[int, int, float]]] = {}
        for rule in channel.rules:
            if len(rule.source) <= 1 and len(rule.target) <= 1:
                continue
            source, target = (sum(int(ids[ord(c)]) << 8 * k for k, c in enumerate(s)) for s in rule[:2])
            groups.setdefault(source, []).append((target, len(rule.target), rule.probability))
        sources = sorted(groups)
        rows = [row for source in sources for row in groups[source]]
        starts = np.zeros(len(sources) + 1, np.int32)
        np.cumsum([len(groups[source]) for source in sources], out=starts[1:])
        return cls(
            ids,
            np.ascontiguousarray(single, np.float64),
            np.ascontiguousarray(edges, np.float64),
            np.array(sources, np.uint32),
            starts,
            np.array([sum(row[2] for row in groups[source]) for source in sources], np.float64),
            np.array([row[0] for row in rows], np.uint32),
            np.array([row[1] for row in rows], np.uint8),
            np.array([row[2] for row in rows], np.float64),
        )

    @property
    def buffers(self) -> tuple[Any, ...]:
        """What the walk takes, in its order."""
        return (self.single, self.edges, self.sources, self.starts, self.totals, self.targets, self.sizes, self.chances)

    @property
    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """All arrays by their names, to be kept."""
        return {name: getattr(self, name) for name in COLUMNS}

    @property
    def fits(self) -> bool:
        """Whether the arrays are those of a channel: their kinds, their sizes, and where the rules of a group begin."""
        kinds = {name: getattr(self, name).dtype for name in COLUMNS}
        if kinds != {name: np.dtype(kind) for name, kind in COLUMNS.items()}:
            return False
        groups, rules = len(self.sources), len(self.targets)
        if len(self.starts) != groups + 1 or len(self.totals) != groups or not ascends(self.starts, rules):
            return False
        fits = len(self.sizes) == rules == len(self.chances) and within(self.sizes, LONGEST_TARGET + 1)
        return fits and self.single.shape == (256, 256) and self.edges.shape == (3, 256)

    def encode(self, word: str) -> bytes:
        """A word as numbers of characters, 0 for one that the channel does not know."""
        return word[:LONGEST].translate(self._codes).encode("latin-1")

    @cached_property
    def _codes(self) -> CharacterCodes:
        some = np.flatnonzero(self.ids)
        return CharacterCodes(zip(some.tolist(), self.ids[some].tolist(), strict=True))


def reach(
    tables: ReplacementTables, vocabulary: ObservedVocabulary, words: Sequence[str], least: Floats
) -> tuple[Integers, Integers, Floats]:
    """The same as :func:`reached_lists`, with the place of the word among the words for each string."""
    strings, chances, counts = reached_lists(tables, vocabulary, words, least)
    return np.repeat(np.arange(len(words)), counts), strings, chances


def reached_lists(
    tables: ReplacementTables, vocabulary: ObservedVocabulary, words: Sequence[str], least: Floats
) -> tuple[Integers, Floats, Integers]:
    """All strings that words may have become with at least some probability each, by their places in the vocabulary,
    P(string | word), and how many strings each word has; words in their order.
    """
    parts = parts_for(len(words), EACH)
    cuts = [len(words) * k // parts for k in range(parts + 1)]
    searched = vocabulary.letters, vocabulary.offsets, *vocabulary.heads
    many = len(vocabulary.alphabet) + 1

    def some(part: int) -> tuple[Integers, Floats, Integers]:
        coded = [tables.encode(word) for word in words[cuts[part] : cuts[part + 1]]]
        offsets = np.zeros(len(coded) + 1, np.int64)
        np.cumsum([len(word) for word in coded], out=offsets[1:])
        floor = np.ascontiguousarray(least[cuts[part] : cuts[part + 1]], np.float64)
        try:
            reached = loops.reach(*searched, *tables.buffers, b"".join(coded), offsets, floor, many)
        except ValueError:  # the tree of what was kept leads outside of its strings; nobody looks at all of it before
            raise DataError("what was learned of the text is damaged: index the documents again") from None
        types = zip(reached, (np.int32, np.float64, np.int64), strict=True)
        strings, chances, counts = (np.frombuffer(raw, kind) for raw, kind in types)
        return strings, chances, counts

    pieces = together(some, parts)
    if parts == 1:
        return pieces[0]
    strings, chances, counts = (np.concatenate(column) for column in zip(*pieces, strict=True))
    return strings, chances, counts
