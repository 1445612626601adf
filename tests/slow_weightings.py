"""The weightings written as their definitions read, over dictionaries, and small collections to try them on."""

from __future__ import annotations

import math
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from adjudge.core.document import Document, InMemory
from adjudge.index.building import build
from adjudge.index.index import Index

PLAIN = "words|lower"


def collection(texts: Sequence[str]) -> InMemory:
    """Documents d0, d1 and so on."""
    return InMemory(Document(f"d{i}", text, f"title {i}") for i, text in enumerate(texts))


@contextmanager
def indexed(contents: Sequence[str], analyzer: str = PLAIN, **more: Any) -> Iterator[Index]:
    """An index of a few texts that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        with patch.object(
            os, "fsync"
        ):  # nothing has to outlive a power cut, and many small builds wait long for the disk
            index = build(collection(contents), Path(folder) / "index", analyzer=analyzer, **more)
        yield index


class Slow:
    """A collection as lists of words."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.documents = [Counter(text.split()) for text in texts]
        self.n = len(texts)
        self.lengths = [sum(d.values()) for d in self.documents]
        self.average = sum(self.lengths) / self.n
        self.df = Counter(t for d in self.documents for t in d)
        self.cf = Counter(t for text in texts for t in text.split())
        self.tokens = sum(self.lengths)

    def found(self, query: Sequence[str], d: int) -> list[str]:
        return [t for t in query if t in self.documents[d]]

    def bm25(self, query: Sequence[str], d: int, k1: float, b: float, form: str, k3: float | None = None) -> float:
        total = 0.0
        for t, q in Counter(self.found(query, d)).items():
            tf, df = self.documents[d][t], self.df[t]
            odds = (self.n - df + 0.5) / (df + 0.5)
            idf = math.log(1 + odds) if form == "lucene" else math.log(odds)
            top = tf if form == "lucene" else tf * (k1 + 1)
            weight = q if k3 is None else (k3 + 1) * q / (k3 + q)
            total += idf * top / (tf + k1 * (1 - b + b * self.lengths[d] / self.average)) * weight
        return total

    def lucene_classic(self, query: Sequence[str], d: int) -> float:
        idf = {t: 1 + math.log(self.n / (self.df[t] + 1)) for t in query}
        found = self.found(query, d)
        total = sum(math.sqrt(self.documents[d][t]) * idf[t] ** 2 * lucene_norm(self.lengths[d]) for t in found)
        return len(found) / len(query) * total / math.sqrt(sum(idf[t] ** 2 for t in query))

    def cosine(self, query: Sequence[str], d: int) -> float:
        def vector(words: Counter[str]) -> dict[str, float]:
            return {t: tf * math.log(self.n / self.df[t]) for t, tf in words.items() if self.df[t]}

        q, own = vector(Counter(query)), vector(self.documents[d])
        sizes = math.hypot(*q.values()) * math.hypot(*own.values())
        return sum(q[t] * own[t] for t in q if t in own) / sizes if sizes else 0.0

    def pivoted(self, query: Sequence[str], d: int, slope: float) -> float:
        own = self.documents[d]
        pivot = sum(map(len, self.documents)) / self.n
        total = 0.0
        for t, q in Counter(self.found(query, d)).items():
            inner = (1 + math.log(own[t])) / (1 + math.log(self.lengths[d] / len(own)))
            total += (
                inner / ((1 - slope) * pivot + slope * len(own)) * (1 + math.log(q)) * math.log(self.n / self.df[t])
            )
        return total

    def dirichlet(self, query: Sequence[str], d: int, mu: float) -> float:
        known = [t for t in query if self.cf[t]]
        own = self.documents[d]
        return sum(math.log((own[t] + mu * self.cf[t] / self.tokens) / (self.lengths[d] + mu)) for t in known)

    def jelinek_mercer(self, query: Sequence[str], d: int, lam: float) -> float:
        known = [t for t in query if self.cf[t]]
        own = self.documents[d]
        return sum(math.log((1 - lam) * own[t] / self.lengths[d] + lam * self.cf[t] / self.tokens) for t in known)


LIMITS = {1: 1.0, 2: 0.625, 4: 0.5, 5: 0.4375, 7: 0.375, 10: 0.3125, 16: 0.25, 20: 0.21875, 28: 0.1875, 40: 0.15625}
LIMITS |= {64: 0.125, 83: 0.109375, 113: 0.09375, 163: 0.078125, 256: 0.0625, 334: 0.0546875, 455: 0.046875}
LIMITS |= {655: 0.0390625, 1024: 0.03125, 1337: 0.02734375, 1820: 0.0234375, 2621: 0.01953125, 4096: 0.015625}
"""Lucene's norms: the longest document that has each."""


def lucene_norm(length: int) -> float:
    return next(norm for limit, norm in LIMITS.items() if length <= limit)


SCHEMES: dict[str, Callable[[Slow, Sequence[str], int], float]] = {
    "bm25": lambda s, q, d: s.bm25(q, d, 0.9, 0.4, "lucene"),
    "bm25(k1=2, b=1)": lambda s, q, d: s.bm25(q, d, 2, 1, "lucene"),
    "bm25(k1=1.2, b=0.75, form=robertson)": lambda s, q, d: s.bm25(q, d, 1.2, 0.75, "robertson"),
    "bm25(form=robertson, k3=7)": lambda s, q, d: s.bm25(q, d, 0.9, 0.4, "robertson", 7),
    "lucene_classic": lambda s, q, d: s.lucene_classic(q, d),
    "cosine": lambda s, q, d: s.cosine(q, d),
    "pivoted": lambda s, q, d: s.pivoted(q, d, 0.2),
    "pivoted(slope=1)": lambda s, q, d: s.pivoted(q, d, 1),
    "dirichlet": lambda s, q, d: s.dirichlet(q, d, 2000),
    "dirichlet(mu=3)": lambda s, q, d: s.dirichlet(q, d, 3),
    "jelinek_mercer": lambda s, q, d: s.jelinek_mercer(q, d, 0.1),
    "jelinek_mercer(lam=0.7)": lambda s, q, d: s.jelinek_mercer(q, d, 0.7),
}
