"""What is said of technical terms, written slowly from the definitions; and a tagger whose tags are in the words."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.core.document import Document, InMemory
from adjudge.terms.terms import Term, Terms
from adjudge.text.tagging.tagger import Breaks, Tag, Tagger, Tags
from adjudge.text.tokens import Tokens

KNOWN = {"of": Tag.P, "in": Tag.P, "the": Tag.D, "a": Tag.D, "is": Tag.V, "are": Tag.V, "shows": Tag.V, "and": Tag.X}
ADJECTIVES = re.compile(r"(?:smooth|compact|riemannian|new|.*al|.*ic)\Z")


@dataclass(frozen=True)
class Toy(Tagger):
    """A tagger that knows a few words and takes the rest for nouns."""

    name: ClassVar[str] = "toy"

    def version(self) -> str:
        return "toy 1"

    def tag(self, tokens: Tokens, breaks: Breaks) -> Tags:
        tags = np.array([toy_tag(word) for word in tokens.types], np.uint8)
        return tags[tokens.ids] if len(tags) else np.zeros(0, np.uint8)


def toy_tag(word: str) -> Tag:
    lower = word.lower()
    if lower in KNOWN:
        return KNOWN[lower]
    if not any(map(str.isalpha, lower)):
        return Tag.M
    return Tag.A if ADJECTIVES.match(lower) else Tag.N


def terms_of(*names: str) -> Terms:
    """Terms with nothing but a name."""
    return Terms.of([Term(name, 1, 1.0, math.nan, {name: 1}) for name in names])


def corpus_of(*texts: str) -> InMemory:
    return InMemory(Document(f"d{i}", text) for i, text in enumerate(texts))


def slow_spans(tags: str, breaks: list[int], pattern: str, shortest: int, longest: int) -> list[tuple[int, int]]:
    """Every stretch whose tags match, none with a break inside."""
    return [
        (start, end - start)
        for start in range(len(tags))
        for end in range(min(len(tags), start + longest), start + shortest - 1, -1)
        if re.fullmatch(pattern, tags[start:end]) and not any(breaks[start + 1 : end])
    ]


def inner(term: tuple[str, ...]) -> set[tuple[str, ...]]:
    """The shorter sequences in a term."""
    n = len(term)
    return {term[i:j] for i in range(n) for j in range(i + 1, n + 1)} - {term}


def slow_c_values(frequencies: dict[tuple[str, ...], int], least: float = 0.0) -> dict[tuple[str, ...], float]:
    """C-value as the paper's algorithm goes: longest first, t(b) and c(b) kept for each candidate."""
    t: Counter[tuple[str, ...]] = Counter()
    c: Counter[tuple[str, ...]] = Counter()
    values = {}
    for a in sorted(frequencies, key=len, reverse=True):
        f = frequencies[a]
        values[a] = math.log2(len(a)) * (f - t[a] / c[a] if c[a] else f)
        if values[a] >= least:
            for b in inner(a):
                if b in frequencies:
                    t[b] += f - t[a]
                    c[b] += 1
    return values


def slow_longest(words: list[str], breaks: list[int], terms: set[tuple[str, ...]]) -> list[tuple[int, int]]:
    """From left to right, at each place the longest term that begins there and has no break inside."""
    found, at = [], 0
    while at < len(words):
        for n in range(len(words) - at, 0, -1):
            if tuple(words[at : at + n]) in terms and not any(breaks[at + 1 : at + n]):
                found.append((at, n))
                at += n
                break
        else:
            at += 1
    return found


def slow_all(words: list[str], breaks: list[int], terms: set[tuple[str, ...]]) -> list[tuple[int, int]]:
    """Every term wherever it stands."""
    return [
        (at, n)
        for at in range(len(words))
        for n in range(len(words) - at, 0, -1)
        if tuple(words[at : at + n]) in terms and not any(breaks[at + 1 : at + n])
    ]
