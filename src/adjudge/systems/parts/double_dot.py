"""Double-dot grams: grams of words in which one character stands for none, one or two others.

``ballo`` gives ``?allo``, ``b?llo``, ``ba?lo``, ``bal?o`` and ``ball?``. All questions are counted in one pass over the
text, in ``double_dot.c``; :func:`slow_counts` says the same in Python, for machines without a compiler and for the
tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.kernel import native

Integers = npt.NDArray[Any]
Counts = npt.NDArray[np.int64]

compiled: Any = native("double_dot")

CHARACTERS = 0x110000
BLANK, NEWLINE, LETTER = 1, 2, 3
"""Codes of characters for the compiled loop: white space, the end of a line, and from here on letters of patterns."""
LETTERS = 256 - LETTER
"""Different letters that patterns looked for together can have."""
LONGEST_GRAM = 9
WIDEST_GAP = 8


class CentrePattern(NamedTuple):
    """What stands before and after the don't-care character; one of them may be empty."""

    before: str
    after: str


def grams(words: Sequence[str], n: int = 5) -> list[str]:
    """The different grams of words, none across their ends; a word of n characters or fewer is one gram.

    >>> grams(["red", "balloon"])
    ['red', 'ballo', 'alloo', 'lloon']
    """
    return list(dict.fromkeys(word[i : i + n] for word in words for i in range(max(1, len(word) - n + 1))))


def patterns(words: Sequence[str], n: int = 5, least: int = 1) -> list[CentrePattern]:
    """Every gram with every character replaced in turn, if ``least`` characters or more are left beside it."""
    return [
        CentrePattern(gram[:k], gram[k + 1 :])
        for gram in grams(words, n)
        if len(gram) > least
        for k in range(len(gram))
    ]


@lru_cache(maxsize=1)
def lower_case() -> dict[int, int]:
    """The characters that have another lower case of one character; texts keep their length."""
    every = _every_character()
    lower = np.char.lower(every)
    changed = np.flatnonzero((lower != every) & (np.char.str_len(lower) == 1))
    return {code: ord(lower[code]) for code in changed.tolist()}


@lru_cache(maxsize=1)
def _spaces() -> list[int]:
    spaces: list[int] = np.flatnonzero(np.char.isspace(_every_character())).tolist()
    return spaces


def _every_character() -> npt.NDArray[np.str_]:
    """One text for each code, with room for a lower case of two characters: a loop over all takes a second."""
    codes = np.zeros((CHARACTERS, 2), np.uint32)
    codes[:, 0] = np.arange(CHARACTERS)
    return codes.view("U2")[:, 0]


@dataclass(frozen=True, eq=False)
class DoubleDots:
    """The patterns of many questions, laid out for one pass over texts."""

    questions: tuple[Counter[CentrePattern], ...]
    gap: int
    groups: tuple[tuple[range, tuple[Integers, ...] | None], ...]
    """Questions that one alphabet of a byte serves, with their tables; None for one that needs more letters alone."""

    @classmethod
    def of(cls, questions: Sequence[Sequence[CentrePattern]], gap: int = 2) -> DoubleDots:
        """From the patterns of each question; one that two grams of a question give counts twice."""
        counters = tuple(Counter(pattern for pattern in question if any(pattern)) for question in questions)
        some = _groups([_letters([counter]) for counter in counters])
        tables = [_tables(counters[group.start : group.stop]) for group in some]
        return cls(counters, gap, tuple(zip(some, tables, strict=True)))

    def count(self, texts: Sequence[str], *, binary: bool = False) -> tuple[Counts, Counts]:
        """Matches by text and question, and the lines of each text that are not blank.

        A place where a match begins counts once for a pattern, whatever the gap; where nothing stands before the
        don't-care character, the match begins after it. ``binary``: a pattern counts once in a line.
        """
        if compiled is None:
            return slow_counts(self.questions, texts, gap=self.gap, binary=binary)
        sums, lines = np.zeros((len(texts), len(self.questions)), np.int64), np.zeros(len(texts), np.int64)
        for group, tables in self.groups:
            if tables is None:
                group_questions = self.questions[group.start : group.stop]
                sums[:, group.start : group.stop], lines = slow_counts(
                    group_questions, texts, gap=self.gap, binary=binary
                )
            elif len(texts):
                part = np.zeros((len(texts), len(group)), np.int64)
                compiled.count(tuple(texts), tables, self.gap, binary, part, lines)
                sums[:, group.start : group.stop] = part
        return sums, lines


