"""How surprising the letters of a string are to who knows the frequent words of a collection, in bits a letter."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

BACKING = 5.0
"""So often a shorter context counts beside what was seen in the longer one."""
UNSEEN = 0.5


class LetterSurprise:
    """Three letters in a row, learned from words with their numbers; a word counts by the root of its number."""

    def __init__(self, words: Mapping[str, int]) -> None:
        self._three: Counter[str] = Counter()
        self._two: Counter[str] = Counter()
        self._one: Counter[str] = Counter()
        self._after_two: Counter[str] = Counter()
        self._after_one: Counter[str] = Counter()
        for word, times in words.items():
            framed, weight = f"\0\0{word}\1", times**0.5
            for at in range(2, len(framed)):
                self._three[framed[at - 2 : at + 1]] += weight
                self._after_two[framed[at - 2 : at]] += weight
                self._two[framed[at - 1 : at + 1]] += weight
                self._after_one[framed[at - 1]] += weight
                self._one[framed[at]] += weight
        self._all = sum(self._one.values()) + UNSEEN * (len(self._one) + 1)
        self._known: dict[str, float] = {}
        occurrences = max(1, sum(words.values()))
        self.typical = sum(times * self.bits(word) for word, times in words.items()) / occurrences
        """Bits a letter of the words that it was learned from."""

    def bits(self, word: str) -> float:
        """Bits a letter of a word, its end included."""
        known = self._known.get(word)
        if known is None:
            framed, known = f"\0\0{word}\1", 0.0
            for at in range(2, len(framed)):
                one = (self._one[framed[at]] + UNSEEN) / self._all
                two = (self._two[framed[at - 1 : at + 1]] + BACKING * one) / (self._after_one[framed[at - 1]] + BACKING)
                three = self._three[framed[at - 2 : at + 1]] + BACKING * two
                known -= math.log2(three / (self._after_two[framed[at - 2 : at]] + BACKING))
            known = self._known[word] = known / (len(word) + 1)
        return known
