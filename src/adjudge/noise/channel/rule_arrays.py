"""A channel's rules as flat arrays, and the loops that walk them: compiled, or in Python (see ``core/kernel.py``)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.kernel import native
from . import slow_channel

Floats = npt.NDArray[np.float64]

LETTERS = 255
"""Characters that a channel can tell apart; all others are one: unknown, number 0."""

MULTIPLIER = 0x9E3779B97F4A7C15
MASK = (1 << 64) - 1

compiled: Any = native("channel")
loops: Any = compiled or slow_channel


def hash_key(key: int) -> int:
    """The same mixing as in ``channel.c``."""
    key = key * MULTIPLIER & MASK
    return key ^ (key >> 32)


def pack(ids: npt.NDArray[np.uint8], text: str) -> int:
    """Up to three known characters as one number."""
    return sum(int(ids[ord(character)]) << (8 * k) for k, character in enumerate(text))


@dataclass(frozen=True, eq=False)
class ChannelTables:
    """The arrays that ``channel.c`` takes, in its order, and the rules that the hash table numbers.

    Single substitutions, deletions and insertions are tables by character; all other rules are in the hash table.
    """

    buffers: tuple[npt.NDArray[Any], ...]
    numbered: tuple[tuple[str, str], ...]

    @classmethod
    def of(
        cls,
        rules: Iterable[tuple[str, str, float, float]],
        alphabet: str,
        substitution: float,
        deletion: float,
        insertion: float,
    ) -> ChannelTables:
        """Lays out rules (source, target, probability, count) over an alphabet."""
        ids = np.zeros(65536, np.uint8)
        for number, character in enumerate(alphabet, 1):
            if ord(character) < 65536:
                ids[ord(character)] = number
        single = np.full((256, 256), substitution / len(alphabet))
        edges = np.empty((3, 256))
        edges[0], edges[1], edges[2] = deletion, insertion / len(alphabet), substitution + deletion + insertion
        masks, targets = np.zeros(256, np.uint8), np.zeros(65536, np.uint8)
        numbered: list[tuple[str, str]] = []
        entries: list[tuple[int, float]] = []
        sources: dict[int, tuple[float, int]] = {}
        for source, target, probability, _ in rules:
            a, b = pack(ids, source), pack(ids, target)
            if not source:
                edges[2] += probability
            elif len(source) == 1:
                edges[2, a] += probability
            if len(source) == 1 and len(target) == 1:
                single[a, b] += probability
            elif len(source) == 1 and not target:
                edges[0, a] += probability
            elif not source and len(target) == 1:
                edges[1, b] += probability
            else:
                numbered.append((source, target))
                entries.append((a | b << 24, probability))
                targets[hash_key(b) & 65535] |= 1 << len(target)
                if len(source) <= 1:
                    masks[a] |= 1 << len(target)
            if len(source) > 1:
                total, mask = sources.get(a, (0.0, 0))
                sources[a] = (total + probability, mask | 1 << len(target))
        keys, places = _slots([key for key, _ in entries])
        chances, numbers = np.zeros(len(keys)), np.zeros(len(keys), np.int32)
        chances[places] = [probability for _, probability in entries]
        numbers[places] = np.arange(len(entries))
        roots = np.zeros((2, len(keys)))
        roots[:, places] = np.transpose([_shares(key, probability) for key, probability in entries] or np.zeros((0, 2)))
        source_keys, places = _slots(list(sources))
        totals, source_masks = np.zeros(len(source_keys)), np.zeros(len(source_keys), np.uint8)
        totals[places] = [total for total, _ in sources.values()]
        source_masks[places] = [mask for _, mask in sources.values()]
        return cls(
            (ids, single, edges, masks, keys, chances, numbers, source_keys, totals, source_masks, targets, roots),
            tuple(numbered),
        )


def _shares(key: int, probability: float) -> tuple[float, float]:
    """What each character of a rule's source, and of its target, has in its probability, if all have the same."""
    source, target = key & 0xFFFFFF, key >> 24
    sizes = [(text > 0) + (text > 0xFF) + (text > 0xFFFF) for text in (source, target)]
    of_source, of_target = (probability ** (1 / size) if size else 0.0 for size in sizes)
    return of_source, of_target


def _slots(keys: list[int]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """An open hash table of keys (none is 0), at most a third full, and the place of each key in it."""
    size = 1 << max(4, (3 * len(keys)).bit_length())
    table, places = [0] * size, []
    for key in keys:
        at = hash_key(key) & (size - 1)
        while table[at]:
            at = (at + 1) & (size - 1)
        table[at] = key
        places.append(at)
    return np.array(table, np.uint64), np.array(places, np.int64)
