"""The signs that stand for letters in a scanned text: what an engine writes where it could not read one."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from ....core.document import Documents

SHARE = 20
"""One document of so many is looked at, and the first ones of a small corpus all."""
FIRST = 200
LONGEST = 50_000
"""Characters of a document that are looked at."""
NEVER = frozenset(".,;:!?\"'`()/&@-\u2010\u2011\u2012\u2013\u2014\u2015\u2018\u2019\u201a\u201c\u201d\u201e\u2026")
"""Characters that stand between and beside the words of any clean text."""
BETWEEN = re.compile(r"(?<![^\W\d_])(?P<left>[^\W\d_]+)(?P<sign>[^\w\s]|_)(?=(?P<right>[^\W\d_]+))")
ALONE = re.compile(r"(?<!\S)[^\W\d_]+(?=[.,;:]?(?!\S))")
SEEN, INSIDE, KNOWN = 10, 0.1, 0.5
"""A sign is a letter if it was seen inside words so often, if so much of its occurrences are there, and if what stands
before and after it are known words in less than so many cases: a dash stands between words, a letter does not."""


def letters_of(documents: Documents) -> tuple[int, ...]:
    """The code points of the signs that stand for letters in these documents, ascending."""
    every: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    between: Counter[tuple[str, str, str]] = Counter()
    for number, document in enumerate(documents):
        if number >= FIRST and number % SHARE:
            continue
        text = document.text[:LONGEST].lower()
        every.update(text)
        alone.update(ALONE.findall(text))
        between.update((m["sign"], m["left"], m["right"]) for m in BETWEEN.finditer(text))
    inside: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for (sign, left, right), times in between.items():
        inside[sign] += times
        known[sign] += times if alone[left] > 1 and alone[right] > 1 else 0
    return tuple(
        sorted(
            ord(sign)
            for sign, times in inside.items()
            if not _beside(sign) and times >= SEEN and times >= INSIDE * every[sign] and known[sign] < KNOWN * times
        )
    )


def _beside(sign: str) -> bool:
    """Whether a sign stands between or beside the words of clean text, or is a mark on their letters.

    What engines write for letters they take from ASCII and Latin-1; punctuation beyond is that of other scripts.
    """
    kind = unicodedata.category(sign)
    return sign in NEVER or kind[0] == "M" or kind == "Cf" or (kind[0] == "P" and ord(sign) > 0xFF)