def _letters(questions: Sequence[Counter[CentrePattern]]) -> set[str]:
    return {letter for question in questions for before, after in question for letter in before + after}


def _groups(alphabets: Sequence[set[str]]) -> list[range]:
    """Questions one after the other as long as their letters fit in a byte together: for English, all of them."""
    groups: list[range] = []
    known: set[str] = set()
    for i, letters in enumerate(alphabets):
        if groups and len(known | letters) <= LETTERS:
            groups[-1], known = range(groups[-1].start, i + 1), known | letters
        else:
            groups, known = [*groups, range(i, i + 1)], letters
    return groups


def _tables(questions: Sequence[Counter[CentrePattern]]) -> tuple[Integers, ...] | None:
    """The arrays that ``double_dot.c`` takes, in its order."""
    asked: dict[CentrePattern, list[tuple[int, int]]] = {}
    for number, counter in enumerate(questions):
        for pattern, times in counter.items():
            asked.setdefault(pattern, []).append((number, times))
    letters = sorted(_letters(questions))
    if len(letters) > LETTERS:
        return None
    codes = np.zeros(CHARACTERS, np.uint8)
    codes[_spaces()], codes[ord("\n")] = BLANK, NEWLINE
    codes[[ord(letter) for letter in letters]] = np.arange(LETTER, LETTER + len(letters))
    codes[list(lower_case())] = codes[list(lower_case().values())]
    literals = sorted({before + after for before, after in asked}, key=lambda literal: (len(literal), literal))
    place = {literal: i for i, literal in enumerate(literals)}
    width = max(map(len, literals), default=1)
    groups = np.searchsorted([len(literal) for literal in literals], np.arange(width + 1), "right").astype(np.int64)
    keys = [sum(int(codes[ord(letter)]) << 8 * j for j, letter in enumerate(literal)) for literal in literals]
    numbers = np.full((len(literals), width + 1), -1, np.int32)
    for number, (before, after) in enumerate(asked):
        numbers[place[before + after], len(before)] = number
    offsets = np.cumsum([0, *(len(rows) for rows in asked.values())]).astype(np.int64)
    flat = np.array([row for rows in asked.values() for row in rows], np.int32).reshape(-1, 2)
    return codes, np.array(keys, np.uint64), groups, numbers, offsets, flat[:, 0].copy(), flat[:, 1].copy()


def slow_counts(
    questions: Sequence[Counter[CentrePattern]], texts: Sequence[str], *, gap: int = 2, binary: bool = False
) -> tuple[Counts, Counts]:
    """The definition, pattern by pattern and line by line."""
    sums, lines = np.zeros((len(texts), len(questions)), np.int64), np.zeros(len(texts), np.int64)
    asked = set().union(*questions)
    for i, text in enumerate(texts):
        for line in text.translate(lower_case()).split("\n"):
            if not line.strip():
                continue
            lines[i] += 1
            counts = {pattern: matches(line, pattern, gap) for pattern in asked}
            for question, counter in enumerate(questions):
                for pattern, times in counter.items():
                    sums[i, question] += times * (min(counts[pattern], 1) if binary else counts[pattern])
    return sums, lines


def matches(line: str, pattern: CentrePattern, gap: int = 2) -> int:
    """The places of a line where a match of the pattern begins.

    >>> matches("the red balloon", CentrePattern("l", "oon"))
    2
    """
    before, after = pattern
    if not (before and after):
        return sum(line.startswith(before + after, i) for i in range(len(line)))
    starts = (i + len(before) for i in range(len(line)) if line.startswith(before, i))
    return sum(any(line.startswith(after, i + skipped) for skipped in range(gap + 1)) for i in starts)
