"""What a user may know beside the scanned text: corrected pages, and clean text of the language."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from ....noise.alignment import align
from ....storage.digest import digest_texts
from ....text.analyzer import Analyzer
from ....text.filters.letterforms import LetterformsFilter
from ....text.filters.lower import LowerFilter
from ..version import Aids

LETTERS = re.compile(r"[^\W\d_]+")
NEAR = 1
"""Characters by which a string may be longer at either end than what the word became."""
MOST = 20_000_000
"""Characters of clean text that are read."""


@dataclass(frozen=True)
class LearningAids:
    """Pairs of a word and what it became, and the shares of words in clean text; both may be empty."""

    pairs: dict[tuple[str, str], float] = field(default_factory=dict)
    lexicon: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, aids: Aids, signs: tuple[int, ...]) -> LearningAids:
        """From what a plan gives; ``signs`` stand for letters in the scanned text."""
        pairs: Counter[tuple[str, str]] = Counter()
        for true, observed in aids.aligned or ():
            pairs.update(word_pairs(true, observed, signs))
        words: Counter[str] = Counter()
        analyzer, read = Analyzer.parse("words|lower|letterforms"), 0
        for document in aids.outside or ():
            words.update(analyzer.terms(document.text))
            read += len(document.text)
            if read > MOST:
                break
        total = max(sum(words.values()), 1)
        return cls(dict(pairs), {word: times / total for word, times in words.items()})

    def __bool__(self) -> bool:
        return bool(self.pairs or self.lexicon)

    def __str__(self) -> str:
        rows = [f"{word}\t{string}\t{times}" for (word, string), times in sorted(self.pairs.items())]
        rows += [f"{word}\t{share!r}" for word, share in sorted(self.lexicon.items())]
        return digest_texts(*rows) if rows else "none"


def lower_letters(text: str) -> str:
    """A text in lower case and in the letters of today, as strings are indexed."""
    return "".join(LetterformsFilter()(LowerFilter()([text])))


def word_pairs(true: str, observed: str, signs: tuple[int, ...] = ()) -> list[tuple[str, str]]:
    """Words of a text with the strings that they became, where one became one."""
    alignment = align(*map(lower_letters, (true, observed)))
    shown = alignment.observed
    chunk = re.compile(rf"(?:[^\W_]|[{''.join(re.escape(chr(code)) for code in signs)}])+" if signs else r"[^\W_]+")
    chunks = [(match.start(), match.end()) for match in chunk.finditer(shown)]
    place = [0] * (len(alignment.true) + 1)
    at = to = 0
    for region in (*alignment.regions, None):
        until = len(alignment.true) if region is None else region.start
        place[at:until] = range(to, to + until - at)
        if region is not None:
            for k in range(region.start, region.end):
                place[k] = min(region.begin + k - region.start, region.stop)
            at, to = region.end, region.stop
    place[-1] = len(shown)
    pairs, first = [], 0
    for match in LETTERS.finditer(alignment.true):
        begin, end = place[match.start()], place[match.end() - 1] + 1
        while first < len(chunks) and chunks[first][1] <= begin:
            first += 1
        over = [span for span in chunks[first : first + 3] if span[0] < end and span[1] > begin]
        if len(over) == 1 and abs(over[0][0] - begin) <= NEAR and abs(over[0][1] - end) <= NEAR:
            pairs.append((match[0], shown[over[0][0] : over[0][1]]))
    return pairs
