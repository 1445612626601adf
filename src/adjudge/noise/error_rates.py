"""How much of a text was read wrongly: character and word error rate, intact words, the most frequent confusions.

The character error rate is the number of edits between true and observed text over the length of the true text, the
word error rate the same with words (what stands between white space) for characters. White space counts as one blank
and case counts unless asked otherwise. Totals weight each document by its length. A rate can exceed 1; where the true
text is empty it is not defined, NaN.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.errors import ConflictError, SpecError
from .alignment import Alignment, Region, align, distance, plain, with_context

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

LONGEST = 3
"""Characters on either side of a confusion that is counted."""

SPACED = re.compile(r"\S+")
WORD = re.compile(r"\w+")
SURROGATES = range(0xD800, 0xE000)


def character_errors(true: str, observed: str, *, case: bool = True) -> tuple[int, int]:
    """The number of edits and the length of the true text, both after white space became one blank."""
    true, observed = plain(true, case=case), plain(observed, case=case)
    return distance(true, observed), len(true)


def word_errors(true: str, observed: str, *, case: bool = True) -> tuple[int, int]:
    """The number of words substituted, deleted or inserted, and the number of words of the true text."""
    if not case:
        true, observed = true.lower(), observed.lower()
    numbers: dict[str, int] = {}
    # A text in which each word is one character: then words are counted as characters are, anchors included.
    first, second = (
        "".join([_character(numbers.setdefault(word, len(numbers))) for word in text.split()])
        for text in (true, observed)
    )
    return distance(first, second), len(first)


def _character(number: int) -> str:
    return chr(number if number < SURROGATES.start else number + len(SURROGATES))


def cer(true: str, observed: str, *, case: bool = True) -> float:
    """The character error rate.

    >>> cer("abcd", "abxd")
    0.25
    """
    return _rate(*character_errors(true, observed, case=case))


def wer(true: str, observed: str, *, case: bool = True) -> float:
    """The word error rate.

    >>> wer("the red balloon", "the rcd bal loon")
    1.0
    """
    return _rate(*word_errors(true, observed, case=case))


def _rate(edits: int, length: int) -> float:
    return edits / length if length else float("nan")


class WordSpans(NamedTuple):
    """The words of a true text: where each begins and ends, and whether it came through unharmed."""

    starts: Integers
    ends: Integers
    intact: npt.NDArray[np.bool_]


def intact_words(alignment: Alignment, pattern: re.Pattern[str] = SPACED) -> WordSpans:
    """Which words of the true text stand in the observed text as words of their own, by the alignment.

    A word that was joined to its neighbour or broken in two is not intact.
    """
    starts, ends = _spans(alignment.true, pattern)
    observed_starts, observed_ends = _spans(alignment.observed, pattern)
    errors = np.array(alignment.regions, np.int64).reshape(-1, 5)
    before = np.searchsorted(errors[:, 1], starts, "right")
    whole = before == np.searchsorted(errors[:, 0], ends, "left")
    shift = np.concatenate(([0], errors[:, 3] - errors[:, 1]))[before]
    place = np.searchsorted(observed_starts, starts + shift)
    there = place < len(observed_starts)
    place[~there] = 0
    if len(observed_starts):
        there &= (observed_starts[place] == starts + shift) & (observed_ends[place] == ends + shift)
    return WordSpans(starts, ends, whole & there)


def _spans(text: str, pattern: re.Pattern[str]) -> tuple[Integers, Integers]:
    spans = np.array([match.span() for match in pattern.finditer(text)], np.int64).reshape(-1, 2)
    return spans[:, 0], spans[:, 1]


@dataclass(frozen=True)
class Confusion:
    """What was read for what, how often, its share of all errors, and the words around it in one place."""

    source: str
    target: str
    count: int
    share: float
    example: str
    example_read: str


@dataclass(frozen=True)
class ErrorRates:
    """The error counts of documents, a column each; one row a document."""

    ids: tuple[str, ...]
    characters: Integers
    edits: Integers
    words: Integers
    word_edits: Integers
    intact: Integers
    asked: Integers
    asked_intact: Integers

    @property
    def cer(self) -> Floats:
        """The character error rate of each document, NaN where the true text is empty."""
        return _ratios(self.edits, self.characters)

    @property
    def wer(self) -> Floats:
        """The word error rate of each document."""
        return _ratios(self.word_edits, self.words)

    @property
    def total_cer(self) -> float:
        """The character error rate of all documents together: each weighs as much as it is long."""
        return _rate(int(self.edits.sum()), int(self.characters.sum()))

    @property
    def total_wer(self) -> float:
        """The word error rate of all documents together."""
        return _rate(int(self.word_edits.sum()), int(self.words.sum()))

    @property
    def intact_share(self) -> float:
        """The share of the words of the true texts that came through unharmed."""
        return _rate(int(self.intact.sum()), int(self.words.sum()))

    @property
    def asked_share(self) -> float:
        """The same of the words that were asked for (query words), wherever they occur."""
        return _rate(int(self.asked_intact.sum()), int(self.asked.sum()))

    def interval(
        self, rng: np.random.Generator, *, of: str = "cer", samples: int = 2000, confidence: float = 0.95
    ) -> tuple[float, float]:
        """A bootstrap interval of a total, documents drawn with replacement; ``of``: cer, wer, intact or asked.

        NaN for fewer than two documents.
        """
        columns = {
            "cer": (self.edits, self.characters),
            "wer": (self.word_edits, self.words),
            "intact": (self.intact, self.words),
            "asked": (self.asked_intact, self.asked),
        }
        if of not in columns:
            raise SpecError(f"no interval of {of!r}: cer, wer, intact or asked")
        if not 0 < confidence < 1:
            raise SpecError(f"the confidence of an interval lies between 0 and 1, not {confidence}")
        above, below = columns[of]
        if len(above) < 2 or not below.sum():
            return float("nan"), float("nan")
        rates = np.empty(samples)
        step = max(1, 2_000_000 // len(above))
        for first in range(0, samples, step):
            drawn = rng.integers(0, len(above), (min(step, samples - first), len(above)))
            rates[first : first + step] = _ratios(above[drawn].sum(1), below[drawn].sum(1))
        tail = (1 - confidence) / 2
        low, high = np.nanquantile(rates, [tail, 1 - tail])
        return float(low), float(high)


def _ratios(above: Integers, below: Integers) -> Floats:
    rates = np.full(len(below), np.nan)
    np.divide(above, below, out=rates, where=below > 0)
    return rates


class ErrorCounter:
    """Counts errors document by document; memory grows with the number of documents, not with their length."""

    def __init__(self, *, case: bool = True, asked: Iterable[str] = ()) -> None:
        self.case = case
        self.asked = frozenset(word.lower() for word in asked)
        self.rows: dict[str, tuple[int, ...]] = {}
        self.regions = 0
        self.counts: Counter[tuple[str, str]] = Counter()
        self.examples: dict[tuple[str, str], tuple[str, str]] = {}

    def add(self, id: str, true: str, observed: str) -> Alignment:  # noqa: A002
        """Counts one document, and gives its alignment for further use."""
        if id in self.rows:
            raise ConflictError(f"document {id} is there twice")
        alignment = align(true, observed, case=self.case)
        words = intact_words(alignment)
        asked, asked_intact = self._count_asked(alignment)
        word_edits, count = word_errors(alignment.true, alignment.observed)
        counts = (len(alignment.true), alignment.edits, count, word_edits, int(words.intact.sum()))
        self.rows[id] = (*counts, asked, asked_intact)
        for region in alignment.regions:
            rule = with_context(alignment.true, alignment.observed, region)
            if max(map(len, rule)) <= LONGEST:  # a longer one, a lost page perhaps, is hardly met again
                self.counts[rule] += 1
                if rule not in self.examples:
                    self.examples[rule] = _example(alignment, region)
        self.regions += len(alignment.regions)
        return alignment

    def _count_asked(self, alignment: Alignment) -> tuple[int, int]:
        if not self.asked:
            return 0, 0
        words = intact_words(alignment, WORD)
        spans = zip(words.starts.tolist(), words.ends.tolist(), strict=True)
        wanted = np.array([alignment.true[a:b].lower() in self.asked for a, b in spans], bool)
        return int(wanted.sum()), int((wanted & words.intact).sum())

    def rates(self) -> ErrorRates:
        """The counts of all documents so far."""
        columns = np.array(list(self.rows.values()), np.int64).reshape(-1, 7).T
        return ErrorRates(tuple(self.rows), *columns)

    def confusions(self, top: int = 20) -> list[Confusion]:
        """The most frequent confusions with at most three characters on either side; shares are of all errors."""
        most = sorted(self.counts.items(), key=lambda row: (-row[1], row[0]))[:top]
        return [Confusion(*rule, n, n / self.regions, *self.examples[rule]) for rule, n in most]


def _example(alignment: Alignment, region: Region) -> tuple[str, str]:
    """The words that an error touches, as they were and as they were read; long ones are cut."""
    return (
        _around(alignment.true, region.start, region.end),
        _around(alignment.observed, region.begin, region.stop),
    )


def _around(text: str, start: int, end: int, most: int = 24) -> str:
    left = max(text.rfind(" ", 0, start) + 1, start - most)
    right = text.find(" ", end)
    return text[left : min(len(text) if right < 0 else right, end + most)]


def confusions(pairs: Iterable[tuple[str, str]], top: int = 20, *, case: bool = True) -> list[Confusion]:
    """The most frequent confusions of pairs of true and observed text."""
    return count(pairs, case=case).confusions(top)


def error_rates(pairs: Iterable[tuple[str, str]], *, case: bool = True, asked: Sequence[str] = ()) -> ErrorRates:
    """The error rates of pairs of true and observed text, numbered from 1."""
    return count(pairs, case=case, asked=asked).rates()


def count(pairs: Iterable[tuple[str, str]], *, case: bool = True, asked: Sequence[str] = ()) -> ErrorCounter:
    """An ErrorCounter that has seen all pairs."""
    counter = ErrorCounter(case=case, asked=asked)
    for number, (true, observed) in enumerate(pairs, 1):
        counter.add(str(number), true, observed)
    return counter
