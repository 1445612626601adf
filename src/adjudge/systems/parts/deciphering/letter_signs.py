"""The signs that stand for letters in a scanned text: what an engine writes where it could not read one."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

from ....core.document import Documents

SHARE = 20
"""One document of so many is looked at, and the first ones of a small corpus all."""
FIRST = 200
LONGEST = 50_000
"""Characters of a document that are looked at."""
NEVER = frozenset(".,;:!?\"'`()/&@-\u2010\u2011\u2012\u2013\u2014\u2015\u2018\u2019\u201a\u201c\u201d\u201e\u2026")
"""Characters that stand between and beside the words of any clean text."""
BETWEEN = re.compile(r"(?<![^\W\d_])(?P<left>[^\W\d_]+)(?P<sign>[^\w\s]|_)(?=(?P<right>[^\W\d_]+))")
ALONE = re.compile(r"([^\W\d_]+)[.,;:]?")
SEEN, INSIDE, KNOWN = 10, 0.1, 0.5
"""A sign is a letter if it was seen inside words so often, if so much of its occurrences are there, and if what stands
before and after it are known words in less than so many cases: a dash stands between words, a letter does not."""


def letters_of(documents: Documents) -> tuple[int, ...]:
    """The code points of the signs that stand for letters in these documents, ascending."""
    chunks: Counter[str] = Counter()
    for document in documents.look(FIRST, SHARE):
        chunks.update(document.text[:LONGEST].lower().split())
    alone: Counter[str] = Counter()
    others: list[str] = []
    between: Counter[tuple[str, str, str]] = Counter()
    for chunk, times in chunks.items():
        word = None if chunk.isalpha() else ALONE.fullmatch(chunk)
        if word or chunk.isalpha():
            alone[word[1] if word else chunk] += times
        else:
            others.append(chunk)
            for match in BETWEEN.finditer(chunk):
                between[match["sign"], match["left"], match["right"]] += times
    inside: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for (sign, left, right), times in between.items():
        inside[sign] += times
        known[sign] += times if alone[left] > 1 and alone[right] > 1 else 0
    likely = [
        sign for sign, times in inside.items() if not _beside(sign) and times >= SEEN and known[sign] < KNOWN * times
    ]
    every = _occurrences(likely, others, chunks)
    return tuple(sorted(ord(sign) for sign in likely if inside[sign] >= INSIDE * every[sign]))


def _occurrences(signs: Sequence[str], some: Sequence[str], often: Mapping[str, int]) -> dict[str, int]:
    """How often signs occur in some chunks, each as often as it does; those that occur equally often are one text."""
    together: dict[int, list[str]] = {}
    for chunk in some:
        together.setdefault(often[chunk], []).append(chunk)
    texts = {times: " ".join(those) for times, those in together.items()}
    return {sign: sum(times * text.count(sign) for times, text in texts.items()) for sign in signs}


def _beside(sign: str) -> bool:
    """Whether a sign stands between or beside the words of clean text, or is a mark on their letters.

    What engines write for letters they take from ASCII and Latin-1; punctuation beyond is that of other scripts.
    """
    kind = unicodedata.category(sign)
    return sign in NEVER or kind[0] == "M" or kind == "Cf" or (kind[0] == "P" and ord(sign) > 0xFF)
