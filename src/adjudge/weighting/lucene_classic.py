"""The vector space model of Lucene before version 6."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from .scheme import Clause, Floats, Integers, Statistics, TermCounts, Weighting


@dataclass(frozen=True)
class LuceneClassic(Weighting):
    """Lucene's vector space model of versions 3.1 to 5 (DefaultSimilarity), norms rounded to one byte.

    Formula: coord · queryNorm · Σ √tf · idf² · boost · norm over the clauses that occur in the document;
    idf = 1 + ln(N / (df + 1)); norm = 1/√length in one byte; coord = clauses that occur / clauses of the query;
    queryNorm = 1/√Σ (idf · boost)² over the clauses. A word that is repeated in the query is a clause each time, and
    words that are not indexed count in coord and queryNorm.

    Parameters: none.

    No value: the norm of a document without a token is infinite and rounded down; no term finds it.

    Paper: no paper; Apache Lucene, org.apache.lucene.search.similarities.DefaultSimilarity, version 4. Lucene
    computes in single precision, here only the norm is; its ties go by place in the index, ours by id.

    Example: documents a b a | b c | c c c d, query a b: idf 1.405465 and 1, norms 0.5, 0.625, 0.5, queryNorm 0.579739,
    scores 1.099631 and 0.181168.
    """

    name: ClassVar[str] = "lucene_classic"
    aliases: ClassVar[tuple[str, ...]] = ("classic_similarity", "classicsimilarity")
    coordinated: ClassVar[bool] = True

    def norms(self, statistics: Statistics) -> Floats:
        return decode(encode(statistics.lengths))

    def document(self, statistics: Statistics, term: TermCounts, tf: Floats, norm: Floats) -> Floats:
        del statistics, term
        weight: Floats = np.sqrt(tf) * norm
        return weight

    def query(self, statistics: Statistics, clause: Clause) -> float:
        return idf(statistics, clause.term) ** 2 * clause.weight

    def query_norm(self, statistics: Statistics, clauses: Sequence[Clause]) -> float:
        length = math.hypot(*(math.sqrt(c.times) * idf(statistics, c.term) * c.boost for c in clauses))
        return 1 / length if length else 0.0

    def coordination(self, overlap: Floats, clauses: int) -> Floats:
        return overlap / clauses


def idf(statistics: Statistics, term: TermCounts) -> float:
    return 1 + math.log(statistics.documents / (term.df + 1)) if statistics.documents else 0.0


def encode(lengths: Integers) -> npt.NDArray[np.uint8]:
    """1/√length as Lucene's one byte: three bits of mantissa, five of exponent, rounded down."""
    with np.errstate(divide="ignore"):
        bits = (1 / np.sqrt(lengths.astype(np.float64))).astype(np.float32).view(np.int32)
    small = bits >> 21
    byte = np.where(small <= 384, np.where(bits <= 0, 0, 1), np.where(small >= 640, 255, small - 384))
    return byte.astype(np.uint8)


def decode(norms: npt.NDArray[np.uint8]) -> Floats:
    bits = (norms.astype(np.int32) << 21) + (48 << 24)
    return np.where(norms == 0, np.float32(0), bits.view(np.float32)).astype(np.float64)
