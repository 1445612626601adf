"""What became of every word of a true text in its scan: what oracles and the account of losses rest on."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from adjudge.noise.alignment import Alignment, align
from adjudge.systems.parts.deciphering.aids import lower_letters

WORD = re.compile(r"[^\W_]+")
"""Words of the true text and strings of the scan, as the tokenizer ``chunks`` cuts them where no sign is a letter."""


class Group(NamedTuple):
    """Words of the true text and the strings of the scan that they became, which belong to no others."""

    words: tuple[str, ...]
    strings: tuple[str, ...]
    cut: bool
    """Whether a hyphen stands between the strings."""

    @property
    def kind(self) -> str:
        """What happened: one, joined, broken, gone, made up, or several (words became strings in no simple way)."""
        words, strings = min(len(self.words), 2), min(len(self.strings), 2)
        return {
            (1, 1): "one",
            (2, 1): "joined",
            (1, 2): "broken",
            (1, 0): "gone",
            (2, 0): "gone",
            (0, 1): "made up",
            (0, 2): "made up",
        }.get((words, strings), "several")


def _places(alignment: Alignment) -> list[int]:
    """For every character of the true text, and its end, where it stands in the scan."""
    place = [0] * (len(alignment.true) + 1)
    at = to = 0
    for region in (*alignment.regions, None):
        until = len(alignment.true) if region is None else region.start
        place[at:until] = range(to, to + until - at)
        if region is not None:
            size, room = region.end - region.start, region.stop - region.begin
            for k in range(size):
                place[region.start + k] = region.begin + k * room // size
            at, to = region.end, region.stop
    place[-1] = len(alignment.observed)
    return place


def groups(true: str, observed: str) -> Iterator[Group]:
    """The words of a passage in their order, with what became of them."""
    alignment = align(lower_letters(true), lower_letters(observed))
    shown, place = alignment.observed, _places(alignment)
    strings = [match.span() for match in WORD.finditer(shown)]
    words = [(match[0], place[match.start()], place[match.end() - 1] + 1) for match in WORD.finditer(alignment.true)]
    first = 0
    pending: list[str] = []
    held: list[int] = []
    for text, begin, end in words:
        while first < len(strings) and strings[first][1] <= begin:
            first += 1
        over = []
        for k in range(first, len(strings)):
            low, high = strings[k]
            if low >= end:
                break
            # A character at the edge of a string that is longer by far is the alignment's, not the word's.
            if min(high, end) - max(low, begin) > 1 or high - low <= 3:
                over.append(k)
        if pending and held and (not over or over[0] > held[-1]):
            yield _group(pending, held, strings, shown)
            pending, held = [], []
        elif pending and not held:
            yield Group(tuple(pending), (), False)
            pending = []
        pending.append(text)
        held.extend(k for k in over if k not in held)
    if pending:
        yield _group(pending, held, strings, shown)


def _group(words: list[str], held: list[int], strings: list[tuple[int, int]], shown: str) -> Group:
    spans = [strings[k] for k in held]
    between = "".join(shown[a[1] : b[0]] for a, b in pairwise(spans))
    return Group(tuple(words), tuple(shown[a:b] for a, b in spans), "-" in between or "¬" in between)


@dataclass
class Truth:
    """All words of a collection with what became of them, by passage."""

    passages: dict[str, list[Group]] = field(default_factory=dict)

    @classmethod
    def of(cls, true: Mapping[str, str], observed: Mapping[str, str]) -> Truth:
        return cls({name: list(groups(text, observed[name])) for name, text in true.items()})

    def counts(self, *kinds: str) -> dict[tuple[str, ...], Counter[str]]:
        """How often a string, or neighbouring strings, stand for each word."""
        found: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for rows in self.passages.values():
            for group in rows:
                if group.kind in kinds:
                    found[group.strings].update(group.words)
        return found

    def pairs(self) -> Counter[tuple[str, str]]:
        """Words with the strings that they became, where one became one."""
        return Counter(
            (group.words[0], group.strings[0])
            for rows in self.passages.values()
            for group in rows
            if group.kind == "one"
        )
